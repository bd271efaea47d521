"""Works out what each farm delivered per day and per cow."""

import logging
import pathlib
import sqlite3
import sys

log = logging.getLogger("daily_yield")
SQL = pathlib.Path(__file__).parents[1] / "sql"


def run(connection, name):
    query = (SQL / name).read_text()
    return connection.execute(query).fetchall()


def pay(litres, fat_pct, grade):
    """Pence for a delivery."""
    base = {"A": 38.0, "B": 35.5, "C": 31.0}[grade]
    return litres * (base + (fat_pct - 4.0) * 2.5)


def main(database):
    connection = sqlite3.connect(database)
    rows = run(connection, "daily_yield.sql")
    connection.execute("DELETE FROM daily_yield")
    for farm, day, litres, fat, grade, per_cow in rows:
        connection.execute(
            "INSERT INTO daily_yield VALUES (?, ?, ?, ?, ?)",
            (farm, day, litres, per_cow, pay(litres, fat, grade)),
        )
    connection.commit()
    log.info("%d rows", len(rows))
    for row in run(connection, "farm_ranking.sql"):
        print(row)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main(sys.argv[1])
