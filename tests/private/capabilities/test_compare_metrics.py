"""Runs of which it is known which is better."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, earlier

from plantwin.private.capabilities.compare_metrics.runs import direction, is_setting
from plantwin.private.capabilities.engine.job import Result


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("val_loss", -1), ("accuracy", 1), ("top5_acc", 1), ("rmse", -1), ("latency.p99", -1), ("roc_auc", 1), ("f1_macro", 1),
        ("errorRate", -1), ("throughput", 1), ("tokens_per_sec", 1), ("peak_memory_mb", -1), ("wer", -1), ("mAP@50", 1), ("bleu", 1),
        ("temperature", 0), ("a.stats.mean", -1), ("false_positive_rate", -1), ("hit_rate", 1), ("train_time", -1), ("real_time", -1),
    ],
)  # fmt: skip
def test_which_way_is_better(name: str, way: int) -> None:
    assert direction(name) == way


def test_settings_are_no_measures() -> None:
    assert all(map(is_setting, ("epoch", "batch_size", "learning_rate", "seed", "n_layers", "config.lr")))
    assert not any(map(is_setting, ("accuracy", "val_loss", "latency_ms.p50")))


def test_measures_of_earlier_steps(run: Run) -> None:
    def step(value: float) -> Result:
        return Result(outcome={"status": "done"}, facts={"f.py": {"error_rate": value}})

    result = run("compare_metrics", earlier("s1", "x", step(0.2)), earlier("s2", "x", step(0.1)))
    assert result.outcome["tags"] == ["improved"]
