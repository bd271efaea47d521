"""Findings as they are shown and counted: which are wanted, what may be seen of a value, how sensitive they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from plantwin.errors import InputError
from plantwin.private.detect.allow import USER
from plantwin.private.facts import Finding
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import Kind, Sensitivity, SensitivityCause

_LEXICON = Lexicon(__file__)

GROUPS = ("secret", "personal", "infrastructure", "identifier")
CONFIDENCES = ("low", "medium", "high")

READ = _LEXICON.words("read")
"""Types that code reads out of sentences, numbers, fields and columns; not all have a rule of their name."""


class Selection(NamedTuple):
    """What to keep; nothing chosen keeps everything."""

    types: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    confidences: frozenset[str] = frozenset()

    def keeps(self, type_: str, group: str, confidence: str) -> bool:
        """Whether a finding is wanted."""
        return (
            (not self.types or type_ in self.types)
            and (not self.groups or group in self.groups)
            and (not self.confidences or confidence in self.confidences)
        )


def selection(
    known: Iterable[str], types: Iterable[str] = (), groups: Iterable[str] = (), least: str = "low"
) -> Selection:
    """A selection from words; a type may hold `*`. A word that names nothing is refused, not ignored."""
    every = frozenset(known)
    chosen: set[str] = set()
    for text in types:
        found = {text} & every or {candidate for candidate in every if fnmatchcase(candidate, text)}
        if not found:
            from difflib import get_close_matches

            near = get_close_matches(text[:64], sorted(every), n=3)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise InputError(f"'{text}' is not a type of finding{hint}")
        chosen |= found
    for text in groups:
        if text not in GROUPS:
            raise InputError(f"'{text}' is not a group: {', '.join(GROUPS)}")
    if least not in CONFIDENCES:
        raise InputError(f"'{least}' is not a confidence: {', '.join(CONFIDENCES)}")
    sure = frozenset() if least == CONFIDENCES[0] else frozenset(CONFIDENCES[CONFIDENCES.index(least) :])
    return Selection(frozenset(chosen), frozenset(groups), sure)


def known_types(rules: Iterable[str]) -> frozenset[str]:
    """Every type that a finding can have, given the types of the rules."""
    return frozenset(rules) | READ


Summary = tuple[tuple[str, str, str, int], ...]
"""Type, group, confidence and count; sorted."""

FINANCIAL = frozenset(
    {"payment_card", "iban", "bank_account", "crypto_wallet_seed", "card_security_code", "swift_code"}
)
HEALTH = frozenset({"medical_record_number", "health_insurance_number", "diagnosis", "medicare_number"})
IDENTITY = frozenset({"national_id", "us_ssn", "passport_number", "driver_license", "tax_id"})
"""Personal types that do grave harm one by one."""

_GATHERED: dict[str, int] = {Kind.CODE_FILE: 3, Kind.CONFIG: 3, Kind.DOCUMENT: 3}
"""How many ordinary personal or internal values make such an object restricted; elsewhere one does.

An author's address in a header is not yet a collection of personal data.
"""


NOTE = "note"
"""The group of rows that tell about other rows. They never count for anything."""
ALLOWED_HERE = ("allowed_here", NOTE, "low")
"""How many of the other rows a comment or the folder's own configuration allows: counted all the same."""
ALLOWED_BY_USER = ("allowed_by_user", NOTE, "low")
"""How many findings the user's configuration allows: in no other row."""


def count(
    counts: Counter[tuple[str, str, str]], type_: str, group: str, confidence: str, allowed: str, many: int = 1
) -> None:
    """Count findings. Only the user's own word takes them out of the count, and even that leaves a note."""
    if allowed != USER:
        counts[type_, group, confidence] += many
    if allowed:
        counts[ALLOWED_BY_USER if allowed == USER else ALLOWED_HERE] += many


def allowed_here(summary: Summary) -> int:
    """How many findings of an object something inside the observed folder allows. They count; tell the person."""
    return sum(row[3] for row in summary if row[:3] == ALLOWED_HERE)


def summarize(findings: Iterable[Finding]) -> Summary:
    """How many of each type, group and confidence."""
    return rows_of(counted(findings))


def counted(findings: Iterable[Finding]) -> Counter[tuple[str, str, str]]:
    """Counts of findings, with notes."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        count(counts, finding.type, finding.group, finding.confidence, finding.allowed)
    return counts


def rows_of(counts: Counter[tuple[str, str, str]]) -> Summary:
    """Counts as a summary."""
    return tuple((*key, number) for key, number in sorted(counts.items()))


def sensitivity(summary: Summary, kind: str) -> tuple[Sensitivity, tuple[SensitivityCause, ...]]:
    """The level and its causes, by the first row that applies to each group of findings.

    | found                                                        | level      | cause          |
    |--------------------------------------------------------------|------------|----------------|
    | anything in a secret container                               | high       | credential     |
    | a secret of high confidence                                  | high       | credential     |
    | a secret of medium confidence, outside code and documents    | high       | credential     |
    | another secret of medium confidence, or three of low         | restricted | credential     |
    | card, account (medium or high confidence)                    | high       | financial      |
    | health number or diagnosis (medium or high)                  | high       | health         |
    | national id, passport, licence (medium or high)              | high       | personal       |
    | other personal (medium or high): three in code, config and   | restricted | personal       |
    | documents, one elsewhere                                     |            |                |
    | infrastructure (medium or high): the same counts             | restricted | infrastructure |
    """
    level = 0
    causes: set[SensitivityCause] = set()
    personal = internal = weak = 0
    written = kind in (Kind.CODE_FILE, Kind.DOCUMENT)
    if kind == Kind.SECRET_CONTAINER:
        level = 2
        causes.add(SensitivityCause.CREDENTIAL)
    for type_, group, confidence, count in summary:
        if group == NOTE:
            continue
        if group == "secret":
            if confidence == "low":
                weak += count
                continue
            level = max(level, 1 if confidence == "medium" and written else 2)
            causes.add(SensitivityCause.CREDENTIAL)
        elif confidence == "low":
            continue
        elif group == "personal":
            grave = _grave(type_)
            if grave is not None:
                level = 2
                causes.add(grave)
            else:
                personal += count
        elif group == "infrastructure":
            internal += count
    enough = _GATHERED.get(kind, 1)
    if weak >= 3:
        level = max(level, 1)
        causes.add(SensitivityCause.CREDENTIAL)
    if personal >= enough:
        level = max(level, 1)
        causes.add(SensitivityCause.PERSONAL)
    if internal >= enough:
        level = max(level, 1)
        causes.add(SensitivityCause.INFRASTRUCTURE)
    order = [cause for cause in SensitivityCause if cause in causes]
    return (Sensitivity.LOW, Sensitivity.RESTRICTED, Sensitivity.HIGH)[level], tuple(order)


def _grave(type_: str) -> SensitivityCause | None:
    if type_ in FINANCIAL:
        return SensitivityCause.FINANCIAL
    if type_ in HEALTH:
        return SensitivityCause.HEALTH
    if type_ in IDENTITY:
        return SensitivityCause.PERSONAL
    return None


HIDDEN = "****"
MOST = 4
"""Characters shown at either end, of a long value."""
SHARE = 6
"""One character in so many is shown at either end: a third of a value at most."""


def preview(value: str) -> str:
    """A value masked: `ghp_****9Ev2`. A short one is hidden whole."""
    shown = min(MOST, len(value) // SHARE)
    return f"{value[:shown]}{HIDDEN}{value[-shown:]}" if shown else HIDDEN
