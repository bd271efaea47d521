"""What a difference, or an equality, between environments means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.compare_environments.environment import Environment, snake_path
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.detect.names import names_secret
from plantwin.private.detect.summary import HIDDEN
from plantwin.private.facts import private
from plantwin.private.formats.document import NUMBER, TEXT, Node
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import Severity

_LEXICON = Lexicon(__file__)
RULES = Rules("environments")
Placed = tuple[Environment, Finding]
_HIDDEN = re.compile(r"salt$|pepper$|connection_?string|webhook")
"""Names of values that are no secrets by name alone, and are not shown either."""
_REFERENCE = re.compile(r"(?:secret_key_ref|secret_ref|remote_ref|value_from|secret_name|existing_secret)(?:_|$)")
"""What names a secret that is kept elsewhere: a Secret of Kubernetes, an external store."""
_VALUE = re.compile(r"\.value$")
"""What follows the name of a variable in a list of them."""
_USERINFO = re.compile(r"://[^/\s:@]{1,100}:([^/\s@]{1,200})@")
_FROM_STORE = re.compile(r"\$\{|\{\{|<|vault:|ssm:|secretsmanager|(?i:(?:\w+\.)?(?:getenv|env|environ)\W)")
_PLACE = _LEXICON.pattern("place")
_STORE = re.compile(r"(?:database|db|dsn|bucket|queue|redis|cache|broker|host)")
_COMMON_PLACE = _LEXICON.pattern("common_place")
_SHARED_PLACE = re.compile(r"\$\{|\{\{|^arn:aws:iam::aws|^https?://(?:www\.)?(?:github|docs|schema)")
_DEFAULT = re.compile(r"\$\{\w{1,80}:-?[^${}]{0,200}\}")
"""A variable with what stands in where it is not set, as on the machine of a developer."""
_LOCALHOST = re.compile(r"(?:^|[/@,])(?:localhost|127\.0\.0\.1)(?:[:/]|$)")
_STAGE_IN_VALUE = {
    stage: re.compile(rf"(?:^|[^a-z])(?:{pattern})(?:$|[^a-z])", re.IGNORECASE)
    for stage, pattern in (
        ("production", "prod|production|prd"),
        ("staging", "stag(?:e|ing)|stg|sandbox|uat"),
        ("test", "tests?|testing|qa"),
        ("development", r"dev|development|localhost|127\.0\.0\.1"),
    )
}
_DEBUG = _LEXICON.pattern("debug")
_LOG_LEVEL = re.compile(r"(?:^|_)log(?:ging|ger)?_?level$|(?:^|_)logging_level$|^level$")
_PROTECTION = _LEXICON.pattern("protection")
_NEGATED = re.compile(r"(?:skip|disable|insecure|allow|without|no_)")
_PROTECTION_SKIPPED = re.compile(r"(?:skip|disable|insecure).*(?:verify|tls|ssl|auth|csrf)")
_SCALE = _LEXICON.pattern("scale")
_TIME = _LEXICON.pattern("time")
_SIZE_NAME = re.compile(r"(?:^|_)(?:memory|size|storage|heap|quota|disk|limit_bytes|max_bytes)(?:_|$)")


@private
class Value(NamedTuple):
    """One setting in one environment."""

    environment: Environment
    node: Node
    line: int


def is_secret(path: str, node: Node) -> bool:
    """Return whether a value is not to be shown."""
    if _USERINFO.search(node.text):
        return True
    name = snake_path(path)
    plain = node.true or node.false or node.kind == NUMBER
    return not plain and (names_secret(name) or _HIDDEN.search(name) is not None)


def equal(first: Node, second: Node) -> bool:
    """Return whether two values mean the same: `30` and `30.0`, `true` and `"yes"`."""
    if first.text == second.text or (first.true and second.true) or (first.false and second.false):
        return True
    return first.number is not None and first.number == second.number


def findings(path: str, values: Sequence[Value]) -> Iterator[Placed]:
    """Return what one setting that several environments have tells."""
    key = snake_path(path.rpartition(".")[2])
    for value in values:
        if value.environment.is_production:
            yield from _in_production(path, key, value)
        yield from _wrong_stage(path, key, value)
    yield from _shared(path, key, values)
    yield from _types(path, values)
    yield from _amounts(path, key, values)


def _in_production(path: str, key: str, value: Value) -> Iterator[Placed]:
    node, text = value.node, value.node.text.strip()
    rule = ""
    if _DEBUG.search(key) and node.true:
        rule = "ENV-DEBUG"
    elif _LOG_LEVEL.search(key) and text.lower() in ("debug", "trace", "verbose", "all"):
        rule = "ENV-LOG-LEVEL"
    elif (_PROTECTION.search(key) and node.false and not _NEGATED.search(key)) or (
        _PROTECTION_SKIPPED.search(key) and node.true
    ):
        rule = "ENV-PROTECTION-OFF"
    if rule:
        yield value.environment, RULES.found(rule, value.line, path=path, value=text[:10])


def _wrong_stage(path: str, key: str, value: Value) -> Iterator[Placed]:
    """Find a value that names another stage than its own."""
    environment, text, own = value.environment, value.node.text, value.environment.stage
    if own not in _STAGE_IN_VALUE or value.node.kind != TEXT or not _PLACE.search(key) or len(text) > 500:
        return
    text = _DEFAULT.sub("", text)
    if environment.is_production and _LOCALHOST.search(text):
        yield environment, RULES.found("ENV-LOCALHOST", value.line, path=path)
    elif not _STAGE_IN_VALUE[own].search(text):
        others = (stage for stage, pattern in _STAGE_IN_VALUE.items() if stage != own and pattern.search(text))
        other = next(others, "")
        if other and "production" in (own, other):
            yield environment, RULES.found("ENV-OTHER-STAGE", value.line, path=path, stage=own, other=other)


def _shared(path: str, key: str, values: Sequence[Value]) -> Iterator[Placed]:
    """Find what production and another stage should not have in common."""
    whole = snake_path(path)
    for position, second in enumerate(values):
        for first in values[:position]:
            production, other = (second, first) if second.environment.is_production else (first, second)
            if not production.environment.is_production or other.environment.stage in ("production", "example"):
                continue
            place, text = production.environment, production.node.text
            if not text.isascii() or text.strip().lower() in ("bearer", "basic", "null", "none", "nil"):
                continue  # words that say what to fill in, how to sign in, or that there is nothing
            names = {"path": path, "other": other.environment.name}
            named = _VALUE.sub("", path).rpartition(".")[2]
            if is_secret(named, production.node) and is_secret(named, other.node) and not _REFERENCE.search(whole):
                if _secret_part(production.node) == _secret_part(other.node) != "" and not _FROM_STORE.match(text):
                    found = RULES.found("ENV-SHARED-SECRET", production.line, severity=None, **names)
                    yield place, msgspec.structs.replace(found, evidence=HIDDEN)
            elif (
                _PLACE.search(key)
                and not whole.endswith("metadata_namespace")  # clusters are told apart, not names within them
                and production.node.kind == TEXT
                and text == other.node.text
                and not _COMMON_PLACE.fullmatch(text.strip())
                and not _SHARED_PLACE.search(text)
            ):
                severity = None if _STORE.search(whole) else Severity.LOW
                yield place, RULES.found("ENV-SHARED-PLACE", production.line, severity=severity, **names)


def _secret_part(node: Node) -> str:
    """Return what of a value is secret: the password of an address, or all of it."""
    match = _USERINFO.search(node.text)
    return match[1] if match is not None else node.text


def _type(node: Node) -> str:
    if node.true or (node.false and not node.text.isdigit()):
        return "boolean"
    return "number" if node.number is not None else "string"


def _types(path: str, values: Sequence[Value]) -> Iterator[Placed]:
    written = [value.node for value in values if value.node.scalar]
    types = {_type(node) for node in written if node.text and "$" not in node.text and "{" not in node.text}
    if (
        len(types) < 2
        or types == {"number", "boolean"}
        or re.search(r"(?:version|tag|id|name|port)$", snake_path(path))
    ):
        return
    if all(seconds(node.text) is not None or size(node.text) is not None for node in written):
        return
    last = values[-1]
    yield last.environment, RULES.found("ENV-TYPE", last.line, path=path, types=" and a ".join(sorted(types)))


def _amount(name: str, node: Node) -> float | None:
    if node.number is not None:
        return node.number
    if _TIME.search(name):
        return seconds(node.text)
    return size(node.text) if _SIZE_NAME.search(name) else None


def _amounts(path: str, key: str, values: Sequence[Value]) -> Iterator[Placed]:
    """Find numbers, durations and sizes that production has far off, or too small."""
    name = snake_path(path)
    amounts = [
        (value, amount)
        for value in values
        if value.environment.stage != "example" and (amount := _amount(name, value.node)) is not None
    ]
    production = next((pair for pair in amounts if pair[0].environment.is_production), None)
    if production is None:
        return
    value, mine = production
    for other, theirs in amounts:
        if other.environment.is_production:
            continue
        stage = other.environment.name
        if _SCALE.search(key) and 0 <= mine < theirs:
            small, large = f"{mine:g}", f"{theirs:g}"
            found = RULES.found("ENV-SMALLER", value.line, path=path, other=stage, mine=small, theirs=large)
            yield value.environment, found
        elif (_TIME.search(name) or _SIZE_NAME.search(name)) and mine > 0 and theirs > 0:
            factor = max(mine, theirs) / min(mine, theirs)
            if factor >= 10:
                found = RULES.found("ENV-MAGNITUDE", value.line, path=path, other=stage, factor=f"{factor:.0f}")
                yield value.environment, found


_DURATION = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s{0,2}([a-zµμ]{0,12})", re.IGNORECASE)
_UNITS = {
    "": 1.0, "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "ms": 1e-3, "msec": 1e-3, "millis": 1e-3,
    "millisecond": 1e-3, "milliseconds": 1e-3, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0,
    "m": 60.0, "min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0, "h": 3600.0, "hr": 3600.0, "hrs": 3600.0,
    "hour": 3600.0, "hours": 3600.0, "d": 86400.0, "day": 86400.0, "days": 86400.0, "w": 604800.0, "week": 604800.0,
    "weeks": 604800.0, "mo": 2592000.0, "month": 2592000.0, "months": 2592000.0, "y": 31536000.0, "year": 31536000.0,
    "years": 31536000.0,
}  # fmt: skip
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s{0,2}([a-z]{0,6})", re.IGNORECASE)
_SIZES = {
    "": 1.0, "b": 1.0, "k": 1e3, "kb": 1e3, "ki": 2.0**10, "kib": 2.0**10, "m": 1e6, "mb": 1e6, "mi": 2.0**20,
    "mib": 2.0**20, "g": 1e9, "gb": 1e9, "gi": 2.0**30, "gib": 2.0**30, "t": 1e12, "tb": 1e12, "ti": 2.0**40,
    "tib": 2.0**40, "p": 1e15, "pb": 1e15, "pi": 2.0**50, "pib": 2.0**50, "e": 1e18, "ei": 2.0**60,
}  # fmt: skip


def seconds(text: str) -> float | None:
    """Return a duration in seconds (`1h30m`, `500ms`, `30`); None where it is none."""
    text = text.strip().lower()
    if re.fullmatch(r"p(?:\d+[ymwd])*(?:t(?:\d+(?:\.\d+)?[hms])+)?", text[:60]) and len(text) > 2:
        return _iso(text)
    total, end = 0.0, 0
    for match in _DURATION.finditer(text[:100]):
        if text[end : match.start()].strip() or match[2] not in _UNITS:
            return None
        total += float(match[1]) * _UNITS[match[2]]
        end = match.end()
    return total if end and not text[end:].strip() else None


def _iso(text: str) -> float:
    days, _, time = text[1:].partition("t")
    factors = {"y": 31536000.0, "m": 2592000.0, "w": 604800.0, "d": 86400.0}
    total = sum(float(number) * factors[unit] for number, unit in re.findall(r"(\d+)([ymwd])", days))
    clock = {"h": 3600.0, "m": 60.0, "s": 1.0}
    return total + sum(float(number) * clock[unit] for number, unit in re.findall(r"(\d+(?:\.\d+)?)([hms])", time))


def size(text: str) -> float | None:
    """Return a size in bytes (`512MB`, `1Gi`, `64k`); None where it is none."""
    match = _SIZE.fullmatch(text.strip()[:40])
    return float(match[1]) * _SIZES[match[2].lower()] if match is not None and match[2].lower() in _SIZES else None
