"""Rules held to their own examples: what they must find, and what they must not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from plantwin.private.redact.engine import Detector
from plantwin.private.redact.rules import Example, Rule, text_of


class Failure(NamedTuple):
    """An example that does not do what its rule says."""

    type: str
    example: int
    """Its number among those of its kind, from 1."""
    expected: bool
    """Whether it should have been found."""


def failures(rules: Iterable[Rule], detector: Detector) -> Iterator[Failure]:
    """Every example that fails in the full detector, where all other rules run as well."""
    for rule in rules:
        for examples, expected in ((rule.examples, True), (rule.counterexamples, False)):
            for place, example in enumerate(examples, 1):
                if found(rule, example, detector) is not expected:
                    yield Failure(rule.type, place, expected)
        if not rule.examples:
            yield Failure(rule.type, 0, True)


def found(rule: Rule, example: Example, detector: Detector) -> bool:
    """Whether the rule's type is found in its example; a rule that reads several types answers for its group."""
    findings = detector.scan(text_of(example).encode(), path=rule.example_path)
    if rule.handler == "token":
        return any(each.type == rule.type for each in findings)
    return any(each.group == rule.group for each in findings)
