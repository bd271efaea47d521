"""Header blocks as in mail: package metadata, Debian control files. They look like YAML and are not."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft

_HEADER = re.compile(r"([A-Z][A-Za-z0-9-]{1,40}):(?: (.{0,2000})|$)")
_MAX = 2000


def are_headers(text: str) -> bool:
    """Whether the text starts with at least three headers, and only continued lines among them."""
    found = 0
    for line in text[:4000].split("\n")[:12]:
        if not line:
            break
        if line[0] in " \t":
            continue
        if _HEADER.match(line) is None:
            return False
        found += 1
    return found >= 3


def read_headers(text: str, draft: Draft) -> None:
    """Headers as settings; a package's name and what it requires."""
    from plantwin.private.extract.formats.dialects.manifests import requirement

    package = text.startswith(("Metadata-Version:", "Package:", "Source:"))
    for line in text.split("\n")[:_MAX]:
        match = _HEADER.match(line)
        if match is None:
            if not line and text.startswith("Metadata-Version:"):
                return  # What follows is the package's own description.
            continue
        name, value = match[1], (match[2] or "").strip()
        draft.add("key")
        draft.name(name)
        draft.setting(name, value)
        if package and name in ("Name", "Package", "Source"):
            draft.provide("package", value)
        elif package and name == "Requires-Dist":
            requirement(draft, value)
        elif package and name in ("Depends", "Build-Depends"):
            for each in value.split(",")[:100]:
                requirement(draft, each)
