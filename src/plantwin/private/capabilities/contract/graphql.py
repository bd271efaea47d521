"""GraphQL schemas: types with their fields, whether all is declared, and what a new version breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from plantwin.private.capabilities.contract.text import Reader, split
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_TOKEN = re.compile(r'"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|\.\.\.|[{}()\[\]:=!|&@$]|-?[\w.]+', re.DOTALL)
_BUILT_IN = words("String Int Float Boolean ID")
_KINDS = words("type interface input enum union scalar")
Fields = dict[str, tuple[str, int, dict[str, tuple[str, bool]]]]


@dataclass(slots=True, repr=False)
class Type:
    """One declared type: fields with their type, line and arguments."""

    kind: str
    name: str
    line: int
    fields: Fields = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    """Of a union, or the interfaces of a type."""

    def __repr__(self) -> str:
        return "<Type private>"


@dataclass(slots=True, repr=False)
class Schema:
    """A whole schema."""

    types: dict[str, Type] = field(default_factory=dict)
    faults: list[Issue] = field(default_factory=list)

    def __repr__(self) -> str:
        return "<Schema private>"


def schema(text: str) -> Schema:
    """Read a schema."""
    reader = Reader(split(_TOKEN, text, ("#", '"')))
    made = Schema()
    if text.count("{") != text.count("}"):
        made.faults.append(
            Issue(
                text.count("\n") + 1,
                _S.HIGH,
                _T.UNPARSABLE,
                "graphql/syntax",
                "Braces do not match",
                "Close what is open.",
            )
        )
    while reader.next:
        extends = reader.next == "extend"
        if extends:
            reader.take()
        line, word = reader.line, reader.take()
        if word not in _KINDS:
            if word in ("schema", "directive"):
                reader.until("{", "on", "type", "interface", "input", "enum", "union", "scalar")
                reader.skip("{", "}")
            continue
        name = reader.take()
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            made.faults.append(
                Issue(line, _S.HIGH, _T.UNPARSABLE, "graphql/syntax", f"A {word} without a name", "Name it.")
            )
            continue
        known = made.types.get(name)
        if known is not None and not extends:
            made.faults.append(
                Issue(
                    line,
                    _S.HIGH,
                    _T.DUPLICATION,
                    "graphql/duplicate",
                    f"`{name}` is declared twice (first on line {known.line})",
                    "Rename one.",
                )
            )
        each = known if known is not None else Type(word, name, line)
        made.types[name] = each
        _declared(reader, each, made)
    return made


def _declared(reader: Reader, each: Type, made: Schema) -> None:
    if reader.next == "implements":
        reader.take()
        each.members.update(word for word in reader.until("{", "@", "type", "extend", "") if word != "&")
    while reader.next == "@":
        reader.take()
        reader.take()
        reader.skip("(", ")")
    if each.kind == "union" and reader.next == "=":
        reader.take()
        while reader.next and (reader.next == "|" or re.fullmatch(r"[A-Z_]\w*", reader.next)):
            each.members.add(reader.take())
        each.members.discard("|")
    if reader.next != "{" or each.kind == "scalar":
        return
    reader.take()
    while reader.next and reader.next != "}":
        line, name = reader.line, reader.take()
        arguments = _arguments(reader) if reader.next == "(" else {}
        kind = ""
        if reader.next == ":":
            reader.take()
            kind = _type(reader)
        if reader.next == "=":
            reader.take()
            _value(reader)
            kind += "="
        while reader.next == "@":
            reader.take()
            reader.take()
            reader.skip("(", ")")
        if re.fullmatch(r"[A-Za-z_]\w*", name):
            if name in each.fields:
                made.faults.append(
                    Issue(
                        line,
                        _S.HIGH,
                        _T.DUPLICATION,
                        "graphql/duplicate",
                        f"`{each.name}.{name}` is declared twice",
                        "Rename one.",
                    )
                )
            each.fields[name] = (kind, line, arguments)
    reader.take()


def _type(reader: Reader) -> str:
    parts: list[str] = []
    while reader.next in ("[", "]", "!") or (not parts or parts[-1] == "["):
        if not reader.next or reader.next in ("}", ")", ",", "="):
            break
        parts.append(reader.take())
    return "".join(parts)


def _value(reader: Reader) -> None:
    if reader.next in ("[", "{"):
        reader.skip(reader.next, "]" if reader.next == "[" else "}")
    else:
        reader.take()


def _arguments(reader: Reader) -> dict[str, tuple[str, bool]]:
    found: dict[str, tuple[str, bool]] = {}
    reader.take()
    while reader.next and reader.next != ")":
        name = reader.take()
        kind = ""
        if reader.next == ":":
            reader.take()
            kind = _type(reader)
        default = reader.next == "="
        if default:
            reader.take()
            _value(reader)
        while reader.next == "@":
            reader.take()
            reader.take()
            reader.skip("(", ")")
        found[name] = (kind, default)
    reader.take()
    return found


def _bare(kind: str) -> str:
    return kind.strip("[]!=")


def issues(made: Schema, complete: bool = True) -> Iterator[Issue]:
    """What is wrong with a schema."""
    yield from made.faults
    known = made.types.keys() | _BUILT_IN
    for each in made.types.values():
        if each.kind in ("type", "interface", "input", "enum") and not each.fields:
            yield Issue(
                each.line, _S.HIGH, _T.MISSING_PART, "graphql/empty", f"`{each.name}` has no fields", "Add one."
            )
        for name, (kind, line, arguments) in each.fields.items():
            used = {_bare(kind), *(_bare(given) for given, _ in arguments.values())} - {""}
            for other in sorted(used - known) if complete else []:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "graphql/unknown-type",
                    f"`{each.name}.{name}` uses `{other}`, which is not declared",
                    "Declare it, or correct the name.",
                )
            target = made.types.get(_bare(kind))
            if target is not None and each.kind == "input" and target.kind in ("type", "interface", "union"):
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.SCHEMA_MISMATCH,
                    "graphql/input",
                    f"Input field `{each.name}.{name}` has an output type",
                    "Use an input, enum or scalar.",
                )
            elif target is not None and each.kind in ("type", "interface") and target.kind == "input":
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.SCHEMA_MISMATCH,
                    "graphql/output",
                    f"`{each.name}.{name}` answers with an input type",
                    "Use an output type.",
                )
        for other in sorted(each.members):
            face = made.types.get(other)
            if each.kind == "type" and face is not None:
                for name in face.fields.keys() - each.fields.keys():
                    yield Issue(
                        each.line,
                        _S.HIGH,
                        _T.MISSING_PART,
                        "graphql/interface",
                        f"`{each.name}` lacks `{name}` of interface `{other}`",
                        "Add it.",
                    )
            elif face is None and complete:
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "graphql/unknown-type",
                    f"`{each.name}` names `{other}`, which is not declared",
                    "Declare it.",
                )
    if (
        complete
        and made.types
        and "Query" not in made.types
        and any(each.kind == "type" for each in made.types.values())
    ):
        yield Issue(
            1, _S.LOW, _T.MISSING_PART, "graphql/query", "There is no type Query", "Add it, unless another file has it."
        )


def breaking(old: Schema, new: Schema) -> Iterator[Issue]:
    """What breaks those who query."""
    for name, before in old.types.items():
        after = new.types.get(name)
        if after is None:
            yield Issue(
                1,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "type-removed",
                f"{before.kind.capitalize()} `{name}` is gone",
                "Keep it, marked @deprecated.",
            )
            continue
        if before.kind != after.kind:
            yield Issue(
                after.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "kind-changed",
                f"`{name}` was {before.kind}, is {after.kind}",
                "Use a new name.",
            )
        if before.kind == "union":
            for gone in sorted(before.members - after.members):
                yield Issue(
                    after.line,
                    _S.HIGH,
                    _T.BREAKING_CHANGE,
                    "member-removed",
                    f"Union `{name}` lost `{gone}`",
                    "Keep it.",
                )
        for field_, (kind, _, arguments) in before.fields.items():
            found = after.fields.get(field_)
            if found is None:
                what = "enum-removed" if before.kind == "enum" else "field-removed"
                yield Issue(
                    after.line,
                    _S.HIGH,
                    _T.BREAKING_CHANGE,
                    what,
                    f"`{name}.{field_}` is gone",
                    "Keep it, marked @deprecated.",
                )
                continue
            yield from _field(before, field_, kind, arguments, found)
        if after.kind == "input":
            for field_, (kind, line, _) in after.fields.items():
                if field_ not in before.fields and kind.endswith("!"):
                    yield Issue(
                        line,
                        _S.HIGH,
                        _T.BREAKING_CHANGE,
                        "required-added",
                        f"Input field `{name}.{field_}` is new and required",
                        "Make it optional.",
                    )


def _field(
    before: Type,
    name: str,
    kind: str,
    arguments: dict[str, tuple[str, bool]],
    found: tuple[str, int, dict[str, tuple[str, bool]]],
) -> Iterator[Issue]:
    now, line, given = found
    place = f"`{before.name}.{name}`"
    was, is_ = kind.rstrip("="), now.rstrip("=")
    fine = (
        was == is_
        or (was.rstrip("!") == is_ and before.kind == "input")
        or (is_.rstrip("!") == was and before.kind != "input")
    )
    if not fine:
        yield Issue(
            line, _S.HIGH, _T.BREAKING_CHANGE, "type-changed", f"{place} was {was}, is {is_}", "Add a field instead."
        )
    for argument, (type_, _) in arguments.items():
        if argument not in given:
            yield Issue(
                line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "argument-removed",
                f"{place} lost its argument `{argument}`",
                "Keep it.",
            )
        elif given[argument][0] not in (type_, type_.rstrip("!")):
            yield Issue(
                line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "argument-changed",
                f"Argument `{argument}` of {place} was {type_}, is {given[argument][0]}",
                "Accept the earlier type.",
            )
    for argument, (type_, default) in given.items():
        if argument not in arguments and type_.endswith("!") and not default:
            yield Issue(
                line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "argument-required",
                f"Argument `{argument}` of {place} is new and required",
                "Make it optional.",
            )
