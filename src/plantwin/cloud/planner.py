"""The seam to a planner: an interface, and the checks that all implementations share.

A planner is a class with one method, `plan`. One that sends bytes of its own making around the envelopes (a prompt,
an HTTP body, a program's input) is also `Witnessed`: it hands exactly those bytes to its witness first, and sends
nothing when the witness raises.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from plantwin.boundary.release import Released
from plantwin.errors import GateError, PlannerError, WireError

Witness = Callable[[bytes, str, str], None]
"""Records bytes that are about to be sent, where to, and which version of the skill is in them; raises if it cannot."""


HERE = "on this machine; it sends nothing to anybody"
PORT = "sent to a port of this machine; where that leads PlanTwin cannot know"
REMOTE = "REMOTE"


class Planner(Protocol):
    """Serves one session: remembers what it was told, and answers each turn with the bytes of a plan.

    It may have `sends`, False only where PlanTwin itself can tell that nothing reaches anybody: one that answers from
    rules, a file, or a model that PlanTwin started. A planner that does not say counts as one that sends.
    """

    name: str
    """As the person names it: `offline`, `scripted:FILE`."""
    audience: str
    """The provider who learns what is sent."""
    locality: str
    """`local` when it is reached on this machine, else `remote`. A local one may still lead elsewhere: see `sends`."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Send the envelopes of this turn and return the answer, unparsed. Raises `PlannerError`."""
        ...


def sends(planner: Planner) -> bool:
    """Whether what it is told may reach anybody."""
    return getattr(planner, "sends", True) is not False


def reach(planner: Planner) -> str:
    """What is known of where it sends, in words for the person."""
    if planner.locality != "local":
        return REMOTE
    return PORT if sends(planner) else HERE


class Witnessed:
    """A planner that sends bytes of its own making. Until a session gives it a witness, it sends nothing."""

    def __init__(self) -> None:
        self.witness: Witness = unwitnessed


def unwitnessed(data: bytes, origin: str, skill: str) -> None:
    """The witness of a planner that has none."""
    raise WireError("outbound: no witness records what is sent")


def outbound(envelope: Released) -> bytes:
    """The bytes to send. Every planner takes them from here: nothing leaves that the ledger does not hold."""
    if type(envelope) is not Released or not envelope.receipt.number:
        raise WireError("outbound: not recorded in the ledger")
    return envelope.data


MAX_ANSWER = 1 << 20
"""Bytes of an answer that are looked at at all."""


def ask(planner: Planner, envelopes: Sequence[Released], seconds: float, witness: Witness = unwitnessed) -> bytes:
    """The planner's answer, or a `PlannerError` that quotes nothing of it."""
    answers: list[bytes] = []
    failures: list[BaseException] = []
    turn = _Turn(witness)
    if isinstance(planner, Witnessed):
        planner.witness = turn.record

    def work() -> None:
        try:
            answers.append(planner.plan(tuple(envelopes)))
        except BaseException as error:  # whatever a planner raises is its failure, not ours
            failures.append(error)

    # A thread that never ends cannot hold the program: it is abandoned, and nothing it returns is used.
    thread = threading.Thread(target=work, name="planner", daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        turn.end()
    if thread.is_alive():
        raise PlannerError(f"the planner did not answer within {seconds:g} seconds")
    if failures:
        error = failures[0]
        if isinstance(error, (PlannerError, GateError)):
            raise error
        raise PlannerError(f"the planner failed ({type(error).__name__})") from None
    if type(answers[0]) is not bytes:
        raise PlannerError("the planner answered with something that is not bytes")
    if len(answers[0]) > MAX_ANSWER:
        raise PlannerError("the planner's answer is too large")
    return answers[0]


class _Turn:
    """A witness for one turn alone: a planner that was abandoned can send nothing further."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._lock = threading.Lock()
        self._over = False

    def record(self, data: bytes, origin: str, skill: str) -> None:
        """Record it while the turn lasts."""
        with self._lock:
            if self._over:
                raise PlannerError("the turn is over: nothing further is sent")
            self._witness(data, origin, skill)

    def end(self) -> None:
        """From now on nothing is recorded, so nothing is sent."""
        with self._lock:
            self._over = True
