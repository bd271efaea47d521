"""Which fields of which object a request tells, and that it follows from told values alone."""

from __future__ import annotations

import itertools

import pytest

from plantwin.private.capabilities import catalog
from plantwin.private.selection.choice import OPEN, needed
from plantwin.types.goal import Goal
from plantwin.types.local import LocalObject
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import CapabilityName, Family, Kind, SemanticClass, Sensitivity

CATALOG = catalog()
ONE, TWO = "artifact_aaaaaaaa", "artifact_bbbbbbbb"
NOTABLE = (*OPEN[:3], "contains", *OPEN[3:], "edges")
LOOSE = Goal()


def held(id_=ONE, kind=Kind.CODE_FILE, leaf=SemanticClass.BUSINESS_LOGIC, sensitivity=Sensitivity.LOW, **fields):
    thing = TwinObject(object_id=id_, kind=kind, semantic_class=leaf, sensitivity=sensitivity, **fields)
    return LocalObject(thing, id_.encode())


def test_a_goal_that_says_little_tells_what_a_planner_chooses_by():
    assert needed(held(), LOOSE, CATALOG) == OPEN
    assert needed(held(sensitivity=Sensitivity.HIGH), LOOSE, CATALOG) == NOTABLE
    assert needed(held(kind=Kind.LOG_STREAM, leaf=SemanticClass.ERROR_LOG), LOOSE, CATALOG) == NOTABLE


def test_a_goal_that_names_objects_tells_of_those_alone():
    named = Goal(objects=(ONE,))
    assert needed(held(ONE), named, CATALOG) == OPEN
    assert needed(held(TWO), named, CATALOG) == ()
    working = Goal(objects=(ONE,), intents=(CapabilityName.REDACT_DOCUMENT,))
    assert needed(held(ONE, Kind.DOCUMENT, SemanticClass.CONTRACT_DOCUMENT), working, CATALOG) == (
        "semantic_class",
        "sensitivity",
    )
    assert needed(held(TWO), working, CATALOG) == ()


def test_work_on_a_family_tells_the_class_of_everything_else():
    goal = Goal(intents=(CapabilityName.ANALYZE_LOGS,), families=(Family.LOGS,))
    assert needed(held(), goal, CATALOG) == ("semantic_class",)
    log = needed(held(kind=Kind.LOG_STREAM, leaf=SemanticClass.ERROR_LOG), goal, CATALOG)
    assert log == NOTABLE


def test_required_fields_come_after_the_others_and_once():
    goal = Goal(intents=(CapabilityName.SECRET_SCAN,))
    told = needed(held(), goal, CATALOG)
    assert told[: len(OPEN)] == OPEN
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("goal", [LOOSE, Goal(intents=(CapabilityName.ANALYZE_LOGS,), families=(Family.LOGS,))])
def test_whether_a_field_is_told_follows_from_told_values(goal):
    """Kind and class are told to all; sensitivity to all of which more than the class is."""
    for kind, leaf in itertools.product(sorted(Kind), sorted(SemanticClass)):
        by_level = {
            level: needed(held(kind=kind, leaf=leaf, sensitivity=level), goal, CATALOG) for level in Sensitivity
        }
        if len(set(by_level.values())) > 1:
            assert all("sensitivity" in told for told in by_level.values())
        assert all(told[0] == "semantic_class" for told in by_level.values())
