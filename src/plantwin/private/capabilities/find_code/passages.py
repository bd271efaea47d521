"""A file in passages: sections of documents, definitions with their comments, blocks of settings, a few lines each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.definitions import outline
from plantwin.private.formats.documents import FORMATS as PAGES
from plantwin.private.formats.documents import sections
from plantwin.private.formats.source_views import MASKS

SHOWN: Final = 12
"""Lines of one passage."""
_REMARK = re.compile(r"\s*(?:#(?!include|define|if|endif)|//|/?\*|--|\"\"\"|@\w|\[\w|\#\[)")
"""A comment, or what else belongs to the definition below it: decorators and attributes."""
_KEY = re.compile(r"[^\s#;/{}\[\]<>()-][^\s=:]{0,80}\s*[=:{]|\[+[^\]]+\]|<\w")
"""The beginning of a setting that stands in no other."""
_UNIT = re.compile(r"\s{0,3}(?:[-*+|] |\d{1,3}[.)] |\|)")
"""A row of a table or an item of a list, which is read by itself."""
_UNREAD = re.compile(
    r"\s*(?:```|~~~|<!--.*-->\s*$|</?\w[^>]*>\s*$|\.\. (?:_|code|image|index|highlight|only|include|contents|toctree)"
    r"|\[source|----+\s*$|[=~^*\"'#+-]{4,}\s*$|\|?[\s:|-]{5,}$)"
)
"""Lines that only mark up what stands around them."""
_MARKED = re.compile(
    r"!\[[^\]]*\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)|\s*\{[:#][^}]*\}|</?(?:a|b|i|p|br|img|div|span|sup|kbd|em|abbr|strong)\b[^>]*>"
)
_ROLE = re.compile(r":[\w:-]+:`([^`<]+)(?:<[^>]*>)?`|``([^`]+)``|`([^`<]+)<[^>]*>`__?")
_ROFF = re.compile(r"(?:[.']\\\".*\n)*\.T[Hh] ")
_ROFF_HEAD = re.compile(r"\.S[HShs]\s+\"?([^\"]*)")
_ROFF_ITEM = re.compile(r"\.(?:B|BR|IP|It|BI)\s+\"?(.*)")
_ROFF_FONT = re.compile(r"\\f(?:\[\w*\]|[A-Z])|\\&|\\[cd]\b")
_ROFF_MACRO = re.compile(r"[.'](?:[A-Z]{1,2}\b|[a-z]{2}\b|\\\")\s?")


class Sort(Enum):
    """What a passage is of."""

    DOCUMENT = "document"
    CODE = "code"
    SETTING = "setting"


@private
class Part(NamedTuple):
    """A section, a definition or a block: the lines that belong together, counted from one, the last included."""

    first: int
    last: int
    title: str
    outer: str
    """Titles of what it stands in."""

    def pieces(self, lines: Sequence[str]) -> list[tuple[int, int]]:
        """Return pieces that fit on a part of the screen, one from where each paragraph, row or item begins."""
        found: list[tuple[int, int]] = []
        for at in range(self.first, self.last + 1):
            line, before = lines[at - 1], lines[at - 2] if at > self.first else ""
            begins = bool(line.strip()) and (not before.strip() or _UNIT.match(line[:8]) is not None)
            begins = begins and self.last - self.first >= SHOWN
            if not found or begins or at > found[-1][1]:
                end = min(at + SHOWN - 1, self.last)
                if end < self.last:
                    empty = (number for number in range(end, at + 2, -1) if not lines[number - 1].strip())
                    end = next(empty, end)
                found.append((at, end))
        return found


def sort_of(format: str) -> Sort:
    """Return what the passages of a format are."""
    if format in MASKS and format != "hcl":
        return Sort.CODE
    return Sort.DOCUMENT if format in PAGES and format != "html" else Sort.SETTING


def parts(format: str, text: str) -> list[Part]:
    """Return what a file consists of, in order."""
    lines = text.split("\n")
    while len(lines) > 1 and not lines[-1].strip():
        lines.pop()
    if format in MASKS:
        return list(_definitions(format, text, lines))
    if is_manual(text):
        return list(_manual(lines))
    if format in PAGES and (format != "text" or len(sections(format, text)) > 1):
        return list(_sections(format, text, len(lines)))
    return list(_blocks(lines))


def _definitions(format: str, text: str, lines: Sequence[str]) -> Iterator[Part]:
    starts: list[tuple[int, str, str]] = []
    for definition in outline(format, text).definitions:
        outer, _, own = definition.name.rpartition(".")
        first = definition.line
        while first > 1 and _REMARK.match(lines[first - 2][:200]) and (not starts or first - 1 > starts[-1][0]):
            first -= 1
        starts.append((first, own, outer))
    begin = starts[0][0] if starts else len(lines) + 1
    yield from (part for part in _blocks(lines[: begin - 1]))
    for place, (first, own, outer) in enumerate(starts):
        last = starts[place + 1][0] - 1 if place + 1 < len(starts) else len(lines)
        yield Part(first, max(first, _trimmed(lines, first, last)), own, outer)


def _sections(format: str, text: str, last: int) -> Iterator[Part]:
    found = sections(format, text)
    above: list[tuple[int, str]] = []
    for place, section in enumerate(found):
        above = [(level, title) for level, title in above if level < section.level]
        end = found[place + 1].line - 1 if place + 1 < len(found) else last
        outer = " › ".join(title for _, title in above)
        yield Part(section.line, max(section.line, end), section.title, outer)
        above.append((section.level, section.title))


def is_manual(text: str) -> bool:
    """Return whether a text is a manual page in roff."""
    return _ROFF.match(text) is not None


def unroffed(line: str) -> str:
    """Return a line of a manual page without its markup."""
    return _ROFF_FONT.sub("", _ROFF_MACRO.sub("", line)).replace("\\-", "-").replace("\\", "")


def rendered(format: str, manual: bool, lines: Sequence[str]) -> list[str]:
    """Return lines of a document as they are read: without fences, anchors, addresses of links, and other markup."""
    if manual:
        return [said for line in lines if (said := unroffed(line).strip()) or not line.strip()]
    shown = [line for line in lines if not _UNREAD.match(line)]
    if format == "markdown":
        shown = [_MARKED.sub(lambda match: match[1] or "", line) for line in shown]
    elif format == "rst":
        shown = [_ROLE.sub(lambda match: (match[1] or match[2] or match[3]).strip(), line) for line in shown]
    return shown


def _manual(lines: Sequence[str]) -> Iterator[Part]:
    """Yield the options of a manual page, and its sections where they have none."""
    starts: list[tuple[int, str, str]] = []
    outer = ""
    for number, line in enumerate(lines, start=1):
        if (head := _ROFF_HEAD.match(line)) is not None:
            outer = unroffed(head[1]).strip()
            starts.append((number, outer, ""))
        elif (item := _ROFF_ITEM.match(line)) is not None:
            starts.append((number, unroffed(item[1]).strip(' "'), outer))
    for place, (first, title, around) in enumerate(starts):
        last = starts[place + 1][0] - 1 if place + 1 < len(starts) else len(lines)
        yield Part(first, max(first, _trimmed(lines, first, last)), title, around)


def _blocks(lines: Sequence[str]) -> Iterator[Part]:
    """Yield blocks of lines: up to an empty line, or to the next setting of the outermost level with its comment."""
    first = 1
    for number in range(1, len(lines) + 1):
        line, before = lines[number - 1][:200], lines[number - 2][:200] if number > 1 else ""
        begins = not before.strip() and bool(line.strip())
        begins |= bool(_KEY.match(line)) and (before.startswith((" ", "\t", "}", "]")) or _REMARK.match(before) is None)
        begins &= number - first >= 3 or not before.strip()
        if number > first and (begins or number - first >= 2 * SHOWN):
            yield from _block(lines, first, number - 1)
            first = number
    yield from _block(lines, first, len(lines))


def _block(lines: Sequence[str], first: int, last: int) -> Iterator[Part]:
    last = _trimmed(lines, first, last)
    if last >= first and lines[first - 1 : last]:
        yield Part(first, last, "", "")


def _trimmed(lines: Sequence[str], first: int, last: int) -> int:
    while last >= first and not lines[last - 1].strip():
        last -= 1
    return last
