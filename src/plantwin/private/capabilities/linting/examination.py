"""One linting: every input by the reader of its language, one list of findings, one table by rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    counted,
    findings_text,
    ordered,
    outcome,
    plain,
)
from plantwin.private.capabilities.common.secrets import detector_of, secrets
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.linting import settings
from plantwin.private.capabilities.linting.remark import BROKEN, HIGH, LOW, Remark
from plantwin.private.capabilities.syntax.pages import PAGES, script_of
from plantwin.private.capabilities.syntax.trees import GRAMMARS, best_of, broken
from plantwin.private.redact.masking import HIDDEN
from plantwin.vocabulary import OutcomeTag

SAME = 12
"""Findings of one rule in one file that are listed; more are counted."""
LOOSE = frozenset(("cpp", "c", "scala", "kotlin", "shell", "csharp", "css"))
"""Languages whose sound texts the grammars do not always accept."""
MANY = 4
_PROGRAM = re.compile(
    r"(?:^|/)(?:bin|scripts?|tools?|cli|tests?|__tests__|examples?|benchmarks?)/|\.(?:test|spec)\.\w+$"
)
_MINIFIED = re.compile(r"\.min\.\w+$")


class Examined(NamedTuple):
    """What was said of one object."""

    remarks: list[Remark]
    tool: str
    """Empty where nothing here reads the format."""
    whole: bool = True
    note: str = ""

    def __repr__(self) -> str:
        return "<Examined private>"


def examine(job: Job) -> Result:
    """The result of linting the inputs."""
    found: list[Finding] = []
    state: list[OutcomeTag] = []
    notes: list[str] = []
    rules: Counter[tuple[str, str, str]] = Counter()
    total = 0
    tools: dict[str, str] = {}
    for given in job.inputs:
        each = source(given)
        if each.truncated:
            state.append(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {plain(each.label)} were examined.")
        result = Examined([], "", True, "is not text") if each.binary else _examined(each, job)
        tools[each.label] = result.tool or "none"
        if not result.whole:
            state.append(OutcomeTag.TRUNCATED)
        if result.note:
            notes.append(f"{plain(each.label)} {result.note}.")
        if not result.tool:
            state.append(OutcomeTag.UNPARSABLE)
        remarks = _told(result.remarks, each.truncated)
        total += len(remarks)
        if any(remark.tag is BROKEN and remark.severity is HIGH for remark in remarks):
            state.append(OutcomeTag.UNPARSABLE)
        for remark in remarks:
            rules[remark.rule, remark.severity.value, result.tool] += 1
        found += _findings(job, each, remarks, result.tool)
    state = [tag for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag in state]
    unread = [label for label, tool in tools.items() if tool == "none"]
    unique = ordered(found)
    listed = unique[:MOST_FINDINGS]
    text = [f"{len(job.inputs)} examined: {counted(unique)}.", ""]
    text += _table(rules, total)
    text += [findings_text(listed, len(unique)), ""]
    if total > len(unique):
        text.append(f"{total - len(unique)} more of the same rules in the same files are counted in the table only.")
    partial = OutcomeTag.TRUNCATED in state or bool(unread)
    return Result(
        outcome=outcome(unique, total=total, state=[tag.value for tag in state], partial=partial),
        title="Lint",
        findings=listed,
        facts={
            "tool": tools,
            "rules": {rule: number for (rule, _, _), number in rules.most_common(100)},
            "total": total,
            "notes": notes,
        },
        text="\n".join([*text, *notes]).strip() + "\n",
    )


def _told(remarks: list[Remark], cut: bool) -> list[Remark]:
    """Each once, by line. Where the text was cut, that it ends too early is no defect of it."""
    if cut:
        remarks = [each for each in remarks if each.tag is not BROKEN]
    return sorted(set(remarks), key=lambda each: (each.line, each.rule, each.message))


def _table(rules: Counter[tuple[str, str, str]], total: int) -> list[str]:
    if total < 2:
        return []
    rows = [
        f"| `{rule}` | {severity} | {tool} | {number} |" for (rule, severity, tool), number in rules.most_common(25)
    ]
    return ["| Rule | Severity | Tool | Times |", "|---|---|---|---:|", *rows, ""]


def _findings(job: Job, each: Source, remarks: list[Remark], tool: str) -> Iterator[Finding]:
    times: Counter[str] = Counter()
    kept = []
    for remark in remarks:
        times[remark.rule] += 1
        if times[remark.rule] <= SAME:
            kept.append(remark)
    if not kept:
        return
    lines = each.text.split("\n")
    hidden = {one.line for one in secrets(detector_of(job), each.data, each.input.name, each.label, personal=False)}
    for remark in kept:
        shown = lines[remark.line - 1].strip()[:200] if 0 < remark.line <= len(lines) else ""
        yield Finding(
            name=each.label,
            line=remark.line,
            severity=remark.severity.value,
            tag=remark.tag.value,
            message=f"{remark.message} ({tool} {remark.rule})"
            if tool == "ruff"
            else f"{remark.message} ({remark.rule})",
            hint=remark.hint,
            evidence=HIDDEN if remark.line in hidden else shown,
        )


def _examined(each: Source, job: Job) -> Examined:
    """What there is to say of one object, by its format."""
    format, path = each.format, each.input.name
    if format in ("python", "notebook"):
        from plantwin.private.capabilities.linting.python import lint

        name = path if format == "python" else "notebook.ipynb"
        linted = lint(each.text, name, job.options.get("tools"))
        note = "" if linted.whole else "has more remarks than are listed, or took too long"
        if linted.tool == "none":
            return Examined([], "", True, "is a notebook, and ruff, which reads it, is not here")
        return Examined(linted.remarks, linted.tool, linted.whole, note)
    from plantwin.private.capabilities.linting.common import conflicts

    marks = list(conflicts(each.text))
    if marks:
        return Examined(marks, "built-in rules", True, "holds an unfinished merge; nothing else was looked at")
    if format in settings.FORMATS:
        return Examined(list(settings.remarks(format, each.text, path)), "built-in rules")
    if _MINIFIED.search(path):
        return Examined([], "built-in rules", True, "is minified, made by a tool; it was not looked at")
    if format in PAGES:
        return _page(each)
    if format in GRAMMARS:
        return _code(format, each.text, path)
    return Examined([], "", True, f"is {format}, for which there are no rules here")


def _page(each: Source) -> Examined:
    """The scripts of a page. Its markup may use any name."""
    script = script_of(each.format, each.text)
    if not script.text.strip():
        return Examined([], "built-in rules", True, "holds no script")
    result = _code(script.format, script.text, each.input.name)
    return result._replace(remarks=[one for one in result.remarks if not one.rule.startswith("no-unused")])


def _code(format: str, text: str, path: str) -> Examined:
    if format == "css" and not path.endswith(".css"):
        return Examined([], "", True, "is written in a dialect for which there are no rules here")
    data = text.encode("utf-8", "replace")
    if not data.strip():
        return Examined([], "built-in rules")
    format, tree = best_of(format, data)
    if tree is None:
        return Examined([], "", True, "is too long, too deeply nested or no hand-written code; it was not parsed")
    errors = broken(tree.root_node)
    if format == "javascript" and errors and _accepted(data):
        errors = []
    if format in LOOSE and errors:
        # A macro or a dialect is a likelier reason than a mistake, and what was made of the rest may be wrong.
        remark = Remark(
            errors[0].line,
            LOW,
            BROKEN,
            "syntax",
            f"Syntax: {errors[0].what}",
            "A macro or a dialect can be the reason too.",
        )
        rest = _rules(format, tree.root_node, text, path) if len(errors) < MANY else ()
        return Examined([remark, *rest], "built-in rules")
    hint = "The file does not run at all until this is mended."
    remarks = [Remark(one.line, HIGH, BROKEN, "syntax", f"Syntax: {one.what}", hint) for one in errors[:10]]
    return Examined([*remarks, *_rules(format, tree.root_node, text, path)], "built-in rules")


def _rules(format: str, root: object, text: str, path: str) -> Iterator[Remark]:
    from tree_sitter import Node

    from plantwin.private.capabilities.linting import common, languages, names, scripts, shell, styles
    from plantwin.private.capabilities.linting.shapes import SHAPES

    if not isinstance(root, Node):
        return
    if format in SHAPES:
        yield from common.remarks(SHAPES[format], root)
    if format in ("javascript", "jsx", "typescript", "tsx"):
        yield from scripts.remarks(root, program=text.startswith("#!") or _PROGRAM.search(path) is not None)
    elif format == "shell":
        yield from shell.remarks(root, text)
    elif format == "css":
        yield from styles.remarks(root)
    yield from languages.remarks(format, root)
    yield from names.remarks(format, root, text)


def _accepted(data: bytes) -> bool:
    """Whether node itself takes the script, where node is here: its own parser knows best."""
    import shutil
    import subprocess
    import tempfile

    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    if node is None:
        return False
    for ending in (".cjs", ".mjs"):
        with tempfile.NamedTemporaryFile(suffix=ending) as file:
            file.write(data)
            file.flush()
            try:
                done = subprocess.run(
                    [node, "--check", file.name],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=10,
                    env={},
                    check=False,
                )
            except (OSError, subprocess.SubprocessError):
                return False
            if done.returncode == 0:
                return True
    return False
