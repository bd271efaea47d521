"""Stack traces of many languages, checked calls, and surroundings by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Job, Link, Neighbour, Result, Surroundings
from plantwin.vocabulary import MAX_OUTCOME_TAGS, Findings, Severity, StepStatus

TRACES = tomllib.loads(Path(__file__).with_name("traces.toml").read_text("utf-8"))


def checked(capability: str, *inputs: Input, rules: str, surroundings: Surroundings | None = None) -> Result:
    """Run a capability; its outcome has closed words alone, and those that it declares."""
    result = function(capability)(
        Job(capability=capability, inputs=inputs, options={"rules": rules}, surroundings=surroundings or Surroundings())
    )
    told = result.outcome
    tags = told.get("tags", [])
    assert isinstance(tags, list)
    assert set(tags) <= {tag.value for tag in catalog()[capability].tags}
    assert len(tags) == len(set(tags)) <= MAX_OUTCOME_TAGS
    assert told["status"] in {StepStatus.DONE, StepStatus.PARTIAL, StepStatus.FAILED}
    assert told.get("severity", "none") in set(Severity)
    assert told.get("count", "none") in set(Findings)
    assert all(each.tag in {tag.value for tag in catalog()[capability].tags} for each in result.findings)
    assert all(each.severity in set(Severity) for each in result.findings)
    return result


def around(
    objects: dict[str, str], links: list[tuple[str, str, str, str]], inputs: tuple[str, ...] = ()
) -> Surroundings:
    """Surroundings from names with classes, and links by name."""
    names = list(objects)
    kinds = {"test_suite": "code_file", "environment_config": "config", "credentials_file": "secret_container"}
    return Surroundings(
        objects=tuple(
            Neighbour(name=name, kind=kinds.get(each, "code_file"), semantic_class=each, freshness="stale")
            for name, each in objects.items()
        ),
        links=tuple(Link(names.index(one), edge, reason, names.index(two)) for one, edge, reason, two in links),
        inputs=tuple(names.index(name) if name in objects else -1 for name in inputs),
    )
