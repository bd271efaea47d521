"""Queries and migrations: planted statements, each beside a sound one, by us, by sqlfluff and by squawk."""

from __future__ import annotations

import json
import tempfile
import time
import tomllib
from pathlib import Path

from benchmarks.capabilities.section import HEADS, Section, judged, peer
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.engine.report import rank

PEERS = {"review_queries": "sqlfluff", "review_migrations": "squawk"}
_STYLE = ("AL", "CP", "LT", "CV", "JJ", "LC", "PRS")
"""Rules of sqlfluff about the look of a statement."""
_HABITS = "require-timeout-settings,prefer-robust-stmts,prefer-text-field,prefer-bigint-over-int"
"""Rules of squawk that every statement breaks, and preferences for types."""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    rows = tomllib.loads(Path(__file__).with_name("planted_sql.toml").read_text("utf-8"))
    return [_section(capability, rows[capability]) for capability in PEERS]


def _section(capability: str, cases: list[dict[str, str]]) -> Section:
    texts = {f"{number}_{sort}.sql": case[sort] for number, case in enumerate(cases) for sort in ("bad", "good")}
    labels = ["bad" in name for name in texts]
    begun = time.perf_counter()
    flags = [_ours(capability, name, text) for name, text in texts.items()]
    missed = [case["name"] for case, flag in zip(cases, flags[::2], strict=True) if not flag]
    rows = [[*judged("ours", labels, flags, time.perf_counter() - begun), "; ".join(missed) or "—"]]
    name = PEERS[capability]
    theirs, seconds = _peer(name, texts)
    missed = [case["name"] for case, flag in zip(cases, theirs[::2], strict=True) if not flag] if theirs else []
    rows.append([*judged(name, labels, theirs, seconds), "; ".join(missed) or "—"])
    text = (
        f"{len(cases)} faults of PostgreSQL statements, each beside a sound statement for the same purpose "
        "(`planted_sql.toml`), flagged with medium severity or worse."
    )
    return Section(f"{capability}: planted statements", text, (*HEADS, "missed"), rows)


def _ours(capability: str, name: str, text: str) -> bool:
    text = f"-- PostgreSQL\nSELECT now()::date;\n{text}"
    job = Job(capability=capability, inputs=(Input(name=f"db/{name}", data=text.encode()),))
    return any(rank(finding.severity) >= rank("medium") for finding in function(capability)(job).findings)


def _peer(name: str, texts: dict[str, str]) -> tuple[list[bool] | None, float]:
    with tempfile.TemporaryDirectory() as folder:
        for file, text in texts.items():
            Path(folder, file).write_text(text, "utf-8")
        if name == "squawk":
            done = peer(["squawk", "--reporter", "json", "--exclude", _HABITS, *texts], Path(folder))
            told = [str(row["file"]) for row in json.loads(done.text or "[]")] if done else []
        else:
            done = peer(["sqlfluff", "lint", "--dialect", "postgres", "--format", "json", "."], Path(folder))
            told = [
                Path(file["filepath"]).name
                for file in (json.loads(done.text) if done else [])
                if any(not fault["code"].startswith(_STYLE) for fault in file["violations"])
            ]
    return ([file in told for file in texts], done.seconds) if done else (None, 0)
