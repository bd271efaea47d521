"""Documents: their sections, and the sentences that carry most."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from plantwin.private.extract.formats.words import words

FORMATS = frozenset(("markdown", "rst", "asciidoc", "text", "latex", "license", "html"))
MOST = 2000
"""Sentences that are weighed."""

_MARKDOWN = re.compile(r"(#{1,6})\s+(.{1,200}?)\s*#*$")
_ASCIIDOC = re.compile(r"(={1,6})\s+(.{1,200})$")
_UNDERLINE = re.compile(r"([=\-~^\"'#*+])\1{2,}\s*$")
_LATEX = re.compile(r"\\(?:sub){0,2}section\*?\{([^}]{1,200})\}")
_TAG = re.compile(r"<[^<>]{0,500}>")
_HTML = re.compile(r"<h([1-6])\b[^>]{0,200}>(.{1,300}?)</h\1>", re.IGNORECASE)
_BREAK = re.compile(r"(?<=[.!?])\s+|\n")
_WORD = re.compile(r"[^\W\d_]{3,40}")
_COMMON = words(
    "the and for are was were with that this from have has had not but you your our they their will shall "
    "can may into out its all any one two when which who what how where then than there here been being "
    "also each other more most such only under over about after before between during through would could "
    "should must does did done use used using per via "
)
_DUTY = re.compile(
    r"\b(?:must|shall|required?|may not|prohibited|deadline|within \d+|at least|at most|no later than)\b", re.IGNORECASE
)
_DEADLINE = re.compile(
    r"\b(?:deadline|due (?:by|on|date)|no[t]? later than|until \d"
    r"|by (?:\d{4}-\d\d|\d{1,2} [A-Z]|[A-Z][a-z]{2,8} \d)"
    r"|within (?:\d+|one|two|three|ten|thirty) (?:\w+ )?(?:hour|day|week|month|year)s?)\b"
)
_OPEN = re.compile(
    r"\b(?:TODO|TBD|FIXME|to be (?:decided|defined)|open (?:point|question|issue)|unresolved|not yet)\b", re.IGNORECASE
)


class Section(NamedTuple):
    """A heading and what stands below it."""

    level: int
    title: str
    line: int
    body: str

    def __repr__(self) -> str:
        return "<Section private>"


def sections(format: str, text: str) -> list[Section]:
    """The sections of a document in order; what stands before the first heading has an empty title."""
    heads: list[tuple[int, str, int]] = []
    lines = text.split("\n")[:100_000]
    fenced = False
    for number, line in enumerate(lines):
        bare = line[:400].rstrip()
        if format == "markdown" and bare.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not bare:
            continue
        head = _heading(format, bare, lines[number + 1][:400] if number + 1 < len(lines) else "")
        if head is not None:
            heads.append((head[0], head[1], number))
    ends = [number for _, _, number in heads[1:]] + [len(lines)]
    opening = "\n".join(lines[: heads[0][2] if heads else len(lines)])
    found = [Section(0, "", 1, opening)] if opening.strip() else []
    found += (
        [
            Section(level, title, number + 1, "\n".join(lines[number + 1 : end]))
            for (level, title, number), end in zip(heads, ends, strict=True)
        ]
        if heads
        else []
    )
    return found


def _heading(format: str, line: str, following: str) -> tuple[int, str] | None:
    if format == "markdown":
        match = _MARKDOWN.match(line)
        if match is not None:
            return len(match[1]), match[2]
        if re.fullmatch(r"={3,}\s*", following) and not line.startswith((" ", "-", "|", ">")):
            return 1, line.strip()
    elif format == "asciidoc":
        match = _ASCIIDOC.match(line)
        return (len(match[1]), match[2]) if match is not None else None
    elif format == "rst":
        if _UNDERLINE.match(following) and not _UNDERLINE.match(line) and len(following.rstrip()) >= len(line):
            return 1, line.strip()
    elif format == "latex":
        match = _LATEX.search(line)
        return (1 + line.count("sub"), match[1]) if match is not None else None
    elif format == "html":
        match = _HTML.search(line)
        return (int(match[1]), _TAG.sub("", match[2]).strip()) if match is not None else None
    return None


class Sentence(NamedTuple):
    """One sentence with its weight."""

    text: str
    weight: float
    order: int

    def __repr__(self) -> str:
        return "<Sentence private>"


def telling(format: str, text: str, most: int = 5) -> list[str]:
    """The sentences that carry most, in their order: those whose words the whole speaks of, and duties."""
    plain = re.sub(r"(?ms)^(```|~~~).*?(?:^\1|\Z)", "", text[: 1 << 20])
    plain = _TAG.sub(" ", plain) if format in ("html", "markdown") else plain
    plain = re.sub(r"(?m)^\s*(?:[#=>|*+-]+|\d+[.)])\s*", "", plain)
    plain = plain.replace("**", "").replace("`", "")
    joined = re.sub(r"(?<![.!?:\n])\n(?=[a-z(])", " ", plain)
    found = [" ".join(each.split()) for each in _BREAK.split(joined) if 20 <= len(each) <= 600][:MOST]
    said = [[word for word in map(str.lower, _WORD.findall(each)) if word not in _COMMON] for each in found]
    spoken = Counter(word for each in said for word in set(each))
    weighed: list[Sentence] = []
    for order, (each, has) in enumerate(zip(found, said, strict=True)):
        if len(has) < 4:
            continue
        weight = sum(spoken[word] for word in set(has)) / (len(set(has)) + 6) + (1.5 if _DUTY.search(each) else 0)
        weight += 1.0 if order < 2 else 0
        weighed.append(Sentence(each, weight, order))
    best = sorted(weighed, key=lambda each: (-each.weight, each.order))[: most * 3]
    kept: list[Sentence] = []
    for one in best:
        mine = set(_WORD.findall(one.text.lower()))
        if all(len(mine & set(_WORD.findall(other.text.lower()))) < 0.7 * len(mine) for other in kept):
            kept.append(one)
    return [each.text for each in sorted(kept[:most], key=lambda each: each.order)]


class Moods(NamedTuple):
    """How many lines state what must be done, by when, and what is undecided."""

    duties: int
    deadlines: int
    open_points: int


def moods(text: str) -> Moods:
    """Count lines by what they state."""
    lines = [line[:1000] for line in text.split("\n")[:100_000]]
    return Moods(*(sum(map(bool, map(pattern.search, lines))) for pattern in (_DUTY, _DEADLINE, _OPEN)))
