"""One order for equal twins: by values, then by those of neighbours; ids and the order of a message say nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from plantwin.synth.told import Told
from plantwin.types.twin import TwinEdge, TwinObject

_ROUNDS = 6
_NAMELESS = "artifact_aaaaaaaa"


def canonical(told: Told) -> Told:
    """The same objects and edges in the one order that follows from what is told.

    Objects of the same values and neighbours are numbered along their relations: what is interchangeable may
    change places, and the folder stays the same.
    """
    ids = [one.object_id for one in told.objects]
    place = {object_id: number for number, object_id in enumerate(ids)}
    beside = _neighbours(told, place)
    colours = _refined([_values(one) for one in told.objects] + [b""] * (len(beside) - len(ids)), beside)
    order = [number for number in _walked(colours, beside) if number < len(ids)]
    rank = {ids[number]: position for position, number in enumerate(order)}
    edges = sorted(told.edges, key=lambda edge: _of_edge(edge, rank))
    return Told(tuple(told.objects[number] for number in order), tuple(edges))


def _of_edge(edge: TwinEdge, rank: Mapping[str, int]) -> tuple[int, str, str, int]:
    target = rank[edge.target] if edge.target is not UNSET else -1
    return rank[edge.source], str(edge.edge), str(edge.reason), target


def _values(one: TwinObject) -> bytes:
    """All values of an object, without ids."""
    return msgspec.json.encode(replace(one, object_id=_NAMELESS, component=UNSET, within=UNSET), order="sorted")


def _neighbours(told: Told, place: Mapping[str, int]) -> list[list[tuple[str, int]]]:
    """What each object is joined with, and how; a component is a neighbour of its members."""
    components = sorted({one.component for one in told.objects if one.component is not UNSET})
    number = {component: len(told.objects) + position for position, component in enumerate(components)}
    beside: list[list[tuple[str, int]]] = [[] for _ in range(len(told.objects) + len(components))]
    for one in told.objects:
        if one.component is not UNSET:
            beside[place[one.object_id]].append(("in", number[one.component]))
            beside[number[one.component]].append(("has", place[one.object_id]))
    for edge in told.edges:
        if edge.target is UNSET:
            beside[place[edge.source]].append((f"needs {edge.reason}", place[edge.source]))
        else:
            beside[place[edge.source]].append((f"{edge.edge} {edge.reason} to", place[edge.target]))
            beside[place[edge.target]].append((f"{edge.edge} {edge.reason} from", place[edge.source]))
    return beside


def _ranks(keys: Sequence[Any]) -> list[int]:
    places = {key: position for position, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]


def _refined(values: Sequence[bytes], beside: Sequence[Sequence[tuple[str, int]]]) -> list[int]:
    """Numbers of classes of objects that neither values nor neighbours tell apart."""
    colours = _ranks(values)
    for _ in range(_ROUNDS):
        keys = [
            (colours[number], tuple(sorted((how, colours[other]) for how, other in joined)))
            for number, joined in enumerate(beside)
        ]
        finer = _ranks(keys)
        if len(set(finer)) == len(set(colours)):
            break
        colours = finer
    return colours


def _walked(colours: Sequence[int], beside: Sequence[Sequence[tuple[str, int]]]) -> list[int]:
    """All numbers, each followed by what it is joined with: of equals, those that belong together stay together."""
    order: list[int] = []
    seen = bytearray(len(colours))
    for start in sorted(range(len(colours)), key=colours.__getitem__):
        queue = [] if seen[start] else [start]
        seen[start] = 1
        for number in queue:
            order.append(number)
            for _, _, other in sorted((how, colours[other], other) for how, other in beside[number]):
                if not seen[other]:
                    seen[other] = 1
                    queue.append(other)
    return order
