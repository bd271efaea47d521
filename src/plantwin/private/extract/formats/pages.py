"""Pages that are nothing but text: HTML as a word processor, a wiki or a manual writes it."""

from __future__ import annotations

import html
import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.markdown import read_markdown
from plantwin.private.extract.formats.words import words
from plantwin.private.facts import Outline, Sample

_LOOK = 48 << 10
_HEADS = 20
"""More openings of heads or styles than any text has: each is searched for its end."""
_DROPPED = re.compile(r"<(style|head)\b[^<>]{0,400}>.*?</\1\s{0,4}>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]{0,30})((?:\s[^<>]{0,1000})?)/?>")
_WRITTEN = words(
    "p h1 h2 h3 h4 h5 h6 li ol ul dl dt dd table tr td th thead tbody caption em strong b i u a code pre kbd br hr"
    " blockquote"
    " sup sub small abbr cite q figure figcaption img article html body head title meta link address time var"
    " samp"
)
_BUILT = words("form input button select textarea nav iframe canvas svg video template slot dialog object embed")
_BREAKS = words("p h1 h2 h3 h4 h5 h6 li ol ul tr br hr dt dd table blockquote pre article div section")
_SENTENCE = re.compile(r"[a-zß-ÿ0-9)][.!?](?:\s|$)")
_WORD = re.compile(r"[^\W\d_]{2,}")


def describe_page(outline: Outline, head: bytes, path: str) -> bytes:
    """Where a page is a text, count what the text shows and return it; otherwise nothing."""
    source = head[:_LOOK].decode("utf-8", "replace")
    lowered = source.lower()
    if "<script" in lowered or lowered.count("<style") + lowered.count("<head") > _HEADS:
        return b""
    body = _DROPPED.sub(" ", source)
    tags = [match[2].lower() for match in _TAG.finditer(body)]
    built = sum(tag in _BUILT for tag in tags)
    written = sum(tag in _WRITTEN for tag in tags)
    if built or not tags or written * 10 < len(tags) * 8:
        return b""
    text = _text(body)
    if len(_WORD.findall(text)) < 3 * max(written // 2, 8) or len(_SENTENCE.findall(text)) < 3:
        return b""
    data = text.encode()
    draft = Draft("markdown", Sample(path, len(data), data))
    read_markdown(draft.sample, draft)
    found = draft.finish(outline.lines)
    for feature, count in found.features.items():
        outline.features.setdefault(feature, count)
    outline.headings.extend(found.headings)
    outline.features["prose_page"] = 1
    return data


def _text(body: str) -> str:
    """The page as Markdown: headings, numbered and plain items, paragraphs."""
    parts: list[str] = []
    ordered: list[bool] = []
    at = 0
    for match in _TAG.finditer(body):
        parts.append(" ".join(body[at : match.start()].split(" ")))
        at = match.end()
        closing, tag = bool(match[1]), match[2].lower()
        if tag in ("ol", "ul"):
            if closing and ordered:
                ordered.pop()
            elif not closing and len(ordered) < 50:
                ordered.append(tag == "ol")
        if tag in _BREAKS:
            parts.append("\n\n" if tag not in ("li", "br", "tr") else "\n")
        if not closing and tag[0] == "h" and tag[1:].isdigit():
            parts.append("# ")
        elif not closing and tag == "li":
            parts.append("1. " if ordered and ordered[-1] else "- ")
        elif not closing and tag in ("td", "th"):
            parts.append(" | ")
    parts.append(body[at:])
    return html.unescape("".join(parts))
