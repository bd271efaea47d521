"""The decoder for what comes back: bounded before it is parsed, closed when it is.

Models wrap JSON in prose and fences and leave trailing commas; that much is forgiven. Whatever else is
wrong refuses the whole answer, and so does an answer that holds two different plans.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

import msgspec

from plantwin import expressions
from plantwin.errors import AnswerError, WireError
from plantwin.types.plan import MAX_ANSWER_BYTES, MAX_STEPS, Plan, Step
from plantwin.vocabulary import RepairCode

MAX_ANSWER_DEPTH: Final = 8
MAX_CANDIDATES: Final = 16
"""Most JSON objects that an answer's prose may hold."""

# A string that does not end is a token all the same, up to its line's end: so every character is looked at once.
_tokens = expressions.compile(r'"(?:[^"\\\n]|\\.)*+"?|[{}\[\],]')


def decode_plan(data: bytes, earlier: Collection[str] = ()) -> Plan:
    """A plan, or an `AnswerError` that names the step and quotes nothing of the answer.

    `earlier`: steps of earlier plans, whose results can be used.
    """
    if type(data) is not bytes:
        raise WireError("answer: not bytes")
    if len(data) > MAX_ANSWER_BYTES:
        raise AnswerError(f"answer: over {MAX_ANSWER_BYTES} bytes", RepairCode.TOO_LONG)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AnswerError("answer: not UTF-8", RepairCode.NOT_TEXT) from None
    plans: list[Plan] = []
    refused: AnswerError | None = None
    for candidate in _objects(text):
        try:
            plans.append(_plan(candidate))
        except AnswerError as error:
            refused = refused or error
    if not plans:
        raise refused or AnswerError("answer: no plan in it", RepairCode.NO_PLAN)
    if any(plan != plans[0] for plan in plans):
        raise AnswerError("answer: more than one plan", RepairCode.TWO_PLANS)
    plans[0].need_known(earlier)
    return plans[0]


def _objects(text: str) -> Iterator[str]:
    """Outermost `{…}` of the text, without trailing commas."""
    depth = start = found = 0
    comma = -1
    pieces: list[str] = []
    for token in _tokens.finditer(text):
        mark = token[0]
        if mark == "{" and not depth:
            depth, start, pieces, comma = 1, token.start(), [], -1
        elif not depth or mark[0] == '"':
            comma = -1
        elif mark == ",":
            comma = token.start()
        elif mark in "{[":
            comma = -1
            depth += 1
            if depth > MAX_ANSWER_DEPTH:
                raise AnswerError(f"answer: nested deeper than {MAX_ANSWER_DEPTH}", RepairCode.TOO_DEEP)
        else:
            if comma >= 0 and not text[comma + 1 : token.start()].strip():
                pieces.append(text[start:comma])
                start = comma + 1
            comma = -1
            depth -= 1
            if not depth:
                pieces.append(text[start : token.end()])
                found += 1
                if found > MAX_CANDIDATES:
                    raise AnswerError("answer: too many objects in it", RepairCode.TWO_PLANS)
                yield "".join(pieces)


def _plan(text: str) -> Plan:
    try:
        tree = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise AnswerError("answer: not JSON", RepairCode.NOT_JSON) from None
    if tree == {"done": True} and tree["done"] is True:
        return Plan(steps=())
    if not isinstance(tree, dict) or tree.keys() != {"steps"} or not isinstance(tree["steps"], list):
        raise AnswerError("answer: not a plan", RepairCode.NO_PLAN)
    if len(tree["steps"]) > MAX_STEPS:
        raise AnswerError(f"plan: over {MAX_STEPS} steps", RepairCode.TOO_MANY_STEPS)
    return Plan(steps=tuple(_step(step, number) for number, step in enumerate(tree["steps"], start=1)))


def _step(tree: object, number: int) -> Step:
    try:
        return msgspec.convert(tree, Step, strict=True)
    except msgspec.ValidationError as error:
        field = re.search(r"\$\.(id|capability|inputs|output|by|policy)\b", str(error))
        where = f" field {field[1]}:" if field else ""
        raise AnswerError(f"plan: step {number}:{where} does not fit the schema", RepairCode.BAD_STEP, number) from None
    except WireError as error:
        raise AnswerError(f"plan: step {number}: {error}", RepairCode.BAD_STEP, number) from None
