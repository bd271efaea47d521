"""What names tell of values: of settings and of columns; and values that only look secret (placeholders, words)."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from itertools import islice, pairwise
from math import log2
from pathlib import Path
from typing import NamedTuple

from plantwin.private.detect.allow import Candidate
from plantwin.private.facts import private
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

_KIND = _LEXICON.bytes_pattern("kind")
_OTHER = _LEXICON.bytes_pattern("other")
_PUBLIC = _LEXICON.bytes_pattern("public")
_LABELS = re.compile(
    rb"(?i)^data-(?!.{0,40}(?:key|token|secret|auth|pass))|^(?:aud|state|nonce|azp|kid|org(?:ani[sz]ation)?)$|public|site_?key"
)
_PLACE = re.compile(rb"(?i)(?:id|hash|url|path|file|name|arn|digest)s?$")
_PASSWORDISH = re.compile(rb"pass|wd|pw|contrase|kennwort|senha")


class Naming(NamedTuple):
    """One name, read."""

    kind: str
    """password, secret, weak; empty when it is none of these or names something public."""
    passwordish: bool
    told: bool
    """Whether any part of it names a password."""
    other: bool
    """Its last part tells that the value is about the secret and not the secret."""
    place: bool
    """Its last part tells where to find it."""
    bare: bytes
    """In lower case and without underscores."""


@lru_cache(maxsize=1024)
def naming(name: bytes) -> Naming:
    """Read a name. Files repeat few names many times."""
    low = name.lower()
    kinds = list(_KIND.finditer(low))
    groups = [match.lastgroup or "" for match in kinds]
    kind = next((word for word in ("password", "secret") if word in groups), groups[-1] if groups else "")
    rest = name[kinds[-1].end() :] if kinds else b""
    return Naming(
        "" if _PUBLIC.search(name) else kind,
        _PASSWORDISH.search(low) is not None,
        "password" in groups,
        bool(rest) and _OTHER.search(rest) is not None,
        _PLACE.search(rest) is not None,
        low.replace(b"_", b""),
    )


def names_secret(name: str) -> bool:
    """Whether the value of this name is a password, key or token: not something about it, nor where it is kept."""
    read = naming(name.encode("utf-8", "replace"))
    return read.kind in ("password", "secret") and not read.other and not read.place


def labels(name: bytes) -> bool:
    """Whether a name says that its value is told to everyone: an attribute of a page, a claim, a public key."""
    return _LABELS.search(name) is not None


_MARKS = _LEXICON.bytes_pattern("marks")
"""Applied to lower case."""
_REFERENCE = _LEXICON.bytes_pattern("reference")
_CHARS = re.compile(rb"[${}%<@!/().\[:`]|env|vault")
"""What every reference has at least one of."""
_WORDS = _LEXICON.byte_words("words")

_PUBLISHED = (
    b"2YotnFZFEjr1zCsicMWpAA", b"tGzv3JOkF0XG5Qx2TlKWIA", b"SplxlOBeZQQYbYS6WxSbIA", b"czZCaGRSa3F0Mz",
    b"mF_9.B5f-4.1JqM", b"mF_9B5f41JqM", b"h480djs93hd8", b"gX1fBat3bV", b"QWxhZGRpbjpvcGVuIHNlc2FtZQ",
    b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    b"TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ", b"wJalrXUtnFEMI", b"AKIAIOSFODNN7", b"GOOG56JBMFZX6PMPTQ62VD2",
    b"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
    b"4eC39HqLyjWDarjtT1zdp7dc", b"6LeIxAcTAAAA", b"TYooMQauvdEDq54NiTphI7jx", b"kd94hf93k423kf44", b"pfkkdhi9sl3r4s00",
)  # fmt: skip
"""Parts of values that standards and manuals print: RFC 5849, 6749, 6750, 7515, 7519, 7617, first pages of manuals."""
_SHORTEST = min(map(len, _PUBLISHED))


def entropy(value: bytes) -> float:
    """Shannon's bits per byte."""
    size = len(value)
    if not size:
        return 0.0
    total = 0.0
    for byte in set(value):
        share = value.count(byte) / size
        total -= share * log2(share)
    return total


def reference(value: bytes) -> bool:
    """Whether a value names where the secret is kept instead of being it."""
    return _CHARS.search(value) is not None and _REFERENCE.search(value[:1024]) is not None


def placeholder(value: bytes, *, shape: bool = True) -> bool:
    """Whether a value stands for one that is to be filled in; `shape` also rules out monotone text."""
    if len(value) > 512:
        value = value[:512]
    return _MARKS.search(value.lower()) is not None or (shape and _monotone(value))


def published(value: bytes) -> bool:
    """Whether a value is copied from a standard or a manual: a test vector, and nobody's secret."""
    return len(value) >= _SHORTEST and any(known in value for known in _PUBLISHED)


def word(value: bytes) -> bool:
    """Whether a value is a plain word of programs or forms."""
    return value.lower() in _WORDS


def _monotone(value: bytes) -> bool:
    """Whether nearly all of it is one character or a plain sequence."""
    size = len(value)
    if size < 3:
        return True
    distinct = len(set(value))
    if distinct <= 2 + (size > 40):
        return True
    return sequence(value)


