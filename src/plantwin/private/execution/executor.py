"""Carries out a step: opens its inputs, starts a worker, keeps the full result, and passes on the outcome part."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from plantwin.boundary.execution import Executed
from plantwin.boundary.local_object import LocalObject
from plantwin.errors import PlanTwinError
from plantwin.private.capabilities.engine.job import Input, Result, Surroundings
from plantwin.private.execution import sandbox
from plantwin.private.execution.enclosure import NOBODY
from plantwin.private.execution.launcher import Launcher, bounds_of, compiled_rules, tools_of
from plantwin.private.execution.limits import Limits
from plantwin.private.execution.process import Ended
from plantwin.private.execution.protocol import Reply, Request, decoded
from plantwin.private.execution.survey import Survey, look, replaced
from plantwin.private.execution.waiting import COPIES, WaitingRoom, copied
from plantwin.private.extensions.declaration import Extension
from plantwin.private.index import UNSETTLED, Signature
from plantwin.private.observe.beneath import Beneath
from plantwin.private.reading import signature_of
from plantwin.private.records import Record
from plantwin.types.capability import TELLING, Capability
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName

TEXT = (CapabilityName.SUMMARIZE, CapabilityName.EXTRACT_CONSTRAINTS, CapabilityName.CLASSIFY)
"""Capabilities that use a small model where there is one."""
TWICE = 2.0
"""Seconds within which a second interruption is meant for the whole session."""


class FolderView(NamedTuple):
    """What steps may know of the folder besides their inputs; each is asked when a step needs it."""

    surroundings: Callable[[Sequence[str]], Surroundings] | None = None
    """What lies around these inputs, for capabilities that look there."""
    readable: Callable[[], Sequence[LocalObject]] = tuple
    """The objects that code of the folder can read when it is run."""
    hidden: Callable[[], Collection[str]] = tuple
    """Files and folders below the root that the folder's own code may not see."""

    def __repr__(self) -> str:
        return "<FolderView private>"


