"""A policy's text, read statement by statement, so that every mistake has a line and every decision a name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from plantwin.config.settings import LIMIT
from plantwin.types.policy import GOAL_MODES, LOCALITIES, Statement
from plantwin.vocabulary import (
    CapabilityName,
    Confidence,
    Family,
    Freshness,
    Kind,
    Risk,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
)

if TYPE_CHECKING:
    from cedarpy import Schema

MOST: Final = 500
"""Statements of a policy at most."""
LONGEST: Final = 16 << 10
"""Characters of one statement at most."""
DEEPEST: Final = 50
"""Brackets within brackets at most. Cedar's parser takes the process down with it where there are thousands."""
ENUMS: Final = {
    "Kind": tuple(Kind),
    "Class": tuple(SemanticClass),
    "Family": tuple(Family),
    "Sensitivity": tuple(Sensitivity),
    "Cause": tuple(SensitivityCause),
    "Freshness": tuple(Freshness),
    "Confidence": tuple(Confidence),
    "Risk": tuple(Risk),
    "Locality": LOCALITIES,
    "GoalMode": GOAL_MODES,
}
"""Entity types whose ids are closed: a word that does not exist is found when a policy is loaded."""
TOO_DEEP: Final = "too long or nested too deeply: divide it into several policies"
TYPES: Final = {
    "kind": "Kind",
    "class": "Class",
    "family": "Family",
    "sensitivity": "Sensitivity",
    "freshness": "Freshness",
    "confidence": "Confidence",
    "risk": "Risk",
    "locality": "Locality",
    "goal_mode": "GoalMode",
}
"""The type of each attribute that is a word."""
COMPARISONS: Final = {"==", "!=", "in"}
"""What Cedar does not check the types of."""

_token = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|;', re.DOTALL)
_bracket = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|[()\[\]{}]', re.DOTALL)
_code = re.compile(r"(?:\s+|//[^\n]*)*")
_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_prefix = re.compile(r"^for policy `policy0`[,:] ")
_each_action = re.compile(r' for Action::"[a-z_]+"')


class Problem(NamedTuple):
    """Something wrong with a policy. An error keeps it from being loaded; a warning does not."""

    level: str
    """`error` or `warning`."""
    line: int
    policy: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.policy + ': ' if self.policy else ''}{self.message}"


def schema_text() -> str:
    """The schema in full: its fixed part and every word."""
    base = files(__package__).joinpath("policies", "base.cedarschema").read_text("utf-8")
    enums = [f"entity {name} enum [{_listed(words)}];" for name, words in ENUMS.items()]
    applies = "appliesTo { principal: [Planner], resource: [Object], context: Context }"
    return "\n".join([base, *enums, f"action {_listed(CapabilityName)} {applies};", ""])


@cache
def schema() -> Schema:
    """The schema, parsed once."""
    from cedarpy import Schema

    return Schema.from_str(schema_text())


def read(text: str) -> tuple[list[Statement], list[Problem]]:
    """Its statements, each valid under the schema, and what is wrong with it."""
    if len(text) > LIMIT:
        return [], [Problem("error", 1, "", f"longer than {LIMIT >> 10} KiB")]
    found: list[Statement] = []
    problems: list[Problem] = []
    for number, (line, source) in enumerate(_split(text), start=1):
        if number > MOST:
            return [], [Problem("error", line, "", f"more than {MOST} policies")]
        each = _statement(number, line, source, {known.id for known in found})
        if isinstance(each, Problem):
            problems.append(each)
        else:
            problems += _invalid(each)
            found.append(each)
    # Cedar reads the whole as well: were it to see other statements than we do, nothing holds.
    if not problems and _counted(text) != len(found):
        problems.append(Problem("error", 1, "", "cannot be divided into policies"))
    if not problems and not found:
        problems.append(Problem("error", 1, "", "holds no policy, so it permits nothing: write at least one permit"))
    return found, problems


def _counted(text: str) -> int:
    from cedarpy import PolicySet

    try:
        return len(PolicySet.from_str(text))
    except ValueError:
        return -1


def _split(text: str) -> Iterator[tuple[int, str]]:
    """Line and text of each statement. Semicolons in strings and comments divide nothing."""
    start, line = 0, 1
    ends = [match.end() for match in _token.finditer(text) if match[0] == ";"]
    for end in (*ends, len(text)):
        part = text[start:end]
        blank = _code.match(part)
        code = blank.end() if blank else 0
        if code < len(part):
            lead = part[:code].split("\n")
            above = len(lead) - 1
            while above and lead[above - 1].lstrip().startswith("//"):
                above -= 1
            comment = "".join(f"{each.strip()}\n" for each in lead[above:-1])
            yield line + part.count("\n", 0, code), comment + part[code:].rstrip()
        line += part.count("\n")
        start = end


def _statement(number: int, line: int, source: str, taken: set[str]) -> Statement | Problem:
    from cedarpy import PolicySet, policies_to_json_str

    if len(source) > LONGEST or _depth(source) > DEEPEST:
        return Problem("error", line, "", TOO_DEEP)
    try:
        form = policies_to_json_str(source)
    except ValueError as error:
        return Problem("error", line, "", f"does not parse: {_brief(str(error))}")
    try:
        parsed = json.loads(form)
        PolicySet.from_json_str(form)
    except (ValueError, RecursionError):
        return Problem("error", line, "", TOO_DEEP)
    if parsed["templates"]:
        return Problem("error", line, "", "a template (?principal, ?resource): write a policy without blanks")
    (tree,) = parsed["staticPolicies"].values()
    name = tree.get("annotations", {}).get("id", f"policy{number}")
    if not isinstance(name, str) or not _id.fullmatch(name):
        return Problem("error", line, "", "@id: letters, digits, dots and dashes are needed, at most 64")
    if name in taken:
        return Problem("error", line, name, "this id is given twice")
    return Statement(name, line, source, tree)


def _depth(source: str) -> int:
    depth = deepest = 0
    for match in _bracket.finditer(source):
        depth += (match[0] in "([{") - (match[0] in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _invalid(each: Statement) -> Iterator[Problem]:
    from cedarpy import validate_policies

    # What is wrong for one action is wrong for all: one message is enough.
    found = [
        _each_action.sub("", _prefix.sub("", error.error)) for error in validate_policies(each.text, schema()).errors
    ]
    for message in dict.fromkeys(map(_brief, found or _mixed(each.tree))):
        hint = ' (a word is written as Kind::"config", not as "config")' if "String" in message else ""
        yield Problem("error", each.line, each.id, message + hint)


def _mixed(tree: dict[str, Any]) -> Iterator[str]:
    """Words of one type compared with those of another: to Cedar that is never equal, and no mistake."""
    for node in nodes(tree):
        for operator in COMPARISONS & node.keys() if isinstance(node, dict) else ():
            sides = node[operator].values()
            attributes = {side["."]["attr"] for side in sides if "." in side}
            words = {str(part["__entity"]["type"]) for side in sides for part in nodes(side) if _is_word(part)}
            meant = {TYPES[name] for name in attributes if name in TYPES}
            if len(meant | words) > 1 and meant:
                yield f"compares {' and '.join(sorted(meant | words))}, which are never equal"


def _is_word(part: Any) -> bool:
    return isinstance(part, dict) and "__entity" in part


def nodes(tree: Any) -> Iterator[Any]:
    """Every part of Cedar's JSON form."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, dict):
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def _brief(message: str) -> str:
    return " ".join(message.split())[:200]


def _listed(words: Any) -> str:
    return ", ".join(f'"{word}"' for word in words)
