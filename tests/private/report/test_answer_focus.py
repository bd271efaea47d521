"""The first sentence speaks of what was asked."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.report.answer import _found, answer
from plantwin.private.report.focus import hits, on_point, subject
from plantwin.private.report.model import Overview, Reported
from plantwin.private.report.said import _tests, unmarked
from plantwin.private.report.unserved import unserved
from plantwin.run import Run, joined
from tables import cases

FOUND = [
    Reported(
        Finding(name=name, line=3, severity="high", tag="insecure_code", message=message, rule="r"), ("security_audit",)
    )
    for name, message in (
        ("config/all.js", "The secret that signs sessions is written into the code"),
        ("app/routes/login.js", "The request becomes a query as it is"),
        ("app/pay.js", "A card number reaches a log"),
    )
]


@cases("question", "capability", "words")
def test_words_that_choose_among_results(question, capability, words):
    assert subject(question, capability) == words


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("is my session cookie secure", ["config/all.js"]),
        ("is the login safe", ["app/routes/login.js"]),
        ("is the backup safe", []),
    ],
)
def test_findings_that_a_question_is_about(question, places):
    assert [one.finding.name for one in on_point(question, FOUND, "security_audit")[1]] == places


def test_words_are_found_in_names_and_in_other_forms():
    assert hits("tests/print_number.c", ["printing", "numbers"]) == 2
    assert hits("src/VetController.java", ["vet", "controllers", "owner"]) == 2


def asked(goal):
    return Run(session="s", goal=goal, planner="offline", audience="offline")


def test_a_question_of_several_that_nothing_was_done_for_is_named():
    first, second = asked("what is this"), asked("where is it")
    first.results[1, "s1"], second.results[1, "s1"] = "one", "other"
    first.turns, second.turns = [None], [None]
    made = joined("what is this and where is it", [first, second])
    assert made.results == {(1, "s1"): "one", (2, "s1"): "other"}
    made = joined(made.goal, [asked("what is this"), asked("where is it")])
    assert answer(made, Overview.of(made)).sentences == (
        'Not answered: "what is this". No capability was found for it.',
        'Not answered: "where is it". No capability was found for it.',
    )


@cases("question", "capability", "message", "said")
def test_yes_is_said_of_what_was_asked(question, capability, message, said):
    found = [
        Reported(Finding(name="a.yml", line=1, severity="low", tag="exposed_service", message=message), (capability,))
    ]
    assert _found(asked(question), capability, [], found, more=False).startswith(said)


@pytest.mark.parametrize(
    ("question", "tags", "said"),
    [
        ("any slow queries or missing indexes?", "slow_query injection",
         "Yes: 1 slow query in 1 file, at q.sql:1 (low): Odd. No conditions without an index found. "
         "Besides, of other sorts: 1 query problem in 1 file. Indexes are known"),
        ("any missing indexes?", "missing_index missing_index", "Yes: 2 conditions without an index in 1 file (2 low)"),
        ("any slow queries or missing indexes?", "missing_index slow_query",
         "Yes: 2 slow queries or conditions without an index in 1 file (2 low)"),
        ("any problems in the queries?", "slow_query injection", "Yes: 2 query problems in 1 file (2 low), the worst"),
    ],
)  # fmt: skip
def test_findings_of_the_sorts_that_are_asked_for_are_told_first(question, tags, said):
    found = [
        Reported(Finding(name="q.sql", line=1, severity="low", tag=tag, message="Odd"), ("review_queries",))
        for tag in tags.split()
    ]
    assert _found(asked(question), "review_queries", [], found, more=False).startswith(said)


@pytest.mark.parametrize("entry", ["hi", "Hello there!", "thanks", "what can you do?", "who are you"])
def test_greetings_are_answered_with_what_can_be_asked(entry):
    assert unserved(asked(entry), catalog())[0].startswith("Ask about this folder in your own words")


def test_marks_go_and_what_is_written_in_spite_of_them_stays():
    assert unmarked("**`A`** is 60 \\* 15 in `a*b.rb`") == "A is 60 * 15 in a*b.rb"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "which parsers have no tests",
            "1 of 2 modules for `parsers` have no test that imports them or is named after",
        ),
        (
            "what is untested",
            "2 of 3 modules have no test that imports them or is named after them: rss_parser.py, x.py.",
        ),
    ],
)
def test_what_lacks_a_test_is_named_where_that_is_asked(question, said):
    modules = {"atom_parser.py": ["test_atom.py"], "rss_parser.py": [], "x.py": []}
    step = SimpleNamespace(result=SimpleNamespace(facts={"modules": modules, "objects": ["test_atom.py"]}))
    assert _tests(step, subject(question, "find_tests"), question).startswith(said)
