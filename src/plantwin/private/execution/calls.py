"""One call of a capability in one worker: inputs are opened, the worker is told what to do, its reply is read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from plantwin.errors import PlanTwinError
from plantwin.private.capabilities.adapters import installed as engines
from plantwin.private.capabilities.engine.job import Input, Result, Surroundings
from plantwin.private.execution import sandbox
from plantwin.private.execution.enclosure import NOBODY, Survey, look, replaced
from plantwin.private.execution.launcher import COPIES, Launcher, WaitingRoom, bounds_of, compiled_rules, copied
from plantwin.private.execution.members import printable
from plantwin.private.execution.process import Ended
from plantwin.private.execution.protocol import Extension, Limits, Reply, Request, decoded
from plantwin.private.facts import Changes, Private, Record, Relation, private
from plantwin.private.index import UNSETTLED, Signature
from plantwin.private.observe.beneath import Beneath
from plantwin.private.reading import signature_of
from plantwin.types.capability import TELLING, Capability
from plantwin.types.local import LocalObject, Subject
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName

WORDED = (
    CapabilityName.FIND_CODE,
    CapabilityName.LIST_INVENTORY,
    CapabilityName.LIST_ENVIRONMENT_VARIABLES,
    CapabilityName.MEASURE_SIZE,
    CapabilityName.QUERY_DATA,
)
"""What is told the words of the request: the person's own, never a planner's."""
NO_PROGRAMS = (
    "the sandbox for programs did not start, or broke: it needs a bubblewrap that is not setuid, and "
    "for root CAP_SETUID and CAP_SETGID; run plantwin as an unprivileged user"
)


Given = Record | Input | str
"""An input of one call: an object, a result, or a name that is neither."""


def _nothing(_: str) -> Sequence[Record]:
    return ()


def _unknown(_: str) -> Record | None:
    return None


@private
class FolderView(NamedTuple):
    """What steps may know of the folder besides their inputs; each is asked when a step needs it."""

    surroundings: Callable[[Sequence[str | Record], Capability], Surroundings] | None = None
    """What lies around these inputs, for a capability that looks there, as far as it may."""
    readable: Callable[[], Sequence[LocalObject]] = tuple
    """The objects that code of the folder can read when it is run."""
    hidden: Callable[[], Collection[str]] = tuple
    """Files and folders below the root that the folder's own code may not see."""
    members: Callable[[str], Sequence[Record]] = _nothing
    """The records of a set by its id."""
    relations: Callable[[], Sequence[Relation]] = tuple
    """All relations of the scan."""
    subject: Callable[[Record], Subject] | None = None
    """A record as the policy sees it."""
    record_of: Callable[[str], Record | None] = _unknown
    """The record that results call by this name."""
    changes: Callable[[], Changes] = Changes
    """What changed lately, as git tells it."""
    request: str = ""
    """What the person asked, for a capability that looks for its words."""


@private
class Called(NamedTuple):
    """What became of a call."""

    result: Result | None = None
    failure: Failure | None = None
    error: str = ""
    """Why it failed, for the person, where that is known."""
    by_person: bool = False


