"""Licences by their text: the licence files of installed packages, labelled by the expression in their metadata."""

from __future__ import annotations

import json
import re
from pathlib import Path

from benchmarks.capabilities.section import ABSENT, PACKAGES, Section, measured, peer, sampled

MOST = 8
"""Texts that the peer is given: it takes seconds for each."""

_STATED = re.compile(r"^License-Expression: ([\w.+-]+)$", re.MULTILINE)
_MATCH = """
import json, sys
from spdx_matcher import analyse_license_text
texts = [open(path, encoding="utf-8", errors="replace").read() for path in sys.argv[1:]]
print(json.dumps([sorted(analyse_license_text(text)[0]["licenses"]) for text in texts]))
"""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    truth: dict[Path, str] = {}
    for metadata in sorted(PACKAGES.glob("*.dist-info/METADATA")):
        stated = _STATED.search(metadata.read_text("utf-8", "replace"))
        texts = [path for path in sorted(metadata.parent.rglob("LICENSE*")) if path.is_file()]
        if stated and len(texts) == 1:
            truth[texts[0]] = stated[1]
    ours: dict[str, str] = {}
    seconds = 0.0
    for path in truth:  # one at a time: each is the licence of a project
        done = measured("list_licenses", PACKAGES, [path])
        seconds += done.seconds
        for row in done.results[0].facts.get("project", []):  # type: ignore[attr-defined]
            ours[str(path)] = row["license"]
    rows: list[list[object]] = [_row("ours", truth, {path: [ours.get(str(path), "")] for path in truth}, seconds)]
    some = {path: truth[path] for path in sampled(list(truth), MOST)}
    theirs = peer(["python3", "-c", _MATCH, *map(str, some)])
    named = dict(zip(some, json.loads(theirs.text), strict=True)) if theirs and theirs.text.strip() else None
    rows.append(_row(f"spdx-matcher, {len(some)} of them", some, named, theirs.seconds if theirs else 0))
    text = f"{len(truth)} packages with one licence file and an SPDX expression of one licence in their metadata."
    return [Section("list_licenses: licence texts", text, ("named by", "right", "another", "none", "time"), rows)]


def _row(name: str, truth: dict[Path, str], named: dict[Path, list[str]] | None, seconds: float) -> list[object]:
    if named is None:
        return [name, ABSENT, "—", "—", "—"]
    right = sum(_same(truth[path], given) for path, given in named.items())
    none = sum(not any(given) for given in named.values())
    return [name, f"{right} of {len(truth)}", len(truth) - right - none, none, f"{seconds:.1f} s"]


def _same(stated: str, named: list[str]) -> bool:
    plain = {re.sub(r"(?i)-(?:only|or-later)$|_+", "", name).lower().replace("_", "-") for name in named}
    return re.sub(r"-(?:only|or-later)$", "", stated).lower() in plain
