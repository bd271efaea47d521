"""Accountants whose prices are measured: no word costs less than it tells, and none leaves fewer than `k` objects."""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import msgspec
import pytest
from builders import AUTH, held
from msgspec import UNSET

from plantwin.boundary.budget import Accounts, reserve
from plantwin.boundary.disclosure import disclose
from plantwin.config.accountants import (
    _PRIOR,
    CHOICES,
    GROUPS,
    WORDS,
    Calibrated,
    KAnonymity,
    Lookalikes,
    Surprisal,
    calibrated,
    counts,
    prior,
)
from plantwin.config.accountants import statements as statements_of
from plantwin.config.differential import RANDOMIZED, Differential
from plantwin.config.settings import Settings
from plantwin.errors import ConfigError
from plantwin.private.capabilities import catalog
from plantwin.types.capability import FIELDS
from plantwin.types.ledger import Known
from plantwin.types.local import LocalObject
from plantwin.types.outcome import OUTCOME_WORDS, REFUSALS, Outcome
from plantwin.types.prices import COSTS, MILL
from plantwin.types.twin import TwinObject, canonical
from plantwin.vocabulary import (
    ContentTag,
    Family,
    Kind,
    OutcomeTag,
    Role,
    SemanticClass,
    Sensitivity,
    Share,
    SizeBucket,
    StepStatus,
)

NOTHING = Known()
CAPABILITY = catalog()["lint"]


def _rate(price: int) -> float:
    return math.exp(-price / MILL)


@pytest.mark.parametrize("field", COSTS)
def test_every_priced_field_has_a_calibrated_price(field: str) -> None:
    assert Calibrated().price(f"{field}={next(iter(WORDS.get(field, 'x')))}", NOTHING) > 0


@pytest.mark.parametrize("field", [field for field in WORDS if field in (*FIELDS, "family")])
@pytest.mark.parametrize("folder", ["empty", "one kind"])
def test_prices_are_lengths_of_a_code(field: str, folder: str) -> None:
    """The rates of all words of a field, its absence with them, sum to at most one: on average no code is shorter."""
    objects = [held(kind=Kind.CONFIG).object] * 40 if folder == "one kind" else []
    statements = [f"nothing={field}", *(f"{field}={word}" for word in WORDS[field])]
    for accountant in (Calibrated(), Surprisal(prior(), objects)):
        assert sum(_rate(accountant.price(each, NOTHING)) for each in statements) <= 1


@pytest.mark.parametrize("tags", [1, 3])
def test_all_outcomes_of_a_capability_are_a_code(tags: int) -> None:
    """Words of an outcome may be absent, and it may have no tag: whoever hears that has paid for it with the status."""
    says = list(OutcomeTag)[:tags]
    whole = [StepStatus.DONE, StepStatus.PARTIAL, StepStatus.FAILED]
    words = [[UNSET, *vocabulary] for vocabulary in OUTCOME_WORDS.values()]
    tagged = [canonical(some) or UNSET for number in range(tags + 1) for some in combinations(says, number)]
    outcomes = [
        Outcome(status=status, **dict(zip(OUTCOME_WORDS, told, strict=True)), tags=some)
        for status, *told, some in product(whole, *words, tagged)
    ]
    outcomes += [Outcome(status=status) for status in REFUSALS]
    accountant = Calibrated(tags={"probe": tags})
    charged = [sum(accountant.price(unit, NOTHING) for unit in each.units("probe")) for each in outcomes]
    assert sum(map(_rate, charged)) <= 1
    # So whichever outcomes are likely, what is learned on average is at most what is charged: here all alike.
    assert math.log(len(outcomes)) <= sum(charged) / len(charged) / MILL


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


def _adaptive(each: LocalObject, accountant: Calibrated, rounds: int) -> str:
    """What a planner hears of one object that asks whatever follows from the answers, over several sessions."""
    return _asked(each, accountant, rounds, FIELDS)[0]


def _asked(each: LocalObject, accountant: Calibrated, rounds: int, of: Sequence[str]) -> tuple[str, float]:
    """The same about these fields, with what was charged for it, in nats."""
    known, heard = NOTHING, ""
    for _ in range(rounds):
        accounts = Accounts(accountant, {each.key: known, each.cell: NOTHING})
        source = random.Random(heard)
        fields = source.sample(of, source.randint(1, len(of)))
        disclosed = disclose(each, fields, accounts, most_tags=source.randint(1, 6))
        heard += repr((msgspec.structs.replace(disclosed.object, object_id=AUTH, kind=Kind.CONFIG), fields))
        known = accounts.known[each.key]
    return heard, known.spent / MILL


ASKED = ("role", "sensitivity", "freshness", "size_bucket")


