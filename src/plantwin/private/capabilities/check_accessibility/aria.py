"""How a page is operated: keyboard, focus, ARIA roles and states."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache

import msgspec

from plantwin.private.capabilities.check_accessibility.elements import DYNAMIC, AccessibleNames, Element, Page
from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.lexicon import beside
from plantwin.vocabulary import Severity

RULES = Rules("accessibility")
_KEY_HANDLERS = frozenset(("onkeydown", "onkeyup", "onkeypress"))
_CLICK_HANDLERS = frozenset(("onclick", "onmousedown", "onmouseup", "ondblclick"))
_STOPS_CLICKS = re.compile(r"\s*(?:\(?\w*\)?\s*=>\s*)?(?:event|e|\$event)\.stopPropagation\(\)\s*;?\s*")
_NO_CONTROLS = ("body", "html", "form", "dialog", "template", "canvas", "svg")
_CONTROLS = ("button", "iframe", "input", "select", "textarea")
_ADDED_LATER = ("aria-controls", "aria-owns", "aria-activedescendant", "aria-errormessage")
"""References to elements that scripts often add when they are needed."""


class Aria(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of `aria.toml`."""

    roles: frozenset[str]
    abstract_roles: frozenset[str]
    widget_roles: frozenset[str]
    native_controls: frozenset[str]
    attributes: frozenset[str]
    id_references: frozenset[str]
    values: dict[str, str]
    required: dict[str, tuple[str, ...]]
    implied: dict[str, str]
    context: dict[str, frozenset[str]]
    owned: dict[str, frozenset[str]]
    opaque_roles: frozenset[str]
    field_roles: frozenset[str]

    def is_role(self, role: str) -> bool:
        """Tell whether a role exists, those of the graphics and publishing modules included."""
        return role in self.roles or role.startswith(("doc-", "graphics-"))


@cache
def aria() -> Aria:
    """Read the tables of ARIA."""
    return msgspec.convert(beside(__file__, "aria.toml"), Aria)


def findings(page: Page, names: AccessibleNames) -> Iterator[Finding]:
    """Yield what cannot be operated without a mouse, or states a wrong role."""
    owned = {id_ for element in page.elements for id_ in element.get("aria-owns").split()}
    whole = page.document is not None and not page.template
    for element in page.elements:
        if not element.component:
            yield from _focus(element)
            yield from _clicks(element)
            yield from _role(element)
            yield from _attributes(element, names, page)
            yield from _nested(element)
            if whole and not element.hidden:
                yield from _family(element, names, owned)


def _family(element: Element, names: AccessibleNames, owned: set[str]) -> Iterator[Finding]:
    """Yield roles that stand without the roles that belong around them, or in them."""
    role = element.role
    wanted = aria().context.get(role)
    if wanted and aria().implied.get(element.tag) != role and element.get("id") not in (owned - {""}):
        around = next(filter(None, map(_meaning, element.ancestors())), "")
        if around != DYNAMIC and around not in wanted and (around == "" or around not in ("combobox", "dialog")):
            yield RULES.found("A11Y-ARIA-PARENT", element.line, role=role, wanted=" or ".join(sorted(wanted)))
    wanted = aria().owned.get(role)
    if wanted and element.elements and not element.spread and element.get("aria-busy") != "true":
        below = [*element.descendants()]
        below += [names.ids[id_] for id_ in element.get("aria-owns").split() if id_ in names.ids]
        if not any(each.component or _meaning(each) in (*wanted, DYNAMIC) for each in below):
            yield RULES.found("A11Y-ARIA-CHILDREN", element.line, role=role, wanted=" or ".join(sorted(wanted)))


def _meaning(element: Element) -> str:
    """Return the role of an element, its own or its tag's; empty where it means nothing to assistive technology."""
    if element.component or element.spread:
        return DYNAMIC
    role = element.role if "role" in element.attributes else aria().implied.get(element.tag, "")
    return "" if role in ("presentation", "none", "generic") else role


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
    has_role = element.role in aria().widget_roles or element.role == DYNAMIC
    if not reachable and not has_role:
        inner = any(below.focusable for below in element.descendants())
        severity = Severity.LOW if inner else None
        yield RULES.found("A11Y-CLICK-KEYBOARD", element.line, severity=severity, tag=element.tag)
    elif not reachable:
        role = element.role if element.role != DYNAMIC else "set by a program"
        yield RULES.found("A11Y-ROLE-FOCUS", element.line, tag=element.tag, role=role)
    elif not has_role:
        yield RULES.found("A11Y-CLICK-ROLE", element.line, tag=element.tag)
    elif _KEY_HANDLERS.isdisjoint(element.attributes):
        yield RULES.found("A11Y-CLICK-KEYS", element.line, tag=element.tag)


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
    # Lists, images and tables restate theirs, because styles take the role away in some browsers.
    if aria().implied.get(element.tag) == role and element.tag not in ("ul", "ol", "li", "img", "table"):
        yield RULES.found("A11Y-ARIA-REDUNDANT", element.line, tag=element.tag, role=role)
    # Browsers keep the role of a control, whatever it states; of other things, the name comes back without a role.
    named = element.filled("aria-label") or element.filled("aria-labelledby")
    if role in ("presentation", "none") and element.tag not in _CONTROLS and (element.focusable or named):
        problem = "can be focused" if element.focusable else "has a name"
        yield RULES.found("A11Y-ARIA-PRESENTATION", element.line, tag=element.tag, role=role, problem=problem)


def _attributes(element: Element, names: AccessibleNames, page: Page) -> Iterator[Finding]:
    bare = element.tag in ("div", "span") and "role" not in element.attributes and not element.spread
    if bare and element.filled("aria-label") and not element.children and not element.hidden:
        yield RULES.found("A11Y-ARIA-LABEL-UNREAD", element.line, tag=element.tag)
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
        elif name in aria().id_references and not page.template:
            missing = [id_ for id_ in value.split() if id_ not in names.ids]
            if missing and not _is_absent_by_design(element, name, len(missing) < len(value.split())):
                needed = name in aria().required.get(element.role, ()) or element.get("aria-expanded") == "true"
                severity = Severity.LOW if name in _ADDED_LATER and not needed else Severity.MEDIUM
                yield RULES.found("A11Y-ARIA-REFERENCE", element.line, severity=severity, name=name, id=missing[0][:60])


def _is_absent_by_design(element: Element, name: str, some: bool) -> bool:
    """Tell whether a reference may lead nowhere for now: closed, without an error, or one of several."""
    if name == "aria-controls":
        return some or (element.role != "scrollbar" and element.get("aria-expanded") != "true")
    return name == "aria-errormessage" and element.get("aria-invalid") not in ("true", "grammar", "spelling")


def _nested(control: Element) -> Iterator[Finding]:
    opaque = control.tag == "button" or control.role in aria().opaque_roles
    if not opaque and not (control.tag == "a" and "href" in control.attributes):
        return
    for inner in control.descendants():
        if inner.focusable and not inner.component:
            yield RULES.found("A11Y-NESTED-CONTROLS", inner.line, inner=inner.tag, outer=control.tag)
            return
