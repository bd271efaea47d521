"""What files run: container images, and local scripts that command lines call."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft
from plantwin.private.formats.values import strings

_SCRIPT = re.compile(
    r"(?:^|[\s;&|(\"'=])(?:(?:bash|sh|zsh|python3?|node|ruby|pwsh|source|\.)\s+)?"
    r"((?:\./|[\w-]{1,60}/)(?:[\w.-]{1,80}/){0,8}[\w.-]{1,80}\.(?:sh|bash|py|js|mjs|ts|rb|ps1|pl)|\./[\w./-]{1,120})"
)
_MODULE = re.compile(r"\bpython3?\s+-m\s+([a-z_][\w.]{1,80})")
_FILE = re.compile(
    r"\s(?:-f|--file|-r|--requirement|--config|-c)[ =]((?:[\w.-]{1,80}/){0,8}[\w.-]{1,80}\.\w{1,10})(?=\s|$)"
)


def script(draft: Draft, value: object, how: str = "shell") -> None:
    """Read local scripts and files that a command line calls."""
    for text in strings(value)[:200]:
        text = text[:20_000]
        for match in _SCRIPT.finditer(text):
            draft.refer(how, match[1], "runs")
        for match in _FILE.finditer(text):
            draft.refer_path(match[1], "configures", "path" if how == "path" else "root_path")
        for match in _MODULE.finditer(text):
            draft.refer("python", match[1], "runs")


def image(draft: Draft, value: object) -> None:
    """Count an image, whether its version is open, and what built it if that is here."""
    if type(value) is not str or not value or len(value) > 300 or any(mark in value for mark in " \n{"):
        return
    draft.add("image_ref")
    if "$" in value:
        return
    name, at, _ = value.partition("@")
    base, _, tag = name.rpartition(":") if ":" in name.rsplit("/", 1)[-1] else (name, "", "")
    draft.add("pinned" if at or (tag and tag != "latest" and tag[:1].isdigit()) else "unpinned")
    draft.refer("container", base, "runs")
