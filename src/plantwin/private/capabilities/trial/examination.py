"""One trial: choose tests, copy the folder, run them, and follow failures to modules."""

# ruff: noqa: E501 (one row of a table, one line)

from __future__ import annotations

import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

from plantwin.private.capabilities.common.report import bucket, code, failed, findings_text, ordered, plain
from plantwin.private.capabilities.common.secrets import detector_of, secrets
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.trial import others, python
from plantwin.private.capabilities.trial.case import ERROR, FAILED, PASSED, SKIPPED, Case, Ran
from plantwin.private.capabilities.trial.choice import Chosen, chosen, is_test
from plantwin.private.capabilities.trial.copying import Copied, copy
from plantwin.private.capabilities.trial.program import Clock
from plantwin.private.redact.masking import HIDDEN
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, Severity, StepStatus

TITLE = "Tests"
LISTED = 200
SLOW = 8
Runner = Callable[[str, tuple[str, ...], str, Clock], Ran]
_RUNNERS: dict[str, tuple[str, Runner]] = {
    "py": ("python", python.tests),
    "js": ("javascript", others.javascript),
    "mjs": ("javascript", others.javascript),
    "cjs": ("javascript", others.javascript),
    "ts": ("javascript", others.javascript),
    "tsx": ("javascript", others.javascript),
    "jsx": ("javascript", others.javascript),
    "go": ("go", others.golang),
    "rs": ("rust", others.rust),
}
_NEEDS = {
    "java": "a build tool for Java",
    "kt": "a build tool for Kotlin",
    "scala": "sbt",
    "cs": "dotnet",
    "rb": "ruby",
    "php": "php",
}


def examine(job: Job) -> Result:
    """The result of running the tests of the inputs."""
    if not job.folder:
        return failed(TITLE, "The folder is not at hand, so that its tests cannot run.", [OutcomeTag.TOOL_MISSING])
    if os.access(job.folder, os.W_OK):
        return failed(
            TITLE,
            "Tests run only where the folder cannot be written: this needs the sandbox.",
            [OutcomeTag.TOOL_MISSING],
        )
    clock = Clock()
    picked = chosen(job)
    if not picked.files:
        return _none(job, picked)
    with tempfile.TemporaryDirectory(prefix="trial-", ignore_cleanup_errors=True) as scratch:
        there = f"{scratch}/folder"
        made = copy(job.folder, there)
        runs = [_run(there, group, files, scratch, clock) for group, files in sorted(_groups(picked.files).items())]
    return _result(job, picked, made, runs)


