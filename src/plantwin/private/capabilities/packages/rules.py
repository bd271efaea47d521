"""What is wrong with a list of packages: one rule, one function."""

# ruff: noqa: E501 (one message, one row)

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date

from plantwin.private.capabilities.job import Finding
from plantwin.private.capabilities.packages import lifetimes
from plantwin.private.capabilities.packages.entry import Listing, Wanted, admits, exact, normal
from plantwin.private.capabilities.packages.known import weaknesses
from plantwin.private.capabilities.packages.popular import DEVELOPMENT, SQUATS, lookalike
from plantwin.vocabulary import OutcomeTag as Tag
from plantwin.vocabulary import Severity, member

LOW, MEDIUM, HIGH, CRITICAL = Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL
_ANY = frozenset(
    ("", "*", "latest", "x", "any", ">=0", ">= 0", "dev-master", "dev-main", "@dev", "LATEST", "RELEASE", "+")
)
_ODD = {
    "extra_index": (MEDIUM, Tag.UNTRUSTED_SOURCE, "A second index is asked too: whoever registers a name there first is installed",
                    "Use one index that mirrors both, or pin by hash."),
    "http_index": (HIGH, Tag.UNTRUSTED_SOURCE, "Packages come over an unprotected connection", "Use https."),
    "trusted_host": (HIGH, Tag.UNTRUSTED_SOURCE, "The certificate of an index is not checked", "Remove the option."),
    "install_script": (HIGH, Tag.UNTRUSTED_SOURCE, "A script at installation fetches or makes up code", "Check what it runs."),
}  # fmt: skip
_STRICT = re.compile(r"\b(?:A?GPL|SSPL|BUSL|CC-BY-NC|Commons-Clause|EUPL)\b", re.IGNORECASE)
_WEAK = re.compile(r"\bLGPL", re.IGNORECASE)


def finding(
    held: Listing, line: int, severity: Severity, tag: Tag, message: str, hint: str = "", evidence: str = ""
) -> Finding:
    return Finding(
        name=held.label,
        line=line,
        severity=severity.value,
        tag=tag.value,
        message=message,
        hint=hint,
        evidence=evidence[:160],
    )


def one(held: Listing, locked: bool, today: date) -> Iterator[Finding]:
    """Everything that can be said of one file alone. `locked`: whether a lock file stands beside it."""
    for line, word in held.remarks:
        severity, tag, message, hint = _ODD[word]
        yield finding(held, line, severity, tag, message, hint)
    yield from _open(held, locked)
    yield from _sources(held)
    yield from _unproven(held)
    yield from _twice(held)
    yield from _names(held)
    yield from _misplaced(held)
    yield from _known(held)
    yield from _ended(held, today)
    yield from _licenses(held)


def shown(each: Wanted) -> str:
    return f"{each.name} {each.wanted}".strip()


def _open(held: Listing, locked: bool) -> Iterator[Finding]:
    if held.kind == "lock" or held.kind == "sums":
        return
    ranges = 0
    for each in held.packages:
        if each.source != "registry" or each.wanted == "(managed)":
            continue
        wanted = each.wanted.strip()
        if held.ecosystem == "images":
            if not each.hashed and wanted in ("", "latest"):
                yield finding(
                    held,
                    each.line,
                    MEDIUM,
                    Tag.UNPINNED,
                    f"{each.name}: the image is whatever is newest",
                    "Name a version, best with its digest.",
                    shown(each),
                )
        elif held.ecosystem == "actions":
            yield from _action(held, each)
        elif wanted in _ANY or wanted.startswith(("latest.", "dev-")) or wanted.endswith((".+", "-SNAPSHOT")):
            severity = LOW if locked or each.dev or held.library else MEDIUM
            yield finding(
                held,
                each.line,
                severity,
                Tag.UNPINNED,
                f"{each.name}: any version will do",
                "Give a range, and keep a lock file."
                if not locked
                else "Give a range; the lock file holds it for now.",
                shown(each),
            )
        elif (
            held.ecosystem == "pypi"
            and not re.search(r"==|~=|<|\^|~", wanted)
            and ">" in wanted
            and not locked
            and not held.library
        ):
            yield finding(
                held,
                each.line,
                LOW,
                Tag.UNPINNED,
                f"{each.name}: nothing keeps later versions out",
                "Pin it, or keep a lock file.",
                shown(each),
            )
        elif not exact(held.ecosystem, held.kind, wanted):
            ranges += 1
    if (
        ranges
        and not locked
        and not held.library
        and held.ecosystem in ("npm", "rubygems", "packagist", "pypi", "cargo")
    ):
        yield finding(
            held,
            0,
            LOW,
            Tag.UNPINNED,
            f"{ranges} {'package has a range' if ranges == 1 else 'packages have ranges'} and no lock file stands beside",
            "Commit the lock file, so that every build gets the same.",
        )


