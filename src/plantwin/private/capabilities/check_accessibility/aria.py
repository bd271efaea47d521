"""How a page is operated: keyboard, focus, ARIA roles and states."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache

import msgspec

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.lexicon import beside
from plantwin.vocabulary import Severity

RULES = Rules("accessibility")
_CLICK_HANDLERS = frozenset(("onclick", "onmousedown", "onmouseup", "ondblclick"))
_STOPS_CLICKS = re.compile(r"\s*(?:\(?\w*\)?\s*=>\s*)?(?:event|e|\$event)\.stopPropagation\(\)\s*;?\s*")
_NO_CONTROLS = ("body", "html", "form", "dialog", "template", "canvas", "svg")


class Aria(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of `aria.toml`."""

    roles: frozenset[str]
    abstract_roles: frozenset[str]
    widget_roles: frozenset[str]
    native_controls: frozenset[str]
    attributes: frozenset[str]
    values: dict[str, str]
    required: dict[str, tuple[str, ...]]
    opaque_roles: frozenset[str]
    field_roles: frozenset[str]

    def is_role(self, role: str) -> bool:
        """Tell whether a role exists, those of the graphics and publishing modules included."""
        return role in self.roles or role.startswith(("doc-", "graphics-"))


@cache
def aria() -> Aria:
    """Read the tables of ARIA."""
    return msgspec.convert(beside(__file__, "aria.toml"), Aria)


def findings(page: Page) -> Iterator[Finding]:
    """Yield what cannot be operated without a mouse, or states a wrong role."""
    for element in page.elements:
        if not element.component:
            yield from _focus(element)
            yield from _clicks(element)
            yield from _role(element)
            yield from _attributes(element)
            yield from _nested(element)


def _focus(element: Element) -> Iterator[Finding]:
    if re.fullmatch(r"[1-9]\d{0,5}", element.get("tabindex")):
        yield RULES.found("A11Y-TABINDEX", element.line)
    if element.attributes.get("autofocus", "false") not in ("false", DYNAMIC) and element.tag != "dialog":
        yield RULES.found("A11Y-AUTOFOCUS", element.line)
    if element.get("aria-hidden") == "true":
        if element.focusable:
            yield RULES.found("A11Y-HIDDEN-FOCUSABLE", element.line, what="An element")
        elif any(
            inner.focusable and not inner.component and not inner.displayed_none for inner in element.descendants()
        ):
            what = "A part of the page that holds a control"
            yield RULES.found("A11Y-HIDDEN-FOCUSABLE", element.line, severity=Severity.MEDIUM, what=what)


def _clicks(element: Element) -> Iterator[Finding]:
    if element.spread or _CLICK_HANDLERS.isdisjoint(element.attributes):
        return
    if element.tag in aria().native_controls and not (element.tag == "a" and "href" not in element.attributes):
        return
    if element.tag in _NO_CONTROLS or element.get("aria-hidden") == "true" or element.role in ("presentation", "none"):
        return
    if _STOPS_CLICKS.fullmatch(element.get("onclick")):
        return
    reachable = "tabindex" in element.attributes or "contenteditable" in element.attributes
    if not reachable and element.role not in aria().widget_roles and element.role != DYNAMIC:
        inner = any(below.focusable for below in element.descendants())
        severity = Severity.LOW if inner else Severity.HIGH
        yield RULES.found("A11Y-CLICK-KEYBOARD", element.line, severity=severity, tag=element.tag)


def _role(element: Element) -> Iterator[Finding]:
    stated = element.get("role").lower().split()
    if not stated or DYNAMIC in element.get("role"):
        return
    role = next(filter(aria().is_role, stated), "")
    if not role:
        near = difflib.get_close_matches(stated[0], sorted(aria().roles), 1, 0.7)
        problem = "is abstract" if stated[0] in aria().abstract_roles else "does not exist"
        fix = f"Did you mean {near[0]}?" if near else "Correct or remove it."
        yield RULES.found("A11Y-ARIA-ROLE", element.line, role=stated[0][:40], problem=problem, fix=fix)
        return
    if element.displayed_none:
        return
    native = (element.tag == "input" and role != "combobox") or re.fullmatch(r"h[1-6]", element.tag)
    if not native and not element.spread:
        for attribute in aria().required.get(role, ()):
            if attribute not in element.attributes:
                yield RULES.found("A11Y-ARIA-REQUIRED", element.line, role=role, attribute=attribute)


def _attributes(element: Element) -> Iterator[Finding]:
    for name, value in element.attributes.items():
        if not name.startswith("aria-"):
            continue
        if name not in aria().attributes:
            near = difflib.get_close_matches(name, sorted(aria().attributes), 1, 0.8)
            fix = f"Did you mean {near[0]}?" if near else "Remove it."
            yield RULES.found("A11Y-ARIA-ATTRIBUTE", element.line, name=name[:60], fix=fix)
        elif DYNAMIC in value or not value.strip() or element.displayed_none:
            continue  # An empty value is as good as none (WAI-ARIA 1.2, 8.5).
        elif name in aria().values and not re.fullmatch(aria().values[name], value.strip()):
            yield RULES.found("A11Y-ARIA-VALUE", element.line, name=name)


def _nested(control: Element) -> Iterator[Finding]:
    opaque = control.tag == "button" or control.role in aria().opaque_roles
    if not opaque and not (control.tag == "a" and "href" in control.attributes):
        return
    for inner in control.descendants():
        if inner.focusable and not inner.component:
            yield RULES.found("A11Y-NESTED-CONTROLS", inner.line, inner=inner.tag, outer=control.tag)
            return
