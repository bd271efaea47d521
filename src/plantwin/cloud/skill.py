"""The skill: the text that teaches a model the twin, the capabilities and the plan, and how to spend little.

It is made from the vocabulary, the types and the catalog, so it cannot disagree with them. It lists only
capabilities that fit the kinds that are shown and families of classes that are shown, and holds nothing of any object.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

from plantwin.types.capability import TELLING, Capability, parts_of
from plantwin.types.plan import MAX_INPUTS, MAX_STEPS, Where
from plantwin.vocabulary import (
    Age,
    CapabilityName,
    Dimension,
    Kind,
    Part,
    ResultType,
    SemanticClass,
    Sensitivity,
    SetSize,
    Share,
    StepStatus,
    WorksOn,
)

EDITION: Final = 3
"""Raised whenever the wording changes; the digest after it tells what was listed."""

_TABLES: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
FIELDS: Final[dict[str, str]] = _TABLES["fields"]
"""Every field of a set that needs a word, beside its id and size; a word in braces stands for a small vocabulary."""
SMALL: Final[tuple[type[StrEnum], ...]] = (
    Kind, Age, Sensitivity, SetSize, Share, Dimension, StepStatus
)  # fmt: skip
RESULTS: Final = "results"
SECTIONS: Final[dict[WorksOn, str]] = {
    WorksOn.EACH: "On every member by itself:",
    WorksOn.PAIRS: (
        "On pairs, found locally by relations and names (versions, environments, periods), "
        "within one set or between two:"
    ),
    WorksOn.WHOLE: "On all inputs together:",
}

TEXT: Final[str] = _TABLES["text"]

EXAMPLES: Final[tuple[tuple[str, Mapping[str, object]], ...]] = tuple(
    (row["goal"], json.loads(row["plan"])) for row in _TABLES["example"]
)
"""Synthetic goals with their plans; one is shown where all its capabilities are listed."""


class Skill:
    """The text for one session, and its version."""

    def __init__(
        self, catalog: Mapping[str, Capability], kinds: Collection[Kind], classes: Collection[SemanticClass] = ()
    ) -> None:
        self.listed = tuple(
            capability for capability in catalog.values() if not capability.own and _fits(capability, kinds)
        )
        """Built-in capabilities that fit what is shown."""
        words = {vocabulary.__name__: "|".join(vocabulary) for vocabulary in SMALL}
        self.text = TEXT.format(
            **words,
            MAX_STEPS=MAX_STEPS,
            MAX_INPUTS=MAX_INPUTS,
            FIELDS="; ".join(f"{name} ({text.format(**words)})" if text else name for name, text in FIELDS.items()),
            WHERE=", ".join(Where.__struct_fields__),
            PARTS=_parts(),
            CAPABILITIES="\n".join(self._sections(kinds)),
            FAMILIES=_families(classes),
            EXAMPLES="\n".join(self._examples()),
        )
        digest = hashlib.sha256(self.text.encode()).hexdigest()
        self.version = f"{EDITION}.{digest[:12]}"
        """Its edition, and which capabilities, classes and examples it lists."""

    def _sections(self, kinds: Collection[Kind]) -> Iterable[str]:
        """Capabilities by what they do with a set; last what only tells."""
        for works_on, title in SECTIONS.items():
            lines = [
                described(capability, kinds)
                for capability in self.listed
                if capability.works_on is works_on and capability.name not in TELLING
            ]
            if lines:
                yield from (title, *lines)
        telling = [described(capability, kinds) for capability in self.listed if capability.name in TELLING]
        if telling:
            yield from ("Telling more:", *telling)

    def _examples(self) -> Iterable[str]:
        listed = {capability.word for capability in self.listed}
        for goal, plan in EXAMPLES:
            steps = plan["steps"]
            if isinstance(steps, list) and {step["capability"] for step in steps} <= listed:
                yield f"{goal} {_compact(plan)}"


def described(capability: Capability, kinds: Collection[Kind]) -> str:
    """One line about a capability: what it takes, what it returns, and what it does."""
    fitting = [kind.value for kind in Kind if kind in capability.kinds and kind in kinds]
    if capability.name is CapabilityName.SPLIT:
        of = f'one set, with "by":"{"|".join(Dimension)}"'
    elif capability.selective:  # the class decides, and says more than the kind
        of = "|".join([*sorted(capability.families), *sorted(capability.classes)])
    else:
        everything = "any" if capability.takes else ""
        of = everything if set(kinds) <= capability.kinds else "|".join(fitting)
    if capability.takes:
        whole = set(ResultType) - {ResultType.FIELDS}
        of += f"; {RESULTS if capability.takes >= whole else '|'.join(sorted(capability.takes))}"
    call = f"{capability.word}({of})" if of else capability.word
    returns = "" if capability.returns in (ResultType.FINDINGS, ResultType.FIELDS) else f" -> {capability.returns}"
    return f"{call}{returns}: {capability.name.definition}"


def _parts() -> str:
    """Parts that results have: those of nearly all, then what some have besides."""
    common = parts_of(ResultType.FINDINGS)
    by_type = {result_type: sorted(parts_of(result_type) - common) for result_type in ResultType}
    besides: dict[str, list[str]] = {}
    for type_, parts in by_type.items():
        if parts:
            besides.setdefault(", ".join(parts), []).append(type_.value)
    usual = ", ".join(part.value for part in Part if part in common and part is not Part.AFFECTED)
    return "; ".join([usual, *(f"of {'|'.join(types)} {parts}" for parts, types in besides.items())])


def _families(classes: Collection[SemanticClass]) -> str:
    """Which family each class belongs to that is shown."""
    of: dict[str, list[str]] = {}
    for leaf in sorted(classes):
        of.setdefault(leaf.family.value, []).append(leaf.value)
    if not of:
        return ""
    return "Families: " + "; ".join(f"{family}: {', '.join(leaves)}" for family, leaves in sorted(of.items())) + "\n"


def _fits(capability: Capability, kinds: Collection[Kind]) -> bool:
    return bool(capability.kinds & set(kinds))


def _compact(tree: Mapping[str, object]) -> str:
    return json.dumps(tree, separators=(",", ":"))
