"""The outcomes of many results as one, in the words that may be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from plantwin.private.capabilities.engine.job import Result
from plantwin.private.capabilities.engine.report import bucket, rank
from plantwin.private.facts import Private
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Affected, Examined, Findings, OutcomeTag, Severity, StepStatus

MEMBER_FACTS, MOST_FACTS, MOST_DOCUMENTS = 4_000, 4 << 20, 64 << 20
"""Bytes of one member's facts that are kept, of all facts, and of all documents that a step writes."""


class MergedFacts(Private):
    """Facts of many results as one: lists in a row, tables side by side, numbers added; within bounds.

    Whoever answers first, they stand in the order of the calls.
    """

    def __init__(self) -> None:
        self._facts: dict[int, tuple[str, dict[str, object]]] = {}
        self._documents: dict[int, list[object]] = {}
        self._size = self._documents_size = 0
        self._left = 0

    def add(self, number: int, labels: Sequence[str], facts: Mapping[str, object]) -> None:
        """Take the facts of one call on these members. `number`: its place in the order of calls."""
        facts = dict(facts)
        documents = facts.pop("documents", None)
        if isinstance(documents, list):
            self._keep_documents(number, documents)
        size = len(msgspec.json.encode(facts))
        if self._size + size > MOST_FACTS:
            self._left += 1
            return
        self._size += size
        self._facts[number] = labels[0] if len(labels) == 1 and size <= MEMBER_FACTS else "", facts

    def _keep_documents(self, number: int, documents: list[object]) -> None:
        kept = self._documents.setdefault(number, [])
        for document in documents:
            self._documents_size += len(msgspec.json.encode(document))
            if self._documents_size <= MOST_DOCUMENTS:
                kept.append(document)
            else:
                self._left += 1

    def merged(self) -> dict[str, object]:
        """All of them, with how many there was no room for."""
        told: dict[str, object] = {}
        members: dict[str, object] = {}
        for _, (name, facts) in sorted(self._facts.items()):
            for key, value in facts.items():
                _join(told, key, value)
            if name:
                members[name] = facts
        if self._documents:
            told["documents"] = _named_apart(
                document for _, some in sorted(self._documents.items()) for document in some
            )
        if len(members) > 1:
            told["members"] = members
        if self._left:
            told["left_out"] = self._left
        return told


def _join(told: dict[str, object], key: str, value: object) -> None:
    held = told.get(key)
    if key not in told:
        told[key] = value.copy() if isinstance(value, (list, dict)) else value
    elif isinstance(held, list) and isinstance(value, list):
        held.extend(value)
    elif isinstance(held, dict) and isinstance(value, dict):
        held.update({name: _joined(held[name], member) if name in held else member for name, member in value.items()})
    else:
        told[key] = _joined(held, value)


def _named_apart(documents: Iterable[object]) -> list[object]:
    """Documents under names that no other has: files of many folders are called alike."""
    names: Counter[str] = Counter()
    apart: list[object] = []
    for document in documents:
        if isinstance(document, dict):
            name = str(document.get("name", ""))
            names[name] += 1
            stem, dot, ending = name.partition(".")
            document = document if names[name] == 1 else {**document, "name": f"{stem}-{names[name]}{dot}{ending}"}
        apart.append(document)
    return apart


def _joined(one: object, other: object) -> object:
    """Two values of one fact as one; where they do not fit together the first stays."""
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **{key: _joined(one[key], value) if key in one else value for key, value in other.items()}}
    if isinstance(one, bool) or isinstance(other, bool):
        return one
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one + other
    return one


STATE = (OutcomeTag.TRUNCATED.value, OutcomeTag.UNPARSABLE.value)
"""Tags that say how far a call got, and not what it found."""
_LEAST = {Findings.NONE.value: 0, Findings.ONE.value: 1, Findings.FEW.value: 2, Findings.MANY.value: 10}
EMPTY = {
    "status": StepStatus.DONE.value,
    "severity": Severity.NONE.value,
    "count": Findings.NONE.value,
    "examined": Examined.NONE.value,
    "affected": Affected.NONE.value,
}
"""The outcome of a step that was given an empty set."""


class MergedOutcomes(Private):
    """Sums up outcomes: the worst severity, how many in all, the tags of the worst and most frequent first."""

    def __init__(self) -> None:
        self._partial = False
        self._severity: str | None = None
        self._count: int | None = None
        self._weight: Counter[str] = Counter()
        self._state: set[str] = set()

    def add(self, result: Result) -> None:
        """Take the outcome of one call."""
        outcome, found = result.outcome, len(result.findings)
        self._partial |= outcome.get("status") != StepStatus.DONE.value
        severity = outcome.get("severity")
        if severity is not None:
            self._severity = max(self._severity or Severity.NONE.value, str(severity), key=rank)
        count = outcome.get("count")
        if count is not None:
            number = found if bucket(found) == count else _LEAST.get(str(count), 0)
            self._count = (self._count or 0) + number
        for finding in result.findings:
            self._weight[finding.tag] += 1000 ** max(0, rank(finding.severity) - 1)
        stated = outcome.get("tags")
        own = {finding.tag for finding in result.findings}
        for tag in map(str, stated if isinstance(stated, (list, tuple)) else ()):
            if tag in STATE:
                self._state.add(tag)
            elif tag not in own:
                self._weight[tag] += 1000 ** max(0, rank(str(severity or "")) - 1)

    def merged(self) -> dict[str, object]:
        """The one outcome."""
        state = [tag for tag in STATE if tag in self._state]
        ranked = sorted((tag for tag in self._weight if tag not in state), key=lambda tag: (-self._weight[tag], tag))
        told: dict[str, object] = {"status": (StepStatus.PARTIAL if self._partial else StepStatus.DONE).value}
        if self._severity is not None:
            told["severity"] = self._severity
        if self._count is not None:
            told["count"] = str(bucket(self._count))
        if state or ranked:
            told["tags"] = [*state, *ranked][:MAX_OUTCOME_TAGS]
        return told


def affects(result: Result) -> bool:
    """Whether a result says that something was found, by its findings or by its words."""
    severity = result.outcome.get("severity")
    if result.findings or severity not in (None, Severity.NONE.value):
        return True
    tags = result.outcome.get("tags")
    if severity is not None or not isinstance(tags, (list, tuple)):
        return False
    return bool({*map(str, tags)} - {*STATE, OutcomeTag.IDENTICAL.value})


def examined_word(number: int, given: int) -> Examined:
    """How much of what was given was examined."""
    if not number:
        return Examined.NONE
    if number >= given:
        return Examined.ALL
    return Examined.MOST if number * 2 > given else Examined.SOME


def affected_word(number: int, examined: int) -> Affected:
    """In how many of those examined something was found."""
    if not number:
        return Affected.NONE
    if number >= examined:
        return Affected.ALL
    if number == 1:
        return Affected.ONE
    return Affected.MOST if number * 2 > examined else Affected.FEW
