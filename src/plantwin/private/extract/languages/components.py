"""Single-file components: Vue and Svelte. The script is read as script, the template as markup."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft
from plantwin.private.extract.languages.javascript import JAVASCRIPT, TYPESCRIPT
from plantwin.private.extract.languages.markup import read_elements
from plantwin.private.extract.languages.spec import BOM, read_into
from plantwin.private.facts import Outline

READ_LIMIT = 64 * 1024
_open = expressions.compile(rb"<(script|style)\b([^>]{0,400}+)>")
_comment = expressions.compile(rb"<!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->|\Z)")
_TEMPLATE = (b"{{", b" v-", b" :", b"{#if", b"{#each", b"{@html", b"on:")


def _read(format: str, data: bytes, path: str) -> Outline:
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if b"\0" in data[:READ_LIMIT]:
        return Outline(format=format, parsed=False, lines=lines)
    draft = Draft("javascript", path)
    source = _comment.sub(b"", data[:READ_LIMIT].removeprefix(BOM))
    parsed = True
    template: list[bytes] = []
    at = 0
    while found := _open.search(source, at):
        template.append(source[at : found.start()])
        end = source.find(b"</" + found[1], found.end())
        end = len(source) if end < 0 else end
        inside = source[found.end() : end]
        if found[1] == b"script":
            typed = b'"ts"' in found[2] or b"'ts'" in found[2]
            parsed &= read_into(draft, TYPESCRIPT if typed else JAVASCRIPT, inside)
        else:
            draft.count("style_rule", inside.count(b"{"))
        at = end
    template.append(source[at:])
    markup = b"".join(template)
    read_elements(draft, markup, script=True)
    draft.count("template_tag", sum(markup.count(mark) for mark in _TEMPLATE))
    draft.count("component")
    draft.count("insecure_call", markup.count(b"v-html") + markup.count(b"{@html"))
    return draft.finish(format, lines, parsed)


def read_vue(data: bytes, path: str) -> Outline:
    """Outline one Vue component."""
    return _read("vue", data, path)


def read_svelte(data: bytes, path: str) -> Outline:
    """Outline one Svelte component."""
    return _read("svelte", data, path)


READERS = {"vue": read_vue, "svelte": read_svelte}
