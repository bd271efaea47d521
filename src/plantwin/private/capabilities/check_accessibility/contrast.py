"""Whether text stands out: contrast between the colours that one rule or attribute states, and focus that can be seen.

Colours that an element gets from several rules are left to a browser's tools: without layout and every style sheet they
can only be guessed.
"""

from __future__ import annotations

import colorsys
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.facts import private
from plantwin.vocabulary import Severity

RULES = Rules("accessibility")
Color = tuple[float, float, float, float]
"""Red, green, blue between 0 and 255, and opacity between 0 and 1."""
MOST_PAIRS = 60
"""Pairs of colours of one page that are reported."""
MOST_RULES = 5000
LONGEST = 20_000
"""Characters of one rule."""
_FUNCTION = re.compile(r"(rgb|hsl)a?\(\s*([^()]{1,80})\)")
_NUMBER = re.compile(r"[+-]?[\d.]{1,20}(?:e-?\d)?(?:%|deg)?")
_TAG_SIZES = {"h1": 32.0, "h2": 24.0, "h3": 18.72}
_NO_TEXT = ("script", "style", "title", "option", "template", "noscript", "head")
_FOCUS_STYLES = frozenset(("box-shadow", "border", "background-color", "background", "text-decoration"))
_FOCUSED = re.compile(r":focus(?!-visible|-within)|^\*|(?:^|,\s*)(?:a|button|input|select|textarea)\b")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION = re.compile(r"([-\w]{1,80})\s*:\s*([^;]{1,2000})")
_AT_RULE = re.compile(r"@[\w-]{1,40}[^{};]{0,400}\{")
_KEPT_AT_RULE = re.compile(r"@(?:layer|supports|media\s+(?:only\s+)?(?:all|screen)\s*\{)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]{1,120})\s*(?:,\s*([^()]{0,200}))?\)")


@private
class Block(NamedTuple):
    """One block of declarations as it is written, with all its selectors."""

    selectors: str
    declarations: dict[str, str]
    line: int


class StyleSheet:
    """The blocks of a style sheet, and the variables that it sets."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.variables: dict[str, str] = {}

    def read(self, text: str, line: int) -> None:
        """Add the rules of a style sheet."""
        flat = _unwrapped(_COMMENT.sub(lambda comment: _blank(comment[0]), text))
        counted = 0
        for start, selectors, body in _innermost_blocks(flat):
            if len(self.blocks) >= MOST_RULES:
                return
            line += flat.count("\n", counted, start)
            counted = start
            declarations = _declarations(body[:LONGEST])
            for name, value in declarations.items():
                if name.startswith("--"):
                    # A theme that sets it anew makes it unknowable.
                    self.variables[name] = value if self.variables.get(name, value) == value else "unknown"
            self.blocks.append(Block(selectors.strip(), declarations, line))

    def resolved(self, value: str) -> str:
        """Return a value with its variables filled in."""
        for _ in range(5):
            match = _VARIABLE.search(value)
            if match is None:
                break
            known = self.variables.get(match[1], match[2] or "unknown")
            value = value[: match.start()] + known + value[match.end() :]
        return value


def _declarations(text: str) -> dict[str, str]:
    pairs = _DECLARATION.findall(text)
    return {name.lower(): value.replace("!important", "").strip() for name, value in pairs}


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


def findings(page: Page, sheet: StyleSheet) -> Iterator[Finding]:
    """Yield text of low contrast by attributes: colours of one element, or without style sheets a ground around it."""
    linked = any(element.tag == "link" and "stylesheet" in element.get("rel").lower() for element in page.elements)
    alone = page.document is not None and not sheet.blocks and not linked
    seen: set[tuple[str, str]] = set()
    for element in page.elements:
        style = _own_style(element)
        if alone and style["color"] and not style["background-color"]:
            grounds = (_own_style(outer)["background-color"] for outer in element.ancestors())
            style["background-color"] = next(filter(None, grounds), "")
        finding = _low_contrast(style, sheet, element.line, _TAG_SIZES.get(element.tag, 16.0))
        if finding is None or not _shows_text(element) or element.hidden or len(seen) >= MOST_PAIRS:
            continue
        colours = (style["color"], style["background-color"])
        if colours not in seen:
            seen.add(colours)
            yield finding


def _own_style(element: Element) -> dict[str, str]:
    """Return the declarations of an element's attributes, with both colours; empty where they are not stated."""
    style = _declarations(element.get("style")[:5000])
    style.setdefault("color", element.get("color") if element.tag == "font" else "")
    style.setdefault("background-color", element.get("bgcolor") or style.get("background", ""))
    return style


