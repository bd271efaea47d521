#!/usr/bin/env python3
"""Print, check and repair parcel labels from the command line."""

import argparse
import sys
from pathlib import Path

from label_codec import Label, LabelError


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="labelctl", description=__doc__)
    sub = parser.add_subparsers(dest="command", required=True)
    check = sub.add_parser("check", help="check labels for damage")
    check.add_argument("files", nargs="+", type=Path)
    check.add_argument("-q", "--quiet", action="store_true")
    show = sub.add_parser("print", help="print the decoded fields")
    show.add_argument("file", type=Path)
    show.add_argument("--field", choices=["weight", "depot", "service"])
    return parser


def main(argv: list[str] | None = None) -> int:
    args = build_parser().parse_args(argv)
    if args.command == "print":
        label = Label.read(args.file)
        print(getattr(label, args.field) if args.field else label)
        return 0
    failed = 0
    for path in args.files:
        try:
            Label.read(path).verify()
        except LabelError as error:
            failed += 1
            if not args.quiet:
                print(f"{path}: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
