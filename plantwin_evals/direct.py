"""Steps as calls in this process: the same functions on the same files as a worker runs, without starting one.

For the tasks' own files alone. Where many settings are compared, it is what steps find that counts, and every worker
would load the same libraries anew; what starts other programs is left to workers.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Sequence
from typing import Any

import msgspec

from plantwin.boundary.execution import Executed
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.detect.compiled import _folder
from plantwin.session_context import SessionContext
from plantwin.types.capability import Capability


def called(context: SessionContext, capability: Capability, inputs: Sequence[str]) -> tuple[Executed, Any, str] | None:
    """What a step came to, its result, and no error; None where a worker has to do it."""
    job = job_of(context, capability, inputs)
    if job is None:
        return None
    try:
        result = function(capability.name.value)(job)
    except Exception:  # whatever it is, a worker would report it as its failure
        return None
    return Executed(raw=result.outcome), result, ""


def job_of(context: SessionContext, capability: Capability, inputs: Sequence[str]) -> Job | None:
    """What the worker of a step is given, with the files themselves; none where other programs are started."""
    if capability.own or capability.programs or capability.project:
        return None
    executor: Any = context.executor
    given = []
    for each in inputs:
        record = context.selected.records.get(each)
        if record is None:
            if each not in executor.results:
                return None
            plain = msgspec.to_builtins(executor.results[each])
            given.append(Input(name=each, result=plain, capability=executor._capabilities[each]))
        else:
            place = str(executor._root / record.path)
            given.append(
                Input(
                    name=record.path, part=record.part, kind=record.kind,
                    semantic_class=record.semantic_class, file=place,
                )
            )  # fmt: skip
    options: dict[str, object] = {"rules": str(_folder()), "tools": sysconfig.get_path("scripts")}
    surroundings = executor._around(capability, inputs)
    return Job(capability=capability.name.value, inputs=tuple(given), options=options, surroundings=surroundings)
