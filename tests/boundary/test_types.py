"""If a wire type exists, it is valid: every way to build a wrong one is refused."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from plantwin.errors import VocabularyError
from plantwin.types.envelope import MAX_OBJECTS, Registration, Results
from plantwin.types.identity import Issuer
from plantwin.types.sets import MAX_SETS, AbsenceShare, ClassShare, SetRelation, TagShare, TwinSet
from plantwin.types.twin import TagAmount, Twin, TwinEdge, TwinObject
from plantwin.vocabulary import (
    Absence,
    Affordance,
    Amount,
    ContentTag,
    EdgeReason,
    EdgeType,
    Family,
    Freshness,
    Kind,
    Role,
    SemanticClass,
    Sensitivity,
    SetSize,
    Share,
    member,
)

ONE, TWO = "artifact_aaaaaaaa", "artifact_bbbbbbbb"
SET, OTHER = "set_aaaaaaaa", "set_bbbbbbbb"


def some(**fields):
    return TwinSet(**{"set_id": SET, "size": SetSize.FEW, **fields})


def relation(**fields):
    values = {"source": SET, "edge": EdgeType.DEPENDS_ON, "reason": EdgeReason.IMPORTS, "target": OTHER}
    return SetRelation(**{**values, **fields})


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
        ({"within": "component_aaaaaaaa"}, "within"),
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
    [{"source": "x"}, {"edge": "imports"}, {"target": None}, {"target": ONE}, {"reason": "because"},
     {"reason": EdgeReason.LOCKED}, {"edge": EdgeType.REQUIRES_CAPABILITY}],
)  # fmt: skip
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
    sets = tuple(TwinSet(set_id=issuer.set_id(), size=SetSize.FEW) for _ in range(MAX_SETS + 1))
    sets = tuple(sorted(sets, key=lambda each: each.set_id))
    Registration(sets=sets[1:])
    for fields in (
        {"objects": many},
        {"objects": [thing()]},
        {"sets": sets},
        {"sets": list(sets[:2])},
        {"sets": ("config",)},
        {"sets": sets[1::-1]},
        {"sets": sets[:1] * 2},
        {"version": 1},
        {"version": True},
    ):
        with pytest.raises(VocabularyError):
            Registration(**fields)


CLASSES = tuple(ClassShare(semantic_class=leaf, share=Share.SOME) for leaf in sorted(SemanticClass))
TAGS = tuple(TagShare(tag=tag, share=Share.ALL) for tag in sorted(ContentTag))
LACKS = tuple(AbsenceShare(absence=absence, share=Share.MOST) for absence in sorted(Absence))


def test_a_set_with_everything_told_is_one():
    told = {"kind": Kind.CONFIG, "family": SemanticClass.README.family, "semantic_class": SemanticClass.README}
    words = {"role": Role.TEST, "freshness": Freshness.TODAY, "sensitivity": Sensitivity.LOW, "ready": Share.ALL}
    shares = {"classes": CLASSES[:8], "contains": TAGS[:6], "lacks": LACKS[:6]}
    ids = {"component": "component_aaaaaaaa", "within": "set_bbbbbbbb", "named": True}
    some(**told, **words, **shares, **ids)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"set_id": "artifact_aaaaaaaa"}, "set_id"),
        ({"set_id": "set_1"}, "set_id"),
        ({"size": "few"}, "size"),
        ({"size": 3}, "size"),
        ({"kind": "config"}, "kind"),
        ({"family": None}, "family"),
        ({"semantic_class": Family.LOGS}, "semantic_class"),
        ({"role": "payments"}, "role"),
        ({"freshness": "2024"}, "freshness"),
        ({"sensitivity": "high"}, "sensitivity"),
        ({"ready": True}, "ready"),
        ({"component": "payments"}, "component"),
        ({"within": "payments"}, "within"),
        ({"named": "invoices"}, "named"),
        ({"named": 1}, "named"),
        ({"semantic_class": SemanticClass.README, "family": Family.LOGS}, "family"),
        ({"classes": ()}, "classes"),
        ({"classes": list(CLASSES[:2])}, "classes"),
        ({"classes": CLASSES[:9]}, "classes"),
        ({"classes": TAGS[:1]}, "classes"),
        ({"classes": CLASSES[1::-1]}, "out of order"),
        ({"contains": TAGS[:7]}, "contains"),
        ({"contains": TAGS[:1] * 2}, "twice"),
        ({"lacks": (Absence.TESTS,)}, "lacks"),
        ({"lacks": LACKS[1::-1]}, "out of order"),
    ],
)
def test_a_wrong_set_cannot_be_built(fields, code):
    with pytest.raises(VocabularyError, match=code):
        some(**fields)


@pytest.mark.parametrize(
    "share",
    [lambda: TagShare(tag="dates", share=Share.ALL), lambda: TagShare(tag=ContentTag.DATES, share="all"),
     lambda: ClassShare(semantic_class="readme", share=Share.ALL),
     lambda: AbsenceShare(absence="tests", share=Share.ALL), lambda: relation(edge="imports"),
     lambda: relation(share=0.5), lambda: relation(reason="because"), lambda: relation(reason=EdgeReason.LOCKED),
     lambda: relation(target="payments"), lambda: relation(source="component_aaaaaaaa"),
     lambda: relation(source=ONE, target=TWO)],
)  # fmt: skip
def test_a_wrong_share_or_relation_cannot_be_built(share):
    with pytest.raises(VocabularyError):
        share()


def test_relations_join_what_is_told():
    sets = (some(), some(set_id=OTHER))
    Results(turn=1, sets=sets, relations=(relation(), relation(target=SET), relation(reason=UNSET)))
    Results(turn=1, sets=sets, objects=(thing(),), relations=(relation(source=ONE), relation(target=ONE)))
    reasons = [reason for reason in EdgeReason if reason.edge is not EdgeType.REQUIRES_CAPABILITY][:7]
    many = tuple(relation(edge=reason.edge, reason=reason) for reason in reasons)
    Results(turn=1, sets=sets, relations=many[:6])
    for relations in ((relation(), relation()), (relation(source=ONE),), (relation(target="set_zzzzzzzz"),), many):
        with pytest.raises(VocabularyError, match="relations"):
            Results(turn=1, sets=sets, relations=relations)


def test_types_are_frozen():
    with pytest.raises(AttributeError):
        thing().kind = Kind.DOCUMENT  # type: ignore[misc]


def test_a_word_outside_the_vocabulary_is_refused_and_not_quoted():
    assert member(Kind, "config") is Kind.CONFIG
    with pytest.raises(VocabularyError) as refused:
        member(Kind, "acme payroll")
    assert "acme" not in str(refused.value)
