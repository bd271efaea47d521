"""Accountants whose prices are measured, in nats: by how many words there are, or by how rare the told one is.

`Calibrated`   a word costs the logarithm of how many could stand in its place, absence included, given what was told
`Surprisal`    a word costs the logarithm of how rarely it is true, by a public prior and in the folder itself

`Blocks` divides a folder so that what is told of an object, and what is not, is the same for at least `k` objects.
`Crowd` counts whom words could be about.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET

from plantwin.boundary.budget import Weighted
from plantwin.types.accounting import Accountant, Hiding
from plantwin.types.capability import FIELDS
from plantwin.types.envelope import MAX_OBJECTS
from plantwin.types.ledger import Known
from plantwin.types.local import LocalObject
from plantwin.types.prices import BOUNDLESS, BY_KIND, BY_SENSITIVITY, COSTS, MILL, field_of, statement_of
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import (
    FACETS,
    Absence,
    Affected,
    Affordance,
    Amount,
    Confidence,
    ContentTag,
    Dimension,
    EdgeReason,
    EdgeType,
    Examined,
    Family,
    Findings,
    Freshness,
    Kind,
    Left,
    OutcomeTag,
    Readiness,
    ReadinessCause,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SetSize,
    Severity,
    Share,
    SizeBucket,
    StepStatus,
    member,
)

_WORDS: Final[Mapping[str, type[StrEnum]]] = {
    "kind": Kind, "semantic_class": SemanticClass, "family": Family, "role": Role, "sensitivity": Sensitivity,
    "sensitivity_causes": SensitivityCause, "freshness": Freshness, **FACETS, "size_bucket": SizeBucket,
    "contains": ContentTag, "usable_for": Affordance, "lacks": Absence, "readiness": Readiness,
    "readiness_cause": ReadinessCause, "confidence": Confidence, "reason": EdgeReason, "status": StepStatus,
    "severity": Severity, "count": Findings, "tag": OutcomeTag, "examined": Examined, "affected": Affected,
    "size": SetSize, "classes": SemanticClass, "remaining": Left,
}  # fmt: skip
CHOICES: Final[Mapping[str, int]] = {
    **{field: len(words) + 1 for field, words in _WORDS.items()},
    "amounts": len(Amount),
    "component": MAX_OBJECTS + 1,  # which of those that were told before, or another
    "within": MAX_OBJECTS + 1,
    "labels": 2,
    "edge": len(EdgeType) * MAX_OBJECTS + 1,
    "relation": len(EdgeType) * len(EdgeReason) * len(Share) * MAX_OBJECTS + 1,
    "ready": len(Share) + 1,
    "split": len(Dimension),
    "read_by_code": len(StepStatus) * (len(Severity) + 1) * (len(Findings) + 1) * (len(OutcomeTag) + 1) ** 2,
}
"""How many different words could be told in the place of one, its absence included; `nothing` has its field's."""
_LEAVES: Final[Mapping[str, int]] = {family: sum(leaf.family is family for leaf in SemanticClass) for family in Family}
_ANY: Final = "any."
_OF_THE_GOAL: Final = frozenset({"confidence=sure", "confidence=unsure"})
"""What is told of an object in this session: whether the goal meant it."""
_COUNTED: Final = ("kind", "family", *(field for field in FIELDS if field not in ("kind", "component", "edges")))
"""Fields that say by themselves which object it could be, in the order in which blocks are divided."""
_COUNTED_FIELDS: Final = frozenset(_COUNTED)
_PRIOR: Final = tuple(field for field in _WORDS if field in (*FIELDS, "family"))
"""Fields of an object whose words have a frequency."""


def nats(choices: float) -> int:
    """What one of so many equally likely words tells, in thousandths of a nat, rounded up."""
    return math.ceil(MILL * math.log(choices))


@lru_cache(1 << 14)
def calibrated(statement: str, family: str = "", tags: int = 0) -> int:
    """The price of a statement: the logarithm of its alternatives. `family`: what was told of its class before."""
    field, value = field_of(statement), statement.partition("=")[2]
    if statement.startswith(_ANY):  # what is kept back for outcomes to come, not a thing told
        return nats(2)
    if field == "nothing":
        return (
            calibrated(f"{'edge' if value == 'edges' else value}=") if value in CHOICES or value == "edges" else nats(2)
        )
    if field == "semantic_class" and family:
        return nats(_LEAVES[family])
    choices = tags + 1 if field == "tag" and tags else CHOICES[field]
    # Of a set it is said of which share of the members a word is true.
    return nats(choices * len(Share)) if ":" in value and field in _WORDS and field != "reason" else nats(choices)


