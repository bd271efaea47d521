"""Which records a step's inputs stand for: objects, sets, parts of results, and what conditions leave of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from plantwin.private.execution.pairs import MOST_PAIRS
from plantwin.private.facts import Private
from plantwin.private.records import Record
from plantwin.types.plan import Narrowed, StepInput, Where, part_of, source_of
from plantwin.types.twin import set_id_like
from plantwin.types.verdict import Failure
from plantwin.vocabulary import Part

GONE, CHANGED, UNREADABLE = "gone since the scan", "changed since the scan: scan again", "cannot be read"
REFUSED, UNFIT = "not permitted by the policy", "not of a kind that this capability takes"
TOO_MANY = "beyond the limit on files (limits.max_files)"
LATE, STOPPED = "not reached in the time that a step has (limits.step_seconds)", "not reached: interrupted"
TOO_MUCH = "more than this capability examines at once"
UNKNOWN_FORM = "in no form that this capability reads"
UNPAIRED, MORE_PAIRS = "without a counterpart among the members", f"beyond the first {MOST_PAIRS} pairs"
FAILURES: Mapping[Failure, str] = {
    Failure.TIMEOUT: "took too long",
    Failure.MEMORY: "needs more memory than allowed",
    Failure.CRASHED: "could not be examined: the check failed on it",
    Failure.OUTPUT_TOO_LARGE: "gave a result that is too large",
    Failure.UNREADABLE: UNREADABLE,
    Failure.INTERRUPTED: STOPPED,
}
"""Of members whose call failed."""


Parts = Mapping[Part, tuple[Record, ...]]
"""The parts of one result."""


def label(record: Record) -> str:
    """How results name a record, as `Input.label` does."""
    path = printable(record.path)
    return f"{path}#{printable(record.part)}" if record.part else path


def printable(path: str) -> str:
    """A path as text that any encoder takes: bytes that are no UTF-8 are spelled out."""
    return path if path.isascii() else path.encode("utf-8", "backslashreplace").decode()


def by_name(records: Iterable[Record]) -> dict[str, Record]:
    """Records by the names that results have for them; of a file with parts, its path means the first."""
    found: dict[str, Record] = {}
    for record in records:
        found.setdefault(printable(record.path), record)
        found[label(record)] = record
    return found


def matches(record: Record, where: Where) -> bool:
    """Whether all conditions hold for a record."""
    return all(
        value in {tag for tag, _ in record.contains} if field == "contains" else getattr(record, field) == value
        for field, value in where.conditions
    )


def once(records: Iterable[Record]) -> tuple[Record, ...]:
    """Every record once, in the order of the first time."""
    found: dict[tuple[str, str], Record] = {}
    for record in records:
        found.setdefault((record.path, record.part), record)
    return tuple(found.values())


class Members(Private):
    """Finds the records behind inputs. Parts are kept for the whole session, by the step that last had the id."""

    def __init__(self, objects: Mapping[str, Record], sets: Callable[[str], Sequence[Record]]) -> None:
        """`objects`: by id. `sets`: the records of a set by its id."""
        self._objects = objects
        self._sets = sets
        self._parts: dict[str, Parts] = {}

    def keep(self, step: str, parts: Parts) -> None:
        """Remember the parts of a step's result, instead of those of an earlier step with this id."""
        self._parts[step] = parts

    def parts(self, step: str) -> Parts:
        """The parts of a step's result; none where it has none."""
        return self._parts.get(step, {})

    def forget(self, step: str) -> None:
        """A step of this id has no result any more."""
        self._parts.pop(step, None)

    def resolve(self, inputs: Iterable[StepInput]) -> tuple[Record, ...]:
        """All records behind these inputs, each once, in a stable order. A step's whole result contributes none."""
        return once(record for given in inputs for record in self.of(given))

    def of(self, given: StepInput) -> Iterator[Record]:
        """The records behind one input."""
        name = given.set if isinstance(given, Narrowed) else given
        for record in self._named(name):
            if not isinstance(given, Narrowed) or matches(record, given.where):
                yield record

    def _named(self, name: str) -> Sequence[Record]:
        if name in self._objects:
            return (self._objects[name],)
        if set_id_like(name):
            return self._sets(name)
        part = part_of(name)
        return self.parts(source_of(name)).get(part, ()) if part is not None else ()
