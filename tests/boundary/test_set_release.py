"""What is told of sets: paid for by the accounts of their cells, each at its share; withheld where it does not fit."""

from __future__ import annotations

import json
import math
from itertools import combinations, product

import pytest
from builders import AUDIENCE, AUTH, OTHER, PAY, SET, channel, edge, held, key, several, tell
from msgspec import UNSET

from plantwin.boundary.budget import Accounts, Payer, Sharing, Weighted, payer
from plantwin.boundary.release import Release
from plantwin.boundary.set_disclosure import FIELDS, disclose_set
from plantwin.config.accountants import Calibrated
from plantwin.ledgers.verification import verify
from plantwin.types.envelope import MAX_RELATIONS
from plantwin.types.goal import Goal
from plantwin.types.ledger import Known, Limits
from plantwin.types.outcome import Outcome
from plantwin.types.prices import BOUNDLESS, MILL
from plantwin.types.sets import SHARED, AbsenceShare, AgeShare, ClassShare, SetRelation, TagShare, TwinSet
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import (
    Absence,
    Age,
    ContentTag,
    EdgeReason,
    EdgeType,
    SemanticClass,
    Sensitivity,
    SetSize,
    Share,
    StepStatus,
)

MIXED = {
    "classes": (ClassShare(semantic_class=SemanticClass.API_HANDLER, share=Share.SOME),),
    "contains": (TagShare(tag=ContentTag.ENDPOINTS, share=Share.MOST),),
    "lacks": (AbsenceShare(absence=Absence.TESTS, share=Share.ALL),),
    "sensitivity": Sensitivity.LOW,
    "component": "component_aaaaaaaa",
}


def relation(source=SET, target=OTHER, **fields):
    return SetRelation(source=source, edge=EdgeType.DEPENDS_ON, reason=EdgeReason.IMPORTS, target=target, **fields)


def release(ledger, sharing=None, **limits):
    return Release(channel(ledger, limits=Limits(**limits), sharing=sharing or Sharing()))


def sent(encoded):
    return json.loads(encoded.data)


def spent(ledger, *names):
    known = ledger.known(AUDIENCE, [key(name) for name in names])
    return [known[key(name)].spent for name in names]


@pytest.mark.parametrize(
    ("number", "k", "others_known", "share"),
    [(0, 5, False, 1), (1, 5, False, 1), (4, 5, False, 4), (5, 5, False, 5), (9, 5, False, 5), (99, 5, False, 10),
     (100, 5, False, 100), (5000, 5, False, 1000), (3, 2, False, 2), (99, 5, True, 1), (2, 5, True, 1)],
)  # fmt: skip
def test_a_statement_is_shared_among_as_many_as_whoever_listens_can_know_of(number, k, others_known, share):
    assert Sharing(k=k, others_known=others_known).among(number) == share


def test_what_was_told_of_a_cell_counts_for_each_of_its_members_whichever_is_told_first():
    """Promise 4 holds for both accounts together."""
    one, cell = payer(held(cell="cell")), Payer(key("cell"))
    empty = {one.key: Known(), cell.key: Known()}
    # What an object may spend is what its cell leaves, and the least that is kept for its cell.
    assert Accounts(Weighted(), empty).left(one) == 18_000 - 2000
    assert Accounts(Weighted(), {**empty, cell.key: Known(spent=1500)}).left(one) == 18_000 - 2000
    assert Accounts(Weighted(), {**empty, cell.key: Known(spent=9000)}).left(one) == 18_000 - 9000
    # What a cell may spend is what the fullest of its members leaves, and always that least.
    accounts = Accounts(Weighted(), empty)
    assert accounts.left(cell) == 12_000
    assert accounts.take((one, [f"contains={tag}" for tag in range(9)]))
    assert accounts.left(cell) == 9000
    assert accounts.charges[-1] == (cell.key, "left=9000", 0)
    assert accounts.thresholds[cell.key] == BOUNDLESS, "what is remembered costs nothing"
    later = Accounts(Weighted(), {one.key: Known(spent=9000), cell.key: Known(frozenset({"left=9000", "left=11000"}))})
    assert later.left(cell) == 9000
    full = Accounts(Weighted(), {**empty, cell.key: Known(frozenset({"left=0"}))})
    assert full.left(cell) == 2000