def sequence(value: bytes) -> bool:
    """Whether a value runs along the alphabet or counts, or lists the characters that something is made of."""
    low = value.lower()
    return len(value) >= 3 and (
        low in b"abcdefghijklmnopqrstuvwxyz0123456789012345678901234567890"
        or low.replace(b"abcdefghijklmnopqrstuvwxyz", b"").replace(b"0123456789", b"") in (b"", b"+/", b"-_", b"_-")
    )


def patterned(value: bytes) -> bool:
    """Whether half of it runs along the alphabet, counts or repeats, as made-up keys do."""
    size = len(value)
    low = value.lower()
    steps = sum(1 for one, two in pairwise(low) if two - one in (1, -1, 0))
    return steps * 2 >= size or (size >= 16 and low[: size // 2] == low[size // 2 : size // 2 * 2])


class Heading(NamedTuple):
    """What a column holds by its name."""

    type: str
    group: str
    confidence: str


class _Row(NamedTuple):
    """One row of `column_names.toml`."""

    names: re.Pattern[str]
    means: Heading
    head: bool
    tail: bool


_ROWS = [
    _Row(
        re.compile(row["names"]),
        Heading(row["type"], row["group"], row["confidence"]),
        row.get("head", False),
        row.get("tail", False),
    )
    for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["column"]
]
_CELL = r'(?:"(?:[^"\n]|""){0,2000}"|[^"\n%s]{0,2000})'
MOST = 64


class Column(NamedTuple):
    """One sensitive column of a table."""

    place: int
    type: str
    group: str
    confidence: str


@private
class Table(NamedTuple):
    """The sensitive columns of a table and how to read its rows."""

    columns: tuple[Column, ...]
    row: re.Pattern[bytes]


def table(head: bytes) -> Table | None:
    """The table that a head begins, if its header names sensitive columns."""
    line, newline, _ = head.partition(b"\n")
    if not newline or len(line) > 4096:
        return None
    text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
    delimiter = max(",\t;|", key=text.count)
    names = [name.strip(" \"'").replace(" ", "_").replace("-", "_") for name in text.split(delimiter)]
    if not 2 <= len(names) <= 1000 or not all(re.fullmatch(r"[\w./#%()]{1,64}", name) for name in names):
        return None
    columns = []
    for index, name in enumerate(names[:MOST]):
        means = next((row.means for row in _ROWS if row.head and row.names.fullmatch(name.lower())), None)
        if means is not None:
            columns.append(Column(index, *means))
    if not columns or all(column.confidence == "low" for column in columns):
        return None
    wanted = {column.place for column in columns}
    cell = _CELL % re.escape(delimiter)
    cells = [f"({cell})" if index in wanted else cell for index in range(max(wanted) + 1)]
    return Table(tuple(columns), re.compile(("^" + re.escape(delimiter).join(cells)).encode(), re.M))


def cells(data: bytes, found: Table, *, first: bool, rows: int) -> list[Candidate]:
    """A candidate for each filled cell of the sensitive columns; `first` when data begins with the header."""
    out: list[Candidate] = []
    start = data.find(b"\n") + 1
    for match in islice(found.row.finditer(data, start if first else 0), rows):
        for number, column in enumerate(found.columns, 1):
            begin, end = match.span(number)
            while begin < end and data[begin] in b" \"'":
                begin += 1
            while begin < end and data[end - 1] in b" \"'\r":
                end -= 1
            if end - begin > 1 and data[begin:end].lower() not in (b"null", b"none", b"n/a", b"nan"):
                out.append(Candidate(begin, end, column.type, column.group, column.confidence, True))
    return out


_LABEL = re.compile(r"[^\W\d][\w .,:/#%()\-\[\]?$&*+'°€£]{0,80}")


def likely_header(cells: list[str]) -> bool:
    """Whether a first row names columns: most cells are labels, and years or numbers stand for themselves once."""
    labels = sum(_LABEL.fullmatch(cell.strip()) is not None for cell in cells)
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled or len(set(filled)) < len(filled) * 0.9 or any("@" in cell for cell in filled):
        return False
    named = sum(heading(cell) is not None for cell in filled)
    return (
        labels == len(filled)
        or named * 2 >= len(filled)
        or all(_PERIOD.fullmatch(cell) or _LABEL.fullmatch(cell) for cell in filled)
    )


_PERIOD = re.compile(r"(?:1[5-9]|20)\d\d(?:[-/ ]?(?:\d{2,4}|Q[1-4]|H[12]))?|\d{1,3}(?:st|nd|rd|th)?|Q[1-4][ -]?\d{4}")
"""A year, a quarter or a rank, as headers of wide tables have them."""


_PLAIN = frozenset(("name", "pan", "token", "secret", "pass", "account_number", "account_no"))
"""Words that mean something else after another word: `file_name`, `next_token`."""
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=2048)
def heading(name: str) -> Heading | None:
    """What a column of this name holds, if the name says so."""
    plain = re.sub(r"[\W_]{1,64}", "_", HUMP.sub("_", name[:64])).strip("_").lower()
    if not plain:
        return None
    for row in _ROWS:
        if row.names.fullmatch(plain):
            return row.means
    words = plain.split("_")
    for first in range(1, min(len(words), 5)):
        tail = "_".join(words[first:])
        if tail in _PLAIN:
            continue
        for row in _ROWS:
            if row.tail and row.names.fullmatch(tail):
                return row.means
    return None


def plain_word(name: str) -> bool:
    """Whether a name is one that means something else in most places, such as `name` or `token`."""
    return name.strip().lower() in _PLAIN
