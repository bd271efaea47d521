"""Text alternatives: images, controls, links, form fields, media."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.check_accessibility.aria import aria
from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, AccessibleNames, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.values import words
from plantwin.vocabulary import Severity

RULES = Rules("accessibility")
_FILE_NAME = re.compile(r"[\w-]{1,80}\.(?:png|jpe?g|gif|svg|webp|bmp|avif)", re.IGNORECASE)
_EMPTY_WORDS = words("image picture photo img icon graphic logo.png untitled spacer placeholder")
_VAGUE = re.compile(
    r"(?:click here|here|read more|more|learn more|link|this|details|continue|click|go|see more)[.…!]?", re.IGNORECASE
)
_LABELLED_TYPES = words(
    "text email password search tel url number date time datetime-local month week color file range checkbox radio"
)
_PURPOSE = {"email": "email", "tel": "tel", "password": "current-password or new-password"}
_PICTURES = ("img", "image", "graphics-symbol", "graphics-document")
_NAMED_ROLES = ("button", "link", "menuitem", "tab", "checkbox", "switch", "radio", "option")


def _is_first(summary: Element) -> bool:
    """Whether a summary is the one that opens its details: the first; the others are text."""
    siblings = summary.parent.elements if summary.parent is not None else []
    return next((sibling for sibling in siblings if sibling.tag == "summary"), None) is summary


def findings(page: Page, names: AccessibleNames) -> Iterator[Finding]:
    """Yield what cannot be read out."""
    for element in page.elements:
        if element.hidden and element.tag != "img":
            continue
        line = element.line
        match element.tag:
            case "img" | "area":
                yield from _image(element, names)
            case "image" if element.component and element.has("src") and not element.has("alt"):
                yield RULES.found("A11Y-IMG-ALT", line, severity=Severity.MEDIUM, what="An Image component", detail="")
            case "input":
                yield from _input(element, names)
            case "select" | "textarea":
                yield from _field(element, names)
            case "button" if not names.has_name(element) and element.role not in ("presentation", "none"):
                if element.get("id") in names.label_targets:
                    continue  # a button can have a `label` too
                yield RULES.found("A11Y-CONTROL-NAME", line, what="A button")
            case "a":
                yield from _link(element, names)
            case "iframe" if not element.spread and not names.has_name(element):
                # What the keyboard cannot enter needs no name (ACT rule cae760).
                passed_by = element.get("tabindex").startswith("-") or element.role in ("presentation", "none")
                if element.get("width") not in ("0", "1") and not passed_by:
                    yield RULES.found("A11Y-FRAME-TITLE", line)
            case "video" | "audio":
                yield from _media(element, page)
            case _ if element.role in _PICTURES and element.tag != "canvas" and not element.component:
                title = any(child.tag == "title" for child in element.elements)
                if not title and not names.is_named_by_attribute(element) and not element.filled("alt"):
                    yield RULES.found("A11Y-SVG-NAME", line, tag=element.tag, role=element.role)
            case "object" | "canvas" if not element.component and not element.children:
                # A canvas without a role is decoration as far as anyone can tell.
                told = element.tag == "object" or element.role == "img"
                if told and element.role not in ("presentation", "none") and not names.has_name(element):
                    yield RULES.found("A11Y-OBJECT-FALLBACK", line, tag=element.tag)
            case "label":
                target = element.get("for")
                if target and DYNAMIC not in target and target not in names.ids and not page.template:
                    yield RULES.found("A11Y-LABEL-TARGET", line, target=target[:60])
            case "summary" if element.parent is not None and element.parent.tag == "details" and _is_first(element):
                if not names.has_name(element):
                    yield RULES.found("A11Y-CONTROL-NAME", line, what="A summary")
            case _:
                yield from _named_role(element, names)


def _named_role(element: Element, names: AccessibleNames) -> Iterator[Finding]:
    role = element.role
    if role in _NAMED_ROLES and not element.component and not names.has_name(element):
        yield RULES.found("A11Y-CONTROL-NAME", element.line, what=f"An element with role {role}")
    elif role in aria().field_roles and not element.component and not names.is_named_by_attribute(element):
        yield RULES.found("A11Y-LABEL", element.line, what=f"An element with role {role}")
    elif role in ("dialog", "alertdialog") and not element.has("aria-label", "aria-labelledby", "title"):
        yield RULES.found("A11Y-DIALOG-NAME", element.line)


def _image(image: Element, names: AccessibleNames) -> Iterator[Finding]:
    if image.get("role") in ("presentation", "none") or image.get("aria-hidden") == "true":
        return
    if image.hidden and "alt" not in image.attributes:
        return
    if not image.has("alt", "aria-label", "aria-labelledby") and (image.tag == "img" or image.has("href")):
        if image.filled("title"):
            return  # A name, though a weak one (accessible name computation, step 2I).
        control = next((outer for outer in image.ancestors() if outer.tag in ("a", "button")), None)
        alone = control is not None and not names.has_name(control)
        detail = " and is all that its link or button holds" if alone else ""
        yield RULES.found("A11Y-IMG-ALT", image.line, what="An image", detail=detail)
        return
    alt = image.get("alt").strip()
    if image.get("alt") and not alt and not names.is_named_by_attribute(image):
        yield RULES.found("A11Y-IMG-ALT", image.line, what="An image", detail=" but blanks")
    if _FILE_NAME.fullmatch(alt) or alt.lower() in _EMPTY_WORDS:
        yield RULES.found("A11Y-IMG-ALT-VAGUE", image.line)


def _input(element: Element, names: AccessibleNames) -> Iterator[Finding]:
    type_ = (element.get("type") or "text").lower()
    if type_ == "hidden":
        return
    if type_ == "image" and not element.filled("alt") and not names.is_named_by_attribute(element):
        yield RULES.found("A11Y-IMG-ALT", element.line, what="An image button", detail="")
    elif type_ == "button" and not element.has("value", "aria-label", "title", "aria-labelledby"):
        yield RULES.found("A11Y-CONTROL-NAME", element.line, what="A button")
    elif type_ in _LABELLED_TYPES or type_ == DYNAMIC:
        yield from _field(element, names)
        if type_ in _PURPOSE and not element.has("autocomplete"):
            yield RULES.found("A11Y-AUTOCOMPLETE", element.line, type=type_, value=_PURPOSE[type_])
    if re.search(r"return\s+false|preventDefault", element.get("onpaste")):
        yield RULES.found("A11Y-PASTE-BLOCKED", element.line)


def _field(field: Element, names: AccessibleNames) -> Iterator[Finding]:
    disabled = "disabled" in field.attributes
    if names.is_labelled(field) or field.component or (disabled and field.role in ("presentation", "none")):
        return
    type_ = field.get("type") or "text"
    what = f"`{field.tag}`" if field.tag != "input" or type_ == DYNAMIC else f'`input type="{type_[:40]}"`'
    rule = "A11Y-PLACEHOLDER" if field.filled("placeholder") else "A11Y-LABEL"
    yield RULES.found(rule, field.line, severity=Severity.LOW if disabled else None, what=what)


def _link(link: Element, names: AccessibleNames) -> Iterator[Finding]:
    if not link.has("href"):
        return
    if not names.has_name(link):
        yield RULES.found("A11Y-LINK-NAME", link.line)
        return
    described = link.has("aria-label", "aria-labelledby", "title", "aria-describedby")
    if not described and _VAGUE.fullmatch(" ".join(link.text.split())):
        yield RULES.found("A11Y-LINK-TEXT-VAGUE", link.line)
    target = link.get("href").strip().lower()
    acts = target.startswith("javascript:") or (target == "#" and link.has("onclick"))
    if acts and link.get("role") not in ("button", "tab", "menuitem"):
        yield RULES.found("A11Y-LINK-AS-BUTTON", link.line)


_ALTERNATIVE = re.compile(
    r"(?i)transcript|caption|subtitle|audio description|text version|lyrics|alternative|following"
)
_CLIP = re.compile(r"#t=(\d{1,6}(?:\.\d+)?)?,(\d{1,6}(?:\.\d+)?)")
_STOP = re.compile(r"(?i)\b(?:pause|stop|mute|unmute)\b")
_SHORT = 3
"""Seconds of sound that may play by themselves (WCAG 1.4.2)."""


def _is_short(media: Element) -> bool:
    """Tell whether the address of every source picks a short piece."""
    sources = [media, *(child for child in media.descendants() if child.tag == "source")]
    clips = [_CLIP.search(each.get("src")) for each in sources if each.filled("src")]
    return bool(clips) and all(clip and float(clip[2]) - float(clip[1] or 0) <= _SHORT for clip in clips)


def _can_be_stopped(page: Page) -> bool:
    """Tell whether a control of the page says that it stops or mutes sound."""
    controls = (element for element in page.elements if element.tag == "button" or element.role == "button")
    return any(_STOP.search(f"{control.text} {control.get('aria-label')}") for control in controls)


def _media(media: Element, page: Page) -> Iterator[Finding]:
    below = list(media.descendants())
    if media.spread or any(child.component for child in below):
        return
    plays = media.has("autoplay") and media.get("autoplay") != "false"
    if plays and not media.has("muted", "controls") and not _is_short(media) and not _can_be_stopped(page):
        # A video may be silent; what is certainly sound is worse.
        severity = Severity.LOW if media.tag == "video" else None
        yield RULES.found("A11Y-AUTOPLAY", media.line, severity=severity, tag=media.tag)
    if media.has("aria-describedby", "aria-details") or _ALTERNATIVE.search(page.root.text) or _is_short(media):
        return
    tracks = {child.get("kind") for child in below if child.tag == "track"}
    if media.tag == "video" and not {"captions", "subtitles", ""} & tracks and not media.has("muted"):
        yield RULES.found("A11Y-VIDEO-CAPTIONS", media.line)
    elif media.tag == "audio" and not tracks:
        yield RULES.found("A11Y-AUDIO-TRANSCRIPT", media.line)
