"""List the environment variables that code reads, whether each has a default, and where it is set or documented."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed
from plantwin.private.capabilities.engine.results import Mask, concluded_by_object, finding, masked, table
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.python import parse
from plantwin.private.formats.source_views import MASKS, views
from plantwin.private.formats.values import words
from plantwin.private.selection.words import POLITE, STOP, stem
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus

TITLE = "Environment variables"
ROWS = beside(__file__)
LISTED = 500
_TWO = re.compile(r"(?i)[,;?]?\s+and\s+(?=(?:where|how|what|which|who|when|is|are|do|does|can)\b)|[;?]\s+(?=\w)")
_SPOKEN = re.compile(r"(?i)\b(?:var|env)")
NAMED = 16
"""Variables that the sentence names."""
_NOISE = words(ROWS["noise"]["words"])
_MANDATORY = re.compile(r"(?i)\b(?:required?|mandatory|must|have to|obligatory)\b")
_REQUIRED = re.compile(
    r"(?im)^#[^\n]*\b(?<!not )(?:required|mandatory)\b(?! (?:if|when|only))[^\n]*\n"
    r"(?:#[^\n=]*\n){0,4}#?[ ]?(?P<name>[a-z_]\w+)="
)
"""`# Required - the key of sessions`, above a variable of a template."""
MANY = 20
"""Variables from which on a table says what they are about."""
_COMPOSE = re.compile(r"(?i)(?:^|/)[\w.-]*compose[\w.-]*\.ya?ml$")
_BUNDLED = re.compile(r"(?:^|/)(?:\.yarn|vendor|node_modules|third_party|dist)/|\.min\.")
"""Code of others that lies in the folder: what it reads is not the project's."""
_OPTIONS = re.compile(r"(?i)(?:config|option|setting|(?:^|[/_.-])env(?:ironment)?(?=[/_.-]))")
"""Modules that declare the options of a program, by place or name."""
_NAME = re.compile(r"[A-Za-z_]\w+")
_ALIAS = re.compile(r"\s*[\"']?(\w+)[\"']?\s*(?::[^=,]*)?(=?)")
_SYSTEM = words(
    "HOME PATH PWD OLDPWD USER USERNAME LOGNAME SHELL TERM LANG LC_ALL TMPDIR TMP TEMP HOSTNAME EDITOR VISUAL PAGER "
    "DISPLAY COLUMNS LINES SHLVL UID EUID IFS BASH BASH_SOURCE BASH_VERSION RANDOM SECONDS LINENO FUNCNAME PIPESTATUS "
    "OSTYPE PS1 XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR APPDATA LOCALAPPDATA "
    "PROGRAMFILES SYSTEMROOT USERPROFILE COMSPEC WINDIR NO_COLOR FORCE_COLOR CI GITHUB_ACTIONS PYTHONPATH"
)
"""Variables that the system, the shell or the service that builds sets for every program."""


@private
class Read(NamedTuple):
    """One place that reads a variable."""

    name: str
    place: str
    line: int
    default: str | None


@private
class Variable(NamedTuple):
    """A variable with all places that read it and all that set or name it."""

    name: str
    reads: list[Read]
    set_in: list[str]

    @property
    def needed(self) -> bool:
        """Whether a place reads it without a default; tests say it of what nothing else reads."""
        own = [read for read in self.reads if not is_test_path(read.place)]
        return any(read.default is None for read in own or self.reads)

    @property
    def of_tests(self) -> bool:
        """Whether nothing but tests reads it."""
        return all(is_test_path(read.place) for read in self.reads)


@cache
def _patterns(table_name: str) -> list[tuple[dict[str, str], re.Pattern[str]]]:
    return [(row, re.compile(row["pattern"])) for row in ROWS[table_name]]


