"""`[capabilities.NAME]` of the person's configuration, checked key by key."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as grammar  # type: ignore[attr-defined]
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from plantwin.errors import ConfigError
from plantwin.private.execution.protocol import Extension
from plantwin.private.execution.sandbox import PROGRAMS, SYSTEM
from plantwin.private.extensions.declaration import KEYS, NAMED, Declaration, free
from plantwin.vocabulary import OutcomeTag, Severity, StepStatus, member

LONGEST = 500
LINE = 1_000
"""Characters of a line that are looked at."""
MOST_REPEATS = 6
"""Parts of open length. On a line this short they can be slow at worst, and a step has its time."""
GROUPS = frozenset(("line", "severity", "message", "file"))

_OPEN = 16
"""A repeat of up to so many is as good as written out."""


def problem(pattern: str) -> str:
    """Why a pattern is refused; empty for one that is fine."""
    if len(pattern) > LONGEST:
        return f"at most {LONGEST} characters"
    try:
        compiled = re.compile(pattern)
        tree = grammar.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return "not a valid regular expression"
    if not set(compiled.groupindex) <= GROUPS or "message" not in compiled.groupindex:
        return "needs the named group message, and may have line, severity and file"
    try:
        repeats = _repeats(tree, False)
    except ValueError as error:
        return str(error)
    return f"at most {MOST_REPEATS} repeats of open length" if repeats > MOST_REPEATS else ""


def _repeats(tree: Any, inside: bool) -> int:
    """How many parts of open length there are; `ValueError` for one inside another, or for what looks around."""
    number = 0
    for operation, value in tree:
        if operation in (names.GROUPREF, names.GROUPREF_EXISTS, names.ASSERT, names.ASSERT_NOT):
            raise ValueError("no references back and nothing that looks around")
        if operation in (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT):
            _, most, body = value
            open_ = most is names.MAXREPEAT or most > _OPEN
            if inside and most > 1:
                raise ValueError("no repeat inside a repeat")
            number += open_ + _repeats(body, inside or most > 1)
        elif operation is names.SUBPATTERN:
            number += _repeats(value[-1], inside)
        elif operation is names.ATOMIC_GROUP:
            number += _repeats(value, inside)
        elif operation is names.BRANCH:
            number += sum(_repeats(part, inside) for part in value[1])
    return number


MOST = 8
"""Combinations of one command or tool."""
PLACEHOLDER = re.compile(r"\{([a-z_]{1,40})\}")
_LONGEST = 40


class Variant(NamedTuple):
    """One combination: its name, and the value of each option."""

    name: str
    values: Mapping[str, str]

    def fill(self, word: str) -> str:
        """A word with these values in the places of their options. Values are not looked into again."""
        return PLACEHOLDER.sub(lambda found: self.values.get(found[1], found[0]), word)


def used(words: Iterable[str]) -> tuple[str, ...]:
    """Options that these words name, in order."""
    return tuple(dict.fromkeys(name for word in words for name in PLACEHOLDER.findall(word)))


def variants(name: str, options: Mapping[str, Sequence[str]], names: Sequence[str]) -> list[Variant]:
    """Every combination of the values of these options; more than `MOST` are none.

    The names say the values where these make a name; else they are numbered, the first being 1.
    """
    lists = [tuple(dict.fromkeys(options[text])) for text in names]
    total = 1
    for list_ in lists:
        total *= len(list_)
    if total > MOST:
        return []
    found = [dict(zip(names, values, strict=True)) for values in product(*lists)]
    if total == 1:
        return [Variant(name, found[0])]
    varied = [name for name, values in zip(names, lists, strict=True) if len(values) > 1]
    spelled = ["_".join((name, *(_spelled(word[option]) for option in varied))) for word in found]
    plain = all(_spelled(word[option]) for word in found for option in varied)
    if not plain or len(set(spelled)) != total or max(map(len, spelled)) > _LONGEST:
        spelled = [f"{name}_{number}" for number in range(1, total + 1)]
    return [Variant(own, values) for own, values in zip(spelled, found, strict=True)]


def _spelled(value: str) -> str:
    return re.sub(r"[^a-z0-9]{1,200}", "_", value.lower()).strip("_")


INPUT = "{input}"
MOST_LINKS = 16
STATUSES = (StepStatus.DONE, StepStatus.PARTIAL, StepStatus.FAILED)

Word = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00]*\Z")]
Line = Annotated[tuple[Word, ...], Meta(min_length=1, max_length=64)]
Choices = dict[str, Annotated[tuple[Word, ...], Meta(min_length=1, max_length=32)]]

_unknown = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a command line has besides its declaration."""

    command: Line
    options: Choices = {}
    """Fixed values of every placeholder but `{input}`; each combination is a capability of its own."""
    exit: dict[str, tuple[str, ...] | str] = {}
    pattern: str = ""
    severity: Severity = Severity.MEDIUM
    severities: dict[str, Severity] = {}
    tag: OutcomeTag = OutcomeTag.LIKELY_DEFECT
    folders: Annotated[tuple[Word, ...], Meta(max_length=16)] = ()
    """Folders that the program needs, shown read-only."""


