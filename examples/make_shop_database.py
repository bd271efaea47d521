#!/usr/bin/env python3
"""Write `shop/data/shop.db` from the shop's CSV files. Usage: make_shop_database.py [TARGET]"""

from __future__ import annotations

import csv
import sqlite3
import sys
from pathlib import Path

SHOP = Path(__file__).resolve().parent / "shop"

SCHEMA = """
CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    full_name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    phone TEXT,
    client TEXT,
    legacy_hash TEXT
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    placed_on TEXT NOT NULL,
    title TEXT NOT NULL,
    total REAL NOT NULL,
    status TEXT NOT NULL
);
CREATE TABLE payments (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    amount REAL NOT NULL,
    quillfjord_reference TEXT NOT NULL,
    card_number TEXT
);
CREATE INDEX orders_by_customer ON orders (customer_id);
"""

PAYMENTS = [
    (1, 5116, 1180.80, "ch_77116", None),
    (2, 5117, 240.00, "ch_77117", None),
    (3, 5118, 96.50, "ch_77118", None),
    (4, 5118, -96.50, "rf_77118", None),
    (5, 5120, 410.00, "ch_77120", "4111111111111111"),
    (6, 5121, 410.00, "ch_77121", "5555555555554444"),
]
LEGACY_HASHES = {1: "00000000000000000000000000000001", 4: "00000000000000000000000000000004"}


def rows(name: str) -> list[dict[str, str]]:
    with (SHOP / "data" / name).open(newline="", encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def make_database(target: Path) -> None:
    """Replace the target by a fresh database."""
    target.unlink(missing_ok=True)
    connection = sqlite3.connect(target)
    try:
        connection.executescript(SCHEMA)
        connection.executemany(
            "INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    int(r["id"]),
                    r["full_name"],
                    r["email"],
                    r["phone"] or None,
                    r["client"] or None,
                    LEGACY_HASHES.get(int(r["id"])),
                )
                for r in rows("customers.csv")
            ],
        )
        connection.executemany(
            "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)",
            [
                (int(r["id"]), int(r["customer_id"]), r["placed_on"], r["title"], float(r["total"]), r["status"])
                for r in rows("orders.csv")
            ],
        )
        connection.executemany("INSERT INTO payments VALUES (?, ?, ?, ?, ?)", PAYMENTS)
        connection.commit()
        connection.execute("VACUUM")
    finally:
        connection.close()


if __name__ == "__main__":
    make_database(Path(sys.argv[1]) if len(sys.argv) > 1 else SHOP / "data" / "shop.db")
