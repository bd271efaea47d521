"""Policy: which rules apply to what in the folder, and what a changed text would change, before it is saved."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from plantwin.boundary.policy import CedarPolicy
from plantwin.config.policies import policy_from_text
from plantwin.config.policy_lint import check
from plantwin.config.settings import user_config
from plantwin.errors import StateError
from plantwin.private.capabilities import catalog
from plantwin.private.execution.sandbox import bubblewrap
from plantwin.private.facts import private
from plantwin.surfaces.cli.arguments import name
from plantwin.surfaces.cli.planners import planner_of
from plantwin.surfaces.cli.policy import Chosen, chosen
from plantwin.surfaces.console.access import Refused, one
from plantwin.surfaces.console.folder import Observed
from plantwin.surfaces.console.page import Console, Form, moved
from plantwin.types.capability import Capability
from plantwin.types.local import Subject
from plantwin.types.policy import Decided, Party

FEW: Final = 5
"""Files that are named of those that a change concerns."""
MOST_SUBJECTS: Final = 400
"""Sorts of objects that a text is tried on, the most frequent first."""
MOST_CHANGES: Final = 200


@private
class Sort(NamedTuple):
    """Objects that a policy cannot tell apart."""

    subject: Subject
    files: int
    names: tuple[str, ...]


def _party(console: Console, wanted: str) -> Party:
    settings = console.folder.settings
    planner = planner_of(wanted or settings.planner.default, catalog(settings.session.catalog), settings, keyless=True)
    return Party(planner.name, settings.audience(planner.audience).name, planner.locality)


def _sorts(observed: Observed) -> tuple[list[Sort], int]:
    """The folder's objects by what a policy sees of them; how many objects are in sorts that are not looked at."""
    files: Counter[Subject] = Counter()
    names: dict[Subject, list[str]] = {}
    for record in observed.table.places():
        subject = observed.workspace.subject(record)
        files[subject] += 1
        if len(known := names.setdefault(subject, [])) < FEW:
            known.append(name(record))
    common = files.most_common(MOST_SUBJECTS)
    rest = files.total() - sum(number for _, number in common)
    return [Sort(subject, number, tuple(names[subject])) for subject, number in common], rest


class Trial:
    """A policy on the folder's sorts of objects, for one planner."""

    def __init__(self, policy: CedarPolicy, party: Party, goal_mode: str) -> None:
        self.policy, self._party, self._goal_mode = policy, party, goal_mode
        self._sandboxed = bubblewrap() is not None
        self._decided: dict[tuple[object, ...], Decided] = {}

    def decide(self, capability: Capability, sort: Sort) -> Decided:
        """What it says. Objects that differ only in words which the policy does not name are decided alike."""
        one, named = sort.subject, self.policy.mentioned
        words = {
            "Kind": one.kind, "Class": one.semantic_class, "Family": one.semantic_class.family,
            "Sensitivity": one.sensitivity, "Freshness": one.freshness, "Confidence": one.confidence,
        }  # fmt: skip
        known = [word if word in named.get(type_, ()) else "" for type_, word in words.items()]
        case = (capability.name, *known, one.causes, one.labels)
        if case not in self._decided:
            self._decided[case] = self.policy.decide(
                self._party, capability, one, goal_mode=self._goal_mode, sandboxed=self._sandboxed
            )
        return self._decided[case]


def _accepted(sorts: list[Sort]) -> list[tuple[Capability, Sort]]:
    """Every capability with the objects that it takes."""
    return [
        (capability, sort)
        for capability in catalog().values()
        for sort in sorts
        if capability.accepts(sort.subject.kind, sort.subject.semantic_class)
    ]