def test_an_object_and_its_cell_that_are_charged_at_once_stay_below_the_threshold_together():
    one, cell = payer(held(cell="cell")), Payer(key("cell"))
    empty = {one.key: Known(), cell.key: Known()}
    words = [f"contains={tag}" for tag in range(10)]
    assert not Accounts(Weighted(), empty).take((one, words), (cell, words[:9]))
    accounts = Accounts(Weighted(), empty)
    assert accounts.take((one, words), (cell, words[:8]))
    assert accounts.left(one) == accounts.left(cell) == 0
    assert accounts.thresholds == {one.key: 10_000, cell.key: 8000}


@pytest.mark.parametrize("holder", [Payer(key("cell"), 7), payer(held(), 7)])
def test_a_share_of_a_price_is_rounded_up_and_nothing_is_told_for_nothing(holder):
    accounts = Accounts(Weighted(), {holder.key: Known()})
    assert accounts.price(holder, ["set.kind=config", "set.kind=config"]) == 72
    assert accounts.take((holder, ["set.kind=config"]))
    assert accounts.left(holder) == accounts.limit(holder) - 72


@pytest.mark.parametrize(
    ("count", "others_known", "cost"), [(12, False, 300), (5, False, 600), (3, False, 1500), (1, False, 3000),
    (250, False, 30), (250, True, 3000)]
)  # fmt: skip
def test_registration_charges_every_cell_its_share(ledger, count, others_known, cost):
    made = release(ledger, Sharing(others_known=others_known))
    message = sent(
        made.registration([], [several(count=count, cells=("a", "b"), semantic_class=SemanticClass.API_HANDLER)])
    )
    (told,) = message["sets"]
    assert told == {"set_id": SET, "size": told["size"], "kind": "code_file", "semantic_class": "api_handler"}
    # 0.5 size, 0.5 kind, 2 class
    assert spent(ledger, "a", "b") == [cost] * 2
    again = sent(release(ledger, Sharing(others_known=others_known)).registration([], [several(
        "set_cccccccc", count, ("a", "b"), semantic_class=SemanticClass.API_HANDLER)]))  # fmt: skip
    assert [each["set_id"] for each in again["sets"]] == ["set_cccccccc"]
    assert spent(ledger, "a", "b") == [cost] * 2, "what is known is free, whatever its id is"
    assert verify(ledger).problem == ""


def test_a_set_that_changed_is_news(ledger):
    release(ledger).registration([], [several()])
    before = spent(ledger, "cell")
    release(ledger).registration([], [several(version="v2")])
    assert spent(ledger, "cell") == [2 * before[0]]


def test_a_request_tells_shares_and_pays_for_silence_too(ledger):
    made = release(ledger)
    made.registration([], [several(kind=SILENT, **MIXED), several(OTHER, cells=("other",))])
    message = sent(made.request(Goal(), {SET: FIELDS, OTHER: FIELDS}))
    told = {each["set_id"]: each for each in message["sets"]}
    assert told[SET]["classes"] == [{"semantic_class": "api_handler", "share": "some"}]
    assert told[SET]["lacks"] == [{"absence": "tests", "share": "all"}]
    assert told[OTHER] == {"set_id": OTHER, "size": "dozens", "kind": "code_file"}
    units = ledger.known(AUDIENCE, [key("cell"), key("other")])
    assert {"set.classes=api_handler:some@v1", "set.component=set@v1", "set.nothing=kind@v1"} <= units[
        key("cell")
    ].units
    silence = ("classes", "sensitivity", "contains", "lacks", "role", "freshness", "ready", "component")
    assert {f"set.nothing={field}@v1" for field in silence} <= units[key("other")].units
    assert made.told[SET].sensitivity is Sensitivity.LOW
    assert made.withheld == {}


