"""Accepted findings, by fingerprints that stay when lines move. The file holds no value of a finding."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec.structs import replace

from plantwin.errors import InputError
from plantwin.private.facts import private
from plantwin.private.report.full import sound
from plantwin.private.report.model import Overview
from plantwin.private.state import State
from plantwin.text import plural
from plantwin.vocabulary import CapabilityName as Can

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Finding
    from plantwin.run import Run


_name = re.compile(r"\d{8}-\d{6}-[0-9a-f]{16}")


@private
class Kept(NamedTuple):
    """One report."""

    path: Path
    data: Path
    """Every finding as JSON."""
    told: dict[str, Any]

    @property
    def root(self) -> Path:
        """The folder that it is about."""
        return Path(str(self.told.get("root", "")))


def reports(state: State) -> Iterator[Kept]:
    """Every report that can be read."""
    for path in sorted(state.subfolder("reports").glob("*.md"), reverse=True):
        data = path.with_suffix(".json")
        if not _name.fullmatch(path.stem):
            continue
        try:
            told = json.loads(data.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(told, dict):
            yield Kept(path, data, told)


FORMAT = 1
LIMIT = 64 << 20
"""Bytes of a baseline, or of what one is made from, at most."""


class Fingerprints:
    """Fingerprints of findings in the order of a report: of two alike in one file the order tells which is which."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, *parts: str) -> str:
        """The fingerprint of what these parts say."""
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._seen[digest] += 1
        return f"{digest}:{self._seen[digest]}"

    def of_finding(self, finding: Finding | dict[str, Any], sort: str) -> str:
        """The fingerprint of a finding of a report. `sort`: its rule, or what it shares with others of its sort."""
        told = finding if isinstance(finding, dict) else {name: getattr(finding, name) for name in _PARTS}
        return self.of(sort, *(sound(str(told[name])) for name in _PARTS))


_PARTS = ("name", "tag", "message")


def read(path: str) -> frozenset[str]:
    """The accepted fingerprints of a baseline file."""
    try:
        tree = json.loads(text_of(path))
        if tree["format"] == FORMAT:
            return frozenset(str(row["fingerprint"]) for row in tree["accepted"])
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InputError(f"'{path}' is no baseline: make one with `plantwin baseline write`")


def text_of(path: str) -> str:
    """A file that is not too large."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from None
    if len(data) > LIMIT:
        raise InputError(f"'{path}' is larger than {LIMIT >> 20} MiB")
    return data.decode("utf-8", "replace")


def rows(text: str) -> list[dict[str, Any]]:
    """What to accept of a report of `run` or `do`, or of the lines of `detect --json`."""
    prints = Fingerprints()
    try:
        try:
            tree = json.loads(text)
        except ValueError:
            tree = [json.loads(line) for line in text.splitlines() if line.strip()]
        if isinstance(tree, dict) and "findings" in tree:
            found = [(one, one["rule"] or f"{one['by'][0]}/{one['tag']}") for one in tree["findings"]]
            return [_row(prints.of_finding(one, sort), sort, one["name"], one["line"]) for one, sort in found]
        detected = tree if isinstance(tree, list) else [tree]
        return [_row(detected_print(prints, one), one["type"], one["path"], one["line"]) for one in detected]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise InputError("neither a report of `run` or `do` nor lines of `detect --json`") from None


def detected_print(prints: Fingerprints, told: dict[str, Any]) -> str:
    """The fingerprint of what detection found: of the masked value, never of the value."""
    return prints.of(*(str(told[name]) for name in ("type", "path", "preview")))


def _row(fingerprint: str, rule: str, path: str, line: int) -> dict[str, Any]:
    return {"fingerprint": fingerprint, "rule": rule, "path": path, "line": line}


def document(accepted: Iterable[dict[str, Any]]) -> bytes:
    """A baseline file: sorted, so that a change of it reads well in a review."""
    every = {row["fingerprint"]: row for row in accepted}
    ordered = sorted(every.values(), key=lambda row: (row["path"], row["rule"], row["line"], row["fingerprint"]))
    return json.dumps({"format": FORMAT, "accepted": ordered}, indent=1).encode("ascii") + b"\n"


def accept(run: Run, accepted: frozenset[str]) -> int:
    """Take accepted findings out of all results of a run; return how many there were."""
    prints = Fingerprints()
    known = [one for one in Overview.of(run).findings if prints.of_finding(one.finding, one.sort) in accepted]
    keys = {_key(one.finding) for one in known}
    for place, result in run.results.items():
        if any(_key(finding) in keys for finding in result.findings):
            run.results[place] = replace(
                result, findings=[finding for finding in result.findings if _key(finding) not in keys]
            )
    return len(known)


def _key(finding: Finding) -> tuple[str, int, str]:
    """One rule at one line is one finding, whoever made it."""
    return finding.name, finding.line, finding.rule or f"{finding.tag}\0{finding.message}"


OBEY: Final = frozenset([Can.LINT, Can.SECURITY_AUDIT, Can.AUDIT_INFRASTRUCTURE, Can.VALIDATE_CONFIG])
"""Capabilities whose engines leave out what a comment says."""
MOST_FILES: Final = 5000
MOST_BYTES: Final = 1 << 20
"""Files that are looked at, and how much of each: it must not take longer than the work itself."""
_comment = re.compile(
    rb"#\s*(noqa)\b|((?:eslint|oxlint)-disable)|(checkov:skip)|(hadolint\s+ignore|shellcheck\s+disable)"
)


def silenced(root: Path, paths: Iterable[str]) -> str:
    """A sentence about the comments in these files that switch checks off; nothing where there are none."""
    found: Counter[str] = Counter()
    for path in sorted(set(paths))[:MOST_FILES]:
        try:
            with (root / path).open("rb") as file:
                data = file.read(MOST_BYTES)
        except OSError:
            continue
        if b"\0" not in data[:4096]:
            found.update(b" ".join(filter(None, match.groups())).decode() for match in _comment.finditer(data))
    if not found:
        return ""
    listed = ", ".join(f"{number:,} {word}" for word, number in found.most_common())
    verb = plural(found.total(), "comment switches", "comments switch")
    return f"{verb} checks off in these files ({listed}): what they silence is not among the findings"
