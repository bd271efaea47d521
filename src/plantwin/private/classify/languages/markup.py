"""Markup and style sheets: pages, the templates that produce them (Jinja, Django, Twig, ERB, EJS, Handlebars, Blade),
the elements in JSX, and CSS, SCSS and Less."""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.literals import read_comments
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import CSS, SCSS, separate
from plantwin.private.formats.syntax_tree import Grammar, head_of, parse

_LEXICON = Lexicon(__file__)

MARKUP_LIMIT = 64 * 1024
_MAX_ELEMENTS = 4000
_HTML = Grammar(
    "tree_sitter_html", "(attribute (attribute_name) @attribute) (script_element (raw_text) @script)", depth=24
)
_CSS = Grammar("tree_sitter_css", "(rule_set (selectors) @rule) (import_statement) @import", depth=4)
COMMENT = expressions.compile(rb"<!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->|\Z)")

_tag = _LEXICON.bytes_pattern("tag")
_attribute = _LEXICON.bytes_pattern("attribute")
_bare = expressions.compile(rb"(?<![\w=\"'-])(alt|aria-label|aria-labelledby)(?![\w-])")
_LINKS = {
    b"script": b"src",
    b"link": b"href",
    b"a": b"href",
    b"img": b"src",
    b"iframe": b"src",
    b"form": b"action",
    b"source": b"src",
}
_UNLABELLED_TYPES = frozenset((b"hidden", b"submit", b"button", b"image", b"reset"))
_PASSWORD_FIELDS = _LEXICON.byte_words("password_fields")
_MAIL = _LEXICON.byte_phrases("mail")

_template_comment = _LEXICON.bytes_pattern("template_comment")
_script = expressions.compile(rb"<(script|style)\b[^>]{0,400}+>")
_close = {
    b"script": expressions.compile(rb"</script", re.IGNORECASE),
    b"style": expressions.compile(rb"</style", re.IGNORECASE),
}
_parent = _LEXICON.bytes_pattern("parent")
_blade = _LEXICON.bytes_pattern("blade")
_partial = _LEXICON.bytes_pattern("partial")
_rendered = _LEXICON.bytes_pattern("rendered")
_block = expressions.compile(rb"\{%-?\s*+block\s++(\w{1,60})")
_tags = _LEXICON.byte_phrases("tags")
_scripted = _LEXICON.bytes_pattern("scripted")
_import = _LEXICON.bytes_pattern("import")
_url = expressions.compile(rb"""\burl\(\s*+["']?([^"')\s]{1,180})""")
_mixin = expressions.compile(rb"@mixin\s++([\w-]{1,80})")


def attributes(raw: bytes) -> dict[bytes, bytes]:
    """Attributes of one opening tag."""
    return {name.lower(): first or second or third for name, first, second, third in _attribute.findall(raw[:4000])}


def read_elements(builder: OutlineBuilder, source: bytes, *, script: bool = False) -> None:
    """Count what the elements show; refer to files that they load."""
    labelled: set[bytes] = set()
    fields: list[dict[bytes, bytes]] = []
    wrapped = source.count(b"<label") if b"<label" in source else 0
    tables = 0
    total = 0
    for match in _tag.finditer(source):
        total += 1
        if total > _MAX_ELEMENTS:
            break
        tag, rest = match[1].lower(), match[2]
        if tag in (b"input", b"select", b"textarea"):
            found = attributes(rest)
            kind = found.get(b"type", b"").lower()
            if b"password" in kind or b"-password" in found.get(b"autocomplete", b""):
                builder.count("password_input")
            if kind not in _UNLABELLED_TYPES and not (
                found.keys() & {b"aria-label", b"aria-labelledby", b":aria-label"}
            ):
                fields.append(found)
        elif tag == b"label":
            found = attributes(rest)
            labelled.add(found.get(b"for") or found.get(b"htmlfor") or b"")
        elif tag == b"form":
            builder.count("form")
        elif tag == b"img":
            found = attributes(rest)
            if b"alt" not in found and b":alt" not in found and not _bare.search(rest):
                builder.count("image_without_text")
        elif tag in _PASSWORD_FIELDS or (b"secureTextEntry" in rest and script):
            builder.count("password_input")
        elif tag == b"html" and not script and b"lang" not in attributes(rest):
            builder.count("no_language")
        elif tag == b"table":
            tables += 1
        if not script and tag in _LINKS:
            _link(builder, tag, attributes(rest).get(_LINKS[tag], b""))
    builder.count("markup", total)
    labels = len(labelled)
    for found in fields:
        own = found.get(b"id", b"")
        if own and own in labelled:
            continue
        # a label without `for` wraps its input
        if not own and wrapped > labels - (b"" in labelled):
            wrapped -= 1
            continue
        builder.count("input_unlabelled")
    if not script:
        marks = sum(source.count(mark) for mark in _MAIL)
        if tables and marks and (marks >= 2 or tables >= 2):
            builder.count("email_markup", marks)


