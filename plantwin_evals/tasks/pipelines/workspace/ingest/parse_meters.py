"""From the operator's CSV to rows of raw.readings."""

import csv
import datetime

COLUMNS = ("meter_id", "read_at", "usage_kwh", "quality", "district")


class BadDelivery(ValueError):
    """The file is not what the contract says."""


def parse_usage(text):
    """Kilowatt hours, never negative."""
    value = float(text)
    if value < 0:
        raise BadDelivery(f"negative usage {text}")
    return value


def parse_row(row):
    """One reading."""
    return {
        "meter_id": row["meter_id"].strip(),
        "read_at": datetime.datetime.fromisoformat(row["read_at"]),
        "usage_kwh": parse_usage(row["usage_kwh"]),
        "quality": row["quality"],
        "district": row["district"],
    }


def run(path):
    """All readings of a file."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = set(COLUMNS) - set(reader.fieldnames or ())
        if missing:
            raise BadDelivery(f"columns missing: {sorted(missing)}")
        return [parse_row(row) for row in reader]
