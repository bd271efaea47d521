"""Findings by the rule that said so, and runs with the names of a folder around them."""

from __future__ import annotations

from collections.abc import Mapping

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Neighbour, Result, Surroundings


def rule(finding: Finding) -> str:
    """The rule of a finding; of a check without rule rows it is the end of the message."""
    return finding.rule or finding.message.rpartition("[")[2].rstrip("]")


def found(result: Result, *, least: str = "low") -> set[tuple[int, str]]:
    """Lines with their rules, of findings that are at least so bad."""
    levels = ("low", "medium", "high", "critical")
    return {(each.line, rule(each)) for each in result.findings if levels.index(each.severity) >= levels.index(least)}


def rules(result: Result, *, least: str = "low") -> set[str]:
    """The rules alone."""
    return {each for _, each in found(result, least=least)}


def checked(capability: str, result: Result) -> Result:
    """A result whose outcome passes the boundary whole."""
    assert sanitize(result.outcome, catalog()[capability]).dropped == ()
    return result


def around(
    capability: str, folder: str, inputs: Mapping[str, str], others: Mapping[str, tuple[str, ...]], class_: str = ""
) -> Result:
    """Run on content, in a folder that also has these files with these settings."""
    given = tuple(Input(name=name, data=text.encode()) for name, text in inputs.items())
    names = [*inputs, *others]
    objects = tuple(
        Neighbour(name, "config", class_, keys=tuple((key, 1) for key in others.get(name, ()))) for name in names
    )
    seen = Surroundings(objects=objects, inputs=tuple(range(len(inputs))))
    job = Job(capability=capability, inputs=given, options={"rules": folder}, surroundings=seen)
    return checked(capability, function(capability)(job))