def _link(builder: OutlineBuilder, tag: bytes, target: bytes) -> None:
    """A relative link to a file; addresses, anchors and template expressions are none."""
    name = decode(target.partition(b"?")[0].partition(b"#")[0].strip())
    if not name or ":" in name or name.startswith("//") or any(mark in name for mark in "{<$ %"):
        return
    if tag == b"form" or (tag == b"a" and "." not in name):
        return
    builder.refer("html", name, "renders")


def _read_page(builder: OutlineBuilder, raw: bytes) -> bool:
    """Read markup without comments and without the text of scripts and styles."""
    raw = raw[:MARKUP_LIMIT]
    source = _template_comment.sub(b"", raw)
    markup, inside = _without_scripts(source)
    read_elements(builder, markup)
    for target in _scripted.findall(inside):
        builder.refer("javascript", decode(target))
    builder.count("style_rule", inside.count(b"}") if b"<style" in source else 0)
    tags = sum(markup.count(tag) for tag in _tags)
    builder.count("template_tag", tags)
    if tags:
        _read_template(builder, markup)
    return _parses(_HTML, raw)


def _read_template(builder: OutlineBuilder, markup: bytes) -> None:
    """Refer to the templates that a template extends or includes."""
    for _, target in _parent.findall(markup):
        builder.refer("path", decode(target), "renders")
    for _, name in _blade.findall(markup):
        builder.refer("path", decode(name).replace(".", "/") + ".blade.php", "renders")
    for target in _partial.findall(markup) + _rendered.findall(markup):
        builder.refer("path", decode(target), "renders")
    for name in _block.findall(markup):
        builder.name(decode(name))


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


def _read_styles(builder: OutlineBuilder, data: bytes) -> bool:
    """Read a style sheet."""
    raw = data[:MARKUP_LIMIT]
    plain = not builder.path.endswith((".scss", ".sass", ".less", ".styl"))
    text = separate(CSS if plain else SCSS, raw)
    code = text.code
    for target in _import.findall(code):
        _refer(builder, target, "imports")
    for target in _url.findall(code):
        _refer(builder, target, "renders")
    for name in _mixin.findall(code):
        builder.name(decode(name))
    builder.count("style_rule", code.count(b"{"))
    read_comments(builder, text)
    return not plain or _parses(_CSS, raw)


def _refer(builder: OutlineBuilder, target: bytes, reason: str) -> None:
    name = decode(target).partition("?")[0].partition("#")[0]
    if name and ":" not in name and not name.startswith(("//", "~")):
        builder.refer("html", name, reason)


def _parses(grammar: Grammar, raw: bytes) -> bool:
    head = head_of(raw, grammar.limit)
    captures = parse(grammar, head, len(head) == len(raw))
    return not head if captures is None else captures.parsed


def reader(format: str) -> Reader:
    """Return the reader of a format."""
    return format, _read_styles if format == "css" else _read_page
