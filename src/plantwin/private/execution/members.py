"""Which records a step's inputs stand for (objects, sets, parts of results), and which of them go into one call."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from os.path import commonpath
from typing import TYPE_CHECKING

from plantwin.private.facts import Private, Record, Relation
from plantwin.private.formats.lexicon import Lexicon
from plantwin.types.capability import Capability
from plantwin.types.plan import Narrowed, StepInput, Where, part_of, source_of
from plantwin.types.twin import set_id_like
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, EdgeReason, Part, WorksOn, member

if TYPE_CHECKING:
    from plantwin.private.execution.merging import Merger

MOST_PAIRS = 64
"""Pairs that one step compares."""
MOST_UNRELATED = 8
"""Members that one object is compared with where none is its counterpart."""
REASONS = (
    EdgeReason.SIBLING, EdgeReason.SUPERSEDES, EdgeReason.PRECEDES, EdgeReason.DIVERGED, EdgeReason.ORDER,
    EdgeReason.OVERLAPS, EdgeReason.COPY,
)  # fmt: skip
"""Relations that make a pair, the most telling first."""

Group = tuple[Record, ...]


class Ages(Private):
    """Which of two records is newer, as far as relations say so."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._newer: set[tuple[int, int]] = set()
        for relation in relations:
            if relation.reason == EdgeReason.SUPERSEDES:
                self._newer.add((relation.source, relation.target))
            elif relation.reason in (EdgeReason.ORDER, EdgeReason.PRECEDES):
                self._newer.add((relation.target, relation.source))

    def newer(self, one: Record, other: Record) -> bool:
        """Whether the first is newer than the second."""
        return (one.number, other.number) in self._newer

    def ordered(self, one: Record, other: Record) -> Group:
        """The older first; where neither is known to be newer, as they come."""
        return (other, one) if self.newer(one, other) else (one, other)


def paired(
    sides: Sequence[Sequence[Record]], relations: Sequence[Relation], most: int = 2, *, stages: bool = False
) -> list[Group]:
    """Groups of members that belong together, the most telling first.

    `sides`: the members of each input. A pair of two inputs has one of each; one input, or more than two, are one pool.
    `most`: how many one group may have. More than two form one where all of them hang together, of whichever input.
    `stages`: whether files of one name belong together only where their folders are of environments.
    """
    members = {record.number: record for side in sides for record in side}
    side_of = _side_of(sides)
    ages = Ages(relations)
    found: dict[tuple[int, int], Group] = {}
    every = not stages or len(sides) == 2
    of_stages = [pair for pair in _namesakes(members.values()) if every or _are_environments(*pair)]
    for one, other in (*_related(members, relations), *of_stages):
        key = (min(one.number, other.number), max(one.number, other.number))
        found.setdefault(key, ages.ordered(one, other))
    # Pairs of two inputs come first: of many only the first are compared.
    related = sorted(found.values(), key=lambda pair: not _across(pair, side_of))
    if most > 2 and related:
        return _joined(related, most)
    return [pair for pair in related if len(sides) != 2 or _across(pair, side_of)] or _unrelated(sides, ages)


