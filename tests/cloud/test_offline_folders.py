"""What vague goals ask in folders of each sort: a table that is well formed, and what was learned."""

import pytest
from set_folders import Folder, told

from plantwin.cloud.offline.associations import OPEN, table
from plantwin.cloud.offline.folders import MOST, TABLE, answers, chosen, leanings, listen, open_ended, situation, work
from plantwin.cloud.offline.language import read
from plantwin.cloud.offline.sight import Sight
from plantwin.cloud.offline.tables import Concern
from plantwin.vocabulary import CapabilityName, ContentTag, Family, Kind, SemanticClass, member

WORDS = {str(word) for vocabulary in (Family, Kind, SemanticClass, ContentTag) for word in vocabulary}


def test_every_row_names_capabilities_sorts_and_conditions_that_exist():
    for asked, rows in TABLE.answers.items():
        assert rows.keys() == TABLE.sorts.keys(), asked
        for row in (row for listed in rows.values() for row in listed):
            word, _, condition = row.partition(" ")
            assert member(CapabilityName, word)
            assert not condition or (condition.split()[0] in ("if", "unless") and condition.split()[1] in WORDS), row
    assert set(TABLE.worries.values()) == TABLE.answers.keys()
    assert TABLE.worries.keys() == set(Concern) - {Concern.FACT}
    assert {word for words in TABLE.sorts.values() for word in words} <= WORDS


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("what state is this in ?", True),
        ("can another team take it over ?", True),
        ("something feels wrong about it", True),
        ("get me up to speed", True),
        ("what will <term> us when we upgrade ?", True),
        ("are we all right for <date> ?", True),
        ("is <name> all right ?", False),
        ("what is <term> ?", False),
        ("audit the terraform and tell me what to fix first", False),
        ("are the queries slow ?", False),
        ("which state has the highest tax ?", False),
        ("which port does the server listen on ?", False),
    ],
)
def test_a_goal_is_open_ended_only_where_it_says_neither_what_to_do_nor_what_to_know(text, unclear):
    assert open_ended(read(text.split())) is unclear


def test_what_there_is_nothing_to_work_on_for_is_never_suggested():
    folder = Sight()
    folder.take({"sets": [{"set_id": "set_aaaaaaaa", "size": "dozens", "semantic_class": "measurement_records"}]})
    sentence = read(["what", "state", "is", "this", "in", "?"])
    found = answers(sentence, folder, set(CapabilityName))
    assert 1 <= len(found) <= MOST and not {"check_accessibility", "run_tests", "audit_infrastructure"} & set(found)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert set(table(OPEN).meanings) >= set(found) and {"@dataset", "?state", "?state@dataset"} <= set(
        situation(listen(sentence), folder)
    )
    weights = leanings(listen(sentence), folder, work(folder))
    assert weights["run_tests"] < weights["profile_data"]


@pytest.mark.parametrize(
    ("shares", "number"),
    [
        ((0.9, 0.1, 0.1), 1),
        ((0.9, 0.8, 0.1), 2),
        ((0.8, 0.8, 0.8, 0.1), 3),
        ((0.3, 0.3, 0.3, 0.3, 0.3), MOST),
        ((0.0,), 0),
    ],
)
def test_as_many_are_taken_as_shares_are_high(shares, number):
    assert len(chosen(dict(zip(CapabilityName, shares, strict=False)))) == number


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


PAPERS = (told("a", "dozens", "document policy_document"), told("b", "few", "document readme"))
SETTINGS = (told("a", "dozens", "config deploy_manifest"), told("b", "few", "document readme"))
RECORDS = (told("a", "dozens", "structured_record measurement_records"), told("b", "few", "document readme"))
MIXTURE = (*PAPERS[:1], told("c", "dozens", "structured_record measurement_records"), told("d", "dozens", "config"))


@pytest.mark.parametrize(
    ("folder", "text", "capabilities"),
    [
        (PAPERS, "who can cancel an account ?", {"find_code"}),
        (PAPERS, "in which states is sales tax collected ?", {"list_inventory", "find_code"}),
        (PAPERS, "refund", {"find_code"}),
        (PAPERS, "who owns what we write in our free time ?", {"find_code"}),
        (PAPERS, "what is the impact when the <term> is down ?", {"list_inventory", "find_code"}),
        (PAPERS, "which policies have no deadline ?", {"list_inventory", "find_code"}),
        (PAPERS, "list the obligations and deadlines", {"extract_constraints"}),
        (SETTINGS, "which services have no <term> ?", {"list_inventory", "explain_project"}),
        (SETTINGS, "how do I deploy the stack ?", {"find_code"}),
        (PAPERS, "is there anything sensitive in here ?", {"find_personal_data", "secret_scan"}),
        (SETTINGS, "what machine type does the <term> server use ?", {"list_inventory", "find_code"}),
        (RECORDS, "where does the <term> data come from ?", {"query_data", "find_code"}),
        (RECORDS, "biggest diamond", {"query_data", "find_code"}),
        (MIXTURE, "when does my lease end ?", {"query_data", "find_code"}),
    ],
)
def test_questions_for_facts_are_put_to_what_tells_them(folder, text, capabilities):
    assert {str(step.capability) for step in Folder(folder).ask(text).steps} == capabilities


@pytest.mark.parametrize(
    "text",
    ["how many pods are running right_now ?".replace("_", " "), "is my server fast enough ?", "will prices raise ?"],
)
def test_what_no_folder_tells_is_not_planned(text):
    assert not Folder(SETTINGS).ask(text).steps
