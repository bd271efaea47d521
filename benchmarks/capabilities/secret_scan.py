"""Secrets: labelled snippets of other scanners' own rules and tests, by us and by detect-secrets."""

from __future__ import annotations

import gzip
import json
import tempfile
import time
from pathlib import Path

from benchmarks.capabilities.section import HEADS, Section, judged, peer, sampled
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job

ROWS = "secrets-dev.jsonl.gz"
MOST = 500


def sections(data: Path | None) -> list[Section]:
    """Return what is measured: nothing without the rows."""
    if data is None or not (data / ROWS).is_file():
        return []
    with gzip.open(data / ROWS, "rt", encoding="utf-8") as lines:
        every = [json.loads(line) for line in lines]
    rows = sampled(every, MOST)
    names = [f"{number}.txt" for number in range(len(rows))]
    labels = [row["label"] == "positive" for row in rows]
    begun = time.perf_counter()
    flags = [_ours(name, row["text"]) for name, row in zip(names, rows, strict=True)]
    table = [judged("ours", labels, flags, time.perf_counter() - begun)]
    with tempfile.TemporaryDirectory() as folder:
        for name, row in zip(names, rows, strict=True):
            Path(folder, name).write_text(row["text"], "utf-8")
        done = peer(["detect-secrets", "scan", "--all-files", "."], Path(folder))
    told = json.loads(done.text)["results"] if done and done.text.strip() else None
    theirs = [name in told for name in names] if told is not None else None
    table.append(judged("detect-secrets", labels, theirs, done.seconds if done else 0))
    text = (
        f"{len(rows)} of {len(every)} snippets from the rules and tests of kingfisher, noseyparker and detect-secrets. "
        "A snippet that is no secret of its own rule may hold one of another. Ours were written with these at hand."
    )
    return [Section("secret_scan: labelled snippets", text, HEADS, table)]


def _ours(name: str, text: str) -> bool:
    job = Job(capability="secret_scan", inputs=(Input(name=name, data=text.encode()),))
    return any(finding.severity != "low" for finding in function("secret_scan")(job).findings)
