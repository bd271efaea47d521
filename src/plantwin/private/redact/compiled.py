"""The rules in the form that the multi-pattern engine runs, kept on disk between processes.

Compiling takes the better part of a second; loading takes a millisecond. The stored form is used
only if it is ours (regular file, our user, private mode), intact (digest) and made by the same
rules, engine version and machine type. Anything else is ignored and made anew.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from plantwin.private.redact.rules import Rule, load, version

MAGIC = b"plantwin-rules-1\n"
LIMIT = 64 << 20
_AROUND = re.compile(rb"\(\?(?:<?[!=])")


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """What one cache file holds."""

    rules: tuple[Rule, ...]
    full: bytes
    quiet: bytes


class Compiled:
    """The rules with their two databases: all of them, and those that never grow too many."""

    __slots__ = ("full", "quiet", "rules")

    def __init__(self, rules: tuple[Rule, ...], full: Any, quiet: Any) -> None:
        self.rules = rules
        self.full = full
        self.quiet = quiet


def compiled(cache: str | None = None) -> Compiled:
    """The shipped rules, from the cache folder where it can be, compiled otherwise."""
    import hyperscan

    folder = Path(cache) if cache else _folder()
    engine = getattr(hyperscan, "__version__", "")
    key = hashlib.sha256(f"{version()} {engine} {platform.machine()}".encode()).hexdigest()[:32]
    path = folder / f"rules-{key}.bin"
    found = _read(path)
    if found is not None:
        return found
    made = build(load())
    _write(path, made)
    return made


def build(rules: Iterable[Rule]) -> Compiled:
    """Compile rules in memory."""
    rules = tuple(msgspec.structs.replace(rule, examples=(), counterexamples=()) for rule in rules)
    numbered = [(number, text.encode()) for number, rule in enumerate(rules) for text in dict.fromkeys(rule.searches)]
    calm = [(number, text) for number, text in numbered if not rules[number].noisy]
    return Compiled(rules, _database(numbered), _database(calm or numbered))


def _database(numbered: list[tuple[int, bytes]]) -> Any:
    import hyperscan

    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[text for _, text in numbered],
        ids=[number for number, _ in numbered],
        # Approximation is only for patterns that look around: it makes long ones match far too much.
        flags=[hyperscan.HS_FLAG_PREFILTER if _AROUND.search(text) else 0 for _, text in numbered],
    )
    return database


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if base.startswith("/") else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111
    return home / "plantwin"


def _read(path: Path) -> Compiled | None:
    """The stored form, or None for whatever reason it cannot be trusted."""
    import hyperscan

    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(file.fileno())
            ours = stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & 0o022
            if not ours or about.st_size > LIMIT:
                return None
            data = file.read(LIMIT)
        start = len(MAGIC) + 32
        if data[: len(MAGIC)] != MAGIC or hashlib.sha256(memoryview(data)[start:]).digest() != data[len(MAGIC) : start]:
            return None
        stored = msgspec.msgpack.decode(memoryview(data)[start:], type=Stored)
        full = hyperscan.loadb(stored.full, hyperscan.HS_MODE_BLOCK)
        quiet = hyperscan.loadb(stored.quiet, hyperscan.HS_MODE_BLOCK)
        for database in (full, quiet):
            database.scratch = hyperscan.Scratch(database)
    except (OSError, msgspec.MsgspecError, hyperscan.error, ValueError):
        return None
    return Compiled(stored.rules, full, quiet)


def _write(path: Path, made: Compiled) -> None:
    """Store for the next process: whole or not at all, readable by its owner. Failing is no error."""
    import hyperscan

    payload = msgspec.msgpack.encode(
        Stored(made.rules, bytes(hyperscan.dumpb(made.full)), bytes(hyperscan.dumpb(made.quiet)))
    )
    temporary = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".rules-")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(payload).digest() + payload)
        os.replace(temporary, path)  # noqa: PTH105
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
