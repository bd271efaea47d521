"""X, observed: a folder and its index, and how a scan brings the index up to date."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError, RootError
from plantwin.private import catalogue
from plantwin.private.config import load
from plantwin.private.facts import Entry, Private, Summary
from plantwin.private.index import PARTS, DamageError, Index, Row, Signature, unpack
from plantwin.private.memory import Memory
from plantwin.private.observe.git import History, history, remembered
from plantwin.private.observe.walk import Tally, named, walk
from plantwin.private.scan import Scan, uncollected
from plantwin.private.state import KEPT, State, digest_value
from plantwin.vocabulary import SemanticClass, member

if TYPE_CHECKING:
    from plantwin.private.cluster import Cluster

FEW_FILES = 48
FEW_BYTES = 1_500_000
"""Up to so much is read in this process; more is worth starting workers for."""
AGES = 3.0
"""Seconds for the commits before the last month, the first time: files that are not met by then are the oldest."""
_SCANNING = threading.Lock()
KEEP_EVERY = 2_000
"""Files between two writes to the index: what a killed scan loses at most."""

Progress = Callable[[int, int | None, str], None]
Clock = Callable[[], float]


class Environment(Private):
    """A private folder. `scan()` reads what changed and gives the local view of it."""

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        state: str | os.PathLike[str] | None = None,
        ignore: bool = True,
        keep: bool = True,
        only: Collection[str] | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """`root`: a folder, or one file, which is then all that there is. `state`: another state folder.

        `ignore`: honour ignore files. `keep`: keep an index on disk. `only`: paths below the root; other files are
        not looked at, and nothing is kept. `cluster`: machines that read files and carry out steps.
        """
        self.cluster = cluster
        self.root, self.only = _folder(root)
        if only is not None:
            self.only = tuple(only)
        self.ignore = ignore
        self._config = load(self.root)
        self._state = State(state, keep=keep)
        # An index of some files would pass for one of the folder, without the others.
        self._keep = keep and self.only is None
        self._index: Index | Memory = self._kept() if self._keep else Memory()

    def _kept(self) -> Index:
        name = self._state.keyed("index", os.fsencode(self.root) + bytes([self.ignore])).hex()[:32]
        return Index(self._state.subfolder("index") / f"{name}.db", self._version())

    def _version(self) -> str:
        return catalogue.version(self._config.digest)

    def _configure(self) -> None:
        """Read the configuration as it is now: with another one, everything that was found says nothing any more."""
        config = load(self.root)
        changed, self._config = config.digest != self._config.digest, config
        if changed:
            self._index.restart(self._version())

    def own(self) -> tuple[str, ...]:
        """What of our own state lies below the root, as starts of paths: the whole folder, or what we keep in it."""
        state = Path(os.path.realpath(self._state.folder))
        places = (state,) if state != self.root else tuple(state / name for name in KEPT)
        return tuple(
            f"{place.relative_to(self.root).as_posix()}/" for place in places if place.is_relative_to(self.root)
        )

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def scan(self, *, jobs: int | None = None, progress: Progress | None = None, clock: Clock = time.time) -> Scan:
        """Read what changed since the last scan, relate it, and return the local view."""
        # One at a time in a process: what a worker is a fork of must not hold locks of another scan's thread.
        with _SCANNING:
            self._configure()
            try:
                return self._scan(jobs, progress, clock)
            except DamageError:
                self._index.renew()
                return self._scan(jobs, progress, clock)

    def _scan(self, jobs: int | None, progress: Progress | None, clock: Clock) -> Scan:
        say = progress or (lambda done, total, phase: None)
        phases: dict[str, float] = {}
        started = lap = time.perf_counter()

        def timed(phase: str) -> None:
            nonlocal lap
            now = time.perf_counter()
            phases[phase] = phases.get(phase, 0.0) + now - lap
            lap = now

        say(0, None, "walk")
        now = clock()
        warnings: list[str] = []
        if self._config.problem:
            warnings.append(self._config.problem)
        previous = remembered(self._index.past())
        past = history(self.root, now, previous=previous, ages=AGES, warn=warnings.append)
        if past is not None and past.complete and (previous is None or previous.head != past.head):
            self._index.keep_past(past.kept())
        timed("history")
        with uncollected():
            seen = _Seen(self, past, warnings)
        timed("walk")
        self._read(seen, jobs, say)
        timed("read")
        scan = Scan(self._index, past, now)
        say(seen.files, seen.files, "relate")
        if self._index.related_generation() != self._index.generation():
            scan.relate()
        timed("relate")
        scan.summary = seen.summary(self._index.summary(), time.perf_counter() - started, phases)
        return scan

    def _read(self, seen: _Seen, jobs: int | None, say: Progress) -> None:
        """Read the changed files and keep them, batch by batch; forget those that are gone."""
        workers = jobs if jobs is not None else (os.cpu_count() or 1)
        if workers < 1:
            raise InputError("jobs: at least 1")
        if seen.jobs:
            self._read_changed(seen, workers, say)
        if seen.gone:
            self._carry_corrections(seen)
            self._index.drop(seen.gone)

    def _read_changed(self, seen: _Seen, workers: int, say: Progress) -> None:
        # Loaded only when there is something to read: most scans find nothing changed.
        from plantwin.private.pool import Shared, may_fork, read_here, read_parallel

        few = len(seen.jobs) <= FEW_FILES and sum(size for _, size in seen.jobs) <= FEW_BYTES
        # A kept index is worth a worker even for one file: a parser that hangs there can be killed.
        alone = (few and not self._keep) or not may_fork()
        shared = Shared(self.root, partial(digest_value, self._state.value_key), self._config)
        if alone:
            batches = read_here(seen.jobs, shared)
        elif self.cluster is None or few:
            batches = read_parallel(seen.jobs, shared, 1 if few else workers)
        else:
            from plantwin.private.cluster import read_elsewhere

            here = lambda jobs: read_parallel(jobs, shared, workers)  # noqa: E731
            batches = read_elsewhere(seen.jobs, shared, self._state.value_key, self.cluster, here)
        generation = self._index.generation()
        met: set[str] = set()
        kept: list[Row] = []
        done = seen.files - len(seen.jobs)
        for rows in batches:
            read = [row for row in rows if row is not None]
            kept += read
            met.update(row.path for row in read)
            done += len(rows)
            say(done, seen.files, "read")
            if len(kept) >= KEEP_EVERY:
                self._index.keep(kept)
                kept.clear()
        if len(met) < len(seen.jobs):
            seen.vanished([path for path, _ in seen.jobs if path not in met])
        if kept and few and not seen.gone and self._index.related_generation() == generation:
            from plantwin.private.incremental import unchanged

            self._index.keep(kept, unchanged(self._index, kept, generation))
        elif kept:
            self._index.keep(kept)

    def _carry_corrections(self, seen: _Seen) -> None:
        """A renamed file keeps what the person said of it."""
        corrections = self._index.corrections()
        for (path, part), semantic_class in corrections.items():
            if (renamed := seen.renamed(path)) is not None and (renamed, part) not in corrections:
                self._index.correct(renamed, part, semantic_class)
                self._index.forget(path, part)

    def correct(self, number: int, semantic_class: str) -> None:
        """Keep the person's word on an object's class; it wins from now on."""
        path, part = self._place(number)
        self._index.correct(path, part, member(SemanticClass, semantic_class))

    def forget(self, number: int) -> bool:
        """Take a correction back; whether there was one."""
        return self._index.forget(*self._place(number))

    def signatures(self) -> dict[str, Signature]:
        """What the file system said of each file when it was read, by path."""
        return {path: signature for path, (_, signature) in self._index.signatures().items()}

    def corrections(self) -> dict[tuple[str, str], str]:
        """Corrected classes, by path and part."""
        return self._index.corrections()

    def _place(self, number: int) -> tuple[str, str]:
        for file, path, _mtime, blob in self._index.files():
            if file == number // PARTS:
                facts = unpack(blob)
                if number % PARTS < len(facts):
                    return path, facts[number % PARTS].part
        raise InputError("no such object: scan again")


class _Seen:
    """What the walk met, set against the index: what to read, what is gone, what is the same."""

    def __init__(self, environment: Environment, past: History | None, warnings: list[str]) -> None:
        self.tally = Tally()
        self.warnings = warnings
        self.jobs: list[tuple[str, int]] = []
        self.files = 0
        self._known = environment._index.signatures()
        self._new: dict[tuple[int, int, int], str] = {}
        tracked = past.tracked if past is not None else None
        self._left = left = set(self._known)
        own = environment.own()
        for entry in (
            walk(environment.root, ignore=environment.ignore, tracked=tracked, tally=self.tally, warn=self._warn)
            if environment.only is None
            else named(environment.root, environment.only, self.tally, self._warn)
        ):
            if own and entry.path.startswith(own):
                continue
            self.files += 1
            left.discard(entry.path)
            if self._changed(entry):
                self.jobs.append((entry.path, entry.size))
        self.gone = sorted(left)

    def vanished(self, paths: list[str]) -> None:
        """Files that were met and then could not be found to be read."""
        self.files -= len(paths)
        self._left.update(path for path in paths if path in self._known)
        self.gone = sorted(self._left)

    def _warn(self, code: str, path: str) -> None:
        if len(self.warnings) < 100:
            self.warnings.append(f"{code}: {path}")

    def _changed(self, entry: Entry) -> bool:
        known = self._known.get(entry.path)
        if known is None:
            self._new[entry.inode, entry.size, entry.mtime_ns] = entry.path
            return True
        return known[1] != entry[1:]  # which no unsettled one equals

    def renamed(self, path: str) -> str | None:
        """Where a file that is gone is now: a new name for the same inode, size and time (inodes are used again)."""
        known = self._known.get(path)
        if known is None or path not in self._left:
            return None
        return self._new.get((known[1].inode, known[1].size, known[1].mtime_ns))

    def summary(self, counted: bytes, seconds: float, phases: dict[str, float]) -> Summary:
        counts = catalogue.counted(counted)
        return Summary(
            files=self.files,
            objects=counts.objects,
            opaque=max(0, self.files - counts.files),
            skipped=self.tally.skipped,
            ignored=self.tally.ignored,
            kinds=dict(Counter(counts.kinds).most_common()),
            families=dict(Counter(counts.families).most_common()),
            sensitivities=dict(Counter(counts.sensitivities).most_common()),
            confidences=dict(Counter(counts.confidences).most_common()),
            edges=dict(Counter(counts.edges).most_common()),
            components=counts.components,
            read=len(self.jobs),
            bytes_read=sum(size for _, size in self.jobs),
            reused=self.files - len(self.jobs),
            removed=len(self.gone),
            seconds=seconds,
            phases=phases,
            allowed=counts.allowed,
            warnings=(
                *_allowed(counts.allowed),
                *self.warnings,
                *(f"{code}: {number} objects" for code, number in sorted(counts.warnings.items())),
            ),
        )


def _allowed(counts: dict[str, int]) -> Iterator[str]:
    """What is allowed, and what that does: an object's sensitivity never goes down in silence."""
    for note, by, effect in (
        ("allowed_here", "a comment or the folder's own plantwin.toml", "still in the sensitivity"),
        ("allowed_by_user", "your configuration", "left out of the sensitivity"),
    ):
        if many := counts.get(note, 0):
            objects = counts.get(f"{note}_objects", 0)
            yield (
                f"{note}: {by} allows {many:,} finding{'s' * (many != 1)} in {objects:,} object{'s' * (objects != 1)},"
                f" {effect}; to see: plantwin detect --allowed"
            )


def _folder(root: str | os.PathLike[str]) -> tuple[Path, tuple[str, ...] | None]:
    """The folder, and the one file of it that was named, where it was one."""
    try:
        folder = Path(root).expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        from plantwin.private.observe.changes import missing

        raise missing(root, RootError) from None
    if folder.is_dir():
        return folder, None
    if not folder.is_file():
        raise RootError("neither a folder nor a regular file: give one of them")
    return folder.parent, (folder.name,)