def _action(held: Listing, each: Wanted) -> Iterator[Finding]:
    official = each.name.startswith(("actions/", "github/"))
    if not each.wanted:
        yield finding(held, each.line, MEDIUM, Tag.UNPINNED, f"{each.name}: no version is named", "Name a commit.")
    elif re.fullmatch(r"(?:main|master|develop|dev|trunk|HEAD|latest)", each.wanted):
        severity = MEDIUM if official else HIGH
        yield finding(
            held,
            each.line,
            severity,
            Tag.UNPINNED,
            f"{each.name}: runs whatever its branch {each.wanted} holds",
            "Name a commit.",
            shown(each),
        )
    elif not each.fixed and not official:
        yield finding(
            held,
            each.line,
            LOW,
            Tag.MISSING_INTEGRITY,
            f"{each.name}: the tag {each.wanted} can be moved to other code",
            "Name the full commit, with the tag in a comment.",
            shown(each),
        )


def _sources(held: Listing) -> Iterator[Finding]:
    for each in held.packages:
        if each.source == "http":
            yield finding(
                held,
                each.line,
                HIGH,
                Tag.UNTRUSTED_SOURCE,
                f"{each.name} comes over an unprotected connection",
                "Use https and a hash.",
                _address(each),
            )
        elif each.source == "git" and held.kind != "lock":
            severity = LOW if each.fixed else MEDIUM
            what = "from a repository" if each.fixed else "from a branch of a repository, whatever it holds"
            yield finding(
                held,
                each.line,
                severity,
                Tag.UNTRUSTED_SOURCE,
                f"{each.name} comes {what}",
                "" if each.fixed else "Name a commit.",
                _address(each),
            )
        elif each.source == "url" and held.kind != "lock":
            yield finding(
                held,
                each.line,
                LOW if each.fixed else MEDIUM,
                Tag.UNTRUSTED_SOURCE,
                f"{each.name} comes from an address of its own",
                "" if each.fixed else "Pin it by a hash.",
                _address(each),
            )
        elif each.source == "other":
            yield finding(
                held,
                each.line,
                LOW,
                Tag.UNTRUSTED_SOURCE,
                f"{each.name} comes from another place than its registry",
                "Check that this is meant.",
                _address(each),
            )


def _address(each: Wanted) -> str:
    """Where it comes from, without what may be a password."""
    return re.sub(r"//[^/@\s]+@", "//…@", shown(each))


def _unproven(held: Listing) -> Iterator[Finding]:
    bare = [each for each in held.packages if each.hashed is False and held.ecosystem not in ("images", "actions")]
    if bare:
        names = ", ".join(each.name for each in bare[:5])
        more = f" and {len(bare) - 5} more" if len(bare) > 5 else ""
        yield finding(
            held,
            bare[0].line,
            MEDIUM,
            Tag.MISSING_INTEGRITY,
            f"{len(bare)} of {len(held.packages)} packages have no hash: {names}{more}",
            "Make the lock file anew.",
        )


def _twice(held: Listing) -> Iterator[Finding]:
    seen: dict[tuple[str, bool], Wanted] = {}
    if held.kind in ("lock", "sums", "image", "workflow"):
        return
    for each in held.packages:
        key = (normal(held.ecosystem, each.name), each.dev)
        before = seen.setdefault(key, each)
        if (
            before is each
            or each.source == "path"
            or each.marked
            or before.marked
            or (held.ecosystem == "pypi" and each.dev)
            or held.ecosystem in ("go", "maven")
        ):
            continue
        same = before.wanted == each.wanted
        yield finding(
            held,
            each.line,
            LOW if same else MEDIUM,
            Tag.DUPLICATION if same else Tag.VERSION_CONFLICT,
            f"{each.name} stands twice (first in line {before.line})"
            + ("" if same else f", as {before.wanted or 'any'} and {each.wanted or 'any'}"),
            "Keep one.",
        )


