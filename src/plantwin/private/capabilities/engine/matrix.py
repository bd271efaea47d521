"""Every capability on every kind of object of a folder, in the real sandbox: what works, what does not, how long."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities.engine.grain import measured
from plantwin.private.execution import SandboxExecutor
from plantwin.private.records import Record
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.vocabulary import Kind, ResultType, SemanticClass, member

RESULTS = "results"
"""The column for results of earlier steps."""
COLUMNS = (*(kind.value for kind in Kind), RESULTS)
WORDS = ("ok", "partial", "failed")


class Call(NamedTuple):
    """One call: what it was on, and what became of it."""

    capability: str
    column: str
    inputs: tuple[str, ...]
    word: str
    """`ok`, `partial`, `failed`: it said so itself; else how the worker ended."""
    dropped: tuple[str, ...]
    """What its outcome held that is outside of the vocabulary: must be empty."""
    cost: int
    seconds: float


class Matrix(NamedTuple):
    """Every call, and what each capability accepts."""

    calls: tuple[Call, ...]
    accepted: Mapping[str, frozenset[str]]
    """Columns that each capability accepts at all, whether the folder has such objects or not."""

    def cell(self, capability: str, column: str) -> str:
        """`ok 3`, `partial 1`; `none here` where nothing fits; `·` where it is not accepted."""
        if column not in self.accepted[capability]:
            return "·"
        words = [call.word for call in self.calls if (call.capability, call.column) == (capability, column)]
        return ", ".join(f"{word} {number}" for word, number in Counter(words).most_common()) or "none here"

    @property
    def broken(self) -> tuple[Call, ...]:
        """Calls that crashed, hung, or said what is outside of the vocabulary."""
        return tuple(call for call in self.calls if call.word not in WORDS or call.dropped)

    def grain(self, capability: str) -> float | None:
        """What a call told on average, in thousandths."""
        costs = [call.cost for call in self.calls if call.capability == capability]
        return sum(costs) / len(costs) if costs else None


def run(
    executor: SandboxExecutor,
    objects: Mapping[str, Record],
    catalog: Catalog,
    *,
    each: int,
    progress: Callable[[int, int | None, str], None] = lambda done, total, phase: None,
) -> Matrix:
    """Make at most `each` calls for every capability and kind, on objects chosen by a hash of their names."""
    chosen = [capability for capability in catalog.values() if capability.name not in TELLING]
    planned = [(capability, *call) for capability in chosen for call in _inputs(capability, objects, each)]
    given: dict[ResultType, list[str]] = {}
    calls: list[Call] = []
    executor.expect(capability for capability, _, _ in planned)
    for number, (capability, column, inputs) in enumerate(planned):
        progress(number, len(planned), capability.word)
        step = f"m{number}"
        call = _call(executor, step, capability, column, inputs)
        calls.append(call)
        if call.word in ("ok", "partial"):
            given.setdefault(capability.returns, []).append(step)
    for position, capability in enumerate(capability for capability in chosen if capability.takes):
        progress(position, None, capability.word)
        for steps in _results(capability, given, each):
            step = f"r{len(calls)}"
            calls.append(_call(executor, step, capability, RESULTS, steps))
    executor.close()
    return Matrix(tuple(calls), {capability.word: _accepted(capability) for capability in chosen})


def _accepted(capability: Capability) -> frozenset[str]:
    return frozenset((*(kind.value for kind in capability.kinds), *((RESULTS,) if capability.takes else ())))


def _inputs(capability: Capability, objects: Mapping[str, Record], most: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield inputs by kind: neighbours in a fixed, arbitrary order."""
    ordered = sorted(objects, key=lambda id_: hashlib.sha256(objects[id_].path.encode("utf-8", "replace")).digest())
    for kind in Kind:
        fitting = [
            id_
            for id_ in ordered
            if objects[id_].kind == kind
            and capability.accepts(kind, member(SemanticClass, objects[id_].semantic_class))
        ]
        size = max(1, capability.least)
        for start in range(min(most, len(fitting) - size + 1)):
            yield kind.value, tuple(fitting[start : start + size])


def _results(capability: Capability, given: Mapping[ResultType, list[str]], most: int) -> Iterator[tuple[str, ...]]:
    """Yield results of one type together, so many as it needs."""
    size = max(1, capability.least)
    for type_ in sorted(capability.takes):
        steps = given.get(type_, [])
        for start in range(min(most, len(steps) - size + 1)):
            yield tuple(steps[start : start + size])


def _call(executor: SandboxExecutor, step: str, capability: Capability, column: str, inputs: Sequence[str]) -> Call:
    began = time.perf_counter()
    done = executor.execute(step, capability, inputs)
    seconds = time.perf_counter() - began
    if done.failure is not None:
        return Call(capability.word, column, tuple(inputs), done.failure.value, (), 0, seconds)
    told = sanitize(done.raw, capability)
    word = {"done": "ok"}.get(told.outcome.status.value, told.outcome.status.value)
    return Call(capability.word, column, tuple(inputs), word, told.dropped, measured(told.outcome), seconds)
