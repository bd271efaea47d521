"""Python functions as capabilities, inside the worker: loaded, asked what they declare, called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.extensions.declared import MARK
from plantwin.private.extensions.form import Extension
from plantwin.private.extensions.results import concluded

MOST = 64
"""Functions that one module may declare."""


def declarations(extension: Extension) -> Result:
    """What a module declares, as plain values in `facts`."""
    found = [getattr(each, MARK) for each in _marked(_loaded(extension))]
    return Result(outcome={"status": "done"}, facts={"declared": found[:MOST]})


def call(extension: Extension, job: Job) -> Result:
    """Call the function of this name with the job's inputs."""
    run = next(each for each in _marked(_loaded(extension)) if getattr(each, MARK)["name"] == extension.own)
    given = [each.result if each.is_result else Path(each.file) for each in job.inputs]
    returned = run(*given)
    return returned if isinstance(returned, Result) else _result(returned, job)


def _loaded(extension: Extension) -> ModuleType:
    if not extension.file:
        return import_module(extension.module)
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("plantwin_own", extension.file)
    if spec is None or spec.loader is None:
        raise ImportError("not a Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _marked(module: ModuleType) -> list[Callable[..., Any]]:
    """Functions of the module that are declared, each once."""
    found = [each for each in vars(module).values() if isinstance(getattr(each, MARK, None), dict)]
    return list({id(each): each for each in found}.values())


def _result(returned: object, job: Job) -> Result:
    """A result from a dict: what it leaves out follows from its findings."""
    if not isinstance(returned, dict):
        raise TypeError("neither a dict nor a result")
    name = job.inputs[0].label if job.inputs else ""
    labels = {each.file: each.label for each in job.inputs if each.file}
    rows = [
        {"name": name, "severity": "medium", "tag": "", "message": "", **row} for row in returned.get("findings", ())
    ]
    for row in rows:
        row["name"] = labels.get(str(row["name"]), str(row["name"]))
    findings = msgspec.convert(rows, list[Finding])
    told = {key: returned[key] for key in ("status", "severity", "count", "tags") if key in returned}
    return concluded(
        findings,
        told,
        title=str(returned.get("title", "")),
        text=str(returned.get("text", "")),
        facts=dict(returned.get("facts", {})),
    )