class Calibrated(Weighted):
    """Prices are logarithms of what could have been told: the sum bounds what is learned, in nats."""

    def __init__(
        self,
        sensitivities: Mapping[Sensitivity, int] = BY_SENSITIVITY,
        kinds: Mapping[Kind, int] = BY_KIND,
        scale: float = 1.0,
        tags: Mapping[str, int] | None = None,
    ) -> None:
        """`tags`: how many tags each capability can say, by its name in units."""
        super().__init__(COSTS, sensitivities, kinds, scale)
        self._tags = tags or {}

    def price(self, unit: str, known: Known) -> int:
        """By the alternatives that what is known leaves."""
        if unit in known.units:
            return 0
        statement, _, version = unit.partition("@")
        family = ""
        if statement.startswith("semantic_class="):
            told = f"family={member(SemanticClass, statement.partition('=')[2]).family}"
            family = told.partition("=")[2] if (f"{told}@{version}" if version else told) in known.units else ""
        return calibrated(statement, family, self._tags.get(statement.partition(".")[0], 0))


Counts = Mapping[str, Mapping[str, int]]
"""How many objects have each word, by field; an empty word stands for none."""


def counts(objects: Iterable[TwinObject]) -> dict[str, Counter[str]]:
    """How many of these objects have each word."""
    found: dict[str, Counter[str]] = {field: Counter() for field in _PRIOR}
    for each in objects:
        for statement in statements(each):
            field, _, value = statement.partition("=")
            if field in found:
                found[field][value] += 1
        for field in found:
            found[field][""] += getattr(each, field) is UNSET and field != "family"
    return found


@cache
def prior() -> Counts:
    """How often each word is true of files of public trees; the file says which."""
    counted: Counts = msgspec.json.decode(Path(__file__).with_name("prior.json").read_bytes())["counts"]
    return counted


