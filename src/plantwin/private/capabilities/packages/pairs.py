"""What shows only when files are set beside each other: manifests and their locks, pins that differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from plantwin.private.capabilities.job import Finding
from plantwin.private.capabilities.packages.entry import Listing, Wanted, admits, exact, normal
from plantwin.private.capabilities.packages.rules import MEDIUM, finding, shown
from plantwin.vocabulary import OutcomeTag as Tag


def together(listings: list[Listing]) -> Iterator[Finding]:
    """What shows only when files are set beside each other: manifests and their locks, pins that differ."""
    for held in listings:
        if held.kind == "manifest":
            for other in listings:
                if (
                    other.kind in ("lock", "sums")
                    and other.ecosystem == held.ecosystem
                    and other.folder == held.folder
                    and other.packages
                ):
                    yield from _out_of_step(held, other)
    yield from _pins(listings)


def _out_of_step(held: Listing, lock: Listing) -> Iterator[Finding]:
    versions: dict[str, list[str]] = defaultdict(list)
    for each in lock.packages:
        versions[normal(lock.ecosystem, each.name)].append(each.wanted)
    for each in held.packages:
        if each.source != "registry" or each.wanted == "(managed)":
            continue
        found = versions.get(normal(held.ecosystem, each.name))
        if found is None:
            if held.ecosystem == "go" and each.dev:
                continue
            yield finding(
                held,
                each.line,
                MEDIUM,
                Tag.OUT_OF_STEP,
                f"{each.name} is not in {lock.label}",
                "Make the lock file anew.",
                shown(each),
            )
        elif not any(admits(each.wanted, held.ecosystem, one) for one in found) and held.ecosystem != "go":
            yield finding(
                held,
                each.line,
                MEDIUM,
                Tag.OUT_OF_STEP,
                f"{each.name} is locked at {found[0]}, which {each.wanted} does not admit",
                "Make the lock file anew.",
                shown(each),
            )


def _pins(listings: list[Listing]) -> Iterator[Finding]:
    """The same package pinned to different versions in different manifests."""
    pins: dict[tuple[str, str], list[tuple[Listing, Wanted, str]]] = defaultdict(list)
    for held in listings:
        if held.kind == "manifest" and held.ecosystem not in ("images", "actions"):
            for each in held.packages:
                number = exact(held.ecosystem, held.kind, each.wanted)
                if number and each.source == "registry":
                    pins[held.ecosystem, normal(held.ecosystem, each.name)].append((held, each, number))
    for group in pins.values():
        first = group[0]
        for held, each, number in group[1:]:
            if held.label != first[0].label and number != first[2]:
                yield finding(
                    held,
                    each.line,
                    MEDIUM,
                    Tag.VERSION_CONFLICT,
                    f"{each.name} is {number} here and {first[2]} in {first[0].label}",
                    "Agree on one version, if both are installed together.",
                )
                break
