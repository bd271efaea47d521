"""The suite of questions is sound, and answers are scored by what they say and what was done for them."""

from __future__ import annotations

import re

import pytest

from plantwin.private.capabilities import catalog
from plantwin_evals.ask.asking import Answer, Step
from plantwin_evals.ask.questions import Question, questions
from plantwin_evals.ask.scoring import Worth, score

KNOWN = {each.name.value for each in catalog().values()}
SECRETS = Question(
    tree="shop", sort="plain", ask="secrets?", runs=("secret_scan",), least=5, says=("env",), problems=True
)
CANNOT = Question(tree="shop", sort="cannot", ask="delete it", cannot=True)


def test_the_suite_is_large_varied_and_half_of_it_is_kept_apart() -> None:
    every = questions()
    trees = {each.tree for each in every}
    assert len(every) >= 120 and len({(each.tree, each.ask) for each in every}) == len(every)
    assert sum(tree.startswith(("package:", "stdlib:")) for tree in trees) >= 8
    assert 0.4 < sum(each.kept for each in every) / len(every) < 0.6
    for each in every:
        assert each.cannot or each.runs
        assert all(KNOWN & set(names.split("|")) for names in each.runs), each.ask
        assert all(re.compile(pattern) for pattern in (*each.says, *each.never))


@pytest.mark.parametrize(
    ("question", "text", "steps", "worth"),
    [
        (SECRETS, "Yes: 2 secrets in .env", [("secret_scan", True, 9)], Worth.ANSWERED),
        (SECRETS, "Yes: 2 secrets in .env", [("secret_scan", True, 2)], Worth.PARTLY),
        (SECRETS, "2 problems", [("lint", True, 9)], Worth.WRONG),
        (SECRETS, "No secrets found in 9 of 9 files", [("secret_scan", True, 9)], Worth.FALSE_CLEAR),
        (SECRETS, "No capability answers this.", [], Worth.SAID_SO),
        (SECRETS, "2 in .env", [("secret_scan", True, 9), ("lint", True, 9), ("compare", True, 9)], Worth.PARTLY),
        (CANNOT, "No capability can delete.", [], Worth.ANSWERED),
        (CANNOT, "1 finding", [("lint", True, 1)], Worth.WRONG),
    ],
)
def test_answers_are_scored(question: Question, text: str, steps: list[tuple[str, bool, int]], worth: Worth) -> None:
    answer = Answer(text, tuple(Step(*step) for step in steps), 0, 0.1)
    assert score(question, answer).worth is worth