def run(job: Job) -> Result:
    """List the variables of a job's inputs: those that have to be set first."""
    at_hand = (given for given in job.inputs if given.file or given.data is not None)
    sources = [source(given) for given in at_hand if not given.is_result and not given.part]
    texts = [file for file in sources if not file.binary and not _BUNDLED.search(file.label)]
    if not texts:
        return failed(TITLE, "There is no text to search.", [OutcomeTag.UNPARSABLE])
    variables, unnamed = _joined(texts)
    mask = Mask(job)
    found = list(_findings(variables))
    truncated = [code(file.label) for file in texts if file.truncated]
    result = concluded_by_object(
        job, TITLE, found, tool="reads of environment variables by language", examined=[file.label for file in texts],
        state=[OutcomeTag.TRUNCATED] if truncated else [],
        facts={"variables": {variable.name: _facts(variable, mask) for variable in variables[:1000]}},
    )  # fmt: skip
    notes = [f"Only the first {READ >> 20} MiB were searched of: {', '.join(truncated[:8])}."] if truncated else []
    every = [*unnamed, *(place for file in texts for place in _whole(file))]
    whole = [place for place in every if not is_test_path(place.rpartition(":")[0])]
    if whole:
        notes.append(
            f"Names that are made up at run time are not listed; they are read in {', '.join(map(code, whole[:8]))}."
        )
    if prefixes := list(dict.fromkeys(prefix for file in texts for prefix in _prefixes(file))):
        notes.append(
            f"Every option may also be set by a variable that begins with {' or '.join(map(code, prefixes[:8]))}"
            " and goes on with the option's name."
        )
    meant, words = _meant(variables, str(job.options.get("request", "")))
    told = list(_text(meant or variables, len(texts), mask))
    if meant:
        several = f"{plural(len(meant), 'environment variable')} of {len(variables)} by {', '.join(map(code, words))}"
        told = [
            f"{several}: {', '.join(code(each.name) for each in meant[:NAMED])}{' …' if len(meant) > NAMED else ''}.",
            *told[1:],
        ]
    elif words:
        told[:1] = [f"No environment variable is called after {', '.join(map(code, words[:4]))}. {told[0]}"]
    if _MANDATORY.search(str(job.options.get("request", ""))) and (marked := list(_marked(texts))):
        told[:1] = [f"Marked as required: {', '.join(marked[:NAMED])}.", told[0]]
    text = "\n".join([*told, *notes]) + "\n"
    outcome = {**result.outcome, "count": str(bucket(len(variables)))}
    if whole or prefixes:
        outcome["status"] = StepStatus.PARTIAL.value
    return msgspec.structs.replace(result, outcome=outcome, text=text, listed=False)


def _marked(texts: list[Source]) -> Iterator[str]:
    """Yield the variables that a comment of a template calls required."""
    for file in texts:
        for match in _REQUIRED.finditer(file.text) if file.format == "env" else ():
            line = file.text.count("\n", 0, match.start("name")) + 1
            yield f"{code(match['name'])} ({code(f'{file.label}:{line}')})"


def _meant(variables: list[Variable], request: str) -> tuple[list[Variable], list[str]]:
    """Return the variables that a request speaks of by words of their names, and these words; none for all."""
    little = STOP | POLITE | _NOISE
    # Of two questions the one that speaks of variables: `which variables are there, and what is the port`.
    asked = next((part for part in _TWO.split(request) if _SPOKEN.search(part)), request)
    words = [word for word in re.findall(r"[a-z][a-z0-9]+", asked.lower()) if word not in little]
    found: list[Variable] = []
    told: list[str] = []
    for word in dict.fromkeys(words):
        meant = {stem(word), *map(stem, ROWS["same"].get(word, "").split())}
        some = [each for each in variables if meant & set(map(stem, each.name.lower().split("_")))]
        found += [each for each in some if each not in found]
        told += [word] if some else []
    return ([each for each in variables if each in found], told) if found else ([], words)


def _joined(texts: list[Source]) -> tuple[list[Variable], list[str]]:
    """Return the variables that are read, and where one is read whose name is not in the code."""
    by_name: dict[str, list[Read]] = {}
    set_in: dict[str, list[str]] = {}
    unnamed: list[str] = []
    beside = {(_folder(file), file.format) for file in texts if any(_whole(file))}
    for file in texts:
        for read in (*reads(file), *(declared(file) if (_folder(file), file.format) in beside else ())):
            if not read.name:
                unnamed.append(f"{read.place}:{read.line}")
            elif read.name not in _SYSTEM:
                by_name.setdefault(read.name, []).append(read)
        for name in _set(file):
            set_in.setdefault(name, []).append(file.label)
    made = [Variable(name, places, list(dict.fromkeys(set_in.get(name, ())))) for name, places in by_name.items()]
    return sorted(made, key=lambda variable: (variable.of_tests, not variable.needed, variable.name)), unnamed


