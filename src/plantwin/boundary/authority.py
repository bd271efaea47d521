"""What the policy says of an object to one planner, and what its verdict would give away.

A verdict that depends on a field which the planner has not been told tells that field for nothing. So the fields on
which a verdict can depend are named here, to be charged with it. They follow from the policy and from what was told,
never from the values that were not: so the price is the same whatever these are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, product
from math import prod
from typing import Any, Final

from plantwin.boundary.policy import CedarPolicy
from plantwin.errors import PolicyError
from plantwin.types.capability import Capability, Catalog
from plantwin.types.ledger import Known
from plantwin.types.local import LocalObject, Subject
from plantwin.types.policy import Decided, Party, Ruling
from plantwin.vocabulary import (
    CapabilityName,
    Confidence,
    Family,
    Freshness,
    Kind,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
)

MOST_CASES: Final = 4096
"""Combinations of untold values that are tried; where there are more, every field counts as given away."""
REMEMBERED: Final = 1 << 15
"""Rulings, and lists of what verdicts give away, that are remembered."""
ORDINARY: Final = Subject(
    Kind.DOCUMENT,
    SemanticClass.GENERAL_DOCUMENT,
    Sensitivity.LOW,
    frozenset(),
    Freshness.RECENT,
    Confidence.HIGH,
)
"""What an empty folder is judged by."""

Verdict = Callable[[Subject], str]


class Authority:
    """The policy as it applies to one session's planner."""

    def __init__(
        self,
        policy: CedarPolicy,
        party: Party,
        catalog: Catalog,
        *,
        goal_mode: str = "intent",
        sandboxed: bool = True,
        labels: Collection[str] = (),
        unlisted: Collection[Kind] = (),
    ) -> None:
        """`labels`: those that the person's configuration gives to anything at all.

        `unlisted`: kinds of which nothing may be told, since their budget is nothing.
        """
        self.version = policy.version
        self.goal_mode = goal_mode
        self._policy, self._party, self._catalog = policy, party, catalog
        self._sandboxed, self._unlisted = sandboxed, frozenset(unlisted)
        texts, whole = policy.mentioned.get("String", frozenset()), policy.mentioned.get(".", frozenset())
        self._labels = tuple(sorted(set(labels) if "labels" in whole else texts & set(labels)))
        causes = SensitivityCause if "causes" in whole else policy.mentioned.get("Cause", ())
        self._causes = tuple(each for each in SensitivityCause if each in causes)
        self._moment: Hashable = None
        self._rulings: dict[tuple[object, ...], Decided] = {}
        self._admitted: dict[Subject, bool] = {}
        self._depends: dict[tuple[object, ...], tuple[str, ...]] = {}
        self._units: dict[tuple[str, Subject, str, frozenset[str]], tuple[str, ...]] = {}
        """What was found out for this moment: all of it follows from closed values, and most objects are alike."""

    def rule(self, capability: Capability, subject: Subject, goal_mode: str = "") -> Decided:
        """What the policy says of this capability on this object."""
        self._refresh()
        mode = goal_mode or self.goal_mode
        # Whether the goal may have meant another object is ours to judge: no policy is told.
        case = (capability.word, mode, subject[:-1])
        decided = self._rulings.get(case)
        if decided is None:
            seen, sandboxed = subject._replace(ambiguous=False), self._sandboxed
            decided = self._policy.decide(self._party, capability, seen, goal_mode=mode, sandboxed=sandboxed)
            self._rulings[case] = decided
        return decided

    def _refresh(self) -> None:
        """Forget what held at another moment, and all when it becomes too much."""
        moment = self._policy.moment()
        if moment != self._moment or len(self._rulings) + len(self._units) > REMEMBERED:
            self._moment = moment
            for found in (self._rulings, self._admitted, self._depends, self._units):
                found.clear()

    def admits(self, subject: Subject) -> bool:
        """Whether the planner may know of the object: something may be done with it, if only when a person agrees."""
        self._refresh()
        if subject not in self._admitted:
            open_to = (Ruling.PERMIT, Ruling.ASK)
            admitted = any(self.rule(each, subject).ruling in open_to for each in self._catalog.values())
            self._admitted[subject] = admitted and subject.kind not in self._unlisted
        return self._admitted[subject]

    def need_admitted(self, subjects: Iterable[Subject]) -> None:
        """Refuse to say anything at all where the policy lets the planner know of nothing."""
        everything = list(subjects) or [ORDINARY]
        if not any(map(self.admits, everything)):
            raise PolicyError(
                "policy: it permits nothing on this folder to this planner, so nothing was sent: "
                "see `plantwin policy explain`, or use a planner on this machine"
            )

    def need_verbatim(self, subjects: Collection[Subject]) -> None:
        """Refuse to let a goal cross in its own words unless the policy permits something, and all the same, so."""
        permits = False
        for subject, capability in product(subjects, self._catalog.values()):
            ruled = self.rule(capability, subject, "verbatim").ruling
            if ruled is not self.rule(capability, subject, "lexicon").ruling:
                raise PolicyError("policy: the goal may not cross in its own words here: use --goal-mode lexicon")
            permits = permits or ruled is Ruling.PERMIT
        if not permits:
            raise PolicyError("policy: nothing is permitted, so the goal may not cross in its own words either")

    def listing(self, held: LocalObject, known: Known) -> tuple[str, ...]:
        """Units that are given away by listing an object: some would not have been listed."""
        return self._given_away("", lambda subject: str(self.admits(subject)), held, known)

    def describes(self, subject: Subject) -> bool:
        """Whether fields of an object may be told unasked, as `describe` would tell them."""
        describe = self._catalog.get(CapabilityName.DESCRIBE)
        return describe is None or self.rule(describe, subject).ruling is Ruling.PERMIT

    def telling(self, held: LocalObject, known: Known) -> tuple[bool, tuple[str, ...]]:
        """Whether fields of an object may be told unasked, and what that gives away."""
        units = self._given_away("fields", lambda subject: str(self.describes(subject)), held, known)
        return self.describes(held.subject), units

    def verdict(self, capability: Capability, asked: bool, held: LocalObject, known: Known) -> tuple[str, ...]:
        """Units that are given away by the verdict on a step. `asked`: a person is asked anyway."""

        def heard(subject: Subject) -> str:
            ruling = self.rule(capability, subject).ruling
            if ruling is Ruling.PERMIT:
                return "ask" if asked or subject.unsure else "run"
            return "ask" if ruling is Ruling.ASK else "no"

        return self._given_away(f"{capability.word} {asked}", heard, held, known)

    def _given_away(self, question: str, verdict: Verdict, held: LocalObject, known: Known) -> tuple[str, ...]:
        self._refresh()
        case = (question, held.subject, held.version, known.units)
        units = self._units.get(case)
        if units is None:
            units = self._units[case] = self._dependent_units(question, verdict, held, known.units)
        return units

    def _dependent_units(
        self, question: str, verdict: Verdict, held: LocalObject, told: frozenset[str]
    ) -> tuple[str, ...]:
        subject = held.subject
        stated = {field: tuple(self._stated(field, subject)) for field in _FIELDS}
        units = {field: tuple(map(held.unit, each)) for field, each in stated.items()}
        untold = tuple(field for field in _FIELDS if not told.issuperset(units[field]))
        own = subject.semantic_class.family
        family = own if held.unit(f"family={own}") in told else None
        case = (question, subject.kind, family, untold, *(stated[field] for field in _FIELDS if field not in untold))
        if case not in self._depends:
            self._depends[case] = self._dependent(verdict, subject, untold, family)
        return tuple(unit for field in self._depends[case] for unit in units[field] if unit not in told)

    def _dependent(
        self, verdict: Verdict, subject: Subject, untold: Sequence[str], family: Family | None
    ) -> tuple[str, ...]:
        """Fields among the untold ones of which another value could change the verdict."""
        choices = [list(islice(self._alternatives(field, family), MOST_CASES + 1)) for field in untold]
        if prod(map(len, choices)) > MOST_CASES:
            return tuple(untold)
        words = {case: verdict(subject._replace(**dict(case))) for case in product(*choices)}
        found = []
        for place, field in enumerate(untold):
            heard: dict[object, set[str]] = {}
            for case, word in words.items():
                heard.setdefault((*case[:place], *case[place + 1 :]), set()).add(word)
            if any(len(each) > 1 for each in heard.values()):
                found.append(field)
        return tuple(found)

    def _alternatives(self, field: str, family: Family | None) -> Iterator[tuple[str, Any]]:
        """Values of a field that the policy tells apart: those it names, and one that it does not."""
        named = self._policy.mentioned
        match field:
            case "labels" | "causes":
                words = self._labels if field == "labels" else self._causes
                yield from ((field, frozenset(some)) for some in _subsets(words))
            case "sensitivity" | "freshness" | "confidence":
                vocabulary = _VOCABULARIES[field]
                yield from ((field, each) for each in _named(vocabulary, named.get(vocabulary.__name__, ())))
            case "unsure":
                yield from (("ambiguous", each) for each in (False, True))
            case _:
                leaves = [each for each in SemanticClass if family in (None, each.family)]
                classes, families = named.get("Class", frozenset()), named.get("Family", frozenset())
                alike = {(each in classes and each, each.family in families and each.family): each for each in leaves}
                yield from (("semantic_class", each) for each in alike.values())

    def _stated(self, field: str, subject: Subject) -> Iterator[str]:
        """What knowing a field means, as far as the policy looks at it."""
        match field:
            case "labels":
                yield from (f"labels={'' if each in subject.labels else 'not_'}{each}" for each in self._labels)
            case "causes":
                for cause in self._causes:
                    yield f"sensitivity_causes={'' if cause in subject.causes else 'not_'}{cause}"
            case "unsure":
                # Apart from the confidence: that it is high does not say that the goal meant no other object.
                yield f"confidence={'unsure' if subject.unsure else 'sure'}"
            case _:
                yield f"{field}={getattr(subject, field)}"


_VOCABULARIES: Final = {"sensitivity": Sensitivity, "freshness": Freshness, "confidence": Confidence}
_FIELDS: Final = ("labels", "causes", "sensitivity", "confidence", "unsure", "freshness", "semantic_class")
"""What a verdict can depend on besides the kind, which a planner always knows."""


def _subsets(words: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(words, size) for size in range(len(words) + 1))


def _named(vocabulary: type[Any], words: Collection[str]) -> list[Any]:
    """The words that are named, and one that is not, where there is one."""
    return [each for each in vocabulary if each in words] + [each for each in vocabulary if each not in words][-1:]
