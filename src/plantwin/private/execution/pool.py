"""Workers that serve many files of one step, as many as there are cores.

A file that crashes its worker, hangs or exhausts its memory costs that file: the worker is replaced, and what else
it was given goes to another. No more than a few files are held here for each worker.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from plantwin.private.execution.launcher import Worker
from plantwin.private.execution.process import CHUNK
from plantwin.private.execution.protocol import HEAD, READY, SERVE, frame
from plantwin.private.facts import Private, private
from plantwin.types.verdict import Failure

WINDOW = 3
"""Tasks that a worker holds: the one it works on, and the next ones, so that it never waits."""
WINDOW_BYTES = 4 << 20
"""Contents that a worker holds beyond one task."""
PATIENCE = 3
"""Workers in a row that may fail to start."""
LATEST = 0.1
"""Seconds after which the caller hears at least that nothing has come."""


@private
class Given(NamedTuple):
    """One task as a worker gets it."""

    number: int
    make: Callable[[str], bytes]
    """The task, with copies of its inputs below this folder."""
    size: int
    """About how many bytes that is."""


@private
class Answer(NamedTuple):
    """What came of a task."""

    number: int
    output: bytes = b""
    failure: Failure | None = None


class _Serving(Private):
    """One worker, what it holds, and what is still to be written to it."""

    def __init__(self, worker: Worker, request: bytes) -> None:
        self.worker = worker
        self.stdin, self.stdout = worker.program.pipes
        self.held: deque[Given] = deque()
        self.since = time.monotonic()
        """When it began with the first of these."""
        self.ready = False
        self.served = 0
        self.size = 0
        self.waiting: deque[memoryview] = deque([memoryview(SERVE + frame(request))])
        self.came = bytearray()
        self.greeted = False

    def give(self, task: Given) -> None:
        if not self.held and self.ready:
            self.since = time.monotonic()
        self.held.append(task)
        self.size += task.size
        self.waiting.append(memoryview(frame(task.make(self.worker.folder))))

    @property
    def room(self) -> bool:
        return not self.held or (len(self.held) < WINDOW and self.size < WINDOW_BYTES)

    def done(self) -> Given:
        task = self.held.popleft()
        self.size -= task.size
        self.served += 1
        self.since = time.monotonic()
        return task


class Pool(Private):
    """Carries out tasks; the answers come in the order in which they are ready."""

    def __init__(
        self, start: Callable[[], Worker | None], request: bytes, *, size: int, seconds: float, output: int
    ) -> None:
        """`start`: another worker. `request`: what each is told first. `seconds`, `output`: of one task."""
        self._start = start
        self._request = request
        self._size = size
        self._seconds = seconds
        self._output = output
        self._serving: list[_Serving] = []
        self._again: deque[Given] = deque()
        self._retried: set[int] = set()
        self._failures = 0
        self.gave_up = False
        """Whether no worker starts any more."""
        self._selector = selectors.DefaultSelector()

    def close(self) -> None:
        """End every worker; whatever they hold is not done."""
        for serving in list(self._serving):
            self._drop(serving)
        self._selector.close()

    def run(self, following: Callable[[], Given | None]) -> Iterator[Answer | None]:
        """Carry out tasks. `following`: the next one, asked when there is room; none where there is none at present.

        Nothing (`None`) comes at least every tenth of a second, so that whoever waits can look at the clock.
        """
        task: Given | None = None
        while True:
            while (task := task or self._next(following)) is not None:
                # Only now that there is a task: no worker starts where all is known already.
                serving = self._free()
                if serving is None:
                    break
                serving.give(task)
                task = None
            if self._failures > PATIENCE:
                self._again.extend([task] if task is not None else [])
                yield from self._given_up(following)
                return
            if any(serving.held for serving in self._serving):
                yield from self._turn()
                yield None
            elif task is None:
                return

    def _next(self, following: Callable[[], Given | None]) -> Given | None:
        return self._again.popleft() if self._again else following()

    def _free(self) -> _Serving | None:
        """A worker with room for a task: one that does nothing, else another, else the one that holds the least."""
        idle = next((serving for serving in self._serving if not serving.held), None)
        if idle is not None:
            return idle
        if len(self._serving) < self._size and self._failures <= PATIENCE:
            started = self._started()
            if started is not None:
                return started
        roomy = [serving for serving in self._serving if serving.room]
        return min(roomy, key=lambda serving: len(serving.held), default=None)

    def _started(self) -> _Serving | None:
        worker = self._start()
        if worker is None:
            self._failures += 1
            return None
        try:
            serving = _Serving(worker, self._request)
            self._selector.register(serving.stdout, selectors.EVENT_READ, serving)
            self._selector.register(serving.stdin, selectors.EVENT_WRITE, serving)
        except OSError:
            worker.end()
            self._failures += 1
            return None
        self._serving.append(serving)
        return serving

    def _turn(self) -> Iterator[Answer]:
        """Write and read what can be, and end what takes too long."""
        for worker in self._serving:
            self._want_write(worker)
        for key, _ in self._selector.select(LATEST):
            serving = key.data
            if serving not in self._serving:
                continue  # ended by what came before it in this turn
            if key.fd == serving.stdin:
                self._write(serving)
            else:
                yield from self._read(serving)
        now = time.monotonic()
        for late in [worker for worker in self._serving if worker.held and now - worker.since > self._seconds]:
            yield from self._lost(late, Failure.TIMEOUT)

    def _want_write(self, serving: _Serving) -> None:
        wanted = bool(serving.waiting)
        if wanted != (serving.stdin in self._selector.get_map()):
            if wanted:
                self._selector.register(serving.stdin, selectors.EVENT_WRITE, serving)
            else:
                self._selector.unregister(serving.stdin)

    def _write(self, serving: _Serving) -> None:
        try:
            while serving.waiting:
                part = serving.waiting[0]
                written = os.write(serving.stdin, part[:CHUNK])
                if written < len(part):
                    serving.waiting[0] = part[written:]
                else:
                    serving.waiting.popleft()
        except BlockingIOError:
            pass
        except BrokenPipeError:
            serving.waiting.clear()  # its output has ended too, and says so

    def _read(self, serving: _Serving) -> Iterator[Answer]:
        try:
            part = os.read(serving.stdout, CHUNK)
        except BlockingIOError:
            return
        if not part:
            yield from self._lost(serving, serving.worker.program.failure())
            return
        serving.came += part
        if not serving.greeted and serving.came.startswith(READY):
            serving.greeted = True
            del serving.came[: len(READY)]
        while serving.greeted and len(serving.came) >= HEAD.size:
            size = HEAD.unpack_from(serving.came)[0]
            if size > self._output:
                yield from self._lost(serving, Failure.OUTPUT_TOO_LARGE)
                return
            if len(serving.came) < HEAD.size + size:
                return
            output = bytes(serving.came[HEAD.size : HEAD.size + size])
            del serving.came[: HEAD.size + size]
            if not serving.ready:
                # The first reply says that it is confined, or why not.
                serving.ready, serving.since = True, time.monotonic()
                if output != b"{}":
                    yield from self._refused(serving, output)
                    return
                self._failures = 0
            elif not serving.held:
                self._drop(serving)  # it says what nobody asked
                return
            else:
                yield Answer(serving.done().number, output)

    def _refused(self, serving: _Serving, output: bytes) -> Iterator[Answer]:
        """It could not confine itself: no other will be able to."""
        self._failures = PATIENCE + 1
        held = list(serving.held)
        self._drop(serving)
        for task in held:
            yield Answer(task.number, output)

    def _lost(self, serving: _Serving, failure: Failure) -> Iterator[Answer]:
        """A worker is gone, or has to go: the task that it worked on failed, the others go to another worker."""
        held = list(serving.held)
        started = serving.ready
        alone = serving.served == 0
        self._drop(serving)
        if not started:
            self._failures += 1
            self._again.extendleft(reversed(held))
            return
        if not held:
            return
        first = held[0]
        if failure is Failure.MEMORY and not alone and first.number not in self._retried:
            # What files before it left behind must not cost this one.
            self._retried.add(first.number)
            self._again.extendleft(reversed(held))
            return
        self._again.extendleft(reversed(held[1:]))
        yield Answer(first.number, failure=failure)

    def _given_up(self, following: Callable[[], Given | None]) -> Iterator[Answer]:
        self.gave_up = True
        held = [task for serving in self._serving for task in serving.held]
        for task in (*held, *self._again, *iter(following, None)):
            yield Answer(task.number, failure=Failure.CRASHED)

    def _drop(self, serving: _Serving) -> None:
        self._serving.remove(serving)
        for descriptor in (serving.stdin, serving.stdout):
            with contextlib.suppress(KeyError, ValueError, OSError):
                self._selector.unregister(descriptor)
        serving.worker.end()
