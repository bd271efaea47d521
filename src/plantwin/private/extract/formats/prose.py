"""Plain text: paragraphs, lists and numbered clauses; licences, mail, notes, templates."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.links import describe_commands, describe_links
from plantwin.private.extract.formats.markdown import add_heading
from plantwin.private.extract.formats.sentences import describe_licence, describe_prose, is_version
from plantwin.private.extract.formats.text import DOCUMENT, head_text
from plantwin.private.facts import Sample

_ITEM = re.compile(
    r"[ \t]{0,20}(?:[-*+•]|(\d{1,3}(?:\.\d{1,3}){0,3}[.)]|\d{1,3}(?:\.\d{1,3}){1,3}|\(?[a-z0-9]{1,3}\)))[ \t]+\S"
)
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*$")
_CAPITALS = re.compile(
    r"\s{0,30}(?:(?:\d{1,3}|[IVX]{1,5})(?:\.\d{1,3}){0,2}[.)]?\s{1,4})?[A-Z][A-Z0-9 &/,'()-]{3,80}:?\s*$"
)
_CLAUSE = re.compile(
    r"(?:(?:Article|Section|Clause|Chapter|Part|Appendix) [\dIVXA-Z]{1,5}\b|\d{1,2}\.\s{1,4}[A-Z][\w ,&-]{2,60}\.?$)"
)
_TEMPLATE = re.compile(r"\{\{[^{}\n]{1,200}\}\}|\{%[^%\n]{1,200}%\}|<%[^%\n]{1,200}%>")
_MAIL = re.compile(r"(?:From|To|Cc|Subject|Date|Sent|Reply-To|Message-ID): \S", re.IGNORECASE)
_LABEL = frozenset("0123456789.)")
_MAX_LINES = 20_000


def read_text(sample: Sample, draft: Draft) -> None:
    """Text of any sort."""
    text = head_text(sample, DOCUMENT)
    lines = text.split("\n")[:_MAX_LINES]
    paragraph = False
    mail = 0
    for number, line in enumerate(lines):
        body = line.strip()
        if not body:
            paragraph = False
            continue
        if len(body) < 120 and _is_heading(lines, number, body, paragraph):
            add_heading(draft, body)
            paragraph = False
        elif body[0] in "=-~" and _UNDERLINE.match(body):
            paragraph = False
        elif (body[0] in "-*+•(" or body[1:2] in _LABEL) and (item := _ITEM.match(line)):
            draft.add("numbered_step" if item[1] else "list_item")
            paragraph = True
        else:
            if body[0] in "$%>" and body[1:2] == " ":
                describe_commands(draft, "", [body])
            draft.add("paragraph", not paragraph)
            mail += number < 30 and _MAIL.match(body) is not None
            paragraph = True
    if mail >= 2:
        draft.heading("mail")
    if "{{" in text or "{%" in text or "<%" in text:
        draft.add("template_tag", sum(1 for _ in _TEMPLATE.finditer(text)))
    describe_links(draft, text)
    describe_prose(draft, text)
    describe_licence(draft, text)


def _is_heading(lines: list[str], number: int, body: str, paragraph: bool) -> bool:
    """Underlined, in capitals alone on its line, or a numbered clause."""
    if paragraph:
        return False
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    if below[:1] in ("=", "-", "~") and _UNDERLINE.fullmatch(below):
        return True
    if body[0] in "0123456789ASCP" and _CLAUSE.match(body):
        return True
    if body[0] in "0123456789vVR[" and len(body) < 60 and is_version(body):
        return True
    return not below and body.isupper() and _CAPITALS.fullmatch(body) is not None
