"""What becomes of a goal's words, one by one."""

from __future__ import annotations

import pytest

from plantwin.boundary.release import _unnamed
from plantwin.private.goal import MAX_GOAL, Piece, Span, Why, project, tokens, unsecret
from plantwin.types.goal import MAX_TOKENS, Goal

A, B = "artifact_aaaaaaaa", "artifact_bbbbbbbb"


def said(goal: str, **options) -> str:
    return " ".join(tokens(project(goal, **options)))


@pytest.mark.parametrize(
    ("goal", "crosses"),
    [
        (
            "Review the authentication module for security issues and compare it with the payment module",
            "review the authentication module for security issues and compare it with the payment module",
        ),
        ("Compare Acme's invoices with ~/clients/acme/2024.csv", "compare <name> invoices with <path>"),
        ("Ask Mark, Will and Grace", "ask <name> , <name> and <name>"),
        ("Hope says yes. Bill paid! April? Rose", "<name> says yes . <name> paid ! <date> ? <name>"),
        ("mark hope grace", "<term>"),
        ("we're sure they'd say we've lost it", "we are sure they would say we have lost it"),
        ("somebody may sue us", "somebody may <legal> us"),
        ("the Lawsuit and her pregnancy", "the <legal> and her <health>"),
        ("mortgages, layoffs and prayers", "<money> , <staff> and <belief>"),
        # words that are names as well
        ("Page approved it", "<name> approved it"),
        ("the page and the key", "the page and the key"),
        ("the Page and the Key", "the <name> and the <name>"),
        ("Read the logs. Trace errors", "read the logs . trace errors"),
        # case
        ("use Docker, SQL and PostgreSQL on AWS", "use docker , sql and postgresql on aws"),
        ("do NOT delete ANY row", "do not delete any row"),
        ("project REVIEW and Review and reView", "project <name> and <name> and <term>"),
        ("I think I'm done", "i think i am done"),
        # inflections, apostrophes, hyphens
        ("don't can't won't isn't", "do not can not not is not"),
        ("the users' files and the user's file", "the users files and the user file"),
        ("read-only end-to-end", "read only end to end"),
        ("Jean-Luc and well-marlowe", "<name> and <term>"),
        ("dockerfiles exfiltrates", "dockerfiles exfiltrate"),
        ("caching policies retrying", "caching policies retrying"),
        ("O'Brien", "<term>"),
        ("diffs and more", "diff and more"),
        # names that look like forms of words
        ("waters wells and jared of downing united", "<term> and <term> of <term>"),
        ("seed reed ming", "<term>"),
        # shapes
        ("getUserById user_name app.models.User", "<term> <path>"),
        ("src/auth.py *.sql C:\\x https://a.b/c", "<path>"),
        ("write to jane@example.test", "write to <name>"),
        (".env and config.yaml", "<path> and <path>"),
        ("see https://a.test/x?invoice;review,(refund)#late, then ftp://b.test/c.", "see <path> , then <path> ."),
        ("and/or CI/CD node.js C++ e.g. logs", "and or ci cd nodejs cpp such as . logs"),
        ("100% of 5GB, $300, 3rd #12 -4", "<number> of <number> , <number> , <number>"),
        ("on 2024-03-01 at 10:30 in Q3 of 2023, 1.2.2024", "on <date> at <date> in <date> of <date> , <date>"),
        ("in March, may march", "in <date> , may <term>"),
        ("from v1.2 to 3.11.2 or >=2", "from <version> to <version> or <version>"),
        ("python 3.11", "python <number>"),
        # quotations and code
        ("fix `rm -rf /` and 'foo bar' and \"the thing\"", "fix <text> and <text> and <text>"),
        ("say “review it” now", "say <text> now"),
        ("```\nreview\n``` then review", "<text> then review"),
        # secrets, addresses, numbers in words
        ("the password is correct horse battery staple, review it", "the password is <secret> , review it"),
        ("the password is welcome", "the password is <secret>"),
        ("use password correct horse battery staple now", "use password <secret> now"),
        ("review password handling in the code", "review password handling in the code"),
        ("check whether the token is expired", "check whether the token is expired"),
        ("the token is xyzzy", "the token is <secret>"),
        ("the key is", "the key is"),
        ("the password is", "the password is"),
        ("the passwords are open door", "the passwords are <secret>"),
        ("the pass-phrase: open door", "the pass phrase : <secret>"),
        ("password is\nopen door", "password is <secret>"),
        ("the password (open door) leaked", "the password <secret>"),
        ("the password, which is open door, leaked", "the password , which is <secret> , leaked"),
        ("the password for the server is open door", "the password for the server is <secret>"),
        ("password of the server: open door", "password of the server : <secret>"),
        ("the password must be open door", "the password must be <secret>"),
        ("the secret word is open door", "the secret word is <secret>"),
        ("change the password to open door", "change the password to <secret>"),
        ("change the password to the new one", "change the password to the new one"),
        ("add a password to reports", "add a password to reports"),
        ("password for", "password for"),
        ("find where the password hashing code is weak", "find where the password hashing code is weak"),
        ("password zymurgy review", "password <term> review"),
        # names that a title tells, however they are written
        ("mr page and mrs. carry met dr. house", "<name> and <name> met <name>"),
        ("mr and mrs of latency in ms is high", "<term> and <term> of latency in ms is high"),
        ("ship to 12 Main Street, Springfield 62704, then", "ship to <text> , then"),
        ("12 old mill road is near", "<text> is near"),
        ("call four one one", "call <number>"),
        ("compare the two, all three; one", "compare the two , all three ; one"),
        ("seven bugs and twenty-three", "<number> bugs and <number>"),
        # other writing
        ("Überprüfe die Verträge", "<name> <term> <name>"),
        ("revіew the сode", "<term> the <term>"),
        ("re\u200bview \uff52eview revie\u0301w \u202ereview", "<term>"),
        ("\u212a8s", "<name>"),
        # marks and sentences
        ("Wait... what?! Really!!!", "wait . what ? really !"),
        ("- Review config\n* Find secrets\nMark it", "review config find secrets <name> it"),
        ("(see [the] {log})", "see the log"),
        ("- ' -- * &", "and"),
        ("Dr. Review and Foo Inc. Review", "<name> and <name>"),
        ("Goal: Review", "goal : <name>"),
        (", . review", "review"),
        ("", ""),
    ],
)
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
