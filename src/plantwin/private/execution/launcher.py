"""Start workers: in a sandbox that shows their inputs and nothing else, or with limits alone where there is none.

The waiting room has workers that are started before their step, each in an empty sandbox of its own.

Starting an interpreter and loading a capability's libraries takes longer than most steps. A plan says what comes
next, so that can happen while the step before it runs. Such a worker knows the name of a built-in and nothing else
until it is given its job, or the files of one step; then it ends, like any other. None ever serves a second step.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.capabilities.adapters import installed as engines
from plantwin.private.execution import sandbox
from plantwin.private.execution.process import Bounds, Ended, Program, Users, run
from plantwin.private.execution.protocol import Limits, Request
from plantwin.private.execution.sandbox import interpreters
from plantwin.private.facts import Private
from plantwin.private.state import ADVISORIES
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName

if TYPE_CHECKING:
    from plantwin.config.settings import Settings
    from plantwin.private.state import State


_NAME = re.compile(r"worker-(\d{1,9})-\w+")


@contextlib.contextmanager
def scratch(place: Path | None) -> Iterator[str]:
    """A new folder below `place`, gone afterwards; so are those that a killed process left there."""
    if place is not None:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(place)
    folder = tempfile.mkdtemp(prefix=f"worker-{os.getpid()}-", dir=place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(place: Path) -> None:
    for path in place.iterdir():
        named = _NAME.fullmatch(path.name)
        if named is not None and not _runs(int(named[1])):
            shutil.rmtree(path, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


MB = 1 << 20
ENVELOPE = 1 << 16
"""What a reply may have beyond the result itself."""


class Launcher(Private):
    """Starts the workers of one session."""

    def __init__(
        self,
        root: Path,
        limits: Limits | None = None,
        *,
        private: Sequence[Path] = (),
        temporary: Path | None = None,
        boot: sandbox.Boot | None = None,
        semgrep: Path | None = None,
    ) -> None:
        """`private`: further folders that no worker may see. `temporary`: for workers without a sandbox.

        `semgrep`: rules of the person's for it.
        """
        self.tool = sandbox.bubblewrap()
        self.limits = limits or Limits()
        self.private = (root, *private)
        self.semgrep = semgrep if semgrep is not None and engines.semgrep() is not None else None
        self.root = root
        self.boot = boot or sandbox.Boot()
        self._temporary = temporary

    def programs(self, capability: Capability) -> bool:
        """Whether a capability starts programs: by its own, or because the person installed or has rules for one."""
        by_rules = capability.name is CapabilityName.SECURITY_AUDIT and self.semgrep is not None
        return capability.programs or by_rules or (not capability.own and engines.starts(capability))

    def bounds(self, capability: Capability) -> Limits:
        """Return the limits of a capability's calls."""
        limits = self.limits.within(capability.seconds)
        if capability.programs or not self.programs(capability):
            return limits
        # Its runtime reserves addresses, which it does not use.
        return msgspec.structs.replace(limits, memory=max(limits.memory, engines.SEMGREP_ADDRESSES))

    def launch(
        self,
        request: Request,
        descriptors: Sequence[int],
        copied: Collection[int],
        user: tuple[int, int] | None = None,
    ) -> Ended:
        """Start a worker, give it the request, and wait for its end."""
        limits = request.limits
        given, bounds = msgspec.json.encode(request), bounds_of(limits)
        if self.tool is not None:
            with _pipe() as (told, telling), _pipe() as (block, go_on):
                view = self._view(
                    limits,
                    telling,
                    descriptors,
                    copied=copied,
                    project=self.root if request.folder else None,
                    programs=request.programs,
                    shown=_shown(request, self.root),
                    block=block if user else -1,
                )
                start = self._start(0, (sandbox.HOME, *self.boot.folders))
                return run(
                    [view[0], "--", *start],
                    given,
                    bounds,
                    descriptors=(*descriptors, telling, *((block,) if user else ())),
                    information=told,
                    options=view[1:-1],
                    users=Users(*user, go_on) if user else None,
                )
        parent = str(Path(sandbox.package()).parent)
        with scratch(self._temporary) as folder:
            start = self._start(os.getpid(), (parent, *self.boot.folders))
            environment = {"TMPDIR": folder, "HOME": folder}
            return run(start, given, bounds, descriptors=descriptors, environment=environment, folder=folder)

    def waiting(self, name: str, *, programs: bool = False) -> Worker | None:
        """Start a worker that has no input and no job yet; none where that fails."""
        if self.tool is None:
            return self._unsandboxed(name)
        told, telling = os.pipe()
        try:
            start = self._start(0, (sandbox.HOME, *self.boot.folders), load=name)
            view = self._view(self.limits, telling, (), programs=programs)
            program = Program([view[0], "--", *start], descriptors=(telling,), information=told, options=view[1:-1])
            return Worker(program, told)
        except OSError:
            os.close(told)
            return None
        finally:
            os.close(telling)

    def _unsandboxed(self, name: str) -> Worker | None:
        parent = str(Path(sandbox.package()).parent)
        held = contextlib.ExitStack()
        try:
            folder = held.enter_context(scratch(self._temporary))
            start = self._start(os.getpid(), (parent, *self.boot.folders), load=name)
            program = Program(start, environment={"TMPDIR": folder, "HOME": folder}, folder=folder)
            return Worker(program, folder=f"{folder}/in", held=held)
        except OSError:
            held.close()
            return None

    @property
    def advisories(self) -> list[Path]:
        """The advisories that the person imported, where there are some; never a file of the observed folder."""
        return [file for folder in self.private[1:] if (file := folder / ADVISORIES).is_file()]

    def _rules(self, programs: bool) -> list[Path]:
        return [self.semgrep] if programs and self.semgrep is not None else []

    def _semgrep(self) -> list[str]:
        """The environment of semgrep's own Python, and certificates, without which it does not start."""
        found = engines.semgrep() if self.semgrep is not None else None
        return [*sandbox.environment_of(found.path, self.root), *sandbox.CERTIFICATES] if found is not None else []

    def _view(
        self,
        limits: Limits,
        information: int,
        descriptors: Sequence[int],
        *,
        copied: Collection[int] = (),
        project: Path | None = None,
        programs: bool = False,
        shown: Sequence[str] = (),
        block: int = -1,
    ) -> list[str]:
        if self.tool is None:
            raise OSError("no sandbox")
        return sandbox.command(
            self.tool,
            descriptors,
            limits.scratch,
            private=self.private,
            project=project,
            programs=programs,
            folders=(*self.boot.folders, *shown, *(self._semgrep() if programs else ())),
            copied=copied,
            rules=[*sorted(compiled_rules().glob(f"*-{'?' * 32}.bin")), *self.advisories, *self._rules(programs)],
            information=information,
            block=block,
        )

    def _start(self, parent: int, folders: Sequence[str], load: str = "") -> list[str]:
        path = (*folders, *sandbox.dependencies())
        return [*sandbox.interpreter(), "-c", self.boot.code, str(parent), load, "--", *path]


