"""Style sheets: rules with their selectors, and which of them hold for an element."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.accessibility.element import Element

MOST = 5000
"""Rules that are looked at."""
LONGEST = 20_000
"""Characters of one rule."""
TRIES = 400_000
"""Comparisons of an element with a selector, at most."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION = re.compile(r"([-\w]{1,80})\s*:\s*([^;]{1,2000})")
_COMPOUND = re.compile(r"([#.]?)([A-Za-z_][\w-]{0,120})|(\*)")
_UNUSUAL = re.compile(r"::|:(?!root\b|link\b|not\()|\[|\+|~|&|@|\|\|")
WANTED = frozenset(
    (
        "color",
        "background",
        "background-color",
        "background-image",
        "font-size",
        "font-weight",
        "outline",
        "outline-style",
        "outline-width",
        "box-shadow",
        "border",
        "text-decoration",
        "opacity",
        "display",
        "visibility",
    )
)
Compound = tuple[str, str, tuple[str, ...]]
"""Tag, id and classes."""


class Rule(NamedTuple):
    """One rule for one selector."""

    selector: str
    parts: tuple[tuple[str, Compound], ...]
    """Combinators and compounds, the last one first."""
    weight: tuple[int, int, int, int]
    declarations: dict[str, str]
    line: int

    def __repr__(self) -> str:
        return "<Rule private>"