def sheet_findings(sheet: StyleSheet) -> Iterator[Finding]:
    """Yield what rules tell by themselves: focus made invisible, and colours of low contrast in one rule."""
    styled = any(
        ":focus" in block.selectors
        and (_FOCUS_STYLES | {"outline"}) & block.declarations.keys()
        and not re.match(r"(?:none|0)\b", block.declarations.get("outline", "set"))
        for block in sheet.blocks
    )
    for selectors, style, line in sheet.blocks:
        no_outline = re.match(r"(?:none|0(?:px)?)(?:\s|$|!)", style.get("outline", ""))
        removed = (no_outline or style.get("outline-style") == "none") and not _FOCUS_STYLES & style.keys()
        if removed and not styled and _FOCUSED.search(selectors) and ":not(:focus-visible)" not in selectors:
            yield RULES.found("A11Y-FOCUS-VISIBLE", line)
        if not re.search(r"disabled|::|placeholder", selectors):
            tag = re.search(r"(?:^|[\s,>])(h[123])\s*(?:,|$)", selectors)
            finding = _low_contrast(style, sheet, line, _TAG_SIZES[tag[1]] if tag else 16.0)
            if finding is not None:
                yield finding


def _low_contrast(style: Mapping[str, str], sheet: StyleSheet, line: int, size: float) -> Finding | None:
    """Return the finding of a style that states both colours, too near to each other (WCAG 1.4.3)."""
    text = color(sheet.resolved(style.get("color", "")))
    ground = color(sheet.resolved(style.get("background-color") or style.get("background", "")))
    see_through = style.get("opacity", "1") not in ("1", "100%", "1.0") or style.get("text-shadow", "none") != "none"
    if text is None or ground is None or ground[3] < 1 or text[3] < 1 or see_through or shown(text) == shown(ground):
        return None
    size = _size(style.get("font-size", ""), size)
    weight = style.get("font-weight", "")
    bold = weight in ("bold", "bolder") or (weight.isdigit() and int(weight) >= 700)
    # Large text is 18 points, or 14 and bold.
    wanted = 3.0 if size >= 24 or (bold and size >= 18.66) else 4.5
    ratio = contrast(text, ground)
    if ratio >= wanted:
        return None
    severity = Severity.HIGH if ratio < 2 else Severity.MEDIUM
    values = {"text": shown(text), "ground": shown(ground), "ratio": f"{ratio:.2f}", "wanted": f"{wanted:g}"}
    return RULES.found("A11Y-CONTRAST", line, severity=severity, **values)


def _shows_text(element: Element) -> bool:
    """Tell whether an element shows words, and not those of a control that is disabled (WCAG 1.4.3)."""
    text = element.own_text.strip(DYNAMIC).strip()
    # One sign on a control with a name of its own is a picture: X for close.
    if not text or element.tag in _NO_TEXT or (len(text) == 1 and element.has("aria-label")):
        return False
    around = [element, *element.ancestors()]
    labelled = element.descendants() if element.tag == "label" else ()
    return not any(
        (other.has("disabled") and not other.spread) or other.get("aria-disabled") == "true"
        for other in (*around, *labelled)
    )


def _size(text: str, outer: float) -> float:
    match = re.fullmatch(r"([\d.]{1,8})(px|pt|em|rem|%)", text.strip())
    if match is None:
        return outer
    try:
        number = float(match[1])
    except ValueError:
        return outer
    return number * {"px": 1.0, "pt": 4 / 3, "em": outer, "rem": 16.0, "%": outer / 100}[match[2]]


@cache
def _named_colors() -> dict[str, str]:
    # CSS Color Module Level 4, named colors.
    names: dict[str, str] = json.loads(Path(__file__).with_name("named_colors.json").read_text("utf-8"))
    return names


def color(text: str) -> Color | None:
    """Return a colour; None where it cannot be known."""
    text = text.strip().lower()
    if text == "transparent":
        return (0.0, 0.0, 0.0, 0.0)
    if function := _FUNCTION.fullmatch(text):
        return _computed(function[1], function[2])
    digits = text[1:] if re.fullmatch(r"#[0-9a-f]{3,8}", text) else _named_colors().get(text, "")
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8):
        return None
    red, green, blue, opacity = bytes.fromhex(digits.ljust(8, "f"))
    return (float(red), float(green), float(blue), opacity / 255)


def _computed(function: str, arguments: str) -> Color | None:
    parts = [part for part in re.split(r"[\s,/]+", arguments.strip()) if part]
    if len(parts) not in (3, 4) or not all(map(_NUMBER.fullmatch, parts)):
        return None
    try:
        opacity = _share(parts[3]) if len(parts) == 4 else 1.0
        if function == "rgb":
            red, green, blue = (float(part[:-1]) * 2.55 if part.endswith("%") else float(part) for part in parts[:3])
        else:
            hue = float(parts[0].removesuffix("deg")) % 360 / 360
            mixed = colorsys.hls_to_rgb(hue, _share(parts[2]), _share(parts[1]))
            red, green, blue = (part * 255 for part in mixed)
    except ValueError:
        return None
    return (min(red, 255.0), min(green, 255.0), min(blue, 255.0), min(max(opacity, 0.0), 1.0))


def _share(text: str) -> float:
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _luminance(colour: Color) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = [value / 255 for value in colour[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: Color, second: Color) -> float:
    """Return the ratio between the lighter and the darker, from 1 to 21."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def shown(colour: Color) -> str:
    """Return a colour as it is written."""
    return "#" + "".join(f"{round(part):02x}" for part in colour[:3])
