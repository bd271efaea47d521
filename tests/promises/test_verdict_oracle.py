"""No verdict is an oracle: worlds that differ in a field that nobody was told look the same, or the field is paid for.

Whatever the policy, whoever is asked, however much is left, whatever is known already, and whichever step is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product

import pytest
from worlds import LABELS, PEOPLE, WORKDAY, Heard, Session, World, betrayal, changed

from plantwin.boundary.authority import Authority
from plantwin.config.policies import NAMES, policy_from_text, shipped
from plantwin.private.capabilities import catalog
from plantwin.types.policy import Party
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Confidence, Kind, SemanticClass, Sensitivity

CATALOG = catalog()
PARTIES = {"remote": Party("gpt", "openai", "remote"), "local": Party("offline", "offline", "local")}
BASES = (
    World(Kind.CODE_FILE, SemanticClass.AUTHENTICATION_MODULE),
    World(Kind.CONFIG, SemanticClass.ENVIRONMENT_CONFIG, Sensitivity.HIGH, confidence=Confidence.LOW),
    World(Kind.SECRET_CONTAINER, SemanticClass.CREDENTIALS_FILE, Sensitivity.HIGH, labels=frozenset({"public"})),
    World(Kind.LOG_STREAM, SemanticClass.APPLICATION_LOG, Sensitivity.RESTRICTED, ambiguous=True),
)
LEFT = {"remote": (0, 500, 1500, 12_000), "local": (1500, 12_000)}
SOME = ("describe", "secret_scan", "lint", "compare", "run_tests")
"""One of each risk, those that policies name, and those that tell: asked whatever is left and known."""
OWN = """
permit (principal, action, resource) when { resource.class == Class::"authentication_module" };
permit (principal, action, resource) when { context.approved && resource.freshness != Freshness::"stale" };
permit (principal, action, resource) when { resource.confidence == Confidence::"medium" };
permit (principal, action == Action::"describe", resource) when { resource.family == Family::"logs" };
forbid (principal, action == Action::"lint", resource) when { resource.causes.contains(Cause::"personal") };
forbid (principal, action, resource) when { resource.labels.contains("public") && context.risk == Risk::"low" };
"""
POLICIES = {**{name: shipped(name) for name in NAMES}, "own": OWN}


def distinct(world: World) -> tuple[str, ...]:
    """One capability of each sort that a gate can tell apart for this object, and those that policies name."""
    sorts: dict[object, str] = {}
    for name, one in CATALOG.items():
        takes = (world.kind in one.kinds, one.accepts(world.kind, world.leaf), bool(one.classes), bool(one.families))
        tells = (min(MAX_OUTCOME_TAGS, len(one.tags)), one.required_fields, one.risk, one.approval)
        sorts.setdefault((takes, tells, one.least, one.programs, one.project), name)
    return tuple(dict.fromkeys([*SOME, *sorts.values()]))


def told_before(world: World) -> tuple[tuple[str, ...], ...]:
    """What may be known already."""
    return (
        (),
        (f"sensitivity={world.sensitivity}",),
        (f"confidence={world.confidence}", f"family={world.leaf.family}"),
        (f"semantic_class={world.leaf}", f"freshness={world.freshness}"),
    )


def heard(
    authority: Authority, person: str, world: World, number: int, left: int, asked: tuple[str, ...]
) -> dict[str, Heard]:
    """Everything that a planner hears in a world: the opening, and after it each step as if it were the first."""
    session = Session(world, authority, CATALOG, told=told_before(world)[number], left=left)
    found = dict(zip(("registration", "request"), session.opening(("semantic_class", "sensitivity")), strict=True))
    for name in asked:
        found[name] = session.step(name, PEOPLE[person], bool(found["registration"].words))
    return found


def wrongs(one: World, two: World, first: dict[str, Heard], second: dict[str, Heard]) -> Iterator[str]:
    """Where two worlds betray which of them it is, without having paid for it."""
    for name in first:
        wrong = betrayal(one, two, first[name], second[name])
        if wrong:
            yield f"{name}: {wrong}: {first[name].words} and {second[name].words}"
        if name in ("registration", "request") and first[name].words != second[name].words:
            return  # what follows is another story in each


@pytest.mark.parametrize("name", POLICIES)
def test_worlds_that_differ_in_an_untold_field_look_the_same_or_the_field_is_paid_for(name):
    policy = policy_from_text(POLICIES[name], name, lambda: WORKDAY)
    authorities = {where: Authority(policy, party, CATALOG, labels=LABELS) for where, party in PARTIES.items()}
    if name == "local-only":
        del authorities["remote"]  # nothing is told at all
    for person in PEOPLE:
        wrong, compared = [], 0
        for locality, authority in authorities.items():
            hear = cache(partial(heard, authority, person))
            for base, number, left in product(BASES, range(4), LEFT[locality]):
                asked = distinct(base) if (number, left) in ((0, 1500), (0, 12_000)) else SOME
                for field, other in changed(base):
                    if told_before(base)[number] != told_before(other)[number]:
                        continue  # the field was told
                    compared += 1
                    found = wrongs(base, other, hear(base, number, left, asked), hear(other, number, left, asked))
                    wrong += [(field, locality, base.kind, told_before(base)[number], left, said) for said in found]
        assert compared > 300
        assert not wrong, (person, wrong[:5])
