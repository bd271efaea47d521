"""Recipes of packages: RPM specs, Debian control files, Cabal, opam and their like."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_SECTION = re.compile(r"%(?:prep|build|install|check|files|description|post|pre|package|changelog)\b|\[\w{2,30}\]\s*$")
_NEEDS = re.compile(
    r"\s{0,20}(?:Build)?(?:Requires|Depends|-Depends|-depends)?(?:Requires|Depends|Recommends|Imports|Suggests|depends"
    r"|requires|makedepends|github|git)\b\s{0,4}[:=(]?\s{0,4}['\"(]{0,2}([\w./:+-]{2,100})",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:Name|Package|Source|name)\s{0,8}:\s{0,8}([\w.+-]{1,100})")
_MAX = 5000


def read_recipe(sample: Sample, draft: Draft) -> None:
    """Sections that build, and the packages that are needed."""
    for line in head_text(sample).split("\n")[:_MAX]:
        body = line.strip()
        if not body or body[0] == "#":
            draft.add("todo", "TODO" in body or "FIXME" in body)
            continue
        draft.add("key")
        if body[0] == "%" and _SECTION.match(body):
            draft.add("build_step")
        elif needs := _NEEDS.match(line):
            draft.pin(needs[1], body[needs.end(1) - len(line) + len(body) :].strip(" '\",;()")[:60] or "*")
        elif named := _NAME.match(body):
            draft.provide("package", named[1])
            draft.name(named[1])
