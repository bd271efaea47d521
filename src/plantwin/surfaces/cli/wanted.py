"""Options that choose among findings, shared by the commands that detect."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.detect import Detector
    from plantwin.private.detect.summary import Selection


def add_selection(parser: argparse.ArgumentParser) -> None:
    """By type, by group, by least confidence."""
    parser.add_argument(
        "--type",
        "--types",
        action="append",
        metavar="TYPE",
        help="only this type, such as email or 'aws_*' (repeatable, or a list with commas)",
    )
    parser.add_argument(
        "--group",
        "--groups",
        action="append",
        metavar="GROUP",
        help="only secret, personal, infrastructure or identifier (repeatable, or a list with commas)",
    )
    parser.add_argument(
        "--confidence", metavar="WORD", default="low", help="at least this sure: low (default), medium or high"
    )


def chosen(options: argparse.Namespace, detectors: Iterable[Detector]) -> Selection:
    """The selection that the options ask for, each word checked against what these detectors can find."""
    from plantwin.private.detect.summary import known_types, selection

    known = known_types(rule.type for each in detectors for rule in each.rules)
    return selection(known, words(options.type), words(options.group), options.confidence)


def words(texts: list[str] | None) -> list[str]:
    """The words of an option that may be repeated, and may hold several with commas."""
    return [word.strip() for text in texts or () for word in text.split(",")]
