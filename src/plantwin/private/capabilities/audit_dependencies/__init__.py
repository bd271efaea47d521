"""Audit dependencies: every manifest and lock file by its reader, rules on each and on all together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime

from plantwin.private.capabilities.audit_dependencies import containers, javascript, others, python, rules
from plantwin.private.capabilities.audit_dependencies.advisories import Advisories, Extract, known
from plantwin.private.capabilities.audit_dependencies.manifest import Manifest, normalize
from plantwin.private.capabilities.audit_dependencies.tables import end_of_life
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import MOST_FINDINGS, code, failed, plain
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.vocabulary import OutcomeTag

TITLE = "Dependency audit"
READ = 8 << 20
"""Bytes of one file: lock files are long."""

Reader = Callable[[str, str], Manifest]
_READERS: dict[Reader, tuple[str, ...]] = {
    python.pyproject: ("pyproject.toml",),
    python.pipfile: ("Pipfile",),
    python.pipfile_lock: ("Pipfile.lock",),
    python.toml_lock: ("poetry.lock", "uv.lock", "pdm.lock"),
    python.setup_cfg: ("setup.cfg",),
    javascript.package_json: ("package.json",),
    javascript.package_lock: ("package-lock.json", "npm-shrinkwrap.json", ".package-lock.json"),
    javascript.yarn_lock: ("yarn.lock",),
    javascript.pnpm_lock: ("pnpm-lock.yaml",),
    others.go_mod: ("go.mod",),
    others.go_sum: ("go.sum",),
    others.cargo_toml: ("Cargo.toml",),
    others.cargo_lock: ("Cargo.lock",),
    others.gemfile: ("Gemfile",),
    others.gemfile_lock: ("Gemfile.lock",),
    others.composer_json: ("composer.json",),
    others.composer_lock: ("composer.lock",),
    others.pom: ("pom.xml",),
    others.gradle: ("build.gradle", "build.gradle.kts"),
    containers.version_file: (
        ".python-version", ".nvmrc", ".node-version", ".ruby-version", ".java-version", ".tool-versions", "runtime.txt",
    ),
}  # fmt: skip
_READER_OF = {name: reader for reader, names in _READERS.items() for name in names}
_REQUIREMENTS = re.compile(r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in|pip)")
_LOCKS = {
    "npm": ("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json", "bun.lock", "bun.lockb"),
    "pypi": ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock", "requirements.lock"),
    "cargo": ("Cargo.lock",),
    "rubygems": ("Gemfile.lock",),
    "packagist": ("composer.lock",),
}


def run(job: Job) -> Result:
    """Return the result of auditing the inputs."""
    read: list[tuple[Source, Manifest]] = []
    state: list[OutcomeTag] = []
    notes: list[str] = []
    for given in job.inputs:
        file = source(given, READ)
        if file.truncated:
            state.append(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {plain(file.label)} were examined.")
        reader = None if file.binary else reader_of(given.name, file.format, file.text)
        if reader is None:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(file.label)} is no list of dependencies that is read here.")
            continue
        manifest = reader(given.name, file.text)
        if not manifest.parsed and not file.truncated:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{plain(file.label)} does not parse as {file.format}.")
        read.append((file, manifest))
    if not read:
        return failed(TITLE, " ".join(notes), [OutcomeTag.UNPARSABLE])
    manifests = [manifest for _, manifest in read]
    advisories = known(str(job.options.get("advisories") or ""))
    ends = end_of_life().as_of.isoformat()
    unknown = _unknown(manifests, advisories)
    limits = f"Ends of life come from a table of {ends}. Nothing was looked up in a network."
    return concluded(
        job,
        TITLE,
        [Examined(file, found) for (file, _), found in zip(read, _findings(job, manifests, advisories), strict=True)],
        tool="built-in rules and published advisories (OSV)",
        state=state,
        partial=bool(unknown),
        notes=[*notes, *_licenses(manifests), *_examined(manifests, advisories), *unknown, limits],
        tables=_table(manifests),
        facts={
            "advisories_as_of": {name: each.as_of for name, each in sorted(advisories.items())},
            "end_of_life_as_of": ends,
            "packages": {file.label: len(manifest.packages) for file, manifest in read},
        },
        per_rule=MOST_FINDINGS,
    )


def reader_of(path: str, format: str, text: str) -> Reader | None:
    """Return what reads a file, by its name and then by what it holds."""
    name = path.rpartition("/")[2]
    if name in _READER_OF:
        return _READER_OF[name]
    if format == "requirements" or _REQUIREMENTS.fullmatch(name):
        return python.requirements
    if format == "dockerfile":
        return containers.dockerfile
    uses_actions = format == "yaml" and re.search(r"(?m)^[ \t]*+-?[ \t]*+uses:[ \t]*+\S+@", text[:100_000])
    if uses_actions or re.search(r"(?:^|/)\.github/(?:workflows|actions)/", path):
        return containers.workflow
    if format == "yaml" and re.search(r"(?m)^[ \t]*+-?[ \t]*+image:\s*+\S", text[:200_000]):
        return containers.compose
    return None


def _findings(job: Job, manifests: list[Manifest], advisories: Advisories) -> list[list[Finding]]:
    """Return the findings of each manifest."""
    beside = {near.name for near in job.surroundings.objects} | {given.name for given in job.inputs}
    given = job.options.get("today")
    today = date.fromisoformat(given) if isinstance(given, str) else datetime.now(UTC).date()
    joint = list(rules.joint_findings(manifests))
    return [
        [
            *rules.findings(manifest, advisories, locked=_is_locked(manifest, beside), today=today),
            *(finding for other, finding in joint if other is manifest),
        ]
        for manifest in manifests
    ]


_REGISTRIES = frozenset(("pypi", "npm", "go", "maven", "cargo", "rubygems", "packagist"))


def _examined(manifests: list[Manifest], advisories: Advisories) -> list[str]:
    """Return a note for each registry: how many packages were compared with advisories, and of what day."""
    lines = []
    whole = {ecosystem for ecosystem, extract in advisories.items() if not extract.about}
    for ecosystem in sorted({manifest.ecosystem for manifest in manifests} & whole):
        concerned = [manifest for manifest in manifests if manifest.ecosystem == ecosystem]
        packages = sum(len(manifest.packages) for manifest in concerned)
        compared = sum(len(rules.exact_versions(manifest)) for manifest in concerned)
        open_ = packages - compared
        rest = f" {open_} without an exact version were not checked." if open_ else ""
        lines.append(
            f"{compared} of {packages} {ecosystem} packages were compared with advisories published up to "
            f"{advisories[ecosystem].as_of} (`plantwin advisories` brings newer ones).{rest}"
        )
    return lines


def _unknown(manifests: list[Manifest], advisories: Advisories) -> list[str]:
    """Return a note for each registry for some of whose packages no advisories are there."""
    counts = Counter[str]()
    for manifest in manifests:
        known = advisories.get(manifest.ecosystem)
        if manifest.ecosystem in _REGISTRIES and manifest.kind != "sums" and (known is None or known.about):
            names = [normalize(manifest.ecosystem, package.name) for package in manifest.packages]
            counts[manifest.ecosystem] += sum(known is None or name not in known.packages for name in names)
    return [_unchecked(name, count, advisories.get(name)) for name, count in sorted(counts.items()) if count]


def _unchecked(registry: str, count: int, known: Extract | None) -> str:
    more = "`plantwin advisories update --from PATH` imports more"
    if known is None:
        return f"No advisory data for {registry}: {count:,} packages not checked for known vulnerabilities ({more})."
    some = f"advisories for {registry} are of some packages only"
    return f"{count:,} {registry} packages not checked: {some} ({known.about}, published up to {known.as_of}; {more})."


def _is_locked(manifest: Manifest, beside: set[str]) -> bool:
    """Tell whether a lock file of its ecosystem lies in the same folder, or at the top of a workspace."""
    names = _LOCKS.get(manifest.ecosystem, ())
    return any(f"{folder}/{name}".lstrip("/") in beside for folder in {manifest.folder, ""} for name in names)


def _table(manifests: list[Manifest]) -> list[str]:
    rows = []
    for manifest in manifests:
        elsewhere = sum(package.source != "registry" for package in manifest.packages)
        counts = (len(manifest.packages), sum(package.dev for package in manifest.packages), elsewhere)
        rows.append([code(manifest.path, 80), manifest.ecosystem, manifest.kind, *map(str, counts)])
    return table(["File", "Registry", "Kind", "Packages", "For development", "Not from the registry"], rows)


def _licenses(manifests: list[Manifest]) -> list[str]:
    """Return notes about the licences that files state."""
    lines = []
    own = [f"{plain(manifest.path)}: {plain(manifest.license)}" for manifest in manifests if manifest.license]
    if own:
        lines.append(f"Licence stated by {'; '.join(own)}.")
    stated = Counter(package.license for manifest in manifests for package in manifest.packages if package.license)
    if stated:
        counts = ", ".join(f"{plain(name, 60)} {times}" for name, times in stated.most_common(12))
        lines.append(f"Licences of packages, where stated: {counts}.")
    return lines
