"""Start workers: in a sandbox that shows their inputs and nothing else, or with limits alone where there is none."""

from __future__ import annotations

import contextlib
import os
import sysconfig
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from plantwin.private.execution import sandbox
from plantwin.private.execution.limits import Limits
from plantwin.private.execution.process import Bounds, Ended, Program, Users, run
from plantwin.private.execution.protocol import Request
from plantwin.private.execution.scratch import scratch
from plantwin.private.execution.waiting import Worker
from plantwin.types.capability import Capability

ENVELOPE = 1 << 16
"""What a reply may have beyond the result itself."""


class Launcher:
    """Starts the workers of one session."""

    def __init__(
        self,
        root: Path,
        limits: Limits | None = None,
        *,
        private: Sequence[Path] = (),
        temporary: Path | None = None,
        model: tuple[str, str] | None = None,
        boot: sandbox.Boot | None = None,
    ) -> None:
        """`private`: further folders that no worker may see. `temporary`: for workers without a sandbox.

        `model`: weights and runtime of a small model that workers may read.
        """
        self.tool = sandbox.bubblewrap()
        self.limits = limits or Limits()
        self.private = (root, *private)
        self.model = model
        self.root = root
        self.boot = boot or sandbox.Boot()
        self._temporary = temporary

    def __repr__(self) -> str:
        return "<Launcher private>"

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
                    shown=request.extension.shown if request.extension else (),
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

    def waiting(self, name: str) -> Worker | None:
        """Start a worker that has no input and no job yet; none where that fails."""
        told, telling = os.pipe()
        try:
            start = self._start(0, (sandbox.HOME, *self.boot.folders), load=name)
            view = self._view(self.limits, telling, ())
            program = Program([view[0], "--", *start], descriptors=(telling,), information=told, options=view[1:-1])
            return Worker(program, told)
        except OSError:
            os.close(told)
            return None
        finally:
            os.close(telling)

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
            folders=(*self.boot.folders, *shown, *(self.model or ())),
            copied=copied,
            rules=sorted(compiled_rules().glob(f"*-{'?' * 32}.bin")),
            information=information,
            block=block,
        )

    def _start(self, parent: int, folders: Sequence[str], load: str = "") -> list[str]:
        path = (*folders, *sandbox.dependencies())
        return [*sandbox.interpreter(), "-c", self.boot.code, str(parent), load, "--", *path]


def bounds_of(limits: Limits) -> Bounds:
    """Return what a worker may use, with room for the envelope of its reply."""
    return Bounds(limits.seconds, limits.cpu, limits.output + ENVELOPE)


def compiled_rules() -> Path:
    """The folder of the detector's compiled rules, where a scan leaves them."""
    from plantwin.private.detect.compiled import _folder

    return _folder()


def tools_of(capability: Capability, sandboxed: bool) -> dict[str, str]:
    """Where a capability that starts programs finds our own tools."""
    if not capability.programs:
        return {}
    return {"tools": sandbox.TOOLS if sandboxed else sysconfig.get_path("scripts")}


@contextlib.contextmanager
def _pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    try:
        yield ends
    finally:
        for each in ends:
            os.close(each)
