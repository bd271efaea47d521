"""Which form an object is written in, and what is added to it so that it holds what is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from plantwin.synth.templates import Form, Measured, forms, measured, syntax
from plantwin.synth.told import wanted
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import MAX_TAGS, SemanticClass

MANY = 10
"""Places of a tag that cover much of a file."""
_CALLS = ("external_calls", "database_calls")
GATHERED = 4
"""Values that are a collection, where one is not."""


class Choice(NamedTuple):
    """A form with its additions: snippet and how often."""

    form: Form
    added: tuple[tuple[str, int], ...]


def choose(one: TwinObject, needs: Collection[str]) -> Choice:
    """The form that is nearest to what is told of the object; `needs` are the tools that it requires."""
    candidates = _candidates(one)
    form = min(candidates, key=lambda candidate: _distance(one, candidate, measured().get(candidate.key), needs))
    return Choice(form, additions(one, form))


def _candidates(one: TwinObject) -> list[Form]:
    """Forms of its class; of what is not told, those of its family or kind."""
    table = forms()
    if one.semantic_class is not UNSET:
        return list(table[one.semantic_class])
    leaves = [leaf for leaf in SemanticClass if one.family is UNSET or leaf.family is one.family]
    every = [form for leaf in leaves for form in table[str(leaf)]]
    return [form for form in every if form.kind == one.kind] or every


def _differs(value: object, other: str) -> bool:
    return ("" if value is UNSET else str(value)) != other


def _distance(one: TwinObject, form: Form, known: Measured | None, needs: Collection[str]) -> float:
    """How much of what is told a form does not say, or says otherwise."""
    if known is None:
        return 1000.0
    tags = wanted(one)
    full = len(tags) >= MAX_TAGS
    points = 40.0 * (one.kind != known.kind)
    points += 40.0 * (known.semantic_class != form.semantic_class)
    points += 12.0 * _differs(one.ecosystem, known.ecosystem) + 1.0 * _differs(one.dialect, known.dialect)
    points += 6.0 * bool(known.provider) * _differs(one.provider, known.provider)
    points += 1.5 * _differs(one.provider, known.provider) + 1.0 * _differs(one.role, known.role)
    points += 2.5 * _differs(one.confidence, known.confidence)
    points += 6.0 * (one.environment is UNSET) * bool(known.environment)
    points += 4.0 * len(set(needs) ^ set(known.needs))
    points += sum(1.0 if full else 4.0 for tag in known.tags if tag not in tags)
    brought = set(known.tags).union(*known.adds.values()) if known.adds else set(known.tags)
    points += sum(3.0 for tag in tags if tag not in brought)
    lacks = () if one.lacks is UNSET else tuple(map(str, one.lacks))
    points += 2.0 * len(set(known.lacks) - set(lacks))
    points += 1.0 * len({"rollback", "health_check", "resource_limits"} & set(lacks) - set(known.lacks))
    causes = () if one.sensitivity_causes is UNSET else tuple(map(str, one.sensitivity_causes))
    points += 3.0 * len(set(known.causes) - set(causes))
    points += 20.0 * (one.readiness_cause == "missing_secret") * (form.syntax != "env")
    if one.readiness_cause == "empty" or known.cause:
        points += 30.0 * _differs(one.readiness_cause, known.cause or "empty")
    return points


def additions(one: TwinObject, form: Form) -> tuple[tuple[str, int], ...]:
    """Snippets that bring the tags and causes that the form itself does not."""
    known = measured().get(form.key)
    if known is None or one.readiness_cause == "empty":
        return ()
    tags, causes = wanted(one), () if one.sensitivity_causes is UNSET else tuple(map(str, one.sensitivity_causes))
    chosen: dict[str, int] = {}
    for cause in sorted(set(causes) - set(known.causes)):
        for times, brought in ((1, known.causes_of_one), (GATHERED, known.causes_of_some)):
            fitting = [name for name, found in brought.items() if cause in found]
            if name := _least(fitting, known, set(tags), set(causes), brought):
                chosen[name] = max(times, chosen.get(name, 0))
                break
    held = {tag for name in chosen for tag in known.adds[name]}
    for tag, amount in tags.items():
        enough = MANY if amount == "many" else 1
        if known.tags.get(tag, 0) >= enough or (amount == "few" and (tag in known.tags or tag in held)):
            continue
        fitting = [name for name, brought in known.adds.items() if tag in brought]
        causing = known.causes_of_one if amount == "few" else known.causes_of_some
        best = _least(sorted(fitting, key=lambda name: name != tag), known, set(tags), set(causes), causing)
        if best:
            held |= set(known.adds[best])
            needed = max(1, -(-(enough - known.tags.get(tag, 0)) // known.adds[best][tag]))
            chosen[best] = max(chosen.get(best, 0), needed)
    lacks = () if one.lacks is UNSET else one.lacks
    calls = [name for name in _CALLS if name in tags and name in known.adds]
    if "error_handling" in lacks and calls:
        made = sum(known.tags.get(name, 0) for name in _CALLS)
        chosen[calls[0]] = max(-(-(2 - made) // known.adds[calls[0]].get(calls[0], 1)), chosen.get(calls[0], 0))
        chosen = {name: times for name, times in chosen.items() if times > 0}
    chosen |= dict.fromkeys(chosen.keys() & known.seldom, 1)
    own = dict(form.tags)
    # What belongs inside the form's own structure comes before what may stand anywhere.
    return tuple(sorted(chosen.items(), key=lambda item: (item[0] not in own, item[0])))


def _least(
    names: Sequence[str],
    known: Measured,
    tags: Collection[str],
    causes: Collection[str],
    causing: Mapping[str, tuple[str, ...]],
) -> str:
    """The snippet that brings least of what is not wanted; of equals the first."""

    def harm(name: str) -> int:
        return len(set(known.adds[name]) - set(tags)) + 2 * len(set(causing.get(name, ())) - set(causes))

    return min(names, key=harm, default="")


def few(one: TwinObject, choice: Choice) -> int:
    """Lines that a file needs at least, so that what it holds a little of does not cover much of it."""
    known = measured().get(choice.form.key)
    places: Counter[str] = Counter(known.tags if known else {})
    for name, times in choice.added:
        for tag, brought in known.adds[name].items() if known else ():
            places[tag] += times * brought
    tags = wanted(one)
    return max((5 * count + 3 for tag, count in places.items() if count < MANY and tags.get(tag) == "few"), default=0)  # type: ignore[call-overload]


def writes(form: Form, reason: str) -> str:
    """How a relation is written in a form, where it can be."""
    return dict(form.references).get(reason) or str(syntax(form.syntax).get(reason, ""))
