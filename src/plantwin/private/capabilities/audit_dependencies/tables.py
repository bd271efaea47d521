"""Shipped tables: ends of life, names of packages. Dated, and not complete."""

from __future__ import annotations

import difflib
import re
from datetime import date
from functools import cache, lru_cache
from typing import TypeVar

import msgspec

from plantwin.private.capabilities.audit_dependencies.manifest import normalize
from plantwin.private.formats.lexicon import beside

Table = TypeVar("Table")


class EndOfLife(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of `end_of_life.toml`: dates by product and release."""

    as_of: date
    products: dict[str, dict[str, date]]

    def of(self, product: str, version: str) -> tuple[str, date] | None:
        """Return the release that a version belongs to, and when it ended or will end."""
        dates = self.products.get(product, {})
        bare = version.strip().lower().lstrip("v")
        numbers = re.findall(r"\d+", bare.partition("-")[0])
        for release in (bare, ".".join(numbers[:2]), ".".join(numbers[:1])):
            if release in dates:
                return release, dates[release]
        return None


class PackageNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of `package_names.toml`, by ecosystem."""

    honest: frozenset[str]
    popular: dict[str, frozenset[str]]
    squats: dict[str, frozenset[str]]
    development: dict[str, frozenset[str]]

    def is_squat(self, ecosystem: str, name: str) -> bool:
        """Tell whether a name was published in order to be taken for another."""
        return normalize(ecosystem, name) in self.squats.get(ecosystem, ())

    def is_development(self, ecosystem: str, name: str) -> bool:
        """Tell whether a package is a tool that a product does not need to run."""
        return normalize(ecosystem, name) in self.development.get(ecosystem, ())

    def lookalike(self, ecosystem: str, name: str) -> str:
        """Return the popular name that one could be taken for; empty where it is itself known, or far from all."""
        popular = self.popular.get(ecosystem, frozenset())
        own = normalize(ecosystem, name)
        if not popular or own in popular or own in self.honest or len(own) > 60:
            return ""
        if self.is_squat(ecosystem, name):
            return difflib.get_close_matches(own, sorted(popular), 1, 0.0)[0]
        if len(own) < 5:
            return ""
        for known in sorted(popular):
            # Short names that begin otherwise are often all well known: `ijson`, `ujson`.
            if len(known) < 5 or (len(own) < 7 and known[0] != own[0]) or known.startswith("@") != own.startswith("@"):
                continue
            near = abs(len(known) - len(own)) <= 1 and _is_one_edit_away(own, known)
            if near or (ecosystem != "pypi" and _without_separators(own) == _without_separators(known)):
                return known
        return ""


def _load(name: str, table: type[Table]) -> Table:
    return msgspec.convert(beside(__file__, name), table)


@cache
def end_of_life() -> EndOfLife:
    """Load the ends of life."""
    return _load("end_of_life.toml", EndOfLife)


@cache
def package_names() -> PackageNames:
    """Load the names of packages."""
    return _load("package_names.toml", PackageNames)


def _is_one_edit_away(first: str, second: str) -> bool:
    """Tell whether a letter was changed, added, dropped or swapped with the next."""
    while first and second and first[0] == second[0]:
        first, second = first[1:], second[1:]
    while first and second and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    swapped = len(first) == 2 and first == second[::-1]
    return swapped or max(len(first), len(second)) == 1


@lru_cache(maxsize=10_000)
def _without_separators(name: str) -> str:
    return re.sub("[-_.]", "", name)
