"""The goal gate: of a sentence only closed words cross."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plantwin.private.selection.intents import FAMILIES, INTENTS, families, intents
from plantwin.types.capability import TELLING
from plantwin.types.goal import MAX_INTENTS, Goal
from plantwin.vocabulary import CapabilityName, Family

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
