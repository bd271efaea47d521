"""Whether text stands out: colours of CSS, the contrast between them, and focus that can be seen."""

from __future__ import annotations

import colorsys
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from plantwin.private.capabilities.check_accessibility.css import StyleSheet
from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules

RULES = Rules("accessibility")
Color = tuple[float, float, float, float]
"""Red, green, blue between 0 and 255, and opacity between 0 and 1."""
WHITE: Color = (255.0, 255.0, 255.0, 1.0)
BLACK: Color = (0.0, 0.0, 0.0, 1.0)
MOST_PAIRS = 60
"""Pairs of colours of one page that are reported."""
_FUNCTION = re.compile(r"(rgb|hsl)a?\(\s*([^()]{1,80})\)")
_NUMBER = re.compile(r"[+-]?[\d.]{1,20}(?:e-?\d)?(?:%|deg)?")
_COLOR_WORD = re.compile(r"#[0-9a-f]{3,8}\b|(?:rgba?|hsla?)\([^()]{1,80}\)|[a-z]{3,30}")
_BOLD_TAGS = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"))
_TAG_SIZES = {"h1": 32.0, "h2": 24.0, "h3": 18.72}
_NO_TEXT = ("script", "style", "title", "option", "template", "noscript", "head")
_FIELDS = ("button", "input", "select", "textarea")
_FOCUS_STYLES = frozenset(("box-shadow", "border", "background-color", "background", "text-decoration"))
_FOCUSED = re.compile(r":focus(?!-visible|-within)|^\*|(?:^|,\s*)(?:a|button|input|select|textarea)\b")


@dataclass(slots=True)
class Look:
    """What is known of an element's colours and size, inherited from those around it."""

    text: Color | None = BLACK
    ground: Color | None = WHITE
    size: float = 16.0
    bold: bool = False
    text_stated: bool = False
    ground_stated: bool = False
    displayed: bool = True

    @property
    def wanted(self) -> float:
        """The least contrast by WCAG 1.4.3: large text is 18 points, or 14 and bold."""
        return 3.0 if self.size >= 24 or (self.bold and self.size >= 18.66) else 4.5


def findings(page: Page, sheet: StyleSheet, *, sheets_missing: bool) -> Iterator[Finding]:
    """Yield text of low contrast. With style sheets that are not at hand, only where both colours are stated."""
    looks: dict[int, Look] = {}
    seen: set[tuple[str, str, float]] = set()
    partial = sheets_missing or sheet.incomplete or page.document is None
    disabled = _disabled_ids(page)
    for element in page.elements:
        look = looks[id(element)] = _look(element, sheet, looks.get(id(element.parent), Look()))
        if sheet.matches_left < 0:
            return
        if not _shows_text(element, disabled) or not look.displayed or look.text is None or look.ground is None:
            continue
        stated = (look.text_stated, look.ground_stated)
        if not (all(stated) if partial else any(stated)) or element.hidden:
            continue
        ratio = contrast(over(look.text, look.ground), look.ground)
        key = (shown(look.text), shown(look.ground), look.wanted)
        if ratio < look.wanted and key not in seen and len(seen) < MOST_PAIRS:
            seen.add(key)
            yield _low_contrast(element.line, look.text, look.ground, ratio, look.wanted)


def sheet_findings(sheet: StyleSheet, *, alone: bool) -> Iterator[Finding]:
    """Yield what rules tell by themselves: focus made invisible, and, in a file of its own, both colours in a rule."""
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
        if not alone or re.search(r"disabled|::|placeholder", selectors):
            continue
        text = color(sheet.resolved(style.get("color", "")))
        ground = color(sheet.resolved(style.get("background-color", style.get("background", ""))))
        if text is None or ground is None or ground[3] < 1 or text[3] < 1 or shown(text) == shown(ground):
            continue
        ratio = contrast(text, ground)
        wanted = 3.0 if _size(style.get("font-size", ""), 16.0, "") >= 24 else 4.5
        if ratio < wanted:
            yield _low_contrast(line, text, ground, ratio, wanted)


