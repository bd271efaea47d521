"""What lies around the inputs of a step: names, values and relations of the other objects, never their content."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Link, Neighbour, Surroundings
from plantwin.private.facts import Changes, Facts, Private, Record, Relation
from plantwin.types.capability import Capability

if TYPE_CHECKING:
    from plantwin.private.scan import Scan

MOST_OBJECTS = 20_000
"""Objects that are handed over at most: the inputs and their relations first, then in the order of paths."""
MOST_LINKS = 60_000
MOST_NAMES = 64
"""Names and settings of one object that are handed over at most."""


class Neighbourhood(Private):
    """The objects of one scan and their relations, loaded when a step first looks there."""

    def __init__(
        self,
        scan: Scan,
        records: Mapping[str, Record],
        permitted: Callable[[Record, Capability | None], bool] = lambda *_: True,
    ) -> None:
        """`records`: the objects of a session by id; what is not among them is the result of an earlier step.

        `permitted`: whether a capability may look at an object that is not its input. Of others nothing is handed
        over: even a count would tell of them.
        """
        self._scan = scan
        self._records = records
        self._permitted = permitted
        self._denied: dict[str, frozenset[int]] = {}
        """Numbers of what capabilities may not look at, by their words."""

    @cached_property
    def _objects(self) -> list[tuple[int, Neighbour]]:
        facts = dict(self._scan.facts())
        return [(record.number, _neighbour(record, facts[record.number])) for record in self._scan.records()]

    @cached_property
    def _relations(self) -> list[Relation]:
        return list(self._scan.relations())

    def around(self, inputs: Sequence[str | Record], capability: Capability | None = None) -> Surroundings:
        """The surroundings of these inputs: they and what they relate to first, then the others by path.

        An input is a record, the id of an object, or that of a step.
        """
        numbers = [self._number(given) for given in inputs]
        denied = self._hidden_from(capability) - set(numbers)
        relations = [
            relation for relation in self._relations if relation.source not in denied and relation.target not in denied
        ]
        near = set(numbers)
        beside = [
            (relation.source, relation.target) for relation in relations if {relation.source, relation.target} & near
        ]
        near |= {end for ends in beside for end in ends}
        seen = (neighbour for neighbour in self._objects if neighbour[0] not in denied)
        objects = sorted(seen, key=lambda neighbour: neighbour[0] not in near)[:MOST_OBJECTS]
        place = {number: position for position, (number, _) in enumerate(objects)}
        links = (
            Link(
                place[relation.source],
                relation.edge,
                relation.reason,
                place.get(relation.target, -1),
                _text(relation.evidence),
            )
            for relation in relations
            if relation.source in place and (relation.target < 0 or relation.target in place)
        )
        return Surroundings(
            objects=tuple(obj for _, obj in objects),
            links=tuple(islice(links, MOST_LINKS)),
            inputs=tuple(place.get(number, -1) for number in numbers),
        )

    def _hidden_from(self, capability: Capability | None) -> frozenset[int]:
        word = capability.word if capability is not None else ""
        if word not in self._denied:
            found = (record.number for record in self._scan.records() if not self._permitted(record, capability))
            self._denied[word] = frozenset(found)
        return self._denied[word]

    def _number(self, given: str | Record) -> int:
        record = given if isinstance(given, Record) else self._records.get(given)
        return record.number if record is not None else -1


def _neighbour(record: Record, facts: Facts) -> Neighbour:
    return Neighbour(
        name=_text(record.path),
        kind=record.kind,
        semantic_class=record.semantic_class,
        role=record.role,
        component=_text(record.component),
        part=_text(record.part),
        sketch=facts.sketch,
        tags=tuple(tag for tag, _ in record.contains),
        sensitivity=record.sensitivity,
        provides=tuple(_text(provide.name) for provide in facts.provides[:MOST_NAMES]),
        keys=tuple((_text(key), value) for key, value in facts.settings[:MOST_NAMES]),
        freshness=record.freshness,
        format=facts.format,
        lines=facts.lines,
        size=facts.size,
    )


def _text(value: str) -> str:
    """As text that any encoder takes."""
    return value.encode("utf-8", "backslashreplace").decode()


def changes_of(root: Path, scan: Scan, request: str, since: str = "") -> Changes:
    """Ask git what changed since a revision: the given one, or the one that a request names."""
    from plantwin.private.observe.changes import changes, since_of

    return changes(root, {record.path for record in scan.records()}, since or since_of(request))
