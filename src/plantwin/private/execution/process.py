"""Runs one program to its end, within a time and with bounded output, and leaves nothing of it running."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, NamedTuple, TypedDict, Unpack

from plantwin.private.execution.kernel import release, watch
from plantwin.private.facts import private
from plantwin.types.verdict import Failure

CHUNK = 1 << 18
FAREWELL = 5.0
"""Seconds in which what was killed has to be gone."""

_INSIDE = re.compile(rb'"child-pid":\s*(\d{1,9})')
_SIGNALS = frozenset(int(signum) for signum in signal.Signals)
_BY_SIGNAL = {
    signal.SIGXCPU: Failure.TIMEOUT,
    signal.SIGINT: Failure.INTERRUPTED,
    signal.SIGTERM: Failure.INTERRUPTED,
    signal.SIGHUP: Failure.INTERRUPTED,
}


@private
class Ended(NamedTuple):
    """How a program ended, with what it wrote."""

    output: bytes = b""
    failure: Failure | None = None
    by_person: bool = False
    """Whether it was ended because a person interrupted us."""


class Users(NamedTuple):
    """Who the sandbox's `nobody` is outside, where its root is root."""

    user: int
    group: int
    go_on: int
    """Where it is told to go on."""


class Ways(TypedDict, total=False):
    """How a program is started."""

    descriptors: Sequence[int]
    environment: Mapping[str, str] | None
    folder: str
    information: int
    options: Sequence[str]
    users: Users | None


class Bounds(NamedTuple):
    """What the one who waits has to know of the limits."""

    seconds: float
    cpu: int
    output: int


class Program:
    """A program in a session of its own. It is given something once, after it has written something; then it ends."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        descriptors: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
        folder: str = "/",
        information: int = -1,
        options: Sequence[str] = (),
        users: Users | None = None,
    ) -> None:
        """Start `command`; `OSError` where that cannot be.

        `information`: where a sandbox tells the number of its first process, with which everything inside it ends.
        `options`: of the sandbox, given to it when the guard knows of it.
        `users`: who its users are outside, for one that waits to be told.
        """
        self._look = _Inside(information)
        reading, writing = os.pipe() if options else (-1, -1)
        words = [command[0], "--args", str(reading), *command[1:]] if options else command
        try:
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=dict(environment or {}),
                cwd=folder,
                pass_fds=(*descriptors, *([reading] if options else ())),
                start_new_session=True,
            )
        except BaseException:
            _close(reading, writing)
            raise
        try:
            _close(reading)
            # Until it has its options, a sandbox has begun nothing: no moment at which the guard would miss some of it.
            watch(self._process.pid)
            _write(writing, "\0".join((*options, "")).encode("utf-8", "surrogateescape"))
            writing = _close(writing)
            if users is not None:
                self._look.map(users, lambda: self.alive)
                _write(users.go_on, b"x")
        except BaseException:
            _close(writing)
            self.end()
            raise

    @property
    def alive(self) -> bool:
        """Whether it has not ended by itself."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self._process.returncode is None and os.waitid(os.P_PID, self._process.pid, flags) is None

    @property
    def pipes(self) -> tuple[int, int]:
        """Descriptors of its input and its output, for talking with it instead of finishing it; neither waits."""
        found = tuple(pipe.fileno() for pipe in _pipes(self._process))
        for descriptor in found:
            os.set_blocking(descriptor, False)
        return found[0], found[1]

    def failure(self, seconds: float = 2.0) -> Failure:
        """Why it closed its output although it was not asked to. Nothing of it is left then."""
        _awaited(self._process, time.monotonic() + seconds)
        self.end()
        return _failure(self._process.returncode, False) or Failure.CRASHED

    def finish(self, given: bytes, bounds: Bounds) -> Ended:
        """Once it has written something, give it `given`; return what it wrote. Nothing of it is left then."""
        deadline = time.monotonic() + bounds.seconds
        before = _cpu()
        process = self._process
        try:
            with _inside(process, self._look) as look:
                output, failure = _exchange(process, given, deadline, bounds.output, look)
                if failure is None:
                    failure = _awaited(process, deadline)
        except KeyboardInterrupt:
            return Ended(failure=Failure.INTERRUPTED, by_person=True)
        except OSError:
            return Ended(failure=Failure.CRASHED)
        finally:
            _end(process)
        if failure is None:
            failure = _failure(process.returncode, _cpu() - before >= bounds.cpu)
        return Ended(output if failure is None else b"", failure)

    def end(self) -> None:
        """End it without having given it anything. Once it has ended there is nothing to do."""
        if self._process.returncode is not None:
            return
        with _inside(self._process, self._look):
            pass
        _end(self._process)


def run(command: Sequence[str], given: bytes, bounds: Bounds, **more: Unpack[Ways]) -> Ended:
    """Run `command` to its end; once it has written something, give it `given`; return what it wrote."""
    try:
        program = Program(command, **more)
    except KeyboardInterrupt:
        return Ended(failure=Failure.INTERRUPTED, by_person=True)
    except OSError:
        return Ended(failure=Failure.CRASHED)
    return program.finish(given, bounds)


