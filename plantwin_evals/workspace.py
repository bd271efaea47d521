"""A workspace for evaluations: every approval is given, and a step that was carried out once is not run again.

The same capability on the same files of an unchanged workspace gives the same result, so what one attempt ran serves
all others. Prices, gates and budgets are those of a session.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plantwin.boundary.approval import Answer, Question
from plantwin.boundary.execution import Executed
from plantwin.boundary.identity import Issuer
from plantwin.boundary.local_object import LocalObject
from plantwin.config.settings import Settings
from plantwin.private.environment import Scan
from plantwin.private.project import build
from plantwin.private.records import Record
from plantwin.run import Run
from plantwin.session_context import SessionContext
from plantwin.types.capability import Capability
from plantwin.types.twin import TwinEdge
from plantwin.workspace import Workspace
from plantwin_evals.direct import called

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner

Done = tuple[Executed, Any, str]
Memory = dict[tuple[Any, ...], Done]
Call = Callable[[Capability, Sequence[str]], Done | None]
"""Carries a step out in this process; None where it cannot."""
Change = Callable[[Record], Record]


class Consent:
    """Approves everything: approvals are not what is measured."""

    manner = "evaluation"

    def ask(self, question: Question) -> Answer:
        """Yes, to exactly this."""
        return Answer(question.digest, True)


class Remembering:
    """An executor that runs each combination of capability and real inputs once."""

    def __init__(self, inner: Any, names: dict[str, tuple[str, str]], memory: Memory, call: Call | None = None) -> None:
        self._inner = inner
        self._call = call
        self._names = names
        self._memory = memory
        self._meaning: dict[str, tuple[Any, ...]] = {}
        self._recipes: dict[str, tuple[Capability, tuple[Any, ...], Done]] = {}
        self.results: dict[str, Any] = {}
        self.errors: dict[str, str] = {}
        self.ran = 0
        """Steps that were really carried out."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def expect(self, capabilities: Iterable[Capability]) -> None:
        """Start nothing ahead: most steps need no worker."""

    def forget(self) -> None:
        """Forget the steps of the last plan."""
        self._inner.forget()
        self._meaning.clear()
        self.results.clear()
        self.errors.clear()

    def again(self, step: str, recipe: str) -> None:
        """Take what an earlier step with this recipe gave for this one's."""
        self._kept(step, *self._recipes[recipe])

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[str], *, recipe: str = "", prepared: str = ""
    ) -> Executed:
        """As it went before, else for real."""
        meaning = (capability.word, *(self._meaning.get(each) or self._names.get(each) or (each,) for each in inputs))
        found = self._memory.get(meaning)
        if found is None:
            found = self._run(step, capability, inputs)
            self._memory[meaning] = found
        self._recipes[recipe] = capability, meaning, found
        self._kept(step, *self._recipes[recipe])
        return found[0]

    def _kept(self, step: str, capability: Capability, meaning: tuple[Any, ...], found: Done) -> None:
        self._meaning[step] = meaning
        _, result, error = found
        if result is not None:
            self.results[step] = result
            self._inner.keep(step, capability, result)
        elif error:
            self.errors[step] = error

    def _run(self, step: str, capability: Capability, inputs: Sequence[str]) -> Done:
        self.ran += 1
        if self._call is not None and (called := self._call(capability, inputs)) is not None:
            return called
        executed = self._inner.execute(step, capability, inputs)
        return executed, self._inner.results.get(step), self._inner.errors.get(step, "")


class EvaluationWorkspace(Workspace):
    """One workspace for one attempt, or for a sequence that shares a ledger."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        state: Path,
        memory: Memory,
        change: Change | None = None,
        direct: bool = False,
    ) -> None:
        """`direct`: steps are calls in this process, where that is possible."""
        super().__init__(root, settings=settings, state=state, approver=Consent(), jobs=1)
        self._memory = memory
        self._direct = direct
        self.bodies: list[bytes] = []
        """Every byte that a planner was sent beside envelopes: prompts, as its witness saw them."""
        if change is not None:
            self.environment = _Altered(self.environment, change)  # type: ignore[assignment]

    def open_session(
        self, goal: str, planner: Planner, made: Run, only: Collection[tuple[str, str]] | None = None
    ) -> SessionContext:
        """As a workspace's, with an executor that remembers."""
        context = super().open_session(goal, planner, made, only)
        call = partial(called, context) if self._direct else None
        context.executor = Remembering(context.executor, self.names, self._memory, call)  # type: ignore[assignment]
        context.gatekeeper = context.gate(context.executor)
        recorded = context.release.payload

        def payload(data: bytes, origin: str, skill: str) -> None:
            recorded(data, origin, skill)
            self.bodies.append(data)

        context.release.payload = payload  # type: ignore[method-assign]
        return context

    def everything(self, most: int) -> list[LocalObject]:
        """Objects of the folder with their ledger keys and edges: those that were shown, and others at random."""
        scan = self.environment.scan(jobs=1)
        shown = set(self.names.values())
        records = sorted(scan.records(), key=lambda each: each.number)
        random.Random(20).shuffle(records)  # noqa: S311 - a sample, the same each time
        records = sorted(records, key=lambda each: (each.path, each.part) not in shown)[:most]
        keys = self.keys(scan, records)
        made = build(list(records), tuple(scan.relations()), Issuer())
        edges: dict[str, list[TwinEdge]] = {}
        for edge in made.twin.edges:
            edges.setdefault(edge.source, []).append(edge)
        return [
            LocalObject(
                object=each,
                key=keys[made.objects[each.object_id].number].key,
                edges=tuple(edges.get(each.object_id, ())),
                version=keys[made.objects[each.object_id].number].version,
            )
            for each in made.twin.objects
        ]


class _Altered:
    """An environment whose objects are changed on the way: for leaving stages of the projection out."""

    def __init__(self, inner: Any, change: Change) -> None:
        self._inner = inner
        self._change = change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def scan(self, **options: Any) -> Any:
        """The same scan with other objects."""
        return _AlteredScan(self._inner.scan(**options), self._change)


class _AlteredScan:
    def __init__(self, inner: Scan, change: Change) -> None:
        self._inner = inner
        self._change = change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def records(self) -> Iterator[Record]:
        """Every object, changed."""
        return map(self._change, self._inner.records())
