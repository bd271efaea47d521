"""`plantwin policy`: what the local policy says, what is wrong with it, and why it decides as it does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.surfaces.cli.arguments import add_folder, add_json, add_state, settings_of, word
from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import path_fields, plural, printable, well_formed

if TYPE_CHECKING:
    from plantwin.boundary.policy import CedarPolicy
    from plantwin.config.policies import Explanation
    from plantwin.config.settings import Settings
    from plantwin.private.facts import Record
    from plantwin.types.capability import Capability
    from plantwin.types.local import LocalObject
    from plantwin.types.policy import Evaluated, Party

EXAMPLE = "plantwin policy explain secret_scan .env ~/projects/shop"
SHIPPED = ("default", "strict", "team", "local-only", "schema")
LOCAL_PLANNERS = ("offline", "scripted")
MEANING = {
    "permit": "it runs without asking",
    "ask": "a person is asked first",
    "deny": "it is refused, whoever approves",
    "fail": "the policy cannot be evaluated, so it is refused",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print the policy that holds, or one that ships")
    show.add_argument("name", nargs="?", choices=SHIPPED, metavar="NAME", help=f"one of {', '.join(SHIPPED)}")
    check = actions.add_parser("check", help="look for mistakes; exit code 1 where there are any")
    check.add_argument("file", nargs="?", metavar="FILE", help="a Cedar file (default: the policy that holds)")
    explain = actions.add_parser("explain", help="why a capability on an object is allowed or not")
    explain.add_argument("capability", metavar="CAPABILITY", help="such as security_audit")
    explain.add_argument("path", metavar="PATH", help="the object, as `plantwin objects` shows it")
    add_folder(explain)
    explain.add_argument("--planner", default="offline", metavar="NAME", help="who asks (default: offline)")
    explain.add_argument("--audience", metavar="A", help="the planner's provider (default: its name)")
    explain.add_argument(
        "--locality", choices=("local", "remote"), help="where it plans (default: remote, but for offline and scripted)"
    )
    explain.add_argument(
        "--goal-mode", choices=("intent", "lexicon", "verbatim"), default="lexicon", help="how much of the goal is sent"
    )
    explain.add_argument("--unsandboxed", action="store_true", help="as if no sandbox were installed")
    add_state(show)
    add_state(check)
    for action in (show, check, explain):
        add_json(action)


def run(options: argparse.Namespace) -> int:
    """Do one of the three."""
    actions = {"show": _show, "check": _check, "explain": _explain}
    return actions[options.action](options)


class Chosen(NamedTuple):
    """A policy's name and text."""

    name: str
    text: str


def chosen(settings: Settings) -> Chosen:
    """The policy that holds."""
    from plantwin.config.policies import shipped
    from plantwin.config.settings import own_text
    from plantwin.errors import PolicyError

    if settings.policy.file:
        return Chosen(settings.policy.file, own_text(Path(settings.policy.file), PolicyError))
    return Chosen(settings.policy.name, shipped(settings.policy.name))


def _show(options: argparse.Namespace) -> int:
    from plantwin.config.policies import shipped
    from plantwin.config.policy_text import read, schema_text

    if options.name == "schema":
        policy = Chosen("schema", schema_text())
    else:
        policy = Chosen(options.name, shipped(options.name)) if options.name else chosen(settings_of(options))
    if options.json:
        statements = [] if options.name == "schema" else read(policy.text)[0]
        rows = [
            {"id": statement.id, "effect": statement.tree["effect"], "line": statement.line} for statement in statements
        ]
        write_json("policy", {**path_fields(policy.name, "name"), "policies": rows, "text": policy.text})
        return 0
    # A file gets it byte by byte; a terminal nothing that could move its cursor.
    shown = printable if sys.stdout.isatty() else str
    for line in policy.text.split("\n")[: -1 if policy.text.endswith("\n") else None]:
        write_line(shown(line), exact=True)
    note(f"This is {printable(policy.name)}. `plantwin policy check` looks for mistakes in a policy.")
    return 0


def _check(options: argparse.Namespace) -> int:
    from plantwin.config.policy_lint import check
    from plantwin.config.settings import own_text
    from plantwin.errors import PolicyError

    settings = settings_of(options)
    policy = Chosen(options.file, own_text(Path(options.file), PolicyError)) if options.file else chosen(settings)
    problems = check(policy.text, {row.label for row in settings.labels})
    if options.json:
        rows = [said._asdict() for said in problems]
        write_json("policy", {**path_fields(policy.name, "name"), "problems": rows})
        return int(bool(problems))
    for problem in problems:
        who = f"{problem.policy}: " if problem.policy else ""
        write_line(f"{printable(policy.name)}:{problem.line}: {problem.level}: {who}{printable(problem.message)}")
    write_line(f"{printable(policy.name)}: {plural(len(problems), 'problem')}.")
    return int(bool(problems))