def reads(file: Source) -> Iterator[Read]:
    """Yield where a file reads variables."""
    if file.format == "python" and "BaseSettings" in file.text:
        yield from _settings(file)
    format = "compose" if _COMPOSE.search(file.label) else file.format
    text = file.text
    if format in MASKS:
        text = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    assigned = frozenset(re.findall(r"(?m)^[ \t]*(?:export |local |readonly )?([A-Z][A-Z0-9_]+)=", text))
    for row, pattern in _patterns("read"):
        if format not in row["formats"].split() or row["needs"] not in text:
            continue
        if "only" in row and not re.search(row["only"], f"{file.label}\n{text}"):
            continue
        for match in pattern.finditer(text):
            groups = match.groupdict()
            line = text.count("\n", 0, match.start()) + 1
            if names := groups.get("names"):
                for part in names.split(","):
                    if (alias := _ALIAS.match(part)) and _NAME.fullmatch(alias[1]):
                        beside = groups.get("default") or ("" if "optional" in row else None)
                        default = part.partition("=")[2].strip() if alias[2] or "=" in part else beside
                        yield Read(alias[1], file.label, line, default)
                continue
            name = groups.get("name") or groups.get("second") or (groups.get("field") or "").upper()
            name = name or _constant(groups.get("constant"), text)
            default = next(
                (value for key in ("default", "block", "other") if (value := groups.get(key)) is not None),
                "" if "optional" in row else None,
            )
            if not (format == "shell" and default is None and name in assigned):
                yield Read(name, file.label, line, None if default in ("None", "nil", "null") else default)


def _folder(file: Source) -> str:
    return file.label.rpartition("/")[0]


def declared(file: Source) -> Iterator[Read]:
    """Yield the options that a module declares by name, beside code that reads the whole environment."""
    if not _OPTIONS.search(file.label) or is_test_path(file.label):
        return
    for row, pattern in _patterns("declared"):
        for match in pattern.finditer(file.text) if file.format in row["formats"].split() else ():
            line = file.text.count("\n", 0, match.start("name")) + 1
            yield Read(match["name"], file.label, line, match.groupdict().get("default") or "")


def _constant(identifier: str | None, text: str) -> str:
    """Return the variable that a constant of the same file names; nothing where the name is made up at run time."""
    stated = rf"""(?m)^\s*(?:export\s+)?(?:const\s+|var\s+)?{identifier}\b[^=\n]*=\s*["'](\w+)["']"""
    match = re.search(stated, text) if identifier else None
    return match[1] if match else ""


def _last(base: ast.expr) -> str:
    return ast.unparse(base).rpartition(".")[2]


def _settings(file: Source) -> Iterator[Read]:
    """Yield the fields of classes that pydantic fills from the environment."""
    tree = parse(file.text)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.ClassDef) or "BaseSettings" not in map(_last, node.bases):
            continue
        prefix = re.search(r"""env_prefix["']?\s*[=:]\s*["'](\w*)""", ast.get_source_segment(file.text, node) or "")
        for field in node.body:
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and field.target.id != "model_config"
            ):
                default = ast.unparse(field.value) if field.value is not None else None
                name = f"{prefix[1] if prefix else ''}{field.target.id}".upper()
                yield Read(name, file.label, field.lineno, None if default == "..." else default)


def _whole(file: Source) -> Iterator[str]:
    """Yield where all variables are read at once, by names that are made up at run time."""
    for row, pattern in _patterns("whole"):
        if file.format in row["formats"].split() and (match := pattern.search(file.text)):
            yield f"{file.label}:{file.text.count(chr(10), 0, match.start()) + 1}"


