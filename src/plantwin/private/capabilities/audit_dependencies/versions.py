"""Compare versions as their registries do: PEP 440 for Python, semantic versioning for npm, Go and Rust."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from packaging.version import InvalidVersion, Version

from plantwin.private.capabilities.audit_dependencies.manifest import parse_version

_SEMVER = re.compile(r"v?(\d{1,18})(?:\.(\d{1,18}))?(?:\.(\d{1,18}))?(?:-([0-9A-Za-z.-]{1,100}))?(?:\+.*)?")


def _pep440(text: str) -> Any:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _semver(text: str) -> Any:
    match = _SEMVER.fullmatch(text.strip())
    if match is None:
        return None
    numbers = tuple(int(match[group] or 0) for group in (1, 2, 3))
    if match[4] is None:
        return (*numbers, 1, ())
    # A number comes before a word, and a pre-release before the release (semver 11.4).
    parts = tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in match[4].split("."))
    return (*numbers, 0, parts)


_KEYS: dict[str, Callable[[str], Any]] = {"pypi": _pep440, "npm": _semver, "go": _semver, "cargo": _semver}


@lru_cache(maxsize=50_000)
def version_key(ecosystem: str, text: str) -> Any:
    """Return what a version sorts by; none where the text is no version."""
    return _KEYS.get(ecosystem, parse_version)(text)
