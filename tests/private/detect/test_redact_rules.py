"""Rules are data: each proves itself by its own examples, and a dangerous one is refused."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from plantwin.errors import ConfigError
from plantwin.private.detect import RULES_VERSION, Detector, detector
from plantwin.private.detect.compiled import build
from plantwin.private.detect.engine import HANDLERS
from plantwin.private.detect.rules import Rule, load, parse, text_of, unbounded, version
from plantwin.private.detect.validators import VALIDATORS

RULES = load()


@pytest.fixture(scope="module")
def found() -> Detector:
    return detector()


def types(rule: Rule, text: str, found: Detector) -> set[str]:
    findings = found.scan(text.encode(), path=rule.example_path)
    # A handler reads several types; its examples must yield its group.
    return {each.type if rule.handler == "token" else each.group for each in findings}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.type)
def test_examples_are_found(rule: Rule, found: Detector) -> None:
    assert rule.examples, "a rule without an example proves nothing"
    for example in rule.examples:
        assert (rule.type if rule.handler == "token" else rule.group) in types(rule, text_of(example), found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.type)
def test_counterexamples_are_not_found(rule: Rule, found: Detector) -> None:
    assert rule.counterexamples
    for example in rule.counterexamples:
        assert (rule.type if rule.handler == "token" else rule.group) not in types(rule, text_of(example), found)


def test_at_least_150_provider_formats() -> None:
    here = [rule for rule in RULES if rule.group == "secret" and rule.handler == "token"]
    assert len({rule.type for rule in here}) >= 150


def test_names_of_code_exist() -> None:
    for rule in RULES:
        kind, _, module = rule.validator.partition(":")
        assert not kind or kind in VALIDATORS or (kind == "stdnum" and find_spec(f"stdnum.{module}"))
        assert rule.handler in HANDLERS or rule.handler in {"wrapped", "spliced"}
        assert rule.description[0].isupper() or rule.description[0].isalnum()


def test_every_pattern_is_bounded() -> None:
    for rule in RULES:
        assert not unbounded(rule.pattern), rule.type
        re.compile(rule.expression.encode())


@pytest.mark.parametrize("pattern", ["a+", "(?:ab)*", "x{3,}", "[a-z]+b", r"\w{2,}"])
def test_unbounded_patterns_are_refused(pattern: str) -> None:
    text = f"[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='{pattern}'\n"
    with pytest.raises(ConfigError, match="unbounded"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "not toml at all [",
        "[[rule]]\ntype='x'\n",
        "[[rule]]\ntype='my_rule'\ngroup='nonsense'\nconfidence='high'\ndescription='D'\npattern='a'\n",
        "[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='a'\nsurprise=1\n",
        "[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\n",
        "[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='(a'\n",
        "[[rule]]\ntype='My Rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='a'\n",
    ],
)
def test_malformed_rules_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text)


def test_a_rule_added_is_a_rule_run() -> None:
    rules = parse(
        "[[rule]]\ntype='badge_number'\ngroup='identifier'\nconfidence='high'\ndescription='Badge'\npattern='BDG-\\d{6}'\n"
    )
    (finding,) = Detector(build(rules)).scan(b"see BDG-123456 there")
    assert finding == ("badge_number", "identifier", 4, 14, "high", "")


def test_bounded_classes_are_not_mistaken() -> None:
    assert not unbounded(r"[+*]{1,3}\+\*a{2}b{0,4}")
    assert not unbounded(r"[^\]+]{1,9}")


def test_version_is_stable_and_short() -> None:
    assert version() == RULES_VERSION
    assert re.fullmatch("[0-9a-f]{32}", RULES_VERSION)


def test_examples_of_well_known_formats_are_split() -> None:
    """So that the rule files themselves raise no alarm elsewhere."""
    for rule in RULES:
        if rule.type in {"github_token", "aws_access_key", "slack_token", "stripe_key", "private_key"}:
            assert any(not isinstance(example, str) for example in rule.examples)