class Sheet:
    """All rules of an object, by what their last part names."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.by_last: dict[str, list[Rule]] = {}
        self.variables: dict[str, str] = {}
        self.plain: list[tuple[str, dict[str, str], int]] = []
        """Every rule as it is written, those that are not matched included."""
        self.tries = TRIES
        self.unknown = False
        """Whether some rule that sets colours could not be read."""

    def read(self, text: str, line: int) -> None:
        """Add the rules of a style sheet."""
        text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        flat = _unwrapped(text)
        counted, here = 0, line
        for start, selectors, body in _rules(flat):
            if len(self.plain) >= MOST:
                self.unknown = True
                return
            here += flat.count("\n", counted, start)
            counted = start
            given = {name.lower(): value.strip() for name, value in _DECLARATION.findall(body[:LONGEST])}
            for name, value in given.items():
                if name.startswith("--"):
                    # A theme that sets it anew makes it unknowable.
                    self.variables[name] = value if self.variables.get(name, value) == value else "unknown"
            kept = {name: value for name, value in given.items() if name in WANTED}
            self.plain.append((selectors.strip(), kept, here))
            for selector in selectors.split(","):
                self._add(selector.strip(), kept, here)

    def _add(self, selector: str, kept: dict[str, str], line: int) -> None:
        if not kept or not selector:
            return
        if _UNUSUAL.search(selector) or len(selector) > 300:
            if {"color", "background", "background-color"} & kept.keys() and not re.search(
                r":(?:hover|focus|active|visited|before|after|first|last|nth|disabled|checked|placeholder|selection)|::",
                selector,
            ):
                self.unknown = True
            return
        parts = _parts(
            re.sub(
                r":(?:root|link)\b|:not\([^)]{0,200}\)", lambda match: "html" if match[0] == ":root" else "", selector
            )
        )
        if not parts:
            return
        tag, id_, classes = parts[0][1]
        weight = (
            sum(bool(part[1][1]) for part in parts),
            sum(len(part[1][2]) for part in parts),
            sum(bool(part[1][0]) for part in parts),
            len(self.rules),
        )
        rule = Rule(selector, parts, weight, kept, line)
        self.rules.append(rule)
        self.by_last.setdefault(f"#{id_}" if id_ else f".{classes[0]}" if classes else tag or "*", []).append(rule)

    def value(self, text: str) -> str:
        """A value with its variables filled in."""
        for _ in range(5):
            match = re.search(r"var\(\s*(--[\w-]{1,120})\s*(?:,\s*([^()]{0,200}))?\)", text)
            if match is None:
                return text
            text = text[: match.start()] + self.variables.get(match[1], match[2] or "unknown") + text[match.end() :]
        return text

    def of(self, element: Element) -> dict[str, str]:
        """The declarations that hold for an element, its own style included."""
        found: list[Rule] = []
        keys = [element.tag, "*", *(f".{name}" for name in element.get("class").split()[:30])]
        if element.get("id"):
            keys.append(f"#{element.get('id')}")
        for key in keys:
            for rule in self.by_last.get(key, ()):
                self.tries -= 1
                if self.tries < 0:
                    return {}
                if _matches(rule, element):
                    found.append(rule)
        found.sort(key=lambda rule: rule.weight)
        merged: dict[str, str] = {}
        firm: dict[str, str] = {}
        for rule in found:
            for name, value in rule.declarations.items():
                (firm if "!important" in value else merged)[name] = value.replace("!important", "").strip()
        merged |= {name.lower(): value.strip() for name, value in _DECLARATION.findall(element.get("style")[:5000])}
        return merged | firm


def _rules(text: str) -> Iterator[tuple[int, str, str]]:
    """Where each innermost rule starts, its selectors, and what stands in its braces."""
    at = 0
    while True:
        opening = text.find("{", at)
        closing = text.find("}", opening + 1)
        if opening < 0 or closing < 0:
            return
        inner = text.find("{", opening + 1, closing)
        if inner >= 0:
            at = opening + 1
            continue
        start = max(at, opening - LONGEST, text.rfind(";", at, opening) + 1, text.rfind("}", at, opening) + 1)
        selectors = text[start:opening]
        yield start + len(selectors) - len(selectors.lstrip()), selectors[-2000:], text[opening + 1 : closing]
        at = closing + 1


def _unwrapped(text: str) -> str:
    """Rules inside `@layer`, `@supports` and screens as if they stood alone; those of print and dark are blank."""
    parts: list[str] = []
    at = 0
    for match in re.finditer(r"@[\w-]{1,40}[^{};]{0,400}\{", text):
        if match.start() < at:
            continue
        depth, end = 1, match.end()
        for brace in re.compile(r"[{}]").finditer(text, match.end()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                end = brace.end()
                break
        else:
            end = len(text)
        inside = text[match.end() : max(match.end(), end - 1)]
        keep = re.match(r"@(?:layer|supports|media\s+(?:only\s+)?(?:all|screen)\s*\{)", match[0]) is not None
        parts += [
            text[at : match.start()],
            re.sub(r"[^\n]", " ", match[0]),
            inside if keep else re.sub(r"[^\n]", " ", inside),
            " ",
        ]
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _parts(selector: str) -> tuple[tuple[str, Compound], ...]:
    found: list[tuple[str, Compound]] = []
    combinator = ""
    for word in re.split(r"\s*(>)\s*|\s+", selector):
        if word is None or word == "":
            continue
        if word == ">":
            combinator = ">"
            continue
        tag, id_, classes = "", "", []
        for mark, name, _ in _COMPOUND.findall(word):
            if mark == "#":
                id_ = name
            elif mark == ".":
                classes.append(name)
            elif name:
                tag = name.lower()
        found.append((combinator or " ", (tag, id_, tuple(classes))))
        combinator = ""
    return tuple(reversed(found[-8:]))


def _fits(compound: Compound, element: Element) -> bool:
    tag, id_, classes = compound
    if (tag and tag != element.tag) or (id_ and id_ != element.get("id")):
        return False
    return not classes or set(classes) <= set(element.get("class").split())


def _matches(rule: Rule, element: Element) -> bool:
    if not _fits(rule.parts[0][1], element):
        return False
    here: Element | None = element
    for at in range(1, len(rule.parts)):
        combinator = rule.parts[at - 1][0]
        here = here.parent if here is not None else None
        if combinator == " ":
            left = 60
            while here is not None and left and not _fits(rule.parts[at][1], here):
                here = here.parent
                left -= 1
        if here is None or not _fits(rule.parts[at][1], here):
            return False
    return True
