"""Groups: what is not listed is told by kind and family, and the folder's own budget pays for it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from builders import AUDIENCE, channel, held, key

from plantwin.boundary.budget import FOLDER, Accounts, Folder, Weighted
from plantwin.boundary.groups import Empty, Naming, count_of, gather
from plantwin.boundary.ledger.interface import Known
from plantwin.boundary.ledger.sqlite import SqliteLedger
from plantwin.boundary.release import Release
from plantwin.config.settings import Settings
from plantwin.ledgers.verification import verify
from plantwin.types.twin import MAX_GROUPS
from plantwin.vocabulary import Count, Family, Kind, SemanticClass

ROOT = key("folder")
LOGS, GUIDES = (Kind.LOG_STREAM, Family.LOGS), (Kind.DOCUMENT, Family.GUIDES)
EVERYWHERE = [(kind, family) for kind in Kind for family in Family]


def gathered(rest, unlisted=(), *, threshold=FOLDER, known=None, room=1000, naming=None):
    accounts = Accounts(Weighted(), {ROOT: known or Known()}, room)
    groups = gather(Counter(rest), unlisted, Folder(ROOT, threshold), accounts, naming or Naming())
    told = [(str(each.group.kind), each.group.family or None, str(each.group.count)) for each in groups.values()]
    return groups, told, tuple(accounts.charges)


def after(charges, known=None):
    known = known or Known()
    return Known(known.units | {each.unit for each in charges}, known.spent + sum(each.cost for each in charges))


@pytest.mark.parametrize(("number", "count"), [(1, Count.ONE), (2, Count.FEW), (9, Count.FEW), (10, Count.MANY)])
def test_a_number_is_a_bucket(number, count):
    assert count_of(number) is count


def test_a_group_has_kind_family_and_count_each_paid_for_once():
    groups, told, charges = gathered([LOGS] * 12 + [GUIDES])
    assert told == [("document", Family.GUIDES, "one"), ("log_stream", Family.LOGS, "many")]
    assert sorted((each.unit, each.cost) for each in charges) == [
        ("groups.amounts=document:guides:one@1", 250),
        ("groups.amounts=log_stream:logs:many@12", 250),
        ("groups.family=document:guides", 1000),
        ("groups.family=log_stream:logs", 1000),
        ("groups.kind=document", 500),
        ("groups.kind=log_stream", 500),
    ]
    assert all(each.key == ROOT for each in charges)
    assert all(id_ == each.group.group_id for id_, each in groups.items())
    again, same, nothing = gathered([LOGS] * 12 + [GUIDES], known=after(charges))
    assert (same, nothing) == (told, ())
    assert not set(again) & set(groups)  # ids are new in every session
    *_, changed = gathered([LOGS], known=after(charges))
    assert [each.unit for each in changed] == ["groups.amounts=log_stream:logs:one@1"]


def test_another_number_in_the_same_word_is_news():
    *_, charges = gathered([LOGS] * 12)
    _, told, news = gathered([LOGS] * 13, known=after(charges))
    assert told == [("log_stream", Family.LOGS, "many")]
    assert [(each.unit, each.cost) for each in news] == [("groups.amounts=log_stream:logs:many@13", 250)]


def test_what_is_shown_first_is_what_is_sent():
    """A draft and what is recorded after it name the same groups and choose the same where not all fit."""
    naming = Naming()
    draft, *_ = gathered(EVERYWHERE, threshold=9000, naming=naming)
    final, *_ = gathered(EVERYWHERE, threshold=9000, naming=naming)
    assert draft == final
    assert any(gathered(EVERYWHERE, threshold=9000)[1] != gathered(EVERYWHERE, threshold=9000)[1] for _ in range(5))


def test_a_family_that_does_not_fit_is_told_as_part_of_its_kind():
    groups, told, charges = gathered([LOGS] * 3, threshold=1000)
    assert told == [("log_stream", None, "few")]
    assert [each.unit for each in charges] == ["groups.kind=log_stream", "groups.amounts=log_stream:any:few@3"]
    (group,) = groups.values()
    assert group.families == {Family.LOGS}


def test_a_kind_that_does_not_fit_is_not_told():
    assert gathered([LOGS] * 3, threshold=700) == ({}, [], ())


def test_the_hours_share_of_units_holds_for_groups_too():
    _, told, charges = gathered([LOGS] * 3, room=2)
    assert (told, len(charges)) == ([("log_stream", None, "few")], 2)
    assert gathered([LOGS] * 3, room=1) == ({}, [], ())


def test_what_may_not_be_told_one_by_one_is_counted_by_kind_alone():
    groups, told, _ = gathered([LOGS], [Kind.CONFIG] * 2)
    assert told == [("config", None, "few"), ("log_stream", Family.LOGS, "one")]
    assert [each.families for each in groups.values()] == [frozenset(), {Family.LOGS}]


def test_groups_are_bounded_and_lose_no_object():
    groups, told, _ = gathered(EVERYWHERE, threshold=1 << 30)
    assert len(told) <= MAX_GROUPS
    assert told == sorted(told, key=lambda each: (each[0], each[1] or ""))
    covered = [(each.group.kind, family) for each in groups.values() for family in each.families]
    assert sorted(covered) == sorted(EVERYWHERE)


def test_what_is_known_already_and_what_is_many_comes_first():
    *_, charges = gathered([GUIDES])
    _, told, _ = gathered([GUIDES, *[LOGS] * 12], threshold=1750, known=after(charges))
    assert told == [("document", Family.GUIDES, "one")]
    _, told, _ = gathered([GUIDES, *[LOGS] * 12], threshold=1750)
    assert told == [("log_stream", Family.LOGS, "many")]


def test_nothing_is_drawn_where_everything_is_listed():
    assert Empty().draw(Kind.CONFIG, frozenset(), 8) == ()


def test_the_folders_threshold_is_a_setting():
    assert Settings().folder(ROOT) == Folder(ROOT, FOLDER)


def test_no_number_of_sessions_tells_more_of_a_folder_than_its_budget(tmp_path):
    ledger = SqliteLedger(tmp_path / "ledger.db", b"k" * 32)
    most = 9000
    subjects = [held(kind=kind, semantic_class=leaf).subject for kind in Kind for leaf in SemanticClass]
    for turn in range(1, 40):
        made = Release(channel(ledger, session=f"s{turn}"), Folder(ROOT, most))
        message = json.loads(made.registration([held()], dict.fromkeys(subjects, 1 + turn % 11)).data)
        assert set(made.groups) == {each["group_id"] for each in message["groups"]}
    assert 0 < ledger.known(AUDIENCE, [ROOT])[ROOT].spent <= most
    assert verify(ledger).problem == ""
    ledger.close()
