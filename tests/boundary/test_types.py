"""If a wire type exists, it is valid: every way to build a wrong one is refused."""

from __future__ import annotations

import pytest

from plantwin.boundary.identity import Issuer
from plantwin.errors import VocabularyError
from plantwin.types.envelope import MAX_OBJECTS, Registration
from plantwin.types.twin import Group, TagAmount, Twin, TwinEdge, TwinObject
from plantwin.vocabulary import (
    Affordance,
    Amount,
    ContentTag,
    Count,
    EdgeReason,
    EdgeType,
    Family,
    Kind,
    SemanticClass,
    member,
)

ONE, TWO = "artifact_aaaaaaaa", "artifact_bbbbbbbb"


def thing(object_id=ONE, **fields):
    return TwinObject(object_id=object_id, kind=Kind.CONFIG, **fields)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"object_id": "artifact_1"}, "object_id"),
        ({"object_id": "/etc/passwd"}, "object_id"),
        ({"object_id": "artifact_aaaaaaaa\n"}, "object_id"),
        ({"semantic_class": "readme"}, "semantic_class"),
        ({"semantic_class": None}, "semantic_class"),
        ({"component": "payments"}, "component"),
        ({"contains": ()}, "contains"),
        ({"contains": [ContentTag.DATES]}, "contains"),
        ({"contains": (ContentTag.TABLES, ContentTag.DATES)}, "out of order"),
        ({"contains": (ContentTag.DATES, ContentTag.DATES)}, "twice"),
        ({"contains": tuple(sorted(ContentTag))[:7]}, "contains"),
        ({"contains": ("dates",)}, "contains"),
        ({"usable_for": (Affordance.COMPARE, ContentTag.DATES)}, "usable_for"),
        ({"semantic_class": SemanticClass.README, "family": Family.LOGS}, "family"),
        ({"amounts": (TagAmount(ContentTag.DATES, Amount.FEW),)}, "not disclosed"),
        ({"contains": (ContentTag.DATES,), "amounts": ("many",)}, "amounts"),
        ({"contains": (ContentTag.DATES,), "amounts": ()}, "amounts"),
        (
            {"contains": (ContentTag.DATES,), "amounts": (TagAmount(ContentTag.DATES, Amount.FEW),) * 2},
            "twice",
        ),
    ],
)
def test_a_wrong_object_cannot_be_built(fields, code):
    with pytest.raises(VocabularyError, match=code):
        thing(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "x"},
        {"edge": "imports"},
        {"target": None},
        {"target": ONE},
        {"reason": "because"},
        {"reason": EdgeReason.LOCKED},
        {"edge": EdgeType.REQUIRES_CAPABILITY},
    ],
)
def test_a_wrong_edge_cannot_be_built(fields):
    right = {"source": ONE, "edge": EdgeType.DEPENDS_ON, "target": TWO, "reason": EdgeReason.IMPORTS}
    TwinEdge(**right)
    with pytest.raises(VocabularyError):
        TwinEdge(**{**right, **fields})


def edge(source=ONE, target=TWO, reason=EdgeReason.IMPORTS):
    return TwinEdge(source=source, edge=reason.edge, target=target, reason=reason)


def test_a_wrong_graph_cannot_be_built():
    Twin(objects=(thing(), thing(TWO)), edges=(edge(),))
    for objects, edges in [
        ((thing(), thing()), ()),
        ((thing(),), (edge(),)),
        ((thing(TWO),), (edge(),)),
        ((thing(), thing(TWO)), (edge(), edge())),
        ([thing()], ()),
        ((thing(), "text"), ()),
    ]:
        with pytest.raises(VocabularyError):
            Twin(objects=objects, edges=edges)


def test_an_object_has_at_most_six_edges():
    issuer = Issuer()
    others = tuple(thing(issuer.object_id()) for _ in range(7))
    edges = tuple(edge(target=each.object_id) for each in others)
    Twin(objects=(thing(), *others), edges=edges[:6])
    with pytest.raises(VocabularyError, match="too many"):
        Twin(objects=(thing(), *others), edges=edges)


def test_an_envelope_is_bounded():
    issuer = Issuer()
    many = tuple(thing(issuer.object_id()) for _ in range(MAX_OBJECTS + 1))
    Registration(objects=many[:-1])
    group = Group(group_id="group_aaaaaaaa", kind=Kind.CONFIG, count=Count.FEW)
    twin = Group(group_id="group_bbbbbbbb", kind=Kind.CONFIG, count=Count.ONE)
    logs = Group(group_id="group_cccccccc", kind=Kind.CONFIG, family=Family.LOGS, count=Count.MANY)
    same = Group(group_id="group_aaaaaaaa", kind=Kind.CONFIG, family=Family.LOGS, count=Count.MANY)
    Registration(objects=(), groups=(group, logs))
    for fields in (
        {"objects": many},
        {"objects": (), "groups": (group, twin)},
        {"objects": (), "groups": (logs, group)},
        {"objects": (), "groups": (group, same)},
        {"objects": (), "groups": ("config",)},
        {"objects": (), "version": 2},
        {"objects": (), "version": True},
        {"objects": [thing()]},
    ):
        with pytest.raises(VocabularyError):
            Registration(**fields)
    for fields in (
        {"kind": "config", "count": Count.FEW},
        {"kind": Kind.CONFIG, "count": 3},
        {"kind": Kind.CONFIG, "count": Count.FEW, "family": "logs"},
        {"kind": Kind.CONFIG, "count": Count.FEW, "group_id": "artifact_aaaaaaaa"},
    ):
        with pytest.raises(VocabularyError):
            Group(**{"group_id": "group_aaaaaaaa", **fields})


def test_types_are_frozen():
    with pytest.raises(AttributeError):
        thing().kind = Kind.DOCUMENT  # type: ignore[misc]


def test_a_word_outside_the_vocabulary_is_refused_and_not_quoted():
    assert member(Kind, "config") is Kind.CONFIG
    with pytest.raises(VocabularyError) as refused:
        member(Kind, "acme payroll")
    assert "acme" not in str(refused.value)
