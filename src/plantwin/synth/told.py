"""What a twin tells: its bytes, decoded and bounded. Nothing else of the folder it was made from is ever read here."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from plantwin.errors import InputError, VocabularyError
from plantwin.types.sets import SetRelation, TwinSet
from plantwin.types.twin import TwinEdge, TwinObject, check_graph
from plantwin.vocabulary import ContentTag, EdgeType, Kind, Share

MAX_BYTES = 64 << 20
MAX_OBJECTS = 50_000
MAX_EDGES = 300_000
_DEEPEST = 6


class Told(NamedTuple):
    """Objects and their relations, whichever message told them."""

    objects: tuple[TwinObject, ...]
    edges: tuple[TwinEdge, ...]


class _Message(msgspec.Struct, frozen=True):
    """The parts of a twin or of an envelope that say something of objects; the rest of it is not needed."""

    objects: tuple[TwinObject, ...] = ()
    edges: tuple[TwinEdge, ...] = ()
    sets: tuple[TwinSet, ...] = ()
    relations: tuple[SetRelation, ...] = ()


class _Marked(msgspec.Struct, frozen=True):
    """What `plantwin twin --all` prints."""

    twin: _Message


def told(data: bytes) -> Told:
    """Decode a twin, an envelope or what `plantwin twin --all` prints; refuse what is none, or too much."""
    if len(data) > MAX_BYTES:
        raise InputError(f"a twin of more than {MAX_BYTES >> 20} MiB is not read")
    _check_depth(data)
    try:
        try:
            message = msgspec.json.decode(data, type=_Marked).twin
        except msgspec.ValidationError:
            message = msgspec.json.decode(data, type=_Message)
        members = sum(group.size.least for group in message.sets)
        if len(message.objects) + members > MAX_OBJECTS or len(message.edges) > MAX_EDGES:
            raise InputError(f"a twin of more than {MAX_OBJECTS:,} objects or {MAX_EDGES:,} relations is not made")
        check_graph(message.objects, message.edges)
        expanded = _expanded(message)
    except (msgspec.MsgspecError, VocabularyError, UnicodeDecodeError, RecursionError):
        raise InputError("not a twin: expected the JSON of `plantwin twin`, `twin --all` or an envelope") from None
    if not expanded.objects:
        raise InputError("the twin tells of no object")
    return expanded


def _check_depth(data: bytes) -> None:
    """Refuse deep nesting before anything is parsed; strings of a twin hold no brackets."""
    depth = 0
    for mark in data.translate(None, bytes(set(range(256)) - set(b"[]{}"))):
        depth += 1 if mark in b"[{" else -1
        if depth > _DEEPEST:
            raise InputError("not a twin: nested too deep")


def _expanded(message: _Message) -> Told:
    """Members of sets made single: as few as the set's size stands for, with what it says of shares of them."""
    objects = list(message.objects)
    members: dict[str, list[str]] = {one.object_id: [one.object_id] for one in objects}
    named = Counter(one.within for one in objects if one.within is not UNSET)
    for group in message.sets:
        number = max(0, group.size.least - named[group.set_id])
        made = [_member(group, len(objects) + place, place, number) for place in range(number)]
        objects += made
        members[group.set_id] = [one.object_id for one in made] or [
            one.object_id for one in message.objects if one.within == group.set_id
        ]
    edges = list(message.edges)
    for relation in message.relations:
        sources, targets = members.get(relation.source, []), members.get(relation.target, [])
        for place in range(_part(relation.share, len(sources))):
            target = targets[place % len(targets)] if targets else UNSET
            if relation.edge is EdgeType.REQUIRES_CAPABILITY:
                target = UNSET
            elif target is UNSET or target == sources[place]:
                continue
            edges.append(TwinEdge(source=sources[place], edge=relation.edge, target=target, reason=relation.reason))
    return Told(tuple(objects), tuple(dict.fromkeys(edges)))


def _member(group: TwinSet, number: int, place: int, size: int) -> TwinObject:
    """One member of a set: single values as told, shared ones where its place falls into the share."""

    def has(share: Share, offset: int = 0) -> bool:
        return (place - offset) % size < _part(share, size)

    def first(field: str, word: str) -> object:
        shared = getattr(group, field)
        offset = 0
        for entry in () if shared is UNSET else shared:
            if has(entry.share, offset):
                return getattr(entry, word)
            offset += _part(entry.share, size)
        return UNSET

    leaf = group.semantic_class if group.semantic_class is not UNSET else first("classes", "semantic_class")
    tags = () if group.contains is UNSET else tuple(entry.tag for entry in group.contains if has(entry.share))
    lacks = () if group.lacks is UNSET else tuple(entry.absence for entry in group.lacks if has(entry.share))
    family = leaf.family if leaf is not UNSET else group.family  # type: ignore[attr-defined]
    return TwinObject(
        object_id=_id(number),
        kind=group.kind if group.kind is not UNSET else Kind.DOCUMENT,
        semantic_class=leaf,  # type: ignore[arg-type]
        family=family,
        role=group.role,
        component=group.component,
        freshness=group.freshness,
        sensitivity=group.sensitivity,
        contains=tags or UNSET,
        lacks=lacks or UNSET,
        **{field: first(field, field) for field in ("age", "environment", "provider", "ecosystem", "dialect")},  # type: ignore[arg-type]
    )


def _part(share: Share, size: int) -> int:
    """How many of so many a share stands for."""
    return {Share.SOME: (size + 2) // 3, Share.MOST: size * 2 // 3 + 1, Share.ALL: size}[share] if size else 0


_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def _id(number: int) -> str:
    """An id for a member that has none: never seen outside of this program."""
    return "artifact_" + "".join(_LETTERS[number >> 5 * place & 31] for place in range(8))


def wanted(one: TwinObject) -> dict[ContentTag, str]:
    """Tags with their amounts, as told."""
    amounts = {} if one.amounts is UNSET else {entry.tag: str(entry.amount) for entry in one.amounts}
    return {tag: amounts.get(tag, "few") for tag in (() if one.contains is UNSET else one.contains)}
