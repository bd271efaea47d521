"""Message catalogs with their own syntax: gettext and Apple strings."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_GETTEXT = re.compile(r"^msgid \"([^\"\n]{1,200})\"", re.MULTILINE)
_EMPTY = re.compile(r"^msgstr \"\"\n(?!\")", re.MULTILINE)
_STRINGS = re.compile(r"^\s{0,8}\"((?:[^\"\\\n]|\\.){1,200})\"\s{0,8}=\s{0,8}\"", re.MULTILINE)


def read_gettext(sample: Sample, draft: Draft) -> None:
    """One message per entry; what is not translated yet is a placeholder."""
    text = head_text(sample)
    found = _GETTEXT.findall(text) or _STRINGS.findall(text)
    draft.add("translation", len(found))
    draft.add("placeholder", len(_EMPTY.findall(text)))
    draft.outline.parsed = bool(found) or "msgid" in text
