"""Protocol buffers: messages, enums and services, whether they are sound, and what a new version breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plantwin.private.capabilities.contract.text import Reader, split
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{}()\[\]<>;,=]|[-.\w]+", re.DOTALL)
_SCALARS = words(
    "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes group"
)
DEPTH = 40


@dataclass(slots=True, repr=False)
class Field:
    """One field of a message, or one value of an enum."""

    name: str
    number: int
    type: str
    label: str
    line: int

    def __repr__(self) -> str:
        return "<Field private>"


@dataclass(slots=True, repr=False)
class Message:
    """One message, enum or service."""

    kind: str
    name: str
    line: int
    fields: list[Field] = field(default_factory=list)
    reserved: set[int] = field(default_factory=set)
    reserved_names: set[str] = field(default_factory=set)
    alias: bool = False

    def __repr__(self) -> str:
        return "<Message private>"


@dataclass(slots=True, repr=False)
class File:
    """A whole file."""

    syntax: str = ""
    package: str = ""
    imports: int = 0
    declared: dict[str, Message] = field(default_factory=dict)
    faults: list[Issue] = field(default_factory=list)

    def __repr__(self) -> str:
        return "<File private>"


def file(text: str) -> File:
    """Read a file."""
    made = File()
    if text.count("{") != text.count("}"):
        made.faults.append(
            Issue(
                text.count("\n") + 1,
                _S.HIGH,
                _T.UNPARSABLE,
                "proto/syntax",
                "Braces do not match",
                "Close what is open.",
            )
        )
    reader = Reader(split(_TOKEN, text, ("//", "/*")))
    while reader.next:
        line, word = reader.line, reader.take()
        if word in ("syntax", "edition"):
            reader.take()
            made.syntax = reader.take().strip("\"'")
        elif word == "package":
            made.package = reader.take()
        elif word == "import":
            made.imports += 1
            reader.until(";")
        elif word in ("message", "enum", "service"):
            _declared(reader, made, word, "", line, 0)
        elif word == "extend":
            reader.take()
            reader.skip("{", "}")
        elif word == "option":
            _option(reader)
    return made


def _option(reader: Reader) -> None:
    while reader.next and reader.next != ";":
        if reader.next == "{":
            reader.skip("{", "}")
        else:
            reader.take()


def _declared(reader: Reader, made: File, kind: str, outer: str, line: int, depth: int) -> None:
    name = outer + reader.take()
    each = Message(kind, name, line)
    if name in made.declared:
        made.faults.append(
            Issue(line, _S.HIGH, _T.DUPLICATION, "proto/duplicate", f"`{name}` is declared twice", "Rename one.")
        )
    made.declared[name] = each
    if reader.next != "{" or depth > DEPTH:
        return
    reader.take()
    _body(reader, made, each, depth)


def _body(reader: Reader, made: File, each: Message, depth: int) -> None:
    while reader.next and reader.next != "}":
        line, word = reader.line, reader.next
        if (
            word in ("message", "enum")
            and reader.at + 2 < len(reader.words)
            and reader.words[reader.at + 2].text == "{"
        ):
            reader.take()
            _declared(reader, made, word, f"{each.name}.", line, depth + 1)
        elif word == "oneof":
            reader.take()
            reader.take()
            reader.take()
            if depth < DEPTH:
                _body(reader, made, each, depth + 1)
        elif word == "option":
            reader.take()
            each.alias = each.alias or reader.next == "allow_alias"
            _option(reader)
            reader.take()
        elif word == "reserved":
            reader.take()
            _reserved(reader, each)
        elif word == "extensions":
            reader.until(";")
            reader.take()
        elif word == "rpc":
            _rpc(reader, each, line)
        elif word == "extend":
            reader.take()
            reader.take()
            reader.skip("{", "}")
        elif word == ";":
            reader.take()
        else:
            _field(reader, made, each, line)
    reader.take()


def _reserved(reader: Reader, each: Message) -> None:
    found = reader.until(";")
    reader.take()
    text = " ".join(found)
    each.reserved_names.update(re.findall(r"[\"'](\w+)[\"']", text))
    for low, high in re.findall(r"(?<![\w\"'])(\d{1,9})(?:\s+to\s+(\d{1,9}|max))?", text):
        top = int(low) + 1000 if high == "max" else int(high or low)
        each.reserved.update(range(int(low), min(top, int(low) + 10_000) + 1))


def _rpc(reader: Reader, each: Message, line: int) -> None:
    reader.take()
    name = reader.take()
    types = []
    for _ in range(2):
        reader.until("(", ";", "}")
        if reader.next != "(":
            break
        reader.take()
        types.append(" ".join(reader.until(")")))
        reader.take()
    each.fields.append(Field(name, 0, " → ".join(types), "rpc", line))
    if reader.next == "{":
        reader.skip("{", "}")
    elif reader.next == ";":
        reader.take()


def _field(reader: Reader, made: File, each: Message, line: int) -> None:
    parts = reader.until("=", ";", "}")
    if reader.next != "=" or not parts:
        if reader.next == ";":
            reader.take()
        if parts:
            made.faults.append(
                Issue(
                    line,
                    _S.HIGH,
                    _T.UNPARSABLE,
                    "proto/syntax",
                    f"A line of `{each.name}` is no field",
                    "Write type, name = number.",
                )
            )
        return
    reader.take()
    number = reader.take()
    before = reader.at
    reader.skip("[", "]")
    ending = [word.text for word in reader.words[before : reader.at]]
    label = parts[0] if parts[0] in ("optional", "required", "repeated") else ""
    type_ = "".join(parts[1:-1] if label else parts[:-1])
    if reader.next == ";":
        reader.take()
    elif each.kind != "service":
        made.faults.append(
            Issue(line, _S.HIGH, _T.UNPARSABLE, "proto/syntax", f"`{parts[-1][:60]}` does not end with `;`", "Add it.")
        )
    if re.fullmatch(r"-?(?:0x[0-9a-fA-F]+|\d+)", number):
        each.fields.append(
            Field(
                parts[-1],
                int(number, 0) if not re.fullmatch(r"-?0\d+", number) else int(number),
                type_,
                label + (" deprecated" if "deprecated" in ending else ""),
                line,
            )
        )


def issues(made: File) -> Iterator[Issue]:
    """What is wrong with a file."""
    yield from made.faults
    if not made.syntax and made.declared:
        yield Issue(
            1,
            _S.LOW,
            _T.MISSING_PART,
            "proto/syntax",
            "The file does not say its syntax, so it is read as proto2",
            'Add syntax = "proto3";.',
        )
    short = {name.rpartition(".")[2] for name in made.declared}
    for each in made.declared.values():
        numbers: dict[int, Field] = {}
        names: set[str] = set()
        for one in each.fields:
            place = f"`{each.name}.{one.name}`"
            if one.name in names:
                yield Issue(
                    one.line, _S.HIGH, _T.DUPLICATION, "proto/name", f"{place} is declared twice", "Rename one."
                )
            names.add(one.name)
            if each.kind == "service":
                continue
            first = numbers.setdefault(one.number, one)
            if first is not one and not each.alias:
                yield Issue(
                    one.line,
                    _S.HIGH,
                    _T.DUPLICATION,
                    "proto/number",
                    f"{place} and `{first.name}` have one number ({one.number})",
                    "Give it another.",
                )
            if each.kind == "message" and (not 1 <= one.number <= 536_870_911 or 19_000 <= one.number <= 19_999):
                yield Issue(
                    one.line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "proto/number",
                    f"{place} has a number that is not allowed",
                    "Use 1 to 536870911, but for 19000 to 19999.",
                )
            if one.number in each.reserved or one.name in each.reserved_names:
                yield Issue(
                    one.line,
                    _S.HIGH,
                    _T.SCHEMA_MISMATCH,
                    "proto/reserved",
                    f"{place} uses what is reserved",
                    "Give it another number or name.",
                )
            if each.kind == "message" and one.type and not made.imports:
                for used in re.findall(
                    r"[A-Za-z_][\w.]*", one.type.removeprefix("map<") if one.type.startswith("map<") else one.type
                ):
                    if used not in _SCALARS and used.rpartition(".")[2] not in short and used not in ("map",):
                        yield Issue(
                            one.line,
                            _S.HIGH,
                            _T.BROKEN_REFERENCE,
                            "proto/unknown-type",
                            f"{place} has type `{used[:60]}`, which is not declared",
                            "Declare or import it.",
                        )
        if each.kind == "enum" and each.fields and each.fields[0].number != 0 and made.syntax == "proto3":
            yield Issue(
                each.fields[0].line,
                _S.HIGH,
                _T.SCHEMA_MISMATCH,
                "proto/enum-zero",
                f"The first value of enum `{each.name}` must be 0",
                "Add one such as UNSPECIFIED = 0.",
            )
