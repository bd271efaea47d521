"""Statements of two objects about the same thing that cannot both hold."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from plantwin.private.capabilities.terms.phrases import BAN, DUTY, OPEN, PERMISSION
from plantwin.private.capabilities.terms.quantities import EXACT, LEAST, MOST, Quantity, shown
from plantwin.private.capabilities.terms.statement import Statement
from plantwin.private.extract.formats.words import words

PAIRS = 200_000
"""Pairs that are looked at."""
LISTED = 100
COMMON = 60
"""A word of more statements than this does not bring two together."""

_WORD = re.compile(r"[^\W\d_]{3,30}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[._\-\s/#]+")
_EMPTY = words(
    "the and for are was were with that this from have has had not but you your our they their will shall must may can "
    "should into out its all any one two when which who what how where then than there here been being also each "
    "other more most such only under over about after before between during through would could does did done "
    "per via least within later less exceed exactly every same whatever possible able made make being both either "
    "der die das und ist nicht ein eine den mit von auf für sich dem des werden wird bei oder sind muss müssen "
    "les des est une dans pour que qui sur par pas aux être sont avec doit los las una para por con del debe "
    "day days hour hours minute minutes second seconds week weeks month months year years byte bytes percent "
    "three four five six seven eight nine ten twenty thirty sixty ninety once twice"
)
_GENERIC = words(
    "max min maximum minimum limit limits window value number count size config setting settings default total time "
    "ms secs sec mins hrs mb gb kb pct amount length interval enabled spec data app service system duration period "
    "policy rule param option conf global common general base main server rate"
)
_CONCEPTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:answer|respond|repl(?:y|ies)|respons|complet|finish|return|time[ -]?out|wait)\w*", re.I), "timeout"),
    (re.compile(r"\b(?:end|expir|log(?:ged)? ?out|valid|lifetime|last|invalidat|terminat)\w*", re.I), "ttl"),
    (re.compile(r"\b(?:kept|keep|retain|retention|eras|delet|stor(?:e|ed|age)|purge|archiv)\w*", re.I), "retention"),
    (re.compile(r"\b(?:attempt|retr(?:y|ies)|tries)\w*", re.I), "retry"),
    (re.compile(r"\b(?:simultaneous|concurrent|parallel|at the same time|at once)\w*", re.I), "concurrency"),
)  # fmt: skip
_SAME = {
    "lifetime": "ttl", "expiry": "ttl", "expires": "ttl", "expiration": "ttl", "expire": "ttl", "keep": "retention",
    "retries": "retry", "attempt": "retry", "parallelism": "concurrency", "deadline": "timeout", "idle": "timeout",
}  # fmt: skip


class Conflict(NamedTuple):
    """Two statements, and why they do not agree."""

    first: Statement
    second: Statement
    why: str
    sure: bool

    def __repr__(self) -> str:
        return "<Conflict private>"


class _Claim(NamedTuple):
    statement: Statement
    quantity: Quantity | None
    words: frozenset[str]
    keyed: bool


class Found(NamedTuple):
    """What disagrees, and how many pairs say the same."""

    conflicts: list[Conflict]
    agreeing: list[tuple[Statement, Statement]]


def conflicts(statements: list[Statement]) -> Found:
    """Different numbers for the same thing, and what one demands or permits and another forbids."""
    claims: list[_Claim] = []
    for each in statements:
        if each.kind == OPEN:
            continue
        said = _content(each)
        for quantity in each.quantities[:4]:
            if quantity.dimension != "number" or each.key:
                claims.append(_Claim(each, quantity, said, bool(each.key)))
        if each.kind in (DUTY, BAN, PERMISSION) and not each.key:
            claims.append(_Claim(each, None, said, False))
    found: list[Conflict] = []
    agreeing: list[tuple[Statement, Statement]] = []
    for one, other in _pairs(claims):
        if one.quantity is not None and other.quantity is not None:
            why = _numbers(one, other)
            if why:
                found.append(Conflict(one.statement, other.statement, why, one.keyed or other.keyed))
            elif why == "" and (one.keyed or other.keyed):
                agreeing.append((one.statement, other.statement))
        elif one.quantity is None and other.quantity is None:
            why = _modes(one, other)
            if why:
                found.append(Conflict(one.statement, other.statement, why, False))
        if len(found) >= LISTED:
            break
    return Found(found, agreeing[:LISTED])


def _pairs(claims: list[_Claim]) -> list[tuple[_Claim, _Claim]]:
    """Claims of different objects that share a telling word."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(claims):
        for word in each.words:
            if len(by_word[word]) <= COMMON * 4:
                by_word[word].append(number)
    seen: set[tuple[int, int]] = set()
    for numbers in by_word.values():
        if len(numbers) > COMMON * 4:
            continue
        for at, first in enumerate(numbers):
            for second in numbers[at + 1 :]:
                if claims[first].statement.label != claims[second].statement.label:
                    seen.add((first, second))
            if len(seen) > PAIRS:
                break
    return [(claims[first], claims[second]) for first, second in sorted(seen)[:PAIRS]]


