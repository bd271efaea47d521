"""Detection over files and folders, in the order of the walk: what `plantwin detect` shows.

Small files are looked at in worker processes, batch by batch; a large one is read in pieces here.
Either way memory does not grow with what is read.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from plantwin.errors import StageError
from plantwin.private.facts import private
from plantwin.private.observe.beneath import Beneath
from plantwin.private.pool import may_fork

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from plantwin.private.detect import Detector
    from plantwin.private.detect.locations import Located

CHUNK = 1 << 20
LARGE = 8 << 20
"""A file of more bytes is read here, in pieces."""
BATCH_FILES = 64
BATCH_BYTES = 2_000_000
AHEAD = 3
"""Batches given out for each worker, so that none waits."""

Warn = Callable[[str, str], None]
"""Takes a code and the path as shown."""


@private
class File(NamedTuple):
    """A file to look at."""

    shown: str
    """As a person finds it again."""
    root: str
    """The folder that was walked; empty for a file that was named, which is opened as it is."""
    path: str
    """Below the root."""
    size: int


@private
class Inspected(NamedTuple):
    """One file's findings, or why it could not be read to its end."""

    shown: str
    findings: Iterable[Located]
    size: int
    problem: str = ""


def detector_for(root: str = "") -> Detector:
    """The detector for a walked folder, with the person's configuration and the folder's own; without, the former."""
    from plantwin.private.config import load
    from plantwin.private.detect import detector

    return detector(config=load(Path(root) if root else None))


def roots(paths: Iterable[str]) -> list[str]:
    """The folders among the paths, as `files` walks them."""
    return [str(Path(path).resolve()) for path in paths if stat.S_ISDIR(_kind(path).st_mode)]


def problems(paths: Iterable[str]) -> list[str]:
    """Why the configuration of a folder among the paths was left out."""
    from plantwin.private.config import load

    return [problem for root in roots(paths) if (problem := load(Path(root)).problem)]


def files(paths: Iterable[str], *, ignore: bool = True, warn: Warn) -> Iterator[File]:
    """The files that paths name, and those below folders as a scan walks them. A path that is not there is refused."""
    kinds = [(path, _kind(path)) for path in paths]
    for path, found in kinds:
        if stat.S_ISDIR(found.st_mode):
            yield from _below(path, ignore, warn)
        else:
            yield File(path, "", path, found.st_size if stat.S_ISREG(found.st_mode) else LARGE + 1)


def _kind(path: str) -> os.stat_result:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        from plantwin.private.observe.changes import missing

        raise missing(path) from None


def _below(folder: str, ignore: bool, warn: Warn) -> Iterator[File]:
    from time import time

    from plantwin.private.observe.git import history
    from plantwin.private.observe.walk import walk

    prefix = "" if folder in (".", "./") else folder.rstrip("/") + "/"

    def told(code: str, path: str) -> None:
        warn(code, prefix + path)

    root = Path(folder).resolve()
    past = history(root, time(), warn=lambda _: None) if ignore else None
    tracked = past.tracked if past is not None else None
    for entry in walk(root, ignore=ignore, warn=told, tracked=tracked):
        yield File(prefix + entry.path, str(root), entry.path, entry.size)


def inspect(found: Iterable[File], *, jobs: int | None = None, cells: bool = False) -> Iterator[Inspected]:
    """Each file with its findings, in order. The findings of a large file are made while they are read.

    With `cells`, what stands in a column that is a finding itself is told as well.
    """
    source = iter(found)
    workers = jobs or os.cpu_count() or 1
    start = list(islice(source, BATCH_FILES + 1))
    if (
        workers == 1
        or not may_fork()
        or (len(start) <= BATCH_FILES and sum(file.size for file in start) <= 2 * BATCH_BYTES)
    ):
        yield from _here(_chained(start, source), cells)
        return
    yield from _parallel(_batches(_chained(start, source)), workers, cells)


def _chained(start: list[File], rest: Iterator[File]) -> Iterator[File]:
    yield from start
    yield from rest


def _here(found: Iterable[File], cells: bool) -> Iterator[Inspected]:
    reader = _Reader(cells)
    try:
        for file in found:
            yield reader.streamed(file) if file.size > LARGE else reader.whole(file)
    finally:
        reader.close()


