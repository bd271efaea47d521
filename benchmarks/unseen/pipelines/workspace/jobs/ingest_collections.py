"""Reads the month's table of collections into the warehouse."""

import csv
import logging
import sqlite3
import sys

log = logging.getLogger("ingest")

COLUMNS = ["farm_id", "day", "litres", "fat_pct", "temp_c", "grade"]


def read(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield row


def clean(row):
    """The row with numbers in it instead of text."""
    return {
        "farm_id": row["farm_id"].strip(),
        "day": row["day"],
        "litres": float(row["litres"]),
        "fat_pct": float(row["fat_pct"]),
        "temp_c": float(row["temp_c"]),
        "grade": row["grade"],
    }


def load(connection, rows):
    count = 0
    for row in rows:
        values = clean(row)
        connection.execute(
            "INSERT INTO collections (farm_id, day, litres, fat_pct, temp_c, grade)"
            " VALUES (:farm_id, :day, :litres, :fat_pct, :temp_c, :grade)",
            values,
        )
        count += 1
        connection.commit()
    return count


def main(path, database):
    connection = sqlite3.connect(database)
    count = load(connection, read(path))
    log.info("loaded %d rows from %s", count, path)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main(sys.argv[1], sys.argv[2])
