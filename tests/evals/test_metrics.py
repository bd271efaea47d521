"""The metrics are what the paper defines, and statistics agree with worked examples."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from plantwin_evals.metrics import Score, leakage, lenient_score, non_disclosure, score, worst_leakage
from plantwin_evals.statistics import deviation, friedman, interval, pairs


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert score(["a", "b"], ["a", "b"]).f1 == 1.0
    assert score(["a", "b", "c", "d"], ["a", "b"]) == Score(0.5, 1.0)
    assert score(["a", "b", "c", "d"], ["a", "b"]).f1 == pytest.approx(2 / 3)
    assert score([], ["a"]).f1 == 0.0
    assert score(["x"], ["a"]).f1 == 0.0


def test_an_alternative_stands_for_what_it_replaces() -> None:
    alternatives = {"summarize": ("report",)}
    assert lenient_score(["report", "lint"], ["summarize", "lint"], alternatives, ()).f1 == 1.0
    # Beside what it would replace, it does no harm and no good.
    assert lenient_score(["report", "summarize"], ["summarize", "lint"], alternatives, ()) == Score(1.0, 0.5)


def test_one_alternative_does_not_stand_for_two() -> None:
    alternatives = {"a": ("x",), "b": ("x",)}
    assert lenient_score(["x"], ["a", "b"], alternatives, ()) == Score(1.0, 0.5)


def test_optional_capabilities_neither_help_nor_harm() -> None:
    assert lenient_score(["a", "extra"], ["a", "b"], {}, ("extra",)) == Score(1.0, 0.5)
    assert lenient_score(["a", "other"], ["a", "b"], {}, ("extra",)) == Score(0.5, 0.5)


def test_non_disclosure_is_a_share_of_items() -> None:
    assert non_disclosure(10, 0) == 1.0
    assert non_disclosure(10, 4) == pytest.approx(0.6)


def test_leakage_is_what_was_spent_of_all_budgets() -> None:
    assert leakage([(5, 10), (0, 30)]) == pytest.approx(0.125)
    assert worst_leakage([(5, 10), (0, 30)]) == 0.5
    assert leakage([]) == worst_leakage([]) == 0.0


def test_friedman_of_a_worked_example() -> None:
    # Three methods on four tasks, ranked alike on all of them: chi2 = n (k - 1), so W = 1.
    scores = {"a": [0.1, 0.2, 0.3, 0.1], "b": [0.4, 0.5, 0.6, 0.4], "c": [0.7, 0.8, 0.9, 0.7]}
    found = friedman(scores)
    assert found is not None
    assert found.statistic == pytest.approx(8.0)
    assert found.w == pytest.approx(1.0)
    assert found.p == pytest.approx(math.exp(-4.0))  # chi2 with two degrees of freedom


def test_friedman_needs_three_methods_that_differ() -> None:
    assert friedman({"a": [1.0, 0.0], "b": [0.0, 1.0]}) is None
    assert friedman({name: [0.5, 0.5] for name in "abc"}) is None


def test_pairs_are_corrected_for_their_number() -> None:
    reference = [0.5] * 12
    better = [0.5 + 0.01 * number for number in range(1, 13)]
    found = {pair.method: pair for pair in pairs({"ref": reference, "better": better, "same": reference}, "ref")}
    assert found["same"].p == 1.0 and found["same"].r == 0.0 and found["same"].differing == 0
    assert found["better"].statistic == 0.0  # every difference has one sign
    assert found["better"].corrected == pytest.approx(2 * found["better"].p)
    assert found["better"].p < 0.01
    assert found["better"].r == pytest.approx(0.88, abs=0.02)  # |z| = 3.06 over sqrt(12)
    # Over all tasks, also those that do not differ.
    twice = pairs({"ref": reference * 2, "half": better + reference}, "ref")[0]
    assert twice.differing == 12 and twice.r == pytest.approx(found["better"].r / math.sqrt(2))
    assert found["better"].difference == pytest.approx(0.065)


def test_the_effect_size_is_the_papers() -> None:
    # It states p = 0.079 and r = 0.230 for 58 tasks: z over the root of all tasks, not of those that differ.
    z = NormalDist().inv_cdf(1 - 0.079 / 2)
    assert z / math.sqrt(58) == pytest.approx(0.230, abs=0.001)


def test_an_interval_holds_its_mean_and_narrows_with_more_tasks() -> None:
    few = interval([0.0, 1.0] * 5)
    many = interval([0.0, 1.0] * 50)
    assert few.low < few.mean == 0.5 < few.high
    assert many.high - many.low < few.high - few.low
    assert interval([0.7] * 10) == (pytest.approx(0.7), pytest.approx(0.7), pytest.approx(0.7))
    assert interval([0.0, 1.0] * 5) == few  # the same resampling each time
    assert interval([]) == (0.0, 0.0, 0.0)


def test_deviation() -> None:
    assert deviation([0.0, 1.0]) == 0.5
