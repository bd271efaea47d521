"""The worker's side: the function that carries an extension out. Nothing of it runs outside a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.extensions.declaration import MARK, Extension
from plantwin.vocabulary import Severity

ORDER = tuple(each.value for each in Severity)
MOST = 500
"""Findings that are listed; more are counted."""


def concluded(
    findings: Sequence[Finding],
    told: Mapping[str, object] | None = None,
    *,
    title: str = "",
    text: str = "",
    facts: dict[str, object] | None = None,
) -> Result:
    """The result of these findings. `told`: what the tool itself said of the outcome."""
    worst = max((ORDER.index(each.severity) for each in findings if each.severity in ORDER), default=0)
    number = len(findings)
    outcome: dict[str, object] = {
        "status": "done",
        "severity": ORDER[worst],
        "count": "none" if not number else "one" if number == 1 else "few" if number < 10 else "many",
        "tags": list(dict.fromkeys(each.tag for each in findings if each.tag)),
    }
    listed = sorted(findings, key=lambda each: -ORDER.index(each.severity) if each.severity in ORDER else 0)[:MOST]
    more = {"findings_in_all": number} if number > MOST else {}
    return Result(
        outcome=outcome | dict(told or {}),
        title=title,
        findings=list(listed),
        facts={**(facts or {}), **more},
        text=text,
    )


MOST_DECLARED = 64
"""Functions that one module may declare."""


def declarations(extension: Extension) -> Result:
    """What a module declares, as plain values in `facts`."""
    found = [getattr(each, MARK) for each in _marked(_loaded(extension))]
    return Result(outcome={"status": "done"}, facts={"declared": found[:MOST_DECLARED]})


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


def function(extension: Extension) -> Callable[[Job], Result]:
    """What carries this extension out."""
    match extension.sort:
        case "declare":
            return lambda job: declarations(extension)
        case "function":
            return lambda job: call(extension, job)
        case "command":
            from plantwin.private.extensions.commands import run

            return lambda job: run(extension, job)
        case "tool":
            from plantwin.private.extensions.tools import use

            return lambda job: use(extension, job)
