"""Lists of path patterns: ignore files, attributes, owners."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample


def read_patterns(sample: Sample, draft: Draft) -> None:
    """One pattern per line, perhaps followed by attributes or owners."""
    for line in head_text(sample).split("\n")[:5000]:
        body = line.strip()
        if not body or body.startswith("#"):
            continue
        draft.add("key")
        words = body.split()
        draft.name(words[0])
        if len(words) > 1 and "*" not in words[0]:
            draft.refer_path(words[0].lstrip("/"), "configures", "root_path")
