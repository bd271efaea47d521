"""Run the pattern rows of `languages/*.toml` over masked source, with a small taint analysis by block.

A name that is assigned from a request, or a string put together from parts, keeps that until its block ends (the
indentation falls below that of the assignment) or it is assigned something else.

A row names a rule of `rules/code_weaknesses.toml` and a pattern that is searched in code without comments and insides
of strings (`strings = true`: with strings, but starting outside of them). `where` says what else must hold:

    flow         a condition of `FLOWS` on what the arguments are made of, or several
    arguments    a pattern that the arguments contain, strings included; `not_arguments` one that they do not
    code         the same of the arguments with the insides of strings blank
    statement    of the line, `near` of its surroundings, `after` of what follows, `file` of everything, `match`

`medium_where` makes a finding medium where it holds as well.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.security_audit.interpolation import INTERPOLATIONS, first_argument, value_at
from plantwin.private.formats.source_views import Views, views
from plantwin.vocabulary import Severity

RULES = Rules("code_weaknesses")
TAINTED, SQL, BUILT, ADDRESS = 1, 2, 4, 8
"""What a value is made of: input of the request, SQL put together from parts, a string put together from parts, input
of the request that can decide the host of an address."""
NEAR = 300
"""Bytes on either side that count as the same statement in a long line."""
MOST_PLACES = 4_000
MOST_ASSIGNMENTS = 40_000
"""Places and assignments of one file that are examined."""
_FOLDER = Path(__file__).parent / "languages"
_FILES = {
    format: name
    for name, formats in {
        "javascript": "javascript jsx typescript tsx vue svelte",
        "java": "java kotlin scala",
        "go": "go",
        "ruby": "ruby",
        "php": "php",
        "csharp": "csharp",
        "rust": "rust",
        "shell": "shell",
        "c": "c cpp",
        "sql": "sql",
        "python": "python",
    }.items()
    for format in formats.split()
}
FORMATS = frozenset(_FILES)
_SENSITIVE = (
    "(?:password|passwd|secret|accessToken|access_token|authToken|auth_token|apiKey|api_key|privateKey|private_key|"
    "cardNumber|card_number|cvv|ssn|refreshToken|sessionToken|session_token)"
)
"""What `<SENSITIVE_NAME>` in a pattern stands for."""
_STATEMENT = re.compile(
    rb"[\"'`]\s{0,80}(?:select\s[^;]{1,600}?\sfrom\s|insert\s+into\s|update\s[^;]{1,200}?\sset\s|delete\s+from\s|drop\s+table\s"
    rb"|alter\s+table\s|exec\s+\w|call\s+\w+\s*\(|with\s+\w+\s+as\s)",
    re.IGNORECASE,
)
_NAME = re.compile(rb"[$@]?[A-Za-z_]\w{0,80}")
_LISTED = re.compile(rb"([A-Za-z_$][\w$]{0,80})\s*(?:=[^,]*)?(?=,|\Z|\s*\Z)")
"""Names that a destructuring pattern binds: `a`, `b` of `c: b`, `d` of `d = 1`."""
_FIXED = re.compile(
    rb"\s*(?:fmt\.Sprintf\(|String\.format\(|format!\(|&)?\s*[fF$@]{0,2}[\"'`](?:https?://[^/\"'`$%{}#]+[/?]|/(?![/\\]))"
)
"""An address whose host is written there, or none: what follows is a path or a query."""
_CONSTANT = re.compile(rb"[A-Z][A-Z0-9_]+")
_QUOTE = re.compile(rb"[\"'`]")
_INDENT = re.compile(rb"[ \t]{0,400}")
_CHECK = re.compile(
    rb"^(?:\}\s*)?(?:else\s+)?(?:if|unless|guard)\b.{0,300}?(?:includes|contains|Contains|in_array|has|allow|valid|safe|whitelist|startsWith"
    rb"|HasPrefix|starts_with\?|StartsWith|include\?|test|match|is_relative|IsLocal|IsLocalUrl)\w{0,30}\??\s*\("
)
Where = dict[str, str | list[str]]


class Pattern(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row."""

    rule: str
    pattern: str
    severity: Severity | None = None
    """Where it is not that of the rule."""
    strings: bool = False
    """Whether the pattern needs the insides of strings."""
    where: Where = {}
    medium_where: Where = {}


