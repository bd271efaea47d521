"""Names that nothing uses: imports of several languages, variables of scripts. Only what can be decided in one file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.lint.javascript import FUNCTIONS
from plantwin.private.capabilities.lint.rules import SCRIPTS, found
from plantwin.private.formats.syntax_tree import line, named, text, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node

UNUSED_IMPORT, UNUSED_VARIABLE = "CODE-UNUSED-IMPORT", "CODE-UNUSED-VARIABLE"
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_USES = frozenset(("identifier", "shorthand_property_identifier", "type_identifier", "nested_identifier"))
_OPERATOR_FUNCTIONS = re.compile(
    "getValue|setValue|provideDelegate|plus|minus|times|div|invoke|contains|iterator|get|set|rangeTo|compareTo|unaryMinus"
    "|plusAssign|minusAssign|component[12]"
)
"""Functions of Kotlin that operators call without naming them."""
_IMPORTS = {"java": "import_declaration", "kotlin": "import", "php": "namespace_use_clause", "go": "import_spec"}
_SCOPES = FUNCTIONS | {"statement_block", "for_statement", "for_in_statement"}


class _Declared(NamedTuple):
    name: str
    node: Node
    rule: str


def findings(format: str, root: Node, source: str) -> Iterator[Finding]:
    """Find unused names, and names that hide others."""
    if format in SCRIPTS:
        yield from _unused_in_script(root)
        yield from _shadowing(root)
    elif format in _IMPORTS:
        yield from _unused_imports(format, root, source)


def _unused_imports(format: str, root: Node, source: str) -> Iterator[Finding]:
    """Find imports whose word stands nowhere else, comments included: documentation may need it."""
    names_of = _go_names if format == "go" else _last_name
    imports = [(node, names) for node in walk(root) if node.type == _IMPORTS[format] and (names := names_of(node))]
    if not imports:
        return
    in_imports = Counter(word for node, _ in imports for word in _WORD.findall(text(node, 400)))
    everywhere = Counter(_WORD.findall(source))
    for node, names in imports:
        if not any(everywhere[name] > in_imports[name] for name in names):
            # What a Go package calls itself is not always what its path says.
            certain = format == "go" and len(names) == 1 and "." not in text(node, 300).split("/", 1)[0]
            yield found(UNUSED_IMPORT, node, severity=Severity.MEDIUM if certain else None, name=names[0][:80])


def _go_names(node: Node) -> list[str]:
    """Return the names that an import of Go may bring in; none where everything comes, or nothing."""
    alias = text(node.child_by_field_name("name"), 80)
    if alias:
        return [] if alias in ("_", ".") else [alias]
    parts = text(node.child_by_field_name("path"), 300).strip('"`').split("/")
    if parts == ["C"]:
        return []
    last = parts[-2] if re.fullmatch(r"v\d+", parts[-1]) and len(parts) > 1 else parts[-1]
    last = re.sub(r"\.v\d+$", "", last)
    bare = last.removeprefix("go-").removesuffix("-go").removesuffix(".go")
    spellings = (bare.replace("-", ""), bare.replace("-", "_"), bare.rpartition("-")[2], bare.partition(".")[0])
    return list(dict.fromkeys((last, bare, *spellings)))


def _last_name(node: Node) -> list[str]:
    """Return the name that an import of Java, Kotlin or PHP brings in; none where everything comes."""
    shown = text(node, 400)
    if "*" in shown or "{" in shown:
        return []
    alias = re.search(r"\bas\s+(\w+)", shown)
    if alias:
        return [alias[1]]
    words = _WORD.findall(shown)[-1:]
    return [word for word in words if word not in ("import", "static") and not _OPERATOR_FUNCTIONS.fullmatch(word)]


def _unused_in_script(root: Node) -> Iterator[Finding]:
    declared: list[_Declared] = []
    uses: Counter[str] = Counter()
    module, markup = False, False
    for node in walk(root):
        kind = node.type
        if kind in _USES:
            uses[text(node, 200)] += 1
        elif kind == "import_clause":
            declared += (_Declared(text(part, 200), part, UNUSED_IMPORT) for part in _imported(node))
        elif kind in ("variable_declarator", "function_declaration", "class_declaration"):
            identifier = node.child_by_field_name("name")
            if identifier is not None and _local(node, identifier):
                declared.append(_Declared(text(identifier, 200), node, UNUSED_VARIABLE))
        elif kind.startswith("jsx_"):
            markup = True
        module = module or (
            kind in ("import_statement", "export_statement")
            or (kind == "call_expression" and text(node.child_by_field_name("function"), 10) == "require")
        )
    times = Counter(declaration.name for declaration in declared)
    for name, node, rule in declared:
        if name.startswith("_") or (markup and name == "React") or len(name) > 190:
            continue
        if rule == UNUSED_VARIABLE and not module and _outermost(node):
            continue  # Another script of the page may use it.
        if uses[name] <= times[name]:
            yield found(rule, node, name=name[:80])


def _imported(clause: Node) -> Iterator[Node]:
    for part in named(clause):
        if part.type == "identifier":
            yield part
        elif part.type == "namespace_import":
            yield from named(part, "identifier")
        elif part.type == "named_imports":
            for specifier in named(part, "import_specifier"):
                name = specifier.child_by_field_name("alias") or specifier.child_by_field_name("name")
                if name is not None:
                    yield name


def _local(node: Node, name: Node) -> bool:
    """Whether a declaration is neither exported nor declared for others."""
    if node.type != "variable_declarator":
        return not _exported(node)
    parent = node.parent
    if parent is None or name.type != "identifier" or _exported(parent):
        return False
    return parent.parent is None or parent.parent.type not in ("for_in_statement", "ambient_declaration")


def _exported(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("export_statement", "ambient_declaration")


def _outermost(node: Node) -> bool:
    outer = node.parent
    while outer is not None and outer.type in ("lexical_declaration", "variable_declaration"):
        outer = outer.parent
    return outer is None or outer.type == "program"


def _shadowing(root: Node) -> Iterator[Finding]:
    """Find constants and variables of a block that hide one of the function around it."""
    scopes: list[tuple[int, dict[str, int]]] = [(root.end_byte, {})]
    for node in walk(root):
        while len(scopes) > 1 and node.start_byte >= scopes[-1][0]:
            scopes.pop()
        if node.type in _SCOPES:
            if len(scopes) < 200:
                scopes.append((node.end_byte, {}))
        elif node.type == "variable_declarator" and node.parent is not None:
            name = node.child_by_field_name("name")
            if name is None or name.type != "identifier" or node.parent.type != "lexical_declaration":
                continue
            shown = text(name, 200)
            outer = next((declared[shown] for _, declared in reversed(scopes[:-1]) if shown in declared), 0)
            if outer and len(shown) > 2 and not shown.startswith("_"):
                yield found("JS-NO-SHADOW", node, name=shown[:80], outer=outer)
            scopes[-1][1].setdefault(shown, line(node))
