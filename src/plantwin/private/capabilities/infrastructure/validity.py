"""Validity of any settings file: text that does not parse, keys stated twice, and values that cannot be right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.capabilities.infrastructure.settings import snake_case
from plantwin.private.facts import private
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NULL, NUMBER, TEXT, Document, Node, dotted, walk
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import Severity

SYNTAX = Rules("syntax")
YAML = Rules("yaml")
MOST_LINES = 200_000
_TRUTHY = frozenset(("yes", "no", "Yes", "No", "On", "Off", "YES", "NO", "ON", "OFF"))
"""`on` and `off` are left out: workflows and switches write them on purpose."""
_OCTAL = re.compile(r"0[0-7]{1,6}")
_TEST_DATA = re.compile(r"(?i)(?:^|[/._-])(?:tests?|specs?|fixtures?|testdata|mocks?|__snapshots__)(?:[._-][^/]*)?/")
_TEXTS = re.compile(r"(?i)(?:^|/)(?:locales?|i18n|lang|languages?|translations?|messages)/")
"""Where texts for readers lie: one that is stated twice breaks nothing."""
_SEXAGESIMAL = re.compile(r"\d+:[0-5]?\d(?::[0-5]?\d)?")


def validate_syntax(document: Document) -> Iterator[Finding]:
    """Return the faults that the parser met."""
    for fault in document.faults:
        rule, severity = "SYNTAX-ERROR" if fault.grave else "SYNTAX-WARNING", None
        if fault.repeated:
            strict = (fault.grave or document.syntax in ("yaml", "toml")) and not _TEXTS.search(document.name)
            rule, severity = "SYNTAX-DUPLICATE-KEY", None if strict else Severity.LOW
        if _TEST_DATA.search(document.name) or not document.source.text.strip():
            severity = Severity.LOW  # tests have broken files on purpose, and an empty one may be there to be there
        syntax = document.syntax.upper()
        yield SYNTAX.found(
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
                hint = "Keep one of them."
                yield SYNTAX.found("SYNTAX-DUPLICATE-KEY", line, fault=fault, suggestion=hint, syntax="INI")


def validate_json_lines(text: str) -> Iterator[Finding]:
    """Return the lines of a JSON Lines file that are not valid JSON."""
    for number, line in enumerate(text.split("\n")[:MOST_LINES], start=1):
        if line.strip():
            try:
                msgspec.json.decode(line, type=msgspec.Raw)
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                fault = "this line is not valid JSON"
                yield SYNTAX.found("SYNTAX-ERROR", number, fault=fault, suggestion="", syntax="JSON")


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
            elif node.kind == NUMBER and _SEXAGESIMAL.fullmatch(node.text):
                rule = "YAML-SEXAGESIMAL"
            elif _OCTAL.fullmatch(node.text[:20]):
                rule = "YAML-OCTAL"
            else:
                continue
            yield YAML.found(rule, node.line, path=".".join(path)[-120:], value=node.text)


_LEXICON = Lexicon(__file__)
VALUES = Rules("values")
EXAMPLE_FILE = _LEXICON.pattern("example_file")
"""Names of files that show how others are to look."""
_SECRET = _LEXICON.pattern("secret")
_PORT = re.compile(r"(?:^|_)port$")
_VERSION = re.compile(r"(?:^|_)version$")
_LOG_LEVEL = re.compile(r"(?:^|_)log(?:ging)?_?level$|^loglevel$")
_LOG_LEVELS = known_keys("values", "log_levels")
_PLACEHOLDER = re.compile(
    r"(?i)(?:<[a-z][\w .:-]{2,60}>|\[[a-z]+[ _-][\w -]{2,40}\]|__[A-Z][A-Z0-9_]{2,40}__|%%[\w]{2,40}%%"
    r"|@@?[A-Z][A-Z0-9_]{2,40}@@?|(?:(?:change|replace)[_ -]?(?:me|this)|fill[_ -]?(?:me|in|this))(?:[_ -]\w{0,20})?"
    r"|your[_ -][\w -]{0,40}(?:here|key|token|secret|password|domain|name|id)?|x{4,}|insert[_ -][\w -]{2,40}[_ -]here"
    r"|tbd|todo|fixme|put[_ -]your\b.{0,40})"
)
_PROSE = re.compile(r"(?:description|comment|title|label|placeholder|text|message|pattern|html)")
_UNCLOSED = re.compile(r"\$\{[A-Za-z_][\w.:-]{0,80}$|\$\{\{[^}]{0,200}$|\{\{[^}]{0,200}$")
_MUSTACHE = re.compile(r"\{\{\s*[\w.]{1,80}\s*\}\}")


@private
class Value(NamedTuple):
    """One value with its key."""

    document: Document
    path: tuple[str, ...]
    key: str
    """In snake case."""
    node: Node
    line: int

    def found(self, rule: str, *, severity: Severity | None = None, **more: object) -> Finding:
        """Make a finding at this value."""
        return VALUES.found(rule, self.line, severity=severity, path=dotted(self.path)[-120:], **more)


def validate_values(document: Document) -> Iterator[Finding]:
    """Return every suspicious value of a document."""
    example = EXAMPLE_FILE.search(document.name) is not None
    fillable = document.syntax in ("env", "properties", "ini", "toml", "yaml", "json", "xml")
    for root in document.roots:
        for path, line, node in walk(root):
            if not path or node.kind in (MAP, LIST):
                continue
            key = snake_case(next((part for part in reversed(path) if not part.isdigit()), "").lstrip("@"))
            line = node.line if path[-1].isdigit() else line
            value = Value(document, path, key.replace(".", "_"), node, line)
            yield from _numbers(value)
            if fillable and not example and not document.templated:
                yield from _unfilled(value)


def _numbers(value: Value) -> Iterator[Finding]:
    key, node, text = value.key, value.node, value.node.text.strip()
    if _PORT.search(key) and node.number is not None and not 0 <= node.number <= 65535:
        yield value.found("VALUE-PORT-RANGE", value=text[:12])
    elif _LOG_LEVEL.search(key) and node.scalar and text and "$" not in text:
        levels = re.split(r"[,\s=]+", text.lower())
        if len(levels) == 1 and levels[0] not in _LOG_LEVELS:
            yield value.found("VALUE-LOG-LEVEL")
    elif _VERSION.search(key) and _loses_zero(value):
        yield value.found("YAML-VERSION-NUMBER", number=f"{float(text):g}")


def _loses_zero(value: Value) -> bool:
    """Return whether YAML reads a version as a number: 3.10 becomes 3.1."""
    plain = value.document.syntax == "yaml" and not value.document.templated and len(value.path) > 1
    return plain and value.node.kind == NUMBER and re.fullmatch(r"\d+\.\d*0", value.node.text) is not None


def _unfilled(value: Value) -> Iterator[Finding]:
    key, node, syntax = value.key, value.node, value.document.syntax
    text = node.text.strip()
    if not text and node.kind in (TEXT, NULL):
        # A contract or a schema names such keys without holding them.
        schema = re.search(r"(?:schema|openapi|swagger)", value.document.name)
        if _SECRET.search(key) and (syntax in ("env", "properties", "ini") or not schema):
            yield value.found("VALUE-EMPTY-SECRET")
    if node.kind != TEXT or not text or len(text) > 200:
        return
    if _UNCLOSED.search(text) and "\n" not in text:
        yield value.found("VALUE-UNCLOSED-PLACEHOLDER")
    elif _PLACEHOLDER.fullmatch(text) and not _PROSE.search(key):
        needed = _SECRET.search(key) or re.search(r"(?:url|host|domain|email|key|id)$", key)
        yield value.found("VALUE-PLACEHOLDER", severity=None if needed else Severity.LOW)
    elif syntax in ("env", "properties") and _MUSTACHE.fullmatch(text):
        yield value.found("VALUE-PLACEHOLDER")
    elif syntax == "env" and not node.text.startswith("'"):
        for name in re.findall(r"\$\{([A-Za-z_]\w{0,80})\}", text):
            if name not in value.document.root.map and name not in ("HOME", "USER", "PWD", "PATH", "HOSTNAME"):
                yield value.found("VALUE-UNSET-VARIABLE", variable=name)
