"""What YAML reads otherwise than people do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import BOOLEAN, NUMBER, TEXT, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_TRUTHS = frozenset(("true", "false", "True", "False", "TRUE", "FALSE"))
_STRINGY = frozenset(
    (
        "env",
        "environment",
        "annotations",
        "labels",
        "matchlabels",
        "args",
        "command",
        "data",
        "stringdata",
        "tags",
        "variables",
        "parameters",
        "default",
        "value",
        "values",
        "enum",
        "headers",
        "example",
        "examples",
        "description",
        "title",
        "options",
        "messages",
        "translation",
        "const",
        "x",
        "nodeselector",
        "with",
        "build-args",
        "buildargs",
    )
)
_COUNTRY = re.compile(r"[a-z]{2}|[A-Z]{2}")


def typed(key: str, path: tuple[str, ...], node: Node, line: int, where: str) -> Iterator[Issue]:
    """Scalars that are read as another type than they look."""
    text = node.text
    above = {part.lower() for part in path[:-1]}
    stringy = bool(above & _STRINGY) or key in _STRINGY
    if node.kind == TEXT and node.quoted and text in _TRUTHS and not stringy and not path[-1].isdigit():
        yield Issue(
            line,
            _S.LOW,
            _T.INVALID_VALUES,
            "boolean-as-text",
            f'{where} is the text "{text}", not a truth value',
            "Remove the quotes, unless text is wanted.",
        )
    elif node.kind == BOOLEAN and text.lower() in ("y", "n"):
        yield Issue(
            line,
            _S.LOW,
            _T.INVALID_VALUES,
            "truthy",
            f"{where} is read as true or false by some readers and as text by others",
            "Write true or false, or quote it.",
        )
    elif (
        node.kind == NUMBER
        and re.fullmatch(r"\d+\.\d*0", text)
        and re.search(r"(?:^|_)version$", key)
        and len(path) > 1
    ):
        yield Issue(
            line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "version-as-number",
            f"{where} is read as the number {float(text):g}",
            "Quote it.",
        )
    elif node.kind == NUMBER and re.fullmatch(r"\d+:[0-5]?\d(?::[0-5]?\d)?", text):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.INVALID_VALUES,
            "sexagesimal",
            f"{where} is read as a number in base 60 by YAML 1.1",
            "Quote it.",
        )


def norway(node: Node, where: str, document: Document) -> Iterator[Issue]:
    """A list of codes in which `no` is read as false."""
    if document.syntax != "yaml" or document.templated or len(node.items) < 2:
        return
    odd = [each for each in node.items if each.kind == BOOLEAN and each.text.lower() in ("no", "on", "yes", "y", "n")]
    if odd and sum(_COUNTRY.fullmatch(each.text) is not None for each in node.items) >= len(node.items) - 1:
        yield Issue(
            odd[0].line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "norway",
            f"{where} holds the word {odd[0].text}, which is read as {'false' if odd[0].false else 'true'}",
            "Quote it.",
        )
