"""Declared infrastructure: planted settings found by our rules, by the engines and by both; and public repositories."""

from __future__ import annotations

import time
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.capabilities.section import Section, files, measured
from plantwin.private.capabilities import function
from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.examine import examine
from plantwin.private.capabilities.adapters.process import Copy
from plantwin.private.capabilities.audit_infrastructure import ENGINES, FRAMEWORKS
from plantwin.private.capabilities.engine.job import Finding, Input, Job
from plantwin.private.capabilities.engine.report import rank
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.infrastructure.technologies import technology
from plantwin.private.formats.document import read
from plantwin.vocabulary import Severity

MOST = 128
"""Files of one repository that are examined."""
ENDINGS = (".tf", ".yaml", ".yml", ".json", "Dockerfile")
Texts = dict[str, str]


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sound declaration and what makes it unsafe."""

    name: str
    file: str
    tag: str
    bad: str
    worse: str
    sound: str


def cases() -> list[Case]:
    """Return the planted settings."""
    rows = tomllib.loads(Path(__file__).with_name("planted_infrastructure.toml").read_text("utf-8"))
    return msgspec.convert(rows["case"], list[Case])


def own(texts: Texts, engines: dict[str, object] | None = None) -> list[Finding]:
    """Audit by our own rules, and by the engines where `engines` is none."""
    options: dict[str, object] = {} if engines is None else {"engines": engines}
    inputs = tuple(Input(name=name, data=text.encode()) for name, text in texts.items())
    job = Job(capability="audit_infrastructure", inputs=inputs, options=options)
    return function("audit_infrastructure")(job).findings


def peer(texts: Texts) -> list[Finding]:
    """Audit by the engine of each technology alone."""
    copies: dict[str, list[Copy]] = {}
    for name, text in texts.items():
        taken = source(Input(name=name, data=text.encode()))
        kind = technology(read(taken)).name
        copies.setdefault(ENGINES[kind], []).append(Copy(taken, text, folder=FRAMEWORKS.get(kind, "")))
    findings = []
    for engine, given in copies.items():
        here = installed.find(engine)
        found = examine(here, given).found if here is not None else {}
        findings += [
            msgspec.structs.replace(finding, name=label) for label, rows in found.items() for finding, _ in rows
        ]
    return findings


def told(findings: list[Finding], name: str, tag: str) -> int:
    """Count the findings of a sort in a file that are at least medium."""
    grave = [each for each in findings if rank(each.severity) >= rank(Severity.MEDIUM.value)]
    return sum(each.name == name and each.tag == tag for each in grave)


def planted() -> Section:
    """Measure the planted settings: found where the unsafe text has more findings of its sort than the sound one."""
    ways: dict[str, Callable[[Texts], list[Finding]]] = {
        "our own rules": lambda texts: own(texts, {}),
        "the engines alone": peer,
        "together": own,
    }
    every = cases()
    names = [f"case-{number}/{case.file}" for number, case in enumerate(every)]
    sound = {name: case.sound for name, case in zip(names, every, strict=True)}
    unsafe = {name: case.sound.replace(case.bad, case.worse, 1) for name, case in zip(names, every, strict=True)}
    rows = []
    for way, look in ways.items():
        begun = time.perf_counter()
        before, after = look(sound), look(unsafe)
        seconds = time.perf_counter() - begun
        counts = [
            (told(before, name, case.tag), told(after, name, case.tag)) for name, case in zip(names, every, strict=True)
        ]
        missed = [case.name for case, (one, two) in zip(every, counts, strict=True) if two <= one]
        flagged = sum(one > 0 for one, _ in counts)
        found = f"{len(every) - len(missed)} of {len(every)}"
        rows.append([way, found, flagged, f"{seconds:.1f} s", "; ".join(missed) or "—"])
    heads = ("examined by", "planted settings found", "sound files flagged", "time", "missed")
    text = f"{len(every)} sound declarations, each with one setting made unsafe (`planted_infrastructure.toml`)."
    return Section("audit_infrastructure: planted settings", text, heads, rows)


def repositories(data: Path) -> Section:
    """Count findings on public repositories, by our own rules and together with the engines."""
    rows = []
    for folder in sorted(path for path in data.iterdir() if path.is_dir()):
        paths = files(folder, ENDINGS)[:MOST]
        chosen = [path for path in paths if technology(read(source(_given(folder, path)))).name in ENGINES]
        if not chosen:
            continue
        alone = measured("audit_infrastructure", folder, chosen, {})
        both = measured("audit_infrastructure", folder, chosen)
        row = [folder.name, len(chosen)]
        for each in (alone, both):
            counts = Counter(finding.severity for result in each.results for finding in result.findings)
            grave = counts[Severity.CRITICAL.value] + counts[Severity.HIGH.value]
            row += [f"{sum(counts.values())} ({grave})", f"{each.seconds:.1f} s"]
        rows.append(row)
    heads = ("repository", "files", "our own rules (high or worse)", "time", "with engines (high or worse)", "time")
    text = f"Public repositories, at most {MOST} files of each; times include the start of every engine."
    return Section("audit_infrastructure: public repositories", text, heads, rows)


def _given(folder: Path, path: Path) -> Input:
    return Input(name=str(path.relative_to(folder)), file=str(path))


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    return [planted(), *([repositories(data)] if data else [])]
