"""Read OSV advisories from a folder or a zip archive of JSON or YAML files, as their publishers export them."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import msgspec

from plantwin.errors import InputError
from plantwin.private.capabilities.audit_dependencies.advisories import Advisories, Advisory, Extract
from plantwin.private.capabilities.audit_dependencies.manifest import normalize
from plantwin.vocabulary import Severity

ECOSYSTEMS = {
    "PyPI": "pypi",
    "npm": "npm",
    "Go": "go",
    "Maven": "maven",
    "crates.io": "cargo",
    "RubyGems": "rubygems",
    "Packagist": "packagist",
}
UNDATED = "2000-01-01"
"""The day of what states none."""
LARGEST = 4 << 20
"""Bytes of one advisory."""
_WORDS = {"LOW": Severity.LOW, "MODERATE": Severity.MEDIUM, "MEDIUM": Severity.MEDIUM, "HIGH": Severity.HIGH,
          "CRITICAL": Severity.CRITICAL}  # fmt: skip
_CVSS = {
    "AV": {"N": 0.85, "A": 0.62, "L": 0.55, "P": 0.2},
    "AC": {"L": 0.77, "H": 0.44},
    "UI": {"N": 0.85, "R": 0.62},
    "C": {"H": 0.56, "L": 0.22, "N": 0.0},
    "I": {"H": 0.56, "L": 0.22, "N": 0.0},
    "A": {"H": 0.56, "L": 0.22, "N": 0.0},
}
"""Weights of CVSS 3.1, section 7.4."""
_PRIVILEGES = {"U": {"N": 0.85, "L": 0.62, "H": 0.27}, "C": {"N": 0.85, "L": 0.68, "H": 0.5}}


def extracts(path: Path, as_of: str = "") -> Advisories:
    """Return the advisories of an export, by ecosystem; `as_of` where the files do not tell their date."""
    packages: dict[str, dict[str, list[Advisory]]] = {}
    newest: dict[str, str] = {}
    for document, written in _documents(path):
        day = max(_day(_text(document, "modified") or _text(document, "published")), UNDATED)
        day = day if day > UNDATED else max(_day(written), UNDATED)
        try:
            found = list(rows(document))
        except (AttributeError, TypeError):
            continue  # not in the form of an advisory
        for ecosystem, name, advisory in found:
            packages.setdefault(ecosystem, {}).setdefault(normalize(ecosystem, name), []).append(advisory)
            newest[ecosystem] = max(newest.get(ecosystem, ""), day)
    if not packages:
        raise InputError(f"{path.name}: no OSV advisories found; a folder or zip of OSV JSON or YAML files is needed")
    return {
        ecosystem: Extract(
            as_of=as_of or newest[ecosystem],
            source=path.name,
            packages={name: tuple(sorted(known, key=lambda row: row.id)) for name, known in sorted(by_name.items())},
        )
        for ecosystem, by_name in packages.items()
    }


def _documents(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every advisory with the day its file was written."""
    try:
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.suffix in (".json", ".yaml", ".yml") and file.is_file() and file.stat().st_size <= LARGEST:
                    day = datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat()
                    yield from ((document, day) for document in _parsed(file.name, file.read_bytes()))
            return
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if entry.filename.endswith((".json", ".yaml", ".yml")) and entry.file_size <= LARGEST:
                    day = "{:04}-{:02}-{:02}".format(*entry.date_time[:3])
                    yield from ((document, day) for document in _parsed(entry.filename, archive.read(entry)))
    except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path.name} cannot be read as a folder or zip archive of advisories: {error}") from None


