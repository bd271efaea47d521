"""Which fields fit a budget: told in order, once each, a family for a leaf, nothing past the threshold."""

from __future__ import annotations

import pytest
from builders import AUTH, PAY, TOOL, edge, held, key
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from plantwin.boundary.budget import BY_KIND, BY_SENSITIVITY, COSTS, Weighted, field_of, normalized_leakage
from plantwin.boundary.disclosure import disclose
from plantwin.boundary.ledger.interface import Known
from plantwin.errors import ConfigError
from plantwin.types.capability import FIELDS
from plantwin.vocabulary import Confidence, EdgeReason, Family, Kind, SemanticClass, Sensitivity

OTHERS = {AUTH: key(AUTH), PAY: key(PAY)}.get


def limited(most: float) -> Weighted:
    return Weighted(sensitivities=dict.fromkeys(Sensitivity, int(most * 1000)))


def cost(told):
    return sum(charge.cost for charge in told.charges)


def test_the_weights_are_those_of_the_paper():
    paper = {"kind": 500, "semantic_class": 2000, "contains": 1000, "usable_for": 500, "edge": 3000}
    assert {**COSTS, **paper, "freshness": 500, "sensitivity": 1000} == COSTS


def test_a_threshold_follows_sensitivity_and_kind_and_scale():
    assert Weighted().threshold(held()) == BY_SENSITIVITY[Sensitivity.LOW]
    assert Weighted().threshold(held(sensitivity=UNSET)) == BY_SENSITIVITY[Sensitivity.HIGH]
    container = held(kind=Kind.SECRET_CONTAINER, sensitivity=Sensitivity.LOW)
    assert Weighted().threshold(container) == BY_KIND[Kind.SECRET_CONTAINER]
    assert Weighted(scale=0.5).threshold(held()) == 15_000


@pytest.mark.parametrize(
    "wrong",
    [
        {"costs": {"kind": 500}},
        {"costs": {**COSTS, "kind": -1}},
        {"sensitivities": {Sensitivity.LOW: 1}},
        {"sensitivities": dict.fromkeys(Sensitivity, -1)},
        {"kinds": {Kind.CONFIG: -1}},
        {"scale": -1},
        {"scale": float("nan")},
    ],
)
def test_a_wrong_accountant_cannot_be_built(wrong):
    with pytest.raises(ConfigError):
        Weighted(**wrong)


def test_everything_is_told_when_everything_fits():
    source = held(edges=(edge(), TOOL))
    told = disclose(source, FIELDS, Known(), limited(1000), most_tags=6, key_of=OTHERS)
    assert told.object == source.object
    assert told.edges == source.edges
    assert told.withheld == ()
    assert cost(told) == sum(COSTS[field_of(charge.unit)] for charge in told.charges)


def test_kind_comes_first_and_without_it_nothing():
    told = disclose(held(), ("semantic_class",), Known(), limited(0.4))
    assert told == (None, (), (), ("kind",))


def test_a_leaf_falls_back_to_its_family():
    told = disclose(held(), ("semantic_class",), Known(), limited(2.4))
    assert (told.object.semantic_class, told.object.family) == (UNSET, Family.APPLICATION)
    assert told.withheld == ("semantic_class",)
    assert cost(told) == 1500
    assert disclose(held(), ("semantic_class",), Known(), limited(1)).object.family is UNSET


def test_a_field_that_does_not_fit_is_withheld_and_a_cheaper_one_still_told():
    told = disclose(held(), ("sensitivity", "freshness"), Known(), limited(1.2))
    assert told.object.sensitivity is UNSET
    assert told.object.freshness == "recent"
    assert told.withheld == ("sensitivity",)


def test_what_is_known_costs_nothing_and_passes_whatever_is_left():
    first = disclose(held(), FIELDS, Known(), limited(1000), key_of=OTHERS)
    known = Known(frozenset(charge.unit for charge in first.charges), 10**9)
    again = disclose(held(), FIELDS, known, limited(1), key_of=OTHERS)
    assert again.object == first.object
    assert again.charges == ()


