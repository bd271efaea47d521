"""Loads the authorised-suppliers workbook that procurement mails every Monday."""

import csv
import sys
from pathlib import Path

import openpyxl
import psycopg

WANTED = ("Supplier no", "Name", "Authorised", "Valid until")


def rows(path: Path):
    sheet = openpyxl.load_workbook(path, read_only=True, data_only=True).active
    header, *body = sheet.iter_rows(values_only=True)
    positions = [header.index(name) for name in WANTED]
    for row in body:
        if row[positions[0]] is not None:
            yield tuple(row[position] for position in positions)


def load(path: Path, dsn: str) -> int:
    with psycopg.connect(dsn) as connection, connection.cursor() as cursor:
        cursor.execute("truncate raw.authorised_suppliers")
        with cursor.copy("copy raw.authorised_suppliers from stdin") as copy:
            count = 0
            for row in rows(path):
                copy.write_row(row)
                count += 1
    return count


if __name__ == "__main__":
    csv.writer(sys.stdout).writerow(["loaded", load(Path(sys.argv[1]), sys.argv[2])])
