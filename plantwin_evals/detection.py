"""Detection measured: recall and precision on labelled rows, false alarms and speed on source trees.

Labelled rows are read where they lie. A row's text is kept only where misses are asked for.
"""

from __future__ import annotations

import gzip
import json
import sysconfig
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plantwin.errors import InputError
from plantwin.private.detect import Detector
from plantwin.private.detect.summary import CONFIDENCES
from plantwin.private.facts import Finding

SECRETS = "secrets-dev.jsonl.gz"
PEOPLE = "pii-dev.jsonl.gz"
STRUCTURED = ("EMAIL_ADDRESS", "PHONE_NUMBER", "CREDIT_CARD", "IP_ADDRESS", "DOMAIN_NAME", "ZIP_CODE", "DATE_TIME")
NAMED = ("PERSON", "ORGANIZATION", "STREET_ADDRESS")
SUFFIXES = frozenset({".py", ".pyi", ".txt", ".md", ".json", ".toml", ".c", ".h", ".js", ".html", ".css", ".cfg"})
LARGEST = 1 << 20
"""Larger files of a tree are left out: they are data, not source."""


class Source(NamedTuple):
    """A file of a tree."""

    path: Path
    name: str
    """Below the tree's root: folders above it say nothing about the file."""
    size: int


class Share(NamedTuple):
    """So many of so many."""

    found: int
    total: int

    @property
    def ratio(self) -> float:
        """Between 0 and 1; 1 of nothing."""
        return self.found / self.total if self.total else 1.0


class Level(NamedTuple):
    """What holds when findings of at least one confidence count, and others do not."""

    recall: Share
    """Positive rows with a secret."""
    quiet: Share
    """Negative rows without one."""

    @property
    def precision(self) -> Share:
        """Of the rows with a secret, those that are positive. There are far more positive rows than negative ones."""
        return Share(self.recall.found, self.recall.found + self.quiet.total - self.quiet.found)


class Secrets(msgspec.Struct, frozen=True):
    """Rows that hold a secret of a rule, and rows that look like one and do not."""

    rows: int
    levels: dict[str, Level]
    """By the least confidence that counts, the same for positive and negative rows."""
    any_finding: Share
    """Positive rows with a finding of whatever group: such a row is marked, if not for what it holds."""
    by_source: dict[str, Share]
    by_rule: dict[str, Share]
    missed: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()


class People(msgspec.Struct, frozen=True):
    """Sentences with labelled spans; a span is found when half of it is covered."""

    rows: int
    structured: Share
    named: Share
    by_type: dict[str, Share]
    quiet: Share
    """Of the rows without any span, those without a finding of at least medium confidence."""
    marked: float
    """The share of all bytes that findings cover: what finding everything everywhere would raise."""
    missed: tuple[str, ...] = ()


class Alarm(NamedTuple):
    """A secret of high confidence in a tree that should have none."""

    type: str
    path: str
    line: int


class Tree(msgspec.Struct, frozen=True):
    """Source that should hold no secret."""

    files: int
    bytes: int
    seconds: float
    """Processor time of the quicker of two passes."""
    findings: dict[str, int]
    """By group and confidence."""
    alarms: tuple[Alarm, ...]

    @property
    def rate(self) -> float:
        """Megabytes a second on one core."""
        return self.bytes / self.seconds / 1e6 if self.seconds else 0.0

    @property
    def alarms_in_2000(self) -> float:
        """Secrets of high confidence per 2,000 files."""
        return len(self.alarms) * 2000 / self.files if self.files else 0.0


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of one corpus."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
    except (OSError, ValueError, EOFError):
        raise InputError(f"{path.name}: not a corpus that can be read") from None


