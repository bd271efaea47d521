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
from collections.abc import Callable, Iterable
from functools import cached_property
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
    database: bytes


class Compiled:
    """The rules with their databases: all of them, and (made when first asked for) those that never grow too many."""

    def __init__(self, rules: tuple[Rule, ...], full: Any, quiet: Callable[[], Any]) -> None:
        self.rules = rules
        self.full = full
        self._quiet = quiet

    @cached_property
    def quiet(self) -> Any:
        """Without the noisy rules."""
        return self._quiet()


def compiled(cache: str | None = None) -> Compiled:
    """The shipped rules, from the cache folder where it can be, compiled otherwise."""
    import hyperscan

    folder = Path(cache) if cache else _folder()
    engine = getattr(hyperscan, "__version__", "")
    key = hashlib.sha256(f"{version()} {engine} {platform.machine()}".encode()).hexdigest()[:32]

    def stored(name: str, noisy: bool) -> tuple[tuple[Rule, ...], Any]:
        path = folder / f"{name}-{key}.bin"
        found = _read(path)
        if found is None:
            rules = _bare(load())
            found = rules, _database(rules, noisy=noisy)
            _write(path, *found)
        return found

    rules, full = stored("rules", True)
    return Compiled(rules, full, lambda: stored("quiet", False)[1])


def build(rules: Iterable[Rule]) -> Compiled:
    """Compile rules in memory."""
    rules = _bare(rules)
    return Compiled(rules, _database(rules, noisy=True), lambda: _database(rules, noisy=False))


def _bare(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(msgspec.structs.replace(rule, examples=(), counterexamples=()) for rule in rules)


def _database(rules: tuple[Rule, ...], *, noisy: bool) -> Any:
    import hyperscan

    kept = [number for number, rule in enumerate(rules) if noisy or not rule.noisy] or range(len(rules))
    numbered = [(number, text.encode()) for number in kept for text in dict.fromkeys(rules[number].searches)]
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


def _read(path: Path) -> tuple[tuple[Rule, ...], Any] | None:
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
        database = hyperscan.loadb(stored.database, hyperscan.HS_MODE_BLOCK)
        database.scratch = hyperscan.Scratch(database)
    except (OSError, msgspec.MsgspecError, hyperscan.error, ValueError):
        return None
    return stored.rules, database


def _write(path: Path, rules: tuple[Rule, ...], database: Any) -> None:
    """Store for the next process: whole or not at all, readable by its owner. Failing is no error."""
    import hyperscan

    payload = msgspec.msgpack.encode(Stored(rules, bytes(hyperscan.dumpb(database))))
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
