"""The skill: the text that teaches a model the twin, the capabilities and the plan, and how to spend little.

It is made from the vocabulary, the types and the catalog, so it cannot disagree with them. It lists only
capabilities that fit the kinds that are shown, and holds nothing of any object.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import Final

from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS
from plantwin.vocabulary import (
    CapabilityName,
    Confidence,
    Count,
    EdgeType,
    Freshness,
    Kind,
    Readiness,
    RepairCode,
    ResultType,
    Role,
    Sensitivity,
    SizeBucket,
    StepStatus,
)

EDITION: Final = 1
"""Raised whenever the wording changes; the digest after it tells what was listed."""

FIELDS: Final[dict[str, str]] = {
    "object_id": "what a plan calls it",
    "kind": "{Kind}",
    "semantic_class": "what it is",
    "family": "the wider class, where the class is withheld",
    "role": "{Role}",
    "component": "objects with the same one belong together",
    "sensitivity": "{Sensitivity}",
    "sensitivity_causes": "why",
    "freshness": "{Freshness}",
    "size_bucket": "{SizeBucket}",
    "contains": "what was seen in it",
    "amounts": "how much of a tag",
    "usable_for": "capabilities it suits",
    "lacks": "what is missing beside it",
    "readiness": "{Readiness}",
    "readiness_cause": "why not ready",
    "confidence": "{Confidence}: how sure the labels are",
}
"""Every field of an object, as it is explained; a word in braces stands for a small vocabulary."""
SMALL: Final[tuple[type[StrEnum], ...]] = (
    Kind, Role, Sensitivity, Freshness, SizeBucket, Readiness, Confidence, Count, EdgeType, StepStatus, RepairCode,
)  # fmt: skip
RESULTS: Final = "any result"

TEXT: Final = """\
You plan work over a private folder that you cannot see. You see its twin: objects with random ids, described in \
closed words. Your plan is advice: it is checked and run locally, and the person gets a full local report. You only \
ever hear bucketed outcomes.

# What you receive: JSON messages, one per line
registration: objects by kind; groups (group_id, kind, family, count {Count}) stand for objects not listed.
request: goal (text: the person's words, where <name>, <path>, <number> and the like stand for what is withheld, and \
ids are objects they mean; intents; families; objects: those named) and what is told of objects. offers: further \
capabilities of the person's own, each like a known one.
verbatim: the goal in the person's very words, where they allow it.
results: what became of each step, numbered in the order of your plan; status {StepStatus}.
repair: your last answer was no plan; code says why: {RepairCode}. Send the whole plan again, corrected.
Object fields; one that is absent is not told:
{FIELDS}
edges: source, edge {EdgeType}, target, reason.

# What you answer: one JSON object and nothing else
{{"steps":[{{"id":"s1","capability":"…","inputs":["artifact_…"]}}]}} or, when nothing more is needed, {{"steps":[]}}
- At most {MAX_STEPS} steps, at most {MAX_INPUTS} inputs each. Ids of steps: s1, s2, …
- An input is an object's id, or an earlier step's id where the capability takes its result. Never invent ids.
- Add "policy":{{"human_approval":true}} to a step that a person should confirm.
- Every answer is a new plan; step ids of earlier turns are gone.

# Capabilities: name(number of inputs, of what) -> result
{CAPABILITIES}

# Plan well, spend little
Each outcome and each new field is paid from a small budget per object. Choose the two to five capabilities that the \
goal calls for, on the objects that matter; do not run everything on everything. If the goal is vague, let the twin \
decide: logs and errors, then their cause; secrets and personal data, then exposure; pairs that are similar, in \
conflict or of two environments, then compare. Feed results into later steps instead of repeating work. describe or \
expand only if the plan depends on it. rejected and escalated are final: do not ask again. When the results answer \
the goal, end with {{"steps":[]}}.

# Examples
{EXAMPLES}"""

EXAMPLES: Final[tuple[tuple[str, Mapping[str, object], Mapping[str, object]], ...]] = (
    (
        "two modules are to be reviewed and compared",
        {"text": ["audit", "artifact_k2m4p6qa", "for", "security", "and", "compare", "with", "artifact_r3t5v7xb"]},
        {
            "steps": [
                {"id": "s1", "capability": "security_audit", "inputs": ["artifact_k2m4p6qa"]},
                {"id": "s2", "capability": "security_audit", "inputs": ["artifact_r3t5v7xb"]},
                {"id": "s3", "capability": "compare", "inputs": ["s1", "s2"]},
            ]
        },
    ),
    (
        "a vague goal; the twin shows two error logs and a deploy manifest",
        {"text": ["something", "broke", ":", "what", "happened", "?"]},
        {
            "steps": [
                {"id": "s1", "capability": "analyze_logs", "inputs": ["artifact_c2e4g6ia", "artifact_d3f5h7jb"]},
                {"id": "s2", "capability": "correlate_events", "inputs": ["s1", "artifact_m2o4q6sa"]},
            ]
        },
    ),
)
"""Synthetic goals with their plans; one is shown where all its capabilities are listed."""


class Skill:
    """The text for one session, and its version."""

    def __init__(self, catalog: Mapping[str, Capability], kinds: Collection[Kind]) -> None:
        self.listed = tuple(each for each in catalog.values() if not each.own and _fits(each, kinds))
        """Built-in capabilities that fit what is shown."""
        words = {each.__name__: "|".join(each) for each in SMALL}
        self.text = TEXT.format(
            **words,
            MAX_STEPS=MAX_STEPS,
            MAX_INPUTS=MAX_INPUTS,
            FIELDS="; ".join(f"{name} ({text.format(**words)})" for name, text in FIELDS.items()),
            CAPABILITIES="\n".join(described(each, kinds) for each in self.listed),
            EXAMPLES="\n".join(self._examples()),
        )
        digest = hashlib.sha256(self.text.encode()).hexdigest()
        self.version = f"{EDITION}.{digest[:12]}"
        """Its edition, and which capabilities and examples it lists."""

    def _examples(self) -> Iterable[str]:
        listed = {each.word for each in self.listed}
        for what, goal, plan in EXAMPLES:
            steps = plan["steps"]
            if isinstance(steps, list) and {each["capability"] for each in steps} <= listed:
                yield f"{what}: goal {_compact(goal)} -> {_compact(plan)}"


def described(capability: Capability, kinds: Collection[Kind]) -> str:
    """One line about a capability: how to call it, and what it does."""
    number = str(capability.least) if capability.least == capability.most else f"{capability.least}-{capability.most}"
    if capability.name is CapabilityName.EXPAND:
        return f"{capability.word}(1 group) -> {capability.returns}: {capability.name.definition}"
    fitting = [kind.value for kind in Kind if kind in capability.kinds and kind in kinds]
    if capability.selective:  # the class decides, and says more than the kind
        of = "of " + "|".join([*sorted(capability.families), *sorted(capability.classes)])
    else:
        of = "any" if set(kinds) <= capability.kinds else "|".join(fitting)
    if capability.takes:
        whole = set(ResultType) - {ResultType.FIELDS}
        of += f"; {RESULTS if capability.takes >= whole else '|'.join(sorted(capability.takes))}"
    return f"{capability.word}({number} {of}) -> {capability.returns}: {capability.name.definition}"


def _fits(capability: Capability, kinds: Collection[Kind]) -> bool:
    return bool(capability.kinds & set(kinds))


def _compact(tree: Mapping[str, object]) -> str:
    return json.dumps(tree, separators=(",", ":"))
