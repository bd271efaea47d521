"""Patches: which files they change."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_FILE = re.compile(r"^\+\+\+ (?:b/)?([^\t\n]{1,300})", re.MULTILINE)
_HUNK = re.compile(r"^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@", re.MULTILINE)


def read_diff(sample: Sample, draft: Draft) -> None:
    """Files and hunks. The changed lines themselves say nothing about the patch."""
    text = head_text(sample)
    for match in _FILE.finditer(text):
        if match[1] != "/dev/null":
            draft.refer_path(match[1], "writes", "root_path")
            draft.name(match[1].rpartition("/")[2])
    hunks = sum(1 for _ in _HUNK.finditer(text))
    draft.add("code_block", hunks)
    draft.outline.parsed = hunks > 0 or "GIT binary patch" in text
