"""Rules for languages without a full analysis: calls and settings in masked text, with a small flow by block.

A name that is assigned from a request, or to a statement put together from parts, keeps that until its block
ends (the indentation falls below that of the assignment) or it is assigned something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.audit.views import Views, views
from plantwin.vocabulary import OutcomeTag, Severity

SQL = re.compile(
    rb"[\"'`]\s{0,80}(?:select\s[^;]{1,600}?\sfrom\s|insert\s+into\s|update\s[^;]{1,200}?\sset\s|delete\s+from\s|drop\s+table\s"
    rb"|alter\s+table\s|exec\s+\w|call\s+\w+\s*\(|with\s+\w+\s+as\s)",
    re.IGNORECASE,
)
_NAME = re.compile(rb"[$@]?[A-Za-z_]\w{0,80}")
_CONSTANT = re.compile(rb"[A-Z][A-Z0-9_]+")
REMOTE, QUERY, BUILT = 1, 2, 4
NEAR = 300
"""What counts as the same statement, on either side of a place in a long line."""
MOST_PLACES = 4_000
MOST_ASSIGNMENTS = 40_000
"""Places and assignments of one file that are looked at."""


class Language(NamedTuple):
    """How one language writes what the rules look at."""

    sources: re.Pattern[bytes]
    """Parts of a request."""
    assignment: re.Pattern[bytes]
    """Groups: the name, and where its value begins."""
    dynamic: Callable[[bytes, bytes], list[bytes]]
    """The parts of an expression (as code, with strings) that are put into a string."""
    safe: re.Pattern[bytes]
    """Calls whose result is harmless."""
    rules: tuple[Rule, ...]
    parameters: re.Pattern[bytes] | None = None
    """Parameters that the framework fills from the request; the group is the name."""


class Call(NamedTuple):
    """One place where a rule's pattern stands."""

    code: bytes
    """Arguments with strings blank."""
    full: bytes
    """Arguments."""
    flow: int
    """What the arguments are made of."""
    first: int
    """What the first argument is made of."""
    statement: bytes
    """The line, with strings."""
    file: bytes
    match: re.Match[bytes]


class Rule(NamedTuple):
    """What to look for. `where` decides, given the call; it may answer with a severity of its own."""

    pattern: re.Pattern[bytes]
    severity: Severity
    tag: OutcomeTag
    message: str
    hint: str
    where: Callable[[Call], bool | Severity] | None = None
    strings: bool = False
    """Whether the pattern needs the insides of strings."""


def rule(
    pattern: str,
    severity: Severity,
    tag: OutcomeTag,
    message: str,
    hint: str,
    where: Callable[[Call], bool | Severity] | None = None,
    *,
    strings: bool = False,
    flags: int = 0,
) -> Rule:
    """A rule from a pattern's text."""
    return Rule(re.compile(pattern.encode(), flags), severity, tag, message, hint, where, strings)


def remote(call: Call) -> bool:
    """A value of the request is among the arguments."""
    return bool(call.flow & REMOTE)


def remote_first(call: Call) -> bool:
    """A value of the request is in the first argument."""
    return bool(call.first & REMOTE)


def query(call: Call) -> bool | Severity:
    """The first argument is SQL made from parts."""
    if call.first & QUERY:
        return Severity.CRITICAL if call.first & REMOTE else Severity.HIGH
    return False


def command(call: Call) -> bool | Severity:
    """The first argument is a string made from parts, or from the request."""
    if call.first & REMOTE:
        return Severity.CRITICAL
    return Severity.HIGH if call.first & BUILT else False


def evaluated(call: Call) -> bool | Severity:
    """The first argument is not a fixed string."""
    if call.first & REMOTE:
        return Severity.CRITICAL
    first = _first(call.code)
    return bool(_NAME.search(re.sub(rb"[\"'`][^\"'`]*[\"'`]", b"", first)))


def _first(code: bytes) -> bytes:
    depth = 0
    for match in _MARKS.finditer(code):
        if match[0] in b"([{":
            depth += 1
        elif match[0] in b")]}":
            depth -= 1
        elif match[0] == b"," and depth == 0:
            return code[: match.start()]
    return code


Event = tuple[int, int, Rule | None, re.Match[bytes]]
"""Where, in which order at the same place, the rule (none for an assignment), and the match."""


