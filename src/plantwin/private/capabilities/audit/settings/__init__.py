"""Settings that weaken protection: by the key wherever it stands, and by what the file is for."""

from __future__ import annotations

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.common.settings import FORMATS, settings

READ = FORMATS | {"dockerfile", "nginx", "apache"}
"""Formats that are read here."""


def issues(format: str, text: str, path: str) -> tuple[list[Issue], bool]:
    """The weaknesses of a settings file, and whether it is sound."""
    from plantwin.private.capabilities.audit.settings import delivery, general, infrastructure, orchestration

    if format == "dockerfile":
        return list(delivery.dockerfile(text)), True
    if format in ("nginx", "apache"):
        return list(general.server(text)), True
    found, sound = settings(format, text)
    if format == "lock":
        return [], sound
    result = list(general.issues(found, path))
    if format == "hcl":
        result += infrastructure.issues(found, text)
    elif format in ("yaml", "json"):
        result += orchestration.issues(found)
        result += delivery.workflow(found, path)
        result += infrastructure.documents(found)
    return result, sound
