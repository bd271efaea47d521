"""CSS, SCSS and Less."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.literals import read_comments
from plantwin.private.extract.languages.masks import BLOCK, DOUBLE, SINGLE, SLASH_LINE, mask, separate
from plantwin.private.extract.languages.spec import BOM
from plantwin.private.extract.languages.trees import Grammar, head_of, parse
from plantwin.private.facts import Outline

READ_LIMIT = 64 * 1024
GRAMMAR = Grammar("tree_sitter_css", "(rule_set (selectors) @rule) (import_statement) @import", depth=4)
_css = mask(BLOCK, DOUBLE, SINGLE, comments=b"/")
_scss = mask(rb"(?<!:)" + SLASH_LINE, BLOCK, DOUBLE, SINGLE, comments=b"/")
_import = expressions.compile(
    rb"""@(?:import|use|forward)\s++(?:\([^)\n]{0,40}\)\s*+)?+(?:url\(\s*+)?+["']?([^"')\s;]{1,180})"""
)
_url = expressions.compile(rb"""\burl\(\s*+["']?([^"')\s]{1,180})""")
_mixin = expressions.compile(rb"@mixin\s++([\w-]{1,80})")
_rule = expressions.compile(rb"[^{};@]{1,2000}\{")


def read_css(data: bytes, path: str) -> Outline:
    """Outline one style sheet."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if b"\0" in data[:READ_LIMIT]:
        return Outline(format="css", parsed=False, lines=lines)
    draft = Draft("css", path)
    raw = data[:READ_LIMIT].removeprefix(BOM)
    plain = not path.endswith((".scss", ".sass", ".less", ".styl"))
    parsed = True
    if plain:
        head = head_of(raw, GRAMMAR.limit)
        captures = parse(GRAMMAR, head, len(head) == len(raw))
        parsed = not head if captures is None else captures.parsed
    text = separate(_css if plain else _scss, raw)
    code = text.code
    for target in _import.findall(code):
        _refer(draft, target, "imports")
    for target in _url.findall(code):
        _refer(draft, target, "renders")
    for name in _mixin.findall(code):
        draft.name(text_of(name))
    draft.count("style_rule", code.count(b"{"))
    read_comments(draft, text)
    return draft.finish("css", lines, parsed)


def _refer(draft: Draft, target: bytes, reason: str) -> None:
    name = text_of(target).partition("?")[0].partition("#")[0]
    if name and ":" not in name and not name.startswith(("//", "~")):
        draft.refer("html", name, reason)


READERS = {"css": read_css}
