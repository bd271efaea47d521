"""Data that resembles other data: results, settings and measurements; logs and records; queries and loads."""

from __future__ import annotations

import json

import pytest

from plantwin.private.extract.extraction import extract
from plantwin.private.facts import Sample


def named(path: str, text: str) -> tuple[str, str]:
    data = text.encode()
    found = extract(Sample(path, len(data), data), (), digest_value=hash)
    assert found is not None
    return found.kind, found.ranking[0][0]


FIGURES = {
    "metrics/kiln-12.json": {
        "week": 12,
        "firings": {"planned": 40, "done": 38, "failed": 2},
        "heat_seconds": {"p50": 310, "p95": 420.5},
        "kilns": {"a": {"tiles": 900, "cracked": 4}, "b": {"tiles": 850, "cracked": 9}},
        "restarts": 1,
    },
    "out/model-9.json": {
        "model": "v9",
        "mean_absolute_error": 1.4,
        "largest_error": 7.1,
        "bias": 0.2,
        "per_road": {name: {"mean_absolute_error": 1.1, "days": 30} for name in ("north", "south", "ring")},
    },
    "web/vitals.json": {
        "month": "2024-05",
        "visits": 900,
        "pages": {name: {"lcp_ms": 1800, "inp_ms": 90, "cls": 0.02} for name in ("/", "/a", "/b")},
    },
}
SETTINGS = {
    "pool.json": {"pool": {"min": 1, "max": 8}, "port": 8080, "timeout": 30},
    "service.json": {"port": 9000, "timeout_ms": 250, "replicas": 3, "failed_login_limit": 5, "error_count_limit": 9},
    "watch.json": {"thresholds": {"error_rate": 0.01, "p95": 300, "p99": 800, "missed": 3}},
    "config/goals.json": {"error_share": 0.01, "p95_ms": 300, "mean_ms": 120, "lost_share": 0.1},
    "app.json": {"total": 5, "count": 3, "debug": True, "cache": True, "verbose": False},
}


@pytest.mark.parametrize("path", FIGURES)
def test_figures_of_a_period_or_a_model_are_results(path):
    assert named(path, json.dumps(FIGURES[path], indent=1)) == ("structured_record", "experiment_metrics")


@pytest.mark.parametrize("path", SETTINGS)
def test_numbers_that_set_things_are_settings(path):
    assert named(path, json.dumps(SETTINGS[path], indent=1)) == ("config", "app_config")


def test_like_records_with_a_time_are_measurements():
    rows = [
        {"mast": 3, "time": f"2024-05-01T0{n}:00:00Z", "gust": 7.5 + n, "lull": 2.5, "bearing": n} for n in range(9)
    ]
    assert named("samples/wind.json", json.dumps(rows)) == ("structured_record", "measurement_records")


def test_one_run_with_its_date_is_a_result():
    run = {"id": "r41", "date": "2024-05-01", "accuracy": 0.91, "loss": 0.3, "recall": 0.8}
    assert named("run.json", json.dumps(run)) == ("structured_record", "experiment_metrics")
