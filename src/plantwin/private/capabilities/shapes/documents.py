"""JSON against a JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import thread_time

from plantwin.private.capabilities.data.cells import Cell
from plantwin.private.capabilities.data.profile import Profiled
from plantwin.private.capabilities.data.wording import agreed
from plantwin.private.capabilities.job import Finding, Input
from plantwin.private.capabilities.shapes.shape import Shape
from plantwin.vocabulary import OutcomeTag, Severity

RECORDS = 20_000
"""Records that the JSON Schema library looks at."""
SECONDS = 30.0
ERRORS = 200
ENDLESS = re.compile(r"\([^()]*[+*}][^()]*\)[+*{]")
"""A repetition of what repeats: such a pattern may take forever."""


def finding(
    name: str, line: int, severity: Severity, tag: OutcomeTag, message: str, hint: str = "", evidence: str = ""
) -> Finding:
    """A finding of a rule here."""
    return Finding(
        name=name,
        line=line,
        severity=severity.value,
        tag=tag.value,
        message=agreed(message),
        hint=hint,
        evidence=evidence,
    )


def documents(given: Input, each: Profiled, shape: Shape) -> Iterator[Finding]:
    """JSON against a JSON Schema, by the library; references to other documents are not followed."""
    from jsonschema.exceptions import _WrappedReferencingError
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    document = shape.document
    if _patterns(document):
        yield finding(
            shape.label,
            0,
            Severity.LOW,
            OutcomeTag.SCHEMA_MISMATCH,
            "Schema: a pattern repeats what repeats and may take forever: it is not used",
        )
        document = _without(document)
    cls = validator_for(document)
    validator = cls(document, registry=Registry())
    whole = isinstance(document, dict) and document.get("type") == "array"
    until = thread_time() + SECONDS
    number = 0
    for line, record in _records(given, whole):
        if thread_time() > until or number >= ERRORS:
            break
        try:
            for error in validator.iter_errors(record):
                number += 1
                if number > ERRORS:
                    break
                path = ".".join(str(part) for part in error.absolute_path) or "the record"
                where = f" ({'line' if each.table.lined else 'record'} {line})" if not whole else ""
                value = each.shown.value(
                    str(next((part for part in error.absolute_path if isinstance(part, str)), "")),
                    _cell(error.instance),
                )
                missing = error.validator in ("required", "dependentRequired")
                said = f"{_missing(error)} is missing" if missing else f"{_said(error)}"
                yield finding(
                    each.table.label,
                    line if each.table.lined else 0,
                    Severity.HIGH,
                    OutcomeTag.KEY_MISSING if missing else OutcomeTag.SCHEMA_MISMATCH,
                    f"{path}: {said}{where} [{error.validator}]",
                    "",
                    "" if missing else value,
                )
        except (
            _WrappedReferencingError,
            Unresolvable,
            RecursionError,
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            re.error,
        ):
            yield finding(
                shape.label,
                0,
                Severity.MEDIUM,
                OutcomeTag.SCHEMA_MISMATCH,
                "Schema: it cannot be applied: a reference leads nowhere, or it refers to itself without end",
            )
            return


def _missing(error: object) -> str:
    wanted, instance = getattr(error, "validator_value", ()), getattr(error, "instance", {})
    names = (
        [str(name) for name in wanted if isinstance(instance, dict) and name not in instance]
        if isinstance(wanted, list)
        else []
    )
    return ", ".join(names[:5]) or "a key"


def _said(error: object) -> str:
    """What is not met, without the value."""
    word, wanted = str(getattr(error, "validator", "")), getattr(error, "validator_value", "")
    if word == "type":
        return f"not of type {' or '.join(wanted) if isinstance(wanted, list) else wanted}"
    if word in ("enum", "const"):
        return "not among the allowed values"
    if word == "additionalProperties":
        return "has keys that are not in the schema"
    if isinstance(wanted, (int, float, str)):
        return f"does not meet {word} {str(wanted)[:80]}"
    return f"does not meet {word}"


def _cell(value: object) -> Cell:
    return value if isinstance(value, (str, int, float, bool)) else ""


def _records(given: Input, whole: bool) -> Iterator[tuple[int, object]]:
    import msgspec

    from plantwin.private.capabilities.data.table import READ

    text = given.text(READ)
    try:
        root = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        for number, line in enumerate(text.split("\n")[:RECORDS], start=1):
            if line.strip():
                try:
                    yield number, msgspec.json.decode(line)
                except (msgspec.DecodeError, ValueError, RecursionError):
                    continue
        return
    if isinstance(root, list) and not whole:
        yield from enumerate(root[:RECORDS], start=1)
    else:
        yield 1, root


def _patterns(document: object) -> bool:
    return any(ENDLESS.search(one) for one in _values(document, "pattern"))


def _values(document: object, key: str) -> Iterator[str]:
    stack, seen = [document], 0
    while stack and seen < 50_000:
        node = stack.pop()
        seen += 1
        if isinstance(node, dict):
            for name, value in node.items():
                if name == key and isinstance(value, str):
                    yield value
                if name == "patternProperties" and key == "pattern" and isinstance(value, dict):
                    yield from (str(one) for one in value)
                stack.append(value)
        elif isinstance(node, list):
            stack += node


def _without(node: object, depth: int = 0) -> object:
    """A schema without the patterns that may take forever."""
    if depth > 60:
        return True
    if isinstance(node, dict):
        return {
            key: _without(value, depth + 1)
            for key, value in node.items()
            if key not in ("pattern", "patternProperties") or not _patterns({key: value})
        }
    return [_without(one, depth + 1) for one in node] if isinstance(node, list) else node
