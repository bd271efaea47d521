"""Steps as calls in this process: the same functions on the same files as a worker runs, without starting one.

For the tasks' own files alone. Where many settings are compared, it is what steps find that counts, and every worker
would load the same libraries anew; what starts other programs, compares pairs or joins many files is left to workers.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.detect.compiled import _folder
from plantwin.private.execution.merging import Merger
from plantwin.private.execution.over_sets import Task
from plantwin.private.facts import Record
from plantwin.session_context import SessionContext
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed
from plantwin.types.plan import StepInput, several_like
from plantwin.vocabulary import WorksOn

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
    options: dict[str, object] = {"rules": str(_folder()), "tools": sysconfig.get_path("scripts")}
    around = executor.calls.around(capability, inputs)
    return Job(capability=capability.name.value, inputs=tuple(given), options=options, surroundings=around)
