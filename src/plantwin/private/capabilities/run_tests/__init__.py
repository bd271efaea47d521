"""Choose tests, copy the folder, run them, and follow failures to modules."""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, findings_text, ordered, plain, told
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.engine.secrets import detector_of, secrets
from plantwin.private.capabilities.run_tests import compiled, javascript, python
from plantwin.private.capabilities.run_tests.process import Clock
from plantwin.private.capabilities.run_tests.results import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    STOPPED,
    CaseResult,
    Place,
    RunResult,
)
from plantwin.private.capabilities.run_tests.selection import Selection, is_test, select_tests
from plantwin.private.capabilities.run_tests.workspace import Copied, Workspace, copy
from plantwin.private.detect.summary import HIDDEN
from plantwin.vocabulary import MAX_OUTCOME_TAGS, OutcomeTag, Severity, StepStatus

TITLE = "Tests"
MOST_LISTED = 200
SLOWEST = 8
DETECTOR_SECONDS = 20.0
"""With less time than this, nothing but the tests takes any while they run."""
Runner = Callable[[Workspace, tuple[str, ...]], RunResult]
_RUNNERS: dict[str, Runner] = {
    "python": python.run_tests,
    "javascript": javascript.run_tests,
    "go": compiled.run_go_tests,
    "rust": compiled.run_rust_tests,
}
_LANGUAGES = {
    "py": "python",
    "go": "go",
    "rs": "rust",
    **dict.fromkeys(("js", "mjs", "cjs", "ts", "tsx", "jsx"), "javascript"),
}
_NEEDED = {
    "java": "a build tool for Java",
    "kt": "a build tool for Kotlin",
    "scala": "sbt",
    "cs": "dotnet",
    "rb": "ruby",
    "php": "php",
}
"""What would run tests of languages that are not run here."""


def run(job: Job) -> Result:
    """Return the result of running the tests of the inputs."""
    if not job.folder:
        return failed(TITLE, "The folder is not at hand, so that its tests cannot run.", [OutcomeTag.TOOL_MISSING])
    if os.access(job.folder, os.W_OK):
        reason = "Tests run only where the folder cannot be written: this needs the sandbox."
        return failed(TITLE, reason, [OutcomeTag.TOOL_MISSING])
    clock = Clock()
    selection = select_tests(job)
    if not selection.files:
        return _no_tests(selection)
    # The detector loads meanwhile: when the time is up, too little may be left for it.
    loading = Thread(target=_masked, args=(job, "-" if clock.left > DETECTOR_SECONDS else ""), daemon=True)
    loading.start()
    with tempfile.TemporaryDirectory(prefix="trial-", ignore_cleanup_errors=True) as scratch:
        root = f"{scratch}/folder"
        copied = copy(job.folder, root)
        runs = [_run(root, scratch, clock, files) for _, files in sorted(_by_language(selection.files).items())]
    loading.join()
    return _result(job, selection, copied, runs)


def _language(file: str) -> str:
    ending = file.rpartition(".")[2]
    return _LANGUAGES.get(ending, f".{ending}")


