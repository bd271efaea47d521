"""What detection finds in a goal, and what names objects, as spans."""

from __future__ import annotations

import pytest

from plantwin.private.goal import Why
from plantwin.private.selection.goal_text import Sentence, detected, projected
from plantwin.private.selection.mentions import Mentioned
from plantwin.private.selection.phrases import Phrase
from plantwin.types.goal import MAX_MENTIONS
from tables import cases

IDS = {number: f"artifact_aaaaaa{letter}{letter}" for number, letter in enumerate("abcdefghijklmnopqrst")}


@cases("goal", "text", "blank")
def test_what_detection_finds(goal, text, blank):
    found = [(goal[each.start : each.end], each.instead) for each in detected(None)(goal)]
    assert (text, (blank,)) in found


@pytest.mark.parametrize(
    "goal", ["Check the Kubernetes manifests", "Are our Dockerfiles safe?", "Audit the Helm charts"]
)
def test_a_word_of_technology_is_no_name(goal):
    assert detected(None)(goal) == []


def goal_of(text, mentioned, **options):
    return projected(text, Sentence("lexicon", **options), mentioned, IDS.get, (), ())


def test_stretches_become_ids_where_they_name_a_few_that_are_shown():
    text = "fix a and b and c"
    references = (Phrase(4, 5, (1,)), Phrase(10, 11, (2, 99)), Phrase(16, 17, (3, 4, 5, 6, 7)))
    made = goal_of(text, Mentioned(dict.fromkeys(range(1, 8), 100), frozenset(), references))
    assert made.goal.text == ("fix", IDS[1], "and", "<term>", "and", "<term>")
    assert set(made.goal.objects) == {IDS[number] for number in range(1, 8)}
    assert [each.why for each in made.pieces if each.tokens == (IDS[1],)] == [Why.REFERENCE]
    assert "private" in repr(made) and "private" in repr(Sentence())


def test_only_so_many_are_named():
    weights = {number: 100 - number for number in IDS}
    made = goal_of("fix b", Mentioned(weights, frozenset(), (Phrase(4, 5, (19,)),)))
    assert len(made.goal.objects) == MAX_MENTIONS and IDS[19] not in made.goal.objects
    assert made.goal.text == ("fix", "<term>")


def test_a_closed_goal_has_no_text():
    made = projected("fix a", Sentence(), Mentioned({}, frozenset()), IDS.get, (), ())
    assert made.goal.mode == "intent" and not isinstance(made.goal.text, tuple)