class Surprisal(Calibrated):
    """Prices are how rare a word is: by a public prior, and in the folder, whichever is the rarer."""

    def __init__(
        self,
        public: Counts,
        folder: Iterable[TwinObject],
        sensitivities: Mapping[Sensitivity, int] = BY_SENSITIVITY,
        kinds: Mapping[Kind, int] = BY_KIND,
        scale: float = 1.0,
        tags: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(sensitivities, kinds, scale, tags)
        self._public, self._folder = public, counts(folder)
        self._objects = sum(self._folder["kind"].values())
        self._prices = {field: {word: self._rarity(field, word) for word in (*_WORDS[field], "")} for field in _PRIOR}
        self._dearest = {field: max(nats(CHOICES[field]), *words.values()) for field, words in self._prices.items()}
        self.most = self._most

    def price(self, unit: str, known: Known) -> int:
        """Minus the logarithm of its frequency."""
        field, value = _stated(unit)
        rarity = self._prices.get(field, {}).get(value)
        return super().price(unit, known) if rarity is None or unit in known.units else rarity

    def _most(self, unit: str, known: Known) -> int:
        """The price of the rarest word of its field: whether a word fits must not tell whether it is rare."""
        dearest = self._dearest.get(_stated(unit)[0])
        return self.price(unit, known) if dearest is None or unit in known.units else dearest

    def _rarity(self, field: str, value: str) -> int:
        """In public each word is counted once more than it was seen."""
        public, here = self._public[field], self._folder[field]
        rarity = (sum(public.values()) + CHOICES[field]) / (public.get(value, 0) + 1)
        return nats(max(rarity, max(self._objects, here.total()) / here[value]) if here[value] else rarity)


def _stated(unit: str) -> tuple[str, str]:
    """Field and value of a unit, an empty one where it says that there is nothing; no field where it has no value."""
    field, _, value = statement_of(unit).partition("=")
    return (value, "") if field == "nothing" else (field if value else "", value)


class Crowd:
    """All objects of a folder, to count those that what was told of one leaves: whom it could be."""

    def __init__(self, objects: Iterable[TwinObject]) -> None:
        self._having: dict[str, int] = {}
        """The objects of which a statement is true, as bits."""
        self._fields: dict[str, list[str]] = {}
        self._all = 0
        for place, each in enumerate(objects):
            self._all |= 1 << place
            for statement in statements(each):
                if statement not in self._having:
                    self._having[statement] = 0
                    self._fields.setdefault(statement.partition("=")[0], []).append(statement)
                self._having[statement] |= 1 << place

    def size(self, told: Collection[str]) -> int:
        """How many objects these statements could be about. Edges and outcomes of steps are not looked at."""
        found = self._all
        for statement in told:
            field, _, value = statement.partition("=")
            if field == "nothing":
                for other in self._fields.get(value, ()):
                    if other not in told:
                        found &= ~self._having[other]
            elif field in self._fields and statement not in _OF_THE_GOAL:
                found &= self._having.get(statement, 0)
        return found.bit_count()


class Blocks:
    """A folder in blocks of at least `k` objects, each with the fields in which all of its objects say the same.

    Those fields are told of its objects and no others, in whatever order they are asked for: so neither what is told
    nor what is withheld tells an object from the others of its block. Where that depended on the object's own words,
    a word that is withheld would tell that it is rare.
    """

    def __init__(self, objects: Iterable[TwinObject], k: int) -> None:
        self._open: dict[tuple[frozenset[str], ...], frozenset[str]] = {}
        """Fields that may be told, by all that is true of an object."""
        alike = Counter(map(_signature, objects))
        waiting = [(tuple(alike), 0, frozenset[str]())]
        while waiting:
            block, place, fields = waiting.pop()
            if place == len(_COUNTED):
                self._open |= dict.fromkeys(block, fields)
                continue
            classes: dict[frozenset[str], list[tuple[frozenset[str], ...]]] = {}
            for signature in block:
                classes.setdefault(signature[place], []).append(signature)
            sizes = {words: sum(alike[one] for one in some) for words, some in classes.items()}
            ordered = sorted(classes, key=lambda words: (sizes[words], sorted(words)))
            # The smallest are kept together, until nobody can tell which of `k` has the word that is withheld.
            together = 0
            while ordered and (sizes[ordered[0]] < k or 0 < together < k):
                together += sizes[ordered[0]]
                ordered.pop(0)
            waiting += [(tuple(classes.pop(words)), place + 1, fields | {_COUNTED[place]}) for words in ordered]
            if classes:
                waiting.append((tuple(one for some in classes.values() for one in some), place + 1, fields))

    def hides(self, held: LocalObject, units: Iterable[str]) -> bool:
        """Whether these units of an object say the same of all of its block. Other sorts of units are not counted."""
        fields = {value if field == "nothing" else field for field, _, value in map(_parts, units)}
        return self._open.get(_signature(held.object), frozenset()) >= fields & _COUNTED_FIELDS


def _parts(unit: str) -> tuple[str, str, str]:
    statement = statement_of(unit)
    return ("", "", "") if statement in _OF_THE_GOAL else statement.partition("=")


def _signature(each: TwinObject) -> tuple[frozenset[str], ...]:
    """All that could be told of an object by itself, field by field."""
    true = list(statements(each))
    return tuple(frozenset(one for one in true if one.startswith(f"{field}=")) for field in _COUNTED)


def statements(each: TwinObject) -> Iterator[str]:
    """All that could be told of an object by itself, as the ledger counts it."""
    if isinstance(each.semantic_class, SemanticClass):
        yield f"family={each.semantic_class.family}"
    for field in FIELDS:
        value = getattr(each, field, UNSET)
        if value is UNSET or field in ("component", "within", "edges"):
            continue
        if field == "amounts":
            yield from (f"amounts={item.tag}:{item.amount}" for item in value)
        else:
            yield from (f"{field}={word}" for word in (value if isinstance(value, tuple) else (value,)))


class UnlimitedAccountant:
    """Prices as another accountant does and limits nothing: for planners that cannot send anything to anybody."""

    least = BOUNDLESS >> 1
    crowd: Hiding | None = None
    most: Callable[[str, Known], int] | None = None

    def __init__(self, accountant: Accountant) -> None:
        self.price = accountant.price

    def threshold(self, held: LocalObject, known: Known) -> int:
        """No limit."""
        return BOUNDLESS


def accountant(
    name: str,
    sensitivities: Mapping[Sensitivity, int],
    kinds: Mapping[Kind, int],
    scale: float,
    *,
    tags: Mapping[str, int],
    folder: Iterable[TwinObject],
    k: int,
) -> Calibrated:
    """The one that a person chose: `calibrated`, `entropy` or `k-anonymity`."""
    if name == "entropy":
        return Surprisal(prior(), folder, sensitivities, kinds, scale, tags)
    made = Calibrated(sensitivities, kinds, scale, tags)
    if name == "k-anonymity":
        made.crowd = Blocks(folder, k)
    return made
