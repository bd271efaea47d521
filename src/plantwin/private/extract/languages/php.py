"""PHP."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.markup import read_elements
from plantwin.private.extract.languages.masks import PHP as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, call_table, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

_included = expressions.compile(
    rb"\b(?:require|include)(?:_once)?+[ (]++(?:__DIR__[ ]*+\.[ ]*+"
    rb"|dirname\(__FILE__\)[ ]*+\.[ ]*+)?+[\"']([^\"'\n$]{1,200})[\"']"
)
_space = expressions.compile(r"\s+")

QUERY = """
(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration) @import
(function_definition name: (name) @function)
(method_declaration name: (name) @function)
(class_declaration name: (name) @class)
(interface_declaration name: (name) @abstract)
(trait_declaration name: (name) @abstract)
(enum_declaration name: (name) @type)
(const_element (name) @constant)
(base_clause) @base
(class_interface_clause) @base
(attribute) @decorator
"""
RULES = expressions.compile(
    rb"\n[ \t]*+(?:namespace[ ]++(?P<package>[\w\\]++)|(?P<import>use[ ]++[A-Z\\][^;(]++);|#\[(?P<decorator>[\w\\]++)"
    rb"|(?:(?:public|private|protected|static|final|abstract|readonly)[ ]++)*+(?:function[ ]++&?+(?P<function>\w++)"
    rb"|class[ ]++(?P<class_head>\w[^\n{]*+)|(?:interface|trait)[ ]++(?P<abstract>\w++)|enum[ ]++(?P<type>\w++)"
    rb"|const[ ]++(?P<constant>[A-Z]\w++)))"
)


def _import(draft: Draft, raw: bytes) -> None:
    r"""`use A\B as C, D\E;` and `use A\{B, C as D};`."""
    statement = _space.sub(" ", raw[:4000].decode("utf-8", "replace")).strip("; ").removeprefix("use ")
    statement = statement.removeprefix("function ").removeprefix("const ")
    prefix, brace, inside = statement.partition("{")
    for part in (inside.rstrip("} ") if brace else statement).split(","):
        path, _, alias = part.strip().partition(" as ")
        full = ((prefix if brace else "") + path.strip()).strip("\\")
        if full:
            draft.refer("php", full)
            draft.imported(full.replace("\\", "."), alias.strip() or full.rpartition("\\")[2])


def _package(draft: Draft, raw: bytes) -> None:
    draft.provide("php", text_of(raw))


def _class_head(draft: Draft, raw: bytes) -> None:
    name, _, bases = raw.partition(b" ")
    draft.class_(name)
    draft.base(bases)


def _also(draft: Draft, text: Text) -> None:
    for target in _included.findall(text.code):
        draft.refer("php_path", text_of(target.lstrip(b"/")))
    draft.count("abstract", text.code.count(b"abstract class "))
    if b"?>" in text.raw and b"</" in text.raw:
        draft.count("template_tag", text.raw.count(b"<?"))
        read_elements(draft, text.raw)


PHP = Language(
    how="php",
    mask=MASK,
    rules=RULES,
    handlers={"import": _import, "package": _package, "class_head": _class_head},
    grammar=Grammar("tree_sitter_php", QUERY, "language_php", depth=7),
    calls=call_table(b":>-"),
    also=_also,
    marks=marks_of("php"),
)
READERS = {"php": reader(PHP, "php")}
