"""Configuration: what the person set in their own folder, and what an observed folder brings along.

    $XDG_CONFIG_HOME/plantwin/config.toml     the person's own word
    ROOT/plantwin.toml                        content of the observed folder: it may add, never take away

Here the section `[detect]` is read. The person's file may hold further sections, which are settings of
the trusted core; an observed folder may not. Both are checked whole before anything is done. A mistake in the
person's file stops the command. One in an observed folder stops nothing: that file is content, so it is left out as
a whole, and `problem` says so. A message names the file and the key and says what is needed there; it never quotes
what stands there.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.errors import ConfigError
from plantwin.private.detect.allow import FOLDER, USER, Allowance, Policy, path_pattern
from plantwin.private.facts import private

if TYPE_CHECKING:
    from plantwin.private.detect.rules import Rule

NAME = "plantwin.toml"
LIMIT = 256 << 10
"""Bytes of a config or rule file at most."""
MOST = 1_000
"""Rows of an allow-list at most."""
MOST_FILES = 50
FOLDER_RULES = 100
"""Rules of an observed folder at most, over all its files: each takes the engine time to compile."""
DOTS = 100
"""Dots on a line at most: the time to read a dotted key grows with the square of its parts."""
SETTINGS = (
    "budget", "limits", "audiences", "policy", "ledger", "sandbox", "labels", "approval", "rules", "session", "twin",
    "privacy", "goal", "model", "planner", "planners", "capabilities", "engines",
)  # fmt: skip
"""Sections of the person's own file that others read and check."""
_TYPE = re.compile(r"[a-z][a-z0-9_]{2,39}")
_DIGEST = re.compile(r"[0-9a-fA-F]{64}")


@private
class Config(NamedTuple):
    """What detection is told on top of what is shipped."""

    rules: tuple[Rule, ...] = ()
    policy: Policy = Policy()
    digest: str = ""
    """Names all of it: what was found with one configuration says nothing about another. Empty for none."""
    problem: str = ""
    """Why the observed folder's file was left out as a whole; empty where it was not."""


