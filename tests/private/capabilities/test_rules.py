"""Every rule of every file of rows keeps its word on its own examples."""

from __future__ import annotations

import pytest

from plantwin.private.capabilities import function
from plantwin.private.capabilities.engine.job import Input, Job, Neighbour, Surroundings
from plantwin.private.capabilities.engine.rules import Example, Rule, load, names

CASES = [
    pytest.param(load(name).capability.value, rule, example, id=f"{rule.id}-{number}")
    for name in names()
    for rule in load(name).rule
    for number, example in enumerate(rule.example)
]
WITHOUT = {"engines": {}}
"""The rows are ours: no engine is asked."""


@pytest.mark.parametrize(("capability", "rule", "example"), CASES)
def test_a_rule_keeps_its_word_on_its_example(capability: str, rule: Rule, example: Example) -> None:
    texts = {example.file: example.text, **example.beside}
    inputs = tuple(Input(name=name, data=text.encode()) for name, text in texts.items())
    names = (*texts, *example.folder) if example.folder else ()
    keys = {name: tuple((key, 1) for key in example.folder.get(name, ())) for name in names}
    around = Surroundings(objects=tuple(Neighbour(name, "config", "", keys=keys[name]) for name in names))
    result = function(capability)(Job(capability=capability, inputs=inputs, options=WITHOUT, surroundings=around))
    found = [finding for finding in result.findings if finding.rule == rule.id]
    lines = [finding.line for finding in found]
    if example.found:
        assert lines
        assert not example.line or example.line in lines
        assert not example.severity or {finding.severity for finding in found} == {example.severity.value}
    else:
        assert not lines


GRAVE = {
    "somebody gets in": {
        "attack_signs", "excessive_permission", "exposed_service", "injection", "insecure_setting",
        "known_vulnerability", "missing_check", "path_traversal", "unsafe_execution", "weak_authentication",
    },
    "a secret is given away": {"hardcoded_secret", "reused_secret"},
    "data is lost or wrong": {
        "broken_reference", "duplication", "invalid_values", "key_missing", "missing_values", "schema_mismatch",
    },
    "those who use it are shut out": {"breaking_change", "restarts"},
}  # fmt: skip
"""What high and critical mean (docs/capabilities.md, "Severity"), by the tags of the rules that may have them."""


def test_rules_are_grave_only_for_what_the_scale_calls_grave() -> None:
    high = {rule.tag for name in names() for rule in load(name).rule if rule.severity in ("high", "critical")}
    assert high == set().union(*GRAVE.values())


def test_every_rule_has_its_own_id_and_an_example_that_must_and_one_that_must_not_match() -> None:
    ids = [rule.id for name in names() for rule in load(name).rule]
    assert len(ids) == len(set(ids))
    lacking = [
        rule.id
        for name in names()
        for rule in load(name).rule
        if {each.found for each in rule.example} != {True, False}
    ]
    assert lacking == []