def _low_contrast(line: int, text: Color, ground: Color, ratio: float, wanted: float) -> Finding:
    return RULES.found(
        "A11Y-CONTRAST", line, text=shown(text), ground=shown(ground), ratio=f"{ratio:.2f}", wanted=f"{wanted:g}"
    )


def _shows_text(element: Element, disabled: set[str]) -> bool:
    """Tell whether an element shows words, and not those of a control that is disabled (WCAG 1.4.3)."""
    text = element.own_text.strip(DYNAMIC).strip()
    # One sign on a control with a name of its own is a picture: X for close.
    if not text or element.tag in _NO_TEXT or (len(text) == 1 and element.has("aria-label")):
        return False
    if disabled & {element.get("id"), element.get("for")} - {""}:
        return False
    around = [element, *element.ancestors()]
    if any(_is_disabled(each) for each in around):
        return False
    label = next((each for each in around if each.tag == "label"), None)
    return label is None or not any(_is_disabled(inner) for inner in label.descendants())


def _is_disabled(element: Element) -> bool:
    return (element.has("disabled") and not element.spread) or element.get("aria-disabled") == "true"


def _disabled_ids(page: Page) -> set[str]:
    """Return the ids of disabled controls, and of what labels them."""
    controls = [element for element in page.elements if _is_disabled(element)]
    return {id_ for each in controls for id_ in (each.get("id"), *each.get("aria-labelledby").split()) if id_}


def _look(element: Element, sheet: StyleSheet, outer: Look) -> Look:
    look = replace(outer)
    style = sheet.style_of(element)
    if element.tag == "font" and element.get("color"):
        style.setdefault("color", element.get("color"))
    if element.component or DYNAMIC in element.get("style") or (DYNAMIC in element.get("class") and sheet.rules):
        look.text = look.ground = None
    # Browsers give links and fields colours of their own.
    if element.tag in ("a", *_FIELDS) and "color" not in style:
        look.text = None
    if element.tag in _FIELDS and not {"background", "background-color"} & style.keys():
        look.ground = None
    if element.get("bgcolor"):
        style.setdefault("background-color", element.get("bgcolor"))
    if style.get("color", "inherit") not in ("inherit", "currentcolor"):
        look.text = color(sheet.resolved(style["color"]))
        look.text_stated = True
    for name in ("background", "background-color", "background-image"):
        if name in style:
            _set_ground(look, name, sheet.resolved(style[name]).strip().lower(), outer)
    if style.get("text-shadow", "none") != "none":
        look.text = None
    if style.get("opacity", "1").strip() not in ("1", "100%", "1.0"):
        look.text = None
    if style.get("display") == "none" or style.get("visibility") == "hidden":
        look.displayed = False
    look.size = _size(style.get("font-size", ""), outer.size, element.tag)
    weight = style.get("font-weight", "")
    if weight:
        look.bold = weight in ("bold", "bolder") or (weight.isdigit() and int(weight) >= 700)
    else:
        look.bold = outer.bold or element.tag in _BOLD_TAGS
    return look


def _set_ground(look: Look, name: str, value: str, outer: Look) -> None:
    if value in ("none", "inherit", "initial", "unset", "transparent"):
        return
    look.ground_stated = True
    look.ground = None
    if "url(" in value or "gradient" in value or name == "background-image":
        return
    colours = [color(value), *map(color, _COLOR_WORD.findall(value))]
    ground = next(filter(None, colours), None)
    if ground is not None and ground[3] < 1:
        look.ground = over(ground, outer.ground) if outer.ground is not None else None
    else:
        look.ground = ground


def _size(text: str, outer: float, tag: str) -> float:
    match = re.fullmatch(r"([\d.]{1,8})(px|pt|em|rem|%)", text.strip())
    if match is None:
        return _TAG_SIZES.get(tag, outer)
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


def over(front: Color, back: Color) -> Color:
    """Return a colour as it is seen upon another."""
    red, green, blue = (front[part] * front[3] + back[part] * (1 - front[3]) for part in range(3))
    return (red, green, blue, 1.0)


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
