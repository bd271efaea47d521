"""What a goal without steps worries about, and words that mean alike."""

from __future__ import annotations

import pytest

from plantwin import lexicon
from plantwin.cloud.offline.associations import SENSES, WORRIES, meanings, senses, surroundings, table
from plantwin.cloud.offline.hearing import vague, worries
from plantwin.cloud.offline.language import Sentence, read
from plantwin.cloud.offline.tables import Concern
from plantwin.private.goal.projection import project, tokens


def heard(goal: str) -> Sentence:
    return read(tokens(project(goal)))


@pytest.mark.parametrize(
    ("goal", "concern"),
    [
        ("The site went down an hour ago and I do not know why.", Concern.INCIDENT),
        ("Somebody stole a laptop with our keys. How far could they get?", Concern.BREACH),
        ("May we send this folder to the supplier?", Concern.SHARE),
        ("Are we good to go live on Monday?", Concern.SHIP),
        ("Should we roll the last release back?", Concern.UNDO),
        ("I take this over on Monday, where do I begin?", Concern.ORIENT),
        ("Back from two weeks of holiday. What did I miss?", Concern.CATCHUP),
        ("Can I trust these numbers?", Concern.TRUST),
        ("Is the new model better than the old one?", Concern.BETTER),
        ("Why does it take so long to load?", Concern.SLOW),
        ("It works on staging and not in production.", Concern.DIFFERS),
        ("Are we keeping what we promised in the contract?", Concern.DUTY),
        ("If the server burns down tonight, can we recover?", Concern.RECOVER),
        ("Can blind people use it?", Concern.EVERYONE),
        ("What could we get rid of?", Concern.TIDY),
        ("Would anybody notice if I broke it?", Concern.COVERAGE),
        ("What do I need to make it run here?", Concern.SETUP),
        ("Does it hold anything about private people?", Concern.PEOPLE),
        ("What is still to be done?", Concern.REST),
        ("Which port does the gateway listen on?", Concern.FACT),
    ],
)
def test_a_worry_is_among_the_first_two(goal: str, concern: Concern) -> None:
    found = worries(heard(goal))
    assert concern in list(found)[:2]
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_every_goal_has_some_worry() -> None:
    for goal in ("", "<term>", "zzz", "it is what it is", "blue green yellow"):
        assert len(worries(heard(goal))) >= 3


def test_a_goal_that_says_what_to_do_is_less_vague_than_one_that_does_not() -> None:
    assert vague(heard("find hard coded secrets in the code")) < 0.3 < vague(heard("Is this all right?"))
    assert vague(Sentence()) == 0.0


def test_every_worry_has_a_place_in_the_table() -> None:
    assert table(WORRIES).meanings == tuple(Concern)
    assert sum(meanings(set(), {}, WORRIES).values()) == pytest.approx(1.0)


def test_words_of_like_meaning_are_words_of_the_lexicon() -> None:
    listed = [line.split("\t")[0] for line in SENSES.read_text(encoding="ascii").splitlines()]
    assert listed == sorted(set(listed))
    assert set(listed) <= lexicon.words()
    assert set(senses()["leak"]) & set(senses()["reveal"])


def test_the_whole_goal_surrounds_each_clause() -> None:
    around = surroundings([(["leak"], {"logs"}, {}), (["first"], set(), {})])
    assert {"~leak", "~first", "~=logs", "~#leak"} <= around
