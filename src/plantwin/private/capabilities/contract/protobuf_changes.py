"""Two versions of a protobuf file: what breaks those who have the earlier one."""

from __future__ import annotations

from collections.abc import Iterator

from plantwin.private.capabilities.contract.protobuf import File, Message
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_LIKE = (
    {"int32", "uint32", "int64", "uint64", "bool"},
    {"sint32", "sint64"},
    {"string", "bytes"},
    {"fixed32", "sfixed32"},
    {"fixed64", "sfixed64"},
)
"""Types that read each other's bytes."""


def breaking(old: File, new: File) -> Iterator[Issue]:
    """What breaks those who have the earlier version."""
    if old.package != new.package:
        yield Issue(1, _S.HIGH, _T.BREAKING_CHANGE, "package-changed", "The package has another name", "Keep it.")
    for name, before in old.declared.items():
        after = new.declared.get(name)
        if after is None:
            yield Issue(
                1,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                f"{before.kind}-removed",
                f"{before.kind.capitalize()} `{name}` is gone",
                "Keep it, marked as deprecated.",
            )
        elif before.kind == "service":
            yield from _service(before, after)
        else:
            yield from _message(before, after)


def _service(before: Message, after: Message) -> Iterator[Issue]:
    now = {one.name: one for one in after.fields}
    for one in before.fields:
        found = now.get(one.name)
        if found is None:
            yield Issue(
                after.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "rpc-removed",
                f"`{before.name}.{one.name}` is gone",
                "Keep it, marked as deprecated.",
            )
        elif found.type != one.type:
            yield Issue(
                found.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "rpc-changed",
                f"`{before.name}.{one.name}` was {one.type}, is {found.type}",
                "Add a new call.",
            )


def _message(before: Message, after: Message) -> Iterator[Issue]:
    numbers = {one.number: one for one in after.fields}
    names = {one.name: one for one in after.fields}
    for one in before.fields:
        place = f"`{before.name}.{one.name}`"
        found = numbers.get(one.number)
        if found is None:
            moved = names.get(one.name)
            if moved is not None:
                yield Issue(
                    moved.line,
                    _S.HIGH,
                    _T.BREAKING_CHANGE,
                    "number-changed",
                    f"{place} had number {one.number}, has {moved.number}",
                    "Keep the number.",
                )
            elif one.number in after.reserved:
                yield Issue(
                    after.line,
                    _S.LOW,
                    _T.BREAKING_CHANGE,
                    "field-removed",
                    f"{place} is gone; its number is reserved, as it should be",
                    "Check that nobody reads it.",
                )
            else:
                yield Issue(
                    after.line,
                    _S.HIGH,
                    _T.BREAKING_CHANGE,
                    "enum-removed" if before.kind == "enum" else "field-removed",
                    f"{place} is gone and its number {one.number} is free to be reused",
                    f"Add reserved {one.number};.",
                )
        elif found.name != one.name and (before.kind == "enum" or not _fits(one.type, found.type)):
            yield Issue(
                found.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "number-reused",
                f"Number {one.number} of `{before.name}` was `{one.name}`, is `{found.name}`",
                "Give the new one another number.",
            )
        elif found.name != one.name:
            yield Issue(
                found.line,
                _S.MEDIUM,
                _T.BREAKING_CHANGE,
                "field-renamed",
                f"{place} is named `{found.name}` now: JSON and generated code break",
                "Keep the name.",
            )
        elif not _fits(one.type, found.type):
            yield Issue(
                found.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "type-changed",
                f"{place} was {one.type}, is {found.type}",
                "Add a field instead.",
            )
        elif ("repeated" in one.label) != ("repeated" in found.label) or (
            "required" in found.label and "required" not in one.label
        ):
            yield Issue(
                found.line,
                _S.HIGH,
                _T.BREAKING_CHANGE,
                "label-changed",
                f"{place} was {one.label.strip() or 'single'}, is {found.label.strip() or 'single'}",
                "Add a field instead.",
            )
    if before.kind == "message":
        earlier = {one.number for one in before.fields}
        for one in after.fields:
            if one.number not in earlier and "required" in one.label:
                yield Issue(
                    one.line,
                    _S.HIGH,
                    _T.BREAKING_CHANGE,
                    "required-added",
                    f"`{after.name}.{one.name}` is new and required",
                    "Make it optional.",
                )


def _fits(old: str, new: str) -> bool:
    return (
        old == new
        or old.rpartition(".")[2] == new.rpartition(".")[2]
        or any(old in group and new in group for group in _LIKE)
    )