def _applied(trial: Trial, sorts: list[Sort]) -> dict[str, dict[str, Any]]:
    """For each rule: how many pairs of a capability and an object it decides, and some of these."""
    found: dict[str, dict[str, Any]] = {}
    for capability, sort in _accepted(sorts):
        decided = trial.decide(capability, sort)
        for rule in decided.policy.split(",") if decided.policy else ("",):
            one = found.setdefault(rule, {"pairs": 0, "rulings": Counter(), "files": {}, "capabilities": Counter()})
            one["pairs"] += sort.files
            one["rulings"][decided.ruling.value] += sort.files
            one["capabilities"][capability.name] += sort.files
            one["files"] |= dict.fromkeys(sort.names)
    return found


def _changes(before: Trial, after: Trial, sorts: list[Sort]) -> list[dict[str, Any]]:
    """What a changed text decides otherwise, by capability and by how."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for capability, sort in _accepted(sorts):
        old, new = before.decide(capability, sort), after.decide(capability, sort)
        if old.ruling is not new.ruling:
            key = capability.name, old.ruling.value, new.ruling.value
            one = found.setdefault(key, {"files": 0, "names": [], "rules": set()})
            one["files"] += sort.files
            one["names"] = [*one["names"], *sort.names][:FEW]
            one["rules"] |= {new.policy or "no rule permits it"}
    rows = [{"capability": key[0], "old": key[1], "new": key[2], **one} for key, one in found.items()]
    return sorted(rows, key=lambda row: (-row["files"], row["capability"]))


def _page(console: Console, request: Request) -> Response:
    return _answered(
        console, request, request.query_params.get("planner", ""), None, saved="saved" in request.query_params
    )


def _try(console: Console, request: Request, form: Form) -> Response:
    """Say what a text would change; nothing is saved."""
    return _answered(console, request, one(form, "planner"), one(form, "text").replace("\r\n", "\n"))


def _answered(console: Console, request: Request, planner: str, text: str | None, *, saved: bool = False) -> Response:
    settings = console.folder.settings
    policy, party = chosen(settings), _party(console, planner)
    mode = settings.goal.mode
    sorts, rest = console.folder.ask(_sorts)
    holds = Trial(policy_from_text(policy.text, policy.name), party, mode)
    tried = text if text is not None else policy.text
    problems = check(tried, {row.label for row in settings.labels})
    changes = None
    if text is not None and not any(problem.level == "error" for problem in problems):
        changes = _changes(holds, Trial(policy_from_text(text, "the changed text"), party, mode), sorts)
    return console.page(
        request, "policy.html", "policy",
        policy=policy, statements=holds.policy.statements, applied=_applied(holds, sorts), party=party, planner=planner,
        planners=dict.fromkeys(["offline", settings.planner.default, *settings.planners]), problems=problems,
        text=tried, tried=text is not None, changes=changes[:MOST_CHANGES] if changes is not None else None,
        own=settings.policy.file, target=str(_target(console)), digest=_digest(policy), rest=rest, saved=saved,
    )  # fmt: skip


def _digest(policy: Chosen) -> str:
    return hashlib.sha256(policy.text.encode()).hexdigest()


def _target(console: Console) -> Path:
    """Where a text is saved: the person's own file, else one beside their configuration."""
    own = console.folder.settings.policy.file
    config = Path(console.folder.config) if console.folder.config else user_config()
    return Path(own) if own else config.parent / "policy.cedar"


def _save(console: Console, request: Request, form: Form) -> Response:
    """Save a text that can be loaded, where nobody changed the policy meanwhile."""
    text = one(form, "text").replace("\r\n", "\n")
    policy_from_text(text, "the changed text")
    if one(form, "digest") != _digest(chosen(console.folder.settings)):
        raise Refused(409, "the policy was changed meanwhile: load the page again")
    target = _target(console)
    if not console.folder.settings.policy.file and target.exists():
        raise Refused(409, "policy.cedar is there already, and your configuration does not name it: move it away first")
    draft = target.with_name(f".{secrets.token_hex(8)}")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(text.encode())
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StateError(f"the policy cannot be written ({error.strerror})") from None
    return moved(console, "policy", saved=1)


PAGES = {"/policy": _page}
ACTIONS = {"/policy": _try, "/policy/save": _save}
