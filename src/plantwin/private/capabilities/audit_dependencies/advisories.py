"""Published vulnerabilities, from OSV advisories: a dated extract is shipped, an imported one replaces its parts."""

from __future__ import annotations

import gzip
import operator
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from plantwin.private.capabilities.audit_dependencies.manifest import normalize
from plantwin.private.capabilities.audit_dependencies.versions import version_key
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
    """Return the shipped advisories, and in place of older ones those of an imported file."""
    found = dict(_kept(str(SHIPPED), 0))
    if imported and os.path.isfile(imported):  # noqa: PTH113
        for ecosystem, extract in _kept(imported, os.stat(imported).st_mtime_ns).items():
            if ecosystem not in found or extract.as_of >= found[ecosystem].as_of:
                found[ecosystem] = extract
    return found