def _shown(request: Request, root: Path) -> Sequence[str]:
    """What else of the machine a request needs to see: what an extension names, or the folder's own Python."""
    if request.extension is not None:
        return request.extension.shown
    return interpreters(root) if request.folder else ()


def bounds_of(limits: Limits) -> Bounds:
    """Return what a worker may use, with room for the envelope of its reply."""
    return Bounds(limits.seconds, limits.cpu, limits.output + ENVELOPE)


def compiled_rules() -> Path:
    """The folder of the detector's compiled rules, where a scan leaves them."""
    from plantwin.private.detect.compiled import _folder

    return _folder()


@contextlib.contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def launcher_for(settings: Settings, root: Path, state: State) -> Launcher:
    """Start workers within the person's own limits, which see nothing of the state folder."""
    bounds = settings.sandbox
    return Launcher(
        root,
        Limits(
            seconds=bounds.seconds,
            memory=bounds.memory_mb * MB,
            processes=bounds.processes,
            output=bounds.output_mb * MB,
        ),
        private=(state.folder,),
        temporary=state.subfolder("work"),
        semgrep=Path(rules) if (rules := settings.engines.semgrep_rules) is not None else None,
    )


AHEAD = 2
"""How many wait at most."""
COPIES = "/tmp/in"  # noqa: S108 (its own)
"""Where such a worker finds its inputs, as copies in its own memory: its sandbox was made before they were known."""
MOST = 8 << 20
"""Bytes of all inputs of a step that are copied."""


