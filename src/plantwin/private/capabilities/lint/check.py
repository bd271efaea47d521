"""One linting: every input by the linter of its language, one list of findings."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import plain
from plantwin.private.capabilities.engine.results import Examined, concluded
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.lint import common, javascript, languages, names, ruff, settings, shell
from plantwin.private.capabilities.lint.rules import RULES, SCRIPTS, Checks, row_checks
from plantwin.private.formats.source_views import PAGES, script_of
from plantwin.private.formats.syntax_tree import GRAMMARS, best_of, broken, walk
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from tree_sitter import Node

PER_RULE = 12
"""Findings of one rule in one file that are listed; more are counted."""
LOOSE = frozenset(("cpp", "c", "scala", "kotlin", "shell", "csharp", "css"))
"""Languages whose sound texts the grammars do not always accept."""
MANY = 4
"""Errors beyond which nothing else is said about a text of such a language."""
BUILT_IN = "built-in rules"
_PROGRAM = re.compile(
    r"(?:^|/)(?:bin|scripts?|tools?|cli|tests?|__tests__|examples?|benchmarks?)/|\.(?:test|spec)\.\w+$"
)
"""Scripts that write to a terminal, so that their output is no leftover."""
_MINIFIED = re.compile(r"\.min\.\w+$")


class Linted(NamedTuple):
    """What was found in one object."""

    findings: list[Finding]
    tool: str = BUILT_IN
    """Empty where nothing here reads the format."""
    whole: bool = True
    note: str = ""

    def __repr__(self) -> str:
        return "<Linted private>"


def lint(job: Job) -> Result:
    """Lint every input."""
    examined: list[Examined] = []
    state: set[OutcomeTag] = set()
    notes: list[str] = []
    tools: dict[str, str] = {}
    for given in job.inputs:
        read = source(given)
        linted = _unread("is not text") if read.binary else _lint(read, job)
        tools[read.label] = linted.tool or "none"
        if read.truncated:
            notes.append(f"Only the first {READ >> 20} MiB of {plain(read.label)} were examined.")
        if linted.note:
            notes.append(f"{plain(read.label)} {linted.note}.")
        if read.truncated or not linted.whole:
            state.add(OutcomeTag.TRUNCATED)
        if not linted.tool:
            state.add(OutcomeTag.UNPARSABLE)
        # Where the text was cut, that it ends too early is no defect of it.
        broken = OutcomeTag.UNPARSABLE.value
        kept = [finding for finding in linted.findings if not (read.truncated and finding.tag == broken)]
        examined.append(Examined(read, kept))
    return concluded(job, "Lint", examined, tool=tools, state=list(state), notes=notes, per_rule=PER_RULE)


def _unread(note: str) -> Linted:
    return Linted([], "", note=note)


def _lint(read: Source, job: Job) -> Linted:
    """Lint one object by its format."""
    format, path = read.format, read.input.name
    if format in ("python", "notebook"):
        linted = ruff.lint(read.text, path if format == "python" else "notebook.ipynb", job.options.get("tools"))
        if not linted.tool:
            return _unread("is a notebook, and ruff, which reads it, is not here")
        note = "" if linted.whole else "has more findings than are listed, or took too long"
        return Linted(linted.findings, linted.tool, linted.whole, note)
    conflicts = common.conflicts(read.text)
    if conflicts:
        return Linted(conflicts, note="holds an unfinished merge; nothing else was looked at")
    if format in settings.FORMATS:
        return Linted(settings.findings(read))
    if _MINIFIED.search(path):
        return Linted([], note="is minified, made by a tool; it was not looked at")
    if format in PAGES:
        script = script_of(format, read.text)
        if not script.text.strip():
            return Linted([], note="holds no script")
        linted_script = _code(script.format, script.text, path)
        # The markup of a page may use any name.
        unused = (names.UNUSED_IMPORT, names.UNUSED_VARIABLE)
        kept = [finding for finding in linted_script.findings if finding.rule not in unused]
        return linted_script._replace(findings=kept)
    if format in GRAMMARS:
        return _code(format, read.text, path)
    return _unread(f"is {format}, for which there are no rules here")


def _code(format: str, text: str, path: str) -> Linted:
    if format == "css" and not path.endswith(".css"):
        return _unread("is written in a dialect for which there are no rules here")
    data = text.encode("utf-8", "replace")
    if not data.strip():
        return Linted([])
    format, tree = best_of(format, data)
    if tree is None:
        return _unread("is too long, too deeply nested or no hand-written code; it was not parsed")
    errors = broken(tree.root_node)
    if format == "javascript" and errors and _accepted_by_node(data):
        errors = []
    if format in LOOSE and errors:
        # A macro or a dialect is a likelier reason than a mistake, and what was made of the rest may be wrong.
        advice = "A macro or a dialect can be the reason too."
        syntax = [_syntax(errors[0].line, errors[0].what, advice, Severity.LOW)]
    else:
        syntax = [_syntax(error.line, error.what, ruff.BROKEN) for error in errors[:10]]
    if format in LOOSE and len(errors) >= MANY:
        return Linted(syntax)
    found = _walk(format, tree.root_node)
    if format == "shell":
        found = shell.wanted(found, text)
    elif format in SCRIPTS and (text.startswith("#!") or _PROGRAM.search(path)):
        found = (finding for finding in found if finding.rule != "JS-NO-CONSOLE")
    return Linted([*syntax, *found, *names.findings(format, tree.root_node, text)])


def _syntax(line: int, problem: str, advice: str, severity: Severity | None = None) -> Finding:
    return RULES.found("CODE-SYNTAX", line, severity=severity, problem=problem, advice=advice)


def _walk(format: str, root: Node) -> Iterator[Finding]:
    checks = _checks(format)
    for node in walk(root):
        if node.is_named:  # the keyword `rescue` of Ruby has the type of its clause
            for check in checks.get(node.type, ()):
                yield from check(node)


@cache
def _checks(format: str) -> Checks:
    """Return every check of a format by node type."""
    own = javascript.CHECKS if format in SCRIPTS else shell.CHECKS if format == "shell" else {}
    tables = (common.checks(format), own, languages.CHECKS.get(format, {}), row_checks(format))
    types = {type_ for table in tables for type_ in table}
    return {type_: tuple(check for table in tables for check in table.get(type_, ())) for type_ in types}


def _accepted_by_node(data: bytes) -> bool:
    """Whether node itself takes the script, where node is here: its own parser knows best."""
    node = shutil.which("node", path="/usr/local/bin:/usr/bin:/bin")
    for ending in (".cjs", ".mjs") if node else ():
        with tempfile.NamedTemporaryFile(suffix=ending) as file:
            file.write(data)
            file.flush()
            command = [str(node), "--check", file.name]
            try:
                done = subprocess.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, timeout=10, env={}, check=False
                )
            except (OSError, subprocess.SubprocessError):
                return False
            if done.returncode == 0:
                return True
    return False
