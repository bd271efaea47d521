"""Security of code: the lines that semgrep's public rules mark in their own tests, by our rules and by semgrep."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from benchmarks.capabilities.section import ABSENT, Section, measured, peer, sampled
from plantwin.private.capabilities import function
from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.engine.report import rank
from plantwin.vocabulary import Severity

LANGUAGES = {"javascript": (".js", ".jsx"), "typescript": (".ts", ".tsx"), "go": (".go",), "java": (".java",),
             "csharp": (".cs",), "php": (".php",), "ruby": (".rb",), "python": (".py",)}  # fmt: skip
_MARK = re.compile(r"(?://|#|/\*|<!--)\s*(ruleid|ok)\s*:\s*([\w-]+)")
MOST = 40
"""Tests of a language: semgrep takes a second for a few."""
NEAR = 3
"""Lines by which two tools may place one thing differently."""


class Marked(NamedTuple):
    """A test of rules: the lines that must be reported, and those that must not."""

    path: Path
    bad: list[int]
    good: list[int]


def cases(folder: Path, endings: tuple[str, ...]) -> Iterator[Marked]:
    """Return the tests of rules about security."""
    for path in sorted(folder.rglob("*")):
        rules = path.with_suffix(".yaml")
        if path.suffix not in endings or not rules.is_file():
            continue
        about = [rule.get("metadata", {}).get("category") for rule in yaml.safe_load(rules.read_text("utf-8"))["rules"]]
        lines: dict[str, list[int]] = {"ruleid": [], "ok": []}
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
            if found := _MARK.search(line):
                lines[found[1]].append(number + 1)
        if set(about) == {"security"} and lines["ruleid"]:
            yield Marked(path, lines["ruleid"], lines["ok"])


def counted(every: list[Marked], places: dict[str, set[int]]) -> list[str]:
    """Return how many marked lines are reported, and how many of those that are fine."""
    cells = []
    for lines in ("bad", "good"):
        near = 0 if lines == "good" else NEAR
        hits = sum(
            any(abs(line - other) <= near for other in places.get(str(case.path), ()))
            for case in every
            for line in getattr(case, lines)
        )
        cells.append(f"{hits} of {sum(len(getattr(case, lines)) for case in every)}")
    return cells


def ours(every: list[Marked]) -> tuple[dict[str, set[int]], float]:
    """Return the lines that our own rules report as medium or worse. Names of tests would lower them."""
    places: dict[str, set[int]] = {}
    done = measured("security_audit", Path("/"), [case.path for case in every], {})
    for result in done.results:
        for finding in result.findings:
            if rank(finding.severity) >= rank(Severity.MEDIUM.value):
                places.setdefault(f"/{finding.name}", set()).add(finding.line)
    return places, done.seconds


def semgrep(rules: Path, every: list[Marked]) -> tuple[dict[str, set[int]], float]:
    """Return the lines that semgrep reports by these rules."""
    engine = installed.semgrep()
    if engine is None:
        return {}, 0.0
    begun = time.perf_counter()
    words = [engine.path, "scan", "--config", str(rules), "--metrics", "off", "--json", "--quiet", "--no-git-ignore"]
    done = subprocess.run([*words, *(str(case.path) for case in every)], capture_output=True, check=False)
    places: dict[str, set[int]] = {}
    for match in json.loads(done.stdout)["results"]:
        places.setdefault(match["path"], set()).update(range(match["start"]["line"], match["end"]["line"] + 1))
    return places, time.perf_counter() - begun


def bandit(every: list[Marked]) -> tuple[dict[str, set[int]] | None, float]:
    """Return the lines that bandit reports as medium or worse."""
    done = peer(["bandit", "-q", "-ll", "-f", "json", *(str(case.path) for case in every)])
    if done is None:
        return None, 0.0
    places: dict[str, set[int]] = {}
    for found in json.loads(done.text)["results"]:
        places.setdefault(found["filename"], set()).update(found["line_range"])
    return places, done.seconds


def workflows(folder: Path) -> Section:
    """Measure GitHub workflows by our own rules and by zizmor."""
    every = []
    for path in sorted((folder / "yaml" / "github-actions" / "security").resolve().glob("*.test.y*ml")):
        marks: dict[str, list[int]] = {"ruleid": [], "ok": []}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := _MARK.search(line):
                marks[found[1]].append(number + 1)
        every.append(Marked(path, marks["ruleid"], marks["ok"]))
    rows = []
    for name, engines in (("our own rules", {}), ("with zizmor", None)):
        begun = time.perf_counter()
        places: dict[str, set[int]] = {}
        for case in every:
            label = f".github/workflows/{case.path.name}"
            job = Job(
                capability="audit_infrastructure",
                inputs=(Input(name=label, file=str(case.path)),),
                options={} if engines is None else {"engines": engines},
            )
            for finding in function("audit_infrastructure")(job).findings:
                places.setdefault(str(case.path), set()).add(finding.line)
        rows.append([name, *counted(every, places), f"{time.perf_counter() - begun:.1f} s"])
    text = f"Marked lines in {len(every)} tests of semgrep's rules for GitHub workflows, reported with any severity."
    heads = ("examined by", "found", "fine lines flagged", "time")
    return Section("audit_infrastructure: GitHub workflows", text, heads, rows)


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing without the rules."""
    folder = (data or Path()) / "semgrep-rules"
    if data is None or not folder.is_dir():
        return []
    rows = []
    for language, endings in LANGUAGES.items():
        every = sampled(list(cases((folder / language).resolve(), endings)), MOST)
        own, seconds = ours(every)
        theirs, longer = semgrep(folder / language, every)
        beside = [*counted(every, theirs), f"{longer:.1f} s"] if longer else ["—"] * 3
        rows.append([language, len(every), *counted(every, own), f"{seconds:.1f} s", *beside])
        if language == "python":
            others, taken = bandit(every)
            cells = [*counted(every, others), f"{taken:.1f} s"] if others is not None else [ABSENT, "—", "—"]
            rows.append(["python, by bandit", len(every), *cells, *["—"] * 3])
    version = found.title if (found := installed.semgrep()) else "semgrep (not installed)"
    text = (
        f"Tests of semgrep's public rules of the category security: lines that must and must not be reported, by "
        f"our own rules (medium or worse) and by {version} with those very rules, which are made to pass them. "
        "A line that one rule must not report may hold what another is about."
    )
    heads = ("language", "files", "ours: found", "fine lines flagged", "time", "semgrep: found", "fine lines flagged",
             "time")  # fmt: skip
    return [Section("security_audit: marked lines", text, heads, rows), workflows(folder)]
