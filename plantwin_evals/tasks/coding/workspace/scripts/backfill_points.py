"""Nightly: credit the orders of shops whose tills still speak v1."""

import csv
import datetime
import sys

from perks import db
from perks.legacy import points_v1


def main(path):
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            lines = [{"category": row["category"], "cents": int(row["cents"])}]
            day = datetime.date.fromisoformat(row["day"])
            db.execute(
                "INSERT INTO points_entries (member_id, order_id, points, booked_on) VALUES (?, ?, ?, ?)",
                (row["member_id"], row["order_id"], points_v1.points_for(lines, day), row["day"]),
            )


if __name__ == "__main__":
    main(sys.argv[1])
