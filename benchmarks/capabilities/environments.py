"""Settings of two environments: planted pairs of files, by us and by deepdiff."""

from __future__ import annotations

import tempfile
import time
import tomllib
from pathlib import Path

from benchmarks.capabilities.section import HEADS, Section, judged, peer
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job

FORMATS = (".yaml", ".yml", ".json", ".toml")
"""What deepdiff reads as it is."""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    pairs = tomllib.loads(Path(__file__).with_name("planted_environments.toml").read_text("utf-8"))["pair"]
    labels = [bool(pair["lacks"]) for pair in pairs]
    begun = time.perf_counter()
    told = [_ours(pair) for pair in pairs]
    rows = [judged("ours", labels, told, time.perf_counter() - begun)]
    answers = [_deepdiff(pair) for pair in pairs]
    found = None if None in answers else [bool(answer and answer[0]) for answer in answers]
    rows.append(judged("deepdiff", labels, found, sum(answer[1] for answer in answers if answer)))
    wrong = [pair["name"] for pair, label, flag in zip(pairs, labels, told, strict=True) if label != flag]
    read = sum(pair["first"][0].endswith(FORMATS) for pair in pairs)
    text = (
        f"{len(pairs)} pairs of files (`planted_environments.toml`); of {sum(labels)} one file lacks a key, in the "
        "others it inherits it, or no key differs. A pair counts as flagged where a key is called missing: by ours the "
        f"right one, by deepdiff any. deepdiff reads {read} of the pairs and is started for each. Ours is wrong in: "
        f"{'; '.join(wrong) or 'none'}."
    )
    return [Section("compare_environments: planted pairs", text, HEADS, rows)]


def _ours(pair: dict[str, list[str]]) -> bool:
    inputs = tuple(Input(name=name, data=text.encode()) for name, text in (pair["first"], pair["second"]))
    findings = function("compare_environments")(Job(capability="compare_environments", inputs=inputs)).findings
    missing = [finding.message for finding in findings if finding.rule == "ENV-MISSING-KEY"]
    return any(key.lower() in message.lower() for key in pair["lacks"] or [""] for message in missing)


def _deepdiff(pair: dict[str, list[str]]) -> tuple[bool, float] | None:
    """Tell whether a key is missing, and how long that took; none where it is not installed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (pair["first"], pair["second"]):
            Path(folder, name).write_text(text, "utf-8")
        # Whatever it does not know by its ending it refuses.
        done = peer(["deep", "diff", pair["first"][0], pair["second"][0], "--debug"], Path(folder))
    return None if done is None else ("_item_removed" in done.text or "_item_added" in done.text, done.seconds)
