"""Search evidence for indicators: ioc_match.py indicators.csv FILE..."""

import csv
import sys
from pathlib import Path


def indicators(path):
    """Values by type, longest first so that a URL wins over its address."""
    with open(path, newline="") as file:
        rows = [(row["value"], row["type"]) for row in csv.DictReader(file) if row["confidence"] != "low"]
    return sorted(rows, key=lambda row: -len(row[0]))


def matches(path, wanted):
    """Line number, type and value of every hit."""
    for number, line in enumerate(Path(path).read_text(errors="replace").splitlines(), 1):
        for value, kind in wanted:
            if value in line:
                yield number, kind, value
                break


def main(arguments):
    """Print hits, return how many."""
    wanted = indicators(arguments[0])
    total = 0
    for name in arguments[1:]:
        for number, kind, value in matches(name, wanted):
            print(f"{name}:{number}: {kind} {value}")
            total += 1
    return total


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
