"""Nightly: has what we score moved away from what we trained on? Prints one line for each column."""

import csv
import math
import sys
from collections import Counter

LIMIT = 0.25


def shares(values, edges):
    """Share of values in each bin."""
    counts = Counter(sum(value > edge for edge in edges) for value in values)
    total = max(1, len(values))
    return [max(counts[at] / total, 1e-4) for at in range(len(edges) + 1)]


def stability(reference, current, bins=10):
    """Population stability index over equal shares of the reference."""
    ordered = sorted(reference)
    edges = [ordered[len(ordered) * at // bins] for at in range(1, bins)]
    pairs = zip(shares(reference, edges), shares(current, edges))
    return sum((now - was) * math.log(now / was) for was, now in pairs)


def column(path, name):
    """Numbers of a column; what is no number is left out without a word."""
    values = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            try:
                values.append(float(row[name]))
            except ValueError:
                pass
    return values


def main(reference, current):
    """Exit code 1 where something moved."""
    moved = False
    for name in ("vehicle_age", "claim_amount", "days_since_policy", "narrative_length"):
        index = stability(column(reference, name), column(current, name))
        moved = moved or index > LIMIT
        print(f"{name} psi={index:.3f}{' MOVED' if index > LIMIT else ''}")
    return int(moved)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