def test_a_changed_value_is_new():
    first = disclose(held(), ("semantic_class",), Known(), limited(9))
    known = Known(frozenset(charge.unit for charge in first.charges), cost(first))
    changed = disclose(held(semantic_class=SemanticClass.API_HANDLER), ("semantic_class",), known, limited(9))
    assert [charge.unit for charge in changed.charges] == ["semantic_class=api_handler"]


def test_tags_are_told_one_by_one_and_amounts_only_of_told_tags():
    told = disclose(held(), ("contains", "amounts"), Known(), limited(2.8))
    assert len(told.object.contains) == 2
    assert told.withheld == ("contains",)
    assert [each.tag for each in told.object.amounts] == ["endpoints"]
    more = disclose(held(), ("contains", "amounts"), Known(), limited(4))
    assert len(more.object.contains) == 3
    assert more.withheld == ()
    none = disclose(held(amounts=UNSET), ("amounts", "lacks", "readiness_cause"), Known(), limited(4))
    assert none.withheld == ()
    poor = disclose(held(), ("contains", "amounts"), Known(), limited(0.5))
    assert (poor.object.contains, poor.object.amounts) == (UNSET, UNSET)


def test_an_amount_that_does_not_fit_is_withheld():
    told = disclose(held(), ("contains", "amounts"), Known(), limited(3.6))
    assert told.object.amounts is UNSET
    assert told.withheld == ("amounts",)


def test_so_many_edges_are_told_and_those_that_are_known():
    reasons = (EdgeReason.TESTS, EdgeReason.IMPORTS, EdgeReason.COPY)
    ids = [f"artifact_{letter * 8}" for letter in "def"]
    source = held(edges=tuple(edge(target=id_, reason=reason) for id_, reason in zip(ids, reasons, strict=True)))
    two = disclose(source, ("edges",), Known(), limited(30), key_of=key)
    assert (two.edges, two.withheld) == (source.edges[:2], ())
    last = Known(frozenset({f"edge=similar_to:{key(ids[2]).hex()[:16]}"}), 3000)
    assert disclose(source, ("edges",), last, limited(30), most_edges=1, key_of=key).edges == source.edges[::2]


def test_edges_are_told_to_shown_objects_alone_and_without_reason_when_only_that_fits():
    source = held(edges=(edge(),))
    assert disclose(source, ("edges",), Known(), limited(9)).edges == ()
    whole = disclose(source, ("edges",), Known(), limited(4), key_of=OTHERS)
    assert whole.edges == source.edges
    part = disclose(source, ("edges",), Known(), limited(3.5), key_of=OTHERS)
    assert part.edges[0].reason is UNSET
    none = disclose(source, ("edges",), Known(), limited(3.4), key_of=OTHERS)
    assert (none.edges, none.withheld) == ((), ("edges",))


@given(st.integers(0, 20_000), st.permutations(FIELDS), st.integers(1, 6))
def test_nothing_is_ever_told_past_the_threshold(most, fields, tags):
    accountant = Weighted(sensitivities=dict.fromkeys(Sensitivity, most))
    told = disclose(held(edges=(edge(), TOOL)), fields, Known(), accountant, most_tags=tags, key_of=OTHERS)
    assert cost(told) <= most
    again = disclose(
        held(edges=(edge(), TOOL)), fields, Known(frozenset(each.unit for each in told.charges), cost(told)),
        accountant, most_tags=tags, key_of=OTHERS,
    )  # fmt: skip
    assert cost(told) + cost(again) <= most


def test_leakage_is_the_share_of_the_budget():
    assert normalized_leakage(4500, 9000) == 0.5
    assert normalized_leakage(0, 0) == 1.0


def test_an_object_of_low_confidence_is_unsure():
    assert held(confidence=Confidence.LOW).unsure
    assert held(ambiguous=True).unsure
    assert not held().unsure
    with pytest.raises(TypeError):
        _ = held(semantic_class=UNSET).semantic_class