class _Flow:
    """Names and what they hold, while the walk goes down the lines."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._names: dict[bytes, tuple[int, int]] = {}
        self._deepest = 0

    def leave(self, indent: int) -> None:
        """A line at this indentation: what was assigned further in is gone."""
        if self._deepest > indent:
            self._names = {name: held for name, held in self._names.items() if held[0] <= indent}
            self._deepest = indent

    def assign(self, name: bytes, indent: int, flow: int, added: bool) -> None:
        held = self._names.get(name)
        if flow and len(self._names) < 2000:
            self._deepest = max(self._deepest, indent)
            self._names[name] = (min(indent, held[0]) if held else indent, flow | (held[1] if held and added else 0))
        elif held and not added and indent <= held[0]:
            del self._names[name]

    def trust(self, name: bytes) -> None:
        held = self._names.get(name)
        if held:
            self._names[name] = (held[0], held[1] & ~REMOTE)

    def of(self, code: bytes, full: bytes) -> int:
        """What an expression is made of."""
        if not self._names and not _QUOTED.search(code) and not self._language.sources.search(full):
            return 0  # as nearly everywhere
        flow = 0
        kept = self._language.safe.sub(b" ", full)
        bare = self._language.safe.sub(b" ", code)
        parts = [part for part in self._language.dynamic(bare, kept) if not _CONSTANT.fullmatch(part.strip())]
        if self._language.sources.search(bare) or any(self._language.sources.search(part) for part in parts):
            flow |= REMOTE
        if parts:
            flow |= BUILT
            if SQL.search(full):
                flow |= QUERY
        for name in {*_NAME.findall(bare), *(each for part in parts for each in _NAME.findall(part))}:
            held = self._names.get(name)
            if held:
                flow |= held[1]
        return flow


def issues(language: Language, format: str, data: bytes) -> tuple[list[Issue], bool]:
    """The weaknesses that a language's rules find, in one walk, and whether every place was looked at."""
    seen = views(format, data)
    events: list[Event] = []
    for number, each in enumerate(language.rules):
        for match in each.pattern.finditer(seen.full if each.strings else seen.code):
            if each.strings and seen.code[match.start()] != seen.full[match.start()]:
                continue  # inside a string
            events.append((match.start(), number + 1, each, match))
            if len(events) > MOST_PLACES:
                break
    places = len(events)
    known: list[Event] = [(match.start(1), 0, None, match) for match in language.assignment.finditer(seen.code)]
    if language.parameters is not None:
        known += [(match.start(1), -1, None, match) for match in language.parameters.finditer(seen.code)]
    events = sorted(events[:MOST_PLACES] + known[:MOST_ASSIGNMENTS], key=lambda event: event[:2])
    return list(_judged(language, seen, events)), places <= MOST_PLACES and len(known) <= MOST_ASSIGNMENTS


def _judged(language: Language, seen: Views, events: list[Event]) -> Iterable[Issue]:
    flow = _Flow(language)
    at = 0
    for offset, order, each, match in events:
        line = seen.line(offset)
        while at < line:
            start = seen.starts[at]
            end = seen.starts[at + 1] if at + 1 < len(seen.starts) else len(seen.code)
            text = seen.code[start:end]
            stripped = text.lstrip()
            if stripped and stripped[:1] not in b"})]":
                flow.leave(len(text) - len(stripped))
                _checked(flow, stripped)
            at += 1
        start = seen.starts[line - 1]
        if each is None:
            indent = _INDENT.match(seen.code, start).end() - start  # type: ignore[union-attr]
            if order < 0:
                flow.assign(match[1], indent + 1, REMOTE, added=False)
                continue
            code, full = _value(seen, match.end())
            flow.assign(match[1], indent, flow.of(code, full), added=b"+=" in match[0] or b".=" in match[0])
            continue
        opening = match.end() - 1
        code, full = (
            seen.arguments(opening)
            if seen.code[opening : opening + 1] in (b"(", b"[", b"{")
            else _value(seen, match.end())
        )
        first = _first(code)
        line_end = seen.starts[line] if line < len(seen.starts) else len(seen.full)
        statement = seen.full[max(start, offset - NEAR) : min(line_end, match.end() + NEAR)]
        made = flow.of(code, full)
        made_first = made if len(first) == len(code) else flow.of(first, full[: len(first)])
        call = Call(code, full, made, made_first, statement, seen.full, match)
        verdict = each.where(call) if each.where else True
        if verdict:
            severity = verdict if isinstance(verdict, Severity) else each.severity
            yield Issue(line, severity, each.tag, each.message, each.hint, offset - start)


_CHECK = re.compile(
    rb"^(?:\}\s*)?(?:else\s+)?(?:if|unless|guard)\b.{0,300}?(?:includes|contains|Contains|in_array|has|allow|valid|safe|whitelist|startsWith"
    rb"|HasPrefix|starts_with\?|StartsWith|include\?|test|match|is_relative|IsLocal|IsLocalUrl)\w{0,30}\??\s*\("
)


def _checked(flow: _Flow, line: bytes) -> None:
    """A condition that looks names up in a list, or checks them, makes them trusted."""
    line = line[:600]
    if _CHECK.match(line):
        for name in set(_NAME.findall(line)):
            flow.trust(name)


_QUOTED = re.compile(rb"[\"'`]")
_MARKS = re.compile(rb"[()\[\]{},;\n]")
LONGEST_VALUE = 1200
_INDENT = re.compile(rb"[ \t]{0,400}")
_GOES_ON = re.compile(rb"(?:[+.,(\[{?:|&=%]|\|\||&&|\bconcat)\s*$")
_STARTS_ON = re.compile(rb"\s*(?:[+.?:|&]|\)|%s)")


def _value(seen: Views, start: int) -> tuple[bytes, bytes]:
    """The value of an assignment: to the end of its statement, over a few lines where it goes on."""
    end = limit = min(len(seen.code), start + LONGEST_VALUE)
    depth = 0
    for match in _MARKS.finditer(seen.code, start, limit):
        mark, at = match[0], match.start()
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth -= 1
            if depth < 0:
                end = at
                break
        elif depth == 0 and mark != b"," and (mark == b";" or not _continues(seen, start, at)):
            end = at
            break
    return seen.code[start:end], seen.full[start:end]


def _continues(seen: Views, start: int, end: int) -> bool:
    """Whether the statement goes on behind the end of this line."""
    inside = seen.full.count(b"`", start, end) % 2
    before, after = seen.code[max(start, end - 20) : end], seen.code[end + 1 : end + 80]
    return bool(inside or _GOES_ON.search(before) or _STARTS_ON.match(after))
