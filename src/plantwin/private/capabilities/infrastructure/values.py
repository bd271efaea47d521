"""Values that cannot be right, whatever file they stand in: judged by the name of the key and the look of the value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure import quantities
from plantwin.private.capabilities.infrastructure.cron import cron_fault
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.capabilities.infrastructure.settings import snake_case
from plantwin.private.capabilities.infrastructure.syntax import SEXAGESIMAL, YAML
from plantwin.private.facts import private
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NULL, NUMBER, TEXT, Document, Node, dotted, walk
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import Severity

_LEXICON = Lexicon(__file__)
RULES = Rules("values")
EXAMPLE_FILE = _LEXICON.pattern("example_file")
"""Names of files that show how others are to look."""
_SECRET = _LEXICON.pattern("secret")
_PORT = re.compile(r"(?:^|_)port$")
_LOG_LEVEL = re.compile(r"(?:^|_)log(?:ging)?_?level$|^loglevel$")
_LOG_LEVELS = known_keys("values", "log_levels")
_DURATION = _LEXICON.pattern("duration")
_RATIO = re.compile(r"(?:^|_)(?:sample_?rate|sampling_?rate|probability|sampling_ratio)$")
_CRON = re.compile(r"(?:^|_)(?:cron|cron_?expression|cron_?schedule|crontab)$")
_NETWORK = _LEXICON.pattern("network")
_ADDRESS = re.compile(r"(\d{1,5})\.(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:/(\d{1,4}))?")
_URL = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]{0,30}):(?P<slashes>/{1,3})(?P<rest>.{0,2000})", re.DOTALL)
_MISSPELT_SCHEMES = known_keys("values", "misspelt_schemes")
_PLACEHOLDER = re.compile(
    r"(?i)(?:<[a-z][\w .:-]{2,60}>|\[[a-z]+[ _-][\w -]{2,40}\]|__[A-Z][A-Z0-9_]{2,40}__|%%[\w]{2,40}%%"
    r"|@@?[A-Z][A-Z0-9_]{2,40}@@?|(?:(?:change|replace)[_ -]?(?:me|this)|fill[_ -]?(?:me|in|this))(?:[_ -]\w{0,20})?"
    r"|your[_ -][\w -]{0,40}(?:here|key|token|secret|password|domain|name|id)?|x{4,}|insert[_ -][\w -]{2,40}[_ -]here"
    r"|tbd|todo|fixme|put[_ -]your\b.{0,40})"
)
_PROSE = re.compile(r"(?:description|comment|title|label|placeholder|text|message|pattern|html)")
_UNCLOSED = re.compile(r"\$\{[A-Za-z_][\w.:-]{0,80}$|\$\{\{[^}]{0,200}$|\{\{[^}]{0,200}$")
_MUSTACHE = re.compile(r"\{\{\s*[\w.]{1,80}\s*\}\}")
_STRINGS = known_keys("values", "string_keys")
"""Keys below which "true" in quotes is meant as text."""


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
        return RULES.found(rule, self.line, severity=severity, path=dotted(self.path)[-120:], **more)


def validate(document: Document) -> Iterator[Finding]:
    """Return every suspicious value of a document."""
    example = EXAMPLE_FILE.search(document.name) is not None
    fillable = document.syntax in ("env", "properties", "ini", "toml", "yaml", "json", "xml")
    for root in document.roots:
        for path, line, node in walk(root):
            if not path or node.kind == MAP:
                continue
            key = snake_case(next((part for part in reversed(path) if not part.isdigit()), "").lstrip("@"))
            line = node.line if path[-1].isdigit() else line
            value = Value(document, path, key.replace(".", "_"), node, line)
            if node.kind == LIST:
                yield from _norway(value)
                continue
            yield from _numbers(value)
            yield from _times(value)
            yield from _urls(value)
            if fillable and not example and not document.templated:
                yield from _unfilled(value)
            if document.syntax == "yaml" and not document.templated:
                yield from _yaml_types(value)


def _numbers(value: Value) -> Iterator[Finding]:
    key, node, number = value.key, value.node, value.node.number
    text = node.text.strip()
    if _PORT.search(key):
        if number is not None and not 0 <= number <= 65535:
            yield value.found("VALUE-PORT-RANGE", value=text[:12])
        elif node.kind == TEXT and re.fullmatch(r"\d+[A-Za-z]\w{0,10}(?<!tcp)(?<!udp)", text[:20]):
            yield value.found("VALUE-PORT-NUMBER")
    elif _RATIO.search(key) and number is not None and not 0 <= number <= 1 and number < 100:
        yield value.found("VALUE-RATIO", severity=Severity.MEDIUM if number < 0 else None, value=text[:12])
    elif _LOG_LEVEL.search(key) and node.scalar and text and "$" not in text:
        levels = re.split(r"[,\s=]+", text.lower())
        if len(levels) == 1 and levels[0] not in _LOG_LEVELS:
            yield value.found("VALUE-LOG-LEVEL")
    match = _ADDRESS.fullmatch(text[:40]) if node.kind == TEXT and _NETWORK.search(key) else None
    if match is not None and (any(int(part) > 255 for part in match.groups()[:4]) or int(match[5] or 0) > 32):
        yield value.found("VALUE-IP-ADDRESS")


def _times(value: Value) -> Iterator[Finding]:
    key, node, text = value.key, value.node, value.node.text.strip()
    if not node.scalar or not text or "$" in text or "{" in text:
        return
    if _CRON.search(key) and node.kind == TEXT:
        fields = text.split()
        # Six or seven fields begin with seconds, as Quartz and Spring write them.
        fault = cron_fault(" ".join(fields[1:6]) if len(fields) in (6, 7) else text)
        # Words are the arguments of a module, or a schedule in a language of its own.
        if fault and (text.startswith("@") or (len(fields) > 2 and re.match(r"[\d*?]", text))):
            yield value.found("VALUE-CRON", fault=fault)
    elif _DURATION.search(key):
        number = node.number
        unknown_unit = re.fullmatch(r"\d[\d.]*\s?[A-Za-z]+", text[:40]) and quantities.seconds(text) is None
        if (number is not None and number < -1) or (number is None and unknown_unit):
            yield value.found("VALUE-DURATION")


def _urls(value: Value) -> Iterator[Finding]:
    text = value.node.text.strip()
    match = _URL.fullmatch(text[:2100]) if value.node.kind == TEXT and ":/" in text[:40] else None
    if match is None or "\n" in text or match["scheme"].lower() in ("file", "jdbc", "sqlite", "unix", "data"):
        return
    scheme, slashes, rest = match["scheme"].lower(), len(match["slashes"]), match["rest"]
    host = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    port = re.search(r":(\d{1,10})$", host)
    http, web = scheme in ("http", "https"), scheme in ("http", "https", "ws", "wss")
    fault = ""
    if scheme in _MISSPELT_SCHEMES:
        fault = "its scheme is misspelt"
    elif slashes == 1 and (web or scheme == "ftp") and rest:
        fault = "a slash is missing after the scheme"
    elif http and re.match(r"https?:/{0,2}", rest) and slashes != 3:
        fault = "it has two schemes"
    elif (slashes == 3 and web) or (not host and http):
        fault = "it has no host"
    elif port is not None and int(port[1]) > 65535:
        fault = "its port is above 65535"
    elif http and " " in host and len(text.split()) == 2 and re.search(r"(?:url|uri|endpoint|host)$", value.key):
        fault = "its host holds a space"
    if fault:
        yield value.found("VALUE-URL", fault=fault)


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


def _yaml_types(value: Value) -> Iterator[Finding]:
    """Find scalars that YAML reads as another type than they look."""
    key, node, text, path = value.key, value.node, value.node.text, value.path
    textual = key in _STRINGS or any(part.lower() in _STRINGS for part in path[:-1])
    quoted = node.kind == TEXT and node.quoted and not path[-1].isdigit()
    if quoted and text in ("true", "false", "True", "False", "TRUE", "FALSE") and not textual:
        yield value.found("YAML-QUOTED-BOOLEAN", value=text)
    elif node.kind == NUMBER and re.fullmatch(r"\d+\.\d*0", text):
        if len(path) > 1 and re.search(r"(?:^|_)version$", key):
            yield value.found("YAML-VERSION-NUMBER", number=f"{float(text):g}")
    elif node.kind == NUMBER and SEXAGESIMAL.fullmatch(text):
        yield YAML.found("YAML-SEXAGESIMAL", value.line, path=dotted(path)[-120:])


def _norway(value: Value) -> Iterator[Finding]:
    """Find a list of country codes in which `no` is read as false."""
    items = value.node.items
    if value.document.syntax != "yaml" or value.document.templated or len(items) < 2:
        return
    words_ = [item for item in items if item.kind == BOOLEAN and item.text.lower() in ("no", "on", "yes")]
    codes = sum(re.fullmatch(r"[a-z]{2}|[A-Z]{2}", item.text) is not None for item in items)
    if words_ and codes >= len(items) - 1:
        yield value._replace(line=words_[0].line).found("YAML-NORWAY", word=words_[0].text)