def _explain(options: argparse.Namespace) -> int:
    from plantwin.config.policies import explain, policy_of
    from plantwin.errors import InputError
    from plantwin.private.capabilities import catalog
    from plantwin.surfaces.cli.arguments import Names
    from plantwin.surfaces.cli.sessions import observation
    from plantwin.types.policy import Party
    from plantwin.vocabulary import CapabilityName

    capability = catalog().get(word(options.capability, CapabilityName))
    if capability is None:
        raise InputError(f"'{options.capability}' is not installed: there are {', '.join(catalog())}")
    settings = settings_of(options)
    policy = policy_of(settings)
    planner = options.planner.partition(":")[0]
    locality = options.locality or ("local" if planner in LOCAL_PLANNERS else "remote")
    party = Party(planner, settings.audience(options.audience or planner).name, locality)
    with observation(options) as (environment, scan):
        record = Names(scan.records())[options.path]
        held = held_of(record, settings.labels_of(environment.root, record.path))
    explained = explain(
        policy, party, capability, held.subject, goal_mode=options.goal_mode, sandboxed=not options.unsandboxed
    )
    write = _write_json if options.json else _write_text
    write(_Asked(policy, chosen(settings).name, party, capability, record, held), explained)
    return 0


class _Asked(NamedTuple):
    policy: CedarPolicy
    name: str
    party: Party
    capability: Capability
    record: Record
    held: LocalObject

    @property
    def asks(self) -> list[str]:
        """Why a person is asked even where the policy permits."""
        return [
            cause
            for cause, holds in (
                ("capability", self.capability.approval),
                ("risk", self.capability.risk == "high"),
                ("unsure", self.held.subject.unsure),
            )
            if holds
        ]


def held_of(record: Record, labels: frozenset[str]) -> LocalObject:
    """One object as the trusted core would hold it, outside of any session."""
    from plantwin.private.project import build
    from plantwin.types.identity import Issuer
    from plantwin.types.local import LocalObject

    (thing,) = build([record], (), Issuer()).twin.objects
    return LocalObject(thing, b"", labels=labels)


def _write_json(asked: _Asked, explained: Explanation) -> None:
    object_, party = asked.held.object, asked.party
    write_json(
        "policy",
        {
            "policy": well_formed(asked.name),
            "version": asked.policy.version,
            "planner": party._asdict(),
            "capability": asked.capability.name,
            "risk": asked.capability.risk,
            "accepts": asked.capability.accepts(object_.kind, asked.held.semantic_class),
            "object": {
                **path_fields(asked.record.path),
                "part": well_formed(asked.record.part),
                "kind": object_.kind,
                "semantic_class": asked.record.semantic_class,
                "sensitivity": asked.record.sensitivity,
                "labels": sorted(asked.held.labels),
            },
            "ruling": explained.decided.ruling,
            "deciding": [name for name in explained.decided.policy.split(",") if name],
            "without_approval": _evaluated(explained.without),
            "with_approval": _evaluated(explained.approved),
            "also_asks": asked.asks,
            "statements": [
                {"id": statement.id, "line": statement.line, "text": statement.text}
                for statement in explained.statements
            ],
        },
    )


def _evaluated(evaluated: Evaluated) -> dict[str, Any]:
    return {"allowed": evaluated.allowed, "policies": list(evaluated.policies), "failed": evaluated.failed}


def _write_text(asked: _Asked, explained: Explanation) -> None:
    from plantwin.surfaces.cli.arguments import name

    party, record, decided = asked.party, asked.record, explained.decided
    labels = f", labelled {', '.join(sorted(asked.held.labels))}" if asked.held.labels else ""
    write_line(f"{asked.capability.name} ({asked.capability.risk} risk) on {printable(name(record))}")
    write_line(f"  {record.kind}, {record.semantic_class}, {record.sensitivity} sensitivity{labels}")
    write_line(f"  asked for by {printable(party.name)} ({party.locality}, audience {party.audience})")
    deciding = (
        f" by {decided.policy}" if decided.policy else ": no policy permits it" if decided.ruling == "deny" else ""
    )
    write_line(f"{decided.ruling}{deciding}; {MEANING[decided.ruling]}.")
    if not asked.capability.accepts(asked.held.object.kind, asked.held.semantic_class):
        write_line(
            f"{asked.capability.name} does not work on such an object: it is refused before the policy is asked."
        )
    if asked.asks and decided.ruling in ("permit", "ask"):
        write_line(f"A person is asked in any case because of: {', '.join(asked.asks)}.")
    wanted = decided.policy.split(",")
    for statement in explained.statements:
        if statement.id in wanted:
            write_line()
            write_line(f"{printable(asked.name)}, line {statement.line}:")
            for line in statement.text.splitlines():
                write_line(f"  {printable(line)}")
