"""Approval: a person decides. A decision is bound to the exact step, its inputs and the policy; used once; expires.

No approver means no approval.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence

import msgspec

from plantwin.errors import ConfigError
from plantwin.types.approval import Answer, Approver, Cause, Nobody, Question
from plantwin.types.local import LocalObject
from plantwin.types.plan import Step

LIFETIME = 600.0
"""Seconds in which a question may be answered and the answer used."""
LONGEST = 86_400
"""Most that a lifetime may be."""


class Approvals:
    """Puts questions and accepts each answer once, for exactly what was asked."""

    def __init__(
        self,
        approver: Approver,
        *,
        lifetime: float = LIFETIME,
        clock: Callable[[], float] = time.time,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` dates a question for other processes; `timer` cannot be set back."""
        if not 0 < lifetime <= LONGEST:
            raise ConfigError(f"approval.lifetime: between 1 and {LONGEST} seconds")
        self._approver = approver
        self._lifetime = lifetime
        self._clock = clock
        self._timer = timer
        self._used: set[str] = set()

    def decide(
        self,
        step: Step,
        held: Sequence[LocalObject],
        causes: tuple[Cause, ...],
        policy: str,
        version: str,
        price: int,
        prepared: str = "",
    ) -> tuple[str, Question]:
        """`approved`, `denied`, `expired`, `invalid` or `nobody`, and the question that was put.

        `prepared`: a digest of what would run.
        """
        nonce = secrets.token_hex(16)
        asked, started = self._clock(), self._timer()
        question = Question(
            nonce=nonce,
            digest=digest(step, held, version, nonce, prepared),
            step=step,
            objects=tuple(each.id for each in held),
            causes=causes,
            policy=policy,
            price=price,
            expires=asked + self._lifetime,
        )
        if type(self._approver) is Nobody:
            return "nobody", question
        answer = self._approver.ask(question)
        # Either clock ends it, and a date before the question's own means that someone set the date back.
        in_time = asked <= self._clock() <= question.expires and self._timer() - started <= self._lifetime
        if answer is None or not in_time:
            return "expired", question
        if type(answer) is not Answer or type(answer.digest) is not str or answer.digest != question.digest:
            return "invalid", question
        if question.digest in self._used:
            return "invalid", question
        self._used.add(question.digest)
        return ("approved" if answer.approved is True else "denied"), question


def digest(step: Step, held: Sequence[LocalObject], version: str, nonce: str, prepared: str = "") -> str:
    """Names exactly one decision: what, on which content, running what, under which policy, asked once."""
    inputs = [[each.key.hex(), each.version] for each in held]
    bound = [msgspec.json.encode(step, order="sorted").decode(), inputs, version, nonce, prepared]
    return hashlib.sha256(msgspec.json.encode(bound)).hexdigest()