class SandboxExecutor:
    """Runs capabilities on the objects of one scan. Implements the boundary's `Executor`."""

    def __init__(
        self,
        launcher: Launcher,
        objects: Mapping[str, Record],
        *,
        signatures: Mapping[str, Signature] | None = None,
        scanned_ns: int | None = None,
        view: FolderView | None = None,
        extensions: Mapping[str, Extension] | None = None,
        rules_off: Sequence[str] = (),
    ) -> None:
        """`objects`: by id of this session.

        `signatures`: of each file at the scan, by path. Without one a file must not have changed since `scanned_ns`,
        by default now. `extensions`: how the person's own capabilities are run, by their names.
        `rules_off`: ids of rules whose findings the person does not want.
        """
        self.results: dict[str, Result] = {}
        """Full results by step."""
        self.errors: dict[str, str] = {}
        """Why steps failed: the exception's type and the line of our code, or what to do, for the local report."""
        self.interrupted = False
        """Whether a person interrupted twice within `TWICE` seconds: every further step then ends at once."""
        self._last_interruption = -TWICE
        self._launcher = launcher
        self.sandboxed: bool = launcher.tool is not None
        """Whether workers run without network and with a read-only view of their inputs alone."""
        self.unsandboxed_reason: str = "" if self.sandboxed else sandbox.unusable()
        """What is missing for a sandbox, with the next step; empty where there is one."""
        self._root = launcher.root
        self._view = view or FolderView()
        self._rules_off = list(rules_off)
        self._objects = objects
        self._signatures = signatures or {}
        self._scanned_ns = time.time_ns() if scanned_ns is None else scanned_ns
        self._extensions = extensions or {}
        self._capabilities: dict[str, str] = {}
        self._recipes: dict[str, tuple[str, Result | None, str]] = {}
        self._room = WaitingRoom(self._launcher.waiting)

    def __repr__(self) -> str:
        return "<SandboxExecutor private>"

    def forget(self) -> None:
        """Another plan begins: no step of an earlier one lends its result to one of the same name."""
        self.close()
        self.results.clear()
        self.errors.clear()
        self._capabilities.clear()

    def expect(self, capabilities: Iterable[Capability]) -> None:
        """What the next steps will ask for, in order, so that their workers can start already."""
        if self._launcher.tool is not None:
            self._room.expect([each.name.value for each in capabilities if _startable(each)])

    def close(self) -> None:
        """End the workers that still wait for a step."""
        self._room.close()

    def keep(self, step: str, capability: Capability, result: Any) -> None:
        """Take a step's result as had before, so that later steps can use it."""
        self.results[step] = result
        self._capabilities[step] = capability.name.value

    def prepare(self, capability: Capability, inputs: Sequence[str]) -> str:
        """A digest of all that the folder's own code would see, to be held against what then runs.

        Of what lies around its inputs, for a capability that looks there; else empty.
        """
        if not capability.project:
            around = self._around(capability, inputs)
            return hashlib.sha256(msgspec.json.encode(around)).hexdigest() if capability.surroundings else ""
        try:
            return self._surveyed().digest
        except (OSError, PlanTwinError):
            return "unknown"  # no digest: whatever runs is held against it in vain

    def again(self, step: str, recipe: str) -> None:
        """Take what an earlier step with this recipe gave for this one's."""
        name, result, error = self._recipes[recipe]
        if result is not None:
            self.results[step], self._capabilities[step] = result, name
        elif error:
            self.errors[step] = error

    def sees(self, capability: Capability) -> Sequence[LocalObject]:
        """Objects that code which the capability runs could read."""
        return self._view.readable()

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[str], *, recipe: str = "", prepared: str = ""
    ) -> Executed:
        """Run `capability` for this step. Inputs are object ids and ids of earlier steps, in order.

        `prepared`: what `prepare` said. The folder's own code counts as run only if that held from start to end.
        """
        executed = self._execute(step, capability, inputs, prepared)
        self._recipes[recipe] = capability.name.value, self.results.get(step), self.errors.get(step, "")
        return executed

    def _execute(self, step: str, capability: Capability, inputs: Sequence[str], prepared: str) -> Executed:
        # An earlier step of that name, from an earlier plan, must not lend it its result.
        earlier = dict(self.results)
        self.results.pop(step, None)
        self.errors.pop(step, None)
        if self.interrupted:
            return Executed(failure=Failure.INTERRUPTED)
        name = capability.name.value
        limits = self._launcher.limits.within(capability.seconds)
        if self._launcher.tool is None and self._runs_folder(capability):
            # Whatever a policy says: outside a sandbox the folder's code would have all of the person's rights.
            self.errors[step] = f"not run without a sandbox: {self.unsandboxed_reason}"
            return Executed(failure=Failure.CRASHED)
        survey = None
        if capability.project:
            # The tests of a folder start programs, which have threads of their own; some are compiled first.
            limits = msgspec.structs.replace(limits, processes=limits.processes * 4, scratch=limits.scratch * 8)
            try:
                survey = self._surveyed()
            except (OSError, PlanTwinError):
                self.errors[step] = "what to hide from the folder's code is not known: check the folder, scan again"
                return Executed(failure=Failure.UNREADABLE)
            if (user := self._user()) is not None and not _readable(self._root.stat(), user):
                self.errors[step] = "only root can read the folder: run plantwin as its owner, or let others read it"
                return Executed(failure=Failure.UNREADABLE)
            if prepared and survey.digest != prepared:
                self.errors[step] = "the folder changed after this was approved: ask again"
                return Executed(failure=Failure.UNREADABLE)
        with contextlib.ExitStack() as stack:
            try:
                opened = [self._opened(each, earlier, stack) for each in inputs]
            except (OSError, PlanTwinError):
                return Executed(failure=Failure.UNREADABLE)
            try:
                ended = self._run(capability, inputs, opened, limits, survey)
            except KeyboardInterrupt:
                ended = Ended(failure=Failure.INTERRUPTED, by_person=True)
        if ended.by_person:
            self._interrupt()
        if ended.failure is not None:
            if survey is not None and ended.failure is Failure.CRASHED:
                self.errors[step] = (
                    "the sandbox for programs did not start, or broke: it needs a bubblewrap that is not setuid, and "
                    "for root CAP_SETUID and CAP_SETGID; run plantwin as an unprivileged user"
                )
            return Executed(failure=ended.failure)
        if survey is not None and (moved := self._moved(survey, prepared)):
            self.errors[step] = moved
            return Executed(failure=Failure.UNREADABLE)
        reply = decoded(ended.output)
        if reply.result is None:
            self.errors[step] = reply.error
            return Executed(failure=Failure(reply.failure or Failure.CRASHED))
        self.results[step] = reply.result
        self._capabilities[step] = name
        return Executed(raw=reply.result.outcome)

    def _runs_folder(self, capability: Capability) -> bool:
        """Whether code of the folder runs, or may: a person's command is given files and may run them."""
        own = self._extensions.get(capability.own) if capability.own else None
        return capability.project or (own is not None and own.sort in ("command", "tool"))

    def _surveyed(self) -> Survey:
        """What the folder's own code would see now; of our state folder, should it lie inside, nothing."""
        root = os.path.realpath(self._root)
        ours = [os.path.relpath(os.path.realpath(each), root) for each in self._launcher.private[1:]]
        inside = [each for each in ours if each != "." and not each.startswith("..")]
        return look(root, (*self._view.hidden(), *inside))

    def _moved(self, before: Survey, prepared: str) -> str:
        """What changed while the folder's code ran, so that its result may not be used; else empty."""
        root = os.path.realpath(self._root)
        if replaced(root, before.covers) != before.replaced:
            return "a hidden file was replaced while the tests ran, so that they may have seen it: run them again"
        if prepared and self._surveyed().digest != prepared:
            return "the folder changed while the approved tests ran: ask again"
        return ""

    def _interrupt(self) -> None:
        """Once ends one step, which has just happened; soon again ends the others too."""
        now = time.monotonic()
        self.interrupted = self.interrupted or now - self._last_interruption < TWICE
        self._last_interruption = now

    def consult(self, extension: Extension, seconds: float) -> Reply:
        """Run an extension without any input: what it declares. It is code of others, so it never runs in here."""
        request = Request(
            capability="",
            inputs=(),
            limits=self._launcher.limits.within(seconds),
            sandboxed=self._launcher.tool is not None,
            extension=extension,
        )
        ended = self._launcher.launch(request, (), set())
        return decoded(ended.output) if ended.failure is None else Reply(failure="crashed", error=ended.failure.value)

    def _opened(self, name: str, earlier: Mapping[str, Result], stack: contextlib.ExitStack) -> tuple[Input, int]:
        """An input with the descriptor of its file; -1 for a result."""
        record = self._objects.get(name)
        if record is None:
            if name not in earlier:
                raise FileNotFoundError("input: neither an object nor a result")
            plain = msgspec.to_builtins(earlier[name])
            return Input(name=name, result=plain, capability=self._capabilities[name]), -1
        with Beneath(self._root) as beneath:
            fd = beneath.open(record.path)
        stack.callback(os.close, fd)
        if not self._unchanged(record.path, os.fstat(fd)):
            raise OSError("input: changed since the scan")
        return (
            Input(
                name=_printable(record.path),
                part=_printable(record.part),
                kind=record.kind,
                semantic_class=record.semantic_class,
            ),
            fd,
        )

    def _unchanged(self, path: str, found: os.stat_result) -> bool:
        expected = self._signatures.get(path, UNSETTLED)
        return found.st_ctime_ns <= self._scanned_ns if expected == UNSETTLED else signature_of(found) == expected

    def _run(
        self,
        capability: Capability,
        names: Sequence[str],
        opened: Sequence[tuple[Input, int]],
        limits: Limits,
        survey: Survey | None,
    ) -> Ended:
        descriptors = [fd for _, fd in opened if fd >= 0]
        waiting = self._room.take(capability.name.value) if _startable(capability) else None
        if waiting is not None:
            try:
                contents = copied(descriptors, limits.scratch)
                if contents is not None:
                    places = [f"{COPIES}/{number}" for number in range(len(descriptors))]
                    request = self._request(capability, names, opened, limits, places)
                    request = msgspec.structs.replace(request, copies=tuple(zip(places, contents, strict=True)))
                    self._room.fill()
                    return waiting.finish(msgspec.json.encode(request), bounds_of(limits))
                # Too much for a copy: these are shown to a worker of their own instead.
            finally:
                waiting.end()
        tool = self._launcher.tool
        places = [f"{sandbox.INPUTS}/{number}" if tool else f"/dev/fd/{fd}" for number, fd in enumerate(descriptors)]
        request = self._request(capability, names, opened, limits, places)
        user = self._user() if tool and survey is not None else None
        copies = {fd for fd in descriptors if tool and _needs_copy(os.fstat(fd), limits.scratch, user)}
        shown = zip(places, descriptors, strict=True)
        request = msgspec.structs.replace(
            request,
            identities=tuple((place, _identity(fd)) for place, fd in shown if fd not in copies),
            hidden=tuple(os.fsencode(each) for each in survey.covers) if survey else (),
            unprivileged=user is not None,
        )
        return self._launcher.launch(request, descriptors, copies, user)

    def _user(self) -> tuple[int, int] | None:
        """Whom the folder's own code runs as where we are root: the folder's owner, or nobody where root owns it."""
        if os.geteuid() != 0:
            return None
        found = self._root.stat()
        return found.st_uid or NOBODY, found.st_gid or NOBODY

    def _request(
        self,
        capability: Capability,
        names: Sequence[str],
        opened: Sequence[tuple[Input, int]],
        limits: Limits,
        places: Sequence[str],
    ) -> Request:
        """What a worker is told, with inputs at these places."""
        tool, left = self._launcher.tool, iter(places)
        return Request(
            capability=capability.name.value,
            inputs=tuple(msgspec.structs.replace(each, file=next(left)) if fd >= 0 else each for each, fd in opened),
            options={
                "rules": sandbox.RULES if tool else str(compiled_rules()),
                **tools_of(capability, tool is not None),
                **self._voice(capability),
                "rules_off": self._rules_off,
            },
            limits=limits,
            sandboxed=tool is not None,
            programs=capability.programs or capability.project,
            surroundings=self._around(capability, names),
            folder=(sandbox.PROJECT if tool else str(self._root)) if capability.project else "",
            extension=self._extensions[capability.own] if capability.own else None,
        )

    def _voice(self, capability: Capability) -> dict[str, str]:
        """Where text work finds its model."""
        model = self._launcher.model
        if model is None or capability.own or capability.name not in TEXT:
            return {}
        return {"weights": model[0], "runtime": model[1]}

    def _around(self, capability: Capability, names: Sequence[str]) -> Surroundings:
        """What a capability is told of the other objects."""
        if not capability.surroundings or self._view.surroundings is None:
            return Surroundings()
        return self._view.surroundings(names)