@pytest.mark.parametrize("scale", [100, 0.8, 0.7])
@pytest.mark.parametrize("name", ["calibrated", "entropy"])
def test_in_all_worlds_of_one_object_no_more_is_learned_than_was_charged(name: str, scale: float) -> None:
    """Every object that could be, each as likely: a planner asks what follows from the answers, withheld ones too."""
    values = product(*(WORDS[field] for field in ASKED))
    world = [held(kind=Kind.CONFIG, **dict(zip(ASKED, words, strict=True))) for words in values]
    prices = Surprisal(prior(), [each.object for each in world], scale=scale)
    accountant = prices if name == "entropy" else Calibrated(scale=scale)
    heard, charged = zip(*(_asked(each, accountant, 4, ASKED) for each in world), strict=True)
    alike = Counter(heard)
    gains = [math.log(len(world) / alike[words]) for words in heard]
    assert len(alike) > 1 and sum(gains) <= sum(charged)
    if name == "calibrated":  # and the chance to guess it right grows by no more than the factor of what was spent
        assert len(alike) <= math.exp(max(charged)) and max(charged) * MILL <= accountant.least


@pytest.mark.parametrize(("seed", "k"), list(product(range(8), (1, 3, 6))))
def test_whatever_is_asked_for_at_least_k_objects_are_told_of_alike(seed: int, k: int) -> None:
    """With all that is withheld: a planner who knows the folder and the rules can do no better than guess among `k`."""
    folder, sizes = _folder(seed), set()
    for scale in (100, 0.7):
        accountant = Calibrated(scale=scale)
        accountant.anonymity = KAnonymity(((each.object, b"") for each in folder), k)
        heard = [_adaptive(each, accountant, rounds=4) for each in folder]
        assert min(Counter(heard).values()) >= k
        sizes.add(len(set(heard)))
    assert max(sizes) > 1 or k == 6, "something is told that tells groups apart"


def test_sets_do_not_tell_objects_of_one_group_apart() -> None:
    folder = _folder(3)
    cells = [b"one" if place % 2 else b"two" for place in range(len(folder))]
    placed = [replace(each, cell=cell) for each, cell in zip(folder, cells, strict=True)]
    accountant = Calibrated(scale=100)
    accountant.anonymity = KAnonymity(((each.object, each.cell) for each in placed), 4)
    heard = [(each.cell, _adaptive(each, accountant, rounds=2)) for each in placed]
    assert min(Counter(heard).values()) >= 4


@pytest.mark.parametrize("left", [0, 500, 1000, 2000, 4000, 6000, 8000, 12_000])
def test_that_a_word_does_not_fit_does_not_tell_that_it_is_rare(left: int) -> None:
    folder = [held(role=Role.PRODUCTION).object] * 99 + [held(role=Role.TEST, size_bucket=SizeBucket.LARGE).object]
    accountant = Surprisal(prior(), folder)
    spent = accountant.least - left
    for field in ("role", "size_bucket", "sensitivity", "readiness_cause"):
        answers = set()
        for word in (*WORDS[field], UNSET):
            one = held(**{field: word}) if word is not UNSET or field == "readiness_cause" else held()
            accounts = Accounts(accountant, {one.key: Known(frozenset({"kind=code_file"}), spent)})
            answers.add(field in disclose(one, [field], accounts).withheld)
        assert len(answers) == 1, field


def test_no_word_costs_more_than_the_dearest_of_its_field() -> None:
    accountant = Surprisal(prior(), [held(role=Role.TEST).object] * 7)
    for field in _PRIOR:
        words = [*(f"{field}={word}" for word in WORDS[field]), f"nothing={field}"]
        words += ["sensitivity_causes=not_credential"] if field == "sensitivity_causes" else []
        dearest = {accountant.most(unit, NOTHING) for unit in words}
        assert len(dearest) == 1 and max(accountant.price(unit, NOTHING) for unit in words) <= dearest.pop()
        assert accountant.most(words[0], Known(frozenset(words))) == 0
    assert accountant.most("lint.count=few", NOTHING) == accountant.price("lint.count=few", NOTHING)


def test_a_class_is_generalized_before_it_is_withheld_and_a_word_of_one_object_is_never_told() -> None:
    leaves = [leaf for leaf in SemanticClass if leaf.family is Family.CONFIGURATION][:4]
    folder = [held(kind=Kind.CONFIG, semantic_class=leaf, amounts=UNSET, contains=UNSET) for leaf in leaves]
    accountant = Calibrated(scale=100)
    accountant.anonymity = KAnonymity(((each.object, b"") for each in folder), 4)
    accounts = Accounts(accountant, {folder[0].key: NOTHING})
    told = disclose(folder[0], ("semantic_class", "component", "edges"), accounts)
    assert told.object and told.object.family is Family.CONFIGURATION and not told.object.semantic_class
    assert {"semantic_class", "component"} <= set(told.withheld)
    unit = folder[0].unit
    for statement, fits in (("lint.status=done", True), ("lint.count=few", False), ("edge=depends_on:ab", False)):
        # A run, what is around it, and the other end of an edge have versions too.
        for version in ("", "@v", "@v.w", "@run"):
            assert accountant.anonymity.hides(replace(folder[0], version="v"), [f"{statement}{version}"]) is fits
    # Fewer than k of them, or one that was not counted, is told of by its kind alone.
    few = KAnonymity(((each.object, b"") for each in folder[:3]), 4)
    assert few.hides(folder[0], [unit("kind=config")]) and not few.hides(folder[0], [unit("role=test")])
    assert not accountant.anonymity.hides(held(kind=Kind.DOCUMENT), ["sensitivity=low"])


