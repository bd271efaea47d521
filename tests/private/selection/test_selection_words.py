"""Forms of words, words in names, and how much a word counts where there are few or many."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.private.facts import Record
from plantwin.private.index import PARTS
from plantwin.private.selection.intents import FAMILIES, INTENTS, families, intents
from plantwin.private.selection.lexical import Names, scores, wanted
from plantwin.private.selection.words import MEANINGS, alike, meanings, number, parts, read, stem, terms
from plantwin.types.capability import TELLING
from plantwin.types.goal import MAX_INTENTS, Goal
from plantwin.vocabulary import CapabilityName, Family
from tables import cases


def record(number_, path, **values):
    given = {
        "kind": "code_file",
        "semantic_class": "utility_library",
        "family": "library",
        "role": "production",
        "sensitivity": "low",
        "freshness": "stale",
        "size_bucket": "small",
        "confidence": "high",
        **values,
    }
    return Record(number=number_, path=path, **given)


@cases("forms")
def test_forms_of_one_word_share_a_stem(forms):
    assert len({stem(each) for each in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("author", "auth"), ("process", "proceed"), ("user", "use"), ("date", "data"), ("bus", "but")]
)
def test_other_words_do_not(one, other):
    assert stem(one) != stem(other)


def test_a_stem_is_a_stem_of_itself_and_hostile_words_end():
    for words in meanings():
        for each in words:
            assert 2 <= len(stem(each)) <= len(each) + 6
    for hostile in ("s" * 24, "e" * 24, "eses" * 6, "ationation" * 2, "x", "ly", "ing"):
        assert stem(hostile)


def test_a_piece_of_lower_case_is_taken_as_any_other():
    for piece in (b"invoice", b"the", b"ab", b"x" * 25, b"settleInvoice", b"key1"):
        assert list(read(terms(piece, []))) == sorted({number(each) for each in parts(piece)})


def test_meanings_are_kept_as_plain_rows():
    rows = meanings()
    assert len(rows) > 250
    assert all(len(row) > 1 for row in rows if row[0] != "signout")
    assert b"\t" not in MEANINGS.read_bytes()
    assert stem("instalment") in alike()[stem("mortgage")]


def test_names_are_divided_by_all_that_is_no_letter():
    looked = frozenset({number("invoice"), number("remind")})
    names = Names(looked, {stem("invoice"): number("invoice")})
    found = names.of(["sendReminder.py", "invoice_remind.sql", "a\nb invoices", "", "x\udcff.py", "note.txt"])
    assert [set(each) for each in found] == [
        {number("remind")}, {number("invoice"), number("remind")}, {number("invoice")}, set(), set(), set(),
    ]  # fmt: skip
    assert names.of_recurring(["invoice", "x", "invoice"]) == [found[2], (), found[2]]
    assert names.of_recurring([]) == []


@cases("piece", "word", "meant")
def test_a_beginning_of_five_letters_or_one_letter_more_is_enough(piece, word, meant):
    names = Names(frozenset({number(word)}), {stem(word): number(word)})
    assert bool(names.of([piece])[0]) is meant


def test_a_word_among_few_counts_more_than_among_many():
    records = [record(each * PARTS, f"x/{each}.py") for each in range(1, 40)]
    long = "quarantine " + " ".join(f"{chr(97 + a)}{chr(97 + b)}qqk" for a in range(10) for b in range(10))
    words = [(1, terms(b"quarantine sweep", [])), (2, terms(long.encode(), [])), (77, terms(b"quarantine", []))]
    found = scores(wanted("the quarantine"), records, (), words)
    assert found[PARTS] > found[2 * PARTS] > 0
    assert 77 * PARTS not in found


def test_every_part_of_a_file_has_its_words():
    records = [record(3 * PARTS + part, "x/shop.db", part=f"table{part}") for part in range(3)]
    found = scores(wanted("the quarantine"), records, (), [(3, terms(b"quarantine", []))])
    assert set(found) == {each.number for each in records}
    assert len(set(found.values())) == 1


def test_no_goal_and_no_objects_are_no_scores():
    assert scores((), [record(PARTS, "a")], (), []) == {}
    assert scores(wanted("invoices"), [], (), [(1, terms(b"invoice", []))]) == {}


def test_many_objects_are_scored_in_little_time():
    choose = random.Random(4)
    vocabulary = ["".join(choose.choices("abcdefghijklmnop", k=7)) for _ in range(5000)]
    records, words = [], []
    for each in range(1, 5001):
        records.append(record(each * PARTS, f"{choose.choice(vocabulary)}/{choose.choice(vocabulary)}.py"))
        words.append((each, terms(" ".join(choose.choices(vocabulary, k=60)).encode(), [])))
    goal = wanted(" ".join(vocabulary[:20]) + " invoice payment login deploy broker queue")
    started = time.process_time()
    assert scores(goal, records, (), words)
    assert time.process_time() - started < 2.0


# The goal gate: of a sentence only closed words cross

ALL = frozenset(CapabilityName)


def test_the_running_example():
    goal = "Review the authentication module for security issues and compare it with the payment module"
    assert intents(goal, ALL) == (CapabilityName.COMPARE, CapabilityName.SECURITY_AUDIT)
    assert Family.APPLICATION in families(goal)


def test_only_what_there_is_can_be_asked_for():
    assert intents("compare and lint", frozenset({CapabilityName.LINT})) == (CapabilityName.LINT,)
    assert intents("Bonjour", ALL) == ()


def test_every_capability_but_what_the_gatekeeper_does_can_be_asked_for():
    other = {each for each in ALL if each.startswith(("process_", "unsafe_"))}  # of the other catalogs
    assert {word for word, _ in INTENTS} == ALL - set(TELLING) - other
    assert {word for word, _ in FAMILIES} == set(Family) - {Family.LIBRARY}


def test_too_many_intents_leave_those_named_first():
    goal = "summarize compare lint audit redact logs drift metrics accessibility timeline"
    found = intents(goal, ALL)
    assert len(found) == MAX_INTENTS
    assert CapabilityName.SUMMARIZE in found
    assert CapabilityName.BUILD_TIMELINE not in found


@given(st.text(max_size=400))
def test_whatever_is_typed_a_valid_goal_comes_out(text):
    Goal(intents=intents(text, ALL), families=families(text))
