#!/usr/bin/env python3
"""Merge several log files into one timeline around a moment."""

from __future__ import annotations

import argparse
import heapq
import re
from datetime import datetime, timedelta
from pathlib import Path

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def lines(path: Path, start: datetime, end: datetime):
    with path.open(errors="replace") as handle:
        for line in handle:
            match = STAMP.search(line)
            if not match:
                continue
            at = datetime.fromisoformat(match.group())
            if start <= at <= end:
                yield at, path.name, line.rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("moment", type=datetime.fromisoformat)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--window", type=int, default=60, metavar="SECONDS")
    args = parser.parse_args()
    around = timedelta(seconds=args.window)
    streams = [lines(path, args.moment - around, args.moment + around) for path in args.files]
    for at, name, line in heapq.merge(*streams):
        print(f"{at:%H:%M:%S} {name:<20} {line}")


if __name__ == "__main__":
    main()
