"""HTML pages and the templates that produce them (Jinja, Django, Twig, ERB, EJS, Handlebars, Blade)."""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.markup import read_elements
from plantwin.private.extract.languages.spec import BOM
from plantwin.private.extract.languages.trees import Grammar, head_of, parse
from plantwin.private.facts import Outline

READ_LIMIT = 64 * 1024
GRAMMAR = Grammar(
    "tree_sitter_html",
    "(attribute (attribute_name) @attribute) (script_element (raw_text) @script)",
    depth=24,
)
_comment = expressions.compile(
    rb"<!--(?!\[if)[^-]*+(?:-(?!->)[^-]*+)*+(?:-->|\Z)|\{#[^#]*+(?:#(?!\})[^#]*+)*+(?:#\}|\Z)"
    rb"|\{\{!--[^-]*+(?:-(?!-\}\})[^-]*+)*+(?:--\}\}|\Z)|<%#[^%]*+(?:%>|\Z)"
)
_script = expressions.compile(rb"<(script|style)\b[^>]{0,400}+>")
_close = {
    b"script": expressions.compile(rb"</script", re.IGNORECASE),
    b"style": expressions.compile(rb"</style", re.IGNORECASE),
}
_parent = expressions.compile(rb"""\{%-?\s*+(extends|include|import|from|embed)\s++["']([^"'\n]{1,180})["']""")
_blade = expressions.compile(rb"""@(extends|include|component)\(\s*+["']([\w.-]{1,180})["']""")
_partial = expressions.compile(rb"""\{\{>\s*+([\w./-]{1,180})""")
_rendered = expressions.compile(rb"""<%[-=]\s*+(?:render|include)[ (]++(?:partial:\s*+)?+["']([\w./-]{1,180})["']""")
_block = expressions.compile(rb"\{%-?\s*+block\s++(\w{1,60})")
_tags = (b"{{", b"{%", b"<%", b"<?php", b"v-if", b"v-for", b"*ngIf", b"*ngFor", b"@if", b"@foreach", b"{{#", b"th:")
_scripted = expressions.compile(rb"""\bimport\s(?:[^"'\n;]{0,200}\sfrom\s)?["']([./][^"'\n]{1,180})["']""")
_components = expressions.compile(rb"<([A-Z]\w{1,60}|[a-z]\w{0,30}-[\w-]{1,40})[\s/>]")


def read_html(data: bytes, path: str) -> Outline:
    """Outline one page or template."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if b"\0" in data[:READ_LIMIT]:
        return Outline(format="html", parsed=False, lines=lines)
    draft = Draft("html", path)
    raw = data[:READ_LIMIT].removeprefix(BOM)
    head = head_of(raw, GRAMMAR.limit)
    captures = parse(GRAMMAR, head, len(head) == len(raw))
    parsed = not head if captures is None else captures.parsed
    read_page(draft, raw)
    return draft.finish("html", lines, parsed)


def read_page(draft: Draft, raw: bytes) -> None:
    """Everything that markup tells, without comments and without the text of scripts and styles."""
    source = _comment.sub(b"", raw)
    markup, inside = _without_scripts(source)
    read_elements(draft, markup)
    for target in _scripted.findall(inside):
        draft.refer("javascript", text_of(target))
    draft.count("style_rule", inside.count(b"}") if b"<style" in source else 0)
    tags = sum(markup.count(tag) for tag in _tags)
    draft.count("template_tag", tags)
    if not tags:
        return
    for _, target in _parent.findall(markup):
        draft.refer("path", text_of(target), "renders")
    for _, name in _blade.findall(markup):
        draft.refer("path", text_of(name).replace(".", "/") + ".blade.php", "renders")
    for target in _partial.findall(markup) + _rendered.findall(markup):
        draft.refer("path", text_of(target), "renders")
    for name in _block.findall(markup):
        draft.name(text_of(name))


def _without_scripts(source: bytes) -> tuple[bytes, bytes]:
    """Markup with the contents of scripts and styles cut out, and those contents."""
    kept: list[bytes] = []
    cut: list[bytes] = []
    at = 0
    while found := _script.search(source, at):
        kept.append(source[at : found.end()])
        closing = _close[found[1]].search(source, found.end())
        end = closing.start() if closing else len(source)
        cut.append(source[found.end() : end])
        at = end
    kept.append(source[at:])
    return b"".join(kept), b"\n".join(cut)


READERS = {"html": read_html}
