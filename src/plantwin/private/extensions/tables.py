"""`[capabilities.NAME]` of the person's configuration, checked key by key."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from plantwin.errors import ConfigError
from plantwin.private.execution.sandbox import PROGRAMS, SYSTEM
from plantwin.private.extensions.declaration import KEYS, Declaration, Extension
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus, member

LONGEST = 500
LINE = 1_000
"""Characters of a line that are looked at."""
GROUPS = frozenset(("line", "severity", "message", "file"))


def problem(pattern: str) -> str:
    """Why a pattern is refused; empty for one that is fine."""
    if len(pattern) > LONGEST:
        return f"at most {LONGEST} characters"
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return "not a valid regular expression"
    if not set(compiled.groupindex) <= GROUPS or "message" not in compiled.groupindex:
        return "needs the named group message, and may have line, severity and file"
    return ""


INPUT = "{input}"
MOST_LINKS = 16
STATUSES = (StepStatus.DONE, StepStatus.PARTIAL, StepStatus.FAILED)

Word = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]*\Z")]
Line = Annotated[tuple[Word, ...], Meta(min_length=1, max_length=64)]

_unknown = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a command line has besides its declaration."""

    command: Line
    exit: dict[str, tuple[str, ...] | str] = {}
    pattern: str = ""
    severity: Severity = Severity.MEDIUM
    severities: dict[str, Severity] = {}
    tag: OutcomeTag = OutcomeTag.LIKELY_DEFECT
    folders: Annotated[tuple[Word, ...], Meta(max_length=16)] = ()
    """Folders that the program needs, shown read-only."""


def command(name: str, value: object, root: Path) -> tuple[Declaration, Extension]:
    """Return the command line of this section."""
    declared, rest = _parted(value, name)
    made: Command = _converted(rest, Command, name)
    declaration: Declaration = _converted(declared, Declaration, name)
    if declaration.takes:
        raise _wrong(f"{name}.takes", "a command line works on files: results cannot be given to it")
    if INPUT not in made.command[1:] or any(INPUT in each and each != INPUT for each in made.command):
        raise _wrong(f"{name}.command", "needs {input} as a word of its own")
    if made.pattern and (why := problem(made.pattern)):
        raise _wrong(f"{name}.pattern", why)
    exits = {code: _outcome(said, f"{name}.exit") for code, said in made.exit.items()}
    if not all(code.isdecimal() and int(code) <= 255 for code in exits):
        raise _wrong(f"{name}.exit", "exit codes are numbers up to 255")
    said = {each for words_ in exits.values() for each in words_ if each in OutcomeTag._value2member_map_}
    tags = (*declaration.tags, made.tag, *(member(OutcomeTag, each) for each in sorted(said)))
    program, shown = _program(made.command[0], made.folders, root, name)
    return (
        msgspec.structs.replace(declaration, tags=tuple(dict.fromkeys(tags))),
        Extension(
            sort="command",
            own=name,
            command=(program, *made.command[1:]),
            exits=exits,
            pattern=made.pattern,
            severity=made.severity.value,
            severities={key.lower(): each.value for key, each in made.severities.items()},
            tag=made.tag.value,
            shown=shown,
        ),
    )


def _parted(value: object, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The declaration, and the rest."""
    if not isinstance(value, dict):
        raise _wrong(key, "a table is needed")
    declared = {name: each for name, each in value.items() if name in KEYS}
    return declared, {name: each for name, each in value.items() if name not in KEYS}


def _converted(value: object, type_: Any, key: str) -> Any:
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `")
        at = place.rstrip("`").removeprefix("$")
        # Of these messages only that about an unknown field quotes what stands there: its name.
        if unknown := _unknown.fullmatch(what):
            raise _wrong(f"{key}{at}.{unknown['name']}", "unknown key: correct or remove it") from None
        raise _wrong(f"{key}{at}", what.replace("`", "")) from None


def _outcome(said: tuple[str, ...] | str, key: str) -> tuple[str, ...]:
    words = (said,) if isinstance(said, str) else said
    known = {each.value for each in (*STATUSES, *Severity, *OutcomeTag)}
    if not words or not set(words) <= known:
        raise _wrong(key, "words of the outcome are needed: a status, a severity, tags")
    return words


def _program(word: str, folders: tuple[str, ...], root: Path, key: str) -> tuple[str, tuple[str, ...]]:
    """The program's place, found now, and what has to be shown so that it can run."""
    found = word if word.startswith("/") else shutil.which(word, path=_path())
    if found is None:
        # Told when it is called: a tool that is not there must not stop everything else.
        found = word
    elif _inside(found, root):
        raise _wrong(f"{key}.command", "a program of the observed folder is not run: it is content")
    shown = [needed(each, root, f"{key}.folders[{number}]") for number, each in enumerate(folders)]
    covered = tuple(f"{each}/" for each in (*shown, *PROGRAMS, *SYSTEM))
    shown += [each for each in _links(found) if not each.startswith(covered)]
    return found, tuple(dict.fromkeys(shown))


def _links(program: str) -> Iterator[str]:
    """A program's place, and where its links lead to, one after the other."""
    for _ in range(MOST_LINKS):
        if not program.startswith("/"):
            return
        yield program
        if not os.path.islink(program):  # noqa: PTH114
            return
        program = os.path.normpath(os.path.join(os.path.dirname(program), os.readlink(program)))  # noqa: PTH115, PTH118, PTH120


def needed(path: object, root: Path, key: str) -> str:
    """An absolute path outside of the observed folder."""
    if not isinstance(path, str) or not path.startswith(("/", "~/")) or "\0" in path:
        raise _wrong(key, "an absolute path is needed")
    place = os.path.realpath(os.path.expanduser(path))  # noqa: PTH111
    if not os.path.exists(place):  # noqa: PTH110
        raise _wrong(key, "there is nothing at this path")
    if _inside(place, root):
        raise _wrong(key, "it lies in the observed folder, whose content runs nothing: keep it elsewhere")
    return place


def _inside(path: str, root: Path) -> bool:
    """Whether either holds the other, by their real places."""
    place, folder = os.path.realpath(path), os.path.realpath(root)
    return os.path.commonpath((place, folder)) in (place, folder)


def _path() -> str:
    """Where programs are: no relative entry, which would name a program of the folder that we were started in."""
    return os.pathsep.join(each for each in os.get_exec_path() if each.startswith("/"))


def _wrong(key: str, need: str) -> ConfigError:
    name = "".join(each if each.isascii() and each.isprintable() else "?" for each in key)[:120]
    return ConfigError(f"capabilities.{name}: {need}")
