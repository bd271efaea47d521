"""Style sheets: rules with their selectors, which of them apply to an element, and the variables that they set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.capabilities.check_accessibility.elements import Element
from plantwin.private.facts import private
from plantwin.private.formats.values import words

MOST_RULES = 5000
LONGEST = 20_000
"""Characters of one rule."""
MOST_MATCHES = 400_000
"""Comparisons of an element with a selector, at most."""
DEEPEST = 60
"""Ancestors that a descendant selector looks at."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION = re.compile(r"([-\w]{1,80})\s*:\s*([^;]{1,2000})")
_COMPOUND = re.compile(r"([#.]?)([A-Za-z_][\w-]{0,120})|(\*)")
_UNSUPPORTED = re.compile(r"::|:(?!root\b|link\b|not\()|\[|\+|~|&|@|\|\|")
_STATES = re.compile(
    r":(?:hover|focus|active|visited|before|after|first|last|nth|disabled|checked|placeholder|selection)|::"
)
_AT_RULE = re.compile(r"@[\w-]{1,40}[^{};]{0,400}\{")
_KEPT_AT_RULE = re.compile(r"@(?:layer|supports|media\s+(?:only\s+)?(?:all|screen)\s*\{)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]{1,120})\s*(?:,\s*([^()]{0,200}))?\)")
PROPERTIES = words(
    "color background background-color background-image font-size font-weight outline outline-style outline-width"
    " box-shadow border text-decoration opacity display visibility"
)


class Compound(NamedTuple):
    """The part of a selector that speaks of one element."""

    tag: str
    id: str
    classes: frozenset[str]
    child: bool
    """Whether its parent must match the part before, not just an ancestor."""

    def matches(self, element: Element) -> bool:
        """Tell whether an element is meant."""
        if (self.tag and self.tag != element.tag) or (self.id and self.id != element.get("id")):
            return False
        return not self.classes or self.classes.issubset(element.get("class").split())


@private
class StyleRule(NamedTuple):
    """One rule for one selector."""

    compounds: tuple[Compound, ...]
    """The last part of the selector first."""
    specificity: tuple[int, int, int, int]
    """Ids, classes, tags, and the order of appearance."""
    declarations: dict[str, str]

    def matches(self, element: Element) -> bool:
        """Tell whether the whole selector matches an element."""
        if not self.compounds[0].matches(element):
            return False
        here: Element | None = element
        for inner, compound in zip(self.compounds, self.compounds[1:], strict=False):
            here = here.parent if here is not None else None
            for _ in range(0 if inner.child else DEEPEST):
                if here is None or compound.matches(here):
                    break
                here = here.parent
            if here is None or not compound.matches(here):
                return False
        return True


@private
class Block(NamedTuple):
    """One block of declarations as it is written, with all its selectors."""

    selectors: str
    declarations: dict[str, str]
    line: int


