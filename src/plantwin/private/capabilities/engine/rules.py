"""Rules as data: `rules/*.toml` says what each finding is called, how bad it is and what to do about it.

A check decides where a rule applies and asks the table for the finding:

    RULES = Rules("kubernetes")
    yield RULES.found("K8S-PRIVILEGED", line, container=name)

A row states id, severity, tag, message (with `{placeholders}`), hint, reference and examples. Examples are whole
files in which the rule must, or must not, be found when the capability of the file's head examines them; one test runs
them all. Rows of one file are loaded when its first finding is made.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from plantwin.private.capabilities.engine.job import Finding
from plantwin.vocabulary import CapabilityName, OutcomeTag, Severity

FOLDER = Path(__file__).parents[1] / "rules"
IGNORE = re.compile(r"plantwin:\s{0,4}ignore\s{0,4}\[?([A-Za-z0-9_., -]{2,200})")
"""A comment on the line of a finding that names rules to leave out there."""
RuleId = Annotated[str, Meta(pattern="^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$", max_length=60)]


class Example(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file that a rule must find, or must not."""

    file: str
    """Its name, by which the format is known."""
    text: str
    found: bool = True
    line: int = 0
    """Where it must be found; any line if zero."""
    severity: Severity | None = None
    """How severe it must be, where its context makes it better or worse than the row says."""
    beside: dict[str, str] = {}
    """Further inputs of the same call by name, for rules about several files."""
    folder: dict[str, tuple[str, ...]] = {}
    """Other files of the folder, which are not examined, with the settings that they hold."""


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row."""

    id: RuleId
    severity: Severity
    tag: OutcomeTag
    message: str
    hint: str = ""
    reference: str = ""
    """Where the rule comes from: a number of CIS, CWE, WCAG, an RFC, a vendor's page."""
    confidence: Literal["low", "medium", "high"] = "high"
    pattern: str = ""
    """A regular expression, for checks that search text by the rows themselves."""
    options: dict[str, str | int | float | bool | list[str]] = {}
    """What else such a check reads from the row."""
    example: tuple[Example, ...] = ()


class RuleFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of rows."""

    title: str
    capability: CapabilityName
    """The one that examines the examples."""
    rule: tuple[Rule, ...]


class Rules:
    """The rows of one file, or of several that one check uses together."""

    def __init__(self, *names: str) -> None:
        self._names = names

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """Every row by its id."""
        return {rule.id: rule for name in self._names for rule in load(name).rule}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.by_id.values())

    def found(self, id_: str, line: int, *, severity: Severity | None = None, **values: object) -> Finding:
        """Make a finding at a line. `severity`: where the context makes it better or worse than the row says."""
        return made(self.by_id[id_], line, severity=severity, **values)


def made(rule: Rule, line: int, *, severity: Severity | None = None, **values: object) -> Finding:
    """Make a finding of this rule."""
    return Finding(
        rule=rule.id,
        line=line,
        severity=(severity or rule.severity).value,
        tag=rule.tag.value,
        message=rule.message.format(**values),
        hint=rule.hint.format(**values),
        reference=rule.reference,
        confidence=rule.confidence,
    )


@cache
def load(name: str) -> RuleFile:
    """Read one file of rows, checked."""
    return msgspec.convert(tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")), RuleFile)


def names() -> list[str]:
    """Return the names of all files of rows."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def ignored(line: str) -> frozenset[str]:
    """Return the ids of the rules that a comment on this line leaves out."""
    match = IGNORE.search(line)
    return frozenset(re.split(r"[ ,]+", match[1].strip(" ]"))) if match else frozenset()
