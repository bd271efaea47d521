"""What a small model may answer, as a JSON Schema: only plans that decode and whose steps have the right types.

It is made from the envelopes alone. Objects, sets, and the members of a mixed set that are of one class are called f1,
f2, …, steps s1, s2, …: short names are spelled without mistakes and cost few tokens; what they stand for, a set that is
narrowed too, is put in afterwards. The first step works on these alone, so that it always stands; a later one may use
results of earlier steps, and is left out where they turn out not to fit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from plantwin.cloud.conversation import any_schema, object_schema
from plantwin.types.capability import TELLING, Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName, Family, Kind, SemanticClass, SetSize, member

MOST_STEPS = 4
MOST_INPUTS = 3
MOST_CAPABILITIES = 12
MOST_TEXT = 1 << 14
MOST_TRIES = 32
SLACK = 2
"""White space that a model may put between everything, as a multiple of the answer itself."""
NEVER = TELLING
"""What a small model only wastes its turn on."""

Told = Mapping[str, Any]
"""What an envelope tells of one object or set."""


class Choice(NamedTuple):
    """A capability, and what fits it as far as what was told says so."""

    capability: Capability
    names: tuple[str, ...]


class Item(NamedTuple):
    """What a short name stands for: an input as a plan writes it, and what was told of it."""

    input: str | dict[str, Any]
    told: Told

    @property
    def members(self) -> int:
        """How many objects it is, at least."""
        return member(SetSize, self.told["size"]).least if "size" in self.told else 1


def items(told: Told) -> list[Item]:
    """An object, or a set; of a mixed set also the members of each class."""
    if "set_id" not in told:
        return [Item(told["object_id"], told)]
    whole = {field: value for field, value in told.items() if field != "classes"}
    made = [Item(told["set_id"], whole)]
    for class_ in told.get("classes", ()):
        where = {"semantic_class": class_["semantic_class"]}
        made.append(Item({"set": told["set_id"], "where": where}, {**whole, **where}))
    return made


def fits(capability: Capability, told: Told) -> bool:
    """Whether what was told proves that a capability takes it; of a set, whether it may take some of its members."""
    kind, leaf, family = told.get("kind"), told.get("semantic_class"), told.get("family")
    several = "set_id" in told
    if member(Kind, kind) not in capability.kinds if kind is not None else not several:
        return False
    if not capability.selective:
        return True
    if leaf is not None:
        known = member(SemanticClass, leaf)
        return known in capability.classes or known.family in capability.families
    return member(Family, family) in capability.families if family is not None else several


class Menu:
    """The choices of one turn, by short names."""

    def __init__(
        self, capabilities: Sequence[Capability], shown: Sequence[Item], *, most_steps: int = MOST_STEPS
    ) -> None:
        self.items = {f"f{number}": id_ for number, id_ in enumerate(shown, start=1)}
        """What can be worked on, by short names."""
        self._most_steps = most_steps
        self.choices: dict[str, Choice] = {}
        for capability in capabilities:
            fitting = tuple(name for name, item in self.items.items() if fits(capability, item.told))
            if (
                self._members(fitting) >= max(capability.least, 1)
                and capability.least <= 2
                and capability.name not in NEVER
            ):
                self.choices[capability.word] = Choice(capability, fitting)

    def _members(self, names: Iterable[str]) -> int:
        """How many objects these names stand for, at least; results of steps count as one."""
        return sum(self.items[name].members if name in self.items else 1 for name in names)

    def __bool__(self) -> bool:
        return bool(self.choices)

    def schema(self) -> dict[str, Any]:
        """The form of an answer: a first step, and further ones."""
        first = [_step(choice, self._inputs(choice)) for choice in self.choices.values()]
        steps = tuple(f"s{number}" for number in range(1, self._most_steps))
        later = [
            _step(choice, self._inputs(choice, steps if choice.capability.takes else ()))
            for choice in self.choices.values()
        ]
        return object_schema(
            first=any_schema(first),
            then={"type": "array", "items": any_schema(later), "maxItems": max(self._most_steps - 1, 0)},
        )

    def _inputs(self, choice: Choice, steps: tuple[str, ...] = ()) -> dict[str, Any]:
        """A list of names that fit. Two that must differ are spelled out, since a grammar cannot compare."""
        names = (*choice.names, *steps)
        if choice.capability.least < 2:
            most = min(choice.capability.most, MOST_INPUTS, len(names))
            return {"type": "array", "items": {"enum": list(names)}, "minItems": 1, "maxItems": most}
        forms: list[dict[str, Any]] = [
            {"type": "array", "prefixItems": [{"const": one}, {"enum": others}]}
            for one in names
            if (others := [name for name in names if name != one])
        ]
        # One set is enough where it has two members: pairs are found in it.
        sets = [name for name in names if self._members([name]) >= 2]
        if sets:
            forms.append({"type": "array", "items": {"enum": sets}, "minItems": 1, "maxItems": 1})
        return any_schema(forms)

    def room(self) -> int:
        """Tokens for an answer: what the longest has in characters, and as much again for white space."""
        return SLACK * self.longest()

    def longest(self) -> int:
        """Characters of the longest answer that the schema lets through, but for white space."""
        word = max(map(len, self.choices), default=0)
        return 24 + self._most_steps * (word + 34 + MOST_INPUTS * 6)

    def steps(self, text: str) -> list[dict[str, Any]]:
        """The steps of an answer, with real ids; what does not fit is left out, whoever wrote it."""
        made: dict[str, dict[str, Any]] = {}
        seen: set[str] = set()
        for number, asked in enumerate(_asked(text[:MOST_TEXT])[: self._most_steps], start=1):
            step = self._made(f"s{number}", asked, made)
            if step is not None and (same := json.dumps([step["capability"], step["inputs"]])) not in seen:
                seen.add(same)
                made[f"s{number}"] = step
        return list(made.values())

    def _made(self, name: str, asked: Any, earlier: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
        if not isinstance(asked, dict) or not isinstance(asked.get("inputs"), list):
            return None
        choice = self.choices.get(str(asked.get("capability")))
        if choice is None:
            return None
        names = [
            given
            for given in dict.fromkeys(map(str, asked["inputs"][:MAX_INPUTS]))
            if given in choice.names or (given in earlier and self._fits(earlier[given], choice.capability))
        ][: choice.capability.most]
        if self._members(names) < max(choice.capability.least, 1):
            return None
        inputs = [self.items[text].input if text in self.items else text for text in names]
        output = choice.capability.returns.value
        return {"id": name, "capability": choice.capability.word, "inputs": inputs, "output": output}

    def _fits(self, step: dict[str, Any], capability: Capability) -> bool:
        """Whether a capability takes what a step makes. A report is for the person: nothing is built on it."""
        made = self.choices[step["capability"]].capability
        return made.returns in capability.takes and made.name is not CapabilityName.REPORT


def _step(choice: Choice, inputs: dict[str, Any]) -> dict[str, Any]:
    return object_schema(capability={"const": choice.capability.word}, inputs=inputs)


def _asked(text: str) -> list[Any]:
    """The steps of an answer in order, also of one that was cut off: then those that are whole."""
    tree = _whole(text, text.find("{"))
    if tree is not None:
        later = tree[0].get("then")
        return [tree[0].get("first"), *(later if isinstance(later, list) else ())]
    found: list[Any] = []
    at = text.find("{", text.find("{") + 1)
    for _ in range(MOST_TRIES):
        if at < 1:
            break
        step = _whole(text, at)
        if step is not None:
            found.append(step[0])
        at = text.find("{", step[1] if step is not None else at + 1)
    return found


def _whole(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    """The JSON object at a place, and where it ends."""
    if at < 0:
        return None
    try:
        tree, end = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return (tree, end) if isinstance(tree, dict) else None