@pytest.mark.parametrize("limit", [*range(3_000, 24_000, 1_500), 60_000])
def test_all_that_may_be_heard_of_a_set_is_a_code(limit):
    """Lists end and words do not fit: whichever set it is, whoever hears that has paid for what it tells."""
    sensitivities, most = (UNSET, *Sensitivity), SHARED["age"][1]
    lists = [
        tuple(AgeShare(age=age, share=share) for age, share in zip(some, shares, strict=True)) or UNSET
        for number in range(most + 1)
        for some in combinations(sorted(Age), number)
        for shares in product(Share, repeat=number)
    ]
    rates: dict[str, float] = {}
    for ages, level in product(lists, sensitivities):
        one_set = several(age=ages, sensitivity=level)
        paying = Sharing(limit=limit, others_known=True)
        accounts = Accounts(Calibrated(), {key("cell"): Known()}, paying)
        told = disclose_set(one_set, ("age", "sensitivity", "relations"), accounts, paying)
        known = accounts.known[key("cell")]
        first = Calibrated().price("set.size=dozens", Known()) + Calibrated().price("set.kind=code_file", Known())
        if told.set is None:  # too little for its kind
            first = 0
        heard = repr(told.set)
        rates[heard] = max(rates.get(heard, 0), math.exp((first - known.spent) / MILL))
        assert known.spent <= limit
    assert len(rates) > (limit > 10_000) and sum(rates.values()) <= 1.001


SILENT = several(kind=several().set.family).set.kind
"""Not told."""


def test_what_does_not_fit_is_withheld_and_a_set_whose_kind_does_not_fit_is_not_told(ledger):
    sharing = Sharing(limit=240)
    poor = several(OTHER, cells=("poor",))
    tell(ledger, "raced=1", of="poor", cost=200)
    made = release(ledger, sharing)
    message = sent(made.registration([], [several(family=SemanticClass.API_HANDLER.family, **MIXED), poor]))
    assert [each["set_id"] for each in message["sets"]] == [SET]
    assert made.excluded == [OTHER]
    assert "family" not in message["sets"][0], "0.05 for silence on the class, and then no 0.1 for the family"
    made.request(Goal(), {SET: FIELDS, OTHER: FIELDS})
    assert "classes" in made.withheld[SET]
    assert spent(ledger, "cell")[0] <= 240


def test_a_request_leaves_room_for_outcomes_of_sets(ledger):
    made = release(ledger, Sharing(limit=1000))
    made.registration([], [several(**MIXED)])
    made.request(Goal(), {SET: FIELDS})
    assert spent(ledger, "cell")[0] <= 1000 - 50


@pytest.mark.parametrize("end", ["set", "object", "itself", "untold"])
def test_a_relation_is_paid_for_by_both_ends(ledger, end):
    target = {"set": OTHER, "object": AUTH, "itself": SET, "untold": "set_zzzzzzzz"}[end]
    made = release(ledger)
    related = several(relations=[relation(target=target, share=Share.MOST)])
    made.registration([held(version="v1")], [related, several(OTHER, 100, ("other",), "v9")])
    before = spent(ledger, "cell", "other", AUTH)
    fields = ("relations",)
    message = sent(made.request(Goal(), {SET: fields}))
    costs = [after - early for after, early in zip(spent(ledger, "cell", "other", AUTH), before, strict=True)]
    # With 50 for silence on others, of which there might be more.
    assert costs == {"set": [150, 10, 0], "object": [150, 0, 1000], "itself": [150, 0, 0], "untold": [50, 0, 0]}[end]
    assert len(message["relations"]) == (end != "untold")
    ends = {"set": {OTHER}, "object": set(), "itself": set(), "untold": set()}[end]
    assert {each["set_id"] for each in message["sets"]} == {SET} | ends
    assert [each["object_id"] for each in message["objects"]] == ([AUTH] if end == "object" else [])
    made.request(Goal(), {SET: fields})
    assert spent(ledger, "cell", "other", AUTH) == [early + cost for early, cost in zip(before, costs, strict=True)]


