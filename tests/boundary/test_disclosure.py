"""Which fields fit a budget: told in order, once each, a family for a leaf, nothing past the threshold."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from builders import AUTH, PAY, TOOL, edge, held, key
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from plantwin.boundary.budget import Accounts, Weighted, payer
from plantwin.boundary.disclosure import disclose
from plantwin.config.accountants import UnlimitedAccountant
from plantwin.errors import ConfigError
from plantwin.types.capability import FIELDS
from plantwin.types.ledger import Known
from plantwin.types.prices import BOUNDLESS, BY_KIND, BY_SENSITIVITY, COSTS, field_of, normalized_leakage, statement_of
from plantwin.vocabulary import Absence, Confidence, ContentTag, EdgeReason, Family, Kind, SemanticClass, Sensitivity

SHOWN = {PAY: held(PAY)}


def limited(most: float) -> Weighted:
    return Weighted(sensitivities=dict.fromkeys(Sensitivity, int(most * 1000)))


def disclosed(source, fields, most, known=None, **how):
    """What is told, and what is charged for it, by account."""
    shown = how.setdefault("shown", {})
    keys = {each.key: Known() for each in (source, *shown.values())}
    accounts = Accounts(limited(most), keys | {source.key: known or Known()})
    return disclose(source, fields, accounts, **how), [*accounts.charges]


def cost(charges, object_id=AUTH):
    return sum(charge.cost for charge in charges if charge.key == key(object_id))


def after(charges, spent=None):
    mine = [charge for charge in charges if charge.key == key(AUTH)]
    return Known(frozenset(charge.unit for charge in mine), cost(mine) if spent is None else spent)


def test_the_weights_are_those_of_the_paper():
    paper = {"kind": 500, "semantic_class": 2000, "contains": 1000, "usable_for": 500, "edge": 3000}
    assert {**COSTS, **paper, "freshness": 500, "sensitivity": 1000} == COSTS


def test_a_threshold_follows_what_was_told_of_the_sensitivity_and_kind_and_scale():
    low = Known(frozenset({"sensitivity=low"}))
    assert Weighted().threshold(held(), low) == BY_SENSITIVITY[Sensitivity.LOW]
    for untold in (Known(), Known(frozenset({"sensitivity=high"})), Known(frozenset({"sensitivity=low@older"}))):
        assert Weighted().threshold(held(), untold) == BY_SENSITIVITY[Sensitivity.HIGH]
    assert Weighted().threshold(held(version="newer"), low) == BY_SENSITIVITY[Sensitivity.HIGH]
    assert Weighted().threshold(held(sensitivity=UNSET), low) == BY_SENSITIVITY[Sensitivity.HIGH]
    container = held(kind=Kind.SECRET_CONTAINER, sensitivity=Sensitivity.LOW)
    assert Weighted().threshold(container, low) == BY_KIND[Kind.SECRET_CONTAINER]
    assert Weighted(scale=0.5).threshold(held(), low) == 15_000


def test_planners_that_cannot_send_are_counted_and_not_limited():
    counting = UnlimitedAccountant(Weighted())
    assert counting.price("kind=config", Known()) == COSTS["kind"]
    assert counting.threshold(held(), Known()) == BOUNDLESS


@pytest.mark.parametrize(
    "wrong",
    [{"costs": {"kind": 500}}, {"costs": {**COSTS, "kind": -1}}, {"sensitivities": {Sensitivity.LOW: 1}},
     {"sensitivities": dict.fromkeys(Sensitivity, -1)}, {"kinds": {Kind.CONFIG: -1}}, {"scale": -1},
     {"scale": float("nan")}],
)  # fmt: skip
def test_a_wrong_accountant_cannot_be_built(wrong):
    with pytest.raises(ConfigError):
        Weighted(**wrong)


def test_everything_is_told_when_everything_fits():
    source = held(edges=(edge(), TOOL))
    told, charges = disclosed(source, FIELDS, 1000, most_tags=6, shown=SHOWN)
    assert told.object == source.object
    assert told.edges == source.edges
    assert told.withheld == ()
    assert cost(charges) == sum(COSTS[field_of(each.unit)] for each in charges if each.key == source.key)


def test_kind_comes_first_and_without_it_nothing():
    assert disclosed(held(), ("semantic_class",), 0.4) == ((None, (), ("kind",)), [])


def test_what_showing_an_object_gives_away_is_paid_for_with_its_kind_or_it_is_not_shown():
    told, charges = disclosed(held(), ("kind",), 1, given_away=["labels=not_private"])
    assert told.object is not None
    assert {each.unit: each.cost for each in charges} == {"kind=code_file": 500, "labels=not_private": 500}
    told, charges = disclosed(held(), ("kind",), 0.9, given_away=["labels=not_private"])
    assert (told.object, charges) == (None, [])


def test_a_leaf_falls_back_to_its_family():
    told, charges = disclosed(held(), ("semantic_class",), 2.4)
    assert (told.object.semantic_class, told.object.family) == (UNSET, Family.APPLICATION)
    assert told.withheld == ("semantic_class",)
    assert cost(charges) == 1500
    assert disclosed(held(), ("semantic_class",), 1)[0].object.family is UNSET


def test_the_family_alone_is_told_where_only_that_is_asked_for_unless_the_leaf_is_known():
    told, charges = disclosed(held(), ("family",), 9)
    assert (told.object.family, cost(charges)) == (Family.APPLICATION, 1500)
    assert disclosed(held(), ("family",), 1)[0].withheld == ("family",)
    known = Known(frozenset({"kind=code_file", "semantic_class=authentication_module"}), 9000)
    told, charges = disclosed(held(), ("family",), 1, known)
    assert (told.object.semantic_class, charges) == (SemanticClass.AUTHENTICATION_MODULE, [])


def test_a_field_that_does_not_fit_is_withheld_and_a_cheaper_one_still_told():
    told, _ = disclosed(held(), ("sensitivity", "freshness"), 1.2)
    assert told.object.sensitivity is UNSET
    assert told.object.freshness == "recent"
    assert told.withheld == ("sensitivity",)


def test_what_is_known_costs_nothing_and_passes_whatever_is_left():
    first, charges = disclosed(held(), FIELDS, 1000, shown=SHOWN)
    again, nothing = disclosed(held(), FIELDS, 1, after(charges, 10**9), shown=SHOWN)
    assert again.object == first.object
    assert nothing == []


def test_a_changed_value_is_new():
    _, charges = disclosed(held(), ("semantic_class",), 9)
    changed = held(semantic_class=SemanticClass.API_HANDLER)
    _, more = disclosed(changed, ("semantic_class",), 9, after(charges))
    assert [charge.unit for charge in more] == ["semantic_class=api_handler"]


def test_the_same_words_about_changed_content_are_news():
    _, charges = disclosed(held(version="a"), FIELDS, 1000, shown=SHOWN)
    assert all(each.unit.endswith("@a") for each in charges)
    _, nothing = disclosed(held(version="a"), FIELDS, 1000, after(charges), shown=SHOWN)
    _, again = disclosed(held(version="b"), FIELDS, 1000, after(charges), shown=SHOWN)
    assert nothing == []
    assert {each.unit for each in again} == {each.unit.replace("@a", "@b") for each in charges}
    assert cost(again) == cost(charges)


def test_tags_are_told_one_by_one_and_amounts_only_of_told_tags():
    told, _ = disclosed(held(), ("contains", "amounts"), 2.8)
    assert len(told.object.contains) == 2
    assert told.withheld == ("contains",)
    assert [each.tag for each in told.object.amounts] == ["endpoints"]
    more, _ = disclosed(held(), ("contains", "amounts"), 4)
    assert len(more.object.contains) == 3
    assert more.withheld == ()
    poor, _ = disclosed(held(), ("contains", "amounts"), 0.5)
    assert (poor.object.contains, poor.object.amounts) == (UNSET, UNSET)


def test_that_there_is_nothing_is_told_by_silence_and_paid_for():
    empty = held(amounts=UNSET)
    told, charges = disclosed(empty, ("amounts", "lacks", "readiness_cause", "edges"), 4.5)
    assert told.withheld == ()
    units = {"nothing=lacks", "nothing=readiness_cause", "nothing=edges"}
    assert {each.unit for each in charges} == {"kind=code_file", *units}
    told, charges = disclosed(empty, ("lacks", "readiness_cause", "edges"), 0.9)
    assert (told.withheld, cost(charges)) == (("lacks", "readiness_cause", "edges"), 500)


def test_that_there_are_no_more_tags_is_paid_for_where_more_would_have_been_told():
    two = held(contains=(ContentTag.ENDPOINTS, ContentTag.TESTS), amounts=UNSET)
    _, charges = disclosed(two, ("contains",), 9)
    assert {each.unit for each in charges} >= {"contains=endpoints", "contains=tests", "nothing=contains"}
    _, charges = disclosed(two, ("contains",), 9, most_tags=2)
    assert "nothing=contains" not in {each.unit for each in charges}


@pytest.mark.parametrize("reserve", [0, 3000])
@pytest.mark.parametrize(("field", "vocabulary"), [("contains", ContentTag), ("lacks", Absence)])
def test_what_does_not_fit_cannot_be_told_from_what_is_not_there_by_what_fits_after_it(field, vocabulary, reserve):
    """A tag costs more than silence: with room for the one and not the other, cheaper fields would betray the tag."""

    def heard(values, most):
        told, charges = disclosed(
            held(**{field: values or UNSET}, amounts=UNSET), (field, "freshness", "role"), most / 1000, reserve=reserve
        )
        units = {each.unit for each in charges}
        return told.object, {unit.partition("=")[2] for unit in units if unit.startswith(field)}, units

    for most in range(500 + reserve, 6000 + reserve, 250):
        # Which tag comes first is said by the tag itself; whether there is one more is said by silence alone.
        for one, two in permutations([tuple(sorted(vocabulary)[:size]) for size in range(4)], 2):
            (mine, tags, units), (other, *_) = heard(one, most), heard(two, most)
            # Whoever can tell the two apart was told, and charged for, something that does not hold of the other.
            complete = f"nothing={field}" in units or len(tags) == 3
            assert mine == other or tags - set(two) or (complete and tags != set(two)), (most, one, two)


def test_an_amount_that_does_not_fit_is_withheld():
    told, _ = disclosed(held(), ("contains", "amounts"), 3.6)
    assert told.object.amounts is UNSET
    assert told.withheld == ("amounts",)


def test_so_many_edges_are_told_and_those_that_are_known():
    reasons = (EdgeReason.TESTS, EdgeReason.IMPORTS, EdgeReason.COPY)
    ids = [f"artifact_{letter * 8}" for letter in "def"]
    shown = {id_: held(id_) for id_ in ids}
    source = held(edges=tuple(edge(target=id_, reason=reason) for id_, reason in zip(ids, reasons, strict=True)))
    two, _ = disclosed(source, ("edges",), 30, shown=shown)
    assert (two.edges, two.withheld) == (source.edges[:2], ())
    # Known is an edge that both of its ends have paid for.
    keys = {each.key: Known() for each in (source, *shown.values())}
    keys[source.key] = Known(frozenset({f"edge=similar_to:{key(ids[2]).hex()[:16]}"}), 3000)
    half = disclose(source, ("edges",), Accounts(limited(30), keys), most_edges=1, shown=shown)
    assert half.edges == source.edges[:1]
    keys[key(ids[2])] = Known(frozenset({f"edge=similar_to:from:{source.key.hex()[:16]}"}), 3000)
    whole = disclose(source, ("edges",), Accounts(limited(30), keys), most_edges=1, shown=shown)
    assert whole.edges == source.edges[::2]


def test_edges_are_told_to_shown_objects_alone_and_without_reason_when_only_that_fits():
    source = held(edges=(edge(),))
    assert disclosed(source, ("edges",), 9)[0].edges == ()
    whole, _ = disclosed(source, ("edges",), 4.5, shown=SHOWN)
    assert whole.edges == source.edges
    part, _ = disclosed(source, ("edges",), 3.5, shown=SHOWN)
    assert part.edges[0].reason is UNSET
    none, _ = disclosed(source, ("edges",), 3.4, shown=SHOWN)
    assert (none.edges, none.withheld) == ((), ("edges",))


def test_an_edge_is_charged_to_both_of_its_ends_or_not_told():
    source, other = held(edges=(edge(),), version="a"), held(PAY, version="b")
    _, charges = disclosed(source, ("edges",), 30, shown={PAY: other})
    to, back = key(PAY).hex()[:16], key(AUTH).hex()[:16]
    assert {each.unit: each.cost for each in charges if each.key == key(PAY)} == {
        f"edge=depends_on:from:{back}@a.b": 3000,
        f"reason=imports:from:{back}@a.b": 500,
    }
    assert f"edge=depends_on:{to}@a.b" in {each.unit for each in charges if each.key == key(AUTH)}
    # The other end has nothing left: the edge is not told, however much there is at this one.
    keys = {source.key: Known(), other.key: Known(spent=30_000)}
    accounts = Accounts(limited(30), keys)
    told = disclose(source, ("edges",), accounts, shown={PAY: other})
    assert (told.edges, told.withheld) == ((), ("edges",))
    assert {each.unit for each in accounts.charges} == {"kind=code_file@a"}


def test_an_edge_is_news_when_either_of_its_ends_has_changed():
    source, other = held(edges=(edge(),), version="a"), held(PAY, version="b")
    accounts = Accounts(limited(30), {source.key: Known(), other.key: Known()})
    for first, second, new in ((source, other, 2), (source, other, 0), (source, replace(other, version="c"), 2)):
        before = len([each for each in accounts.charges if each.unit.startswith("edge=")])
        disclose(first, ("edges",), accounts, shown={PAY: second})
        assert len([each for each in accounts.charges if each.unit.startswith("edge=")]) - before == new


@given(st.integers(0, 20_000), st.permutations(FIELDS), st.integers(1, 6))
def test_nothing_is_ever_told_past_the_threshold(most, fields, tags):
    source = held(edges=(edge(), TOOL))
    _, charges = disclosed(source, fields, most / 1000, most_tags=tags, shown=SHOWN)
    assert cost(charges) <= most and cost(charges, PAY) <= most
    _, more = disclosed(source, fields, most / 1000, after(charges), most_tags=tags, shown=SHOWN)
    assert cost(charges) + cost(more) <= most


def test_several_objects_on_one_account_are_paid_for_together():
    """Copies of one content: what is known of one is known of all, and what differs is paid from the same account."""
    one, two = held(version="a"), replace(held(PAY, version="a"), key=key(AUTH))
    accounts = Accounts(limited(3), {key(AUTH): Known()})
    first = disclose(one, ("freshness",), accounts)
    second = disclose(two, ("freshness", "role"), accounts)
    assert (first.object.freshness, second.object.freshness, second.object.role) == ("recent", "recent", "production")
    assert cost(accounts.charges) == 500 + 500 + 500
    assert accounts.thresholds == {key(AUTH): 3000}
    # All or nothing: together they would pass the one limit, though each by itself would not.
    assert not accounts.take((payer(one), ["semantic_class=x"]), (payer(two), ["sensitivity=low"]))
    assert accounts.take((payer(one), ["family=x", "labels=a"]), (payer(two), ["family=x"]))
    assert accounts.left(payer(one)) == accounts.left(payer(two)) == 0
    assert accounts.take((payer(one), ["family=x"]), (payer(two), ["labels=a"])), "what is known is free"


def test_a_transaction_tells_no_more_units_than_the_hour_allows():
    accounts = Accounts(limited(30), {key(AUTH): Known()}, room=2)
    assert not accounts.take((payer(held()), ["a.tag=1", "a.tag=2", "a.tag=3"]))
    assert accounts.take((payer(held()), ["a.tag=1", "a.tag=2"]))
    assert accounts.take((payer(held()), ["a.tag=1"]))
    assert not accounts.take((payer(held()), ["a.tag=3"]))


def test_the_version_is_no_part_of_what_is_said():
    assert statement_of("contains=tables@1a2b") == "contains=tables"
    assert field_of("lint.count=few@1a2b") == "count"


def test_leakage_is_the_share_of_the_budget():
    assert normalized_leakage(4500, 9000) == 0.5
    assert normalized_leakage(0, 0) == 1.0


def test_an_object_is_unsure_where_another_may_be_meant_whatever_its_confidence():
    assert not held(confidence=Confidence.LOW).subject.unsure
    assert held(ambiguous=True).subject.unsure
    assert not held().subject.unsure
    with pytest.raises(TypeError):
        _ = held(semantic_class=UNSET).semantic_class
