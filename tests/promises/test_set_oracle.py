"""No verdict on sets is an oracle: worlds that differ in an untold field of one member look alike, or it is paid for.

Under every shipped policy, whoever is asked: the opening, splits, steps on the set, on parts and on narrower sets, and
reports of them. Where what is heard differs, both worlds have charged the member, by itself or with its cell.
"""

from __future__ import annotations

import json

import pytest
from crowds import Crowd, record
from test_verdict_oracle import POLICIES
from worlds import PEOPLE, WORKDAY

from plantwin.config.policies import policy_from_text
from plantwin.errors import PolicyError
from plantwin.types.plan import Narrowed, Step, Where
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import ContentTag, Dimension, Freshness, Sensitivity

BASE = {"sensitivity": "low", "freshness": "recent", "confidence": "high", "contains": ()}
CHANGES = {
    "sensitivity": "high",
    "freshness": "stale",
    "confidence": "low",
    "contains": (("credentials", "few"),),
    "sensitivity_causes": ("personal",),
}
WHERES = (
    {"sensitivity": Sensitivity.HIGH},
    {"freshness": Freshness.STALE},
    {"contains": ContentTag.CREDENTIALS},
    {"contains": ContentTag.CREDENTIALS, "sensitivity": Sensitivity.LOW},
)


def steps(whole):
    """One plan: every way to ask about a set."""
    asked = [Step(id="whole", capability="lint", inputs=(whole,))]
    asked += [Step(id=f"by_{by}", capability="split", inputs=(whole,), by=by) for by in Dimension]
    asked += [
        Step(id=f"part_{part}", capability="secret_scan", inputs=(f"whole.{part}",))
        for part in ("affected", "clean", "worst", "unexamined")
    ]
    for number, where in enumerate(WHERES):
        narrower = Narrowed(set=whole, where=Where(**where))
        asked.append(Step(id=f"narrow_{number}", capability="summarize", inputs=(narrower,)))
        asked.append(Step(id=f"report_{number}", capability="report", inputs=(f"narrow_{number}",)))
        asked.append(Step(id=f"bare_{number}", capability="report", inputs=(narrower,)))
    asked.append(Step(id="part_report", capability="report", inputs=("whole.affected",)))
    return asked


class Listened:
    """What a planner hears in one world, message by message, with what the secret member had been charged by then."""

    def __init__(self, policy, person, fields):
        records = [record(0, **{**BASE, **fields}), *(record(number) for number in range(1, 9))]
        crowd = Crowd(records, lambda name, one: bool(one.contains), policy=policy, person=PEOPLE[person])
        self.heard = []
        try:
            opening = crowd.opening()
        except PolicyError:
            return
        (whole,) = [each.id for each in crowd.sets]
        secret = records[0]
        for message in opening:
            self._add("opening", json.dumps(message).replace(whole, "set"), crowd, secret)
        asked = steps(whole)
        for place, step in enumerate(asked):
            plan = [each for each in asked[: place + 1] if each.id in step.uses() or each is step]
            verdict = crowd.plan(*plan)[-1]
            words = verdict.outcome.units("x") if isinstance(verdict, Allowed) else verdict.status
            told = sorted((each.size, each.kind or "", each.role or "") for each in getattr(verdict, "sets", ()))
            self._add(step.id, (words, told), crowd, secret)

    def _add(self, name, words, crowd, secret):
        member = secret in crowd.admitted
        self.heard.append((name, words, crowd.charged(secret) if member else 0))


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("name", POLICIES)
def test_worlds_that_differ_in_a_field_of_one_member_look_the_same_or_it_has_paid(name, person):
    policy = policy_from_text(POLICIES[name], name, lambda: WORKDAY)
    plain = Listened(policy, person, {}).heard
    for field, value in CHANGES.items():
        other = Listened(policy, person, {field: value}).heard
        if len(plain) != len(other):
            continue  # one of the two folders is told of not at all
        paid, known = (0, 0), (set(), set())
        for (what, one, first), (_, two, second) in zip(plain, other, strict=True):
            # The same words about the same members were paid for when they were told first.
            news = str(one) not in known[0] or str(two) not in known[1]
            if one != two and news:
                assert first > paid[0] or second > paid[1] or what == "opening", (field, what, one, two)
            paid = first, second
            known[0].add(str(one))
            known[1].add(str(two))


def test_a_report_of_a_narrower_set_or_a_part_says_the_same_whatever_is_in_it():
    """It is free, so it must not say whether there is anything."""
    policy = policy_from_text(POLICIES["default"], "default", lambda: WORKDAY)
    reports = []
    for fields in ({}, {"contains": (("credentials", "few"),)}):
        heard = Listened(policy, "yes", fields).heard
        reports.append([words for name, words, _ in heard if name.startswith(("bare", "part_report"))])
    assert len(reports[0]) == 5
    assert reports[0] == reports[1]
