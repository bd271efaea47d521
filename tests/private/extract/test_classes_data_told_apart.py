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


def lines(count, record):
    return "".join(json.dumps({"t": f"2024-05-01T06:{n:02}:00Z"} | record(n)) + "\n" for n in range(count))


def test_lines_that_tell_of_faults_are_an_error_log():
    text = lines(12, lambda n: {"page": "/map", "error": f"RangeError: tile {n}", "stack": ["draw (map.ts:4:2)"]})
    assert named("logs/faults.jsonl", text) == ("log_stream", "error_log")
    assert named("kept/faults.jsonl", text) == ("log_stream", "error_log")


def test_lines_with_few_faults_are_an_application_log():
    text = lines(12, lambda n: {"pump": n % 3, "error": "stuck" if n == 5 else None})
    assert named("logs/pumps.jsonl", text) == ("log_stream", "application_log")


def test_outcomes_in_order_are_a_log_where_logs_are_kept():
    text = lines(12, lambda n: {"door": f"d{n % 4}", "code": "OPEN" if n % 2 else "HELD", "wait_ms": 10 + n})
    assert named("logs/doors.jsonl", text) == ("log_stream", "application_log")
    assert named("data/doors.jsonl", text)[0] == "structured_record"
    assert named("catalogs/doors.jsonl", text)[0] == "structured_record"


def test_outcomes_without_order_are_records_anywhere():
    text = lines(12, lambda n: {"t": f"2024-05-{1 + n * 7 % 12:02}T06:00:00Z", "door": n, "code": "OPEN"})
    assert named("logs/doors.jsonl", text)[0] == "structured_record"


def test_a_measured_error_is_no_fault():
    text = lines(12, lambda n: {"station": n, "error": 0.1 * n, "level_cm": 30 + n})
    assert named("data/gauges.jsonl", text)[0] == "structured_record"


READS = """BEGIN;
SELECT id, name FROM boats;
SELECT b.id, count(*) FROM boats b JOIN trips t ON t.boat = b.id GROUP BY b.id;
INSERT INTO sent SELECT id, current_date FROM boats;
SELECT * FROM trips LIMIT 5;
COMMIT;
"""
FILLS = """TRUNCATE trip_day;
INSERT INTO trip_day
WITH long AS (SELECT * FROM trips WHERE miles > 5), named AS (SELECT id, name FROM boats)
SELECT n.name, date(l.left_at), sum(l.miles) FROM long l JOIN named n ON n.id = l.boat GROUP BY 1, 2;
"""


@pytest.mark.parametrize("path", ["queries/boats.sql", "sql/boats.sql", "x/file1.sql"])
def test_statements_that_read_make_a_query_although_one_keeps_a_result(path):
    assert named(path, READS) == ("code_file", "sql_query")


@pytest.mark.parametrize("path", ["queries/trip_day.sql", "sql/trip_day.sql"])
def test_a_table_filled_from_queries_is_preparation(path):
    assert named(path, FILLS) == ("code_file", "data_preparation")