def _exchange(
    process: subprocess.Popen[bytes], given: bytes, deadline: float, most: int, look: _Inside
) -> tuple[bytes, Failure | None]:
    """Write and read until the program closes its output."""
    stdin, stdout = _pipes(process)
    waiting, size = memoryview(given), 0
    parts: list[bytes] = []
    os.set_blocking(stdin.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(stdout, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if key.fileobj is stdin:
                    waiting = _written(stdin, waiting)
                    if not waiting:
                        selector.unregister(stdin)
                        stdin.close()
                    continue
                part = os.read(stdout.fileno(), CHUNK)
                if not part:
                    return b"".join(parts), None
                if not parts:
                    look.open()
                    selector.register(stdin, selectors.EVENT_WRITE)
                parts.append(part)
                size += len(part)
                if size > most:
                    return b"", Failure.OUTPUT_TOO_LARGE
    return b"", Failure.TIMEOUT


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise OSError("no pipes")
    return process.stdin, process.stdout


def _written(stdin: IO[bytes], waiting: memoryview) -> memoryview:
    """What is still to be written; nothing when nobody reads."""
    try:
        return waiting[os.write(stdin.fileno(), waiting[:CHUNK]) :]
    except BlockingIOError:
        return waiting
    except BrokenPipeError:
        return waiting[:0]


def _awaited(process: subprocess.Popen[bytes], deadline: float) -> Failure | None:
    """Wait for the end without taking note of it: until then its number, and that of its group, stay its own."""
    if not hasattr(os, "waitid"):
        # Some systems have it only under newer interpreters; there the group cannot be told apart once it has ended.
        try:
            process.wait(max(deadline - time.monotonic(), 0.05))
        except subprocess.TimeoutExpired:
            return Failure.TIMEOUT
        return None
    pause, flags = 0.0002, os.WEXITED | os.WNOHANG | os.WNOWAIT
    deadline = max(deadline, time.monotonic() + 0.05)
    while os.waitid(os.P_PID, process.pid, flags) is None:
        if time.monotonic() > deadline:
            return Failure.TIMEOUT
        time.sleep(pause)
        pause = min(pause * 2, 0.02)
    return None


class _Inside:
    """The first process inside a sandbox, held so that its number cannot come to mean another."""

    def __init__(self, information: int) -> None:
        self._information = information
        self._number = 0
        self._held = -1
        if information >= 0:
            os.set_blocking(information, False)

    def open(self) -> None:
        """Take hold of it, as soon as the sandbox has told which it is."""
        if self._information < 0 or self._held >= 0:
            return
        with contextlib.suppress(OSError):
            told = _INSIDE.search(os.read(self._information, 4096))
            if told is not None:
                self._number = int(told[1])
                self._held = os.pidfd_open(self._number)

    def map(self, users: Users, alive: Callable[[], bool]) -> None:
        """Say who its users and groups are outside, as soon as it has told which it is."""
        until = time.monotonic() + FAREWELL
        with selectors.DefaultSelector() as selector:
            selector.register(self._information, selectors.EVENT_READ)
            while not selector.select(0.05) and alive() and time.monotonic() < until:
                pass
        self.open()
        if self._held < 0:
            raise OSError("the sandbox did not start")
        for kind, number in (("uid_map", users.user), ("gid_map", users.group)):
            # In one write, as the kernel demands. Its number is its own while it is held and waits.
            with open(f"/proc/{self._number}/{kind}", "wb", buffering=0) as file:  # noqa: PTH123
                file.write(b"0 0 1\n65534 %d 1\n" % number)

    def end(self) -> None:
        """Kill it, and return when it and all others in there are gone: the kernel ends it last."""
        if self._held < 0:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(self._held, signal.SIGKILL)
        with selectors.DefaultSelector() as selector:
            selector.register(self._held, selectors.EVENT_READ)
            selector.select(FAREWELL)
        os.close(self._held)
        self._held = -1


@contextlib.contextmanager
def _inside(process: subprocess.Popen[bytes], look: _Inside) -> Iterator[_Inside]:
    try:
        yield look
    finally:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            look.open()
            _kill(process)
            look.end()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group. While it is not reaped, whether it has ended or not, its number cannot be another's."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave nothing of it behind."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        _kill(process)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        release(process.pid)
        process.wait()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view and descriptor >= 0:
        view = view[os.write(descriptor, view) :]


def _close(*descriptors: int) -> int:
    for descriptor in descriptors:
        if descriptor >= 0:
            os.close(descriptor)
    return -1


def _failure(code: int, spent: bool) -> Failure | None:
    """What an exit code means. The sandbox reports a signal as 128 and its number."""
    if code == 0:
        return None
    number = -code if code < 0 else code - 128
    if number == signal.SIGKILL:
        # Nobody here sent it: the kernel did, for processor time or for want of memory.
        return Failure.TIMEOUT if spent else Failure.MEMORY
    return _BY_SIGNAL.get(signal.Signals(number), Failure.CRASHED) if number in _SIGNALS else Failure.CRASHED


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