def _side_of(sides: Sequence[Sequence[Record]]) -> Mapping[int, frozenset[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for number, side in enumerate(sides):
        for record in side:
            found[record.number].add(number)
    several = len(sides) > 1
    return {record: frozenset(numbers) if several else frozenset() for record, numbers in found.items()}


def _across(pair: Group, side_of: Mapping[int, frozenset[int]]) -> bool:
    """Whether two are of different inputs, where there are several."""
    ours, theirs = (side_of[record.number] for record in pair)
    return not ours or len(ours | theirs) > 1


def _related(members: Mapping[int, Record], relations: Sequence[Relation]) -> Iterator[Group]:
    for reason in REASONS:
        chosen = [
            (members[relation.source], members[relation.target])
            for relation in relations
            if relation.reason == reason and relation.source in members and relation.target in members
        ]
        yield from sorted(chosen, key=lambda pair: [(record.path, record.part) for record in pair])


def _namesakes(members: Iterable[Record]) -> Iterator[Group]:
    """Files of one name in different folders, and tables of one name in different files; of many only neighbours."""
    alike: dict[tuple[str, str, str], list[Record]] = defaultdict(list)
    for record in members:
        alike[record.path.rpartition("/")[2], record.part, record.kind].append(record)
    for _, same in sorted(alike.items()):
        same.sort(key=lambda record: record.path)
        yield from combinations(same, 2) if len(same) <= 4 else pairwise(same)


def _are_environments(one: Record, other: Record) -> bool:
    """Tell whether two paths differ in an environment's name, or below a folder that holds environments."""
    from plantwin.private.capabilities.compare_environments.environment import stage_of as stage

    shared = commonpath([one.path, other.path])
    ours, theirs = (stage(record.path[len(shared) :].lstrip("/")) for record in (one, other))
    return ours != theirs or shared.rpartition("/")[2].lower().rstrip("s") in HOLDERS


def _unrelated(sides: Sequence[Sequence[Record]], ages: Ages) -> list[Group]:
    """What there is to compare where nothing is known to belong together: a lone object with some of the others."""
    lone = next((number for number, side in enumerate(sides) if len(side) == 1), None)
    if len(sides) == 1 and len(sides[0]) == 2:
        return [ages.ordered(*sides[0])]
    if len(sides) < 2 or lone is None:
        return []
    others = [record for number, side in enumerate(sides) if number != lone for record in side]
    (one,) = sides[lone]
    return [ages.ordered(one, other) for other in others[:MOST_UNRELATED] if other.number != one.number]


def _joined(pairs: Sequence[Group], most: int) -> list[Group]:
    """Pairs that hang together as one group where it is not too large."""
    leader: dict[int, int] = {}

    def find(number: int) -> int:
        while leader.setdefault(number, number) != number:
            number = leader[number]
        return number

    for one, other in pairs:
        leader[find(other.number)] = find(one.number)
    groups: dict[int, list[Group]] = defaultdict(list)
    for pair in pairs:
        groups[find(pair[0].number)].append(pair)
    found: list[Group] = []
    for together in groups.values():
        members = {record.number: record for pair in together for record in pair}
        found += [tuple(members.values())] if len(members) <= most else together
    return found


GONE, CHANGED, UNREADABLE = "gone since the scan", "changed since the scan: scan again", "cannot be read"
REFUSED, UNFIT = "not permitted by the policy", "not of a kind that this capability takes"
TOO_MANY = "beyond the limit on files (limits.max_files)"
LATE, STOPPED = "not reached in the time that a step has (limits.step_seconds)", "not reached: interrupted"
TOO_MUCH = "more than this capability examines at once"
UNKNOWN_FORM = "in no form that this capability reads"
UNPAIRED, MORE_PAIRS = "without a counterpart among the members", f"beyond the first {MOST_PAIRS} pairs"
NOT_FOR_IT = frozenset({UNFIT, UNKNOWN_FORM, UNPAIRED})
"""Of members in which the capability has nothing to look for."""
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


_LEXICON = Lexicon(__file__)


def _members(table: str) -> Mapping[CapabilityName, int]:
    return {member(CapabilityName, name): number for name, number in _LEXICON.tables[table].items()}


TOGETHER = _members("together")
"""Members that one call gets where files of a folder explain each other: a manifest and its lock file, a page and its
style sheet, the resources of one module, queries and the tables that they read, tables that refer to each other; or
where an engine is started once for all of them."""
ENGINE_AT_ONCE = 128
"""Likewise of an engine that reads thousands of rules before it begins."""
AT_ONCE = _members("at_once")
"""Members of sets that one call bears where a capability works on all at once, and a plan could not name as many."""
DIVISIBLE = (CapabilityName.ASSESS_EXPOSURE, CapabilityName.EXTRACT_CONSTRAINTS)
"""What works on the whole, and bears being called several times where that is too much."""
NAMES_ALONE = (
    CapabilityName.FIND_IMPACT, CapabilityName.SEARCH_SIMILAR, CapabilityName.FIND_TESTS, CapabilityName.MEASURE_SIZE,
    CapabilityName.CHANGES_SINCE,
)  # fmt: skip
"""What looks at relations and at what the scan knows, and never at content."""
APART: Mapping[str, Sequence[str]] = _LEXICON.tables["apart"]
"""Classes whose files are no counterparts of each other for a capability: texts by language are no environments."""
HOLDERS = _LEXICON.words("environments")
SPARING = _members("sparing")
"""What works on relations, and looks into the content of so many members besides."""


def together(capability: Capability, options: Mapping[str, object]) -> int:
    """How many members one call gets, where a capability works on each by itself."""
    return ENGINE_AT_ONCE if "semgrep_rules" in options else TOGETHER.get(capability.name, 1)


def at_once(capability: Capability) -> int:
    """How many members of a set one call gets, where a capability works on all of them."""
    return capability.most if capability.own else AT_ONCE.get(capability.name, capability.most)


_LICENSE = re.compile(r"(?:^|/)(?:licen[cs]e|copying|unlicense|copyright|notice)[^/]*$", re.IGNORECASE)
_PROJECT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:docs?/|\.github/)?readme[^/]*$",
        r"(?:^|/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|composer\.json"
        r"|gemfile|requirements[\w.-]*\.txt|pipfile|chart\.yaml|dbt_project\.yml|dvc\.yaml|manage\.py|procfile)$",
        r"(?:^|/)(?:(?:docker-)?compose[\w.-]*\.ya?ml|dockerfile[\w.-]*|makefile|tox\.ini|noxfile\.py|justfile|taskfile\.ya?ml)$",
        r"(?:^|/)\.github/workflows/|\.gitlab-ci\.ya?ml$|jenkinsfile$|\.travis\.yml$|\.circleci/|azure-pipelines",
        r"^(?:licen[cs]e|copying)[^/]*$",
        r"(?:^|/)readme[^/]*$",
        r"(?:^|/)__init__\.py$",
    )
)


