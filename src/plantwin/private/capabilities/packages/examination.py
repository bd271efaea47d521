"""One audit of dependencies: every manifest and lock file by its reader, rules on each and on all together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime

from plantwin.private.capabilities.common.report import (
    MOST_FINDINGS,
    code,
    counted,
    failed,
    findings_text,
    ordered,
    outcome,
    plain,
)
from plantwin.private.capabilities.common.source import source
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.private.capabilities.packages import delivery, javascript, known, lifetimes, others, pairs, python, rules
from plantwin.private.capabilities.packages.entry import Listing
from plantwin.vocabulary import OutcomeTag

TITLE = "Dependency audit"
READ = 8 << 20
"""Bytes of one file: lock files are long."""

Reader = Callable[[str, str, str], Listing]
_NAMES: dict[str, Reader] = {
    "pyproject.toml": python.pyproject,
    "Pipfile": python.pipfile,
    "Pipfile.lock": python.pipfile_lock,
    "poetry.lock": python.toml_lock,
    "uv.lock": python.toml_lock,
    "pdm.lock": python.toml_lock,
    "setup.cfg": python.setup_cfg,
    "package.json": javascript.package_json,
    "package-lock.json": javascript.package_lock,
    "npm-shrinkwrap.json": javascript.package_lock,
    ".package-lock.json": javascript.package_lock,
    "yarn.lock": javascript.yarn_lock,
    "pnpm-lock.yaml": javascript.pnpm_lock,
    "go.mod": others.go_mod,
    "go.sum": others.go_sum,
    "Cargo.toml": others.cargo_toml,
    "Cargo.lock": others.cargo_lock,
    "Gemfile": others.gemfile,
    "Gemfile.lock": others.gemfile_lock,
    "composer.json": others.composer_json,
    "composer.lock": others.composer_lock,
    "pom.xml": others.pom,
    "build.gradle": others.gradle,
    "build.gradle.kts": others.gradle,
    ".python-version": delivery.version_file,
    ".nvmrc": delivery.version_file,
    ".node-version": delivery.version_file,
    ".ruby-version": delivery.version_file,
    ".java-version": delivery.version_file,
    ".tool-versions": delivery.version_file,
    "runtime.txt": delivery.version_file,
}
_LOCKS = {
    "npm": ("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json", "bun.lock", "bun.lockb"),
    "pypi": ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "requirements.lock"),
    "cargo": ("Cargo.lock",),
    "rubygems": ("Gemfile.lock",),
    "packagist": ("composer.lock",),
}


def reader(path: str, format: str, text: str) -> Reader | None:
    """What reads a file, by its name and then by what it holds."""
    base = path.rpartition("/")[2]
    if base in _NAMES:
        return _NAMES[base]
    if format == "requirements" or re.fullmatch(
        r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in|pip)", base
    ):
        return python.requirements
    if format == "dockerfile":
        return delivery.dockerfile
    if re.search(r"(?:^|/)\.github/(?:workflows|actions)/", path) or (
        format == "yaml" and re.search(r"(?m)^\s*-?\s*uses:\s*\S+@", text[:100_000])
    ):
        return delivery.workflow
    if format == "yaml" and re.search(r"(?m)^\s*-?\s*image:\s*\S", text[:200_000]):
        return delivery.compose
    return None


def examine(job: Job) -> Result:
    """The result of auditing the inputs."""
    listings: list[Listing] = []
    state: set[OutcomeTag] = set()
    notes: list[str] = []
    for given in job.inputs:
        each = source(given, READ)
        if each.truncated:
            state.add(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {plain(each.label)} were examined.")
        read = None if each.binary else reader(given.name, each.format, each.text)
        if read is None:
            state.add(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(each.label)} is no list of dependencies that is read here.")
            continue
        held = read(each.label, given.name, each.text)
        if not held.sound and not each.truncated:
            state.add(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(each.label)} does not parse as {each.format}.")
        listings.append(held)
    if not listings:
        return failed(TITLE, " ".join(notes), [OutcomeTag.UNPARSABLE])
    beside = {neighbour.name for neighbour in job.surroundings.objects} | {given.name for given in job.inputs}
    today = _today(job)
    found: list[Finding] = []
    for held in listings:
        found += rules.one(held, _locked(held, beside), today)
    found += pairs.together(listings)
    unique = ordered(found)
    listed = unique[:MOST_FINDINGS]
    told = [tag.value for tag in (OutcomeTag.TRUNCATED, OutcomeTag.UNPARSABLE) if tag in state]
    text = [
        *_table(listings),
        "",
        f"{counted(unique)}.",
        "",
        findings_text(listed, len(unique)),
        "",
        *notes,
        *_licenses(listings),
        "",
        _limits(),
    ]
    return Result(
        outcome=outcome(unique, state=told, partial=bool(state)),
        title=TITLE,
        findings=listed,
        facts={
            "tool": "built-in rules and tables",
            "examined": [held.label for held in listings],
            "weaknesses_as_of": known.AS_OF.isoformat(),
            "lifetimes_as_of": lifetimes.AS_OF.isoformat(),
            "packages": {held.label: len(held.packages) for held in listings},
            "notes": notes,
        },
        text="\n".join(text).strip() + "\n",
    )


def _today(job: Job) -> date:
    given = job.options.get("today")
    return date.fromisoformat(given) if isinstance(given, str) else datetime.now(UTC).date()


def _locked(held: Listing, beside: set[str]) -> bool:
    """Whether a lock file of its ecosystem lies in the same folder, or at the top of a workspace."""
    folders = {held.folder, ""}
    return any(
        f"{folder}/{name}".lstrip("/") in beside for folder in folders for name in _LOCKS.get(held.ecosystem, ())
    )


def _table(listings: list[Listing]) -> list[str]:
    rows = [
        "| File | Registry | Kind | Packages | For development | Not from the registry |",
        "|---|---|---|---:|---:|---:|",
    ]
    for held in listings:
        away = sum(each.source != "registry" for each in held.packages)
        rows.append(
            f"| {code(held.label, 80)} | {held.ecosystem} | {held.kind} | {len(held.packages)} "
            f"| {sum(each.dev for each in held.packages)} | {away} |"
        )
    return rows


def _licenses(listings: list[Listing]) -> list[str]:
    stated = Counter(each.license for held in listings for each in held.packages if each.license)
    own = [f"{plain(held.label)}: {plain(held.license)}" for held in listings if held.license]
    lines = [f"Licence stated by {'; '.join(own)}."] if own else []
    if stated:
        lines.append(
            "Licences of packages, where stated: "
            + ", ".join(f"{plain(name, 60)} {times}" for name, times in stated.most_common(12))
            + "."
        )
    return ["", *lines] if lines else []


def _limits() -> str:
    return (
        f"Known weaknesses come from a small table of {known.AS_OF.isoformat()} and ends of life from one of "
        f"{lifetimes.AS_OF.isoformat()}: what is not listed is not thereby sound. Nothing was looked up in a network."
    )
