"""What becomes of a goal's words, one by one."""

from __future__ import annotations

from plantwin.boundary.release import _unnamed
from plantwin.private.goal import MAX_GOAL, Piece, Span, Why, project, tokens, unsecret
from plantwin.types.goal import MAX_TOKENS, Goal
from tables import cases

A, B = "artifact_aaaaaaaa", "artifact_bbbbbbbb"


def said(goal: str, **options) -> str:
    return " ".join(tokens(project(goal, **options)))


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
