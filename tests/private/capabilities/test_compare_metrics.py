"""Runs of which it is known which is better."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, earlier, given
from data_inputs import checked, said

from plantwin.private.capabilities.job import Result
from plantwin.private.capabilities.metrics.direction import direction, setting

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
    assert all(map(setting, ("epoch", "batch_size", "learning_rate", "seed", "n_layers", "config.lr")))
    assert not any(map(setting, ("accuracy", "val_loss", "latency_ms.p50")))


def test_better_and_worse(run: Run) -> None:
    now = BASE.replace("0.91", "0.93").replace("0.30", "0.36").replace("40", "60").replace(": 10,", ": 10.01,", 1)
    result = checked("compare_metrics", run("compare_metrics", given("a.json", BASE), given("b.json", now)))
    assert result.outcome == {"status": "done", "severity": "high", "count": "few", "tags": ["regressed", "improved"]}
    assert said(result, "loss is worse by 20.0%")
    assert said(result, "latency_ms.p99 is worse by 50.0%")
    assert not said(result, "accuracy")
    assert "| `accuracy` | more | 0.91 | 0.93" in result.text


def test_equal_runs_are_similar(run: Run) -> None:
    result = run("compare_metrics", given("a.json", BASE), given("b.json", BASE))
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": ["similar"]}


def test_repetition_tells_noise_from_change(run: Run) -> None:
    first = given("a.csv", "seed,accuracy\n1,0.90\n2,0.91\n3,0.92\n4,0.91\n")
    noisy = run("compare_metrics", first, given("b.csv", "seed,accuracy\n1,0.905\n2,0.93\n3,0.90\n4,0.95\n"))
    assert noisy.outcome["tags"] == ["inconclusive"]
    clear = run("compare_metrics", first, given("b.csv", "seed,accuracy\n1,0.80\n2,0.81\n3,0.82\n4,0.81\n"))
    assert clear.outcome["tags"] == ["regressed"]
    assert "<0.001" in clear.text


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
    both = run(
        "compare_metrics",
        given("a.csv", "model,accuracy\nx,0.9\ny,0.5\n"),
        given("b.csv", "model,accuracy\nx,0.95\ny,0.6\n"),
    )
    assert both.outcome["tags"] == ["improved"]
    long = run("compare_metrics", given("a.csv", "metric,value\nf1,0.5\n"), given("b.csv", "metric,value\nf1,0.4\n"))
    assert long.outcome["tags"] == ["regressed"]


def test_logs_and_benchmarks(run: Run) -> None:
    log = run(
        "compare_metrics",
        given("a.log", "epoch 1 loss=0.5 acc=0.7\nepoch 2 loss=0.4 acc=0.8\n"),
        given("b.log", "epoch 1 loss: 0.5 acc: 0.7\nepoch 2 loss: 0.3 acc: 0.85\n"),
    )
    assert log.outcome["tags"] == ["improved"]
    bench = '{"benchmarks": [{"name": "a", "stats": {"mean": 1.0}}, {"name": "b", "stats": {"mean": 2.0}}]}'
    slower = run("compare_metrics", given("x.json", bench), given("y.json", bench.replace("1.0", "1.5")))
    assert said(slower, "a.stats.mean is worse by 50.0%")


def test_measures_of_earlier_steps(run: Run) -> None:
    def step(value: float) -> Result:
        return Result(outcome={"status": "done"}, facts={"f.py": {"error_rate": value}})

    result = run("compare_metrics", earlier("s1", "x", step(0.2)), earlier("s2", "x", step(0.1)))
    assert checked("compare_metrics", result).outcome["tags"] == ["improved"]


@pytest.mark.parametrize("data", [b"", b"\0" * 99, b"no numbers here\n", b"[" * 50_000])
def test_what_has_no_measures_fails(run: Run, data: bytes) -> None:
    assert run("compare_metrics", given("a.json", data)).outcome == {"status": "failed", "tags": ["unparsable"]}
