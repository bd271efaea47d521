"""Limits that sentences state: planted sentences, by us and by quantulum3."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

from benchmarks.capabilities.section import ABSENT, Section, peer
from plantwin.private.capabilities.extract_constraints.quantities import UNITS, quantities

_QUANTULUM = """
import json, sys
from quantulum3 import parser
for text in json.loads(sys.argv[1]):
    print(json.dumps([[found.value, found.unit.name] for found in parser.parse(text)]))
"""
_NAMES = {"percentage": "percent", "mibibyte": "mib", "minute of arc": "minute", "second of arc": "second"}
"""How ours writes units that the peer calls otherwise; without its classifier it takes minutes for those of an arc."""
Amount = tuple[float, str]


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    limits = tomllib.loads(Path(__file__).with_name("planted_quantities.toml").read_text("utf-8"))["limits"]
    texts = [text for text, *_ in limits]
    begun = time.perf_counter()
    ours = [quantities(text) for text in texts]
    seconds = time.perf_counter() - begun
    bounds = sum(
        any(quantity.bound == bound for quantity in found) for found, (*_, bound) in zip(ours, limits, strict=True)
    )
    amounts = [[(quantity.value, quantity.dimension) for quantity in found] for found in ours]
    rows = [_row("ours", limits, amounts, f"{bounds} of {len(limits)}", seconds)]
    told = peer(["python3", "-c", _QUANTULUM, json.dumps(texts)])
    theirs = [json.loads(line) for line in told.text.splitlines()] if told else []
    if told and len(theirs) == len(texts):
        rows.append(_row("quantulum3", limits, [list(map(_in_base, found)) for found in theirs], "—", told.seconds))
    else:
        rows.append(["quantulum3", ABSENT, "—", "—", "—"])
    text = (
        f"{len(limits)} planted sentences (`planted_quantities.toml`), each with one number and its unit; ours were "
        "written with such sentences at hand. quantulum3 (by the `python3` of the search path, started once) finds "
        "quantities in a text, not whether they are a least or a most."
    )
    return [
        Section(
            "extract_constraints: planted limits", text, ("read by", "number and unit", "others", "bound", "time"), rows
        )
    ]


def _in_base(found: list[object]) -> Amount:
    value, unit = found
    dimension, scale = UNITS.get(_NAMES.get(str(unit), str(unit)), (str(unit), 1.0))
    return round(float(str(value)) * scale, 9), dimension


def _row(
    name: str, limits: Sequence[Sequence[object]], found: Sequence[Sequence[Amount]], bounds: str, seconds: float
) -> list[object]:
    pairs = [((float(str(limit[1])), limit[2]), amounts) for limit, amounts in zip(limits, found, strict=True)]
    right = sum(wanted in amounts for wanted, amounts in pairs)
    others = sum(amount != wanted for wanted, amounts in pairs for amount in amounts)
    return [name, f"{right} of {len(limits)}", others, bounds, f"{seconds:.1f} s"]
