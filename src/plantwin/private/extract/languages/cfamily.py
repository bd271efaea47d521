"""C and C++."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import CPP as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, call_table, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

_include = expressions.compile(rb"#[ \t]*+(?:include|import)[ \t]*+(?:\"([^\"\n]{1,200})\"|<([^>\n]{1,200})>)")
_main = expressions.compile(rb"\bint\s+main\s*\(")

C_QUERY = """
(preproc_include) @import
(function_definition declarator: (function_declarator declarator: (identifier) @function))
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @function)))
(struct_specifier name: (type_identifier) @class body: (_))
(union_specifier name: (type_identifier) @class body: (_))
(enum_specifier name: (type_identifier) @type body: (_))
(type_definition declarator: (type_identifier) @type)
(preproc_def name: (identifier) @constant)
(preproc_function_def name: (identifier) @function)
"""
CPP_QUERY = (
    C_QUERY
    + """
(function_definition declarator: (function_declarator declarator: (field_identifier) @function))
(function_definition declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @function)))
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @own))
(class_specifier name: (type_identifier) @class body: (_))
(base_class_clause) @base
(alias_declaration name: (type_identifier) @type)
(namespace_definition name: (namespace_identifier) @namespace)
"""
)
_parameters = rb"\([^;{}()]{0,600}+(?:\([^;{}()]{0,100}+\)[^;{}()]{0,300}+){0,8}+\)"
RULES = expressions.compile(
    rb"\n(?:(?P<import>#[ \t]*+include[^\n]++)|#[ \t]*+define[ \t]++(?P<constant>\w++)(?![\w(])"
    rb"|(?:typedef[ \t]++)?+(?:struct|union)[ \t]++(?P<class>\w++)[^;\n({]*+\{"
    rb"|(?:typedef[ \t]++)?+enum[ \t]++(?P<type>\w++)"
    rb"|class[ \t]++(?P<class_head>\w[^;\n{]*+)(?:\n|\{)|namespace[ \t]++(?P<namespace>\w++)"
    rb"|(?!return\b|else\b|typedef\b|using\b|if\b|for\b|while\b|switch\b|template\b)"
    rb"[A-Za-z_][\w:<>,*& \t]{0,160}?[ \t*&]"
    rb"(?:\w++::)*+(?P<function>~?+\w++)[ \t]*+" + _parameters + rb"[^;{}\n()]{0,80}+\n?+\{)"
)


def _import(draft: Draft, raw: bytes) -> None:
    found = _include.search(raw)
    if found:
        quoted, system = found.groups()
        name = text_of(quoted or system)
        draft.refer("c" if quoted else "c_system", name)
        if system:
            draft.imported(name, how="c_system")
        else:
            draft.imported(name, how="c")


def _class_head(draft: Draft, raw: bytes) -> None:
    name, _, bases = raw.partition(b":")
    draft.class_(name.split()[0])
    draft.base(bases)


def _namespace(draft: Draft, raw: bytes) -> None:
    draft.name(text_of(raw))


def _own(draft: Draft, raw: bytes) -> None:
    draft.own[raw] += 1


def _also(draft: Draft, text: Text) -> None:
    code = text.code
    if _main.search(code):
        draft.count("main_guard")
    draft.count("abstract", code.count(b") = 0;") + code.count(b") const = 0;"))


def _language(module: str, query: str) -> Language:
    return Language(
        how="c",
        mask=MASK,
        rules=RULES,
        handlers={"import": _import, "class_head": _class_head, "namespace": _namespace, "own": _own},
        grammar=Grammar(module, query, depth=7),
        calls=call_table(b":>-"),
        tolerant=True,
        generics=True,
        also=_also,
        marks=marks_of("c"),
    )


READERS = {
    "c": reader(_language("tree_sitter_c", C_QUERY), "c"),
    "cpp": reader(_language("tree_sitter_cpp", CPP_QUERY), "cpp"),
}
