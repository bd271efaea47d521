"""Rules that are not shipped: what they may say, so that they cost little and cannot pose as a shipped one."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import cache
from typing import Any

from plantwin.private.redact.rules import Rule, load, unbounded
from plantwin.private.redact.selection import known_types
from plantwin.private.redact.validators import VALIDATORS

MOST = 200
LONGEST = 2_000
"""Characters of a pattern."""
WIDEST = 1_200
"""Bytes that a pattern may match."""
CHOICES = 5_000
"""Ways in which a pattern's repetitions may share a text: what a confirmation costs at worst."""


@cache
def shipped() -> frozenset[str]:
    """Every type that a finding has without configuration."""
    return known_types(rule.type for rule in load())


def refused(rules: Iterable[Rule]) -> str:
    """What is wrong with rules of a user or folder, in words that name the rule; empty when nothing is."""
    rules = tuple(rules)
    if len(rules) > MOST:
        return f"more than {MOST} rules in one file: leave some out"
    for rule in rules:
        problem = _problem(rule)
        if problem:
            return f"rule {rule.type}: {problem}"
    return ""


def _problem(rule: Rule) -> str:
    if rule.type in shipped():
        return "this type is built in: choose another name"
    if rule.origin:
        return "origin is not for a rule file to say: remove it"
    if rule.handler != "token":
        return "a rule of yours has a pattern and no handler: remove handler"
    if rule.validator and rule.validator not in VALIDATORS:
        return f"no such validator: use one of {', '.join(sorted(VALIDATORS))}"
    texts = (rule.pattern, rule.files, *rule.prefilter, *rule.keywords)
    if max(map(len, texts)) > LONGEST or len(rule.keywords) > MOST:
        return f"a pattern longer than {LONGEST} characters or more than {MOST} keywords: shorten it"
    if not 0 <= rule.gap <= 200 or not 0 <= rule.reach <= 4_096 or not 0 <= rule.tail <= 4_096:
        return "gap may be up to 200, reach and tail up to 4096"
    if unbounded(rule.files):
        return "files has an unbounded repetition: use {0,80} instead of *"
    try:
        width, choices = cost(rule.expression)
    except (re.error, OverflowError, RecursionError):
        return "a pattern that does not compile"
    if not 3 <= width <= WIDEST:
        return f"a pattern must be able to match between 3 and {WIDEST} bytes: bound its repetitions"
    if choices > CHOICES:
        return "repetitions that can share a text in too many ways: use fewer or narrower ranges"
    return _uncompiled(rule)


def _uncompiled(rule: Rule) -> str:
    """Whether the engine refuses it."""
    import hyperscan

    from plantwin.private.redact.compiled import build

    try:
        build((rule,))
    except (hyperscan.error, ValueError):
        return "a pattern that the engine cannot search for: simplify it"
    return ""


def cost(pattern: str) -> tuple[int, int]:
    """How many bytes a pattern can match, and in how many ways its repetitions can share them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            tree: Any = re._parser.parse(pattern)  # type: ignore[attr-defined]
        except FutureWarning:
            raise re.error("ambiguous set") from None
    return int(min(tree.getwidth()[1], 1 << 30)), min(_choices(tree), 1 << 30)


def _choices(tree: Any) -> int:
    total = 1
    for name, value in tree:
        total = min(total * _choice(str(name), value), 1 << 30)
    return total


def _choice(name: str, value: Any) -> int:
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = value
        inside = _choices(inner)
        # A choice inside a repetition is made anew each time.
        return int(most - least + 1) * (inside ** min(int(most), 16) if inside > 1 else 1)
    if name == "SUBPATTERN":
        return _choices(value[3])
    if name == "BRANCH":
        return sum(_choices(each) for each in value[1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return _choices(value[1])
    if name == "ATOMIC_GROUP":
        return _choices(value)
    if name == "GROUPREF_EXISTS":
        return sum(_choices(each) for each in value[1:] if each is not None)
    return 1