def _groups(files: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for each in files:
        found[_RUNNERS.get(each.rpartition(".")[2], (f"?{each.rpartition('.')[2]}", None))[0]].append(each)
    return {group: tuple(members) for group, members in found.items()}


def _run(there: str, group: str, files: tuple[str, ...], scratch: str, clock: Clock) -> Ran:
    ending = files[0].rpartition(".")[2]
    if group.startswith("?"):
        return Ran(ending, files, lacking=_NEEDS.get(ending, f"a runner for .{ending}"))
    if clock.left < 1:
        return Ran(group, files, late=True, note="there was no time left")
    own = f"{scratch}/{group}"
    Path(own).mkdir()
    return _RUNNERS[ending][1](there, files, own, clock)


def _none(job: Job, picked: Chosen) -> Result:
    names = ", ".join(code(each) for each in picked.ways) or "the inputs"
    found = [
        Finding(name=name, severity=Severity.MEDIUM.value, tag=OutcomeTag.NO_TESTS.value, message="No test was found for it",
                hint="Write one.")
        for name in picked.ways
    ]  # fmt: skip
    told = {"status": StepStatus.DONE.value, "count": str(bucket(0)), "tags": [OutcomeTag.NO_TESTS.value]}
    return Result(
        outcome=told,
        title=TITLE,
        findings=found,
        facts={"tests": [], "objects": []},
        text=f"No test was found for {names}.\n",
    )


def _result(job: Job, picked: Chosen, made: Copied, runs: list[Ran]) -> Result:
    cases = [each for ran in runs for each in ran.cases]
    # What could not be loaded for want of a package has not failed: it has not run.
    lacking = sorted({each.missing for each in cases if each.missing})
    counted = [each for each in cases if not each.missing]
    bad = [each for each in counted if each.outcome in (FAILED, ERROR)]
    unable = [ran for ran in runs if ran.lacking]
    broken = [ran for ran in runs if not ran.cases and not ran.lacking and ran.note]
    late = any(ran.late for ran in runs) or not picked.whole
    findings = ordered([_finding(job, each) for each in bad[:LISTED]] + _wants(runs, lacking, cases))
    tags = [OutcomeTag.TRUNCATED] if late else []
    if bad:
        tags.append(OutcomeTag.TESTS_FAIL)
    elif any(each.outcome == PASSED for each in counted):
        tags.append(OutcomeTag.TESTS_PASS)
    elif not unable and not lacking and not broken and not late:
        tags.append(OutcomeTag.NO_TESTS)
    if unable or lacking or broken:
        tags.append(OutcomeTag.TOOL_MISSING)
    status = StepStatus.DONE
    if late or unable or lacking or broken:
        status = StepStatus.PARTIAL if counted else StepStatus.FAILED
    modules = _modules(bad)
    told = {
        "status": status.value,
        "severity": (Severity.HIGH if bad else Severity.NONE).value,
        "count": str(bucket(len(bad))),
        "tags": [tag.value for tag in tags][:MAX_OUTCOME_TAGS],
    }
    return Result(
        outcome=told,
        title=TITLE,
        findings=findings,
        facts={
            "tool": sorted({ran.runner for ran in runs}),
            "tests": picked.files,
            "objects": sorted(modules),
            "modules": {name: sorted(tests)[:50] for name, tests in modules.items()},
            "counts": dict(Counter(each.outcome for each in counted)),
            "needs": [*lacking, *(ran.lacking for ran in unable)],
            "cases": [
                {"id": each.id, "file": each.file, "line": each.line, "outcome": each.outcome, "seconds": each.seconds}
                for each in counted[:2000]
            ],
        },
        text="\n".join(_text(picked, made, runs, counted, modules, findings)) + "\n",
    )


def _finding(job: Job, each: Case) -> Finding:
    at = _culprit(each)
    line = next((number for file, number in reversed(each.frames) if file == each.file), each.line)
    return Finding(
        name=each.file,
        line=line,
        severity=Severity.HIGH.value,
        tag=OutcomeTag.TESTS_FAIL.value,
        message=f"{each.id.rpartition('::')[2] or each.id} {'does not load' if each.outcome == ERROR else 'fails'}",
        hint=f"It went wrong in {at[0]}:{at[1]}." if at else "",
        evidence=_masked(job, each.message),
    )


def _masked(job: Job, text: str) -> str:
    """What a test said, unless a secret stands in it."""
    data = text.encode("utf-8", "replace")
    return (
        HIDDEN if data and next(secrets(detector_of(job), data, "output.log", "", personal=False), None) else text[:240]
    )


def _culprit(each: Case) -> tuple[str, int] | None:
    """The innermost place of the failure that lies in the folder and is no test."""
    inside = [place for place in each.frames if _ours(place[0])]
    return next((place for place in reversed(inside) if not is_test(place[0]) and "conftest" not in place[0]), None)


def _ours(path: str) -> bool:
    return not path.startswith(("/", "..", "<")) and "site-packages" not in path and "node_modules" not in path


def _modules(bad: list[Case]) -> dict[str, set[str]]:
    """Which modules failures lead to; a failure that ends in the test itself counts for the test."""
    found: dict[str, set[str]] = defaultdict(set)
    for each in bad:
        at = _culprit(each)
        found[at[0] if at else each.file].add(each.id)
    return found


def _wants(runs: list[Ran], lacking: list[str], cases: list[Case]) -> list[Finding]:
    found = [
        Finding(
            name=ran.files[0],
            severity=Severity.LOW.value,
            tag=OutcomeTag.TOOL_MISSING.value,
            message=f"Cannot run here: needs {ran.lacking}" if ran.lacking else f"Did not run: {ran.note}",
            hint="Install it where PlanTwin runs; nothing is fetched." if ran.lacking else "",
        )
        for ran in runs
        if ran.lacking or (not ran.cases and ran.note)
    ]
    for name in lacking:
        files = sorted({each.file for each in cases if each.missing == name})
        found.append(
            Finding(
                name=files[0],
                severity=Severity.LOW.value,
                tag=OutcomeTag.TOOL_MISSING.value,
                message=f"Cannot run here: {len(files)} {'file needs' if len(files) == 1 else 'files need'} the package {name}",
                hint="Put a virtual environment with it into the folder; nothing is fetched.",
            )
        )
    return found


def _text(
    picked: Chosen,
    made: Copied,
    runs: list[Ran],
    cases: list[Case],
    modules: dict[str, set[str]],
    findings: list[Finding],
) -> list[str]:
    counts = Counter(each.outcome for each in cases)
    words = [f"{counts[word]} {word}" for word in (PASSED, FAILED, ERROR, SKIPPED) if counts[word]]
    lines = [f"{len(cases)} tests ran in {sum(each.seconds for each in cases):.2f} s: {', '.join(words) or 'none'}."]
    lines += [
        "",
        "| Runner | Files | Passed | Failed | Errors | Skipped | Note |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for ran in runs:
        own = Counter(each.outcome for each in ran.cases if not each.missing)
        note = f"needs {ran.lacking}" if ran.lacking else ran.note
        lines.append(
            f"| {ran.runner} | {len(ran.files)} | {own[PASSED]} | {own[FAILED]} | {own[ERROR]} | {own[SKIPPED]} | {plain(note)} |"
        )
    for name, way in picked.ways.items():
        lines += ["", f"For {code(name)}: {way or 'no test was found'}."]
    if modules:
        lines += ["", "| Failures lead to | Tests |", "|---|---:|"]
        lines += [
            f"| {code(name)} | {len(tests)} |"
            for name, tests in sorted(modules.items(), key=lambda pair: -len(pair[1]))[:40]
        ]
    if findings:
        lines += ["", findings_text(findings, len(findings))]
    slow = sorted((each for each in cases if each.seconds >= 0.5), key=lambda each: -each.seconds)[:SLOW]
    if slow:
        lines += ["", "Slowest:", "", *(f"- {code(each.id)} {each.seconds:.2f} s" for each in slow)]
    lines += [
        "",
        f"Ran on a copy: {made.copied} files copied, {made.linked} only readable. The folder itself was not written.",
    ]
    return lines
