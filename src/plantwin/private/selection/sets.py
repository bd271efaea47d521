"""The sets of one session: unions of cells, cut for a goal, split where a planner asks for it."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, groupby, repeat
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from plantwin.private.facts import Private, Record, Relation
from plantwin.private.generalize import set_size, share
from plantwin.private.project import MUTUAL, USEFUL, values_of
from plantwin.private.selection.cells import LEVELS, REST, Accounting, Cell, Label
from plantwin.private.selection.choice import TELLING
from plantwin.types.identity import Issuer
from plantwin.types.local import LocalSet
from plantwin.types.sets import (
    MAX_CLASSES,
    MAX_SETS,
    SHARED,
    AbsenceShare,
    ClassShare,
    SetRelation,
    Shared,
    TagShare,
    TwinSet,
)
from plantwin.vocabulary import (
    FACETS,
    MAX_EDGES,
    MAX_TAGS,
    Absence,
    ContentTag,
    Dimension,
    EdgeReason,
    Family,
    Freshness,
    Kind,
    Role,
    SemanticClass,
    Sensitivity,
    Share,
    member,
)

CLASSES = LEVELS.index("semantic_class") + 1
ROLES = LEVELS.index("role") + 1
"""How deep sets are cut at first, and where the goal is about them; finer only where a planner asks for it."""
_FIELDS = ("semantic_class", "family", "role", "freshness", "sensitivity", "readiness")
_VALUES = attrgetter(*_FIELDS)
_ENDS = attrgetter("source", "target", "reason")
_usefulness = {reason.value: position for position, reason in enumerate(USEFUL)}


class _Node(NamedTuple):
    """Cells whose labels begin alike."""

    label: Label
    cells: tuple[Cell, ...]

    @property
    def members(self) -> list[Record]:
        return [record for cell in self.cells for record in cell.members]

    def cut(self) -> list[_Node]:
        """Cut along the next level."""
        depth = len(self.label) + 1
        whole = sorted(self.cells, key=lambda cell: cell.label[:depth])
        pieces = groupby(whole, key=lambda cell: cell.label[:depth])
        return [_Node(label, tuple(cells)) for label, cells in pieces]


class SessionSets(Private):
    """Sets by id, with the way back to their members."""

    def __init__(
        self,
        cells: Sequence[Cell],
        relations: Iterable[Relation],
        accounting: Accounting,
        issuer: Issuer,
        rank: Mapping[int, int],
        objects: Mapping[int, str],
        apart: frozenset[int] = frozenset(),
    ) -> None:
        """`rank`: how well an object fits the goal, by number, the best first. `objects`: ids of those told alone.

        `apart`: numbers of those that are told of by themselves and in no set.
        """
        self._cells = tuple(cells)
        self._relations = tuple(relations)
        self._accounting, self._issuer, self._rank, self._objects = accounting, issuer, rank, objects
        self._apart = apart
        self._best = {cell.label: min(self._positions(cell.members)) for cell in cells}
        """The rank of the best member of each cell."""
        self._nodes: dict[str, _Node] = {}
        self._members: dict[str, tuple[Record, ...]] = {}
        self._components: dict[str, str] = {}
        self._versions: dict[Label, str] = {}

    def __contains__(self, set_id: object) -> bool:
        return set_id in self._members

    def _positions(self, records: Sequence[Record]) -> Iterator[int]:
        """How well each of these objects fits the goal: the lower the better."""
        return map(self._rank.get, map(attrgetter("number"), records), repeat(len(self._rank)))

    @cached_property
    def _label(self) -> dict[int, Label]:
        """The cell of each object."""
        return {record.number: cell.label for cell in self._cells for record in cell.members}

    def members(self, set_id: str) -> tuple[Record, ...]:
        """The members of a set, those that fit the goal best first."""
        return self._members[set_id]

    def accounts(self, records: Iterable[Record]) -> tuple[bytes, ...]:
        """The accounts of the cells that these records lie in."""
        labels = dict.fromkeys(self._label[record.number] for record in records)
        return tuple(self._accounting.account(label) for label in labels)

    def account(self, number: int) -> bytes:
        """The account of the cell that an object lies in; none where it lies in no cell."""
        return self._accounting.account(self._label[number]) if number in self._label else b""

    def version(self, records: Sequence[Record]) -> str:
        """A keyed digest of these records and their content."""
        return self._accounting.version(records)

    def mark(self, record: Record) -> str:
        """What the ledger calls a member of a cell: a keyed digest of its place in the folder."""
        return self._accounting.mark(record)

    @cached_property
    def marks(self) -> dict[bytes, frozenset[str]]:
        """Marks of the members of every cell, by its account."""
        return {self._accounting.account(cell.label): frozenset(map(self.mark, cell.members)) for cell in self._cells}

    def marked(self, marks: Collection[str]) -> list[Record]:
        """The records with these marks."""
        return [self._by_mark[mark] for mark in sorted(marks) if mark in self._by_mark]

    @cached_property
    def _by_mark(self) -> dict[str, Record]:
        return {self.mark(record): record for cell in self._cells for record in cell.members}

    def for_goal(
        self, families: Collection[Family], named: Sequence[Sequence[Record]], most: int
    ) -> tuple[LocalSet, ...]:
        """Cut the folder into at most `most` sets: finer where the goal is about them. `named`: what it names."""
        nodes = _Node((), self._cells).cut() if self._cells else []
        waiting = [node for node in nodes if self._deeper(node, families)]
        while waiting:
            node = min(waiting, key=lambda node: self._interest(node, families))
            waiting.remove(node)
            pieces = node.cut()
            if len(nodes) + len(pieces) - 1 > most:
                continue
            nodes.remove(node)
            nodes += pieces
            waiting += [piece for piece in pieces if self._deeper(piece, families)]
        sets = [made for node in nodes if (made := self._made(node)) is not None]
        sets += [self._named(records) for records in named[: MAX_SETS - len(sets)]]
        return self._related(sets)

    def split(self, set_id: str, by: Dimension) -> tuple[LocalSet, ...]:
        """Cut a set along a dimension, as far as its cells differ in it."""
        node = self._nodes.get(set_id)
        if node is None:  # what a goal names is cut by nothing else
            return ()
        depth = LEVELS.index(by.value)

        def value(cell: Cell) -> str:
            return cell.label[depth] if len(cell.label) > depth else REST

        pieces = groupby(sorted(node.cells, key=value), key=value)
        parts = [_Node((*node.label, found), tuple(cells)) for found, cells in pieces]
        room = MAX_SETS - len(self._members)
        if room < 2:
            return ()
        parts.sort(key=lambda part: len(part.members), reverse=True)
        if len(parts) > room:  # an envelope lists so many; the smallest stay together
            others = tuple(cell for part in parts[room - 1 :] for cell in part.cells)
            parts[room - 1 :] = [_Node((*node.label, REST), others)]
        cut = (self._version(node), by.value)
        return self._related([made for part in parts if (made := self._made(part, set_id, cut)) is not None])

    def _deeper(self, node: _Node, families: Collection[Family]) -> bool:
        """Whether a node is to be cut further at first: to classes, and where the goal is about it to roles."""
        depth = len(node.label)
        if len(node.cells) < 2 or node.label[-1:] == (REST,):
            return False
        return depth < CLASSES or (depth < ROLES and node.label[1] in families)

    def _interest(self, node: _Node, families: Collection[Family]) -> tuple[int, bool, int]:
        """The coarse before the fine, then what the goal is about, then what fits it best."""
        wanted = any(record.family in families for cell in node.cells for record in cell.members[:1])
        best = min(self._best[cell.label] for cell in node.cells)
        return len(node.label), not wanted, best

    def _made(self, node: _Node, within: str = "", cut: tuple[str, ...] = ()) -> LocalSet | None:
        """The set of a node, of what is told of in sets; none where nothing is. `cut`: of what, and along what."""
        members = node.members
        told = [record for record in members if record.number not in self._apart] if self._apart else members
        if not told:
            return None
        records = self._ordered(told)
        made = self._set(records, within=within, component=self._component(node))
        self._nodes[made.set_id] = node
        cells = tuple(self._accounting.account(cell.label) for cell in node.cells)
        # The same words about others are news, and so are the same members as pieces of another cut.
        version = self._version(node) if len(records) == len(members) else self.version(records)
        return LocalSet(made, cells, len(records), _shorter("".join((version, *cut))))

    def _version(self, node: _Node) -> str:
        for cell in node.cells:
            if cell.label not in self._versions:
                self._versions[cell.label] = self._accounting.version(cell.members)
        return "".join(self._versions[cell.label] for cell in node.cells)

    def _named(self, records: Sequence[Record]) -> LocalSet:
        ordered = self._ordered(records)
        made = self._set(ordered, named=True)
        return LocalSet(made, self.accounts(ordered), len(ordered), self.version(ordered))

    def _ordered(self, records: Sequence[Record]) -> tuple[Record, ...]:
        positions = list(self._positions(records))
        return tuple(map(records.__getitem__, sorted(range(len(records)), key=positions.__getitem__)))

    def _component(self, node: _Node) -> str:
        """A fresh id for the component that all cells of a node belong to; none where they do not."""
        depth = LEVELS.index("component")
        found = {cell.label[depth] if len(cell.label) > depth else REST for cell in node.cells}
        if len(found) != 1 or REST in found:
            return ""
        return self._components.setdefault(found.pop(), self._issuer.component_id())

    def _set(self, records: Sequence[Record], *, within: str = "", component: str = "", named: bool = False) -> TwinSet:
        """Everything that could be told of these records together."""
        set_id = self._issuer.set_id()
        self._members[set_id] = tuple(records)
        closed = self._accounting.closed
        open_ = [record for record in records if record.number not in closed] if closed else records
        number, all_open = len(records), len(open_) == len(records)
        alike = Counter(map(_VALUES, open_))
        """Few kinds of objects, however many there are."""

        def counts(field: str) -> Counter[str]:
            found: Counter[str] = Counter()
            for values, count in alike.items():
                found[values[_FIELDS.index(field)]] += count
            return found

        def same(field: str) -> str:
            found = counts(field) if all_open else ()
            return next(iter(found)) if len(found) == 1 else ""

        classes, ready = counts("semantic_class"), counts("readiness")["ready"]
        tags: Counter[str] = Counter()
        for (tag, _), count in Counter(chain.from_iterable(map(attrgetter("contains"), open_))).items():
            tags[tag] += count
        lacking = Counter(chain.from_iterable(map(attrgetter("lacks"), open_)))
        mixed = len(classes) > 1 or not all_open
        family, leaf, role, freshness = map(same, ("family", "semantic_class", "role", "freshness"))
        kinds = set(map(attrgetter("kind"), records))
        levels = {member(Sensitivity, level) for level in counts("sensitivity")}
        facets: dict[str, Any] = {field: told for field in FACETS if (told := _facet(field, open_, number))}
        return TwinSet(
            set_id=set_id,
            size=set_size(number),
            kind=member(Kind, kinds.pop()) if len(kinds) == 1 else UNSET,
            family=member(Family, family) if family else UNSET,
            semantic_class=member(SemanticClass, leaf) if leaf else UNSET,
            role=member(Role, role) if role else UNSET,
            component=component or UNSET,
            freshness=member(Freshness, freshness) if freshness else UNSET,
            **facets,
            sensitivity=max(levels, key=_strength) if levels else UNSET,
            classes=(_classes(classes, number) or UNSET) if mixed else UNSET,
            contains=tuple(
                TagShare(tag=member(ContentTag, tag), share=share(count, number))
                for tag, count in sorted(_telling(tags))
            )
            or UNSET,
            lacks=tuple(
                AbsenceShare(absence=member(Absence, absence), share=share(count, number))
                for absence, count in sorted(_most_common(lacking, MAX_TAGS))
            )
            or UNSET,
            ready=share(ready, number) if ready else UNSET,
            named=True if named else UNSET,
            within=within or UNSET,
        )

    def _related(self, sets: Sequence[LocalSet]) -> tuple[LocalSet, ...]:
        """The sets with the relations between them, and with the objects that are told of by themselves."""
        place: dict[int, str] = {}
        for each in sets:
            if not each.set.named:
                place |= dict.fromkeys(map(attrgetter("number"), self._members[each.id]), each.id)
        sizes = {each.id: each.count for each in sets}
        sources: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
        alone = self._objects
        for begin, end, reason in map(_ENDS, self._relations):
            source, target = place.get(begin), place.get(end)
            if source is None or target is None:  # what needs a local tool has no other end
                continue
            ends: tuple[tuple[str, str], ...] = ((source, target),)
            if alone:
                ends += ((alone[begin], target),) if begin in alone else ()
                ends += ((source, alone[end]),) if end in alone else ()
            for one, other in ends:
                # What holds both ways has a local direction that follows from names: told from the lesser id.
                if one > other and reason in MUTUAL_WORDS:
                    sources[other, reason, one].add(end)
                else:
                    sources[one, reason, other].add(begin)
        # Between ends that are told alike chance decides, by their ids; a name never does.
        looks = {each.id: _looks(each.set) for each in sets}
        listed = (record for each in sets for record in self._members[each.id] if record.number in alone)
        looks |= {alone[record.number]: repr(values_of(record)) for record in listed}
        found: defaultdict[str, list[tuple[int, int, str, str, str]]] = defaultdict(list)
        for (source, reason, target), numbers in sources.items():
            found[source].append((_usefulness[reason], -len(numbers), looks[target], target, reason))
        chosen = {
            source: tuple(_relation(source, row, sizes.get(source, 1)) for row in sorted(rows)[:MAX_EDGES])
            for source, rows in found.items()
        }
        self.object_relations = tuple(
            relation for source, rows in chosen.items() if source not in sizes for relation in rows
        )
        # By their ids, which are random: the order in which they were cut follows from words of the goal.
        return tuple(
            LocalSet(each.set, each.cells, each.count, each.version, chosen.get(each.id, ()))
            for each in sorted(sets, key=lambda each: each.id)
        )

    object_relations: tuple[SetRelation, ...] = ()
    """Relations from objects that are told of by themselves to sets."""


MUTUAL_WORDS = frozenset(reason.value for reason in MUTUAL)
_strength = tuple(Sensitivity).index


def _looks(one: TwinSet) -> str:
    """What is told of a set, but for what is drawn by chance."""
    told = msgspec.to_builtins(one)
    return repr(
        sorted((field, value) for field, value in told.items() if field not in ("set_id", "component", "within"))
    )


def _relation(source: str, row: tuple[int, int, str, str, str], size: int) -> SetRelation:
    """A relation of a set, of how useful its reason is, how many there are (negative), its other end and its reason."""
    _, number, _, target, word = row
    reason = member(EdgeReason, word)
    return SetRelation(source=source, edge=reason.edge, reason=reason, target=target, share=share(-number, size))


def _telling(tags: Counter[str]) -> list[tuple[str, int]]:
    """Return the tags of a set that are told: those that decide plans before those that are common."""
    ranked = sorted(tags.items(), key=lambda tag: (-TELLING.get(tag[0], 0.0), -tag[1], tag[0]))
    return ranked[:MAX_TAGS]


def _facet(field: str, records: Sequence[Record], number: int) -> tuple[Shared, ...]:
    """The most common words of a field of which an object may have none, each with its share."""
    of, most = SHARED[field]
    counts = Counter(map(attrgetter(field), records))
    del counts[""]
    return tuple(
        of(share=share(count, number), **{field: member(of.vocabulary, word)})
        for word, count in sorted(_most_common(counts, most))
    )


def _classes(counts: Counter[str], number: int) -> tuple[ClassShare, ...]:
    """The most common classes of a mixed set."""
    return tuple(
        ClassShare(semantic_class=member(SemanticClass, leaf), share=share(count, number) if number > 1 else Share.ALL)
        for leaf, count in sorted(_most_common(counts, MAX_CLASSES))
    )


def _most_common(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """The most common words; of equally common ones the first by their letters, whatever the files are called."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]


def _shorter(version: str) -> str:
    return hashlib.blake2b(version.encode(), digest_size=6).hexdigest()
