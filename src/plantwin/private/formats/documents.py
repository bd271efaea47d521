"""Documents: their sections, and the sentences that carry most."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from plantwin.private.formats.values import words

FORMATS = frozenset(("markdown", "rst", "asciidoc", "text", "latex", "license", "html"))
MOST = 2000
"""Sentences that are weighed."""
MOST_LINES = 100_000

_PATTERNS = {
    name: re.compile(pattern)
    for name, pattern in tomllib.loads(Path(__file__).with_name("documents.toml").read_text("utf-8")).items()
}
_TAG, _WORD, _DUTY = _PATTERNS["tag"], _PATTERNS["word"], _PATTERNS["duty"]
_COMMON = words(
    "the and for are was were with that this from have has had not but you your our they their will shall "
    "can may into out its all any one two when which who what how where then than there here been being "
    "also each other more most such only under over about after before between during through would could "
    "should must does did done use used using per via "
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
    """Return the sections of a document in order; what stands before the first heading has an empty title."""
    heads: list[tuple[int, int, str]] = []
    lines = text.split("\n")[:MOST_LINES]
    fenced = False
    for number, line in enumerate(lines):
        bare = line[:400].rstrip()
        if format == "markdown" and bare.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not bare:
            continue
        head = _heading(format, bare, lines[number + 1][:400] if number + 1 < len(lines) else "")
        if head is not None:
            heads.append((number, *head))
    ends = [number for number, _, _ in heads] + [len(lines)]
    opening = "\n".join(lines[: ends[0]])
    found = [Section(0, "", 1, opening)] if opening.strip() else []
    for (number, level, title), end in zip(heads, ends[1:], strict=True):
        found.append(Section(level, title, number + 1, "\n".join(lines[number + 1 : end])))
    return found


def _heading(format: str, line: str, following: str) -> tuple[int, str] | None:
    """Return the level and title of a line that is a heading."""
    if format in ("markdown", "asciidoc") and (match := _PATTERNS[format].match(line)) is not None:
        return len(match[1]), match[2]
    if format == "markdown":
        plain = not line.startswith((" ", "-", "|", ">"))
        return (1, line.strip()) if plain and re.fullmatch(r"={3,}\s*", following) else None
    if format == "rst":
        underline = _PATTERNS["underline"]
        underlined = underline.match(following) and not underline.match(line)
        return (1, line.strip()) if underlined and len(following.rstrip()) >= len(line) else None
    if format == "latex" and (match := _PATTERNS["latex"].search(line)) is not None:
        return 1 + line.count("sub"), match[1]
    if format == "html" and (match := _PATTERNS["html"].search(line)) is not None:
        return int(match[1]), _TAG.sub("", match[2]).strip()
    return None


def telling(format: str, text: str, most: int = 5) -> list[str]:
    """Return the sentences that carry most, in their order: those whose words the whole speaks of, and duties."""
    pieces = _PATTERNS["break"].split(_joined(format, text))
    found = [" ".join(piece.split()) for piece in pieces if 20 <= len(piece) <= 600][:MOST]
    said = [[word for word in _WORD.findall(sentence.lower()) if word not in _COMMON] for sentence in found]
    spoken = Counter(word for named in said for word in set(named))
    weights: dict[int, float] = {}
    for number, sentence in enumerate(found):
        if len(said[number]) >= 4:
            named = set(said[number])
            weights[number] = sum(spoken[word] for word in named) / (len(named) + 6)
            weights[number] += (1.5 if _DUTY.search(sentence) else 0) + (1.0 if number < 2 else 0)
    kept: list[int] = []
    for number in sorted(weights, key=lambda number: (-weights[number], number))[: most * 3]:
        mine = set(_WORD.findall(found[number].lower()))
        if all(len(mine & set(_WORD.findall(found[other].lower()))) < 0.7 * len(mine) for other in kept):
            kept.append(number)
    return [found[number] for number in sorted(kept[:most])]


def _joined(format: str, text: str) -> str:
    """Return a text without its markup and code, with sentences on one line."""
    plain = re.sub(r"(?ms)^(```|~~~).*?(?:^\1|\Z)", "", text[: 1 << 20])
    plain = _TAG.sub(" ", plain) if format in ("html", "markdown") else plain
    plain = re.sub(r"(?m)^\s*(?:[#=>|*+-]+|\d+[.)])\s*", "", plain)
    return re.sub(r"(?<![.!?:\n])\n(?=[a-z(])", " ", plain.replace("**", "").replace("`", ""))


class Moods(NamedTuple):
    """How many lines state what must be done, by when, and what is undecided."""

    duties: int
    deadlines: int
    open_points: int


def moods(text: str) -> Moods:
    """Count lines by what they state."""
    lines = [line[:1000] for line in text.split("\n")[:MOST_LINES]]
    patterns = (_DUTY, _PATTERNS["deadline"], _PATTERNS["open"])
    return Moods(*(sum(map(bool, map(pattern.search, lines))) for pattern in patterns))
