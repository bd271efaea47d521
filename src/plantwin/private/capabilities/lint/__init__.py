"""One linting: every input by the engine of its language, or by our own rules where no engine does the job."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.adapters import installed, process
from plantwin.private.capabilities.adapters.examine import examine, finding
from plantwin.private.capabilities.adapters.installed import lacking
from plantwin.private.capabilities.adapters.process import Copy, EngineError, checkout
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import plain
from plantwin.private.capabilities.engine.results import Examined, concluded
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.infrastructure import validity
from plantwin.private.capabilities.lint import rules
from plantwin.private.facts import private
from plantwin.private.formats import document
from plantwin.private.formats.document import Text
from plantwin.private.formats.source_views import PAGES, script_of
from plantwin.private.formats.syntax_tree import GRAMMARS, best_of, broken, walk
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from tree_sitter import Node

PER_RULE = 12
"""Findings of one rule in one file that are listed; more are counted."""
BUILT_IN = "built-in rules"
ENGINES: Mapping[str, str] = {
    "python": "ruff", "notebook": "ruff", "javascript": "oxlint", "jsx": "oxlint", "typescript": "oxlint",
    "tsx": "oxlint", **dict.fromkeys(PAGES, "oxlint"), "shell": "shellcheck", "dockerfile": "hadolint", "go": "gofmt",
}  # fmt: skip
"""Which engine lints a format."""
ENDINGS = {
    "python": (".py", ".pyi"), "notebook": (".ipynb",), "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "jsx": (".jsx", ".js"), "typescript": (".ts", ".mts", ".cts"), "tsx": (".tsx",), "go": (".go",),
}  # fmt: skip
"""The endings by which an engine knows the format; another name gets the first."""
SETTINGS = frozenset(("yaml", "json", "toml", "ini", "env", "properties", "xml", "jsonl", "editorconfig", "systemd"))
MOST_FAULTS = 200
"""Findings of one file of settings."""
MANY = 4
"""Places that the grammar does not follow, beyond which our own rules say nothing: what they see may be wrong."""
_TEMPLATE = re.compile(r"\.(?:mako|j2|jinja2?|tmpl|tpl|template|hbs|handlebars|mustache|liquid|njk|ejs|eex|erb|in)$")
_OF_SCRIPTS = ("no-unused-vars", "no-unused-expressions", "syntax")
"""What is said of a script alone, not of one inside a page."""


@private
class Linted(NamedTuple):
    """What was found in one object."""

    findings: list[Finding]
    tool: str = BUILT_IN
    """Empty where nothing here reads the format."""
    note: str = ""


def run(job: Job) -> Result:
    """Lint every input."""
    reads = [source(given) for given in job.inputs]
    by_engine, notes = _by_engine(job, reads)
    partial = bool(notes)
    examined: list[Examined] = []
    state: set[OutcomeTag] = set()
    tools: dict[str, str] = {}
    unread: dict[str, str] = {}
    for read in reads:
        linted = by_engine.get(read.label) or _lint(read)
        tools[read.label] = linted.tool or "none"
        if read.truncated:
            notes.append(f"{plain(read.label)} is longer than {READ >> 20} MiB: it was not linted.")
            state.add(OutcomeTag.TRUNCATED)
        if not linted.tool:
            state.add(OutcomeTag.UNPARSABLE)
            unread[read.label] = linted.note.removeprefix("is ")
        elif linted.note:
            notes.append(f"{plain(read.label)} {linted.note}.")
        if linted.tool:
            examined.append(Examined(read, linted.findings))
    for reason in dict.fromkeys(unread.values()):
        labels = [plain(label) for label, why in unread.items() if why == reason]
        notes.append(f"Not linted ({reason}): {', '.join(labels[:5])}{' and others' if len(labels) > 5 else ''}.")
    return concluded(
        job,
        "Lint",
        examined,
        tool=tools,
        state=list(state),
        partial=partial,
        facts={"unread": unread},
        notes=notes,
        per_rule=PER_RULE,
    )


def _unread(note: str) -> Linted:
    return Linted([], "", note=note)


def _by_engine(job: Job, reads: Sequence[Source]) -> tuple[dict[str, Linted], list[str]]:
    """Lint what an engine lints: each engine is started once. Absent ones leave their inputs unread."""
    here = installed.of(job)
    given: dict[str, list[Copy]] = {}
    for read in reads:
        engine = ENGINES.get(read.format)
        if engine is not None and not read.binary and not read.truncated and not (_unwritten(read) or _foreign(read)):
            given.setdefault(engine, []).extend(_copies(read))
    linted: dict[str, Linted] = {}
    notes: list[str] = []
    for name, copies in given.items():
        if name not in here:
            linted |= {copy.source.label: _without(name, copy.source) for copy in copies}
            notes.append(f"Not linted for want of an engine: {lacking([name])}.")
            continue
        examination = examine(here[name], copies)
        for label, found in examination.found.items():
            linted[label] = Linted([_tagged(finding) for finding, _ in found], here[name].title)
        for copy in copies:
            label = copy.source.label
            if label not in linted:
                linted[label] = _unread(f"was not linted: {name} gave no answer")
            elif copy.source.format == "python":
                linted[label].findings.extend(rules.unreachable(copy.text))
            elif copy.source.format == "notebook":
                # Cells are run in any order, and some were run and removed.
                linted[label] = linted[label]._replace(findings=[*map(_in_notebook, linted[label].findings)])
            elif copy.source.format in PAGES:
                # The markup of a page may use any name, and a template fill in anything.
                kept = [finding for finding in linted[label].findings if finding.rule not in _OF_SCRIPTS]
                linted[label] = linted[label]._replace(findings=kept)
        notes += [f"{examination.note}."] if examination.note else []
    return linted, notes


def _in_notebook(found: Finding) -> Finding:
    low = msgspec.structs.replace(found, severity=Severity.LOW.value)
    return low if found.rule in ("F821", "F823") else found


def _tagged(found: Finding) -> Finding:
    """Return a finding with a tag of this capability: what is a risk elsewhere is a likely defect here."""
    known = found.tag in (tag.value for tag in catalog()["lint"].tags)
    return found if known else msgspec.structs.replace(found, tag=OutcomeTag.LIKELY_DEFECT.value)


def _unwritten(read: Source) -> bool:
    """Whether a tool made it, or a merge was left unfinished in it: then nothing else is looked at."""
    if read.format in ("python", "notebook", "dockerfile"):
        return False
    return read.minified or bool(rules.conflicts(read.text))


def _foreign(read: Source) -> bool:
    """Whether what looks like Python is a template, or for another interpreter by its first line."""
    if _TEMPLATE.search(read.name):
        return True
    first = read.text[:200].split("\n", 1)[0]
    return read.format == "python" and first.startswith("#!") and "python" not in first and "uv" not in first


def _copies(read: Source) -> list[Copy]:
    if read.format in PAGES:
        script = script_of(read.format, read.text)
        return [Copy(read, script.text, ENDINGS[script.format][0])] if script.text.strip() else []
    endings = ENDINGS.get(read.format, ())
    # A name that another format of the same engine has says more than what the text looks like.
    engine = ENGINES.get(read.format)
    known = not endings or read.input.name.lower().endswith(
        tuple(ending for format_, mine in ENDINGS.items() if ENGINES[format_] == engine for ending in mine)
    )
    return [Copy(read, read.text, "" if known else endings[0])] if read.text.strip() else []


def _without(engine: str, read: Text) -> Linted:
    """Lint without the engine: what the language's own interpreter says of the syntax, where it is here."""
    if engine == "shellcheck":
        said = _bash_syntax(read)
        if said is not None:
            return Linted(said, "bash -n", "was checked for syntax alone")
    return _unread(f"is {read.format}, which is not linted without {engine}")