class StyleSheet:
    """All rules of an object, by what their last part names."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.rules: dict[str, list[StyleRule]] = {}
        self.variables: dict[str, str] = {}
        self.matches_left = MOST_MATCHES
        self.incomplete = False
        """Whether some rule that sets colours could not be read."""

    def read(self, text: str, line: int) -> None:
        """Add the rules of a style sheet."""
        flat = _unwrapped(_COMMENT.sub(lambda comment: _blank(comment[0]), text))
        counted = 0
        for start, selectors, body in _innermost_blocks(flat):
            if len(self.blocks) >= MOST_RULES:
                self.incomplete = True
                return
            line += flat.count("\n", counted, start)
            counted = start
            given = {name.lower(): value.strip() for name, value in _DECLARATION.findall(body[:LONGEST])}
            for name, value in given.items():
                if name.startswith("--"):
                    # A theme that sets it anew makes it unknowable.
                    self.variables[name] = value if self.variables.get(name, value) == value else "unknown"
            declarations = {name: value for name, value in given.items() if name in PROPERTIES}
            self.blocks.append(Block(selectors.strip(), declarations, line))
            for selector in selectors.split(","):
                if declarations and selector.strip():
                    self._add(selector.strip(), declarations)

    def _add(self, selector: str, declarations: dict[str, str]) -> None:
        if _UNSUPPORTED.search(selector) or len(selector) > 300:
            colours = {"color", "background", "background-color"} & declarations.keys()
            self.incomplete = self.incomplete or bool(colours and not _STATES.search(selector))
            return
        plain = re.sub(r":not\([^)]{0,200}\)|:link\b", "", selector.replace(":root", "html"))
        compounds = _compounds(plain)
        if not compounds:
            return
        last = compounds[0]
        specificity = (
            sum(bool(compound.id) for compound in compounds),
            sum(len(compound.classes) for compound in compounds),
            sum(bool(compound.tag) for compound in compounds),
            len(self.blocks),
        )
        key = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag or "*"
        self.rules.setdefault(key, []).append(StyleRule(compounds, specificity, declarations))

    def resolved(self, value: str) -> str:
        """Return a value with its variables filled in."""
        for _ in range(5):
            match = _VARIABLE.search(value)
            if match is None:
                break
            known = self.variables.get(match[1], match[2] or "unknown")
            value = value[: match.start()] + known + value[match.end() :]
        return value

    def style_of(self, element: Element) -> dict[str, str]:
        """Return the declarations that apply to an element, its own `style` included."""
        keys = [element.tag, "*", *(f".{name}" for name in element.get("class").split()[:30])]
        if element.get("id"):
            keys.append(f"#{element.get('id')}")
        matching: list[StyleRule] = []
        for rule in (rule for key in keys for rule in self.rules.get(key, ())):
            self.matches_left -= 1
            if self.matches_left < 0:
                return {}
            if rule.matches(element):
                matching.append(rule)
        normal: dict[str, str] = {}
        important: dict[str, str] = {}
        for rule in sorted(matching, key=lambda rule: rule.specificity):
            for name, value in rule.declarations.items():
                (important if "!important" in value else normal)[name] = value.replace("!important", "").strip()
        own = {name.lower(): value.strip() for name, value in _DECLARATION.findall(element.get("style")[:5000])}
        return normal | own | important


def _innermost_blocks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where each innermost block starts, its selectors, and what stands in its braces."""
    at = 0
    while True:
        opening = text.find("{", at)
        closing = text.find("}", opening + 1)
        if opening < 0 or closing < 0:
            return
        if text.find("{", opening + 1, closing) >= 0:
            at = opening + 1
            continue
        start = max(at, opening - LONGEST, text.rfind(";", at, opening) + 1, text.rfind("}", at, opening) + 1)
        selectors = text[start:opening]
        yield start + len(selectors) - len(selectors.lstrip()), selectors[-2000:], text[opening + 1 : closing]
        at = closing + 1


def _unwrapped(text: str) -> str:
    """Return the rules inside `@layer`, `@supports` and screens as if they stood alone, without print and dark."""
    parts: list[str] = []
    at = 0
    for match in _AT_RULE.finditer(text):
        if match.start() < at:
            continue
        end = _end_of_block(text, match.end())
        inside = text[match.end() : max(match.end(), end - 1)]
        kept = inside if _KEPT_AT_RULE.match(match[0]) else _blank(inside)
        parts += [text[at : match.start()], _blank(match[0]), kept, " "]
        at = end
    return "".join([*parts, text[at:]])


def _end_of_block(text: str, start: int) -> int:
    depth = 1
    for brace in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(text)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _compounds(selector: str) -> tuple[Compound, ...]:
    found: list[Compound] = []
    child = False
    for word in filter(None, re.split(r"\s*(>)\s*|\s+", selector)):
        if word == ">":
            child = True
            continue
        tag, id_, classes = "", "", []
        for mark, name, _ in _COMPOUND.findall(word):
            if mark == "#":
                id_ = name
            elif mark == ".":
                classes.append(name)
            elif name:
                tag = name.lower()
        found.append(Compound(tag, id_, frozenset(classes), child))
        child = False
    return tuple(reversed(found[-8:]))
