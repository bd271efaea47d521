"""Settings that weaken protection, by the name of the key, whatever file they stand in: rows of `rules/settings.toml`.

A row has the pattern of the key, and options: `value` (pattern of the bad value), `development` (the severity in files
for development and tests, or `skip`) and `production` (the severity where the file is of production).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rule, Rules, made
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.detect.context import is_catalog
from plantwin.private.facts import private
from plantwin.private.formats.document import LIST, MAP, NULL, Document, dotted, walk
from plantwin.vocabulary import Severity, member

RULES = Rules("settings")
MOST = 5000
"""Settings of one file that are looked at."""
_DEVELOPMENT = re.compile(r"(?:^|[/._-])(?:test|tests|dev|development|local|example|sample|ci)(?:[/._-]|$)")
_ENVIRONMENT = frozenset(("environment", "env", "shop_env", "app_env", "node_env", "rails_env", "flask_env"))
_USER = re.compile(r"(?:^|_)user(?:name)?$")
_PASSWORD = re.compile(r"(?:^|_)(?:password|passwd|pwd|pass)$")
COMMON_PASSWORDS = known_keys("settings", "common_passwords")


@private
class Setting(NamedTuple):
    """One key with its value."""

    path: str
    name: str
    """The key in snake case."""
    value: str
    line: int


def snake_case(key: str) -> str:
    """Return a key's name in one spelling."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", key).replace("-", "_").replace(" ", "_").lower()


def settings(document: Document) -> list[Setting]:
    """Return the single values of a document, flat and in order."""
    found: list[Setting] = []
    for root in document.roots:
        for path, line, node in walk(root):
            if path and node.kind not in (MAP, LIST, NULL):
                key = next((part for part in reversed(path) if not part.isdigit()), "")
                found.append(Setting(dotted(path), snake_case(key.rpartition(".")[2]), node.text, line))
    return found[:MOST]


def audit(document: Document) -> Iterator[Finding]:
    """Return the settings of a document that weaken protection, and passwords that anyone would try first."""
    found = settings(document)
    path = document.name.lower()
    development = _DEVELOPMENT.search(path) is not None
    production = "prod" in path or any(
        setting.name in _ENVIRONMENT and setting.value.startswith("prod") for setting in found
    )
    catalog = is_catalog(path)
    users = {setting.value for setting in found if setting.value and _USER.search(setting.name)}
    for setting in found:
        value = setting.value.strip().lower()
        rule = next((rule for key, bad, rule in _rows() if key.search(setting.name) and bad.fullmatch(value)), None)
        if rule is not None:
            severity = _severity(rule, development, production)
            if severity is not None:
                yield made(rule, setting.line, severity=severity, path=setting.path)
                continue
        if (
            not catalog
            and _PASSWORD.search(setting.name)
            and value
            and (value in COMMON_PASSWORDS or setting.value in users)
        ):
            yield RULES.found("SETTING-COMMON-PASSWORD", setting.line, path=setting.path)


@cache
def _rows() -> list[tuple[re.Pattern[str], re.Pattern[str], Rule]]:
    return [
        (re.compile(rule.pattern), re.compile(str(rule.options["value"]), re.DOTALL), rule)
        for rule in RULES
        if rule.pattern
    ]


def _severity(rule: Rule, development: bool, production: bool) -> Severity | None:
    """Return how bad a row is in this kind of file; nothing where it is left out."""
    option = rule.options.get("development" if development else "production" if production else "", "")
    if option == "skip":
        return None
    return member(Severity, str(option)) if option else rule.severity
