"""Protocol buffers: messages, enums and services, and what a new version breaks; protoc says what is valid."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.facts import Private
from plantwin.vocabulary import Severity

RULES = Rules("protobuf")
MOST_TOKENS = 200_000
MOST_RANGES = 200
"""Reserved ranges of one message."""
DEEPEST = 40
HIGHEST_NUMBER = 536_870_911
_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{}()\[\]<>;,=]|[-.\w]+", re.DOTALL)


@dataclass(slots=True, repr=False)
class Field(Private):
    """One field of a message, one value of an enum, or one call of a service."""

    name: str
    number: int
    type: str
    label: str
    """`repeated`, `required`, `optional` or nothing."""
    line: int


@dataclass(slots=True, repr=False)
class Declaration(Private):
    """One message, enum or service."""

    kind: str
    name: str
    line: int
    fields: list[Field] = field(default_factory=list)
    reserved: list[range] = field(default_factory=list)

    def reserves(self, number: int) -> bool:
        """Tell whether a number must not be used."""
        return any(number in numbers for numbers in self.reserved)


@dataclass(slots=True, repr=False)
class File(Private):
    """A whole file."""

    package: str = ""
    declarations: dict[str, Declaration] = field(default_factory=dict)


def read(text: str) -> File:
    """Read a file, whatever is wrong with it."""
    reader = _Reader(text)
    reader.read()
    return reader.file


class _Reader:
    """From tokens to declarations."""

    def __init__(self, text: str) -> None:
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.tokens: list[tuple[str, int]] = []
        for match in _TOKEN.finditer(text):
            if not match[0].startswith(("//", "/*")):
                self.tokens.append((match[0], bisect_right(starts, match.start())))
                if len(self.tokens) >= MOST_TOKENS:
                    break
        self.at = 0
        self.file = File()

    @property
    def next(self) -> str:
        """the token that comes; empty at the end."""
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    @property
    def line(self) -> int:
        """Its line."""
        return self.tokens[min(self.at, len(self.tokens) - 1)][1] if self.tokens else 1

    def take(self) -> str:
        """Return the token that comes, and go on to the next."""
        keyword = self.next
        self.at += 1
        return keyword

    def skip(self, opening: str, closing: str) -> None:
        """Go past a pair of brackets, if one comes."""
        depth = 0
        while self.next and (depth or self.next == opening):
            keyword = self.take()
            depth += (keyword == opening) - (keyword == closing)
            if depth == 0:
                return

    def until(self, *ends: str) -> list[str]:
        """Return the tokens before one of these; that one is left."""
        tokens = []
        while self.next and self.next not in ends:
            tokens.append(self.take())
        return tokens

    def statement(self) -> list[str]:
        """Return the tokens of a statement up to its `;`, without what stands in braces."""
        tokens = []
        while self.next and self.next != ";":
            if self.next == "{":
                self.skip("{", "}")
            else:
                tokens.append(self.take())
        self.take()
        return tokens

    def read(self) -> None:
        """Read the statements of the file."""
        while self.next:
            line, keyword = self.line, self.take()
            if keyword == "package":
                self.file.package = self.take()
            elif keyword in ("message", "enum", "service"):
                self.declaration(keyword, "", line, 0)
            elif keyword == "extend":
                self.take()
                self.skip("{", "}")
            elif keyword in ("syntax", "edition", "import", "option"):
                self.statement()

    def declaration(self, kind: str, outer: str, line: int, depth: int) -> None:
        """Read a message, enum or service after its keyword."""
        name = outer + self.take()
        declared = self.file.declarations[name] = Declaration(kind, name, line)
        if self.next == "{" and depth <= DEEPEST:
            self.take()
            self.body(declared, depth)

    def body(self, declared: Declaration, depth: int) -> None:
        """Read what stands between braces, the closing one included."""
        while self.next and self.next != "}":
            line, keyword = self.line, self.next
            nested = self.at + 2 < len(self.tokens) and self.tokens[self.at + 2][0] == "{"
            if keyword in ("message", "enum") and nested:
                self.take()
                self.declaration(keyword, f"{declared.name}.", line, depth + 1)
            elif keyword == "oneof":
                self.at += 3
                if depth < DEEPEST:
                    self.body(declared, depth + 1)
            elif keyword == "option":
                self.statement()
            elif keyword == "reserved":
                self.reserved(declared)
            elif keyword == "extensions":
                self.statement()
            elif keyword == "rpc":
                self.rpc(declared, line)
            elif keyword == "extend":
                self.at += 2
                self.skip("{", "}")
            elif keyword == ";":
                self.take()
            else:
                self.field(declared, line)
        self.take()

    def reserved(self, declared: Declaration) -> None:
        """Read numbers and ranges that must not be used."""
        text = " ".join(self.statement())
        ranges = re.findall(r"(?<![\w\"'])(\d{1,9})(?:\s+to\s+(\d{1,9}|max))?", text)
        for low, high in ranges[: MOST_RANGES - len(declared.reserved)]:
            top = HIGHEST_NUMBER if high == "max" else int(high or low)
            declared.reserved.append(range(int(low), top + 1))

    def rpc(self, declared: Declaration, line: int) -> None:
        """Read a call of a service: its name, and the types that it takes and returns."""
        self.take()
        name = self.take()
        types = []
        for _ in range(2):
            self.until("(", ";", "}")
            if self.next != "(":
                break
            self.take()
            types.append(" ".join(self.until(")")))
            self.take()
        declared.fields.append(Field(name, 0, " → ".join(types), "rpc", line))
        if self.next == "{":
            self.skip("{", "}")
        elif self.next == ";":
            self.take()

    def field(self, declared: Declaration, line: int) -> None:
        """Read a field of a message or a value of an enum."""
        parts = self.until("=", ";", "}")
        if self.next != "=" or not parts:
            if self.next == ";":
                self.take()
            return
        self.take()
        number = self.take()
        self.skip("[", "]")
        label = parts[0] if parts[0] in ("optional", "required", "repeated") else ""
        type_ = "".join(parts[1:-1] if label else parts[:-1])
        if self.next == ";":
            self.take()
        self.skip("{", "}")  # the fields of a group of proto2
        if re.fullmatch(r"-?(?:0x[0-9a-fA-F]{1,16}|\d{1,20})", number):
            value = int(number, 16 if "x" in number else 10)
            declared.fields.append(Field(parts[-1], value, type_, label, line))


_COMPATIBLE = (
    {"int32", "uint32", "int64", "uint64", "bool"},
    {"sint32", "sint64"},
    {"string", "bytes"},
    {"fixed32", "sfixed32"},
    {"fixed64", "sfixed64"},
)
"""Types that read each other's bytes (protobuf.dev, "Updating a message type")."""


