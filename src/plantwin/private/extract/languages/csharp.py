"""C#."""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import CSHARP as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

_using = expressions.compile(r"(?:global )?using (?:static )?(?:(\w+) ?= ?)?([\w.]+)")
_main = expressions.compile(rb"\bstatic\s+(?:async\s+)?(?:void|int|Task(?:<int>)?)\s+Main\s*\(")
_attribute = expressions.compile(rb"(?:\n|\[|,)[ \t]*+\[?(?:assembly:[ ]*+)?([A-Z]\w{1,60})(?=[\](,])")

QUERY = """
(using_directive) @import
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)
(class_declaration name: (identifier) @class)
(struct_declaration name: (identifier) @class)
(record_declaration name: (identifier) @class)
(interface_declaration name: (identifier) @abstract)
(enum_declaration name: (identifier) @type)
(method_declaration name: (identifier) @function)
(constructor_declaration name: (identifier) @constructor)
(base_list) @base
(attribute name: (_) @decorator)
"""
_modifiers = (
    rb"(?:(?:public|private|protected|internal|static|sealed|abstract|partial|async|override|virtual"
    rb"|readonly|new|extern|unsafe)[ \t]++)*+"
)
RULES = expressions.compile(
    rb"\n[ \t]*+(?:(?P<import>(?:global )?+using [\w.= ]++);|namespace[ ]++(?P<package>[\w.]++)"
    rb"|\[(?P<decorator>[A-Z]\w*+)|"
    + _modifiers
    + rb"(?:(?:class|struct|record)[ ]++(?P<class_head>\w[^\n{]*+)|interface[ ]++(?P<abstract>\w++)"
    rb"|enum[ ]++(?P<type>\w++)"
    rb"|(?!return\b|new\b|else\b|throw\b|await\b|var\b|using\b)[\w.]++(?:<[^\n(;=]{0,120}>)?+(?:\[\]"
    rb"|\?)*+[ ]++(?P<function>\w++)[ ]*+(?:<\w++>)?+\([^;\n{=]*+(?=\n|\{|=)))"
)


def _import(draft: Draft, raw: bytes) -> None:
    found = _using.match(text_of(raw))
    if found:
        alias, name = found.groups()
        draft.refer("csharp", name)
        draft.imported(name, alias or name.rpartition(".")[2])


def _package(draft: Draft, raw: bytes) -> None:
    draft.provide("csharp", text_of(raw))


def _class_head(draft: Draft, raw: bytes) -> None:
    name, _, bases = raw.partition(b":")
    draft.class_(re.split(rb"\W", name.strip(), maxsplit=1)[0])
    draft.base(bases)


def _constructor(draft: Draft, raw: bytes) -> None:
    draft.own[raw] += 1


def _also(draft: Draft, text: Text) -> None:
    code = text.code
    draft.count("main_guard", len(_main.findall(code)))
    draft.count("abstract", code.count(b"abstract class "))
    draft.count("type_only", code.count(b" record "))


CSHARP = Language(
    how="csharp",
    mask=MASK,
    rules=RULES,
    handlers={"import": _import, "package": _package, "class_head": _class_head, "constructor": _constructor},
    grammar=Grammar("tree_sitter_c_sharp", QUERY, depth=7),
    generics=True,
    also=_also,
    marks=marks_of("csharp"),
)
READERS = {"csharp": reader(CSHARP, "csharp")}