def _by_language(files: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for file in files:
        found[_language(file)].append(file)
    return {language: tuple(members) for language, members in found.items()}


def _run(root: str, scratch: str, clock: Clock, files: tuple[str, ...]) -> RunResult:
    language = _language(files[0])
    runner = _RUNNERS.get(language)
    if runner is None:
        ending = language.removeprefix(".")
        return RunResult(ending, files, lacking=_NEEDED.get(ending, f"a runner for .{ending}"))
    if clock.left < 1:
        return RunResult(language, files, late=True, note="there was no time left")
    own = f"{scratch}/{language}"
    Path(own).mkdir()
    began = time.monotonic()
    return runner(Workspace(root, own, clock), files)._replace(seconds=time.monotonic() - began)


def _no_tests(selection: Selection) -> Result:
    message = "No test was found for it"
    findings = [
        finding(name, 0, Severity.MEDIUM, OutcomeTag.NO_TESTS, message, hint="Write one.") for name in selection.reasons
    ]
    names = ", ".join(map(code, selection.reasons)) or "the inputs"
    outcome = told(0, [OutcomeTag.NO_TESTS])
    facts: dict[str, object] = {"tests": [], "objects": []}
    text = f"No test was found for {names}.\n"
    return Result(outcome=outcome, title=TITLE, findings=findings, facts=facts, text=text)


def _result(job: Job, selection: Selection, copied: Copied, runs: list[RunResult]) -> Result:
    cases = [case for run in runs for case in run.cases]
    # What needs something that is not here has not failed: it has not run.
    missing = sorted({case.missing for case in cases if case.missing})
    stopped = [case for case in cases if case.outcome == STOPPED]
    counted = [case for case in cases if not case.missing and case.outcome != STOPPED]
    bad = [case for case in counted if case.failed]
    findings = ordered(
        [
            *(_failure(job, case) for case in bad[:MOST_LISTED]),
            *map(_stopped, stopped[:MOST_LISTED]),
            *_needs(runs, missing, cases),
        ]
    )
    modules = _modules(bad)
    return Result(
        outcome=_outcome(runs, counted, missing=bool(missing), complete=selection.complete),
        title=TITLE,
        findings=findings,
        facts={
            "tool": sorted({run.runner for run in runs}),
            "tests": selection.files,
            "objects": sorted(modules),
            "modules": {name: sorted(tests)[:50] for name, tests in modules.items()},
            "counts": dict(Counter(case.outcome for case in counted)),
            "needs": [*missing, *(run.lacking for run in runs if run.lacking)],
            "coverage": {name: [ran, lines] for run in runs for name, ran, lines in run.covered[:2000]},
            "cases": [
                {"id": case.id, "file": case.file, "line": case.line, "outcome": case.outcome, "seconds": case.seconds}
                for case in counted[:2000]
            ],
        },
        text="\n".join(_text(selection, copied, runs, counted, modules, findings)) + "\n",
    )


def _outcome(runs: list[RunResult], counted: list[CaseResult], *, missing: bool, complete: bool) -> dict[str, object]:
    bad = [case for case in counted if case.failed]
    unable = missing or any(run.lacking or (not run.cases and run.note) for run in runs)
    late = any(run.late for run in runs) or not complete
    tags = [OutcomeTag.TRUNCATED] if late else []
    if bad:
        tags.append(OutcomeTag.TESTS_FAIL)
    elif any(case.outcome == PASSED for case in counted):
        tags.append(OutcomeTag.TESTS_PASS)
    elif not unable and not late:
        tags.append(OutcomeTag.NO_TESTS)
    if unable:
        tags.append(OutcomeTag.TOOL_MISSING)
    status = StepStatus.DONE
    if late or unable:
        status = StepStatus.PARTIAL if counted else StepStatus.FAILED
    return {
        "status": status.value,
        "severity": (Severity.HIGH if bad else Severity.NONE).value,
        "count": str(bucket(len(bad))),
        "tags": [tag.value for tag in tags][:MAX_OUTCOME_TAGS],
    }


def _failure(job: Job, case: CaseResult) -> Finding:
    place = _culprit(case)
    name = case.id.rpartition("::")[2] or case.id
    return Finding(
        name=case.file,
        line=next((line for file, line in reversed(case.frames) if file == case.file), case.line),
        severity=Severity.HIGH.value,
        tag=OutcomeTag.TESTS_FAIL.value,
        message=f"{name} {'does not load' if case.outcome == ERROR else 'fails'}",
        hint=f"It went wrong in {place[0]}:{place[1]}." if place else "",
        evidence=_masked(job, case.message),
    )


def _stopped(case: CaseResult) -> Finding:
    """Return that a test was still running when it was stopped."""
    name = case.id.rpartition("::")[2] or case.id
    took = f" after {case.seconds:.0f} s" if case.seconds else ", when the time was up"
    message = f"{name} had not ended{took}: it hangs, or is slow"
    hint = "Neither passed nor failed. Run it by itself, or with more time (`--time`)."
    return finding(case.file, case.line, Severity.MEDIUM, OutcomeTag.TRUNCATED, message, hint=hint)


def _masked(job: Job, text: str) -> str:
    """Return what a test said, unless a secret stands in it."""
    if not text:
        return ""
    found = secrets(detector_of(job), text.encode("utf-8", "replace"), "output.log", "", personal=False)
    return HIDDEN if next(found, None) else text[:240]


def _culprit(case: CaseResult) -> Place | None:
    """Return the innermost place of the failure that lies in the folder and is no test."""
    for path, line in reversed(case.frames):
        outside = path.startswith(("/", "..", "<")) or "site-packages" in path or "node_modules" in path
        if not outside and not is_test(path) and "conftest" not in path:
            return path, line
    return None


def _modules(bad: list[CaseResult]) -> dict[str, set[str]]:
    """Return which modules failures lead to; a failure that ends in the test itself counts for the test."""
    found: dict[str, set[str]] = defaultdict(set)
    for case in bad:
        place = _culprit(case)
        found[place[0] if place else case.file].add(case.id)
    return found


def _needs(runs: list[RunResult], missing: list[str], cases: list[CaseResult]) -> Iterator[Finding]:
    """Yield what could not run, and what it needs."""
    for run in runs:
        if run.lacking:
            message, hint = (
                f"Not runnable here: needs {run.lacking}",
                "Install it where PlanTwin runs; nothing is fetched.",
            )
            yield finding(run.files[0], 0, Severity.LOW, OutcomeTag.TOOL_MISSING, message, hint=hint)
        elif not run.cases and run.note:
            yield finding(run.files[0], 0, Severity.LOW, OutcomeTag.TOOL_MISSING, f"Not runnable here: {run.note}")
    for package in missing:
        files = sorted({case.file for case in cases if case.missing == package})
        number = sum(case.missing == package for case in cases)
        message = f"Not runnable here: {'1 test needs' if number == 1 else f'{number} tests need'} {package}"
        hint = "Put a virtual environment with it into the folder." if "pack" in package or "plugin" in package else ""
        yield finding(files[0], 0, Severity.LOW, OutcomeTag.TOOL_MISSING, message, hint=hint)


def _text(
    selection: Selection,
    copied: Copied,
    runs: list[RunResult],
    cases: list[CaseResult],
    modules: dict[str, set[str]],
    findings: list[Finding],
) -> Iterator[str]:
    counts = Counter(case.outcome for case in cases)
    words = [f"{counts[word]} {word}" for word in (PASSED, FAILED, ERROR, SKIPPED) if counts[word]]
    seconds = sum(run.seconds for run in runs)
    unable = [found.message for found in findings if found.tag == OutcomeTag.TOOL_MISSING.value]
    if cases or not unable:
        yield f"{len(cases)} tests ran in {seconds:.2f} s: {', '.join(words) or 'none'}.\n"
    else:
        yield f"{plain('; '.join(unable[:3]), 300)}.\n"
    rows = []
    for run in runs:
        numbers = [len(run.files), *(run.counts[word] for word in (PASSED, FAILED, ERROR, SKIPPED))]
        rows.append([run.runner, *map(str, numbers), plain(f"needs {run.lacking}" if run.lacking else run.note)])
    yield from table(["Runner", "Files", "Passed", "Failed", "Errors", "Skipped", "Note"], rows)
    for reason in sorted(set(selection.reasons.values()), reverse=True):
        names = [code(name) for name, found in selection.reasons.items() if found == reason]
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        yield f"{(reason or 'no test was found').capitalize()} for {', '.join(names[:5])}{more}.\n"
    leading = sorted(modules.items(), key=lambda pair: -len(pair[1]))
    yield from table(["Failures lead to", "Tests"], ([code(name), str(len(tests))] for name, tests in leading), 40)
    if findings:
        yield findings_text(findings, len(findings)) + "\n"
    yield from _coverage(runs)
    slow = sorted((case for case in cases if case.seconds >= 0.5), key=lambda case: -case.seconds)[:SLOWEST]
    if slow:
        yield "Slowest:\n"
        yield from (f"- {code(case.id)} {case.seconds:.2f} s" for case in slow)
        yield ""
    counts_text = f"{copied.copied} files copied, {copied.linked} only readable"
    yield f"Ran on a copy: {counts_text}. The folder itself was not written."


def _coverage(runs: list[RunResult]) -> Iterator[str]:
    """Yield how much of the code the tests ran, and where they ran least."""
    rows = [row for run in runs for row in run.covered if row[2] and not is_test(row[0])]
    if not rows:
        return
    ran, lines = sum(row[1] for row in rows), sum(row[2] for row in rows)
    yield f"Coverage: {ran / lines:.0%} of {lines:,} statements in {len(rows)} files that are no tests.\n"
    least = sorted(rows, key=lambda row: (row[1] / row[2], -row[2]))
    yield from table(["Least covered", "Ran", "Of"], ([code(name), str(done), str(of)] for name, done, of in least), 20)
