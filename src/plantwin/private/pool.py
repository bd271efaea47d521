"""Workers that read files in parallel, each of which can be killed.

A parser may hang or crash on a hostile file. A worker says which file it is at; when it is stuck or
dies, that one file is given up, the worker is replaced, and the rest of its batch is done again.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import multiprocessing
import os
import resource
import signal
import struct
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from plantwin.errors import GateError
from plantwin.private.config import Config
from plantwin.private.facts import private
from plantwin.private.index import UNSETTLED, Row, pack

BATCH_FILES = 64
BATCH_BYTES = 2_000_000
QUEUED = 2
"""Batches in a worker's hands: one it works on, one that waits."""
PIPE_CHARACTERS = 16_000
PATIENCE = 30.0
"""Seconds that one file may take, and one more for each so many bytes:"""
PATIENCE_RATE = 2_000_000
MEMORY = 4 << 30
"""Most that a worker may map beyond what it was born with."""
COLLECTED = 50_000
"""Objects that a worker makes between two looks for cycles."""
MOST_WORKERS = 64
FALSE_STARTS = 8
"""Workers that may die before their first file until the scan is given up."""

Job = tuple[str, int]
"""A path and its size."""


@private
class Shared(NamedTuple):
    """What every worker needs."""

    root: Path
    digest_value: Callable[[bytes], int]
    config: Config = Config()


class _Worker:
    """One process, the batches it holds, and the page on which it says where it is."""

    def __init__(self, context: multiprocessing.context.ForkContext, shared: Shared, crew: Iterable[_Worker]) -> None:
        self.page = mmap.mmap(-1, 16)
        self.connection, theirs = context.Pipe()
        # A forked worker holds copies of our ends; unless it closes them, no worker sees us die.
        ours = [self.connection, *(worker.connection for worker in crew if not worker.connection.closed)]
        self.process = context.Process(target=_serve, args=(theirs, ours, self.page, shared), daemon=True)
        # Until the worker ignores interrupts, it must not get one: it would print a traceback.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
        self.batches: deque[list[Job]] = deque()

    def give(self, batch: list[Job]) -> None:
        self.batches.append(batch)
        # One that died meanwhile cannot be told; listening to it will show that, and its batches are done again.
        with contextlib.suppress(OSError):
            self.connection.send(batch)

    def at(self) -> tuple[int, float]:
        """Position in the current batch, and when it got there."""
        position, since = struct.unpack("qd", self.page[:16])
        return int(position), float(since)

    def started(self) -> bool:
        """Whether it ever got to a file."""
        return self.at()[1] > 0

    def stuck(self, now: float) -> bool:
        if not self.batches:
            return False
        position, since = self.at()
        batch = self.batches[0]
        size = batch[position][1] if 0 <= position < len(batch) else 0
        return since > 0 and now - since > PATIENCE + size / PATIENCE_RATE

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()
        self.page.close()


