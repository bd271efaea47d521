"""Moments that accounts of incidents name: planted accounts, by us and by dateparser."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from benchmarks.capabilities.section import ABSENT, Section, peer
from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job

_DATEPARSER = """
import json, sys
from dateparser.search import search_dates
for text in json.loads(sys.argv[1]):
    found = search_dates(text, languages=["en"]) or []
    print(json.dumps([moment.strftime("%Y-%m-%d %H:%M") for words, moment in found if ":" in words]))
"""


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    accounts = tomllib.loads(Path(__file__).with_name("planted_accounts.toml").read_text("utf-8"))["account"]
    texts = [account["text"] for account in accounts]
    wanted = [set(account["moments"]) for account in accounts]
    begun = time.perf_counter()
    rows = [_row("ours", wanted, [_ours(text) for text in texts], time.perf_counter() - begun)]
    told = peer(["python3", "-c", _DATEPARSER, json.dumps(texts)])
    theirs = [set(json.loads(line)) for line in told.text.splitlines()] if told else []
    if told and len(theirs) == len(texts):
        rows.append(_row("dateparser", wanted, theirs, told.seconds))
    else:
        rows.append(["dateparser", ABSENT, "—", "—"])
    text = (
        f"{sum(map(len, wanted))} moments in {len(accounts)} planted accounts of incidents (`planted_accounts.toml`): "
        "a day in a title, times below it, other years beside them. Of what dateparser's `search_dates` finds (by the "
        "`python3` of the search path), what has a time of day."
    )
    heads = ("read by", "right", "wrong", "time")
    return [Section("build_timeline: planted accounts", text, heads, rows)]


def _row(name: str, wanted: Sequence[set[str]], found: Sequence[set[str]], seconds: float) -> list[object]:
    pairs = list(zip(wanted, found, strict=True))
    right, wrong = sum(len(one & other) for one, other in pairs), sum(len(other - one) for one, other in pairs)
    return [name, f"{right} of {sum(map(len, wanted))}", wrong, f"{seconds:.1f} s"]


def _ours(text: str) -> set[str]:
    job = Job(capability="build_timeline", inputs=(Input(name="incident.md", kind="document", data=text.encode()),))
    events = cast(list[dict[str, float]], function("build_timeline")(job).facts.get("events", []))
    return {datetime.fromtimestamp(event["time"], UTC).strftime("%Y-%m-%d %H:%M") for event in events}
