"""How a page is used: keyboard, focus, roles and states."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from plantwin.private.capabilities.accessibility import roles
from plantwin.private.capabilities.accessibility.element import DYNAMIC, Element, Page
from plantwin.private.capabilities.accessibility.names import Names
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_KEYS = ("onkeydown", "onkeyup", "onkeypress")
_CLICKS = ("onclick", "onmousedown", "onmouseup", "ondblclick")
_REFERENCED = (*roles.REFERENCES,)


def issues(page: Page, names: Names) -> Iterator[Issue]:
    """What cannot be used without a mouse, or says something else than it is."""
    for each in page.root.within():
        if each.component:
            continue
        yield from _focus(each)
        yield from _clicks(each)
        yield from _aria(each, names, page)
        yield from _nested(each)


def _focusable(each: Element) -> bool:
    if each.tag in ("button", "select", "textarea", "summary", "iframe") or (
        each.tag == "a" and "href" in each.attributes
    ):
        return "disabled" not in each.attributes and each.get("tabindex") != "-1"
    if each.tag == "input":
        return each.get("type") != "hidden" and "disabled" not in each.attributes and each.get("tabindex") != "-1"
    return bool(re.fullmatch(r"\d+", each.get("tabindex")))


def _focus(each: Element) -> Iterator[Issue]:
    order = each.get("tabindex")
    if re.fullmatch(r"[1-9]\d{0,5}", order):
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.KEYBOARD_ACCESS,
            "WCAG 2.4.3",
            "A positive tabindex changes the order of the page",
            "Use 0, or the order of the elements.",
        )
    if "autofocus" in each.attributes and each.get("autofocus") not in ("false", DYNAMIC) and each.tag != "dialog":
        yield Issue(
            each.line,
            _S.LOW,
            _T.KEYBOARD_ACCESS,
            "WCAG 3.2.1",
            "Focus moves when the page opens",
            "Remove autofocus, unless the page is for this field alone.",
        )
    if each.get("aria-hidden") == "true" and _focusable(each):
        yield Issue(
            each.line,
            _S.HIGH,
            _T.KEYBOARD_ACCESS,
            "WCAG 4.1.2",
            "An element that is hidden from screen readers can be focused",
            'Remove aria-hidden, or add tabindex="-1".',
        )
    elif each.get("aria-hidden") == "true" and any(
        _focusable(inner) and not inner.component for inner in each.within()
    ):
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.KEYBOARD_ACCESS,
            "WCAG 4.1.2",
            "A part that is hidden from screen readers holds something that can be focused",
            "Remove aria-hidden, or use inert.",
        )


def _clicks(each: Element) -> Iterator[Issue]:
    if not any(name in each.attributes for name in _CLICKS) or each.spread:
        return
    if each.tag in roles.CONTROLS and not (each.tag == "a" and "href" not in each.attributes):
        return
    if (
        each.tag in ("body", "html", "form", "dialog", "template", "canvas", "svg")
        or each.get("aria-hidden") == "true"
        or each.role in ("presentation", "none")
    ):
        return
    if re.fullmatch(r"\s*(?:\(?\w*\)?\s*=>\s*)?(?:event|e|\$event)\.stopPropagation\(\)\s*;?\s*", each.get("onclick")):
        return
    reachable = "tabindex" in each.attributes or "contenteditable" in each.attributes
    keys = any(name in each.attributes for name in _KEYS)
    acts = each.role in roles.INTERACTIVE or each.role == DYNAMIC
    name = f"`{each.tag}`"
    if not reachable and not acts:
        inner = any(_focusable(below) for below in each.within())
        yield Issue(
            each.line,
            _S.LOW if inner else _S.HIGH,
            _T.KEYBOARD_ACCESS,
            "WCAG 2.1.1",
            f"{name} reacts to clicks and cannot be reached by keyboard",
            "Use a button, or add role, tabindex and a key handler.",
        )
    elif not reachable:
        yield Issue(
            each.line,
            _S.HIGH,
            _T.KEYBOARD_ACCESS,
            "WCAG 2.1.1",
            f"{name} with role {each.role if each.role != DYNAMIC else 'set by a program'} cannot be focused",
            'Add tabindex="0".',
        )
    elif not acts:
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.KEYBOARD_ACCESS,
            "WCAG 4.1.2",
            f"{name} reacts to clicks and does not say what it is",
            'Add role="button", or use a button.',
        )
    elif not keys:
        yield Issue(
            each.line,
            _S.MEDIUM,
            _T.KEYBOARD_ACCESS,
            "WCAG 2.1.1",
            f"{name} reacts to clicks and to no key",
            "Handle Enter and Space, or use a button.",
        )


def _aria(each: Element, names: Names, page: Page) -> Iterator[Issue]:
    stated = each.get("role")
    if stated.strip() and DYNAMIC not in stated:
        given = stated.lower().split()
        valid = [role for role in given if role in roles.ROLES or role.startswith(roles.PREFIXES)]
        if not valid:
            near = difflib.get_close_matches(given[0], roles.ROLES, 1, 0.7)
            what = "is abstract" if given[0] in roles.ABSTRACT else "does not exist"
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "WCAG 4.1.2 ARIA",
                f"The role `{given[0][:40]}` {what}",
                f"Did you mean {near[0]}?" if near else "Correct or remove it.",
            )
        elif not each.spread:
            for state in roles.REQUIRED.get(valid[0], ()):
                native = each.tag == "input" or (each.tag in ("h1", "h2", "h3", "h4", "h5", "h6"))
                if state not in each.attributes and not native:
                    yield Issue(
                        each.line,
                        _S.MEDIUM,
                        _T.MISSING_PART,
                        "WCAG 4.1.2 ARIA",
                        f"Role {valid[0]} needs {state}",
                        "Add it.",
                    )
        if valid and roles.IMPLIED.get(each.tag) == valid[0] and each.tag not in ("ul", "ol", "li", "img", "table"):
            yield Issue(
                each.line,
                _S.LOW,
                _T.DUPLICATION,
                "ARIA in HTML",
                f"`{each.tag}` has the role {valid[0]} already",
                "Remove the role.",
            )
        if valid and valid[0] in ("presentation", "none") and _focusable(each):
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "WCAG 4.1.2 ARIA",
                f"`{each.tag}` can be used and says that it only decorates",
                "Remove the role.",
            )
    for name, value in each.attributes.items():
        if not name.startswith("aria-"):
            continue
        if name not in roles.STATES:
            near = difflib.get_close_matches(name, roles.STATES, 1, 0.8)
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "WCAG 4.1.2 ARIA",
                f"`{name[:60]}` does not exist",
                f"Did you mean {near[0]}?" if near else "Remove it.",
            )
        elif DYNAMIC in value:
            continue
        elif name in roles.VALUES and not roles.VALUES[name].fullmatch(value.strip()):
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "WCAG 4.1.2 ARIA",
                f"`{name}` has a value that does not exist",
                "Correct it.",
            )
        elif name in _REFERENCED and not page.template:
            gone = [id_ for id_ in value.split() if id_ not in names.ids]
            if gone and name not in ("aria-controls", "aria-owns", "aria-activedescendant", "aria-errormessage"):
                yield Issue(
                    each.line,
                    _S.MEDIUM,
                    _T.BROKEN_REFERENCE,
                    "WCAG 4.1.2 ARIA",
                    f"`{name}` names `{gone[0][:60]}`, which does not exist",
                    "Correct the id.",
                )
            elif gone:
                yield Issue(
                    each.line,
                    _S.LOW,
                    _T.BROKEN_REFERENCE,
                    "WCAG 4.1.2 ARIA",
                    f"`{name}` names `{gone[0][:60]}`, which is not on the page",
                    "Check that a script adds it.",
                )


def _nested(each: Element) -> Iterator[Issue]:
    if each.tag not in ("a", "button") or (each.tag == "a" and "href" not in each.attributes):
        return
    for inner in each.within():
        if (
            inner.tag in ("button", "select", "textarea")
            or (inner.tag == "a" and "href" in inner.attributes)
            or (inner.tag == "input" and inner.get("type") != "hidden")
        ) and not inner.component:
            yield Issue(
                inner.line,
                _S.MEDIUM,
                _T.PAGE_STRUCTURE,
                "WCAG 4.1.2 nesting",
                f"`{inner.tag}` stands inside `{each.tag}`: only one of them can be reached",
                "Place them side by side.",
            )
            return
