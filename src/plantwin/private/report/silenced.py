"""Comments by which files switch checks off: engines obey them without a word, so the report counts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from plantwin.text import plural
from plantwin.vocabulary import CapabilityName as Can

OBEY: Final = frozenset([Can.LINT, Can.SECURITY_AUDIT, Can.AUDIT_INFRASTRUCTURE, Can.VALIDATE_CONFIG])
"""Capabilities whose engines leave out what a comment says."""
MOST_FILES: Final = 5000
MOST_BYTES: Final = 1 << 20
"""Files that are looked at, and how much of each: it must not take longer than the work itself."""
_comment = re.compile(
    rb"#\s*(noqa)\b|((?:eslint|oxlint)-disable)|(checkov:skip)|(hadolint\s+ignore|shellcheck\s+disable)"
)


def silenced(root: Path, paths: Iterable[str]) -> str:
    """A sentence about the comments in these files that switch checks off; nothing where there are none."""
    found: Counter[str] = Counter()
    for path in sorted(set(paths))[:MOST_FILES]:
        try:
            with (root / path).open("rb") as file:
                data = file.read(MOST_BYTES)
        except OSError:
            continue
        if b"\0" not in data[:4096]:
            found.update(b" ".join(filter(None, match.groups())).decode() for match in _comment.finditer(data))
    if not found:
        return ""
    listed = ", ".join(f"{number:,} {word}" for word, number in found.most_common())
    verb = plural(found.total(), "comment switches", "comments switch")
    return f"{verb} checks off in these files ({listed}): what they silence is not among the findings"
