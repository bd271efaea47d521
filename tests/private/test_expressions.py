"""Expressions mean the same on every supported Python."""

from __future__ import annotations

import random
import re
from pathlib import Path

import plantwin
from plantwin import expressions
from tables import cases

ATOMS = ("a", "b", "c", "[ab]", "[^a]", "[)]", "[]a]", r"\)", r"\(", "b?", "a*+", "[ab]*")


@cases("pattern", "text", "end")
def test_a_repetition_that_fails_is_not_part_of_the_match(pattern: str, text: str, end: int) -> None:
    found = expressions.compile(pattern).match(text)
    assert found is not None and found.end() == end
    as_bytes = expressions.compile(pattern.encode()).match(text.encode())
    assert as_bytes is not None and as_bytes.end() == end


def test_only_possessive_groups_are_repaired() -> None:
    assert expressions.repaired(r"(?:a)*+(b)?[)]*+\)*+(?:c){2}+(?:d)+") == (
        r"(?:a|(?!))*+(b)?[)]*+\)*+(?:c|(?!)){2}+(?:d)+"
    )
    assert expressions.repaired("é(?:ü)?+") == "é(?:ü|(?!))?+"


def _generated(source: random.Random, depth: int = 0) -> str:
    choice = source.random()
    if depth > 3 or choice < 0.35:
        return source.choice(ATOMS)
    inner = _generated(source, depth + 1)
    if choice < 0.55:
        return inner + _generated(source, depth + 1)
    if choice < 0.65:
        return f"(?:{inner}|{_generated(source, depth + 1)})"
    if choice < 0.95:
        return f"(?:{inner}){source.choice(['*+', '++', '?+', '{1,3}+', '{0,2}+', '*', '?'])}"
    return f"{inner}(?{source.choice('=!')}{_generated(source, depth + 2)})"


def test_the_repair_changes_no_meaning() -> None:
    """Against a matcher of our own: a possessive group takes the repetitions that it can, and gives none back."""
    source = random.Random(20)
    for _ in range(3000):
        pattern = _generated(source)
        text = "".join(source.choice("aabbc()") for _ in range(source.randrange(9)))
        plain = [match.span() for match in re.compile(expressions.repaired(pattern)).finditer(text)]
        # Spelled as an atomic group, which every Python gets right.
        atomic = [match.span() for match in re.compile(_atomic(pattern)).finditer(text)]
        assert plain == atomic, (pattern, text)


def _atomic(pattern: str) -> str:
    """Each possessive group as an atomic group around a repetition of atomic groups."""
    opened: list[int] = []
    made = ""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            made += pattern[at : at + 2]
            at += 2
        elif pattern[at] == "[":
            end = pattern.index("]", at + 2)
            made += pattern[at : end + 1]
            at = end + 1
        elif pattern[at] == "(":
            opened.append(len(made))
            made += "("
            at += 1
        elif pattern[at] == ")":
            begin = opened.pop()
            made += ")"
            at += 1
            if many := re.compile(r"([*+?]|\{[0-9,]+\})\+").match(pattern, at):
                made = f"{made[:begin]}(?>(?>{made[begin:]}){many[1]})"
                at = many.end()
        else:
            made += pattern[at]
            at += 1
    return made


def test_no_other_module_compiles_such_expressions_by_itself() -> None:
    possessive = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
    folder = Path(plantwin.__file__).parent
    wrong = [
        path.name
        for path in sorted(folder.rglob("*.py"))
        if path.name != "expressions.py"
        and possessive.search(text := path.read_text())
        and re.search(r"(?<![\w.])re\.compile\(", text)
    ]
    assert wrong == []