def breaking_changes(old: File, new: File) -> Iterator[Finding]:
    """Yield what breaks those who have the earlier version."""
    if old.package != new.package:
        yield RULES.found("PROTO-PACKAGE-CHANGED", 1)
    for name, before in old.declarations.items():
        after = new.declarations.get(name)
        if after is None:
            yield RULES.found("PROTO-DECLARATION-REMOVED", 1, kind=before.kind.capitalize(), name=name)
        elif before.kind == "service":
            yield from _service(before, after)
        else:
            yield from _fields(before, after)


def _service(before: Declaration, after: Declaration) -> Iterator[Finding]:
    calls = {call.name: call for call in after.fields}
    for call in before.fields:
        place = f"`{before.name}.{call.name}`"
        found = calls.get(call.name)
        if found is None:
            yield RULES.found("PROTO-RPC-REMOVED", after.line, place=place)
        elif found.type != call.type:
            yield RULES.found("PROTO-RPC-CHANGED", found.line, place=place, was=call.type, now=found.type)


def _fields(before: Declaration, after: Declaration) -> Iterator[Finding]:
    numbers = {item.number: item for item in after.fields}
    names = {item.name: item for item in after.fields}
    for item in before.fields:
        found = numbers.get(item.number)
        if found is not None:
            yield from _field(before, item, found)
        elif item.name in names:
            moved = names[item.name]
            yield RULES.found(
                "PROTO-NUMBER-CHANGED",
                moved.line,
                place=f"`{before.name}.{item.name}`",
                was=item.number,
                now=moved.number,
            )
        else:
            severity = Severity.LOW if after.reserves(item.number) else Severity.HIGH
            yield RULES.found(
                "PROTO-FIELD-REMOVED",
                after.line,
                severity=severity,
                place=f"`{before.name}.{item.name}`",
                number=item.number,
            )
    earlier = {item.number for item in before.fields}
    for item in after.fields:
        if item.number not in earlier and item.label == "required":
            yield RULES.found("PROTO-REQUIRED-ADDED", item.line, place=f"`{after.name}.{item.name}`")


def _field(before: Declaration, item: Field, found: Field) -> Iterator[Finding]:
    place = f"`{before.name}.{item.name}`"
    compatible = _is_compatible(item.type, found.type)
    if found.name != item.name and (before.kind == "enum" or not compatible):
        yield RULES.found(
            "PROTO-NUMBER-REUSED",
            found.line,
            number=item.number,
            declaration=before.name,
            was=item.name,
            now=found.name,
        )
    elif found.name != item.name:
        yield RULES.found("PROTO-FIELD-RENAMED", found.line, place=place, now=found.name)
    elif not compatible:
        yield RULES.found("PROTO-TYPE-CHANGED", found.line, place=place, was=item.type, now=found.type)
    elif item.label != found.label and ("repeated" in (item.label, found.label) or found.label == "required"):
        was, now = item.label or "single", found.label or "single"
        yield RULES.found("PROTO-LABEL-CHANGED", found.line, place=place, was=was, now=now)


def _is_compatible(old: str, new: str) -> bool:
    same = old == new or old.rpartition(".")[2] == new.rpartition(".")[2]
    return same or any({old, new} <= group for group in _COMPATIBLE)
