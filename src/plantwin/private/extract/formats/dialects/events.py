"""Audit events that a cloud wrote as one document."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, trees
from plantwin.private.extract.formats.log_records import count_records, looks_like_log


def cloud_trail(draft: Draft, tree: Tree) -> bool:
    """Records with a time, an event and an actor."""
    rows = trees(tree["Records"])
    if not rows or not looks_like_log(rows):
        return False
    count_records(draft, rows[:2000])
    return True


def event_list(draft: Draft, rows: list[Tree]) -> None:
    """A bare list whose records are log records."""
    if looks_like_log(rows):
        count_records(draft, rows[:2000])
