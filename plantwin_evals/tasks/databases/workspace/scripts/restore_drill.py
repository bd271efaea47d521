"""Restore the last backup into a scratch database and count rows: restore_drill.py DIR"""

import subprocess
import sys

EXPECTED = {"patients": 41000, "visits": 380000, "appointments": 250000}


def count(table):
    """Rows of a table in the scratch database."""
    out = subprocess.check_output(["psql", "-At", "-d", "scratch", "-c", f"SELECT count(*) FROM {table}"])
    return int(out)


def main(folder):
    """Exit code 1 where a table came back too small."""
    subprocess.check_call(f"pg_restore -d scratch {folder}/base.tar", shell=True)
    small = [table for table, least in EXPECTED.items() if count(table) < least]
    for table in small:
        print("too few rows:", table)
    return int(bool(small))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
