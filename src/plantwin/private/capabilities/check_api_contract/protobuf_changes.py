"""Two versions of a protobuf file: what breaks those who have the earlier one."""

from __future__ import annotations

from collections.abc import Iterator

from plantwin.private.capabilities.check_api_contract.protobuf import Declaration, Field, File
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.vocabulary import Severity

RULES = Rules("protobuf")
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