@pytest.mark.parametrize(("source", "silence"), [(SET, 50), (OTHER, 5)])
def test_a_cell_that_both_ends_of_a_relation_touch_pays_the_larger_share(ledger, source, silence):
    """A folder that the goal names and a set may lie in one cell: the larger of the two does not make it cheap."""
    made, fields = release(ledger), {source: ("relations",)}
    between = [relation(source, OTHER if source == SET else SET, share=Share.MOST)]
    sets = [several(relations=between if source == SET else ())]
    sets += [several(OTHER, 100, version="v9", relations=between if source == OTHER else ())]
    made.registration([], sets)
    (before,) = spent(ledger, "cell")
    made.request(Goal(), fields)
    assert spent(ledger, "cell") == [before + 100 + silence]


def test_relations_of_objects_need_ends_that_were_told_and_budgets_on_both(ledger):
    made = release(ledger)
    made.registration([held(), held(PAY)], [several(), several(OTHER, cells=("other",))])
    tell(ledger, "raced=1", of="other", cost=17_890)
    between = [relation(AUTH, SET), relation(AUTH, OTHER), relation(PAY, "set_zzzzzzzz"), relation(SET, PAY)]
    message = sent(made.request(Goal(), {}, (), between))
    assert [(each["source"], each["target"]) for each in message["relations"]] == [(AUTH, SET), (SET, PAY)]
    assert spent(ledger, AUTH) == [500 + 1000]
    poor = release(ledger)
    poor.registration([], [several(relations=[relation()]), several(OTHER, cells=("other",))])
    assert sent(poor.request(Goal(), {SET: ("relations",)}))["relations"] == []
    assert poor.withheld == {SET: ("relations",)}


def test_no_more_relations_are_told_than_an_envelope_holds(ledger):
    ids = [f"{first}{second}aaaaaa" for first in "abcdefgh" for second in "abcdefgh"]
    sets = [several(f"set_{id_}", 1000, (id_,)) for id_ in ids[:6]]
    between = [relation(f"artifact_{id_}", one.id) for id_ in ids for one in sets]
    assert len(between) > MAX_RELATIONS
    made = release(ledger, fields_per_hour=10**6)
    made.registration([held(f"artifact_{id_}") for id_ in ids], sets)
    assert len(sent(made.request(Goal(), {}, (), between))["relations"]) == MAX_RELATIONS
    many = [relation(f"set_{id_}", one.id) for id_ in ids for one in sets]
    made.show(more := [several(f"set_{id_}", 1000, (id_,)) for id_ in ids[6:]], [each.set for each in more])
    verdict = Allowed(outcome=Outcome(status=StepStatus.DONE), relations=tuple(many))
    assert len(sent(made.results(1, [made.decided(verdict)]))["relations"]) == MAX_RELATIONS


def test_results_tell_what_was_split_with_the_other_ends_of_relations(ledger):
    made = release(ledger)
    made.registration([], [several(), several(OTHER, cells=("other",))])
    piece = several("set_cccccccc", 6, within=SET)
    made.show([piece], [piece.set])
    verdict = Allowed(
        outcome=Outcome(status=StepStatus.DONE), sets=(piece.set,), relations=(relation(piece.id, OTHER),)
    )
    message = sent(made.results(1, [made.decided(verdict)]))
    assert [each["set_id"] for each in message["sets"]] == [OTHER, piece.id]
    assert message["sets"][1]["within"] == SET
    assert set(made.sets) == set(made.told) == {SET, OTHER, piece.id}


def test_the_hours_share_of_words_holds_for_sets_too(ledger):
    made = release(ledger, fields_per_hour=1)
    assert sent(made.registration([], [several()]))["sets"] == []
    assert spent(ledger, "cell") == [0]


def test_an_object_says_of_which_set_it_is(ledger):
    made = release(ledger)
    made.registration([held(within=SET, edges=(edge(),))], [several()])
    message = sent(made.request(Goal(objects=(AUTH,)), {AUTH: ("within",)}))
    assert message["objects"][0]["within"] == SET
    assert ledger.known(AUDIENCE, [key(AUTH)])[key(AUTH)].units == {"kind=code_file", "within=yes"}, "ids are new"
    assert TwinSet(set_id=SET, size=SetSize.DOZENS, kind=several().set.kind) == made.told[SET]