@pytest.mark.parametrize(
    ("known", "fits"),
    [
        (("kind=document@v", "lint.status=done@v", "role=test@v"), True),
        (("size_bucket=large@v",), False),
        (("size_bucket=large@older", "left=3"), True),
        (("edge=depends_on:ab@v.w",), False),
        (("lint.count=few@v.w",), False),
    ],
)
def test_what_was_told_of_this_version_before_is_held_against_its_group(known: tuple[str, ...], fits: bool) -> None:
    folder = [held(role=Role.TEST, size_bucket=size) for size in (SizeBucket.SMALL, SizeBucket.SMALL, SizeBucket.LARGE)]
    crowd = KAnonymity(((one.object, b"") for one in folder), 3)
    one = replace(folder[2], version="v")
    assert crowd.hides(one, [one.unit("role=test")], known) is fits
    assert crowd.hides(one, [one.unit("lint.status=done")], known), "what became of a step is told whatever the group"


@pytest.mark.parametrize(("objects", "told"), [(GROUPS * 5 - 1, True), (GROUPS * 5, False)])
def test_a_folder_that_is_too_small_for_groups_has_none(objects: int, told: bool) -> None:
    alone = held(kind=Kind.DOCUMENT, role=Role.TEST)
    folder = [(held(kind=Kind.CONFIG).object, b"")] * (objects - 1) + [(alone.object, b"")]
    settings = Settings()
    assert settings.privacy.k == 5
    crowd = settings.accountant((), folder).anonymity
    assert crowd and crowd.hides(alone, [alone.unit("role=test")]) is told


@pytest.mark.parametrize(
    ("told", "alike"),
    [
        ((), 3),
        (("kind=config", "nothing=contains"), 3),
        (("kind=document",), 0),
        (("nothing=kind",), 0),
        (("kind=config", "nothing=kind", "edge=x", "confidence=sure"), 3),
        (("semantic_class=app_config",), 1),
    ],
)
def test_lookalikes_are_those_of_which_everything_told_is_true(told: tuple[str, ...], alike: int) -> None:
    leaves = (SemanticClass.APP_CONFIG, SemanticClass.CI_PIPELINE, UNSET)
    folder = [held(kind=Kind.CONFIG, semantic_class=leaf, amounts=UNSET, contains=UNSET).object for leaf in leaves]
    assert Lookalikes(folder).size(told) == alike


# Random answers


def test_a_random_word_costs_the_epsilon_of_its_draw() -> None:
    accountant = Differential(1.0)
    assert accountant.noise is accountant
    for field in RANDOMIZED:
        words = [word.value for word in WORDS[field]]
        drawn = Counter(
            str(getattr(accountant.randomized(_outcome(field, words[-1]), CAPABILITY, "random.v", ()), field))
            for _ in range(4000)
        )
        keep = math.e / (math.e + len(words) - 1)
        assert abs(drawn[words[-1]] / 4000 - keep) < 0.04
        assert all(abs(drawn[word] / 4000 - (1 - keep) / (len(words) - 1)) < 0.04 for word in words[:-1])
        # Enumerated: however one member changes the true word, no answer becomes more than e^price as likely.
        price = accountant.price(f"lint.{field}={words[0]}@random.v", NOTHING)
        assert math.log(keep / ((1 - keep) / (len(words) - 1))) <= price / MILL <= 1.01
    assert accountant.price("lint.status=done@random.v", NOTHING) == 0
    assert accountant.price("lint.count=few@v", NOTHING) == calibrated("lint.count=few")
    assert accountant.price("lint.count=few@random.v", Known(frozenset({"lint.count=few@random.v"}))) == 0


def _outcome(field: str, word: str) -> Outcome:
    return Outcome(status=StepStatus.PARTIAL, tags=(OutcomeTag.INJECTION,), **{field: WORDS[field](word)})


def test_what_was_drawn_stays_and_what_has_no_word_is_drawn_too() -> None:
    accountant = Differential(0.1)
    heard = [f"{CAPABILITY.unit}.severity=high@random.v", f"{CAPABILITY.unit}.count=many@random.v"]
    heard += [f"{CAPABILITY.unit}.affected=all@random.w", "other.affected=all@random.v"]
    told = [accountant.randomized(Outcome(status=StepStatus.FAILED), CAPABILITY, "random.v", heard) for _ in range(200)]
    assert {(each.severity.value, each.count.value, each.status.value) for each in told} == {("high", "many", "done")}
    assert {each.affected for each in told} == set(WORDS["affected"])
    assert all(each.tags is UNSET and each.examined is UNSET for each in told)


def test_without_opendp_nothing_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opendp.measurements", None)
    with pytest.raises(ConfigError, match=r"pip install 'plantwin\[differential\]'"):
        Differential(1.0)
