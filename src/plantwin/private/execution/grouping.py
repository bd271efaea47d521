"""Which members of sets go into one call of a capability."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from plantwin.private.execution.members import MORE_PAIRS, MOST_PAIRS, TOO_MUCH, UNPAIRED, label, paired
from plantwin.private.execution.merging import Merger
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.records import Record, Relation
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, WorksOn, member

_LEXICON = Lexicon(__file__)


def _members(table: str) -> Mapping[CapabilityName, int]:
    return {member(CapabilityName, name): number for name, number in _LEXICON.tables[table].items()}


TOGETHER = _members("together")
"""Members that one call gets where files of a folder explain each other: a manifest and its lock file, a page and its
style sheet, the resources of one module, queries and the tables that they read, tables that refer to each other; or
where an engine is started once for all of them."""
ENGINE_AT_ONCE = 128
"""Likewise of an engine that reads thousands of rules before it begins."""
AT_ONCE = _members("at_once")
"""Members of sets that one call bears where a capability works on all at once, and a plan could not name as many."""
DIVISIBLE = (CapabilityName.ASSESS_EXPOSURE, CapabilityName.EXTRACT_CONSTRAINTS)
"""What works on the whole, and bears being called several times where that is too much."""
NAMES_ALONE = (
    CapabilityName.FIND_IMPACT, CapabilityName.SEARCH_SIMILAR, CapabilityName.FIND_TESTS, CapabilityName.MEASURE_SIZE,
    CapabilityName.CHANGES_SINCE,
)  # fmt: skip
"""What looks at relations and at what the scan knows, and never at content."""
SPARING = _members("sparing")
"""What works on relations, and looks into the content of so many members besides."""


def together(capability: Capability, options: Mapping[str, object]) -> int:
    """How many members one call gets, where a capability works on each by itself."""
    return ENGINE_AT_ONCE if "semgrep_rules" in options else TOGETHER.get(capability.name, 1)


def at_once(capability: Capability) -> int:
    """How many members of a set one call gets, where a capability works on all of them."""
    return capability.most if capability.own else AT_ONCE.get(capability.name, capability.most)


_LICENSE = re.compile(r"(?:^|/)(?:licen[cs]e|copying|unlicense|copyright|notice)[^/]*$", re.IGNORECASE)
_PROJECT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:docs?/|\.github/)?readme[^/]*$",
        r"(?:^|/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|composer\.json"
        r"|gemfile|requirements[\w.-]*\.txt|pipfile|chart\.yaml|dbt_project\.yml|dvc\.yaml|manage\.py|procfile)$",
        r"(?:^|/)(?:(?:docker-)?compose[\w.-]*\.ya?ml|dockerfile[\w.-]*|makefile|tox\.ini|noxfile\.py|justfile|taskfile\.ya?ml)$",
        r"(?:^|/)\.github/workflows/|\.gitlab-ci\.ya?ml$|jenkinsfile$|\.travis\.yml$|\.circleci/|azure-pipelines",
        r"^(?:licen[cs]e|copying)[^/]*$",
        r"(?:^|/)readme[^/]*$",
        r"(?:^|/)__init__\.py$",
    )
)


def in_order(capability: CapabilityName, members: Sequence[Record]) -> list[Record]:
    """Return the members with those first that this capability reads."""
    key = _ORDERS.get(capability)
    return sorted(members, key=key) if key is not None else list(members)


def _project(record: Record) -> tuple[int, int, str]:
    rank = next((number for number, pattern in enumerate(_PROJECT) if pattern.search(record.path)), len(_PROJECT))
    # Manifests deep inside say less of the whole than the README of a part near the top.
    return rank + record.path.count("/") * 2, rank, record.path


def _licenses(record: Record) -> tuple[bool, int, str]:
    return not (_LICENSE.search(record.path) or record.family == "dependencies"), record.path.count("/"), record.path


def _code(record: Record) -> tuple[bool, bool, str]:
    return record.kind != "code_file", record.kind != "config", record.path


_ORDERS: Mapping[CapabilityName, Callable[[Record], tuple[object, ...]]] = {
    CapabilityName.EXPLAIN_PROJECT: _project,
    CapabilityName.LIST_LICENSES: _licenses,
    CapabilityName.FIND_DUPLICATES: _code,
    CapabilityName.FIND_DEAD_CODE: _code,
}


def grouped(
    capability: Capability,
    members: Sequence[Record],
    sides: Sequence[Sequence[Record]],
    relations: Callable[[], Sequence[Relation]],
    merger: Merger,
    size: int,
) -> list[tuple[Record, ...]]:
    """The members of each call; the merger is told of those that are in none. `sides`: the members of each input.

    `size`: members of one call, where the capability works on each by itself.
    """
    if capability.works_on is WorksOn.PAIRS:
        return _pairs(capability, members, sides, relations(), merger)
    if capability.works_on is WorksOn.WHOLE:
        return _whole(capability, members, merger)
    nearby = sorted(members, key=_folder_first) if size > 1 else members
    return [tuple(nearby[at : at + size]) for at in range(0, len(nearby), size)]


def _pairs(
    capability: Capability,
    members: Sequence[Record],
    sides: Sequence[Sequence[Record]],
    relations: Sequence[Relation],
    merger: Merger,
) -> list[tuple[Record, ...]]:
    chosen = {label(record) for record in members}
    present = [[record for record in side if label(record) in chosen] for side in sides]
    groups = paired([side for side in present if side], relations, capability.most)
    kept = groups[:MOST_PAIRS]
    inside = {label(record) for group in kept for record in group}
    beyond = {label(record) for group in groups[MOST_PAIRS:] for record in group} - inside
    merger.leave_out((record for record in members if label(record) in beyond), MORE_PAIRS)
    alone = [record for record in members if label(record) not in inside and label(record) not in beyond]
    merger.leave_out(alone, UNPAIRED)
    return kept


def _whole(capability: Capability, members: Sequence[Record], merger: Merger) -> list[tuple[Record, ...]]:
    most = at_once(capability)
    members = in_order(capability.name, members)
    if capability.name in DIVISIBLE:
        return [tuple(members[at : at + most]) for at in range(0, len(members), most)]
    merger.leave_out(members[most:], TOO_MUCH)
    return [tuple(members[:most])] if members else []


def _folder_first(record: Record) -> tuple[str, str, str]:
    folder, _, name = record.path.rpartition("/")
    return folder, name, record.part
