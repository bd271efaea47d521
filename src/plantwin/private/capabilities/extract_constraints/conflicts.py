"""Statements of two objects about the same thing that cannot both hold."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from plantwin.private.capabilities.extract_constraints.quantities import EXACT, LEAST, MOST, Quantity, shown
from plantwin.private.capabilities.extract_constraints.statements import BAN, DUTY, OPEN, PERMISSION, Statement
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import beside

PAIRS = 200_000
"""Pairs that are looked at."""
LISTED = 100
COMMON = 240
"""A word of more claims than this does not bring two together."""

_TABLES = beside(__file__, "conflicts.toml")
_EMPTY = frozenset((*_TABLES["empty"].split(), "min", "max"))
_GENERIC = frozenset(_TABLES["generic"].split())
_CONCEPTS = [(concept, re.compile(pattern)) for concept, pattern in _TABLES["concepts"].items()]
_SAME: dict[str, str] = _TABLES["same"]
_WORD = re.compile(r"[^\W\d_]{3,30}")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[._\-\s/#]+")
_ENDINGS = ("ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "s", "en", "e")


@private
class Conflict(NamedTuple):
    """Two statements, and why they do not agree."""

    first: Statement
    second: Statement
    why: str


class Claim(NamedTuple):
    """What a statement says of one number, or on the whole."""

    statement: Statement
    quantity: Quantity | None
    words: frozenset[str]

    @property
    def keyed(self) -> bool:
        """Whether it is that of a setting."""
        return bool(self.statement.key)


class Compared(NamedTuple):
    """What disagrees, and which pairs say the same."""

    conflicts: list[Conflict]
    agreeing: list[tuple[Statement, Statement]]


def compared(statements: list[Statement]) -> Compared:
    """Find different numbers for the same thing, and what one demands or permits and another forbids."""
    found: list[Conflict] = []
    agreeing: list[tuple[Statement, Statement]] = []
    for one, other in _pairs(_claims(statements)):
        keyed = one.keyed or other.keyed
        if one.keyed and other.keyed:
            continue  # what one program sets is no limit for another: compare_environments compares settings
        if one.quantity is not None and other.quantity is not None:
            why = _numbers(one, other, one.quantity, other.quantity)
        elif one.quantity is None and other.quantity is None:
            why = _modes(one, other)
        else:
            continue
        if why:
            found.append(Conflict(one.statement, other.statement, why))
        elif why == "" and keyed:
            agreeing.append((one.statement, other.statement))
        if len(found) >= LISTED:
            break
    return Compared(found, agreeing[:LISTED])


def _claims(statements: list[Statement]) -> list[Claim]:
    claims: list[Claim] = []
    for statement in statements:
        if statement.kind == OPEN:
            continue
        words = _content(statement)
        claims += [
            Claim(statement, quantity, words)
            for quantity in statement.quantities[:4]
            if quantity.dimension != "number" or statement.key
        ]
        if statement.kind in (DUTY, BAN, PERMISSION) and not statement.key:
            claims.append(Claim(statement, None, words))
    return claims


def _pairs(claims: list[Claim]) -> list[tuple[Claim, Claim]]:
    """Return claims of different objects that share a telling word."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims):
        for word in claim.words:
            if len(by_word[word]) <= COMMON:
                by_word[word].append(number)
    seen: set[tuple[int, int]] = set()
    for numbers in by_word.values():
        if len(numbers) > COMMON:
            continue
        for at, first in enumerate(numbers):
            label = claims[first].statement.label
            seen.update((first, second) for second in numbers[at + 1 :] if claims[second].statement.label != label)
            if len(seen) > PAIRS:
                break
    return [(claims[first], claims[second]) for first, second in sorted(seen)[:PAIRS]]


def _numbers(one: Claim, other: Claim, first: Quantity, second: Quantity) -> str | None:
    """Return why two numbers disagree; empty where they agree, None where they are not about the same."""
    if first.dimension != second.dimension or not _about_the_same(one, other):
        return None
    if _fits(first, second) or _states(other.statement, first) or _states(one.statement, second):
        return ""
    return ", and ".join(
        f"{quantity.bound} {shown(quantity.value, quantity.dimension)}" for quantity in (first, second)
    )


def _states(statement: Statement, number: Quantity) -> bool:
    """Return whether a statement has this number among others: then each belongs to another part of it."""
    return any(own.dimension == number.dimension and own.value == number.value for own in statement.quantities)


def _fits(first: Quantity, second: Quantity) -> bool:
    """Return whether both can hold: the same number, or one within the other's limit."""
    if abs(first.value - second.value) <= 1e-9 * max(abs(first.value), abs(second.value), 1e-9):
        return True
    by_bound = {first.bound: first.value, second.bound: second.value}
    if len(by_bound) < 2:
        return False
    most, least, exact = by_bound.get(MOST), by_bound.get(LEAST), by_bound.get(EXACT)
    if most is None:
        return least is not None and exact is not None and exact >= least
    lower = least if exact is None else exact
    return lower is not None and lower <= most


def _about_the_same(one: Claim, other: Claim) -> bool:
    if one.keyed != other.keyed:
        return _meant(one, other) if one.keyed else _meant(other, one)
    shared = one.words & other.words
    sizes = sorted((len(one.words), len(other.words)))
    return len(shared) >= 2 and len(shared) >= 0.7 * sizes[0] and len(shared) >= 0.4 * sizes[1]


def _meant(setting: Claim, sentence: Claim) -> bool:
    """Return whether a sentence speaks of a setting: every telling word of its name is in it, or meant by it."""
    telling = {_SAME.get(word, word) for word in setting.words} - _GENERIC
    concepts = {concept for concept, pattern in _CONCEPTS if pattern.search(sentence.statement.text)}
    concepts |= {"timeout"} if "ttl" in concepts else set()
    return bool(telling & sentence.words) and telling <= sentence.words | concepts


def _modes(one: Claim, other: Claim) -> str | None:
    kinds = {one.statement.kind, other.statement.kind}
    if BAN not in kinds or len(kinds) != 2 or one.statement.text == other.statement.text:
        return None
    shared = one.words & other.words
    if len(shared) < 3 or len(shared) < 0.6 * len(one.words | other.words):
        return None
    return f"one states a {one.statement.kind}, the other a {other.statement.kind}"


def _content(statement: Statement) -> frozenset[str]:
    """Return the telling words of a statement, without their endings."""
    if statement.key:
        text = " ".join([part for part in _CAMEL.split(statement.key) if part][-5:])
    else:
        text = f"{statement.subject} {statement.object} {statement.condition}"[:500]
    return frozenset(_stem(word) for word in map(str.lower, _WORD.findall(text)) if word not in _EMPTY)


def _stem(word: str) -> str:
    """Cut what endings add; both sides are cut alike."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= 4), "")
    return word.removesuffix(ending)
