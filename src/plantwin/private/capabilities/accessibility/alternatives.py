"""Text for what is seen or heard: images, controls, links, fields, media."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.accessibility.element import DYNAMIC, Element, Page
from plantwin.private.capabilities.accessibility.names import Names
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_FILE = re.compile(r"[\w-]{1,80}\.(?:png|jpe?g|gif|svg|webp|bmp|avif)", re.IGNORECASE)
_EMPTY_WORDS = words("image picture photo img icon graphic logo.png untitled spacer placeholder")
_VAGUE = re.compile(
    r"(?:click here|here|read more|more|learn more|link|this|details|continue|click|go|see more)[.…!]?", re.IGNORECASE
)
_FIELDS = words(
    "text email password search tel url number date time datetime-local month week color file range checkbox radio"
)
_PURPOSE = {"email": "email", "tel": "tel", "password": "current-password or new-password"}


def issues(page: Page, names: Names) -> Iterator[Issue]:
    """What cannot be read out."""
    for each in page.root.within():
        if each.hidden and each.tag != "img":
            continue
        match each.tag:
            case "img" | "area":
                yield from _image(each, names)
            case "image" if each.component and each.has("src") and not each.spread and "alt" not in each.attributes:
                yield Issue(
                    each.line,
                    _S.MEDIUM,
                    _T.MISSING_TEXT,
                    "WCAG 1.1.1",
                    "An Image component has no alt",
                    'Describe it, or set alt="" where it only decorates.',
                )
            case "input":
                yield from _input(each, names)
            case "select" | "textarea":
                yield from _field(each, names)
            case "button":
                if not names.has_name(each):
                    yield Issue(
                        each.line,
                        _S.HIGH,
                        _T.MISSING_TEXT,
                        "WCAG 4.1.2",
                        "A button has no text that can be read out",
                        "Add text, or aria-label.",
                    )
            case "a":
                yield from _link(each, names)
            case "iframe":
                if not each.has("title", "aria-label", "aria-labelledby") and each.get("width") not in ("0", "1"):
                    yield Issue(
                        each.line, _S.MEDIUM, _T.MISSING_TEXT, "WCAG 4.1.2", "A frame has no title", "Add title."
                    )
            case "video" | "audio":
                yield from _media(each)
            case "svg":
                if (
                    each.get("role") == "img"
                    and not names.has_name(each)
                    and not any(child.tag == "title" for child in each.elements)
                ):
                    yield Issue(
                        each.line,
                        _S.MEDIUM,
                        _T.MISSING_TEXT,
                        "WCAG 1.1.1",
                        "A drawing that stands for an image has no text",
                        "Add a title element or aria-label.",
                    )
            case "object" | "canvas":
                if not each.component and not names.has_name(each) and not each.children:
                    yield Issue(
                        each.line,
                        _S.LOW,
                        _T.MISSING_TEXT,
                        "WCAG 1.1.1",
                        f"A {each.tag} has no text in its place",
                        "Add some between its tags, or aria-label.",
                    )
            case "label":
                target = each.get("for")
                if (
                    target
                    and DYNAMIC not in target
                    and target not in names.ids
                    and not page.template
                    and not page.root.spread
                ):
                    yield Issue(
                        each.line,
                        _S.MEDIUM,
                        _T.BROKEN_REFERENCE,
                        "WCAG 1.3.1",
                        f"A label is for `{target[:60]}`, which does not exist",
                        "Correct the id.",
                    )
            case _:
                role = each.role
                if (
                    role in ("button", "link", "menuitem", "tab", "checkbox", "switch", "radio", "option")
                    and not each.component
                    and not names.has_name(each)
                ):
                    yield Issue(
                        each.line,
                        _S.HIGH,
                        _T.MISSING_TEXT,
                        "WCAG 4.1.2",
                        f"An element with role {role} has no text that can be read out",
                        "Add text, or aria-label.",
                    )
                elif role in ("dialog", "alertdialog") and not each.has("aria-label", "aria-labelledby", "title"):
                    yield Issue(
                        each.line, _S.LOW, _T.MISSING_TEXT, "WCAG 4.1.2", "A dialog has no name", "Add aria-labelledby."
                    )


def _image(each: Element, names: Names) -> Iterator[Issue]:
    if (
        each.get("role") in ("presentation", "none")
        or each.get("aria-hidden") == "true"
        or (each.hidden and "alt" not in each.attributes)
    ):
        return
    if not each.has("alt", "aria-label", "aria-labelledby") and not (each.tag == "area" and not each.has("href")):
        if each.filled("title"):
            yield Issue(each.line, _S.LOW, _T.MISSING_TEXT, "WCAG 1.1.1", "An image has a title and no alt", "Use alt.")
            return
        alone = next((outer for outer in each.above() if outer.tag in ("a", "button")), None)
        what = " and is all that its link or button holds" if alone is not None and not names.has_name(alone) else ""
        yield Issue(
            each.line,
            _S.HIGH,
            _T.MISSING_TEXT,
            "WCAG 1.1.1",
            f"An image has no alt{what}",
            'Describe it, or set alt="" where it only decorates.',
        )
        return
    told = each.get("alt").strip()
    if _FILE.fullmatch(told) or told.lower() in _EMPTY_WORDS:
        yield Issue(
            each.line,
            _S.LOW,
            _T.MISSING_TEXT,
            "WCAG 1.1.1",
            "The alt of an image does not describe it",
            "Say what it shows or does.",
        )


def _input(each: Element, names: Names) -> Iterator[Issue]:
    kind = (each.get("type") or "text").lower()
    if kind in ("hidden", DYNAMIC) and kind == "hidden":
        return
    if kind == "image" and not each.has("alt", "aria-label", "title"):
        yield Issue(
            each.line, _S.HIGH, _T.MISSING_TEXT, "WCAG 1.1.1", "An image button has no alt", "Say what it does."
        )
    elif kind == "button" and not each.has("value", "aria-label", "title", "aria-labelledby"):
        yield Issue(
            each.line, _S.HIGH, _T.MISSING_TEXT, "WCAG 4.1.2", "A button has no text that can be read out", "Add value."
        )
    elif kind in _FIELDS or kind == DYNAMIC:
        yield from _field(each, names)
        wanted = _PURPOSE.get(kind)
        if wanted and not each.has("autocomplete"):
            yield Issue(
                each.line,
                _S.LOW,
                _T.MISSING_PART,
                "WCAG 1.3.5",
                f"A field for {kind} does not state its purpose",
                f'Add autocomplete="{wanted}".',
            )
    if re.search(r"return\s+false|preventDefault", each.get("onpaste")):
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.KEYBOARD_ACCESS,
            "WCAG 3.3.8",
            "Pasting into a field is blocked, and with it password managers",
            "Remove onpaste.",
        )


def _field(each: Element, names: Names) -> Iterator[Issue]:
    if names.is_labelled(each) or each.component:
        return
    what = {"select": "A selection", "textarea": "A text area"}.get(
        each.tag, f"A field ({each.get('type') or 'text'})" if each.get("type") != DYNAMIC else "A field"
    )
    if each.filled("placeholder"):
        yield Issue(
            each.line,
            _S.HIGH,
            _T.MISSING_TEXT,
            "WCAG 3.3.2",
            f"{what} has a placeholder and no label: it vanishes when one types",
            "Add a label.",
        )
    else:
        yield Issue(
            each.line,
            _S.HIGH,
            _T.MISSING_TEXT,
            "WCAG 1.3.1",
            f"{what} has no label",
            "Add a label with for, or aria-label.",
        )


def _link(each: Element, names: Names) -> Iterator[Issue]:
    if "href" not in each.attributes and not each.spread:
        return
    if not names.has_name(each):
        yield Issue(
            each.line,
            _S.HIGH,
            _T.MISSING_TEXT,
            "WCAG 2.4.4",
            "A link has no text that can be read out",
            "Add text, or aria-label.",
        )
        return
    told = " ".join(each.text.split())
    if _VAGUE.fullmatch(told) and not each.has("aria-label", "aria-labelledby", "title", "aria-describedby"):
        yield Issue(
            each.line,
            _S.LOW,
            _T.MISSING_TEXT,
            "WCAG 2.4.4",
            "The text of a link does not say where it leads",
            "Name the target.",
        )
    target = each.get("href").strip().lower()
    if (target == "#" or target.startswith("javascript:")) and each.get("role") not in ("button", "tab", "menuitem"):
        yield Issue(
            each.line,
            _S.LOW,
            _T.KEYBOARD_ACCESS,
            "WCAG 4.1.2",
            "A link leads nowhere and acts as a button",
            "Use a button.",
        )


def _media(each: Element) -> Iterator[Issue]:
    tracks = [child.get("kind") for child in each.within() if child.tag == "track"]
    if each.spread or any(child.component for child in each.within()):
        return
    if (
        each.tag == "video"
        and not {"captions", "subtitles"} & set(tracks)
        and not each.has("muted")
        and "" not in tracks
    ):
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.MISSING_TEXT,
            "WCAG 1.2.2",
            "A video has no captions",
            'Add a track of kind "captions".',
        )
    elif each.tag == "audio" and not tracks:
        yield Issue(
            each.line, _S.LOW, _T.MISSING_TEXT, "WCAG 1.2.1", "A sound has no text with it", "Offer a transcript."
        )
    if each.has("autoplay") and not each.has("muted") and each.get("autoplay") != "false":
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.KEYBOARD_ACCESS,
            "WCAG 1.4.2",
            f"A {each.tag} plays by itself",
            "Let the person start it.",
        )
