"""Accountants whose prices are measured, in nats: by how many words there are, or by how rare the told one is.

`Calibrated`   a word costs the logarithm of how many could stand in its place, absence included, given what was told
`Surprisal`    a word costs the logarithm of how rarely it is true, by a public prior and in the folder itself

`Differential` besides, what steps on sets tell is drawn at random, and costs the epsilon of the draw
`KAnonymity`        puts objects into groups of at least `k`: of one, only what is true of its whole group is told
`Lookalikes`   counts the objects that what was told of one could be about
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET

from plantwin.boundary.budget import Weighted
from plantwin.types.accounting import Accountant, Hiding, Noise
from plantwin.types.capability import FIELDS
from plantwin.types.envelope import MAX_OBJECTS
from plantwin.types.ledger import REMEMBERED, Known
from plantwin.types.local import LocalObject
from plantwin.types.outcome import OUTCOME_WORDS, REFUSALS
from plantwin.types.prices import BOUNDLESS, BY_KIND, BY_SENSITIVITY, COSTS, MILL, field_of, statement_of
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import (
    FACETS,
    MAX_OUTCOME_TAGS,
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

WORDS: Final[Mapping[str, type[StrEnum]]] = {
    "kind": Kind, "semantic_class": SemanticClass, "family": Family, "role": Role, "sensitivity": Sensitivity,
    "sensitivity_causes": SensitivityCause, "freshness": Freshness, **FACETS, "size_bucket": SizeBucket,
    "contains": ContentTag, "usable_for": Affordance, "lacks": Absence, "readiness": Readiness,
    "readiness_cause": ReadinessCause, "confidence": Confidence, "reason": EdgeReason, "status": StepStatus,
    "severity": Severity, "count": Findings, "tag": OutcomeTag, "examined": Examined, "affected": Affected,
    "size": SetSize, "classes": SemanticClass, "remaining": Left,
}  # fmt: skip
CHOICES: Final[Mapping[str, int]] = {
    **{field: len(words) + 1 for field, words in WORDS.items()},
    "amounts": len(Amount),
    "component": MAX_OBJECTS + 1,  # which of those that were told before, or another
    "within": MAX_OBJECTS + 1,
    "labels": 2,
    "edge": len(EdgeType) * MAX_OBJECTS + 1,
    "relation": 2 * len(EdgeType) * len(EdgeReason) * len(Share) * MAX_OBJECTS,  # half of all: that there is none
    "ready": len(Share) + 1,
    "split": len(Dimension),
    "read_by_code": len(StepStatus) * (len(Severity) + 1) * (len(Findings) + 1) * (len(OutcomeTag) + 1) ** 2,
}
"""How many different words could be told in the place of one, its absence included; `nothing` has its field's."""
_LEAVES: Final[Mapping[str, int]] = {family: sum(leaf.family is family for leaf in SemanticClass) for family in Family}
_ANY: Final = "any."
_OF_THE_GOAL: Final = frozenset({"confidence=sure", "confidence=unsure"})
"""What is told of an object in this session: whether the goal meant it."""
Folder = Iterable[tuple[TwinObject, bytes]]
"""Objects, each with the account of the cell that it lies in; empty where there are no cells."""
_PRIOR: Final = tuple(field for field in WORDS if field in (*FIELDS, "family"))
"""Fields of an object whose words have a frequency."""
GROUPS: Final = 2
"""A folder that cannot be cut into so many groups of `k` is not grouped: no word could tell one object from another."""
_CUT: Final = (
    "kind",
    "family",
    *(field for field in FIELDS if field in WORDS and field not in ("kind", "confidence")),
)
"""Along what groups are cut, the most useful first."""


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
    if field == "status":
        return nats(_outcomes(tags or len(OutcomeTag)))
    choices = tags + 1 if field == "tag" and tags else CHOICES[field]
    # Of a set it is said of which share of the members a word is true.
    return nats(choices * len(Share)) if ":" in value and field in WORDS and field != "reason" else nats(choices)


@cache
def _outcomes(tags: int) -> float:
    """How many words a status counts as: it pays for words of an outcome that are absent, so that all are a code."""
    single: float = math.prod(1 + len(WORDS[word]) / CHOICES[word] for word in OUTCOME_WORDS)
    listed: float = sum(math.comb(tags, number) / (tags + 1) ** number for number in range(MAX_OUTCOME_TAGS + 1))
    return (len(StepStatus) - len(REFUSALS)) * single * listed + len(REFUSALS)


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
        self._prices = {field: {word: self._rarity(field, word) for word in (*WORDS[field], "")} for field in _PRIOR}
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


