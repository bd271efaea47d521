"""Text with typed placeholders instead of values, and the way back, exact to the byte.

Every placeholder in a redacted text is in its map. So a text that holds something like `<EMAIL_1>`
of its own comes back unchanged as well: that is kept as it is and mapped to itself, or, where the
name is taken already, replaced like a value.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from plantwin.errors import InputError
from plantwin.private.detect.context import codec
from plantwin.private.detect.stream import Block
from plantwin.private.detect.summary import Selection
from plantwin.private.facts import Private

FORMAT = 1
LONGEST = 66
"""Characters of a placeholder at most, with quotes around it."""
HEAD = 1024
"""So many bytes tell how a text is encoded."""
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
_SHAPE = re.compile(r"<[A-Z][A-Z0-9_]{0,47}_[1-9][0-9]{0,11}>")
_BARE = b"\0bare\0"
"""What a number of JSON is told from a text of the same digits by."""
_NUMBER = re.compile(rb"-?\d[\d.eE+\-]{0,40}")


class Map(Private, msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each placeholder stands for. It holds the values: keep it where they may be."""

    format: int
    encoding: str
    """Of the text that was redacted."""
    seen: str
    """What the redacted text looks like, which in rare cases differs."""
    values: dict[str, str]
    raw: dict[str, str]
    """Values that are no text in this encoding: their bytes, in base64."""
    bare: tuple[str, ...] = ()
    """Placeholders that got quotes, since they stand for numbers of JSON."""


class Redaction(Private):
    """One text's redaction: run it once, then ask for its map."""

    def __init__(self, chosen: Selection | None = None) -> None:
        self._chosen = chosen or Selection()
        self._placeholders: dict[bytes, str] = {}
        """By value."""
        self._taken: set[str] = set()
        self._bare: set[str] = set()
        self.sure: set[bytes] = set()
        """Values that were not merely likely."""
        self._numbers: Counter[str] = Counter()
        self._wide = ""
        self._head = b""
        self.json = False
        """Whether the text is JSON."""
        self.replaced = 0
        """How many places hold a placeholder instead of a value."""

    @property
    def distinct(self) -> int:
        """How many placeholders there are."""
        return len(self._taken)

    def run(self, blocks: Iterable[Block]) -> Iterator[bytes]:
        """The redacted bytes, in pieces."""
        literal: _Substitution | None = None
        for block in blocks:
            self.json = block.json
            if literal is None:
                self._wide = block.wide
                literal = _Substitution(block.wide, self._own)
            for piece in self._pieces(block, literal):
                if len(self._head) < HEAD:
                    self._head += piece[:HEAD]
                yield piece
        if literal is not None:
            last = literal.flush()
            self._head += last[:HEAD]
            yield last

    def map(self) -> Map:
        """How to undo it; complete when `run` has ended."""
        encoding = self._wide or "utf-8"
        values: dict[str, str] = {}
        raw: dict[str, str] = {}
        for value, placeholder in self._placeholders.items():
            value = value.removeprefix(_BARE)
            text = _text(value, encoding)
            if text is None:
                raw[placeholder] = base64.b64encode(value).decode("ascii")
            else:
                values[placeholder] = text
        return Map(FORMAT, encoding, codec(self._head[:HEAD]) or "utf-8", values, raw, tuple(sorted(self._bare)))

    def hidden(self) -> Iterator[tuple[bytes, str]]:
        """Each value that was replaced, with its placeholder."""
        return ((value.removeprefix(_BARE), placeholder) for value, placeholder in self._placeholders.items())

    def _pieces(self, block: Block, literal: _Substitution) -> Iterator[bytes]:
        base, data = block.base, block.data
        place = base
        for type_, group, start, end, confidence, _allowed in block.findings:
            if not self._chosen.keeps(type_, group, confidence):
                continue
            yield literal.feed(data[place - base : start - base]) + literal.flush()
            value = data[start - base : end - base]
            if confidence != "low":
                self.sure.add(value)
            bare = block.json and data[start - base - 1 : start - base] != b'"' and _NUMBER.fullmatch(value) is not None
            written = self.placeholder(type_.upper(), value, bare=bare).encode(self._wide or "ascii")
            literal.skip(len(written))
            yield written
            place = end
        yield literal.feed(data[place - base :])

    def placeholder(self, name: str, value: bytes, *, bare: bool = False) -> str:
        """The placeholder for one more place of a value: the one it has, or the next that is free."""
        self.replaced += 1
        found = self._placeholder(name, _BARE + value if bare else value)
        if bare:
            self._bare.add(found)
        return f'"{found}"' if bare else found

    def _placeholder(self, name: str, value: bytes) -> str:
        known = self._placeholders.get(value)
        if known is not None:
            return known
        while True:
            self._numbers[name] += 1
            placeholder = f"<{name}_{self._numbers[name]}>"
            if placeholder not in self._taken:
                self._taken.add(placeholder)
                self._placeholders[value] = placeholder
                return placeholder

    def _own(self, text: str) -> bytes | None:
        """What to write for something like a placeholder that the text itself holds."""
        value = text.encode(self._wide or "ascii")
        if value not in self._placeholders and text not in self._taken:
            self._taken.add(text)
            self._placeholders[value] = text
        return self._placeholder(text[1:].rpartition("_")[0], value).encode(self._wide or "ascii")


