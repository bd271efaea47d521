import datetime

import pytest

from ingest import dedupe, parse_meters

ROW = {"meter_id": " M-1 ", "read_at": "2025-02-18T00:15:00", "usage_kwh": "0.412", "quality": "A", "district": "D07"}


def test_row():
    assert parse_meters.parse_row(ROW)["meter_id"] == "M-1"
    assert parse_meters.parse_row(ROW)["usage_kwh"] == 0.412


def test_negative():
    with pytest.raises(parse_meters.BadDelivery):
        parse_meters.parse_usage("-0.1")


def test_last_one_stays():
    at = datetime.datetime(2025, 2, 18)
    rows = [{"meter_id": "M-1", "read_at": at, "usage_kwh": 1.0}, {"meter_id": "M-1", "read_at": at, "usage_kwh": 1.2}]
    assert [row["usage_kwh"] for row in dedupe.run(rows)] == [1.2]
