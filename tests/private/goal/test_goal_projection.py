"""What becomes of a goal's words, one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plantwin.boundary.release import _unnamed
from plantwin.lexicon import words
from plantwin.private.goal import MAX_GOAL, Piece, Span, Why, project, questions, read, tokens, unsecret
from plantwin.private.goal.credentials import BETWEEN, LINKS, MODIFIERS, USING, _about, _link
from plantwin.private.goal.words import FUNCTION
from plantwin.types.goal import MAX_TOKENS, Goal
from tables import cases

A, B = "artifact_aaaaaaaa", "artifact_bbbbbbbb"


def said(goal: str, **options) -> str:
    return " ".join(tokens(project(goal, **options)))


@cases("text", "asked")
def test_several_questions_in_one_request(text, asked):
    assert questions(text) == (asked or (text,))


@cases("goal", "crosses")
def test_what_crosses(goal, crosses):
    assert said(goal) == crosses


def test_what_is_wanted_is_not_read_from_a_secret():
    goal = "Lint it; the password is “audit terraform”, and compare xyz"
    found = [Span(goal.index("xyz"), len(goal), ("<secret>",), Why.DETECTED), Span(0, 4, ("<name>",), Why.DETECTED)]
    left = unsecret(goal, found)
    assert left.split() == ["Lint", "it;", "the", "password", "is", ",", "and", "compare"]
    assert len(left) == len(goal)


def test_words_that_were_added():
    assert said("Ask marlowe and Marlowe", added=["marlowe"]) == "ask +marlowe and +marlowe"
    assert said("review", added=["review"]) == "review"


def test_references_go_before_what_is_found_and_found_before_words():
    text = "Review pay.py and the acme ledger"
    reference = Span(7, 13, (A, B), Why.REFERENCE)
    found = Span(18, 33, ("<name>",), Why.DETECTED)
    assert said(text, references=[reference], found=[found]) == f"review {A} {B} and <name>"
    over = Span(0, 33, ("<secret>",), Why.DETECTED)
    assert said(text, references=[reference], found=[over]) == f"<secret> {A} {B} <secret>"
    quoted = "Review `pay.py` now"
    assert said(quoted, references=[Span(8, 14, (A,), Why.REFERENCE)]) == f"review <text> {A} <text> now"


def test_a_span_never_ends_within_a_word():
    found = [Span(8, 10, ("<secret>",), Why.DETECTED)]
    assert said("review bookmark now", found=found) == "review <secret> now"
    assert (
        said("review", found=[Span(3, 3, ("<secret>",), Why.DETECTED), Span(9, 12, ("<name>",), Why.NAME)]) == "review"
    )


def test_after_a_reference_no_sentence_begins():
    assert said("pay.py Review", references=[Span(0, 6, (A,), Why.REFERENCE)]) == f"{A} <name>"


def test_what_is_too_long_is_cut():
    assert len(tokens(project("review the log " * 200))) == MAX_TOKENS
    assert said("review " + "x" * MAX_GOAL + " secretly") == "review <term>"


def test_a_piece_tells_where_what_and_why_and_prints_nothing():
    pieces = project("Review Marlowe.")
    assert [(each.start, each.end, each.tokens, each.why) for each in pieces] == [
        (0, 6, ("review",), Why.WORD),
        (7, 14, ("<name>",), Why.NAME),
        (14, 15, (".",), Why.MARK),
    ]
    assert repr(pieces[1]) == "<Piece private>"
    assert tokens([Piece(0, 1, ("<name>",), Why.NAME), Piece(1, 2, ("<name>",), Why.NAME)]) == ("<name>",)


def test_an_object_that_is_not_shown_is_not_named():
    goal = Goal(mode="lexicon", text=("compare", A, B, "<path>"), objects=(A, B))
    assert _unnamed(goal, {A}) == Goal(mode="lexicon", text=("compare", A, "<path>"), objects=(A,))
    assert _unnamed(Goal(objects=(A, B)), {B}) == Goal(objects=(B,))


# Goals that spell a secret in public words, and goals that only speak about credentials

FOLDER = Path(__file__).parent / "goals"


def goals(name: str) -> list[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n").replace("\\t", "\t") for line in lines if line and not line.startswith("#")]


SECRETS = goals("secrets.txt")
ORDINARY = goals("ordinary.txt")
GRAMMAR = FUNCTION | MODIFIERS | LINKS | BETWEEN | USING
PLAIN = sorted(each for each in words() - GRAMMAR if each.isalpha() and not _about(each) and not _link.fullmatch(each))
"""Words of which a secret may be made without speaking of software."""


def bare(goal: str) -> str:
    return goal.replace("[", "").replace("]", "")


def spelled(goal: str) -> set[str]:
    """Words of the stretches in brackets."""
    return {word for part in re.findall(r"\[([^\]]*)\]", goal) for word in re.findall(r"[a-z]+", part.lower())}


def test_there_are_enough_of_them() -> None:
    assert len(SECRETS) >= 80 and len(ORDINARY) >= 150
    assert all(spelled(goal) and spelled(goal) <= words() for goal in SECRETS), "each would cross by itself"


@pytest.mark.parametrize("goal", SECRETS)
def test_no_secret_of_public_words_crosses(goal: str) -> None:
    crossed = tokens(project(bare(goal)))
    assert not spelled(goal) & set(crossed)
    assert {"<secret>", "<text>"} & set(crossed)
    if "<text>" not in crossed:
        assert not spelled(goal) & set(re.findall(r"[a-z]+", unsecret(bare(goal)).lower())), "nor is it read as a wish"


@pytest.mark.parametrize("goal", ORDINARY)
def test_what_only_speaks_about_a_credential_crosses(goal: str) -> None:
    assert "<secret>" not in tokens(project(goal))


CASES = [str, str.upper, str.capitalize, str.swapcase]
FRAMES = [
    "{}", "Review the config. {}", "{}. Then compare the logs", "please note: {}", "Summarize it, {}", "{}, review it",
    "\n{}\n", "({})", "First lint the code; {}; then test it",
]  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from([each for each in SECRETS if "[open water]" in each]),
    st.lists(st.sampled_from(PLAIN), min_size=2, max_size=4, unique=True),
    st.sampled_from(CASES),
    st.sampled_from(FRAMES),
)
@example("the password is [open water]", ["open", "window"], str.upper, "{}")
def test_no_variant_crosses(goal, secret, case, frame) -> None:
    text = case(bare(goal.replace("[open water]", " ".join(secret))))
    around = set(re.findall(r"[a-z]+", (frame + re.sub(r"\[[^\]]*\]", "", goal)).lower()))
    assert not (set(secret) - around) & set(tokens(project(frame.format(text))))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(ORDINARY), st.sampled_from(FRAMES))
def test_no_variant_of_an_ordinary_goal_is_blanked(goal, frame) -> None:
    assert "<secret>" not in tokens(project(frame.format(goal)))


# How requests are read: misspelt, shortened, and in other languages. Names and paths keep their letters


@cases("typed", "meant")
def test_a_request_is_read_as_it_is_meant(typed: str, meant: str) -> None:
    assert " ".join(read(typed, lambda _: False).split()) == meant


@cases("typed")
def test_what_is_no_misspelling_stays(typed: str) -> None:
    assert read(typed, lambda _: False) == typed


def test_what_names_something_here_stays() -> None:
    assert read("review migratoins", {"migratoins"}.__contains__) == "review migratoins"


@cases("typed")
def test_a_secret_in_words_is_one_in_every_language_and_spelling(typed: str) -> None:
    crossed = tokens(project(read(typed, lambda _: False)))
    assert "<secret>" in crossed and not {"open", "water"} & set(crossed)