def _names(held: Listing) -> Iterator[Finding]:
    reported: set[str] = set()
    for each in held.packages[:5000]:
        if each.source != "registry" or each.name in reported:
            continue
        like = lookalike(held.ecosystem, each.name)
        if like:
            reported.add(each.name)
            squat = normal(held.ecosystem, each.name) in SQUATS.get(held.ecosystem, ())
            yield finding(
                held,
                each.line,
                HIGH if squat else MEDIUM if held.kind != "lock" else LOW,
                Tag.LOOKALIKE_NAME,
                f"{each.name} can be taken for {like}" + (", and is known for that" if squat else ""),
                f"Check that it is meant; the well-known one is {like}.",
            )


def _misplaced(held: Listing) -> Iterator[Finding]:
    if held.kind != "manifest":
        return
    tools = [
        each
        for each in held.packages
        if not each.dev and normal(held.ecosystem, each.name) in DEVELOPMENT.get(held.ecosystem, ())
    ]
    if tools:
        yield finding(
            held,
            tools[0].line,
            LOW,
            Tag.STYLE,
            f"Tools of developers among what the product needs: {', '.join(each.name for each in tools[:8])}",
            "Move them to the development group.",
        )


def _known(held: Listing) -> Iterator[Finding]:
    reported: set[tuple[str, str, str]] = set()
    for each in held.packages:
        held_version = exact(held.ecosystem, held.kind, each.wanted)
        replaced = held.ecosystem == "go" and each.source != "registry"
        if not held_version or held.kind == "sums" or replaced:
            continue
        for weakness in weaknesses(held.ecosystem, each.name, held_version):
            key = (each.name, held_version, weakness.identifier)
            if key in reported:
                continue
            reported.add(key)
            severity = (
                member(Severity, weakness.severity)
                if not each.dev
                else LOW
                if weakness.severity != "critical"
                else MEDIUM
            )
            yield finding(
                held,
                each.line,
                severity,
                Tag.KNOWN_VULNERABILITY,
                f"{each.name} {held_version}: {weakness.identifier}, {weakness.about}",
                _mended(weakness.affected, held_version),
            )


def _mended(affected: str, held: str) -> str:
    if affected == "*":
        return "Replace it by another package."
    if affected.startswith("="):
        return "Move away from this version at once, and look at what it has done."
    bounds = [part.split()[-1].lstrip("<") for part in affected.split("/")]
    fitting = [bound for bound in bounds if admits(f"<{bound}", "", held)]
    return f"Use {fitting[0] if fitting else bounds[-1]} or later."


def _ended(held: Listing, today: date) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for each in held.runtimes:
        bounds = re.findall(r"(>=|>|\^|~=|~>|~|==|=|<=|<|!=)?\s*v?(\d[\w.]*|[a-z]{4,})", each.wanted.partition("||")[0])
        lowest = next((number for mark, number in bounds if mark not in ("<", "<=", "!=")), "")
        floor = any(mark in (">=", ">", "^") and number == lowest for mark, number in bounds)
        ended = lifetimes.end(each.product, lowest) if lowest else None
        if ended is None or ended[1] > today or (each.product, ended[0]) in seen:
            continue
        seen.add((each.product, ended[0]))
        message = f"{each.product} {ended[0]} {'is still admitted, and' if floor else 'is asked for, and'} has not been maintained since {ended[1].isoformat()}"
        yield finding(
            held,
            each.line,
            LOW if floor else HIGH if (today - ended[1]).days > 365 else MEDIUM,
            Tag.END_OF_LIFE,
            message,
            "Raise the lowest version." if floor else "Move to a maintained version.",
            f"{each.product} {each.wanted}",
        )


def _licenses(held: Listing) -> Iterator[Finding]:
    strict: dict[str, list[str]] = defaultdict(list)
    for each in held.packages:
        if (
            each.license
            and not each.dev
            and _STRICT.search(each.license)
            and not _WEAK.search(each.license)
            and " OR " not in each.license
        ):
            strict[each.license].append(each.name)
    for license_, names in sorted(strict.items()):
        yield finding(
            held,
            0,
            LOW,
            Tag.OBLIGATIONS,
            f"{license_}: {', '.join(names[:6])}{f' and {len(names) - 6} more' if len(names) > 6 else ''}",
            "Check that its terms fit how the product is given to others.",
        )
