"""What a small model may answer, as a JSON Schema: only plans that decode and whose steps have the right types.

It is made from the envelopes alone. Objects are called f1, f2, …, steps s1, s2, …: short names are spelled without
mistakes and cost few tokens. The first step works on objects alone, so that it always stands; a later one may use
results of earlier steps, and is left out where they turn out not to fit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName, Family, Kind, SemanticClass, member

MOST_STEPS = 4
MOST_INPUTS = 3
MOST_CAPABILITIES = 12
MOST_TEXT = 1 << 14
MOST_TRIES = 32
SLACK = 2
"""White space that a model may put between everything, as a multiple of the answer itself."""
NEVER = (CapabilityName.DESCRIBE, CapabilityName.EXPAND)
"""What a small model only wastes its turn on."""

Told = Mapping[str, Any]
"""What an envelope tells of one object."""


class Choice(NamedTuple):
    """A capability, and the objects that fit it as far as what was told says so."""

    capability: Capability
    objects: tuple[str, ...]


def fits(capability: Capability, told: Told) -> bool:
    """Whether what was told of an object proves that a capability takes it."""
    kind, leaf, family = told.get("kind"), told.get("semantic_class"), told.get("family")
    if kind is None or member(Kind, kind) not in capability.kinds:
        return False
    if not capability.selective:
        return True
    if leaf is not None:
        return capability.accepts(member(Kind, kind), member(SemanticClass, leaf))
    return family is not None and member(Family, family) in capability.families


class Menu:
    """The choices of one turn, by short names."""

    def __init__(
        self, capabilities: Sequence[Capability], objects: Mapping[str, Told], *, most_steps: int = MOST_STEPS
    ) -> None:
        self.ids = {f"f{number}": id_ for number, id_ in enumerate(objects, start=1)}
        """Objects by their short names."""
        self._most_steps = most_steps
        self.choices: dict[str, Choice] = {}
        for each in capabilities:
            fitting = tuple(name for name, id_ in self.ids.items() if fits(each, objects[id_]))
            if len(fitting) >= max(each.least, 1) and each.least <= 2 and each.name not in NEVER:
                self.choices[each.word] = Choice(each, fitting)

    def __bool__(self) -> bool:
        return bool(self.choices)

    def schema(self) -> dict[str, Any]:
        """The form of an answer: a first step, and further ones."""
        first = [_step(each, _inputs(each)) for each in self.choices.values()]
        steps = tuple(f"s{number}" for number in range(1, self._most_steps))
        later = [_step(each, _inputs(each, steps if each.capability.takes else ())) for each in self.choices.values()]
        return _object(
            first=_any(first), then={"type": "array", "items": _any(later), "maxItems": max(self._most_steps - 1, 0)}
        )

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
        for number, each in enumerate(_asked(text[:MOST_TEXT])[: self._most_steps], start=1):
            step = self._made(f"s{number}", each, made)
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
        inputs: dict[str, None] = {}
        for each in map(str, asked["inputs"][:MAX_INPUTS]):
            if each in choice.objects:
                inputs[self.ids[each]] = None
            elif each in earlier and self._returns(earlier[each]) in choice.capability.takes:
                inputs[each] = None
        kept = list(inputs)[: choice.capability.most]
        if len(kept) < max(choice.capability.least, 1):
            return None
        output = choice.capability.returns.value
        return {"id": name, "capability": choice.capability.word, "inputs": kept, "output": output}

    def _returns(self, step: dict[str, Any]) -> str:
        return self.choices[step["capability"]].capability.returns


def _inputs(choice: Choice, steps: tuple[str, ...] = ()) -> dict[str, Any]:
    """A list of names that fit. Two that must differ are spelled out, since a grammar cannot compare."""
    names = (*choice.objects, *steps)
    if choice.capability.least < 2:
        most = min(choice.capability.most, MOST_INPUTS, len(names))
        return {"type": "array", "items": {"enum": list(names)}, "minItems": 1, "maxItems": most}
    return _any(
        [
            {"type": "array", "prefixItems": [{"const": one}, {"enum": [each for each in names if each != one]}]}
            for one in names
        ]
    )


def _step(choice: Choice, inputs: dict[str, Any]) -> dict[str, Any]:
    return _object(capability={"const": choice.capability.word}, inputs=inputs)


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _any(forms: list[dict[str, Any]]) -> dict[str, Any]:
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


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
