"""Published vulnerabilities, from OSV advisories: a dated extract is shipped, an imported one replaces its parts."""

from __future__ import annotations

import gzip
import operator
import os
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from packaging.version import InvalidVersion, Version

from plantwin.private.capabilities.audit_dependencies.manifest import normalize, parse_version
from plantwin.vocabulary import Severity

SHIPPED = Path(__file__).with_name("advisories.json.gz")
LARGEST = 256 << 20
"""Bytes of an unpacked file of advisories."""


class Advisory(msgspec.Struct, frozen=True, array_like=True):
    """One advisory about one package."""

    id: str
    severity: Severity
    summary: str
    ranges: tuple[tuple[str, str, str], ...]
    """First affected version, first fixed one, last affected one; empty where open."""
    versions: tuple[str, ...] = ()
    """Single versions, where the advisory has no ranges."""

    def affects(self, ecosystem: str, version: str) -> bool:
        """Tell whether a version is among the affected ones."""
        if version in self.versions:
            return True
        key = version_key(ecosystem, version)
        return key is not None and any(_inside(ecosystem, key, *bounds) for bounds in self.ranges)

    def fixed(self, ecosystem: str, version: str) -> str:
        """Return the first version after this one that has the fix; empty where there is none."""
        key = version_key(ecosystem, version)
        for first, fixed, last in self.ranges:
            if key is not None and fixed and _inside(ecosystem, key, first, fixed, last):
                return fixed
        return ""


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The advisories of one registry."""

    as_of: str
    source: str
    packages: dict[str, tuple[Advisory, ...]]
    about: str = ""
    """Which packages of the registry it knows, where these are not all."""

    def of(self, ecosystem: str, name: str, version: str) -> list[Advisory]:
        """Return the advisories that affect one version of a package."""
        rows = self.packages.get(normalize(ecosystem, name), ())
        return [row for row in rows if row.affects(ecosystem, version)]


Advisories = dict[str, Extract]
"""By ecosystem, as manifests name it."""


def _inside(ecosystem: str, key: Any, first: str, fixed: str, last: str) -> bool:
    for bound, holds in ((first, operator.ge), (fixed, operator.lt), (last, operator.le)):
        if bound in ("", "0"):
            continue
        other = version_key(ecosystem, bound)
        if other is None or not holds(key, other):
            return False
    return True


def read(path: Path) -> Advisories:
    """Read a file of advisories; raises OSError, EOFError or ValueError where it is none."""
    with gzip.open(path) as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError("too large")
    return msgspec.json.decode(data, type=Advisories)


def encode(advisories: Mapping[str, Extract]) -> bytes:
    """Return the bytes of a file of advisories, the same for the same content."""
    return gzip.compress(msgspec.json.encode(dict(sorted(advisories.items()))), 9, mtime=0)


@cache
def _kept(path: str, _changed: int) -> Advisories:
    return read(Path(path))


def known(imported: str = "") -> Advisories:
    """Return the shipped advisories; in place of older ones, or of some of a registry, those of an imported file."""
    found = dict(_kept(str(SHIPPED), 0))
    if imported and os.path.isfile(imported):  # noqa: PTH113
        for ecosystem, extract in _kept(imported, os.stat(imported).st_mtime_ns).items():
            shipped = found.get(ecosystem)
            if shipped is None or shipped.about or extract.as_of >= shipped.as_of:
                found[ecosystem] = extract
    return found


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
