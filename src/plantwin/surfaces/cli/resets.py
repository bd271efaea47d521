"""`plantwin budget reset`: count anew what planners that cannot send were given."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from plantwin.ledgers.records import read_lines
from plantwin.surfaces.cli.output import write_json, write_line

if TYPE_CHECKING:
    from plantwin.types.ledger import Ledger

RESET = "reset"
"""What stands in the place of the folder to count anew, and the kind of the line that says so."""


def resets(ledger: Ledger) -> dict[str, float]:
    """When the counts of an audience were last reset, by its name."""
    return {json.loads(line.body)["audience"]: line.at for line in read_lines(ledger) if line.kind == RESET}


def held_back(ledger: Ledger) -> dict[str, str]:
    """Every audience of the trail, with why its counts may not be reset; empty where they may."""
    reasons: dict[str, str] = {}
    whose: dict[str, str] = {}
    for line in read_lines(ledger):
        if line.kind not in ("session", "payload"):
            continue
        body = json.loads(line.body)
        if line.kind == "payload":
            reasons[whose[body["session"]]] = "bytes were sent to it"
            continue
        name = whose[body["session"]] = body["audience"]
        # Lines of earlier versions do not say whether a planner sends; the embedded one never did.
        sends = body.get("sends", body["planner"] not in ("offline", "saved plan"))
        why = "a planner that may send was asked for it" if sends else ""
        why = why or ("a planner stood in for a remote one" if body["locality"] != "local" else "")
        others = [other for other in body["shared"] if other != name]
        why = why or (f"it shares a budget with {', '.join(others)}" if others else "")
        reasons[name] = reasons.get(name) or why
    return reasons


def reset(options: argparse.Namespace) -> int:
    """Count anew what planners that cannot send were given; the trail keeps every line, and one that says so."""
    from plantwin.surfaces.cli.arguments import open_ledger_of, settings_of
    from plantwin.types.ledger import Entry, canonical_json

    settings = settings_of(options)
    with open_ledger_of(options) as ledger:
        reasons = held_back(ledger)
        if options.audience and options.audience not in reasons:
            reasons[options.audience] = "it was never told anything"
        if settings.budget.ration_local:
            reasons = dict.fromkeys(reasons, "[budget] ration_local is on, so that its budget is never reset")
        chosen = [options.audience] if options.audience else sorted(reasons)
        done = [name for name in chosen if not reasons[name]]
        for name in done:
            ledger.note(name, RESET, (Entry(RESET, canonical_json({"audience": name})),))
    refused = {name: reasons[name] for name in chosen if reasons[name]}
    if options.json:
        write_json("budget", {"reset": done, "refused": refused})
    else:
        for name in done:
            write_line(f"{name}: `plantwin budget` counts from zero again. The audit trail keeps every line.")
        for name, why in refused.items():
            write_line(f"{name}: not reset, since {why}.")
        if not chosen:
            write_line("No audience has been told anything.")
    return int(bool(refused) and not done)