class KAnonymity:
    """All objects of a folder in groups of at least `k`: of one, but for its kind, only what is true of all is told.

    Groups are cut by the folder alone, inside the cells that sets are made of, before anybody asks. What a group's
    objects share is told, the rest is generalized or withheld for all of them alike: so neither what is told of an
    object by itself, nor what is withheld, nor the sets that it lies in tell it from the others of its group.
    """

    def __init__(self, folder: Folder, k: int, least: int = 0) -> None:
        """`folder` is looked at once something is asked for. In one of fewer than `least` objects all may be told."""
        self.k = k
        self._folder, self._least = folder, least

    @cached_property
    def _shared(self) -> dict[tuple[bytes, frozenset[str]], frozenset[str]] | None:
        """What may be told of an object, by its cell and what is true of it; None for everything."""
        by_cell: dict[bytes, list[frozenset[str]]] = {}
        for one, cell in self._folder:
            by_cell.setdefault(cell, []).append(frozenset(statements(one)))
        if sum(map(len, by_cell.values())) < self._least:
            return None
        shared: dict[tuple[bytes, frozenset[str]], frozenset[str]] = {}
        for cell, alike in by_cell.items():
            for group in _cut(alike, self.k):
                common = frozenset.intersection(*group)
                silent = {field for field in _PRIOR if len({_of_field(true, field) for true in group}) == 1}
                told = common | {f"nothing={field}" for field in silent}
                shared |= {(cell, _lasting(true)): told if len(group) >= self.k else frozenset() for true in group}
        return shared

    def hides(self, held: LocalObject, units: Iterable[str], known: Iterable[str] = ()) -> bool:
        """Whether these units of an object, and those `known` of this version, are true of its whole group.

        What follows from the goal or its set, its kind, and what became of a step are told whatever the group is.
        """
        told = [statement for unit in units if not _uncounted(statement := statement_of(unit))]
        if not told or self._shared is None:
            return True
        shared = self._shared.get((held.cell, _lasting(frozenset(statements(held.object)))), frozenset())
        # After the version of the object stands that of the other end of an edge, or of what was around it.
        before = [unit for unit in known if unit.partition("@")[2].partition(".")[0] == held.version]
        return shared.issuperset(told) and all(
            statement in shared or _uncounted(statement) for statement in map(statement_of, before)
        )


class Lookalikes:
    """Counts the objects of a folder that what was told of one could be about."""

    def __init__(self, folder: Iterable[TwinObject]) -> None:
        self._having: dict[str, set[int]] = {}
        self._fields: dict[str, list[str]] = {}
        self._all: set[int] = set()
        for place, one in enumerate(folder):
            self._all.add(place)
            for statement in statements(one):
                if statement not in self._having:
                    self._having[statement] = set()
                    self._fields.setdefault(statement.partition("=")[0], []).append(statement)
                self._having[statement].add(place)

    def size(self, told: Collection[str]) -> int:
        """How many objects these statements could be about. Edges and outcomes of steps are not looked at."""
        found = self._all
        for statement in told:
            field, _, value = statement.partition("=")
            if field == "nothing":
                for other in self._fields.get(value, ()):
                    if other not in told:
                        found = found - self._having[other]
            elif field in self._fields and statement not in _OF_THE_GOAL:
                found = found & self._having.get(statement, set())
        return len(found)


def _uncounted(statement: str) -> bool:
    """Whether a statement is the kind, follows from the goal or from an object's set, or says what became of a step.

    Without its kind an object cannot be planned with: keeping rare ones back cost 0.01 of PQS more.
    """
    field = statement.partition("=")[0]
    return (
        statement in _OF_THE_GOAL
        or field in ("kind", "within", "read_by_code")
        or field.endswith(".status")
        or statement.startswith(REMEMBERED)
    )


def _lasting(true: frozenset[str]) -> frozenset[str]:
    """What is true of an object whatever the goal is."""
    return frozenset(each for each in true if not each.startswith("confidence="))


def _of_field(true: frozenset[str], field: str) -> frozenset[str]:
    return frozenset(each for each in true if each.startswith(f"{field}="))


def _cut(members: list[frozenset[str]], k: int) -> list[list[frozenset[str]]]:
    """Cut along one field after the other, wherever no piece is smaller than `k`: rare values are put together."""
    groups = [members]
    for field in _CUT:
        groups = [piece for group in groups for piece in _pieces(group, field, k)]
    return groups


def _pieces(group: list[frozenset[str]], field: str, k: int) -> list[list[frozenset[str]]]:
    by_value: dict[frozenset[str], list[frozenset[str]]] = {}
    for true in group:
        by_value.setdefault(_of_field(true, field), []).append(true)
    pieces = sorted(by_value.items(), key=lambda item: (len(item[1]), sorted(item[0])))
    rest: list[frozenset[str]] = []
    while pieces and (len(pieces[0][1]) < k or 0 < len(rest) < k):
        rest += pieces.pop(0)[1]
    return [*([rest] if rest else []), *(piece for _, piece in pieces)]


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
    anonymity: Hiding | None = None
    noise: Noise | None = None
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
    folder: Folder,
    k: int,
    epsilon: float,
) -> Calibrated:
    """The one that a person chose: `calibrated`, `entropy`, `k-anonymity` or `differential`."""
    if name == "differential":
        from plantwin.config.differential import Differential

        return Differential(epsilon, sensitivities, kinds, scale, tags)
    if name == "entropy":
        return Surprisal(prior(), (each for each, _ in folder), sensitivities, kinds, scale, tags)
    made = Calibrated(sensitivities, kinds, scale, tags)
    if name == "k-anonymity":
        made.anonymity = KAnonymity(folder, k, GROUPS * k)
    return made
