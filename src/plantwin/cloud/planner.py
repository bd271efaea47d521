"""The seam to a planner: an interface, and the checks that all implementations share.

A planner is a class with one method, `plan`. One that sends bytes of its own making around the envelopes (a prompt,
an HTTP body, a program's input) is also `Witnessed`: it hands exactly those bytes to its witness first, and sends
nothing when the witness raises.

What planners have been used for (requests, tokens, costs, and what each endpoint can do) is kept in one small JSON file
of the state folder, written whole under a lock. It holds names of planners and numbers, never a goal, an answer or a
key. Losing it costs nothing but the counts, so a damaged one is begun anew.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from plantwin.boundary.release import Released
from plantwin.config.planners import Price
from plantwin.errors import GateError, PlannerError, WireError
from plantwin.statefiles import open_own

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


REMEMBERED: Final = 7 * 86400.0
"""Seconds for which it is remembered that an endpoint cannot do a form: servers are updated."""
MILLION: Final = 1_000_000
LIMIT: Final = 1 << 20


class Use(NamedTuple):
    """What one planner has been used for so far."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    """By the person's own prices; what had no price when it was used is not in it."""

    def plus(self, read: int, written: int, price: Price | None) -> Use:
        """One more request."""
        cost = (read * price.input + written * price.output) / MILLION if price else 0.0
        return Use(self.requests + 1, self.input_tokens + read, self.output_tokens + written, self.cost + cost)


class Uses:
    """The file; without a folder it remembers nothing."""

    def __init__(self, folder: Path | None, prices: Mapping[str, Price] | None = None) -> None:
        self._path = folder / "use.json" if folder is not None else None
        self._prices = prices or {}

    def price(self, name: str, model: str) -> Price | None:
        """The person's price for a planner, by its name or its model's."""
        return self._prices.get(name) or self._prices.get(model)

    def add(self, name: str, model: str, read: int, written: int) -> None:
        """Count a request that was answered."""

        def change(tree: dict[str, Any]) -> None:
            planners = tree.setdefault("planners", {})
            planners[name] = _use(planners.get(name)).plus(read, written, self.price(name, model))

        self._change(change)

    def all(self) -> dict[str, Use]:
        """By the planner's name."""
        planners = self._read().get("planners", {})
        return {str(name): _use(planner) for name, planner in planners.items()} if isinstance(planners, dict) else {}

    def form(self, endpoint: str) -> str | None:
        """The form that was last found to work at an endpoint."""
        row = _table(self._read().get("forms")).get(endpoint)
        fresh = isinstance(row, list) and len(row) == 2 and isinstance(row[1], (int, float))
        return str(row[0]) if isinstance(row, list) and fresh and time.time() - row[1] < REMEMBERED else None

    def remember(self, endpoint: str, form: str) -> None:
        """Remember the form that works at an endpoint."""

        def change(tree: dict[str, Any]) -> None:
            tree["forms"] = {**_table(tree.get("forms")), endpoint: [form, time.time()]}

        self._change(change)

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            with os.fdopen(open_own(self._path, os.O_RDONLY), "rb") as file:
                tree = json.loads(file.read(LIMIT))
        except (OSError, ValueError, RecursionError):
            return {}
        return tree if isinstance(tree, dict) else {}

    def _change(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Read, change and write under a lock. That a count cannot be kept never stops a session."""
        if self._path is None:
            return
        with suppress(OSError):
            handle = open_own(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                tree = self._read()
                tree["planners"] = {name: list(_use(value)) for name, value in _table(tree.get("planners")).items()}
                change(tree)
                draft = self._path.with_suffix(".new")
                with os.fdopen(open_own(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "w") as file:
                    json.dump(tree, file)
                draft.replace(self._path)
            finally:
                os.close(handle)


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _use(row: Any) -> Use:
    """A row of the file, as far as it is one."""
    sound = isinstance(row, (list, tuple)) and len(row) == 4
    if not sound or not all(type(cell) in (int, float) and 0 <= cell < 1 << 62 for cell in row):
        return Use()
    return Use(int(row[0]), int(row[1]), int(row[2]), float(row[3]))
