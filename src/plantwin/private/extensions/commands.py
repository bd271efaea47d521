"""Capabilities of the person's own, inside the worker: Python functions, and command lines whose inputs are paths."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.execution.protocol import Extension
from plantwin.private.extensions.declaration import MARK
from plantwin.private.extensions.tables import LINE
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus

ORDER = tuple(severity.value for severity in Severity)
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
    worst = max((ORDER.index(finding.severity) for finding in findings if finding.severity in ORDER), default=0)
    number = len(findings)
    outcome: dict[str, object] = {
        "status": "done",
        "severity": ORDER[worst],
        "count": "none" if not number else "one" if number == 1 else "few" if number < 10 else "many",
        "tags": list(dict.fromkeys(finding.tag for finding in findings if finding.tag)),
    }
    listed = sorted(findings, key=lambda finding: -ORDER.index(finding.severity) if finding.severity in ORDER else 0)[
        :MOST
    ]
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
    found = [getattr(function_, MARK) for function_ in _marked(_loaded(extension))]
    return Result(outcome={"status": "done"}, facts={"declared": found[:MOST_DECLARED]})


def call(extension: Extension, job: Job) -> Result:
    """Call the function of this name with the job's inputs."""
    run = next(
        function_ for function_ in _marked(_loaded(extension)) if getattr(function_, MARK)["name"] == extension.own
    )
    given = [source.result if source.is_result else Path(source.file) for source in job.inputs]
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
    found = [var for var in vars(module).values() if isinstance(getattr(var, MARK, None), dict)]
    return list({id(finding): finding for finding in found}.values())


def _result(returned: object, job: Job) -> Result:
    """A result from a dict: what it leaves out follows from its findings."""
    if not isinstance(returned, dict):
        raise TypeError("neither a dict nor a result")
    name = job.inputs[0].label if job.inputs else ""
    labels = {given.file: given.label for given in job.inputs if given.file}
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
            return lambda job: run(extension, job)


OUTPUT = 4 << 20
"""Bytes of output that are looked at."""
INPUT = "{input}"
SEVERITIES = {
    "error": "high", "fatal": "critical", "critical": "critical", "high": "high", "warning": "medium", "warn": "medium",
    "medium": "medium", "w": "medium", "e": "high", "note": "low", "info": "low", "low": "low", "style": "low",
    "convention": "low", "refactor": "low", "c": "low", "i": "low", "hint": "low",
}  # fmt: skip
"""What tools commonly say for severity."""
_NUMBER = re.compile(r"\d{1,9}")


def run(extension: Extension, job: Job) -> Result:
    """Run the command once for all inputs, and read its exit code and output."""
    places = [_named(given, number) for number, given in enumerate(job.inputs)]
    words = [word for part in extension.command for word in (places if part == INPUT else [part])]
    try:
        code, output, whole = _ran(words)
    except FileNotFoundError:
        return concluded([], {"status": "failed", "tags": ["tool_missing"]}, text="The program is not there.")
    except OSError:
        return concluded([], {"status": "failed"}, text="The program cannot be started.")
    labels = {place: source.label for place, source in zip(places, job.inputs, strict=True)}
    findings = _findings(extension, output, labels)
    told = _told(extension, code, findings)
    if not whole and told.get("status", "done") == "done":
        told["status"] = "partial"
    tool = Path(extension.command[0]).name
    shown = output[:4000].decode("utf-8", "replace").replace("```", "'''")
    text = "" if findings else f"`{tool}` ended with {code}.\n\n```\n{shown}\n```"
    return concluded(findings, told, title=tool, text=text, facts={"tool": tool, "exit": code})


def _named(given: Input, number: int) -> str:
    """A path that keeps the file's ending, by which many tools tell formats apart."""
    suffix = Path(given.name).suffix
    ending = suffix if re.fullmatch(r"\.\w{1,12}", suffix) else ""
    place = Path(os.environ.get("TMPDIR", "/tmp")) / f"input{number}{ending}"  # noqa: S108 (the worker's own)
    place.unlink(missing_ok=True)
    place.symlink_to(given.file)
    return str(place)


def _ran(words: list[str]) -> tuple[int, bytes, bool]:
    """Exit code, what it printed, and whether that is all of it."""
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, close_fds=True
    ) as process:
        if process.stdout is None:
            raise OSError("no output")
        output = process.stdout.read(OUTPUT)
        whole = True
        while rest := process.stdout.read(1 << 16):
            whole = whole and not rest
        return process.wait(), output, whole


def _findings(extension: Extension, output: bytes, labels: dict[str, str]) -> list[Finding]:
    if not extension.pattern:
        return []
    pattern = re.compile(extension.pattern)
    first = next(iter(labels.values()), "")
    words = SEVERITIES | extension.severities
    found = []
    for line in output.decode("utf-8", "replace").splitlines():
        match = pattern.search(line[:LINE])
        if match is None:
            continue
        groups = match.groupdict()
        number = _NUMBER.fullmatch(groups.get("line") or "")
        said = (groups.get("severity") or "").strip().lower()
        found.append(
            Finding(
                name=labels.get(groups.get("file") or "", first),
                line=int(number[0]) if number else 0,
                severity=words.get(said, extension.severity),
                tag=extension.tag,
                message=(groups["message"] or "").strip()[:500],
            )
        )
    return found


def _told(extension: Extension, code: int, findings: list[Finding]) -> dict[str, object]:
    """What the exit code says, in words of the outcome: a status, a severity, tags."""
    words = extension.exits.get(str(code))
    if words is None:
        words = ("done",) if code == 0 or findings else ("failed",)
    told: dict[str, object] = {}
    tags = [word for word in words if word in OutcomeTag._value2member_map_]
    for word in words:
        if word in StepStatus._value2member_map_:
            told["status"] = word
        elif word in Severity._value2member_map_:
            told["severity"] = word
    if tags:
        told["tags"] = list(dict.fromkeys([*(finding.tag for finding in findings if finding.tag), *tags]))
    return told
