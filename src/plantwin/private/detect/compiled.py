"""The rules in the form that the multi-pattern engine runs, kept on disk between processes.

Compiling takes about a second; loading takes a millisecond. The stored form is used
only if it is ours (regular file, our user, private mode), intact (digest) and made by the same
rules, engine version and machine type. Anything else is ignored and made anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plantwin.private.detect.rules import Rule, load, version

MAGIC = b"plantwin-rules-2\n"
LIMIT = 64 << 20
PATIENCE = 20.0
"""Seconds to wait for another process that compiles."""
KEPT = 12
"""Files in the cache folder: of older rules and other configurations, the oldest go."""
_AROUND = re.compile(rb"\(\?(?:<?[!=])")


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """What one cache file holds."""

    rules: tuple[Rule, ...]
    owners: tuple[int, ...]
    database: bytes


class Form(NamedTuple):
    """Rules in the engine's form."""

    database: Any
    owners: tuple[int, ...]
    """For each search of the database, the number of its rule: the engine compiles faster when no two share one."""


class Compiled:
    """The rules with their forms: all of them, and (made when first asked for) those that never grow too many."""

    def __init__(self, rules: tuple[Rule, ...], full: Form, quiet: Callable[[], Form]) -> None:
        self.rules = rules
        self.full = full
        self._quiet = quiet

    @cached_property
    def quiet(self) -> Form:
        """Without the noisy rules."""
        return self._quiet()


def compiled(cache: str | None = None, others: Iterable[Rule] = ()) -> Compiled:
    """The shipped rules and others, from the cache folder where it can be, compiled otherwise."""
    import hyperscan

    folder = Path(cache) if cache else _folder()
    engine = getattr(hyperscan, "__version__", "")
    more = _bare(others)
    extra = hashlib.sha256(msgspec.msgpack.encode(more)).hexdigest() if more else ""
    key = hashlib.sha256(f"{version()} {engine} {platform.machine()} {extra}".encode()).hexdigest()[:32]

    def stored(name: str, noisy: bool) -> tuple[tuple[Rule, ...], Form]:
        path = folder / f"{name}-{key}.bin"
        found = _read(path)
        if found is None:
            with alone(path):
                # Another process may have made it while this one waited.
                found = _read(path)
                if found is None:
                    rules = _bare(load()) + more
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


def _database(rules: tuple[Rule, ...], *, noisy: bool) -> Form:
    import hyperscan

    kept = [number for number, rule in enumerate(rules) if noisy or not rule.noisy] or range(len(rules))
    numbered = [(number, text.encode()) for number in kept for text in dict.fromkeys(rules[number].searches)]
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=[text for _, text in numbered],
        ids=list(range(len(numbered))),
        # Approximation is only for patterns that look around: it makes long ones match far too much.
        flags=[hyperscan.HS_FLAG_PREFILTER if _AROUND.search(text) else 0 for _, text in numbered],
    )
    return Form(database, tuple(number for number, _ in numbered))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the lock beside a file, so that several processes do not make it at once. Without one, go on anyway."""
    handle = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path.parent / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                # One that holds it longer than compiling takes is stuck: compiling twice is better than waiting on.
                if time.monotonic() > deadline:
                    break
                time.sleep(0.02)
    except OSError:
        pass  # A folder that cannot be written has no cache to guard either.
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if base.startswith("/") else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111
    return home / "plantwin"


def _read(path: Path) -> tuple[tuple[Rule, ...], Form] | None:
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
    return stored.rules, Form(database, stored.owners)


def _write(path: Path, rules: tuple[Rule, ...], form: Form) -> None:
    """Store for the next process: whole or not at all, readable by its owner. Failing is no error."""
    import hyperscan

    payload = msgspec.msgpack.encode(Stored(rules, form.owners, bytes(hyperscan.dumpb(form.database))))
    temporary = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".rules-")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(payload).digest() + payload)
        os.replace(temporary, path)  # noqa: PTH105
        _prune(path.parent)
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _prune(folder: Path) -> None:
    """Remove what was stored longest ago, beyond a few."""
    found = sorted(folder.glob("*-????????????????????????????????.bin"), key=lambda path: path.lstat().st_mtime_ns)
    for path in found[:-KEPT]:
        path.unlink(missing_ok=True)