def secrets(labelled: Iterable[dict[str, Any]], detector: Detector, misses: int = 0) -> Secrets:
    """Recall over positive rows, and how many negative ones are left alone."""
    count = marked = 0
    hits, totals = Counter[str](), Counter[str]()
    best: dict[str, list[int]] = {"positive": [], "negative": []}
    sources: dict[str, str] = {}
    missed: list[str] = []
    raised: list[str] = []
    for row in labelled:
        count += 1
        found = detector.scan(row["text"].encode())
        named = [each for each in found if each.group == "secret"]
        strongest = max((CONFIDENCES.index(each.confidence) for each in named), default=-1)
        best[row["label"]].append(strongest)
        rule = row["rule"]
        if row["label"] == "positive":
            sources[rule] = row["source"]
            totals[rule] += 1
            hits[rule] += bool(named)
            marked += bool(found)
            if not named and len(missed) < misses:
                missed.append(f"{rule}: {row['text'][:150]!r}")
            continue
        if named and len(raised) < misses:
            raised.append(f"{rule}: {named[0].type} {CONFIDENCES[strongest]}: {row['text'][:120]!r}")
    by_rule = {rule: Share(hits[rule], totals[rule]) for rule in sorted(totals)}
    return Secrets(
        rows=count,
        levels={
            word: Level(
                Share(sum(each >= level for each in best["positive"]), len(best["positive"])),
                Share(sum(each < level for each in best["negative"]), len(best["negative"])),
            )
            for level, word in enumerate(CONFIDENCES)
        },
        any_finding=Share(marked, totals.total()),
        by_source={
            source: _sum(share for rule, share in by_rule.items() if sources[rule] == source)
            for source in sorted(set(sources.values()))
        },
        by_rule=by_rule,
        missed=tuple(missed),
        raised=tuple(raised),
    )


def people(labelled: Iterable[dict[str, Any]], detector: Detector, misses: int = 0) -> People:
    """Span recall by type, in sentences about people."""
    count = covered = size = empty = quiet = 0
    hits, totals = Counter[str](), Counter[str]()
    missed: list[str] = []
    for row in labelled:
        count += 1
        text = row["text"]
        found = [each for each in detector.scan(text.encode()) if each.group != "secret"]
        covered += sum(each.end - each.start for each in found)
        size += len(text.encode())
        if not row["spans"]:
            empty += 1
            quiet += all(each.confidence == "low" for each in found)
        for start, end, type_ in row["spans"]:
            totals[type_] += 1
            if _half(text, start, end, found):
                hits[type_] += 1
            elif type_ in STRUCTURED + NAMED and len(missed) < misses:
                missed.append(f"{type_}: {text[max(0, start - 40) : end + 20]!r}: {text[start:end]!r}")
    by_type = {type_: Share(hits[type_], totals[type_]) for type_ in sorted(totals)}
    return People(
        rows=count,
        structured=_sum(share for type_, share in by_type.items() if type_ in STRUCTURED),
        named=_sum(share for type_, share in by_type.items() if type_ in NAMED),
        by_type=by_type,
        quiet=Share(quiet, empty),
        marked=covered / size if size else 0.0,
        missed=tuple(missed),
    )


def _half(text: str, start: int, end: int, found: list[Finding]) -> bool:
    first = len(text[:start].encode())
    last = first + len(text[start:end].encode())
    return 2 * sum(max(0, min(last, each.end) - max(first, each.start)) for each in found) >= last - first


def _sum(shares: Iterable[Share]) -> Share:
    both = list(shares)
    return Share(sum(each.found for each in both), sum(each.total for each in both))


def sources(folders: Iterable[Path]) -> list[Source]:
    """The source files of trees, in the order of their paths."""
    found = []
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"no such folder: '{folder}'")
        for path in sorted(folder.rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and not path.is_symlink():
                size = path.stat().st_size
                if size < LARGEST:
                    found.append(Source(path, str(path.relative_to(folder)), size))
    return found


def standard_library() -> list[Source]:
    """Source that is on every machine: the standard library, without what was installed into it."""
    home = Path(sysconfig.get_path("stdlib"))
    return [each for each in sources([home]) if not {"site-packages", "dist-packages"} & {*each.path.parts}]


def tree(files: list[Source], detector: Detector) -> Tree:
    """Two passes over source files: speed from the quicker one, findings from the last."""
    best = float("inf")
    for _ in range(2):
        counts: Counter[str] = Counter()
        alarms: list[Alarm] = []
        seconds = 0.0
        size = 0
        for file in files:
            data = file.path.read_bytes()
            size += len(data)
            begin = time.process_time()
            found = detector.scan(data, path=file.name)
            seconds += time.process_time() - begin
            for each in found:
                counts[f"{each.group} {each.confidence}"] += 1
                if each.group == "secret" and each.confidence == "high":
                    alarms.append(Alarm(each.type, str(file.path), data.count(b"\n", 0, each.start) + 1))
        best = min(best, seconds)
    return Tree(len(files), size, best, dict(sorted(counts.items())), tuple(alarms))
