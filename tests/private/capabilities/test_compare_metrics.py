"""Runs of which it is known which is better."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, earlier, given, said

from plantwin.private.capabilities.compare_metrics.runs import direction, is_setting
from plantwin.private.capabilities.engine.job import Result

BASE = '{"accuracy": 0.91, "loss": 0.30, "latency_ms": {"p50": 10, "p99": 40}, "epochs": 10, "f1": 0.88}'


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


def test_better_and_worse(run: Run) -> None:
    now = BASE.replace("0.91", "0.93").replace("0.30", "0.36").replace("40", "60").replace(": 10,", ": 10.01,", 1)
    result = run("compare_metrics", given("a.json", BASE), given("b.json", now))
    assert result.outcome == {"status": "done", "severity": "high", "count": "few", "tags": ["regressed", "improved"]}
    assert said(result, "loss is worse by 20.0%")
    assert said(result, "latency_ms.p99 is worse by 50.0%")
    assert not said(result, "accuracy")
    assert "| `accuracy` | more | 0.91 | 0.93" in result.text


FOUR = "seed,accuracy\n1,{}\n2,{}\n3,{}\n4,{}\n"
LOG = "epoch 1 loss=0.5 acc=0.7\nepoch 2 loss={} acc={}\n"


@pytest.mark.parametrize(
    ("name", "before", "now", "tags"),
    [
        ("a.json", BASE, BASE, ["similar"]),
        ("a.csv", FOUR.format(0.9, 0.91, 0.92, 0.91), FOUR.format(0.905, 0.93, 0.90, 0.95), ["inconclusive"]),
        ("a.csv", FOUR.format(0.9, 0.91, 0.92, 0.91), FOUR.format(0.80, 0.81, 0.82, 0.81), ["regressed"]),
        ("a.csv", "model,accuracy\nx,0.9\ny,0.5\n", "model,accuracy\nx,0.95\ny,0.6\n", ["improved"]),
        ("a.csv", "metric,value\nf1,0.5\n", "metric,value\nf1,0.4\n", ["regressed"]),
        ("a.log", LOG.format(0.4, 0.8), LOG.replace("=", ": ").format(0.3, 0.85), ["improved"]),
    ],
)
def test_verdicts(run: Run, name: str, before: str, now: str, tags: list[str]) -> None:
    result = run("compare_metrics", given(name, before), given(f"now-{name}", now))
    assert result.outcome["tags"] == tags


def test_values_over_time_count_by_the_last(run: Run) -> None:
    rising = "\n".join(f'{{"epoch": {n}, "val_acc": {n / 10}}}' for n in range(1, 9))
    falling = rising + '\n{"epoch": 9, "val_acc": 0.5}'
    result = run("compare_metrics", given("a.jsonl", rising), given("b.jsonl", falling))
    assert said(result, "val_acc is worse by 37.5%")
    assert "(best 0.8)" in result.text


def test_runs_in_one_table(run: Run) -> None:
    result = run("compare_metrics", given("r.csv", "model,accuracy,latency\nbase,0.9,10\nbig,0.95,30\nsmall,0.85,4\n"))
    assert "big against base" in result.text
    assert "| `latency` | `small` | 4 |" in result.text


def test_benchmarks_are_told_by_name(run: Run) -> None:
    bench = '{"benchmarks": [{"name": "a", "stats": {"mean": 1.0}}, {"name": "b", "stats": {"mean": 2.0}}]}'
    slower = run("compare_metrics", given("x.json", bench), given("y.json", bench.replace("1.0", "1.5")))
    assert said(slower, "a.stats.mean is worse by 50.0%")


def test_measures_of_earlier_steps(run: Run) -> None:
    def step(value: float) -> Result:
        return Result(outcome={"status": "done"}, facts={"f.py": {"error_rate": value}})

    result = run("compare_metrics", earlier("s1", "x", step(0.2)), earlier("s2", "x", step(0.1)))
    assert result.outcome["tags"] == ["improved"]


def test_sizes_in_a_lock_file_are_no_measures(run: Run) -> None:
    text = "".join(f'[[package]]\nname = "p{n}"\nsize = {n * 1000 + 5}\n' for n in range(9))
    assert run("compare_metrics", given("uv.lock", text)).outcome["status"] == "failed"
