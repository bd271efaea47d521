"""Steps as calls in this process: the same functions on the same files as a worker runs, without starting one.

For the tasks' own files alone. Where many settings are compared, it is what steps find that counts, and every worker
would load the same libraries anew; what starts other programs, compares pairs or joins many files is left to workers.
What a worker answered is kept for the whole run: the same call on the same files is made once.
"""

from __future__ import annotations

import hashlib
import os
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.run_tests.selection import select_tests
from plantwin.private.detect.compiled import _folder
from plantwin.private.execution.calls import Called, Calls
from plantwin.private.execution.merging import Merger
from plantwin.private.execution.over_sets import Task
from plantwin.private.facts import Record
from plantwin.session_context import SessionContext
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed
from plantwin.types.plan import StepInput, several_like
from plantwin.vocabulary import CapabilityName, WorksOn

Permitted = Callable[[Record], bool]


def called(context: SessionContext, task: Task) -> Executed | None:
    """Carry a step out, and keep its result in the executor; None where workers have to do it."""
    executor: Any = context.executor
    step, capability, inputs = task.step, task.capability, task.inputs
    try:
        if any(map(several_like, inputs)):
            return _over_members(executor, task)
        job = job_of(context, capability, inputs)
        if job is None:
            return None
        result = function(capability.name.value)(job)
    except Exception:  # whatever it is, a worker would report it as its failure
        return None
    executor.keep(step, capability, result)
    return Executed(raw=result.outcome)


def _over_members(executor: Any, task: Task) -> Executed | None:
    """A step that examines every member by itself."""
    step, capability, inputs = task.step, task.capability, task.inputs
    joins = any(isinstance(name, str) and name in executor.results for name in inputs)
    if task.absent or _starts_programs(capability) or capability.works_on is not WorksOn.EACH or joins:
        return None
    given = executor.resolve(inputs)
    merger, work = Merger(capability, given), function(capability.name.value)
    for number, record in enumerate(executor._chosen(task, given, merger)):
        merger.add(number, [record], work(_job(executor, capability, [_input(executor, record)], [record])))
    merged: Executed = executor._merged(step, capability, merger)
    return merged


def job_of(context: SessionContext, capability: Capability, inputs: Sequence[StepInput]) -> Job | None:
    """What the worker of a step on single objects and results is given, with the files themselves.

    None where other programs are started, and for a step over sets, which has many workers.
    """
    executor: Any = context.executor
    if _starts_programs(capability) or any(map(several_like, inputs)):
        return None
    names = [name for name in inputs if isinstance(name, str)]
    given = []
    for name in names:
        record = context.selected.records.get(name)
        if record is not None:
            given.append(_input(executor, record))
        elif name in executor.results:
            plain = msgspec.to_builtins(executor.results[name])
            given.append(Input(name=name, result=plain, capability=executor._capabilities[name]))
        else:
            return None
    return _job(executor, capability, given, executor._named(names))


@cache
def _tools() -> str:
    return sysconfig.get_path("scripts")


def _starts_programs(capability: Capability) -> bool:
    return bool(capability.own or capability.programs or capability.project)


def _input(executor: Any, record: Record) -> Input:
    return Input(
        name=record.path,
        part=record.part,
        kind=record.kind,
        semantic_class=record.semantic_class,
        file=str(executor._root / record.path),
    )


def _job(executor: Any, capability: Capability, given: Sequence[Input], inputs: Sequence[str | Record]) -> Job:
    options: dict[str, object] = {"rules": str(_folder()), "tools": _tools()}
    around = executor.calls.around(capability, inputs)
    return Job(capability=capability.name.value, inputs=tuple(given), options=options, surroundings=around)


class KeptCalls:
    """Calls of workers, each made once: what it answered lies in a folder that all processes of a run share."""

    def __init__(self, inner: Calls, root: Path, folder: Path) -> None:
        """`root`: the files that are worked on, the same wherever they lie."""
        self._inner, self._root, self._folder = inner, root, folder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def call(
        self,
        capability: Capability,
        inputs: Sequence[Record | Input | str],
        prepared: str,
        options: Mapping[str, object],
        seconds: float,
    ) -> Called:
        """As an earlier call answered, else for real. Failures are not kept."""
        meaning = self._meaning(capability, inputs, options)
        file = self._folder / hashlib.sha256(meaning).hexdigest()
        if file.is_file():
            return Called(result=msgspec.msgpack.decode(file.read_bytes(), type=Result))
        called = self._inner.call(capability, inputs, prepared, options, seconds)
        if called.result is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            whole = file.with_suffix(f".{os.getpid()}")
            whole.write_bytes(msgspec.msgpack.encode(called.result))
            whole.replace(file)
        return called

    def _meaning(
        self, capability: Capability, inputs: Sequence[Record | Input | str], options: Mapping[str, object]
    ) -> bytes:
        """What the answer depends on: of a run of tests, which tests they are and what they cannot see."""
        given = [_named(one) if isinstance(one, Record) else one for one in inputs]
        around = self._inner.around(capability, [one for one in inputs if isinstance(one, (Record, str))])
        if capability.name is not CapabilityName.RUN_TESTS:
            return msgspec.json.encode([capability.word, given, options, around], enc_hook=str)
        named = [one for one in given if isinstance(one, Input)]
        job = Job(capability=capability.word, inputs=tuple(named), surroundings=around, folder=str(self._root))
        chosen = select_tests(job)
        hidden = self._inner.surveyed().covers
        return msgspec.json.encode([capability.word, sorted(chosen.files), sorted(chosen.reasons.items()), hidden])


def _named(record: Record) -> Input:
    return Input(name=record.path, part=record.part, kind=record.kind, semantic_class=record.semantic_class)
