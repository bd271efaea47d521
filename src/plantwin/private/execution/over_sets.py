"""The executor as the core knows it: what of sets may be worked on is said in closed values, and by ids."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.config.settings import Settings
from plantwin.private.execution.members import Members
from plantwin.private.facts import Private, Record, private
from plantwin.private.selection.selected import Selected
from plantwin.types.capability import Capability
from plantwin.types.execution import Executed, Executor, Scope
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.plan import Narrowed, StepInput, part_of, source_of
from plantwin.types.verdict import Failure
from plantwin.vocabulary import Dimension, Part

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Input, Surroundings
    from plantwin.private.execution.cache import ResultCache
    from plantwin.private.execution.elsewhere import Elsewhere
    from plantwin.private.execution.launcher import Worker
    from plantwin.private.execution.protocol import Limits, Reply
    from plantwin.private.index import Signature

STEP_SECONDS = 600.0
"""For a step over sets, where nothing else is said."""


@private
class Task(NamedTuple):
    """A step to carry out. Inputs are objects, sets, earlier steps and parts of their results, in order."""

    step: str
    capability: Capability
    inputs: Sequence[StepInput]
    recipe: str = ""
    """What is done on what."""
    prepared: str = ""
    """What `prepare` said. The folder's own code counts as run only if that held from start to end."""
    permitted: Callable[[Record], bool] = lambda _: True
    """Whether the policy lets a member of a set be examined."""
    seconds: float = STEP_SECONDS
    """For a step over sets as a whole."""
    missing: Sequence[str] = ()
    """Steps that a report would have joined, had they given a result."""
    absent: frozenset[int] = frozenset()
    """Numbers of members that the outcome must not speak of: it is that of the sets without them."""


@private
class Asked(NamedTuple):
    """What a step is asked to do."""

    step: str
    capability: Capability
    sides: Sequence[Sequence[Record]]
    """The members of each input that has some."""
    results: Sequence[Input]
    """Earlier results among its inputs."""
    seconds: float
    """For all of it."""


@private
class Means(NamedTuple):
    """What a step is carried out with."""

    root: Path
    limits: Limits
    """Of one call."""
    unchanged: Callable[[str, os.stat_result], bool]
    """Whether a file is as it was at the scan."""
    start: Callable[[], Worker | None]
    """Starts a worker that serves many files."""
    setup: Callable[[Surroundings, Limits], bytes]
    """What such a worker is told first."""
    options: Mapping[str, object]
    around: Callable[[Sequence[Record]], Surroundings]
    alone: Callable[[Sequence[Record], Sequence[Input], float], Reply | Failure]
    """Carries out one call in a worker of its own, within so many seconds."""
    cache: ResultCache | None
    progress: Callable[[str, int, int], None] | None
    elsewhere: Elsewhere | None = None
    """Other machines that carry out calls; none where there are none, or they cannot."""


@private
class Call(NamedTuple):
    """One call of the capability."""

    number: int
    records: tuple[Record, ...]
    results: tuple[Input, ...] = ()


class Seen(NamedTuple):
    """When and as what a folder was last looked at."""

    root: Path
    scanned_ns: int
    """When the scan began."""
    signatures: Mapping[str, Signature]
    """What the file system said of each file, by path."""


class RecordExecutor(Executor):
    """An executor that knows records: those of sets are `permitted` one by one."""

    @abstractmethod
    def resolve(self, inputs: Sequence[StepInput]) -> tuple[Record, ...]:
        """All records behind a step's inputs, each once."""

    @abstractmethod
    def run(self, task: Task) -> Executed:
        """Carry out a step."""

    def execute(self, step: str, capability: Capability, inputs: Sequence[StepInput], **options: Any) -> Executed:
        """Carry out a step, with the options of a `Task`."""
        return self.run(Task(step, capability, inputs, **options))


