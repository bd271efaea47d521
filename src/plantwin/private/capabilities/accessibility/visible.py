"""Whether text stands out: contrast from styles, and focus that can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.accessibility.colors import BLACK, WHITE, Color, color, contrast, over, shown
from plantwin.private.capabilities.accessibility.element import DYNAMIC, Element, Page
from plantwin.private.capabilities.accessibility.styles import Sheet
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_BOLD = frozenset(("b", "strong", "h1", "h2", "h3", "h4", "h5", "h6", "th"))
_SIZES = {"h1": 32.0, "h2": 24.0, "h3": 18.72}
MOST = 60
"""Pairs of colours of one page that are reported."""


class Look:
    """What is known of an element's colours, from those around it."""

    __slots__ = ("back", "bold", "clear", "front", "size", "stated")

    def __init__(self) -> None:
        self.front: Color | None = BLACK
        self.back: Color | None = WHITE
        self.size = 16.0
        self.bold = False
        self.stated = [False, False]
        """Whether the colours of text and ground are set at all."""
        self.clear = True
        """Whether it is shown."""


def issues(page: Page, sheet: Sheet, linked: bool) -> Iterator[Issue]:
    """Text of low contrast. With style sheets that are not at hand, only where both colours are stated."""
    looks: dict[int, Look] = {}
    seen: set[tuple[str, str, str]] = set()
    start = Look()
    for each in page.root.within():
        above = looks.get(id(each.parent), start) if each.parent is not None else start
        look = _look(each, sheet, above)
        if sheet.tries < 0:
            return
        looks[id(each)] = look
        text = each.own_text.strip()
        if (
            not text
            or text == DYNAMIC * len(text)
            or not look.clear
            or each.tag in ("script", "style", "title", "option", "template", "noscript", "head")
            or (each.has("disabled") and not each.spread)
        ):
            continue
        if look.front is None or look.back is None or not any(look.stated) or each.hidden:
            continue
        if (linked or sheet.unknown or page.document is None) and not all(look.stated):
            continue
        ratio = contrast(over(look.front, look.back), look.back)
        large = look.size >= 24 or (look.bold and look.size >= 18.66)
        wanted = 3.0 if large else 4.5
        key = (shown(look.front), shown(look.back), str(large))
        if ratio < wanted and key not in seen and len(seen) < MOST:
            seen.add(key)
            severity = _S.HIGH if ratio < 2 else _S.MEDIUM
            yield Issue(
                each.line,
                severity,
                _T.LOW_CONTRAST,
                "WCAG 1.4.3",
                f"Text in {key[0]} on {key[1]} has a contrast of {ratio:.2f}:1, less than {wanted:g}:1",
                "Use a darker or lighter colour.",
            )


def _look(each: Element, sheet: Sheet, above: Look) -> Look:
    made = Look()
    made.front, made.back, made.size, made.bold, made.stated, made.clear = (
        above.front,
        above.back,
        above.size,
        above.bold,
        list(above.stated),
        above.clear,
    )
    found = sheet.of(each)
    if each.component or DYNAMIC in each.get("style") or (DYNAMIC in each.get("class") and sheet.rules):
        made.front = made.back = None
    if each.tag in ("a", "button", "input", "select", "textarea") and "color" not in found:
        # Browsers give these colours of their own.
        made.front = None
    if each.tag in ("button", "input", "select", "textarea") and not {"background", "background-color"} & found.keys():
        made.back = None
    if each.tag == "font" and each.get("color"):
        found.setdefault("color", each.get("color"))
    if each.get("bgcolor"):
        found.setdefault("background-color", each.get("bgcolor"))
    if "color" in found and found["color"] not in ("inherit", "currentcolor"):
        made.front = color(sheet.value(found["color"]))
        made.stated[0] = True
    for name in ("background", "background-color", "background-image"):
        if name in found:
            _ground(made, name, sheet.value(found[name]), above)
    if found.get("opacity", "1").strip() not in ("1", "100%", "1.0"):
        made.front = None
    if found.get("display") == "none" or found.get("visibility") == "hidden":
        made.clear = False
    made.size = _size(found.get("font-size", ""), above.size, each.tag)
    weight = found.get("font-weight", "")
    made.bold = (
        (weight in ("bold", "bolder") or (weight.isdigit() and int(weight) >= 700))
        if weight
        else above.bold or each.tag in _BOLD
    )
    return made


def _ground(made: Look, name: str, value: str, above: Look) -> None:
    value = value.strip().lower()
    if value in ("none", "inherit", "initial", "unset", "transparent"):
        return
    if "url(" in value or "gradient" in value or name == "background-image":
        made.back = None
        made.stated[1] = True
        return
    found = color(value)
    if found is None:
        words = re.findall(r"#[0-9a-f]{3,8}\b|(?:rgba?|hsla?)\([^()]{1,80}\)|[a-z]{3,30}", value)
        found = next((known for word in words if (known := color(word)) is not None), None)
    if found is None:
        made.back = None
    elif found[3] < 1:
        made.back = over(found, above.back) if above.back is not None else None
    else:
        made.back = found
    made.stated[1] = True


def _size(text: str, above: float, tag: str) -> float:
    match = re.fullmatch(r"([\d.]{1,8})(px|pt|em|rem|%)", text.strip())
    if match is None:
        return _SIZES.get(tag, above)
    try:
        number = float(match[1])
    except ValueError:
        return above
    return number * {"px": 1.0, "pt": 4 / 3, "em": above, "rem": 16.0, "%": above / 100}[match[2]]


def sheet_issues(sheet: Sheet, *, alone: bool) -> Iterator[Issue]:
    """What rules tell by themselves: focus made invisible, and both colours in one rule."""
    focus = any(
        re.search(r":focus", selector)
        and ({"outline", "box-shadow", "border", "background-color", "background", "text-decoration"} & kept.keys())
        and not re.match(r"(?:none|0)\b", kept.get("outline", "set"))
        for selector, kept, _ in sheet.plain
    )
    for selector, kept, line in sheet.plain:
        gone = re.match(r"(?:none|0(?:px)?)(?:\s|$|!)", kept.get("outline", "")) or kept.get("outline-style") == "none"
        if (
            gone
            and re.search(r":focus(?!-visible|-within)|^\*|(?:^|,\s*)(?:a|button|input|select|textarea)\b", selector)
            and not {"box-shadow", "border", "background-color", "background", "text-decoration"} & kept.keys()
            and not focus
            and ":not(:focus-visible)" not in selector
        ):
            yield Issue(
                line,
                _S.MEDIUM,
                _T.KEYBOARD_ACCESS,
                "WCAG 2.4.7",
                "The outline of what has focus is removed and nothing takes its place",
                "Style :focus-visible.",
            )
        if not alone or "color" not in kept:
            continue
        front = color(sheet.value(kept["color"]))
        back = color(sheet.value(kept.get("background-color", kept.get("background", ""))))
        if (
            front is None
            or back is None
            or back[3] < 1
            or front[3] < 1
            or re.search(r":disabled|\.disabled|\[disabled|::|placeholder", selector)
        ):
            continue
        ratio = contrast(front, back)
        large = _size(kept.get("font-size", ""), 16.0, "") >= 24
        if ratio < (3.0 if large else 4.5) and shown(front) != shown(back):
            yield Issue(
                line,
                _S.HIGH if ratio < 2 else _S.MEDIUM,
                _T.LOW_CONTRAST,
                "WCAG 1.4.3",
                f"Text in {shown(front)} on {shown(back)} has a contrast of {ratio:.2f}:1",
                "Use a darker or lighter colour.",
            )