def _prefixes(file: Source) -> Iterator[str]:
    """Yield what names begin with that a library makes up from those of options."""
    for row, pattern in _patterns("prefix"):
        if file.format in row["formats"].split() and not is_test_path(file.label):
            for match in pattern.finditer(file.text):
                yield next(filter(None, match.groups())).upper().rstrip("_") + "_"


def _set(file: Source) -> Iterator[str]:
    for row, pattern in _patterns("set"):
        if re.search(row["files"], file.label):
            yield from (match["name"] for match in pattern.finditer(file.text))


def _findings(variables: list[Variable]) -> Iterator[Finding]:
    for variable in variables:
        if variable.needed and not variable.set_in and not variable.of_tests:
            first = next(read for read in variable.reads if read.default is None and not is_test_path(read.place))
            yield finding(
                first.place, first.line, Severity.LOW, OutcomeTag.KEY_MISSING,
                f"Variable {variable.name} is read without a default, and no example or deployment file names it",
                hint="Name it in `.env.example` or the README.",
            )  # fmt: skip


def _facts(variable: Variable, mask: Mask) -> dict[str, object]:
    return {
        "needed": variable.needed,
        "default": _default(variable, mask),
        "read": [f"{read.place}:{read.line}" for read in variable.reads[:20]],
        "set": variable.set_in[:20],
    }


def _default(variable: Variable, mask: Mask) -> str:
    """Return the first default as it stands in the code, with secrets hidden."""
    values = [read.default.strip() for read in variable.reads if read.default is not None]
    shown = masked(f"{variable.name}={values[0][:80]}") if values else ""
    return mask(shown.partition("=")[2])


def _text(variables: list[Variable], files: int, mask: Mask) -> Iterator[str]:
    own = [variable for variable in variables if not variable.of_tests]
    needed = [variable for variable in own if variable.needed]
    others = [variable for variable in own if not variable.needed]
    if not variables:
        yield f"No environment variable is read in {plural(files, 'file')}, as far as code shows it."
        return
    yield (
        f"{plural(len(own), 'environment variable')}: {len(needed)} read without a default,"
        f" {len(others)} with one or optional ({plural(files, 'file')} searched)."
    )
    yield ""
    yield from _topics(own)
    if needed:
        names = ", ".join(code(variable.name) for variable in needed[:12])
        yield f"Without a default: {names}{' …' if len(needed) > 12 else ''}."
        yield ""
        rows = [[code(variable.name), _places(variable), _listed(variable.set_in)] for variable in needed]
        yield from table(["Without a default", "Read in", "Set or named in"], rows, LISTED)
    if others:
        rows = [
            [code(variable.name), code(_default(variable, mask), 40), _places(variable), _listed(variable.set_in)]
            for variable in others
        ]
        yield from table(["With a default", "Default", "Read in", "Set or named in"], rows, LISTED)
    tests = [code(variable.name) for variable in variables if variable.of_tests]
    if tests:
        yield f"Read by tests alone: {', '.join(tests[:20])}{' …' if len(tests) > 20 else ''}."


def _topics(variables: list[Variable]) -> list[str]:
    """Return a table of the variables by the first word of their names, where there are too many to look through."""
    by_word: dict[str, list[str]] = {}
    firsts = Counter(variable.name.partition("_")[0] for variable in variables)
    # What nearly all begin with is the program's own name.
    own = "".join(f"{word}_" for word, times in firsts.most_common(1) if times > len(variables) * 0.6)
    for variable in sorted(variables, key=lambda variable: variable.name):
        word = variable.name.removeprefix(own).partition("_")[0].rstrip("0123456789")
        by_word.setdefault(word, []).append(code(variable.name))
    rows = [[code(word), ", ".join(names)] for word, names in by_word.items() if len(names) > 1]
    return table(["About", "Variables"], rows, LISTED) if len(variables) >= MANY else []


def _places(variable: Variable) -> str:
    places = list(dict.fromkeys(f"{read.place}:{read.line}" for read in variable.reads if not is_test_path(read.place)))
    return _listed(places or [f"{read.place}:{read.line}" for read in variable.reads])


def _listed(names: list[str]) -> str:
    return ", ".join(map(code, names[:1])) + (f" and {len(names) - 1} more" if len(names) > 1 else "")