def commands(name: str, value: object, root: Path) -> Iterator[tuple[Declaration, Extension]]:
    """The command of this section, once for each combination of its options."""
    declared, rest = _parted(value, name)
    made: Command = _converted(rest, Command, name)
    declaration: Declaration = _converted(declared, Declaration, name)
    if declaration.takes:
        raise wrong(f"{name}.takes", "a command line works on files: results cannot be given to it")
    if INPUT not in made.command[1:] or any(INPUT in word and word != INPUT for word in made.command):
        raise wrong(f"{name}.command", "needs {input} as a word of its own")
    if made.pattern and (why := problem(made.pattern)):
        raise wrong(f"{name}.pattern", why)
    exits = {code: _outcome(said, f"{name}.exit") for code, said in made.exit.items()}
    if not all(code.isdecimal() and int(code) <= 255 for code in exits):
        raise wrong(f"{name}.exit", "exit codes are numbers up to 255")
    said = {word for words_ in exits.values() for word in words_ if word in OutcomeTag._value2member_map_}
    tags = (*declaration.tags, made.tag, *(member(OutcomeTag, word) for word in sorted(said)))
    for variant in _variants(name, made.options, made.command, f"{name}.command"):
        words = tuple(variant.fill(word) for word in made.command)
        program, shown = _program(words[0], made.folders, root, name)
        yield (
            msgspec.structs.replace(declaration, tags=tuple(dict.fromkeys(tags))),
            Extension(
                sort="command",
                own=variant.name,
                command=(program, *words[1:]),
                exits=exits,
                pattern=made.pattern,
                severity=made.severity.value,
                severities={key.lower(): severity.value for key, severity in made.severities.items()},
                tag=made.tag.value,
                shown=shown,
            ),
        )


def _parted(value: object, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The declaration, and the rest."""
    if not isinstance(value, dict):
        raise wrong(key, "a table is needed")
    declared = {name: entry for name, entry in value.items() if name in KEYS}
    return declared, {name: entry for name, entry in value.items() if name not in KEYS}


def _converted(value: object, type_: Any, key: str) -> Any:
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `")
        at = place.rstrip("`").removeprefix("$")
        # Of these messages only that about an unknown field quotes what stands there: its name.
        if unknown := _unknown.fullmatch(what):
            raise wrong(f"{key}{at}.{unknown['name']}", "unknown key: correct or remove it") from None
        raise wrong(f"{key}{at}", what.replace("`", "")) from None


def _variants(own: str, options: Choices, words: Iterable[str], key: str) -> list[Variant]:
    """Every combination of the options that these words name; each has a list of values."""
    if not free(own):
        raise wrong(own, NAMED)
    names = [name for name in used(words) if name != "input"]
    if not set(names) <= set(options):
        raise wrong(key, "a placeholder without a list of values under options")
    found = variants(own, options, names)
    if not found:
        raise wrong(key, f"at most {MOST} combinations of options are offered: list fewer values")
    return found


def _outcome(said: tuple[str, ...] | str, key: str) -> tuple[str, ...]:
    words = (said,) if isinstance(said, str) else said
    known = {status.value for status in (*STATUSES, *Severity, *OutcomeTag)}
    if not words or not set(words) <= known:
        raise wrong(key, "words of the outcome are needed: a status, a severity, tags")
    return words


def _program(word: str, folders: tuple[str, ...], root: Path, key: str) -> tuple[str, tuple[str, ...]]:
    """The program's place, found now, and what has to be shown so that it can run."""
    found = word if word.startswith("/") else shutil.which(word, path=_path())
    if found is None:
        # Told when it is called: a tool that is not there must not stop everything else.
        found = word
    elif _inside(found, root):
        raise wrong(f"{key}.command", "a program of the observed folder is not run: it is content")
    shown = [needed(folder, root, f"{key}.folders[{number}]") for number, folder in enumerate(folders)]
    covered = tuple(f"{program}/" for program in (*shown, *PROGRAMS, *SYSTEM))
    shown += [link for link in _links(found) if not link.startswith(covered)]
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
        raise wrong(key, "an absolute path is needed")
    place = os.path.realpath(os.path.expanduser(path))  # noqa: PTH111
    if not os.path.exists(place):  # noqa: PTH110
        raise wrong(key, "there is nothing at this path")
    if _inside(place, root):
        raise wrong(key, "it lies in the observed folder, whose content runs nothing: keep it elsewhere")
    return place


def _inside(path: str, root: Path) -> bool:
    """Whether either holds the other, by their real places."""
    place, folder = os.path.realpath(path), os.path.realpath(root)
    return os.path.commonpath((place, folder)) in (place, folder)


def _path() -> str:
    """Where programs are: no relative entry, which would name a program of the folder that we were started in."""
    return os.pathsep.join(folder for folder in os.get_exec_path() if folder.startswith("/"))


def wrong(key: str, need: str) -> ConfigError:
    """Say what a key of the section needs; of the key only what can be printed."""
    name = "".join(character if character.isascii() and character.isprintable() else "?" for character in key)[:120]
    return ConfigError(f"capabilities.{name}: {need}")
