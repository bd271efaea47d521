"""JavaScript and TypeScript, with and without JSX."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.markup import read_elements
from plantwin.private.extract.languages.masks import SCRIPT as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

_specifier = expressions.compile(rb"""(?:from\s*+|import\s*+|=\s*+require\s*+\(\s*+)["']([^"'\n]{1,200})["']""")
_names = expressions.compile(r"[A-Za-z_$][\w$]*")
_required = expressions.compile(
    rb"""(?:(?:const|let|var)\s++(\{[^}]{0,400}\}|[\w$]++)\s*+=\s*+(?:await\s++)?+)?+\b(?:require|import)\s*+\(\s*+["'`]([^"'`\n]{1,200})["'`]\s*+\)"""
)
_element = expressions.compile(rb"(?:return|=>|\()\s*+\(?\s*+<[A-Za-z>]")
_component = expressions.compile(rb"\b(?:function|const|class)\s++([A-Z]\w*+)")
_handler = expressions.compile(rb"\bexport\s++(?:async\s++)?+(?:function|const)\s++(GET|POST|PUT|PATCH|DELETE)\b")
_answer = expressions.compile(
    rb"\(\s*+(?:_?req|request)(?:\s*+:[^,()]{1,60}+)?+,\s*+(?:_?res|response|reply)\b"
    rb"|\b(?:exports\.handler|const handler[^=\n]{0,80}+)\s*+=|\bdefineEventHandler\("
    rb"|\bexport\s++(?:async\s++)?+function\s++(?:loader|action)\b"
    rb"|\b(?:Query|Mutation|Subscription):\s*+\{"
)
"""A function that takes a request and answers it, whoever registers it."""
_shell = expressions.compile(rb"(?:^|\n)[ \t]*+(?:db|rs|sh)(?:\s*+=\s*+db)?+\.(\w++)(?:\.(\w++))?+\(")
_SHELL: dict[bytes, str] = {
    b"createCollection": "create_table",
    b"createIndex": "index",
    b"createView": "create_routine",
    b"aggregate": "select",
    b"find": "select",
    b"updateMany": "alter",
    b"insertMany": "insert_rows",
    b"createUser": "infra_access",
    b"createRole": "infra_access",
    b"drop": "destructive",
}
_hook = expressions.compile(rb"\b(?:function|const)\s++use[A-Z]\w*+")

_COMMON_QUERY = """
(import_statement) @import
(export_statement source: (string)) @reexport
(function_declaration name: (identifier) @function)
(generator_function_declaration name: (identifier) @function)
(method_definition name: (property_identifier) @function)
(variable_declarator name: (identifier) @function value: [(arrow_function) (function_expression)])
(class_heritage) @base
(decorator) @decorator
"""
_SCRIPT_QUERY = _COMMON_QUERY + "(class_declaration name: (identifier) @class)"
_TYPED_QUERY = (
    _COMMON_QUERY
    + """
(class_declaration name: (type_identifier) @class)
(abstract_class_declaration name: (type_identifier) @abstract)
(interface_declaration name: (type_identifier) @interface)
(type_alias_declaration name: (type_identifier) @type)
(enum_declaration name: (identifier) @type)
(method_signature name: (property_identifier) @function)
(abstract_method_signature name: (property_identifier) @function)
"""
)
RULES = expressions.compile(
    rb"\n[ \t]*+(?:(?P<import>import\b(?![ \t]*+\()[^;\"'\n]*+(?:\n[^;\"'\n]*+){0,40}+[\"'][^\"'\n]{1,200}[\"'])"
    rb"|export[ ]++(?:\*|\{[^}]{0,2000}\}"
    rb"|type[ ]++\{[^}]{0,2000}\})(?P<reexport>[^\n]{0,60}?[ ]from[ ]++[\"'][^\"'\n]++[\"'])"
    rb"|(?:export[ ]++)?+(?:default[ ]++)?+(?:async[ ]++)?+function\b[ *]*+(?P<function>[\w$]++)"
    rb"|(?:export[ ]++)?+(?:default[ ]++)?+abstract[ ]++class[ ]++(?P<abstract>[\w$]++)"
    rb"|(?:export[ ]++)?+(?:default[ ]++)?+class[ ]++(?P<class_head>[\w$][^\n{]*+)"
    rb"|(?:export[ ]++)?+(?:declare[ ]++)?+interface[ ]++(?P<interface>[\w$]++)"
    rb"|(?:export[ ]++)?+(?:declare[ ]++)?+(?:const[ ]++)?+(?:type|enum)[ ]++(?P<type>[\w$]++)[ <]*+[={A-Z]"
    rb"|(?:export[ ]++)?+(?:const|let"
    rb"|var)[ ]++(?P<arrow>[\w$]++)[^=\n]{0,80}+=[ ]*+(?:async[ ]*+)?+(?:function\b"
    rb"|\([^()\n]{0,200}+\)[^=\n]{0,60}+=>|[\w$]++[ ]*+=>)"
    rb"|(?:(?:async|static|get|set|public|private|protected|override)[ ]++)*+"
    rb"(?!(?:if|for|while|switch|catch|function|return|super|with)\b)(?P<method>[\w$]++)\([^()\n]{0,300}+\)[^\n{;=()]{0,80}+\{"
    rb"|@(?P<decorator>[\w.]++\(?+))"
)


def package_of(specifier: str) -> str:
    """The package of a specifier; empty for a file of the project itself."""
    if specifier[:1] in "./#~" or specifier.startswith("@/"):
        return ""
    parts = specifier.removeprefix("node:").split("/")
    return "/".join(parts[:2]) if specifier.startswith("@") else parts[0]


def _import(draft: Draft, raw: bytes) -> None:
    found = _specifier.search(raw)
    if found:
        clause = raw[: found.start()].decode("utf-8", "replace")
        _refer(draft, found[1], clause.removeprefix("import"))


def _refer(draft: Draft, specifier: bytes, clause: str) -> None:
    name = text_of(specifier)
    draft.refer("javascript", name)
    if package_of(name):
        draft.imported(name.removeprefix("node:"), *_names.findall(clause[:600])[:40])


def _reexport(draft: Draft, raw: bytes) -> None:
    draft.count("reexport")
    found = _specifier.search(raw)
    if found:
        draft.refer("javascript", text_of(found[1]))


def class_head(draft: Draft, raw: bytes) -> None:
    """`Name extends Base implements Other`, from a line."""
    name, _, bases = raw.partition(b" ")
    draft.class_(name)
    if bases:
        draft.base(bases)


def _arrow(draft: Draft, raw: bytes) -> None:
    draft.name(text_of(raw))
    draft.count("function")


def _interface(draft: Draft, raw: bytes) -> None:
    draft.abstract(raw)
    draft.count("type_only")


def _first(draft: Draft, text: Text) -> None:
    if b"require" in text.code or b"import(" in text.code:
        for clause, specifier in _required.findall(text.code):
            _refer(draft, specifier, clause.decode("utf-8", "replace"))


def _also(draft: Draft, text: Text) -> None:
    code = text.code
    exports = code.count(b"module.exports") + code.count(b"export ")
    if exports and "reexport" in draft.features and draft.features["reexport"] >= exports:
        draft.count("reexport")
    draft.count("route", len(_handler.findall(code)))
    if "route" not in draft.features:
        draft.count("route", len(_answer.findall(code)))
    if not draft.references and b"db." in code:
        for first, second in _shell.findall(code):
            feature = _SHELL.get(second) or _SHELL.get(first)
            if feature:
                draft.count(feature)
    draft.count("hook", len(_hook.findall(code)))
    if _element.search(code):
        draft.count("component", len(set(_component.findall(code))))
        read_elements(draft, text.raw, script=True)


_HANDLERS = {
    "import": _import,
    "reexport": _reexport,
    "class_head": class_head,
    "interface": _interface,
    "arrow": _arrow,
    "method": Draft.function,
}


def _language(module: str, function: str, query: str) -> Language:
    return Language(
        how="javascript",
        mask=MASK,
        rules=RULES,
        handlers=_HANDLERS,
        grammar=Grammar(module, query, function, depth=7),
        generics=True,
        first=_first,
        also=_also,
        marks=marks_of("javascript"),
    )


JAVASCRIPT = _language("tree_sitter_javascript", "language", _SCRIPT_QUERY)
TYPESCRIPT = _language("tree_sitter_typescript", "language_typescript", _TYPED_QUERY)
TSX = _language("tree_sitter_typescript", "language_tsx", _TYPED_QUERY)
READERS = {
    "javascript": reader(JAVASCRIPT, "javascript"),
    "jsx": reader(JAVASCRIPT, "jsx"),
    "typescript": reader(TYPESCRIPT, "typescript"),
    "tsx": reader(TSX, "tsx"),
}