def _bash_syntax(read: Text) -> list[Finding] | None:
    """Return what bash itself cannot parse; none where bash is not here, or the script is for another shell."""
    bash = shutil.which("bash", path="/usr/bin:/bin")
    first = read.text[:200].split("\n", 1)[0]
    if bash is None or (first.startswith("#!") and re.search(r"\b(?:zsh|fish|ksh|csh|tcsh|nu)\b", first)):
        return None
    with checkout([Copy(read, read.text)]) as files:
        try:
            answer = process.run([bash, "-n", "--", *files.names], files.folder, errors=True, fine=(0, 1, 2))
        except EngineError:
            return None
    said = re.search(rb"line (\d+): (?!warning)([^\n]{0,200})", answer)
    return [finding("shellcheck", "bash-syntax", int(said[1]), said[2].decode("utf-8", "replace"))] if said else []


def _lint(read: Source) -> Linted:
    """Lint one object by our own rules."""
    format = read.format
    if read.binary:
        return _unread("is not text")
    if read.truncated:
        return _unread("was cut")
    conflicts = rules.conflicts(read.text)
    if conflicts:
        return Linted(conflicts, note="holds an unfinished merge; nothing else was looked at")
    if format in SETTINGS:
        if read.guessed and document.read(read).faults:
            return _unread(f"is no {format}, though it looks like it")
        found = _settings(read)
        return _unread("is longer than is read, or than its parser takes") if found is None else Linted(found)
    if format in GRAMMARS and read.minified:
        return _unread("is minified, or has lines as long as a tool makes them")
    if _foreign(read):
        return _unread("is for another interpreter than its name says")
    if format in ENGINES:
        return Linted([], note="holds no script" if format in PAGES else "is empty")
    if format in GRAMMARS:
        return _code(format, read.text, read.input.name)
    return _unread(f"is {format}, for which there are no rules here")


def _settings(read: Source) -> list[Finding] | None:
    """Find what is wrong with the syntax of settings and data; none where it could not be read to its end."""
    if read.format == "jsonl":
        return list(validity.validate_json_lines(read.text))[:MOST_FAULTS]
    settings = document.read(read)
    if settings.cut and not settings.faults:
        return None
    checks = (validity.validate_syntax, validity.validate_ini_keys, validity.validate_yaml_scalars)
    return [_tagged(found) for check in checks for found in check(settings)][:MOST_FAULTS]


def _code(format: str, text: str, path: str) -> Linted:
    """Lint code by rules over its syntax tree. What the grammar does not follow is no finding."""
    if format == "css" and not path.endswith(".css"):
        return _unread("is written in a dialect for which there are no rules here")
    data = text.encode("utf-8", "replace")
    if not data.strip():
        return Linted([])
    format, tree = best_of(format, data)
    if tree is None:
        return _unread("is too long, too deeply nested or no hand-written code; it was not parsed")
    if len(broken(tree.root_node)) >= MANY:
        return _unread(f"is {format} that the grammar here does not follow; it was not linted")
    if not rules.checks(format):
        return _unread(f"is {format}, for which there are no rules here")
    return Linted([*_walk(format, tree.root_node), *rules.unused_imports(format, tree.root_node, text)])


def _walk(format: str, root: Node) -> Iterator[Finding]:
    checks = rules.checks(format)
    for node in walk(root):
        if node.is_named:  # the keyword `rescue` of Ruby has the type of its clause
            for check in checks.get(node.type, ()):
                yield from check(node)
