"""What a path and the first bytes say about how to read the rest."""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.detect.column_names import Table, table
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

_LOCK = _LEXICON.pattern("lock")
_TEST = _LEXICON.pattern("test")
_CATALOG = _LEXICON.pattern("catalog")
"""Catalogs of messages for people in their languages."""
_CODE_SUFFIXES = (
    "py pyi js mjs cjs jsx ts tsx go java rb rs c h cc cpp cxx hpp cs php kt kts scala swift m mm pl pm lua r jl "
    "dart ex exs erl hs clj groovy vb fs ml sql css scss less vue svelte asm s v sv pas f90 proto graphql"
)
_CODE = frozenset(_CODE_SUFFIXES.split())
_DATA_SUFFIXES = (
    "json jsonl yaml yml toml ini cfg conf env properties xml lock csv tsv tf tfvars hcl tfstate plist svg html "
    "htm sh bash zsh fish ps1 bat cmd mk gradle cmake bin ipynb map log out err"
)
_DATA = frozenset(_DATA_SUFFIXES.split())
_PROSE = frozenset(["txt", "md", "rst", "adoc", "eml", "text", "markdown", "tex", "org", "msg"])
_MANUAL = frozenset(("rst", "adoc", "asciidoc", "mdx"))
"""Formats that manuals are written in, and notes are not."""
_FRONT = _LEXICON.bytes_pattern("front")
"""What a page of a published site begins with."""
_CONTROLS = bytes(set(range(32)) - set(b"\b\t\n\v\f\r\x1b")) + b"\x7f"
_WORD = re.compile(rb"[A-Za-z\xc3-\xf4][a-z\x80-\xf4']{0,24}[ ,.;:?!\n]")


@private
class Context(NamedTuple):
    """How to read one input."""

    path: str = ""
    code: bool = False
    """Source code: an unquoted value is an expression."""
    prose: bool = False
    """Text for people: names and addresses may stand in sentences."""
    lock: bool = False
    """Made of content hashes."""
    test: bool = False
    """Marked as test, example or documentation: shape alone proves less."""
    wide: str = ""
    """The codec, when characters are two or four bytes wide."""

    table: Table | None = None
    """The sensitive columns, when it is a table with a header."""
    seen: dict[object, int] | None = None
    """When findings are only counted: how many sure ones each name had so far."""
    catalog: bool = False
    """Messages for people, in one of many languages: what is under a telling name there is a word for it."""
    binary: bool = False
    """Not text: what stands between control bytes is a string of a program more often than a value."""

    @classmethod
    def of(cls, path: str, head: bytes) -> Context:
        """Decide from the path and the head alone, so that any chunking decides the same."""
        return cls._of(path, head)._replace(catalog=bool(path) and _CATALOG.search(path) is not None)

    @classmethod
    def _of(cls, path: str, head: bytes) -> Context:
        wide = codec(head)
        if not wide and controls(head[:4096]) * 20 > min(len(head), 4096):
            return cls(path, test=bool(path) and _TEST.search(path) is not None, binary=True)
        name = path.rpartition("/")[2].lower()
        suffix = name.rpartition(".")[2] if "." in name else ""
        if suffix in _CODE:
            return cls(path, True, False, False, _TEST.search(path) is not None, wide)
        if suffix in _PROSE or suffix in _MANUAL:
            prose = suffix != "txt" or _reads_as_prose(head)
            manual = suffix in _MANUAL or (suffix != "txt" and _FRONT.match(head) is not None)
            return cls(path, False, prose, False, manual or _TEST.search(path) is not None, wide)
        lock = bool(path) and _LOCK.search(path) is not None
        test = bool(path) and _TEST.search(path) is not None
        found = table(head) if suffix in ("csv", "tsv", "tab", "psv") or (not suffix and not wide) else None
        prose = not lock and suffix not in _DATA and not wide and found is None and _reads_as_prose(head)
        return cls(path, False, prose, lock, test, wide, found)


def controls(data: bytes) -> int:
    """How many bytes no text has."""
    return len(data) - len(data.translate(None, _CONTROLS))


def codec(head: bytes) -> str:
    """The wide encoding of a text, from its byte order mark or from where its zero bytes lie."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32-le" if head[0] == 0xFF else "utf-32-be"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-le" if head[0] == 0xFF else "utf-16-be"
    sample = head[:1024]
    zeros = sample.count(0)
    size = len(sample)
    if size < 16 or zeros * 5 < size * 2:
        return ""
    places = [sample[place::4].count(0) for place in range(4)]
    quarter = size // 4
    many, few = quarter * 0.8, quarter * 0.1
    if places[0] <= few and min(places[1:]) >= many:
        return "utf-32-le"
    if places[3] <= few and min(places[:3]) >= many:
        return "utf-32-be"
    if max(places[0], places[2]) <= few and min(places[1], places[3]) >= many:
        return "utf-16-le"
    if max(places[1], places[3]) <= few and min(places[0], places[2]) >= many:
        return "utf-16-be"
    return ""


def _reads_as_prose(head: bytes) -> bool:
    """Whether most of the first bytes are plain words and there is little punctuation of code."""
    sample = head[:2048]
    if len(sample) < 8 or 0 in sample:
        return False
    words = sum(len(word) for word in _WORD.findall(sample))
    marks = sum(sample.count(mark) for mark in b"{}=;<[]()\\_")
    return words * 3 > len(sample) and marks * 25 < len(sample)