class PretendedExecutor(RecordExecutor):
    """Answers every step with an outcome that is made up from its capability, as if all inputs were affected."""

    def __init__(
        self,
        outcome: Callable[[Capability], Mapping[str, object]],
        objects: Mapping[str, Record] | None = None,
        members: Callable[[str], Sequence[Record]] = lambda _: (),
        *,
        sandboxed: bool = True,
    ) -> None:
        """`objects`: records by id. `members`: the records of a set by its id."""
        self.sandboxed = sandboxed
        self._outcome = outcome
        self._members = Members({} if objects is None else objects, members)

    def resolve(self, inputs: Sequence[StepInput]) -> tuple[Record, ...]:
        """All records behind a step's inputs, each once."""
        return self._members.resolve(inputs)

    def run(self, task: Task) -> Executed:
        """Return the made-up outcome."""
        given = (record for record in self.resolve(task.inputs) if record.number not in task.absent)
        records = tuple(filter(task.permitted, given))
        self._members.keep(task.step, dict.fromkeys((Part.AFFECTED, Part.WORST, Part.MATCHED, Part.RELATED), records))
        return Executed(self._outcome(task.capability))


class SetsExecutor(Private, Executor):
    """Stands between the core and an executor that knows records."""

    def __init__(
        self,
        executor: RecordExecutor,
        selected: Selected,
        subject: Callable[[Record], Subject],
        settings: Settings,
        came: Callable[[Sequence[LocalObject]], None],
    ) -> None:
        """`came`: told of objects that come into the session by themselves."""
        self._executor, self._selected, self._subject, self._came = executor, selected, subject, came
        self._k, self._seconds = settings.privacy.k, settings.limits.step_seconds
        self.sandboxed = executor.sandboxed
        self.again, self.sees, self.prepare = executor.again, executor.sees, executor.prepare  # type: ignore[method-assign]

    def scope(self, inputs: Sequence[StepInput]) -> Scope:
        """What stands behind these inputs together."""
        sets = self._selected.session_sets
        records = self._executor.resolve(inputs)
        whole = self._executor.resolve([source for name in inputs for source in _whole(name)])
        numbers = {record.number for record in records}
        rest = [record for record in whole if record.number not in numbers]
        return Scope(
            cells=sets.accounts(records if len(records) >= self._k else whole),
            number=len(records),
            few=self._known(records),
            rest=self._known(rest),
            subjects=Counter(map(self._subject, records)),
            version=f"{sets.version(records)}.{sets.version(whole)}" if rest else sets.version(records),
        )

    def _known(self, records: Sequence[Record]) -> tuple[LocalObject, ...]:
        """These objects by themselves, where they are fewer than `k`."""
        if not 0 < len(records) < self._k:
            return ()
        held = self._selected.objects.known(records)
        self._came(held)
        return held

    def behind(self, inputs: Sequence[StepInput], without: Collection[str] = ()) -> frozenset[str]:
        """Marks of all objects behind these inputs, but for those `without`, by id."""
        left_out = {self._selected.records[id_].number for id_ in without}
        mark = self._selected.session_sets.mark
        return frozenset(mark(record) for record in self._executor.resolve(inputs) if record.number not in left_out)

    def cells(self) -> Mapping[bytes, frozenset[str]]:
        """Marks of the members of every cell, by its account."""
        return self._selected.session_sets.marks

    def alone(self, marks: Collection[str]) -> Sequence[LocalObject]:
        """These members by themselves."""
        held = self._selected.objects.known(self._selected.session_sets.marked(marks))
        self._came(held)
        return held

    def split(self, set_id: str, by: Dimension) -> Sequence[LocalSet]:
        """A set as smaller sets."""
        return self._selected.session_sets.split(set_id, by)

    def execute(
        self,
        step: str,
        capability: Capability,
        inputs: Sequence[StepInput],
        *,
        permitted: Callable[[Subject], bool] | None = None,
        without: frozenset[str] = frozenset(),
        **options: Any,
    ) -> Executed:
        """Run it, on those members of sets that may be worked on."""
        records = self._selected.records
        # Objects that are inputs by themselves were judged by themselves.
        judged = {records[name].number for name in inputs if isinstance(name, str) and name in records}

        def may(record: Record) -> bool:
            return record.number in judged or permitted is None or permitted(self._subject(record))

        absent = frozenset(records[id_].number for id_ in without)
        return self._executor.execute(
            step, capability, inputs, permitted=may, absent=absent, seconds=self._seconds, **options
        )


def _whole(name: StepInput) -> list[str]:
    """What a narrower set or a part of a result was taken from: of a result all inputs, and what it found elsewhere."""
    source = name.set if isinstance(name, Narrowed) else name
    if part_of(source) is None:
        return [source]
    return [source, *(f"{source_of(source)}.{part}" for part in (Part.AFFECTED, Part.CLEAN, Part.UNEXAMINED))]