def config_folder() -> Path:
    """`plantwin` in the user's XDG config folder."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    root = Path(base) if base.startswith("/") else Path(os.path.expanduser("~")) / ".config"  # noqa: PTH111
    return root / "plantwin"


def load(root: Path | None = None, *, folder: Path | None = None) -> Config:
    """The configuration for looking at `root`; without files, an empty one."""
    parts = [_read((folder or config_folder()) / "config.toml", USER)]
    problem = ""
    if root is not None:
        try:
            parts.append(_read(root / NAME, FOLDER))
        except ConfigError as error:
            problem = f"{error}. The file is left out as a whole; the built-in rules and yours hold."
        except Exception as error:  # whatever its content makes fail, it must not stop anything
            problem = f"{NAME} (in the observed folder) cannot be used ({type(error).__name__}) and is left out."
    rules = tuple(rule for part in parts for rule in part.rules)
    kept = [part for part in parts if part.digest]
    digest = hashlib.sha256("/".join(part.digest for part in kept).encode()).hexdigest()[:32] if kept else ""
    policy = Policy((row for part in parts for row in part.allow), (row for part in parts for row in part.off))
    return Config(rules, policy, digest, problem)


class _Part(NamedTuple):
    rules: tuple[Rule, ...] = ()
    allow: tuple[Allowance, ...] = ()
    off: tuple[tuple[str, str], ...] = ()
    digest: str = ""


class _Reader:
    """Checks one file, key by key."""

    def __init__(self, path: Path, by: str) -> None:
        self.path = path
        self.by = by
        self.digest = hashlib.sha256(by.encode())
        self.room = LIMIT if by == FOLDER else LIMIT * (MOST_FILES + 1)
        """Bytes that may still be read, over all files."""

    def wrong(self, key: str, need: str) -> ConfigError:
        """The error for a key."""
        name = "".join(character if character.isascii() and character.isprintable() else "?" for character in key)[:80]
        return ConfigError(f"{self.path.name} ({_whose(self.by)}): {name}: {need}")

    def text(self, path: Path, key: str) -> str:
        """The text of a file, which also goes into the digest."""
        data = _bytes(path, None if self.by == USER else self.path.parent)
        if isinstance(data, str):
            raise self.wrong(key, data)
        self.room -= len(data)
        if self.room < 0:
            raise self.wrong(key, f"larger than {LIMIT >> 10} KiB with all its rule files: make them smaller")
        if any(line.count(b".") > DOTS for line in data.splitlines()):
            raise self.wrong(key, f"a line with more than {DOTS} dots: break it up")
        self.digest.update(b"\0" + data)
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise self.wrong(key, "the file is not UTF-8 text: save it as UTF-8") from None

    def table(self, value: Any, key: str, known: Iterable[str]) -> dict[str, Any]:
        """A table with known keys alone."""
        if not isinstance(value, dict):
            raise self.wrong(key, "a table is needed")
        for name in value:
            if name not in known:
                raise self.wrong(f"{key}.{name}" if key else name, f"unknown key: use {', '.join(known)} or remove it")
        return value

    def rows(self, value: Any, key: str, most: int) -> list[Any]:
        """A list of bounded length."""
        if not isinstance(value, list):
            raise self.wrong(key, "a list is needed")
        if len(value) > most:
            raise self.wrong(key, f"at most {most} entries are allowed")
        return value

    def word(self, value: Any, key: str, need: str, fits: Callable[[str], object]) -> str:
        """A text that fits."""
        if not isinstance(value, str) or not fits(value):
            raise self.wrong(key, need)
        return value


def _read(path: Path, by: str) -> _Part:
    if not os.path.lexists(path):
        return _Part()
    import tomllib  # Most scans find no file here and need not pay for reading one.

    reader = _Reader(path, by)
    text = reader.text(path, "file")
    try:
        tree = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r"line \d+", str(error))
        raise reader.wrong(place[0] if place else "file", "not valid TOML: correct it there") from None
    tree = reader.table(tree, "", ("detect", *SETTINGS) if by == USER else ("detect",))
    if by == USER:
        if "detect" not in tree:
            return _Part()
        # A change of another section changes nothing that was found.
        reader.digest = hashlib.sha256(by.encode() + repr(tree["detect"]).encode("utf-8", "replace"))
    section = reader.table(tree.get("detect", {}), "detect", ("rules", "allow", "disable"))
    rules = tuple(
        rule
        for number, name in enumerate(reader.rows(section.get("rules", []), "detect.rules", MOST_FILES))
        for rule in _rules(reader, name, f"detect.rules[{number}]")
    )
    if by == FOLDER and len(rules) > FOLDER_RULES:
        raise reader.wrong("detect.rules", f"more than {FOLDER_RULES} rules in all: leave some out")
    allow = tuple(
        _allowance(reader, row, f"detect.allow[{number}]")
        for number, row in enumerate(reader.rows(section.get("allow", []), "detect.allow", MOST))
    )
    off = tuple(
        (by, reader.word(name, f"detect.disable[{number}]", "a type of finding is needed", _TYPE.fullmatch))
        for number, name in enumerate(reader.rows(section.get("disable", []), "detect.disable", MOST))
    )
    return _Part(rules, allow, off, reader.digest.hexdigest())


def _rules(reader: _Reader, name: Any, key: str) -> tuple[Rule, ...]:
    import msgspec

    need = "the path of a rule file is needed, relative to this file"
    text = reader.word(name, key, need, lambda text_: 0 < len(text_) < 1000 and "\0" not in text_)
    path = reader.path.parent / text
    if reader.by == FOLDER and (Path(text).is_absolute() or ".." in Path(text).parts):
        raise reader.wrong(key, "a rule file must be inside the observed folder: name it without leading / or ..")
    rules = _checked(reader.text(path, key))
    if isinstance(rules, str):
        raise reader.wrong(key, rules)
    return tuple(msgspec.structs.replace(rule, origin=reader.by) for rule in rules)


@lru_cache(16)
def _checked(text: str) -> tuple[Rule, ...] | str:
    """The rules of a file's text, or what is wrong with them. A command reads its configuration more than once."""
    from plantwin.private.detect.rules import parse, refused

    try:
        rules = parse(text)
    except ConfigError as error:
        return str(error)
    return refused(rules) or rules


def _allowance(reader: _Reader, row: Any, key: str) -> Allowance:
    row = reader.table(row, key, ("type", "path", "sha256", "reason"))
    if not row.keys() & {"type", "path", "sha256"}:
        raise reader.wrong(key, "name what is allowed: type, path or sha256")
    reader.word(row.get("reason"), f"{key}.reason", "say why, in a sentence", str.strip)
    type_ = path = digest = ""
    if "type" in row:
        type_ = reader.word(row["type"], f"{key}.type", "a type of finding is needed", _TYPE.fullmatch)
    if "path" in row:
        path = reader.word(
            row["path"], f"{key}.path", "a path with * is needed", lambda pattern: 0 < len(pattern) <= 200
        )
    if "sha256" in row:
        need = "64 hexadecimal digits are needed: the SHA-256 of the value itself"
        digest = reader.word(row["sha256"], f"{key}.sha256", need, _DIGEST.fullmatch).lower()
    return Allowance(reader.by, type_, path_pattern(path) if path else None, digest)


def _bytes(path: Path, inside: Path | None) -> bytes | str:
    """A regular file's content, or what is wrong with it. Links inside an observed folder are not followed."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (os.O_NOFOLLOW if inside else 0)
    try:
        if inside and path.parent.resolve(strict=True) != inside.resolve(strict=True) / path.parent.relative_to(inside):
            return "leads through a link: put the file itself there"
        handle = os.open(path, flags)
    except OSError as error:
        return f"cannot be read ({error.strerror or 'error'}): make it a readable file or remove it"
    try:
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return "not a regular file: put one there or remove it"
            data = file.read(LIMIT + 1)
    except OSError as error:
        return f"cannot be read ({error.strerror or 'error'}): make it a readable file or remove it"
    return data if len(data) <= LIMIT else f"larger than {LIMIT >> 10} KiB: make it smaller"


def _whose(by: str) -> str:
    return "your configuration" if by == USER else "in the observed folder"
