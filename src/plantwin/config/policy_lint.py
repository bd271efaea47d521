"""Advice on a policy: what keeps it from being loaded, and what is allowed but hardly meant."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, combinations, groupby, islice, product
from typing import Any, Final

from plantwin.config.policy_text import ENUMS, Problem, nodes, read, schema
from plantwin.types.local import Subject
from plantwin.types.policy import GOAL_MODES, LOCALITIES, Case, Party, Statement, question
from plantwin.vocabulary import (
    CapabilityName,
    Confidence,
    Freshness,
    Kind,
    Risk,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
)

LABELS: Final = frozenset({"private", "public"})
"""Labels that the shipped policies speak of."""
MOST_CASES: Final = 4096
"""Cases tried before a policy is given the benefit of the doubt."""
BATCH: Final = 256
UNMENTIONED: Final = "-"
"""A name, audience or label that no policy mentions."""


def check(text: str, labels: Collection[str] = ()) -> list[Problem]:
    """Everything wrong with a policy, by line. `labels`: those that the person's configuration gives."""
    statements, problems = read(text)
    wrong = {each.policy for each in problems}
    for each in statements:
        if each.id not in wrong:
            problems += _advice(each, LABELS | set(labels))
    if statements and not problems and all(each.tree["effect"] == "forbid" for each in statements):
        problems.append(Problem("warning", 1, "", "no permit: everything is refused"))
    return sorted(problems, key=lambda problem: problem.line)


def _advice(each: Statement, labels: Collection[str]) -> Iterator[Problem]:
    if "id" not in each.tree.get("annotations", {}):
        yield Problem("warning", each.line, each.id, 'has no name: begin it with @id("…"), so that decisions name it')
    if each.tree["effect"] == "permit" and not each.tree["conditions"]:
        yield Problem("warning", each.line, each.id, "permits without any condition: add a when")
    for label in sorted(_labels(each.tree) - set(labels)):
        yield Problem("warning", each.line, each.id, f"label {json.dumps(label)} is given to no path")
    if not _applies(each):
        yield Problem("warning", each.line, each.id, "can never apply")


def _labels(tree: Any) -> set[str]:
    """Texts that an object's labels are compared with."""
    asked: set[str] = set()
    for node in nodes(tree):
        for operator in ("contains", "containsAny", "containsAll"):
            inside = node.get(operator) if isinstance(node, dict) else None
            if inside and inside["left"] == {".": {"left": {"Var": "resource"}, "attr": "labels"}}:
                asked |= {each for each in _values(inside["right"]) if isinstance(each, str)}
    return asked


def _values(tree: Any) -> Iterator[Any]:
    """Literals."""
    return (node["Value"] for node in nodes(tree) if isinstance(node, dict) and "Value" in node)


def _applies(each: Statement) -> bool:
    """Whether some case satisfies it. Tried over every value that it mentions and one that it does not."""
    from cedarpy import Decision, PolicySet, is_authorized_batch

    alone = {"staticPolicies": {"it": {**each.tree, "effect": "permit"}}, "templates": {}, "templateLinks": []}
    policy = PolicySet.from_json_str(json.dumps(alone))
    tried = 0
    # A planner has one audience at a time, so each party has batches of its own.
    for _, cases in groupby(_cases(each.tree), key=lambda case: case.party):
        while some := list(islice(cases, BATCH)):
            asked = [question(case, ok, number) for number, case in enumerate(some) for ok in (False, True)]
            entities = {entity["uid"]["type"] + entity["uid"]["id"]: entity for _, pair in asked for entity in pair}
            answers = is_authorized_batch([ask for ask, _ in asked], policy, [*entities.values()], schema())
            tried += len(some)
            if tried > MOST_CASES or any(answer.decision is not Decision.Deny for answer in answers):
                return True
    return False


def _cases(tree: dict[str, Any]) -> Iterator[Case]:
    """Cases that differ in what the statement looks at."""
    named: set[str] = set()
    words: dict[str, set[str]] = {}
    texts: set[str] = {UNMENTIONED}
    for node in nodes(tree):
        match node:
            case {"type": str(type_), "id": str(word)}:
                words.setdefault(type_, set()).add(word)
            case {"Value": str(text)}:
                texts.add(text)
            case {"pattern": [*parts]}:
                texts.add("".join(part["Literal"] for part in parts if isinstance(part, dict)))
            case {"attr": str(name)}:
                named.add(name)

    def some(type_: str, every: Iterable[str]) -> list[str]:
        mentioned = words.get(type_, set())
        return [each for each in every if each in mentioned] + [each for each in every if each not in mentioned][:1]

    names = [*words.get("Planner", ()), UNMENTIONED]
    parties = [Party(*each) for each in product(names, texts if "audience" in named else [UNMENTIONED], LOCALITIES)]
    asked = product(
        parties,
        some("Action", CapabilityName),
        some("Risk", Risk),
        some("GoalMode", GOAL_MODES),
        (True, False),
        range(24) if "hour" in named else (12,),
        range(1, 8) if "weekday" in named else (1,),
    )
    subject = (
        some("Kind", Kind),
        _leaves(words),
        some("Sensitivity", Sensitivity),
        [frozenset(each) for each in _subsets(some("Cause", SensitivityCause))] if "causes" in named else [frozenset()],
        some("Freshness", Freshness),
        some("Confidence", Confidence),
        [frozenset(each) for each in _subsets(sorted(texts))] if "labels" in named else [frozenset[str]()],
    )
    for context in asked:
        for values in product(*subject):
            yield Case(*context, Subject(*values))  # type: ignore[arg-type]


def _leaves(words: dict[str, set[str]]) -> list[SemanticClass]:
    """Classes that are mentioned, one of each family that is, and another."""
    classes, families = words.get("Class", set()), words.get("Family", set())
    chosen = [each for each in SemanticClass if each in classes]
    for family in ENUMS["Family"]:
        if family in families:
            chosen += [each for each in SemanticClass if each.family == family and each not in classes][:1]
    others = [each for each in SemanticClass if each not in classes and each.family not in families]
    return chosen + others[:1]


def _subsets(members: list[str]) -> list[tuple[str, ...]]:
    """All subsets of few; of many the small ones first, in a number that ends in doubt."""
    every = chain.from_iterable(combinations(members, number) for number in range(len(members) + 1))
    return list(islice(every, MOST_CASES + 1))