def in_order(capability: CapabilityName, members: Sequence[Record]) -> list[Record]:
    """Return the members with those first that this capability reads."""
    key = _ORDERS.get(capability)
    return sorted(members, key=key) if key is not None else list(members)


def _project(record: Record) -> tuple[int, int, str]:
    rank = next((number for number, pattern in enumerate(_PROJECT) if pattern.search(record.path)), len(_PROJECT))
    # Manifests deep inside say less of the whole than the README of a part near the top.
    return rank + record.path.count("/") * 2, rank, record.path


def _licenses(record: Record) -> tuple[bool, int, str]:
    return not (_LICENSE.search(record.path) or record.family == "dependencies"), record.path.count("/"), record.path


def _code(record: Record) -> tuple[bool, bool, str]:
    return record.kind != "code_file", record.kind != "config", record.path


_ORDERS: Mapping[CapabilityName, Callable[[Record], tuple[object, ...]]] = {
    CapabilityName.EXPLAIN_PROJECT: _project,
    CapabilityName.LIST_LICENSES: _licenses,
    CapabilityName.FIND_DUPLICATES: _code,
    CapabilityName.FIND_DEAD_CODE: _code,
}


def grouped(
    capability: Capability,
    members: Sequence[Record],
    sides: Sequence[Sequence[Record]],
    relations: Callable[[], Sequence[Relation]],
    merger: Merger,
    size: int,
) -> list[tuple[Record, ...]]:
    """The members of each call; the merger is told of those that are in none. `sides`: the members of each input.

    `size`: members of one call, where the capability works on each by itself.
    """
    if capability.works_on is WorksOn.PAIRS:
        return _pairs(capability, members, sides, relations(), merger)
    if capability.works_on is WorksOn.WHOLE:
        return _whole(capability, members, merger)
    nearby = sorted(members, key=_folder_first) if size > 1 else members
    return [tuple(nearby[at : at + size]) for at in range(0, len(nearby), size)]


def _pairs(
    capability: Capability,
    members: Sequence[Record],
    sides: Sequence[Sequence[Record]],
    relations: Sequence[Relation],
    merger: Merger,
) -> list[tuple[Record, ...]]:
    apart = APART.get(capability.name.value, ())
    merger.leave_out((record for record in members if record.semantic_class in apart), UNFIT)
    members = [record for record in members if record.semantic_class not in apart]
    chosen = {label(record) for record in members}
    present = [[record for record in side if label(record) in chosen] for side in sides]
    stages = capability.name is CapabilityName.COMPARE_ENVIRONMENTS
    groups = paired([side for side in present if side], relations, capability.most, stages=stages)
    kept = groups[:MOST_PAIRS]
    inside = {label(record) for group in kept for record in group}
    beyond = {label(record) for group in groups[MOST_PAIRS:] for record in group} - inside
    merger.leave_out((record for record in members if label(record) in beyond), MORE_PAIRS)
    alone = [record for record in members if label(record) not in inside and label(record) not in beyond]
    merger.leave_out(alone, UNPAIRED)
    return kept


def _whole(capability: Capability, members: Sequence[Record], merger: Merger) -> list[tuple[Record, ...]]:
    most = at_once(capability)
    members = in_order(capability.name, members)
    if capability.name in DIVISIBLE:
        return [tuple(members[at : at + most]) for at in range(0, len(members), most)]
    merger.leave_out(members[most:], TOO_MUCH)
    return [tuple(members[:most])] if members else []


def _folder_first(record: Record) -> tuple[str, str, str]:
    folder, _, name = record.path.rpartition("/")
    return folder, name, record.part