class Language(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one language writes what the patterns look for."""

    interpolation: str
    """A function of `INTERPOLATIONS`."""
    sources: str = "(?!)"
    """Parts of a request."""
    assignment: str = "(?!)()"
    """Group one is the name; its value begins behind the match."""
    sanitizers: str = "(?!)"
    """Calls whose result is harmless."""
    parameters: str = "(?!)()"
    """Parameters that the framework fills from the request; the group that matched is the name."""
    destructuring: str = "(?!)()"
    """Assignments to several names at once; group one lists them, and the value begins behind the match."""
    pattern: tuple[Pattern, ...]


@cache
def language(format: str) -> Language:
    """Read the rows of a format."""
    return msgspec.convert(tomllib.loads((_FOLDER / f"{_FILES[format]}.toml").read_text("utf-8")), Language)


@cache
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.replace("<SENSITIVE_NAME>", _SENSITIVE).encode())


class _Names:
    """What names hold, while the walk goes down the lines."""

    def __init__(self, language: Language) -> None:
        self._sources = _compiled(language.sources)
        self._sanitizers = _compiled(language.sanitizers)
        self._interpolation = INTERPOLATIONS[language.interpolation]
        self._held: dict[bytes, tuple[int, int]] = {}
        """Indentation of the assignment and flow, by name."""
        self._deepest = 0

    def leave(self, indent: int) -> None:
        """Forget what was assigned further in than a line of this indentation."""
        if self._deepest > indent:
            self._held = {name: held for name, held in self._held.items() if held[0] <= indent}
            self._deepest = indent

    def assign(self, name: bytes, indent: int, flow: int, *, added: bool) -> None:
        """Note an assignment; `added` where it appends."""
        held = self._held.get(name)
        if flow and len(self._held) < 2000:
            self._deepest = max(self._deepest, indent)
            self._held[name] = (min(indent, held[0]) if held else indent, flow | (held[1] if held and added else 0))
        elif held and not added and indent <= held[0]:
            del self._held[name]

    def check(self, line: bytes) -> None:
        """Trust the names that a condition looks up in a list, or passes to a check."""
        line = line[:600]
        if _CHECK.match(line):
            for name in set(_NAME.findall(line)) & self._held.keys():
                indent, flow = self._held[name]
                self._held[name] = (indent, flow & ~(TAINTED | ADDRESS))

    def flow(self, code: bytes, full: bytes) -> int:
        """Return what an expression is made of."""
        if not self._held and not _QUOTE.search(code) and not self._sources.search(full):
            return 0  # as nearly everywhere
        bare = self._sanitizers.sub(b" ", code)
        parts = [
            part
            for part in self._interpolation(bare, self._sanitizers.sub(b" ", full))
            if not _CONSTANT.fullmatch(part.strip())
        ]
        flow = 0
        if self._sources.search(bare) or any(self._sources.search(part) for part in parts):
            flow |= TAINTED | ADDRESS
        if parts:
            flow |= BUILT | (SQL if _STATEMENT.search(full) else 0)
        for text in (bare, *parts):
            for name in _NAME.findall(text):
                held = self._held.get(name)
                flow |= held[1] if held else 0
        return flow & ~ADDRESS if _FIXED.match(full) else flow

    def interpolated(self, full: bytes) -> list[bytes]:
        """Return what stands inside the strings of an expression."""
        return self._interpolation(b"", full)

    def tainted(self, text: bytes) -> bool:
        """Whether a part of the request stands in a text."""
        return self._sources.search(text) is not None


class Call:
    """One place where a pattern stands, with the views that conditions look at."""

    def __init__(self, source: Views, match: re.Match[bytes], names: _Names) -> None:
        self._source, self._match, self.names = source, match, names
        opening = match.end() - 1
        bracketed = source.code[opening : opening + 1] in (b"(", b"[", b"{")
        self.code, self.arguments = source.arguments(opening) if bracketed else value_at(source, match.end())
        self.file, self.match = source.full, match[0]

    @cached_property
    def flow(self) -> int:
        """What the arguments are made of."""
        return self.names.flow(self.code, self.arguments)

    @cached_property
    def first(self) -> int:
        """What the first argument is made of."""
        first = first_argument(self.code)
        return self.flow if len(first) == len(self.code) else self.names.flow(first, self.arguments[: len(first)])

    @cached_property
    def statement(self) -> bytes:
        """The line, as far as it is near."""
        line = self._source.line(self._match.start())
        starts = self._source.starts
        end = starts[line] if line < len(starts) else len(self.file)
        return self.file[max(starts[line - 1], self._match.start() - NEAR) : min(end, self._match.end() + NEAR)]

    @property
    def near(self) -> bytes:
        """A few lines on either side."""
        return self.file[max(0, self._match.start() - NEAR) : self._match.end() + 200]

    @property
    def after(self) -> bytes:
        """What follows."""
        return self.file[self._match.end() : self._match.end() + 600]


Verdict = bool | Severity
"""Whether a condition holds; a severity where it makes the finding worse."""


_PARAMETERS = re.compile(
    rb",\s*(?:\[|\{|[\w.]*(?:[aA]rg|[pP]aram|[vV]alue|[bB]ind|[iI][dD])\w*\s*(?:,|\.\.\.|\Z)|[\w.]+\.\.\.)"
)
"""Query parameters behind the statement: where there are some, what is put into it is most often its structure."""


def _sql(call: Call, flow: int) -> Verdict:
    if not flow & SQL:
        return False
    if flow & TAINTED:
        return Severity.CRITICAL
    return Severity.LOW if _PARAMETERS.search(call.code) else Severity.MEDIUM


def _command(flow: int) -> Verdict:
    return Severity.CRITICAL if flow & TAINTED else bool(flow & BUILT) and Severity.MEDIUM


def _evaluated(call: Call) -> Verdict:
    """Whether the first argument is more than a fixed string."""
    if call.first & TAINTED:
        return Severity.CRITICAL
    return _NAME.search(re.sub(rb"[\"'`][^\"'`]*[\"'`]", b"", first_argument(call.code))) is not None


def _interpolated(call: Call) -> Verdict:
    """Whether the first argument is a string with values inside (Ruby on Rails conditions)."""
    inside = call.names.interpolated(call.arguments[: len(first_argument(call.code))])
    if not inside or not re.match(rb"\s*\(?\s*\"", call.arguments):
        return False
    parts = b" ".join(inside)
    if call.names.flow(parts, parts) & TAINTED or b"params" in parts:
        return Severity.CRITICAL
    return Severity.LOW if b"," in call.code or b"to_sql" in parts or b"to_i" in parts else Severity.MEDIUM


FLOWS: dict[str, Callable[[Call], Verdict]] = {
    "tainted": lambda call: bool(call.flow & TAINTED),
    "tainted_first": lambda call: bool(call.first & TAINTED),
    "tainted_address": lambda call: bool(call.flow & ADDRESS),
    "tainted_address_first": lambda call: bool(call.first & ADDRESS),
    "tainted_line": lambda call: bool(call.flow & TAINTED) or call.names.tainted(call.statement),
    "critical_if_tainted": lambda call: Severity.CRITICAL if call.flow & TAINTED else True,
    "built_or_tainted": lambda call: bool(call.flow & (BUILT | TAINTED)),
    "built": lambda call: bool(call.flow & BUILT),
    "built_first": lambda call: bool(call.first & BUILT),
    "query": lambda call: _sql(call, call.first),
    "query_any": lambda call: _sql(call, call.flow),
    "command": lambda call: _command(call.first),
    "command_any": lambda call: _command(call.flow),
    "evaluated": _evaluated,
    "interpolated": _interpolated,
}


def _holds(where: Where, call: Call) -> Verdict:
    verdict: Verdict = True
    for key, value in where.items():
        if key == "flow":
            for name in [value] if isinstance(value, str) else value:
                answer = FLOWS[name](call)
                if not answer:
                    return False
                verdict = answer if isinstance(answer, Severity) else verdict
        else:
            view: bytes = getattr(call, key.removeprefix("not_"))
            if (_compiled(str(value)).search(view) is None) != key.startswith("not_"):
                return False
    return verdict


class _Event(NamedTuple):
    offset: int
    order: int
    """At the same offset: parameters, assignments, then patterns by row."""
    pattern: Pattern | None
    match: re.Match[bytes]


def examine(format: str, text: str) -> tuple[list[Finding], bool]:
    """Find the weaknesses of a source text, and say whether every place was examined."""
    rows = language(format)
    source = views(format, text.encode("utf-8", "replace"))
    places: list[_Event] = []
    for number, pattern in enumerate(rows.pattern, start=1):
        for match in _compiled(pattern.pattern).finditer(source.full if pattern.strings else source.code):
            if pattern.strings and source.code[match.start()] != source.full[match.start()]:
                continue  # inside a string
            places.append(_Event(match.start(), number, pattern, match))
            if len(places) > MOST_PLACES:
                break
    names = [
        _Event(match.start(match.lastindex or 0), order, None, match)
        for order, spelling in ((0, rows.assignment), (-1, rows.parameters), (-2, rows.destructuring))
        for match in _compiled(spelling).finditer(source.code)
    ]
    events = sorted(places[:MOST_PLACES] + names[:MOST_ASSIGNMENTS], key=lambda event: event[:2])
    return list(_walk(rows, source, events)), len(places) <= MOST_PLACES and len(names) <= MOST_ASSIGNMENTS


def _walk(rows: Language, source: Views, events: list[_Event]) -> Iterator[Finding]:
    names = _Names(rows)
    reached = 0
    for offset, order, pattern, match in events:
        line = source.line(offset)
        while reached < line:
            start = source.starts[reached]
            end = source.starts[reached + 1] if reached + 1 < len(source.starts) else len(source.code)
            text = source.code[start:end]
            stripped = text.lstrip()
            if stripped and stripped[:1] not in b"})]":
                names.leave(len(text) - len(stripped))
                names.check(stripped)
            reached += 1
        if pattern is not None:
            call = Call(source, match, names)
            verdict = _holds(pattern.where, call)
            if verdict and pattern.medium_where and _holds(pattern.medium_where, call):
                verdict = Severity.MEDIUM
            if verdict:
                severity = verdict if isinstance(verdict, Severity) else pattern.severity
                yield RULES.found(pattern.rule, line, severity=severity)
            continue
        start = source.starts[line - 1]
        indent = _INDENT.match(source.code, start).end() - start  # type: ignore[union-attr]
        if order == -1:
            names.assign(match[match.lastindex or 0], indent + 1, TAINTED | ADDRESS, added=False)
        elif order == -2:
            flow = names.flow(*value_at(source, match.end()))
            for name in _LISTED.findall(match[1]):
                names.assign(name, indent, flow, added=False)
        else:
            flow = names.flow(*value_at(source, match.end()))
            names.assign(match[1], indent, flow, added=b"+=" in match[0] or b".=" in match[0])
