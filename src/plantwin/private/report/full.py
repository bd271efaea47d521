"""The whole report for programs: every finding, nothing cut."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from plantwin.private.report.model import WORST_FIRST, Overview, Reported, Taken
from plantwin.private.report.wording import input_words, named, reason
from plantwin.types.plan import source_of
from plantwin.types.twin import object_id_like

if TYPE_CHECKING:
    from plantwin.run import Run

FORMAT = 1
"""Version of the document; raised when a member is removed or changes its meaning."""


def full_report(run: Run, overview: Overview) -> bytes:
    """The document as it is written beside the Markdown report."""
    document = {
        "format": FORMAT,
        "session": run.session,
        "goal": sound(run.goal),
        "root": sound(str(run.root or "")),
        "ending": run.ending.value,
        "error": sound(run.error) or None,
        **report_members(run, overview),
        "sessions": [_session(part) for part in run.parts or (run,)],
    }
    return json.dumps(document, indent=1).encode("ascii") + b"\n"


def _session(run: Run) -> dict[str, Any]:
    """What the ids of a session stand for: with it, the envelopes of the trail can be read beside the files."""
    new = {spent.object_id: spent.told for spent in (*run.spending, *run.set_spending)}
    return {
        "session": run.session,
        "planner": sound(run.planner),
        "audience": run.audience,
        "locality": run.locality,
        "started": run.started,
        "told_of": {
            id_: {
                "name": sound(named(id_, run.names)),
                "some": sound(run.members.get(id_, [])),
                "new": list(new.get(id_, ())),
            }
            for id_ in run.names
        },
        "steps": [
            {"turn": turn, "step": step.id, "capability": sound(named(step.capability, run.names)),
             "inputs": [sound(input_words(name, run.names)) for name in step.inputs]}
            for turn, taken in enumerate(run.turns, 1) for step in taken.plan.steps
        ],
    }  # fmt: skip


def report_members(run: Run, overview: Overview) -> dict[str, Any]:
    """What was found and examined: `summary`, `findings`, `steps`, `coverage` and `not_done`."""
    return {
        "summary": {
            "headline": overview.headline(),
            "findings": len(overview.findings),
            "files": len(overview.by_file),
            "severities": {word: overview.severities[word] for word in WORST_FIRST},
            "complete": overview.complete,
        },
        "findings": [finding_members(one) for one in overview.findings],
        "steps": [_step(step) for step in overview.steps],
        "coverage": [_coverage(step) for step in overview.steps if step.coverage is not None],
        "not_done": [_undone(run, step) for step in (*overview.failed, *overview.refused, *overview.missed)],
    }


def finding_members(one: Reported) -> dict[str, Any]:
    """One finding with all that found it."""
    found: dict[str, Any] = msgspec.to_builtins(one.finding)
    return {**{name: sound(value) for name, value in found.items()}, "by": list(one.by)}


def _step(step: Taken) -> dict[str, Any]:
    part = step.coverage
    single = sum(object_id_like(source_of(name)) for name in step.step.inputs) if step.done else 0
    return {
        "turn": step.turn,
        "step": step.step.id,
        "capability": step.step.capability,
        "became": became(step),
        "examined": part.examined if part is not None else single,
    }


def became(step: Taken) -> str:
    """How a step ended: done, failed, not reached or refused."""
    if step.done:
        return "done"
    return "failed" if step.failed else "not reached" if step.verdict is None else "refused"


def _coverage(step: Taken) -> dict[str, Any]:
    part = step.coverage
    if part is None:
        return {}
    return {
        "turn": step.turn,
        "step": step.step.id,
        "capability": step.step.capability,
        "given": part.given,
        "examined": part.examined,
        "affected": part.affected,
        "reused": part.reused,
        "pairs": part.pairs,
        "left_out": [sound(msgspec.to_builtins(left_out)) for left_out in part.left_out],
    }


def _undone(run: Run, step: Taken) -> dict[str, Any]:
    return {
        "turn": step.turn,
        "step": step.step.id,
        "capability": step.step.capability,
        "inputs": [sound(input_words(name, run.names)) for name in step.step.inputs],
        "became": became(step),
        "reason": sound(reason(step.verdict, run.names)) if step.verdict is not None else "",
    }


def sound(value: Any) -> Any:
    """Text that every JSON reader accepts: lone surrogates as escapes. Other values stay."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, Mapping):
        return {sound(name): sound(inner) for name, inner in value.items()}
    return [sound(inner) for inner in value] if isinstance(value, list | tuple) else value
