"""JavaScript and TypeScript, with and without JSX, and the components of Vue and Svelte."""

from __future__ import annotations

from functools import cache

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.language import Hooks, Language, load_language, read_source, reader_of
from plantwin.private.classify.languages.markup import COMMENT, MARKUP_LIMIT, read_elements
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import Text

_LEXICON = Lexicon(__file__)

_specifier = _LEXICON.bytes_pattern("specifier")
_names = expressions.compile(r"[A-Za-z_$][\w$]*")
_required = _LEXICON.bytes_pattern("required")
_element = expressions.compile(rb"(?:return|=>|\()\s*+\(?\s*+<[A-Za-z>]")
_component = expressions.compile(rb"\b(?:function|const|class)\s++([A-Z]\w*+)")
_handler = _LEXICON.bytes_pattern("handler")
_answer = _LEXICON.bytes_pattern("answer")
_shell = _LEXICON.bytes_pattern("shell")
_SHELL = {word.encode(): feature for word, feature in _LEXICON.groups("shell_calls").items()}
_hook = expressions.compile(rb"\b(?:function|const)\s++use[A-Z]\w*+")
_part = expressions.compile(rb"<(script|style)\b([^>]{0,400}+)>")
_TEMPLATE = (b"{{", b" v-", b" :", b"{#if", b"{#each", b"{@html", b"on:")
"""Expressions in the templates of Vue and Svelte."""


def package_of(specifier: str) -> str:
    """The package of a specifier; empty for a file of the project itself."""
    if specifier[:1] in "./#~" or specifier.startswith("@/"):
        return ""
    parts = specifier.removeprefix("node:").split("/")
    return "/".join(parts[:2]) if specifier.startswith("@") else parts[0]


def _import(builder: OutlineBuilder, raw: bytes) -> None:
    found = _specifier.search(raw)
    if found:
        clause = raw[: found.start()].decode("utf-8", "replace")
        _refer(builder, found[1], clause.removeprefix("import"))


def _refer(builder: OutlineBuilder, specifier: bytes, clause: str) -> None:
    name = decode(specifier)
    builder.refer("javascript", name)
    if package_of(name):
        builder.imported(name.removeprefix("node:"), *_names.findall(clause[:600])[:40])


def _reexport(builder: OutlineBuilder, raw: bytes) -> None:
    builder.count("reexport")
    found = _specifier.search(raw)
    if found:
        builder.refer("javascript", decode(found[1]))


def _interface(builder: OutlineBuilder, raw: bytes) -> None:
    builder.abstract(raw)
    builder.count("type_only")


def _first(builder: OutlineBuilder, text: Text, _: Language) -> None:
    if b"require" in text.code or b"import(" in text.code:
        for clause, specifier in _required.findall(text.code):
            _refer(builder, specifier, clause.decode("utf-8", "replace"))


def _last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    code = text.code
    exports = code.count(b"module.exports") + code.count(b"export ")
    if exports and "reexport" in builder.features and builder.features["reexport"] >= exports:
        builder.count("reexport")
    builder.count("route", len(_handler.findall(code)))
    if "route" not in builder.features:
        builder.count("route", len(_answer.findall(code)))
    if not builder.references and b"db." in code:
        for first, second in _shell.findall(code):
            feature = _SHELL.get(second) or _SHELL.get(first)
            if feature:
                builder.count(feature)
    builder.count("hook", len(_hook.findall(code)))
    if _element.search(code):
        builder.count("component", len(set(_component.findall(code))))
        read_elements(builder, text.raw, script=True)


_HOOKS = Hooks(
    {
        "import": _import,
        "reexport": _reexport,
        "class_head": OutlineBuilder.class_head,
        "interface": _interface,
        "arrow": OutlineBuilder.function_value,
        "method": OutlineBuilder.function,
    },
    first=_first,
    last=_last,
)


@cache
def _language(variant: str) -> Language:
    return load_language("javascript", variant, _HOOKS)


def reader(format: str) -> Reader:
    """Return the reader of a format."""
    if format in ("vue", "svelte"):
        return "javascript", _read_component
    return reader_of(_language("javascript" if format == "jsx" else format))


def _read_component(builder: OutlineBuilder, data: bytes) -> bool:
    """Read a single-file component: the script as script, the template as markup."""
    source = COMMENT.sub(b"", data[:MARKUP_LIMIT])
    parsed = True
    template: list[bytes] = []
    at = 0
    while found := _part.search(source, at):
        template.append(source[at : found.start()])
        end = source.find(b"</" + found[1], found.end())
        end = len(source) if end < 0 else end
        inside = source[found.end() : end]
        if found[1] == b"script":
            typed = b'"ts"' in found[2] or b"'ts'" in found[2]
            parsed &= read_source(builder, _language("typescript" if typed else "javascript"), inside)
        else:
            builder.count("style_rule", inside.count(b"{"))
        at = end
    template.append(source[at:])
    markup = b"".join(template)
    read_elements(builder, markup, script=True)
    builder.count("template_tag", sum(markup.count(mark) for mark in _TEMPLATE))
    builder.count("component")
    builder.count("insecure_call", markup.count(b"v-html") + markup.count(b"{@html"))
    return parsed
