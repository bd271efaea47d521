"""Start workers: in a sandbox that shows their inputs and nothing else, or with limits alone where there is none."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.capabilities.adapters import installed as engines
from plantwin.private.execution import sandbox
from plantwin.private.execution.process import Bounds, Ended, Program, Users, run
from plantwin.private.execution.protocol import Limits, Request
from plantwin.private.execution.sandbox import interpreters
from plantwin.private.execution.waiting import Worker
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
    for each in place.iterdir():
        named = _NAME.fullmatch(each.name)
        if named is not None and not _runs(int(named[1])):
            shutil.rmtree(each, ignore_errors=True)


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
        for each in ends:
            os.close(each)


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
