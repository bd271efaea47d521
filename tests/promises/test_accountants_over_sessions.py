"""Accountants over whole sessions: what they promise holds for all that was told, on one ledger and over several."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import product

import pytest
from crowds import Crowd, record
from scenes import folder, settings, step, workspace
from worlds import Blank

from plantwin.cloud.scripted import Scripted
from plantwin.config import accountants
from plantwin.config.accountants import Calibrated
from plantwin.config.differential import RANDOMIZED, Differential
from plantwin.ledgers.rehearsal import Rehearsal
from plantwin.private.project import nameless
from plantwin.session import run
from plantwin.types.plan import Narrowed, Where
from plantwin.types.prices import BOUNDLESS
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import Sensitivity

SCAN = "secret_scan"
HALF = Differential(0.5)
STEP = sum(HALF.epsilons.values())
"""What a step costs every member of a set: three words, each half a nat, rounded up."""


def _unlimited(made):
    made.least, made.threshold = BOUNDLESS, lambda *_: BOUNDLESS
    return made


def _words(verdict):
    return tuple(str(getattr(verdict.outcome, field)) for field in RANDOMIZED)


def test_an_answer_about_one_content_is_drawn_once_whoever_asks_again():
    """Asking in ten sessions does not average the noise away, and is paid for once."""
    records = [record(number) for number in range(8)]
    ledger, heard, spent = Rehearsal(Blank()), set(), set()
    for _ in range(10):
        crowd = Crowd(
            records, lambda *_: True, ledger=ledger, limit=BOUNDLESS, accountant=_unlimited(Differential(0.5))
        )
        before = crowd.shared(records[0])
        crowd.opening(())
        opening = crowd.shared(records[0])
        heard.add(_words(crowd.ask(SCAN, crowd.sets[0].id)))
        heard.add(_words(crowd.ask(SCAN, crowd.sets[0].id)))
        spent.add((before, crowd.shared(records[0]) - opening))
    assert len(heard) == 1
    assert sorted(cost for _, cost in spent) == [0, STEP], "three words, whole, to every member, once"


def test_epsilon_composes_over_sessions_and_sets():
    """Of other members an answer is drawn anew, and every member pays for each."""
    records = [record(number, sensitivity="high" if number < 6 else "low") for number in range(12)]
    ledger, paid = Rehearsal(Blank()), []
    for where in (None, Sensitivity.HIGH, Sensitivity.LOW):
        crowd = Crowd(records, ledger=ledger, limit=BOUNDLESS, accountant=_unlimited(Differential(0.5)))
        crowd.opening(())
        whole = crowd.sets[0].id
        before = crowd.shared(records[0])
        verdict = crowd.ask(SCAN, whole if where is None else Narrowed(set=whole, where=Where(sensitivity=where)))
        assert isinstance(verdict, Allowed)
        paid.append(crowd.shared(records[0]) - before)
    assert paid == [STEP, STEP, STEP]


def test_no_answer_depends_on_one_member_by_more_than_what_it_paid():
    """All environments of six objects: the odds of every answer, one member changed, are within e^charge."""
    accountant = Differential(1.0)
    sizes = {field: len(accountants.WORDS[field]) for field in RANDOMIZED}
    truths = {}
    for found in product((False, True), repeat=6):
        crowd = Crowd([record(n) for n in range(6)], lambda _, one, f=found: f[one.number], limit=BOUNDLESS, k=3)
        crowd.opening(())
        truths[found] = _words(crowd.ask(SCAN, crowd.sets[0].id))
    charge = sum(accountant.epsilons[field] for field in RANDOMIZED) / 1000
    worst = 0.0
    for found, place in product(truths, range(6)):
        other = tuple(value != (at == place) for at, value in enumerate(found))
        changed = [a != b for a, b in zip(truths[found], truths[other], strict=True)]
        # The likeliest answer for one is the true one: each word that differs changes its odds by e^epsilon.
        keeps = [math.e / (math.e + size - 1) for size in sizes.values()]
        odds = [
            math.log(keep / ((1 - keep) / (size - 1))) * differs
            for keep, size, differs in zip(keeps, sizes.values(), changed, strict=True)
        ]
        worst = max(worst, sum(odds))
    assert 0 < worst <= charge


@pytest.mark.parametrize("k", [3, 5])
def test_with_k_anonymity_at_least_k_objects_are_heard_of_alike_in_all_sessions(k):
    """Described one by one, worked on one by one, in two sessions on one ledger: each is one of k."""
    records = [
        record(number, sensitivity=("low", "high", "restricted")[number % 3], role=("production", "test")[number % 2],
               size_bucket="large" if number == 4 else "small", contains=(("tables", "few"),) if number % 5 else ())
        for number in range(30)
    ]  # fmt: skip
    ledger, heard = Rehearsal(Blank()), {one.number: "" for one in records}
    for session in range(2):
        plain = Crowd(records, k=k, listed=records)
        cells = plain.selected.session_sets
        accountant = _unlimited(Calibrated())
        accountant.anonymity = accountants.KAnonymity(
            ((nameless(one), cells.account(one.number)) for one in records), k
        )
        crowd = Crowd(
            records, lambda _, one: one.number % 7 == 0, ledger=ledger, k=k, listed=records, accountant=accountant
        )
        crowd.opening(())
        for id_, one in crowd.selected.records.items():
            verdicts = [crowd.ask("describe", id_)] if session else []
            verdicts.append(crowd.ask(SCAN, id_))
            told = [
                ([json.dumps(_nameless(each, crowd.set_of(one))) for each in getattr(verdict, "objects", ())],
                 verdict.outcome.units("x"))
                for verdict in verdicts
            ]  # fmt: skip
            heard[one.number] += repr((sorted(crowd.numbers(crowd.set_of(one))), told))
    assert min(Counter(heard.values()).values()) >= k
    assert len(set(heard.values())) > 1
    assert any("sensitivity" in words or "role" in words for words in heard.values()), "something was told"


@pytest.mark.parametrize("sends", [False, True])
def test_who_sends_nothing_hears_the_same_from_every_accountant(tmp_path, sends):
    """In a folder that is large enough for groups; to who sends something k-anonymity tells less of one object."""
    root = folder(tmp_path)
    for number in range(24):
        (root / f"docs/page_{number}.md").write_text(f"# Page {number}\n\n" + "Ship it by May.\n" * number * 20)
    heard = {}
    for name in ("weighted", "k-anonymity"):
        made = settings(tmp_path, f"[budget]\naccountant = '{name}'\n")
        plan = {"steps": [step("security_audit", "@kind=code_file"), step("describe", "@kind=code_file", id_="s2")]}
        with workspace(root, tmp_path / name, settings=made) as here:
            planner = Scripted([plan])
            planner.sends = sends
            done = run("Review shop/auth/service.py for security issues", here, planner)
        objects = [
            {field: value for field, value in shown.items() if field != "object_id"}
            for message in map(json.loads, planner.received)
            for shown in message.get("objects", ())
        ]
        words = [verdict.outcome for turn in done.turns for verdict in turn.verdicts]
        assert [verdict.status for verdict in words] == ["done", "done"]
        heard[name] = [len(one) for one in objects], [len(verdict.units("x")) for verdict in words]
    fewer = [sum(map(sum, heard["k-anonymity"])) < sum(map(sum, heard["weighted"]))]
    assert fewer == [sends] and (sends or heard["k-anonymity"] == heard["weighted"])


def _nameless(each, set_id):
    return {
        field: str(value).replace(set_id, "set")
        for field in each.__struct_fields__
        if field != "object_id" and (value := getattr(each, field))
    }
