"""Reads the goals and workspaces of this folder, asks the offline planner, and scores its plans."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from handed import released

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.offline import Offline
from plantwin.private.capabilities import catalog
from plantwin.private.goal.projection import Span, project, tokens
from plantwin.private.goal.words import Why
from plantwin.private.selection.intents import families, intents
from plantwin.types.envelope import Registration, Request
from plantwin.types.goal import Goal
from plantwin.types.plan import Plan
from plantwin.types.twin import TwinEdge, TwinObject, object_id_like
from plantwin.vocabulary import CapabilityName, EdgeReason, Family, Kind, SemanticClass

HERE = Path(__file__).parent
TELLING = ("describe", "split")
EVERY = frozenset(CapabilityName)
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
KINDS = {
    Family.DATASET: Kind.STRUCTURED_RECORD, Family.LOGS: Kind.LOG_STREAM, Family.INFRASTRUCTURE: Kind.CONFIG,
    Family.DELIVERY: Kind.CONFIG, Family.DEPENDENCIES: Kind.CONFIG, Family.CONFIGURATION: Kind.CONFIG,
    Family.CREDENTIALS: Kind.SECRET_CONTAINER, Family.CONTRACTS: Kind.CONFIG, Family.SECURITY: Kind.DOCUMENT,
    Family.GUIDES: Kind.DOCUMENT, Family.AGREEMENTS: Kind.DOCUMENT,
}  # fmt: skip
OTHER_KINDS = {
    "database_dump": Kind.STRUCTURED_RECORD, "experiment_metrics": Kind.STRUCTURED_RECORD, "security_rule": Kind.CONFIG,
    "model_binary": Kind.STRUCTURED_RECORD, "model_config": Kind.CONFIG, "pipeline_definition": Kind.CODE_FILE,
    "test_fixture": Kind.STRUCTURED_RECORD, "data_source_spec": Kind.CONFIG, "data_quality_check": Kind.CONFIG,
}  # fmt: skip

_named = re.compile(r"\{([^}]*)\}")


class Question(NamedTuple):
    """One goal with what a careful person would do about it."""

    workspace: str
    vague: bool
    text: str
    capabilities: tuple[frozenset[str], ...]
    """Each a set of words that are as right as one another."""
    objects: frozenset[str]


class Workspace(NamedTuple):
    """A twin whose objects are known by path."""

    objects: dict[str, TwinObject]
    edges: tuple[TwinEdge, ...]


class Score(NamedTuple):
    """How well one plan does what was expected."""

    capabilities: float
    objects: float


def questions(half: str) -> list[Question]:
    """The goals of one half."""
    found: list[Question] = []
    workspace, text, wanted = "", "", ""
    for line in (HERE / f"{half}.txt").read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "@":
            workspace = rest
        elif mark in ("N", "V"):
            text = line
        elif mark == "=":
            wanted = rest
        elif mark == ":":
            cans = tuple(frozenset(each.split("|")) for each in wanted.split())
            found.append(Question(workspace, text[0] == "V", text[2:], cans, frozenset(rest.split())))
    return found


def phrases() -> list[tuple[frozenset[str], str]]:
    """Goals that name their steps, with the capabilities that they name."""
    lines = (HERE / "phrases.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.partition(": ") for line in lines if line and not line.startswith("#")]
    return [(frozenset(cans.split()), text) for cans, _, text in parts]


def heard(text: str) -> float:
    """Capability F1 of a goal without any view, for one line of `phrases.txt`."""
    wanted = next(cans for cans, each in phrases() if each == text)
    question = Question("shop", False, text, tuple(frozenset([each]) for each in sorted(wanted)), frozenset())
    return score(question, asked(question, blind=True)).capabilities


@cache
def workspaces() -> dict[str, Workspace]:
    """All of them, by name."""
    found = _made()
    for name, each in json.loads((HERE / "workspaces.json").read_text(encoding="utf-8")).items():
        found[name] = (each["objects"], each["edges"])
    return {name: _workspace(*each) for name, each in found.items()}


def _workspace(objects: dict[str, dict[str, object]], edges: list[dict[str, str]]) -> Workspace:
    ids = {path: _id(number) for number, path in enumerate(objects)}
    made = {}
    for path, fields in objects.items():
        fields = {**fields, "object_id": ids[path]}
        if "component" in fields:
            fields["component"] = f"component_{_letters(int(str(fields['component'])[1:]))}"
        made[path] = msgspec.convert(fields, TwinObject)
    joined = [
        {**each, "source": ids[each["source"]], **({"target": ids[each["target"]]} if "target" in each else {})}
        for each in edges
    ]
    return Workspace(made, tuple(msgspec.convert(each, TwinEdge) for each in joined))


def _letters(number: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in range(7, -1, -1))


def _id(number: int) -> str:
    # Far apart, so that no order of ids is that of the paths.
    return f"artifact_{_letters(number * 2654435761 % (1 << 40))}"


def _made() -> dict[str, tuple[dict[str, dict[str, object]], list[dict[str, str]]]]:
    found: dict[str, tuple[dict[str, dict[str, object]], list[dict[str, str]]]] = {}
    name = ""
    for line in (HERE / "made.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith("@ "):
            name = line[2:]
            found[name] = ({}, [])
        elif " > " in line:
            source, reason, _, target = line.split()
            edge = EdgeReason(reason).edge.value
            found[name][1].append({"source": source, "edge": edge, "target": target, "reason": reason})
        else:
            path, leaf, tags, *rest = line.split()
            found[name][0][path] = _fields(leaf, tags, rest)
    return found


def _fields(leaf: str, tags: str, rest: list[str]) -> dict[str, object]:
    family = SemanticClass(leaf).family
    fields: dict[str, object] = {
        "kind": OTHER_KINDS.get(leaf, KINDS.get(family, Kind.CODE_FILE)).value,
        "semantic_class": leaf,
        "role": "production",
        "sensitivity": "low",
    }
    if tags != "-":
        fields["contains"] = sorted(tags.split(","))
    for each in rest:
        if each.startswith("-"):
            fields["lacks"] = sorted(each[1:].split(","))
        elif each in ("restricted", "high"):
            fields["sensitivity"] = each
        elif re.fullmatch("c[0-9]+", each):
            fields["component"] = each
        else:
            fields["role"] = each
    return fields


def projected(question: Question, workspace: Workspace) -> Goal:
    """The goal as it crosses: words of the lexicon, blanks, and ids for what stands in braces."""
    text, spans, place = "", [], 0
    for match in _named.finditer(question.text):
        text += question.text[place : match.start()]
        ids = tuple(
            each.object_id
            for wanted in match[1].split()
            for path, each in workspace.objects.items()
            if path == wanted or (wanted.endswith("/") and path.startswith(wanted))
        )
        spans.append(Span(len(text), len(text) + len(match[1]), ids, Why.REFERENCE))
        text, place = text + match[1], match.end()
    text += question.text[place:]
    crossing = tokens(project(text, references=spans))
    named = tuple(sorted({each for each in crossing if object_id_like(each)}))
    return Goal(mode="lexicon", text=crossing, intents=intents(text, EVERY), families=families(text), objects=named)


def asked(question: Question, *, blind: bool = False) -> Plan:
    """The first plan of the offline planner."""
    workspace = workspaces()[question.workspace]
    planner = Offline(catalog(), blind=blind)
    goal = projected(question, workspace)
    if blind:
        words = tuple(each for each in goal.text if not object_id_like(each))
        bare = Goal(mode="lexicon", text=words, intents=goal.intents, families=goal.families)
        return decode_plan(planner.plan([released(Request(goal=bare))]))
    objects = tuple(workspace.objects.values())
    envelopes = [
        released(Registration(objects=objects)),
        released(Request(goal=goal, objects=objects, edges=workspace.edges)),
    ]
    return decode_plan(planner.plan(envelopes))


def score(question: Question, plan: Plan) -> Score:
    """F1 of the capabilities, and of the objects that the steps use."""
    chosen = {each.capability for each in plan.steps} - set(TELLING)
    paths = {each.object_id: path for path, each in workspaces()[question.workspace].objects.items()}
    used = {
        paths[each] for step in plan.steps for each in step.inputs if each in paths and step.capability not in TELLING
    }
    hit = sum(bool(each & chosen) for each in question.capabilities)
    extra = len(chosen - frozenset().union(*question.capabilities))
    doubled = sum(max(0, len(each & chosen) - 1) for each in question.capabilities)
    return Score(
        _f1(hit, hit + extra + doubled, len(question.capabilities)),
        _f1(len(used & question.objects), len(used), len(question.objects)),
    )


def _f1(hit: int, chosen: int, wanted: int) -> float:
    return 2 * hit / (chosen + wanted) if chosen + wanted else 1.0


def totals(half: str, *, blind: bool = False) -> dict[str, tuple[float, float]]:
    """Mean capability and object scores of goals that name steps, of vague ones, and of all."""
    scores: dict[str, list[Score]] = {"named": [], "vague": [], "all": []}
    for question in questions(half):
        made = score(question, asked(question, blind=blind))
        scores["vague" if question.vague else "named"].append(made)
        scores["all"].append(made)
    return {
        key: (sum(each.capabilities for each in of) / len(of), sum(each.objects for each in of) / len(of))
        for key, of in scores.items()
    }
