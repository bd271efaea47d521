"""Roles, states and properties of ARIA 1.2."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import re

from plantwin.private.extract.formats.words import words

ROLES = words(
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox "
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group "
    "heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox "
    "menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup "
    "rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab "
    "table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem comment"
)
PREFIXES = ("doc-", "graphics-")
ABSTRACT = words("command composite input landmark range roletype section sectionhead select structure widget window")
STATES = words(
    "aria-activedescendant aria-atomic aria-autocomplete aria-braillelabel aria-brailleroledescription aria-busy aria-checked "
    "aria-colcount aria-colindex aria-colindextext aria-colspan aria-controls aria-current aria-describedby aria-description "
    "aria-details aria-disabled aria-dropeffect aria-errormessage aria-expanded aria-flowto aria-grabbed aria-haspopup aria-hidden "
    "aria-invalid aria-keyshortcuts aria-label aria-labelledby aria-level aria-live aria-modal aria-multiline "
    "aria-multiselectable aria-orientation aria-owns aria-placeholder aria-posinset aria-pressed aria-readonly aria-relevant "
    "aria-required aria-roledescription aria-rowcount aria-rowindex aria-rowindextext aria-rowspan aria-selected aria-setsize "
    "aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext"
)
REFERENCES = (
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "aria-activedescendant",
    "aria-errormessage",
    "aria-details",
    "aria-flowto",
)
_TRUTH = re.compile(r"true|false")
_TRISTATE = re.compile(r"true|false|mixed|undefined")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
VALUES = {
    "aria-hidden": re.compile(r"true|false|undefined"), "aria-expanded": re.compile(r"true|false|undefined"),
    "aria-checked": _TRISTATE, "aria-pressed": _TRISTATE, "aria-selected": re.compile(r"true|false|undefined"),
    "aria-disabled": _TRUTH, "aria-required": _TRUTH, "aria-readonly": _TRUTH, "aria-modal": _TRUTH, "aria-busy": _TRUTH,
    "aria-atomic": _TRUTH, "aria-multiselectable": _TRUTH, "aria-multiline": _TRUTH,
    "aria-live": re.compile(r"off|polite|assertive"), "aria-invalid": re.compile(r"true|false|grammar|spelling"),
    "aria-haspopup": re.compile(r"true|false|menu|listbox|tree|grid|dialog"),
    "aria-current": re.compile(r"page|step|location|date|time|true|false"),
    "aria-orientation": re.compile(r"horizontal|vertical|undefined"),
    "aria-sort": re.compile(r"ascending|descending|none|other"), "aria-autocomplete": re.compile(r"inline|list|both|none"),
    "aria-level": re.compile(r"[1-9]\d?"), "aria-valuenow": _NUMBER, "aria-valuemin": _NUMBER, "aria-valuemax": _NUMBER,
}  # fmt: skip
REQUIRED = {
    "checkbox": ("aria-checked",), "radio": ("aria-checked",), "switch": ("aria-checked",), "menuitemcheckbox": ("aria-checked",),
    "menuitemradio": ("aria-checked",), "slider": ("aria-valuenow",), "scrollbar": ("aria-valuenow", "aria-controls"),
    "meter": ("aria-valuenow",), "heading": ("aria-level",), "combobox": ("aria-expanded",),
}  # fmt: skip
INTERACTIVE = words(
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton "
    "switch tab textbox treeitem scrollbar separator"
)
CONTROLS = words(
    "a button input select textarea summary details option label video audio iframe embed object area optgroup"
)
"""Elements that already can be used, or take no clicks of their own."""
IMPLIED = {
    "button": "button", "nav": "navigation", "main": "main", "ul": "list", "ol": "list", "li": "listitem", "table": "table",
    "img": "img", "article": "article", "aside": "complementary", "form": "form", "dialog": "dialog", "h1": "heading",
    "h2": "heading", "h3": "heading", "textarea": "textbox", "option": "option", "hr": "separator",
}  # fmt: skip