class Restoration(Private):
    """The way back: placeholders of the map become values, anything else stays."""

    def __init__(self, known: Map) -> None:
        self._map = known
        self.restored = 0
        self.unknown = 0
        """Placeholders that the map does not know; they stay."""

    def run(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The restored bytes, in pieces."""
        source = iter(chunks)
        head = b""
        while len(head) < HEAD and (chunk := next(source, None)) is not None:
            head += chunk
        looks = codec(head[:HEAD]) or "utf-8"
        # The text as it was redacted; another one (an answer to it) is read as what it is.
        encoding = self._map.encoding if looks == self._map.seen else looks
        values = {key: text.encode(encoding, "replace") for key, text in self._map.values.items()}
        values |= {key: base64.b64decode(text) for key, text in self._map.raw.items()}

        def value(text: str) -> bytes | None:
            found = values.get(text)
            self.restored += found is not None
            self.unknown += found is None
            return found

        known = _Substitution("" if encoding == "utf-8" else encoding, value, frozenset(self._map.bare))
        yield known.feed(head)
        for chunk in source:
            yield known.feed(chunk)
        yield known.flush()


class _Substitution:
    """Replaces placeholders in bytes that come in pieces."""

    def __init__(
        self, wide: str, replacement: Callable[[str], bytes | None], bare: frozenset[str] = frozenset()
    ) -> None:
        self._pattern = _pattern(wide)
        self._bare = bare
        """Placeholders whose quotes go with them."""
        self._encoding = wide or "ascii"
        self._width = 4 if "32" in wide else 2 if wide else 1
        self._replacement = replacement
        self._held = b""
        self._offset = 0
        """Of what is held."""

    def feed(self, data: bytes) -> bytes:
        """What is certain so far; what may be the start of a placeholder is held back."""
        data = self._held + data
        return self._substituted(data, max(0, len(data) - LONGEST * self._width))

    def flush(self) -> bytes:
        """The rest: nothing follows that could belong to it."""
        return self._substituted(self._held, len(self._held))

    def skip(self, size: int) -> None:
        """Note that bytes were written past this."""
        self._offset += size

    def _substituted(self, data: bytes, limit: int) -> bytes:
        """Replace what starts before the limit, hold back what follows."""
        out: list[bytes] = []
        place = search = 0
        while match := self._pattern.search(data, search):
            if match.start() >= limit:
                break
            if (self._offset + match.start()) % self._width:
                search = match.start() + 1
                continue
            search = match.end()
            limit = max(limit, search)
            text = match["mark"].decode(self._encoding)
            new = self._replacement(text)
            if new is not None:
                start, end = match.span() if text in self._bare else match.span("mark")
                out += (data[place:start], new)
                place = end
        out.append(data[place:limit])
        self._held = data[limit:]
        self._offset += limit
        return b"".join(out)


@cache
def _pattern(wide: str) -> re.Pattern[bytes]:
    """Placeholders as bytes of an encoding."""
    if not wide:
        return re.compile(b'"?(?P<mark>' + _SHAPE.pattern.encode() + b')"?')
    zeros = rb"\x00" * (3 if "32" in wide else 1)
    unit = (rb"(?:%b" + zeros + rb")") if wide.endswith("le") else (rb"(?:" + zeros + rb"%b)")
    parts = [(b"<", b""), (b"[A-Z]", b""), (b"[A-Z0-9_]", b"{0,47}"), (b"_", b""), (b"[1-9]", b"")]
    parts += [(b"[0-9]", b"{0,11}"), (b">", b"")]
    return re.compile(b"(?P<mark>" + b"".join(unit.replace(b"%b", part) + times for part, times in parts) + b")")


def _text(value: bytes, encoding: str) -> str | None:
    """The value as text, if that leads back to the same bytes."""
    try:
        text = value.decode(encoding)
        return text if text.encode(encoding) == value else None
    except UnicodeError:
        return None


def encode_map(known: Map) -> bytes:
    """The map as one JSON document."""
    return msgspec.json.format(msgspec.json.encode(known), indent=1) + b"\n"


def decode_map(data: bytes) -> Map:
    """A map from its JSON document; anything else is refused."""
    try:
        known = msgspec.json.decode(data, type=Map)
        sound = known.format == FORMAT and all(map(_SHAPE.fullmatch, (*known.values, *known.raw)))
        for text in known.raw.values():
            base64.b64decode(text, validate=True)
        sound = sound and known.encoding in ENCODINGS and known.seen in ENCODINGS
    except (msgspec.MsgspecError, binascii.Error, ValueError):
        sound = False
    if not sound:
        raise InputError("the map is not one that `plantwin redact --map` wrote")
    return known
