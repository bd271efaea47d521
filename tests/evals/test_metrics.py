"""The metrics are what the paper defines."""

from __future__ import annotations

import pytest

from plantwin_evals.metrics import Score, capability_score, leakage, non_disclosure, plan_quality, score, worst_leakage


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert score(["a", "b"], ["a", "b"]).f1 == 1.0
    assert score(["a", "b", "c", "d"], ["a", "b"]) == Score(0.5, 1.0)
    assert score(["a", "b", "c", "d"], ["a", "b"]).f1 == pytest.approx(2 / 3)
    assert score([], ["a"]).f1 == 0.0
    assert score(["x"], ["a"]).f1 == 0.0


def test_an_alternative_stands_for_what_it_replaces() -> None:
    alternatives = {"summarize": ("report",)}
    assert capability_score(["report", "lint"], ["summarize", "lint"], alternatives, ()).f1 == 1.0
    # Beside what it would replace, it does no harm and no good.
    assert capability_score(["report", "summarize"], ["summarize", "lint"], alternatives, ()) == Score(1.0, 0.5)


def test_one_alternative_does_not_stand_for_two() -> None:
    alternatives = {"a": ("x",), "b": ("x",)}
    assert capability_score(["x"], ["a", "b"], alternatives, ()) == Score(1.0, 0.5)


def test_optional_capabilities_neither_help_nor_harm() -> None:
    assert capability_score(["a", "extra"], ["a", "b"], {}, ("extra",)) == Score(1.0, 0.5)
    assert capability_score(["a", "other"], ["a", "b"], {}, ("extra",)) == Score(0.5, 0.5)


def test_plan_quality_is_the_mean_over_tasks() -> None:
    assert plan_quality([Score(1.0, 1.0), Score(0.0, 0.0)]) == 0.5


def test_non_disclosure_is_a_share_of_items() -> None:
    assert non_disclosure(10, 0) == 1.0
    assert non_disclosure(10, 4) == pytest.approx(0.6)


def test_leakage_is_what_was_spent_of_all_budgets() -> None:
    assert leakage([(5, 10), (0, 30)]) == pytest.approx(0.125)
    assert worst_leakage([(5, 10), (0, 30)]) == 0.5
    assert leakage([]) == worst_leakage([]) == 0.0
