"""Rust."""

from __future__ import annotations

from collections.abc import Iterator

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import RUST as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, call_table, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

MAX_LEAVES = 60

_OWN = frozenset(("crate", "self", "super"))
_derive = expressions.compile(rb"#\[derive\(([^)\n]{1,300})\)")
_space = expressions.compile(r"\s+")

QUERY = """
(use_declaration) @import
(mod_item) @module
(extern_crate_declaration name: (identifier) @crate)
(function_item name: (identifier) @function)
(function_signature_item name: (identifier) @function)
(struct_item name: (type_identifier) @class)
(trait_item name: (type_identifier) @abstract)
(enum_item name: (type_identifier) @type)
(type_item name: (type_identifier) @type)
(const_item name: (identifier) @constant)
(static_item name: (identifier) @constant)
(impl_item trait: (_) @base)
(attribute_item) @decorator
(macro_definition name: (identifier) @function)
"""
RULES = expressions.compile(
    rb"\n[ \t]*+(?:#!?\[(?P<decorator>[^\n]++)|(?P<import>(?:pub(?:\([^)\n]*+\))?+[ ]++)?+use[ ]++[^;]++)"
    rb"|(?:pub(?:\([^)\n]*+\))?+[ ]++)?+(?:(?:unsafe|async|const"
    rb"|default)[ ]++(?=fn|trait|unsafe|async|extern))*+(?:extern[ ]++\"\"[ ]++)?+"
    rb"(?:fn[ ]++(?P<function>\w++)|struct[ ]++(?P<class>\w++)|trait[ ]++(?P<abstract>\w++)"
    rb"|enum[ ]++(?P<type>\w++)|(?:const|static)[ ]++(?P<constant>[A-Z]\w++)|(?P<module>mod[ ]++\w++[ ]*+[;{])))"
)


def _leaves(tree: str) -> Iterator[str]:
    """The full paths of a use tree, without recursion: `a::{b, c::{d, e}}` gives a::b, a::c::d, a::c::e."""
    prefixes = [""]
    word = ""
    for character in tree:
        if character == "{":
            prefixes.append(prefixes[-1] + word)
            word = ""
        elif character in ",}":
            if word:
                yield prefixes[-1] + word
            word = ""
            if character == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            word += character
    if word:
        yield prefixes[-1] + word


def _import(draft: Draft, raw: bytes) -> None:
    statement = _space.sub(" ", raw[:4000].decode("utf-8", "replace")).strip("; ")
    if statement.startswith("pub"):
        draft.count("reexport")
    tree = statement.partition("use ")[2]
    for number, leaf in enumerate(_leaves(tree)):
        if number >= MAX_LEAVES:
            break
        path, _, alias = leaf.partition(" as ")
        path = path.replace(" ", "").removesuffix("::self").removeprefix("::")
        if not path:
            continue
        draft.refer("rust", path)
        root = path.partition("::")[0]
        if root not in _OWN:
            draft.imported(path, alias.strip() or path.rpartition("::")[2], root)


def _module(draft: Draft, raw: bytes) -> None:
    """`mod x;` is another file; `mod x { … }` is here."""
    words = raw[:300].partition(b"mod ")[2].split()
    if not words:
        return
    name = text_of(words[0].strip(b";{"))
    if b"{" not in raw[:300]:
        draft.refer("rust", f"mod:{name}")
    elif name == "tests":
        draft.count("test_function", 0)
    draft.name(name)


def _crate(draft: Draft, raw: bytes) -> None:
    draft.refer("rust", text_of(raw))
    draft.imported(text_of(raw), text_of(raw))


def _also(draft: Draft, text: Text) -> None:
    code = text.code
    for names in _derive.findall(code):
        for name in names.split(b","):
            draft.decorator(name.strip())
    if b"fn main(" in code:
        draft.count("main_guard")


RUST = Language(
    how="rust",
    mask=MASK,
    rules=RULES,
    handlers={"import": _import, "module": _module, "crate": _crate},
    grammar=Grammar("tree_sitter_rust", QUERY, depth=5),
    calls=call_table(b":!"),
    generics=True,
    also=_also,
    marks=marks_of("rust"),
)
READERS = {"rust": reader(RUST, "rust")}