def _numbers(one: _Claim, other: _Claim) -> str | None:
    """Why two numbers disagree; empty where they agree, None where they are not about the same."""
    first, second = one.quantity, other.quantity
    if first is None or second is None or not _about_the_same(one, other):
        return None
    if first.dimension != second.dimension:
        return None
    if _fits(first, second) or _states(other.statement, first) or _states(one.statement, second):
        return ""
    return f"{first.bound} {shown(first.value, first.dimension)}, and {second.bound} {shown(second.value, second.dimension)}"


def _states(each: Statement, number: Quantity) -> bool:
    """Whether a statement with several numbers has this one too: then each belongs to another part of it."""
    return any(own.dimension == number.dimension and own.value == number.value for own in each.quantities)


def _fits(first: Quantity, second: Quantity) -> bool:
    """Whether both can hold: the same number, or one within the other's limit."""
    if abs(first.value - second.value) <= 1e-9 * max(abs(first.value), abs(second.value), 1e-9):
        return True
    bounds = {first.bound, second.bound}
    if bounds == {MOST, LEAST}:
        most, least = (first, second) if first.bound == MOST else (second, first)
        return least.value <= most.value
    if EXACT in bounds and len(bounds) == 2:
        exact, limit = (first, second) if first.bound == EXACT else (second, first)
        return exact.value <= limit.value if limit.bound == MOST else exact.value >= limit.value
    return False


def _about_the_same(one: _Claim, other: _Claim) -> bool:
    if one.keyed != other.keyed:
        key, said = (one, other) if one.keyed else (other, one)
        return _meant(key, said)
    shared = one.words & other.words
    smaller = min(len(one.words), len(other.words))
    if one.keyed:
        return bool(shared) and one.words == other.words and one.words - _GENERIC != frozenset()
    return (
        len(shared) >= 2 and len(shared) >= 0.7 * smaller and len(shared) >= 0.4 * max(len(one.words), len(other.words))
    )


def _meant(key: _Claim, said: _Claim) -> bool:
    """Whether a sentence speaks of a setting: every telling word of its name is in it, or meant by it."""
    telling = {_SAME.get(word, word) for word in key.words} - _GENERIC
    if not telling:
        return False
    text = said.statement.text
    concepts = {concept for pattern, concept in _CONCEPTS if pattern.search(text)}
    if "ttl" in concepts:
        concepts |= {"timeout"}
    spoken = said.words | concepts
    return telling <= spoken and bool(telling & said.words)


def _modes(one: _Claim, other: _Claim) -> str | None:
    kinds = {one.statement.kind, other.statement.kind}
    if BAN not in kinds or len(kinds) != 2 or one.statement.text == other.statement.text:
        return None
    shared = one.words & other.words
    union = one.words | other.words
    if len(shared) < 3 or len(shared) < 0.6 * len(union):
        return None
    return f"one states a {one.statement.kind}, the other a {other.statement.kind}"


def _content(each: Statement) -> frozenset[str]:
    if each.key:
        parts = [part for part in _CAMEL.split(each.key) if part]
        raw = [word.lower() for part in parts[-5:] for word in _WORD.findall(part)]
    else:
        raw = [word.lower() for word in _WORD.findall(f"{each.subject} {each.object} {each.condition}"[:500])]
    return frozenset(_stem(word) for word in raw if word not in _EMPTY and word != "min" and word != "max")


def _stem(word: str) -> str:
    """Cut what endings add; both sides are cut alike."""
    for ending in ("ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "s", "en", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
