"""Accountants whose prices are measured: no word costs less than it tells, and none leaves fewer than `k` objects."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
from builders import AUTH, held
from msgspec import UNSET

from plantwin.boundary.budget import Accounts, reserve
from plantwin.boundary.disclosure import disclose
from plantwin.config.accountants import (
    _PRIOR,
    _WORDS,
    CHOICES,
    Blocks,
    Calibrated,
    Crowd,
    Surprisal,
    calibrated,
    counts,
    prior,
)
from plantwin.config.accountants import statements as statements_of
from plantwin.types.capability import FIELDS
from plantwin.types.ledger import Known
from plantwin.types.prices import COSTS, MILL, statement_of
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import ContentTag, Family, Kind, Role, SemanticClass, Sensitivity, Share, SizeBucket

NOTHING = Known()


def _rate(price: int) -> float:
    return math.exp(-price / MILL)


@pytest.mark.parametrize("field", COSTS)
def test_every_priced_field_has_a_calibrated_price(field: str) -> None:
    assert Calibrated().price(f"{field}={next(iter(_WORDS.get(field, 'x')))}", NOTHING) > 0


@pytest.mark.parametrize("field", [field for field in _WORDS if field in (*FIELDS, "family")])
@pytest.mark.parametrize("folder", ["empty", "one kind"])
def test_prices_are_lengths_of_a_code(field: str, folder: str) -> None:
    """The rates of all words of a field, its absence with them, sum to at most one: on average no code is shorter."""
    objects = [held(kind=Kind.CONFIG).object] * 40 if folder == "one kind" else []
    statements = [f"nothing={field}", *(f"{field}={word}" for word in _WORDS[field])]
    for accountant in (Calibrated(), Surprisal(prior(), objects)):
        assert sum(_rate(accountant.price(each, NOTHING)) for each in statements) <= 1


def test_a_class_costs_less_where_its_family_is_known() -> None:
    for leaf in SemanticClass:
        known = Known(frozenset({f"family={leaf.family}@v1"}))
        together = calibrated(f"family={leaf.family}") + Calibrated().price(f"semantic_class={leaf}@v1", known)
        assert Calibrated().price(f"semantic_class={leaf}@v1", known) < calibrated(f"semantic_class={leaf}")
        assert Calibrated().price(f"semantic_class={leaf}@v2", known) == calibrated(f"semantic_class={leaf}")
        assert _rate(together) <= 1 / sum(each.family is leaf.family for each in SemanticClass) / len(Family)


def test_what_is_known_costs_nothing_again() -> None:
    known = Known(frozenset({"kind=config"}))
    for accountant in (Calibrated(), Surprisal(prior(), [])):
        assert accountant.price("kind=config", known) == 0


def test_of_sets_the_share_is_paid_for_and_of_outcomes_the_tags_that_a_capability_has() -> None:
    shares = len(Share) * (len(ContentTag) + 1)
    assert calibrated("set.contains=tables:all") == math.ceil(MILL * math.log(shares))
    assert Calibrated(tags={"lint": 3}).price("lint.tag=style", NOTHING) == math.ceil(MILL * math.log(4))
    assert calibrated("nothing=edges") == calibrated("edge=depends_on:abc") > calibrated("nothing=kind")
    assert calibrated("nothing=component") == math.ceil(MILL * math.log(CHOICES["component"]))
    assert calibrated("nothing=relations") == math.ceil(MILL * math.log(2))
    assert reserve(Calibrated()) < min(Calibrated().least, Surprisal(prior(), []).least)


def test_a_rare_word_costs_more_than_a_common_one() -> None:
    folder = [held(role=Role.PRODUCTION).object] * 99 + [held(role=Role.TEST).object]
    accountant = Surprisal(counts(folder), folder)
    assert accountant.price("role=test", NOTHING) > accountant.price("role=production", NOTHING) + 3 * MILL
    # A unit without a value stands for any of them, and an outcome has no frequency: both cost what they can tell.
    assert accountant.price("role=", NOTHING) == calibrated("role=")
    assert accountant.price("lint.count=few", NOTHING) == calibrated("lint.count=few")
    assert counts(folder)["role"]["test"] == 1
    assert list(statements_of(TwinObject(object_id=AUTH, kind=Kind.CONFIG))) == ["kind=config"]


def _folder(seed: int) -> list:
    chosen = random.Random(seed)
    pick = chosen.choice
    return [
        held(
            kind=pick(tuple(Kind)[:2]),
            semantic_class=pick(tuple(SemanticClass)[:3]),
            role=pick((Role.PRODUCTION, Role.TEST)),
            sensitivity=pick(tuple(Sensitivity)),
            amounts=UNSET,
            contains=pick(((ContentTag.TABLES,), (ContentTag.DATES,), UNSET)),
            size_bucket=pick(tuple(SizeBucket)),
        )
        for _ in range(24)
    ]


@pytest.mark.parametrize(("seed", "k"), list(product(range(8), (1, 3, 6))))
def test_what_is_withheld_tells_no_object_from_fewer_than_k(seed: int, k: int) -> None:
    """Silence where a word is rare would single out those who have it: 9 of 10 told, and the tenth is known."""
    folder = _folder(seed)
    accountant = Calibrated(scale=100)
    accountant.crowd = Blocks((each.object for each in folder), k)
    order = random.Random(seed).sample(FIELDS, len(FIELDS))
    heard, crowd, spoken = [], Crowd(each.object for each in folder), 0
    for each in folder:
        accounts = Accounts(accountant, {each.key: NOTHING})
        disclosed = disclose(each, order, accounts, most_tags=6)
        told = {statement_of(charge.unit) for charge in accounts.charges}
        # Counted by hand: whose own words hold all that was told, and no other where it was told that there are none.
        assert crowd.size(told) == sum(_fits(told, set(statements_of(other.object))) for other in folder)
        heard.append((frozenset(told), disclosed.object is None, disclosed.withheld))
        spoken += len(told)
    assert min(map(heard.count, heard)) >= k
    assert spoken and any(withheld for _, _, withheld in heard) == (k > 1)


def test_whom_no_block_holds_nothing_is_told_of() -> None:
    crowd = Blocks([held(role=Role.TEST).object] * 9, 3)
    assert crowd.hides(held(role=Role.TEST), ["role=test", "kind=code_file", "nothing=lacks", "confidence=sure"])
    assert crowd.hides(held(), ["lint.count=few", "edge=depends_on:abc", "labels=not_private"]), "are not counted"
    assert not crowd.hides(held(role=Role.PRODUCTION), ["role=production"])
    assert not Blocks([held().object] * 2, 3).hides(held(), ["kind=code_file"])


@pytest.mark.parametrize("left", [0, 500, 1000, 2000, 4000, 6000, 8000, 12_000])
def test_that_a_word_does_not_fit_does_not_tell_that_it_is_rare(left: int) -> None:
    folder = [held(role=Role.PRODUCTION).object] * 99 + [held(role=Role.TEST, size_bucket=SizeBucket.LARGE).object]
    accountant = Surprisal(prior(), folder)
    spent = accountant.least - left
    for field in ("role", "size_bucket", "sensitivity", "readiness_cause"):
        answers = set()
        for word in (*_WORDS[field], UNSET):
            one = held(**{field: word}) if word is not UNSET or field == "readiness_cause" else held()
            accounts = Accounts(accountant, {one.key: Known(frozenset({"kind=code_file"}), spent)})
            answers.add(field in disclose(one, [field], accounts).withheld)
        assert len(answers) == 1, field


def test_no_word_costs_more_than_the_dearest_of_its_field() -> None:
    accountant = Surprisal(prior(), [held(role=Role.TEST).object] * 7)
    for field in _PRIOR:
        words = [*(f"{field}={word}" for word in _WORDS[field]), f"nothing={field}"]
        words += ["sensitivity_causes=not_credential"] if field == "sensitivity_causes" else []
        dearest = {accountant.most(unit, NOTHING) for unit in words}
        assert len(dearest) == 1 and max(accountant.price(unit, NOTHING) for unit in words) <= dearest.pop()
        assert accountant.most(words[0], Known(frozenset(words))) == 0
    assert accountant.most("lint.count=few", NOTHING) == accountant.price("lint.count=few", NOTHING)


def _fits(told: set[str], true: set[str]) -> bool:
    for statement in told:
        field, _, value = statement.partition("=")
        if field == "nothing":
            if any(each.startswith(f"{value}=") and each not in told for each in true):
                return False
        elif any(each.startswith(f"{field}=") for each in true) or field in ("contains", "lacks"):
            if statement not in true:
                return False
        elif field not in ("component",):
            return False
    return True
