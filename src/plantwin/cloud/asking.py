"""Asking a planner with a time limit: one that hangs, dies or floods ends the turn, not the program."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from plantwin.boundary.release import Released
from plantwin.cloud.planner import Planner, Witness, Witnessed, unwitnessed
from plantwin.errors import GateError, PlannerError

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
