"""What a planner hears of its budget: prices that follow from its plan, and what is left, charged like any word."""

from __future__ import annotations

import json

import pytest
from builders import AUTH, OTHER, SET, Rules, channel, held, keeper, several, spent, tell, units

from plantwin.boundary.budget import Sharing
from plantwin.boundary.release import Release
from plantwin.boundary.wire import decode_envelope, encode
from plantwin.errors import VocabularyError
from plantwin.ledgers.records import read_lines
from plantwin.types.envelope import MAX_PRICE, MAX_TURNS, Budget, Remainder, StepPrice
from plantwin.types.plan import MAX_STEPS, Plan, Step
from plantwin.types.policy import Ruling
from plantwin.types.prices import statement_of
from plantwin.vocabulary import Left


def shown(ledger, *sets, objects=(), **changes):
    made = Release(channel(ledger, **changes))
    made.show(sets, [each.set for each in sets])
    made.shown = {each.id: each for each in objects}
    return made


def told(released):
    return {each["of"]: each["left"] for each in json.loads(released.data)["remainders"]}


def test_prices_of_a_plan_are_told_without_a_charge(ledger):
    made = keeper(ledger)
    steps = (
        Step(id="s1", capability="security_audit", inputs=(SET,)),
        Step(id="s2", capability="report", inputs=("s1",)),
        Step(id="s3", capability="security_audit", inputs=(AUTH,)),
    )
    prices = made.prices(Plan(steps=steps))
    assert prices[0] > prices[2] > prices[1] == 0, "of a set more is told than of one object, and a report is free"
    release = shown(ledger, several())
    message = json.loads(release.prices(7, [*prices, 10**9]).data)
    assert [each["price"] for each in message["steps"]] == [*(-(-price // 1000) for price in prices), MAX_PRICE]
    assert message["turns"] == 7 and spent(ledger, "cell") == 0


@pytest.mark.parametrize(
    ("before", "left"), [(0, "most"), (5900, "most"), (6000, "some"), (10_400, "some"), (10_500, "little")]
)
def test_what_is_left_of_a_set_is_a_word_that_its_cells_pay_for(ledger, before, left):
    tell(ledger, "earlier=1", of="cell", cost=before)
    made = shown(ledger, several(cells=("cell", "fresh")))
    released = made.budget(3)
    assert told(released) == {SET: left}, "the cell of which most was told decides"
    assert {statement_of(unit) for unit in units(ledger, "cell")} >= {f"set.remaining={left}"}
    assert spent(ledger, "cell") == before + 50 and spent(ledger, "fresh") == 50
    lines = [json.loads(line.body) for line in read_lines(ledger) if line.kind == "envelope"]
    assert lines[0]["data"] == released.data.decode()


def test_asking_again_and_again_until_the_word_changes_is_paid_for_each_time(ledger):
    """When it changes tells how much was told in other sessions, to a fiftieth of what may be."""
    tell(ledger, "earlier=1", of="cell", cost=5_700)
    made = shown(ledger, several(cells=("cell",)))
    heard = [told(made.budget(3))[SET] for _ in range(7)]
    assert heard == ["most"] * 6 + ["some"] and spent(ledger, "cell") == 5_700 + 50 * len(heard)


def test_of_what_can_pay_for_no_word_nothing_is_said(ledger):
    tell(ledger, "earlier=1", of="poor", cost=980)
    made = shown(ledger, several(OTHER, cells=("poor",)), several(), sharing=Sharing(limit=1000))
    assert told(made.budget(0)) == {SET: "most"}
    assert spent(ledger, "poor") == 980


def test_an_object_pays_by_itself_where_the_policy_lets_it_be_described(ledger):
    assert told(shown(ledger, objects=[held()]).budget(1)) == {AUTH: "most"}
    assert "remaining=most" in set(map(statement_of, units(ledger)))
    denied = shown(ledger, objects=[held()], policy=Rules(Ruling.DENY))
    assert told(denied.budget(1)) == {}


ONE = Remainder(of=SET, left=Left.SOME)
TWO = StepPrice(step=2, price=1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: StepPrice(step=0, price=1),
        lambda: StepPrice(step=MAX_STEPS + 1, price=1),
        lambda: StepPrice(step=True, price=1),
        lambda: StepPrice(step=1, price=-1),
        lambda: StepPrice(step=1, price=MAX_PRICE + 1),
        lambda: StepPrice(step=1, price=1.5),
        lambda: Remainder(of="s1", left=Left.SOME),
        lambda: Remainder(of=AUTH, left="some"),
        lambda: Budget(turns=-1),
        lambda: Budget(turns=MAX_TURNS + 1),
        lambda: Budget(turns="3"),
        lambda: Budget(turns=1, version=1),
        lambda: Budget(turns=1, steps=(TWO,)),
        lambda: Budget(turns=1, steps=[TWO]),
        lambda: Budget(turns=1, remainders=(ONE, ONE)),
        lambda: Budget(turns=1, remainders=(TWO,)),
    ],
)
def test_nothing_else_is_a_budget(make):
    with pytest.raises(VocabularyError):
        make()


def test_what_is_encoded_reads_back():
    for envelope in (Budget(turns=0), Budget(turns=2, remainders=(Remainder(of=AUTH, left=Left.LITTLE), ONE))):
        assert decode_envelope(encode(envelope).data) == envelope