def _batches(found: Iterator[File]) -> Iterator[list[File]]:
    """Groups of about equal work; a large file alone."""
    batch: list[File] = []
    weight = 0
    for file in found:
        if file.size > LARGE:
            if batch:
                yield batch
            yield [file]
            batch, weight = [], 0
            continue
        batch.append(file)
        weight += file.size
        if len(batch) >= BATCH_FILES or weight >= BATCH_BYTES:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _parallel(batches: Iterator[list[File]], workers: int, cells: bool) -> Iterator[Inspected]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("fork")
    crew = ProcessPoolExecutor(workers, mp_context=context, initializer=_enlisted, initargs=(os.getpid(), cells))
    waiting: deque[tuple[list[File], Future[list[Inspected]] | None]] = deque()
    reader = _Reader(cells)
    try:
        while True:
            while len(waiting) < workers * AHEAD and (batch := next(batches, None)) is not None:
                waiting.append((batch, None if batch[0].size > LARGE else _submitted(crew, batch)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            if future is None:
                yield reader.streamed(batch[0])
                continue
            yield from _result(batch, future)
    finally:
        crew.shutdown(cancel_futures=True)
        reader.close()


def _submitted(crew: ProcessPoolExecutor, batch: list[File]) -> Future[list[Inspected]]:
    """Hand a batch out. Ctrl-C waits meanwhile: workers that are half begun would never end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return crew.submit(_looked_at, batch)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(batch: list[File], future: Future[list[Inspected]]) -> list[Inspected]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        return future.result()
    except BrokenProcessPool:
        # A worker was killed: say so for each of its files rather than let them pass for clean.
        return [Inspected(path.shown, (), path.size, "worker_died") for path in batch]


_reader: _Reader | None = None


def _enlisted(parent: int, cells: bool) -> None:
    """A worker's first act: leave Ctrl-C to the parent, and end with it."""
    import threading
    import time

    global _reader
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _reader = _Reader(cells)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _looked_at(batch: list[File]) -> list[Inspected]:
    reader = _reader or _Reader()
    return [reader.whole(file) for file in batch]


class _Reader:
    """Opens files and looks at them. One per process."""

    def __init__(self, cells: bool = False) -> None:
        self._cells = cells
        self._roots: dict[str, Beneath] = {}
        self._detectors: dict[str, Detector] = {}

    def close(self) -> None:
        """Close what is open."""
        for root in self._roots.values():
            root.close()

    def whole(self, file: File) -> Inspected:
        """A small file, read to its end."""
        streamed = self.streamed(file)
        if streamed.problem:
            return streamed
        try:
            return streamed._replace(findings=list(streamed.findings))
        except StageError as error:
            return Inspected(file.shown, (), file.size, str(error))
        except Exception as error:  # one file that defeats detection must not end the rest
            return Inspected(file.shown, (), file.size, f"stage_{type(error).__name__.lower()}")

    def streamed(self, file: File) -> Inspected:
        """A file whose findings are made as they are asked for."""
        from plantwin.private.detect.locations import is_database, located, tabled

        found = self._detectors.get(file.root)
        if found is None:
            found = self._detectors[file.root] = detector_for(file.root)
        try:
            descriptor = self._open(file)
        except OSError as error:
            return Inspected(file.shown, (), file.size, code(error))
        findings = located(found, chunks(descriptor), read_as(file), cells=self._cells)
        if is_database(descriptor):
            findings = tabled(found, descriptor, read_as(file), findings)
        # What is no regular file was given a size only so that it is read in pieces.
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return Inspected(file.shown, findings, file.size if regular else 0)

    def _open(self, file: File) -> int:
        if not file.root:
            return os.open(file.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
        if file.root not in self._roots:
            self._roots[file.root] = Beneath(Path(file.root))
        return self._roots[file.root].open(file.path)


def chunks(descriptor: int) -> Iterator[bytes]:
    """The bytes of an open file, which is closed at its end."""
    try:
        while chunk := os.read(descriptor, CHUNK):
            yield chunk
    except OSError as error:
        raise StageError(code(error)) from None
    finally:
        os.close(descriptor)


def read_as(file: File) -> str:
    """The path that detection is told: below the walked folder; folders above what a person named say nothing."""
    if file.root:
        return file.path
    path = os.path.relpath(file.path)
    return path if not path.startswith("..") else path.rpartition("/")[2]


def code(error: OSError) -> str:
    """A short name of what went wrong."""
    return errno.errorcode.get(error.errno or 0, "EIO").lower()
