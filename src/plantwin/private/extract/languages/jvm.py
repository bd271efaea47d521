"""Java, Kotlin and Scala."""

from __future__ import annotations

import re

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import BRACES as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

_path = expressions.compile(r"[A-Za-z_][\w.]*")
_main = expressions.compile(
    rb"\bstatic\s+void\s+main\s*\(|\bfun\s+main\s*\(|\bdef\s+main\s*\(|\bextends\s+App\b|@main\b"
)
_annotation = expressions.compile(rb"(?<![\w@.])@([A-Z]\w{1,60})")

JAVA_QUERY = """
(package_declaration) @package
(import_declaration) @import
(class_declaration name: (identifier) @class)
(record_declaration name: (identifier) @class)
(interface_declaration name: (identifier) @abstract)
(annotation_type_declaration name: (identifier) @abstract)
(enum_declaration name: (identifier) @type)
(method_declaration name: (identifier) @function)
(constructor_declaration name: (identifier) @constructor)
(superclass) @base
(super_interfaces) @base
(extends_interfaces) @base
"""
KOTLIN_QUERY = """
(package_header) @package
(import) @import
(class_declaration "class" name: (identifier) @class)
(class_declaration "interface" name: (identifier) @abstract)
(object_declaration name: (identifier) @class)
(function_declaration name: (identifier) @function)
(delegation_specifiers) @base
(type_alias type: (identifier) @type)
"""
SCALA_QUERY = """
(package_clause name: (_) @package)
(import_declaration) @import
(class_definition name: (identifier) @class)
(object_definition name: (identifier) @class)
(trait_definition name: (identifier) @abstract)
(enum_definition name: (identifier) @type)
(type_definition name: (type_identifier) @type)
(function_definition name: (identifier) @function)
(function_declaration name: (identifier) @function)
(extends_clause) @base
"""
_modifiers = (
    rb"(?:@[A-Z]\w*+(?:\([^()\n]*+\))?+[ ]++)*+"
    rb"(?:(?:public|private|protected|internal|static|final|abstract|open|sealed|data|override|suspend|inline"
    rb"|case|implicit|lazy"
    rb"|synchronized|default|native|inner|value|annotation|companion|operator|tailrec|infix"
    rb"|fun(?= interface))[ \t]++)*+"
)
RULES = expressions.compile(
    rb"\n[ \t]*+(?:package[ \t]++(?P<package>[\w.]++)|import[ \t]++(?P<import>[^\n;]++)|"
    + _modifiers
    + rb"(?:(?:class|object|record)[ \t]++(?P<class_head>\w[^\n{]*+)|(?:@?interface|trait)[ \t]++(?P<abstract>\w++)"
    rb"|(?:enum[ \t]++class|enum|typealias|type)[ \t]++(?P<type>\w++)"
    rb"|(?:fun|def)[ \t]++(?:<[^>\n]*+>[ \t]++)?+(?:[\w.<>?]++\.)?+(?P<function>\w++)"
    rb"|(?!return\b|new\b|else\b|throw\b)[\w.]++(?:<[^\n(;=]{0,120}>)?+(?:\[\])*+[ \t]++(?P<method>\w++)[ \t]*+"
    rb"\([^\n;{]*+\{))"
)


def _import(draft: Draft, raw: bytes) -> None:
    """`a.b.C`, `a.b.*`, `a.b.C as D`, `static a.b.C.d`, and Scala's `a.b.{C, D => E}` and `a.b._`."""
    statement = raw.decode("utf-8", "replace").strip().rstrip(";").removeprefix("import").strip()
    statement = statement.removeprefix("static ").strip()
    for single in _scala_lines(statement):
        prefix, brace, inside = single.partition("{")
        if brace:
            prefix = prefix.strip().rstrip(".")
            names = [part.replace("=>", " ").split() for part in inside.rstrip("} ").split(",")]
            for words in names:
                if words:
                    last = "*" if words[0] in ("_", "*") else words[0]
                    _refer(draft, f"{prefix}.{last}", words[-1])
            continue
        words = single.split()
        if not words or not _path.match(words[0]):
            continue
        path = words[0]
        if path.endswith(("._", ".*")):
            path = path[:-2] + ".*"
        _refer(draft, path, words[2] if len(words) == 3 and words[1] == "as" else path.rpartition(".")[2])


def _scala_lines(statement: str) -> list[str]:
    """`import a.b, c.d` names two; a comma inside braces does not split."""
    return [statement] if "{" in statement or "," not in statement else statement.split(",")


def _refer(draft: Draft, path: str, local: str) -> None:
    draft.refer("jvm", path)
    draft.imported(path.removesuffix(".*"), local)


def _package(draft: Draft, raw: bytes) -> None:
    name = text_of(raw).removeprefix("package").strip(" ;\n")
    draft.provide("jvm", name.partition(" ")[0])


def _class_head(draft: Draft, raw: bytes) -> None:
    name = re.match(rb"\w+", raw)
    if name:
        draft.class_(name[0])
        draft.base(raw[name.end() :].rpartition(b")")[2] or raw[name.end() :])


def _constructor(draft: Draft, raw: bytes) -> None:
    draft.own[raw] += 1


def _method(draft: Draft, raw: bytes) -> None:
    if raw not in (b"if", b"for", b"while", b"switch", b"catch", b"synchronized"):
        draft.function(raw)


def _also(draft: Draft, text: Text) -> None:
    code = text.code
    # annotations stand anywhere, also on one line with what they mark
    for name in _annotation.findall(code):
        draft.decorator(name)
    if b"main" in code or b" App" in code:
        draft.count("main_guard", len(_main.findall(code)))
    draft.count("type_only", code.count(b"data class ") + code.count(b"case class ") + code.count(b" record "))
    draft.count("abstract", code.count(b"abstract class "))


_HANDLERS = {
    "import": _import,
    "package": _package,
    "class_head": _class_head,
    "constructor": _constructor,
    "method": _method,
}


def _language(module: str, query: str) -> Language:
    return Language(
        how="jvm",
        mask=MASK,
        rules=RULES,
        handlers=_HANDLERS,
        grammar=Grammar(module, query, depth=5),
        generics=True,
        also=_also,
        marks=marks_of("jvm"),
    )


READERS = {
    "java": reader(_language("tree_sitter_java", JAVA_QUERY), "java"),
    "kotlin": reader(_language("tree_sitter_kotlin", KOTLIN_QUERY), "kotlin"),
    "scala": reader(_language("tree_sitter_scala", SCALA_QUERY), "scala"),
}
