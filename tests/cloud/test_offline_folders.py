"""The table of what vague goals ask in folders of each sort: well formed, and followed."""

import pytest
from set_folders import Folder, told

from plantwin.cloud.offline.folders import TABLE, question
from plantwin.cloud.offline.language import read
from plantwin.vocabulary import CapabilityName, ContentTag, Family, Kind, SemanticClass, member

WORDS = {str(word) for vocabulary in (Family, Kind, SemanticClass, ContentTag) for word in vocabulary}


def test_every_row_names_capabilities_sorts_and_conditions_that_exist():
    for asked, rows in TABLE.answers.items():
        assert rows.keys() == TABLE.sorts.keys(), asked
        for row in (row for listed in rows.values() for row in listed):
            word, _, condition = row.partition(" ")
            assert member(CapabilityName, word)
            assert not condition or (condition.split()[0] in ("if", "unless") and condition.split()[1] in WORDS), row
    assert TABLE.answers.keys() <= TABLE.asks.keys() and set(TABLE.worries.values()) <= TABLE.answers.keys()
    assert {word for words in TABLE.sorts.values() for word in words} <= WORDS


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("what state is this in ?", "state"),
        ("can another team take it over ?", "handover"),
        ("are both copies still in step ?", "agree"),
        ("who could get in ?", "intrude"),
        ("can we show it to the auditor ?", "share"),
        ("audit the terraform and tell me what to fix first", None),
        ("are the queries slow ?", None),
        ("which state has the highest tax ?", None),
    ],
)
def test_a_goal_asks_a_question_only_where_nothing_else_in_it_says_what_is_meant(text, asked):
    assert question(read(text.split())) == asked


@pytest.mark.parametrize(
    ("classes", "capabilities"),
    [
        ("config infra_storage", {"audit_infrastructure"}),
        ("structured_record measurement_records", {"check_data_quality", "profile_data"}),
        ("document policy_document", {"summarize", "extract_constraints"}),
    ],
)
def test_one_goal_is_answered_by_what_the_folder_is(classes, capabilities):
    plan = Folder((told("a", "dozens", classes), told("b", "few", "document readme"))).ask("what state is this in ?")
    assert capabilities <= {step.capability for step in plan.steps}