class Calls(Private):
    """Calls capabilities on the files of one scan."""

    def __init__(
        self,
        launcher: Launcher,
        view: FolderView,
        room: WaitingRoom,
        *,
        signatures: Mapping[str, Signature],
        scanned_ns: int,
        extensions: Mapping[str, Extension],
        rules_off: Sequence[str],
    ) -> None:
        """`room`: workers that wait. The others as for the executor."""
        self.launcher, self._view, self._room = launcher, view, room
        self._root = launcher.root
        self.signatures, self._scanned_ns = signatures, scanned_ns
        self._extensions, self.rules_off = extensions, list(rules_off)

    def call(
        self,
        capability: Capability,
        inputs: Sequence[Given],
        prepared: str,
        options: Mapping[str, object],
        seconds: float,
    ) -> Called:
        """Run a capability on these inputs. `prepared`: the digest of what a person approved, where one did.

        `seconds`: what the step may take at most.
        """
        limits = self.launcher.bounds(capability).within(seconds)
        if self.launcher.tool is None and self._runs_folder(capability):
            # Whatever a policy says: outside a sandbox the folder's code would have all of the person's rights.
            return Called(failure=Failure.CRASHED, error=f"not run without a sandbox: {sandbox.unusable()}")
        survey = None
        if capability.project:
            # The tests of a folder start programs, which have threads of their own; some are compiled first.
            usual = self.launcher.limits.seconds >= Limits().seconds  # a person who allows less means tests as well
            limits = msgspec.structs.replace(
                limits,
                seconds=min(capability.seconds, seconds) if usual else limits.seconds,
                processes=limits.processes * 4,
                scratch=limits.scratch * 8,
            )
            try:
                survey = self.surveyed()
            except (OSError, PlanTwinError):
                return _unread("what to hide from the folder's code is not known: check the folder, scan again")
            if (user := self._user()) is not None and not _readable(self._root.stat(), user):
                return _unread("only root can read the folder: run plantwin as its owner, or let others read it")
            if prepared and survey.digest != prepared:
                return _unread("the folder changed after this was approved: ask again")
        with contextlib.ExitStack() as stack:
            try:
                # Of a whole folder that is shown anyway, inputs are names: there may be thousands.
                names = survey is not None and not capability.own
                opened = [_input(given) if names else self._opened(given, stack) for given in inputs]
            except (OSError, PlanTwinError):
                return _unread("")
            try:
                ended = self._run(capability, opened, limits, survey, self.around(capability, inputs), options)
            except KeyboardInterrupt:
                ended = Ended(failure=Failure.INTERRUPTED, by_person=True)
        if ended.failure is not None:
            broken = NO_PROGRAMS if survey is not None and ended.failure is Failure.CRASHED else ""
            return Called(failure=ended.failure, error=broken, by_person=ended.by_person)
        if survey is not None and (moved := self._moved(survey, prepared)):
            return _unread(moved)
        reply = decoded(ended.output)
        if reply.result is None:
            return Called(failure=Failure(reply.failure or Failure.CRASHED), error=reply.error)
        return Called(result=reply.result, by_person=ended.by_person)

    def alone(
        self, capability: Capability, records: Sequence[Record], results: Sequence[Input], limits: Limits
    ) -> Reply | Failure:
        """One call in a worker of its own, which is shown its files."""
        with contextlib.ExitStack() as stack:
            try:
                given: list[Given] = [*records, *results]
                opened = [self._opened(record, stack) for record in given]
            except (OSError, PlanTwinError):
                return Failure.UNREADABLE
            ended = self._shown(capability, opened, limits, None, self.around(capability, records), {})
        if ended.by_person:
            return Failure.INTERRUPTED
        return decoded(ended.output) if ended.failure is None else ended.failure

    def _runs_folder(self, capability: Capability) -> bool:
        """Whether code of the folder runs, or may: a person's command is given files and may run them."""
        own = self._extensions.get(capability.own) if capability.own else None
        return capability.project or (own is not None and own.sort in ("command", "tool"))

    def surveyed(self) -> Survey:
        """What the folder's own code would see now; of our state folder, should it lie inside, nothing."""
        root = os.path.realpath(self._root)
        ours = [os.path.relpath(os.path.realpath(folder), root) for folder in self.launcher.private[1:]]
        inside = [our for our in ours if our != "." and not our.startswith("..")]
        return look(root, (*self._view.hidden(), *inside))

    def _moved(self, before: Survey, prepared: str) -> str:
        """What changed while the folder's code ran, so that its result may not be used; else empty."""
        root = os.path.realpath(self._root)
        if replaced(root, before.covers) != before.replaced:
            return "a hidden file was replaced while the tests ran, so that they may have seen it: run them again"
        if prepared and self.surveyed().digest != prepared:
            return "the folder changed while the approved tests ran: ask again"
        return ""

    def consult(self, extension: Extension, seconds: float) -> Reply:
        """Run an extension without any input: what it declares. It is code of others, so it never runs in here."""
        request = Request(
            capability="",
            inputs=(),
            limits=self.launcher.limits.within(seconds),
            sandboxed=self.launcher.tool is not None,
            extension=extension,
        )
        ended = self.launcher.launch(request, (), set())
        return decoded(ended.output) if ended.failure is None else Reply(failure="crashed", error=ended.failure.value)

    def _opened(self, given: Given, stack: contextlib.ExitStack) -> tuple[Input, int]:
        """An input with the descriptor of its file; -1 for a result."""
        if isinstance(given, Input):
            return given, -1
        if isinstance(given, str):
            raise FileNotFoundError("input: neither an object nor a result")
        with Beneath(self._root) as beneath:
            fd = beneath.open(given.path)
        stack.callback(os.close, fd)
        if not self.unchanged(given.path, os.fstat(fd)):
            raise OSError("input: changed since the scan")
        return _input(given)[0], fd

    def unchanged(self, path: str, found: os.stat_result) -> bool:
        expected = self.signatures.get(path, UNSETTLED)
        return found.st_ctime_ns <= self._scanned_ns if expected.unsettled else signature_of(found) == expected

    def _run(
        self,
        capability: Capability,
        opened: Sequence[tuple[Input, int]],
        limits: Limits,
        survey: Survey | None,
        around: Surroundings,
        options: Mapping[str, object],
    ) -> Ended:
        descriptors = [fd for _, fd in opened if fd >= 0]
        waiting = self._room.take(capability.name.value) if startable(capability, self.launcher) else None
        if waiting is not None:
            try:
                contents = copied(descriptors, limits.scratch)
                if contents is not None:
                    places = [f"{COPIES}/{number}" for number in range(len(descriptors))]
                    request = self.request(capability, around, _placed(opened, places), limits, options)
                    request = msgspec.structs.replace(request, copies=tuple(zip(places, contents, strict=True)))
                    self._room.fill()
                    return waiting.finish(msgspec.json.encode(request), bounds_of(limits))
                # Too much for a copy: these are shown to a worker of their own instead.
            finally:
                waiting.end()
        return self._shown(capability, opened, limits, survey, around, options)

    def _shown(
        self,
        capability: Capability,
        opened: Sequence[tuple[Input, int]],
        limits: Limits,
        survey: Survey | None,
        around: Surroundings,
        options: Mapping[str, object],
    ) -> Ended:
        """Run a worker that is shown its files."""
        descriptors = [fd for _, fd in opened if fd >= 0]
        tool = self.launcher.tool
        places = [f"{sandbox.INPUTS}/{number}" if tool else f"/dev/fd/{fd}" for number, fd in enumerate(descriptors)]
        request = self.request(capability, around, _placed(opened, places), limits, options)
        user = self._user() if tool and survey is not None else None
        copies = {fd for fd in descriptors if tool and _needs_copy(os.fstat(fd), limits.scratch, user)}
        shown = zip(places, descriptors, strict=True)
        request = msgspec.structs.replace(
            request,
            identities=tuple((place, _identity(fd)) for place, fd in shown if fd not in copies),
            hidden=tuple(os.fsencode(cover) for cover in survey.covers) if survey else (),
            unprivileged=user is not None,
        )
        return self.launcher.launch(request, descriptors, copies, user)

    def _user(self) -> tuple[int, int] | None:
        """Whom the folder's own code runs as where we are root: the folder's owner, or nobody where root owns it."""
        if os.geteuid() != 0:
            return None
        found = self._root.stat()
        return found.st_uid or NOBODY, found.st_gid or NOBODY

    def request(
        self,
        capability: Capability,
        around: Surroundings,
        inputs: tuple[Input, ...],
        limits: Limits,
        options: Mapping[str, object] | None = None,
    ) -> Request:
        """What a worker is told."""
        tool = self.launcher.tool
        return Request(
            capability=capability.name.value,
            inputs=inputs,
            options={**self.options(capability), **(options or {})},
            limits=limits,
            sandboxed=tool is not None,
            programs=self.launcher.programs(capability) or capability.project,
            surroundings=around,
            folder=(sandbox.PROJECT if tool else str(self._root)) if capability.project else "",
            extension=self._extensions[capability.own] if capability.own else None,
        )

    def options(self, capability: Capability) -> dict[str, object]:
        tool = self.launcher.tool
        return {
            "rules": sandbox.RULES if tool else str(compiled_rules()),
            **engines.options(capability, sandbox.TOOLS if tool else ""),
            **self._semgrep(capability),
            **(self._advisories() if capability.name is CapabilityName.AUDIT_DEPENDENCIES else {}),
            **({"request": self._view.request} if capability.name in WORDED else {}),
            "rules_off": self.rules_off,
        }

    def _semgrep(self, capability: Capability) -> dict[str, object]:
        """Where the person's rules for semgrep lie, and when they changed."""
        rules = self.launcher.semgrep
        if rules is None or capability.programs or not self.launcher.programs(capability):
            return {}
        place = f"{sandbox.RULES}/{rules.name}" if self.launcher.tool else str(rules)
        return {"semgrep_rules": place, "semgrep_rules_changed": engines.changed(rules)}

    def _advisories(self) -> dict[str, object]:
        """Where imported advisories lie, and when they changed: results made with older ones are not used again."""
        for file in self.launcher.advisories:
            place = f"{sandbox.RULES}/{file.name}" if self.launcher.tool else str(file)
            return {"advisories": place, "advisories_changed": file.stat().st_mtime_ns}
        return {}

    def around(self, capability: Capability, inputs: Sequence[Given]) -> Surroundings:
        """What a capability is told of the other objects."""
        if not capability.surroundings or self._view.surroundings is None:
            return Surroundings()
        given = [given_input.name if isinstance(given_input, Input) else given_input for given_input in inputs]
        found = self._view.surroundings(given, capability)
        if capability.name is CapabilityName.CHANGES_SINCE:
            return msgspec.structs.replace(found, changes=self._view.changes())
        return found


def _input(given: Given) -> tuple[Input, int]:
    """An input by its names and values, without its content."""
    if isinstance(given, Input):
        return given, -1
    if isinstance(given, str):
        raise FileNotFoundError("input: neither an object nor a result")
    named = Input(
        name=printable(given.path), part=printable(given.part), kind=given.kind, semantic_class=given.semantic_class
    )
    return named, -1


def _placed(opened: Sequence[tuple[Input, int]], places: Sequence[str]) -> tuple[Input, ...]:
    """Inputs with the places at which the worker finds them."""
    left = iter(places)
    return tuple(msgspec.structs.replace(file, file=next(left)) if fd >= 0 else file for file, fd in opened)


def startable(capability: Capability, launcher: Launcher) -> bool:
    """Whether its worker can start before its inputs are known: it needs nothing else that depends on the step."""
    # One that waits was started with the rights and bounds of a built-in: a program that it may start needs others.
    usual = not (capability.own or capability.project or capability.name in TELLING)
    return usual and not launcher.programs(capability)


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


def _unread(why: str) -> Called:
    return Called(failure=Failure.UNREADABLE, error=why)
