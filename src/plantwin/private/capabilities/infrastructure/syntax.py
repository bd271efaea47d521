"""Syntax of configuration files: text that does not parse, keys stated twice, scalars that YAML reads otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NUMBER, Document, walk
from plantwin.vocabulary import Severity

RULES = Rules("syntax")
YAML = Rules("yaml")
MOST_LINES = 200_000
_TRUTHY = frozenset(("yes", "no", "Yes", "No", "On", "Off", "YES", "NO", "ON", "OFF"))
"""`on` and `off` are left out: workflows and switches write them on purpose."""
_OCTAL = re.compile(r"0[0-7]{1,6}")
_TEST_DATA = re.compile(r"(?i)(?:^|[/._-])(?:tests?|specs?|fixtures?|testdata|mocks?|__snapshots__)(?:[._-][^/]*)?/")
SEXAGESIMAL = re.compile(r"\d+:[0-5]?\d(?::[0-5]?\d)?")


def validate(document: Document) -> Iterator[Finding]:
    """Return the faults that the parser met."""
    for fault in document.faults:
        rule, severity = "SYNTAX-ERROR" if fault.grave else "SYNTAX-WARNING", None
        if fault.repeated:
            strict = fault.grave or document.syntax in ("yaml", "json", "toml")
            rule, severity = "SYNTAX-DUPLICATE-KEY", None if strict else Severity.MEDIUM
        if _TEST_DATA.search(document.name) or not document.source.text.strip():
            severity = Severity.MEDIUM  # tests have broken files on purpose, and an empty one may be there to be there
        syntax = document.syntax.upper()
        yield RULES.found(
            rule, fault.line, severity=severity, fault=fault.message, suggestion=fault.hint, syntax=syntax
        )


def validate_ini_keys(document: Document) -> Iterator[Finding]:
    """Return keys of one INI section that differ in case alone: most readers take them for the same."""
    for section in document.root.map.values() if document.syntax == "ini" else ():
        first: dict[str, int] = {}
        for key in section.map:
            line = section.line_of(key)
            if first.setdefault(key.lower(), line) != line:
                fault = f"`{key[:80]}` is stated twice, but for its case (first on line {first[key.lower()]})"
                hint, medium = "Keep one of them.", Severity.MEDIUM
                yield RULES.found(
                    "SYNTAX-DUPLICATE-KEY", line, severity=medium, fault=fault, suggestion=hint, syntax="INI"
                )


def validate_json_lines(text: str) -> Iterator[Finding]:
    """Return the lines of a JSON Lines file that are not valid JSON."""
    for number, line in enumerate(text.split("\n")[:MOST_LINES], start=1):
        if line.strip():
            try:
                msgspec.json.decode(line, type=msgspec.Raw)
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                fault = "this line is not valid JSON"
                yield RULES.found("SYNTAX-ERROR", number, fault=fault, suggestion="", syntax="JSON")


def validate_yaml_scalars(document: Document) -> Iterator[Finding]:
    """Return plain scalars that YAML 1.1 reads as another type than they look."""
    if document.syntax != "yaml" or document.templated:
        return
    for root in document.roots:
        for path, _, node in walk(root):
            if node.quoted or node.kind in (MAP, LIST):
                continue
            if node.kind == BOOLEAN and node.text in _TRUTHY:
                rule = "YAML-TRUTHY"
            elif node.kind == NUMBER and SEXAGESIMAL.fullmatch(node.text):
                rule = "YAML-SEXAGESIMAL"
            elif _OCTAL.fullmatch(node.text[:20]):
                rule = "YAML-OCTAL"
            else:
                continue
            yield YAML.found(rule, node.line, path=".".join(path)[-120:], value=node.text)