def _day(text: str) -> str:
    """Return the day that a time begins with; empty where it is none."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""


def _text(document: Mapping[str, Any], key: str) -> str:
    """Return a text of a document; a list of lists that YAML repeats would be endless as a text."""
    found = document.get(key)
    return found if isinstance(found, str) else ""


def _parsed(name: str, data: bytes) -> Iterator[dict[str, Any]]:
    import yaml

    try:
        if name.endswith(".json"):
            found = msgspec.json.decode(data)
        else:
            # Dates stay text, as in JSON.
            found = yaml.load(data, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506
    except (ValueError, yaml.YAMLError, RecursionError):
        return
    if isinstance(found, dict) and isinstance(found.get("id"), str) and isinstance(found.get("affected"), list):
        yield found


def rows(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Advisory]]:
    """Yield what an advisory says of each package, with its registry and name."""
    if document.get("withdrawn"):
        return
    aliases = (alias for alias in document.get("aliases") or () if isinstance(alias, str))
    id = next((alias for alias in aliases if alias.startswith("CVE-")), document["id"])
    text = re.sub(r"\s+", " ", _text(document, "summary") or _text(document, "details")).strip()
    summary = re.split(r"(?<=[a-z)\]])\. ", text, maxsplit=1)[0][:120].rstrip(". ")
    for affected in document["affected"]:
        package = affected.get("package") or {}
        ecosystem = ECOSYSTEMS.get(_text(package, "ecosystem").partition(":")[0])
        name = package.get("name")
        if ecosystem is None or not isinstance(name, str):
            continue
        ranges = tuple(bounds for each in affected.get("ranges") or () for bounds in _ranges(each))
        versions = () if ranges else tuple(each for each in affected.get("versions") or () if isinstance(each, str))
        if ranges or versions:
            severity = _severity(document, affected)
            yield ecosystem, name, Advisory(id, severity, summary, ranges, versions)


def _ranges(given: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the affected stretches of a range; events come in order."""
    if given.get("type") not in ("ECOSYSTEM", "SEMVER"):
        return
    first = ""
    for event in given.get("events") or ():
        if "introduced" in event:
            first = _text(event, "introduced") or "0"
        elif "fixed" in event and first:
            yield first, _text(event, "fixed"), ""
            first = ""
        elif "last_affected" in event and first:
            yield first, "", _text(event, "last_affected")
            first = ""
    if first:
        yield first, "", ""


def _severity(document: Mapping[str, Any], affected: Mapping[str, Any]) -> Severity:
    """Return the stated severity, a word or the band of a CVSS 3 vector; medium where none is stated."""
    for place in (affected, document):
        for key in ("database_specific", "ecosystem_specific"):
            word = (place.get(key) or {}).get("severity")
            if isinstance(word, str) and word.upper() in _WORDS:
                return _WORDS[word.upper()]
    for rating in [*(affected.get("severity") or ()), *(document.get("severity") or ())]:
        score = cvss(_text(rating, "score"))
        if score is not None:
            bands = ((9.0, Severity.CRITICAL), (7.0, Severity.HIGH), (4.0, Severity.MEDIUM))
            return next((severity for least, severity in bands if score >= least), Severity.LOW)
    return Severity.MEDIUM


def cvss(vector: str) -> float | None:
    """Return the base score of a CVSS 3 vector; none where it is no such vector."""
    if not vector.startswith("CVSS:3"):
        return None
    given = dict(part.partition(":")[::2] for part in vector.split("/")[1:])
    try:
        weight = {metric: weights[given[metric]] for metric, weights in _CVSS.items()}
        changed = given["S"] == "C"
        privileges = _PRIVILEGES[given["S"]][given["PR"]]
    except KeyError:
        return None
    base = 1 - (1 - weight["C"]) * (1 - weight["I"]) * (1 - weight["A"])
    impact = 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 if changed else 6.42 * base
    if impact <= 0:
        return 0.0
    total = impact + 8.22 * weight["AV"] * weight["AC"] * privileges * weight["UI"]
    # Rounded up to one decimal, without the error of binary fractions (CVSS 3.1, appendix A).
    whole = round(min(total * (1.08 if changed else 1), 10) * 100_000)
    return (whole // 10_000 + (whole % 10_000 > 0)) / 10