def _serve(connection: Connection, ours: list[Connection], page: mmap.mmap, shared: Shared) -> None:
    """A worker's life: batches in, rows out, until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    from plantwin.private.reading import Reader

    for each in ours:
        each.close()
    _limit_memory()
    # Parsing makes much and few cycles: they are looked for seldom, and not in what was there before.
    gc.freeze()
    gc.set_threshold(COLLECTED)
    reader = Reader(*shared)
    try:
        while True:
            batch: list[Job] = connection.recv()
            rows = []
            for position, (path, _size) in enumerate(batch):
                page[:16] = struct.pack("qd", position, time.monotonic())
                rows.append(_row(reader, path))
            connection.send(rows)
            page[:16] = struct.pack("qd", 0, time.monotonic())
    except (EOFError, OSError):
        os._exit(0)


def _limit_memory() -> None:
    """So much more than the worker was born with (it is a copy of who embeds us), within what it is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        mapped = 0
    most = min(limit for limit in (mapped + MEMORY, soft, hard) if limit != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _row(reader: object, path: str) -> Row | None:
    from plantwin.private.reading import Reader

    if not isinstance(reader, Reader):
        raise TypeError("reader")
    try:
        return reader.row(path)
    except MemoryError:
        return given_up(reader.root, path, "memory")
    except Exception as error:  # a stage that fails on one file must not fail the scan
        return given_up(reader.root, path, f"stage_{type(error).__name__.lower()}")


def given_up(root: Path, path: str, code: str, *, settled: bool = False) -> Row:
    """The row of a file that no stage could read; when settled, it is not tried again before it changes."""
    from plantwin.private.classify.extraction import unreadable
    from plantwin.private.reading import signature_of

    try:
        found = (root / path).lstat()
    except OSError:
        return Row(path, UNSETTLED, 0, b"", pack((unreadable(path, code),)))
    signature = signature_of(found) if settled else UNSETTLED
    return Row(path, signature, found.st_mtime_ns, b"", pack((unreadable(path, code),)))


def read_here(jobs: Iterable[Job], shared: Shared) -> Iterator[list[Row | None]]:
    """Read files in this process: where no worker is worth starting, or none may be."""
    from plantwin.private.reading import Reader

    reader = Reader(*shared)
    try:
        for batch in batches(jobs):
            yield [_row(reader, path) for path, _size in batch]
    finally:
        reader.close()


def batches(jobs: Iterable[Job], files: int = BATCH_FILES, size: int = BATCH_BYTES) -> Iterator[list[Job]]:
    """Groups of files of about equal work, in the order of the walk: of so many files and bytes at most."""
    batch: list[Job] = []
    weight = 0
    for job in jobs:
        batch.append(job)
        weight += job[1]
        if len(batch) >= files or weight >= size:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def may_fork() -> bool:
    """Whether this process may have workers: one that is a daemon itself, such as a pool's, may not."""
    return not multiprocessing.current_process().daemon


def read_parallel(jobs: Iterable[Job], shared: Shared, workers: int) -> Iterator[list[Row | None]]:
    """Read files in worker processes; yields rows batch by batch, as they come."""
    # Loaded once here: a part that is broken stops the scan instead of spoiling every file, workers inherit the
    # rest, and none spends its patience on compiling rules.
    from plantwin.private.detect import detector

    detector(config=shared.config)
    context = multiprocessing.get_context("fork")
    waiting = batches(jobs)
    again: deque[list[Job]] = deque()
    crew: list[_Worker] = []
    false_starts = 0

    def next_batch() -> list[Job] | None:
        return again.popleft() if again else next(waiting, None)

    try:
        for _ in range(min(workers, MOST_WORKERS)):
            try:
                crew.append(_Worker(context, shared, crew))
            except OSError:
                if not crew:
                    raise GateError(
                        "workers cannot be started: check the limits on processes, or use one job"
                    ) from None
                break  # fewer than wished for do the same work
        while True:
            for worker in crew:
                while len(worker.batches) < QUEUED and (batch := next_batch()) is not None:
                    if worker.batches and sum(len(path) for path, _size in batch) > PIPE_CHARACTERS:
                        # More than a pipe holds: only to a worker that is listening, or both sides could wait.
                        again.appendleft(batch)
                        break
                    worker.give(batch)
            busy = [worker for worker in crew if worker.batches]
            if not busy:
                return
            ready = wait([worker.connection for worker in busy], timeout=1.0)
            for worker in busy:
                rows: list[Row | None] | None = None
                if worker.connection in ready:
                    try:
                        rows = worker.connection.recv()
                    except (EOFError, OSError):
                        rows = None
                elif not worker.stuck(time.monotonic()):
                    continue
                if rows is not None:
                    worker.batches.popleft()
                    yield rows
                    continue
                if worker.started():
                    # Dead or stuck: give up the file it is at, do the rest again with a fresh worker.
                    yield _give_up(worker, again, shared.root)
                else:
                    # It died before its first file, so no file is to blame.
                    false_starts += 1
                    if false_starts > FALSE_STARTS:
                        raise GateError("workers cannot be started: check the limits on memory, or use one job")
                    again.extend(worker.batches)
                    worker.stop()
                crew[crew.index(worker)] = _Worker(context, shared, crew)
    finally:
        for worker in crew:
            worker.stop()


def _give_up(worker: _Worker, again: deque[list[Job]], root: Path) -> list[Row | None]:
    position, _ = worker.at()
    current, *queued = worker.batches
    culprit = current[min(position, len(current) - 1)]
    rest = [job for job in current if job is not culprit]
    if rest:
        again.append(rest)
    again.extend(queued)
    worker.stop()
    return [given_up(root, culprit[0], "timeout_or_crash", settled=True)]