class Worker:
    """One that waits, with the pipe on which its sandbox tells about itself."""

    def __init__(self, program: Program, pipe: int = -1, folder: str = COPIES, held: ExitStack | None = None) -> None:
        """`folder`: where it keeps copies of its inputs. `held`: what is given up with it."""
        self.program = program
        self.folder = folder
        self._pipe = pipe
        self._held = held

    @property
    def alive(self) -> bool:
        """Whether it still waits."""
        return self.program.alive

    def finish(self, given: bytes, bounds: Bounds) -> Ended:
        """Give it its job, and wait for its end."""
        try:
            return self.program.finish(given, bounds)
        finally:
            self.end()

    def end(self) -> None:
        """End it, used or not; once more does no harm."""
        self.program.end()
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        if self._held is not None:
            self._held.close()


class WaitingRoom:
    """The next workers of a plan, in the order of its steps."""

    def __init__(self, start: Callable[[str], Worker | None]) -> None:
        """`start`: starts a worker for the built-in of this name; none where it cannot."""
        self._start = start
        self._expected: list[str] = []
        self._waiting: list[Worker] = []
        # However the session ends, none of them outlives it.
        self._finalizer = weakref.finalize(self, _end, self._waiting)

    def expect(self, names: Sequence[str]) -> None:
        """What will be asked for, in order; what was expected before is not any more."""
        self.close()
        self._expected = list(names)
        self.fill()

    def take(self, name: str) -> Worker | None:
        """A worker for this built-in that nobody has used, if one waits; the steps before it are taken as skipped."""
        if name not in self._expected:
            return None
        skipped = self._expected.index(name)
        del self._expected[: skipped + 1]
        gone, self._waiting[:] = self._waiting[:skipped], self._waiting[skipped:]
        _end(gone)
        found = self._waiting.pop(0) if self._waiting else None
        if found is not None and not found.alive:
            found.end()
            found = None
        return found

    def fill(self) -> None:
        """Start the next ones, now that there is room for them."""
        while len(self._waiting) < min(AHEAD, len(self._expected)):
            started = self._start(self._expected[len(self._waiting)])
            if started is None:
                self._expected = self._expected[: len(self._waiting)]
                return
            self._waiting.append(started)

    def close(self) -> None:
        """End all that wait."""
        self._expected = []
        _end(self._waiting)


def _end(workers: list[Worker]) -> None:
    while workers:
        workers.pop().end()


def copied(descriptors: Sequence[int], scratch: int) -> list[bytes] | None:
    """What these open files hold; none where that is too much, or changes meanwhile."""
    before = [os.fstat(descriptor) for descriptor in descriptors]
    if sum(status.st_size for status in before) > min(MOST, scratch // 4):
        return None
    contents = [read(descriptor, found.st_size) for descriptor, found in zip(descriptors, before, strict=True)]
    after = [os.fstat(descriptor) for descriptor in descriptors]
    same = all((a.st_size, a.st_mtime_ns) == (b.st_size, b.st_mtime_ns) for a, b in zip(before, after, strict=True))
    return (
        contents if same and [len(content) for content in contents] == [status.st_size for status in before] else None
    )


def read(descriptor: int, size: int) -> bytes:
    """The first so many bytes of an open file; fewer where it is shorter."""
    parts, at = [], 0
    while at < size and (part := os.pread(descriptor, size - at, at)):
        parts.append(part)
        at += len(part)
    return b"".join(parts)