def _startable(capability: Capability) -> bool:
    """Whether its worker can start before its inputs are known: it needs nothing else that depends on the step."""
    return not (capability.own or capability.programs or capability.project or capability.name in TELLING)


def _needs_copy(found: os.stat_result, most: int, user: tuple[int, int] | None = None) -> bool:
    """Whether only root's privileges open it, which a sandboxed worker has not, and it is small enough for memory.

    `user`: whom the worker becomes, and which group.
    """
    if os.geteuid() != 0 or found.st_size > most:
        return False
    ours, groups = found.st_uid == 0, {os.getegid(), *os.getgroups()}
    if user is not None:
        ours, groups = found.st_uid == user[0], {user[1]}
    return not found.st_mode & (0o400 if ours else 0o040 if found.st_gid in groups else 0o004)


def _readable(found: os.stat_result, user: tuple[int, int]) -> bool:
    """Whether this user can list and enter the folder."""
    shift = 6 if found.st_uid == user[0] else 3 if found.st_gid == user[1] else 0
    return found.st_mode >> shift & 0o5 == 0o5


def _identity(fd: int) -> tuple[int, int]:
    found = os.fstat(fd)
    return found.st_dev, found.st_ino


def _printable(path: str) -> str:
    """A path as text that any encoder takes: bytes that are no UTF-8 are spelled out."""
    return path.encode("utf-8", "backslashreplace").decode()
