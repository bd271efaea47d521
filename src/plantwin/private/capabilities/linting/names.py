"""Names that nothing uses: imports of several languages, variables of scripts. Only what can be decided in one file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.linting.remark import LOW, MEDIUM, STYLE, UNUSED, Remark
from plantwin.private.capabilities.syntax.trees import line, named, text, walk
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from tree_sitter import Node

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_SCRIPTS = frozenset(("javascript", "jsx", "typescript", "tsx"))
_USES = frozenset(("identifier", "shorthand_property_identifier", "type_identifier", "nested_identifier"))
_IMPLICIT = frozenset(
    (
        "getValue",
        "setValue",
        "provideDelegate",
        "plus",
        "minus",
        "times",
        "div",
        "invoke",
        "contains",
        "iterator",
        "get",
        "set",
        "rangeTo",
        "compareTo",
        "unaryMinus",
        "plusAssign",
        "minusAssign",
        "component1",
        "component2",
    )
)
_IMPORTS = {
    "java": "import_declaration",
    "kotlin": "import",
    "php": "namespace_use_clause",
    "go": "import_spec",
}
_FUNCTIONS = frozenset(
    (
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function",
        "generator_function_declaration",
    )
)


class _Declared(NamedTuple):
    name: str
    node: Node
    what: str
    severity: Severity


def remarks(format: str, root: Node, source: str) -> Iterator[Remark]:
    """Unused names, and names that hide others."""
    if format in _SCRIPTS:
        yield from _script(root)
        yield from _hidden(root)
    elif format in _IMPORTS:
        yield from _imports(format, root, source)


def _unused(name: str, node: Node, what: str, severity: Severity) -> Remark:
    return Remark(
        line(node),
        severity,
        UNUSED,
        "no-unused-imports" if what == "import" else "no-unused-vars",
        f"`{name[:80]}` is {'imported' if what == 'import' else 'declared'} and never used",
        "Remove it.",
    )


def _imports(format: str, root: Node, source: str) -> Iterator[Remark]:
    """A name counts as used where its word stands anywhere else, in comments too: documentation may need it."""
    found = [(node, names) for node in walk(root) if node.type == _IMPORTS[format] and (names := _names(format, node))]
    if not found:
        return
    heads = Counter[str]()
    for node, _ in found:
        heads.update(_WORD.findall(text(node, 400)))
    words = Counter(_WORD.findall(source))
    for node, names in found:
        if any(words[name] > heads[name] for name in names):
            continue
        severity = MEDIUM if format == "go" else LOW
        if format == "go" and (len(names) > 1 or "." in text(node, 300).split("/", 1)[0]):
            # What a package calls itself is not always what its path says.
            severity = LOW
        yield _unused(names[0], node, "import", severity)


def _names(format: str, node: Node) -> list[str]:
    """What an import brings in; several where its name can only be guessed, none where everything comes."""
    if format == "go":
        alias = node.child_by_field_name("name")
        if alias is not None:
            shown = text(alias, 80)
            return [] if shown in ("_", ".") else [shown]
        parts = text(node.child_by_field_name("path"), 300).strip('"`').split("/")
        last = parts[-1]
        if re.fullmatch(r"v\d+", last) and len(parts) > 1:
            last = parts[-2]
        last = re.sub(r"\.v\d+$", "", last)
        bare = last.removeprefix("go-").removesuffix("-go").removesuffix(".go")
        guesses = [
            last,
            bare,
            bare.replace("-", ""),
            bare.replace("-", "_"),
            bare.rpartition("-")[2],
            bare.partition(".")[0],
        ]
        return [] if parts == ["C"] else list(dict.fromkeys(guesses))
    shown = text(node, 400)
    if "*" in shown or "{" in shown:
        return []
    alias_match = re.search(r"\bas\s+(\w+)", shown)
    if alias_match:
        return [alias_match[1]]
    words = _WORD.findall(shown)
    last_word = words[-1] if words else ""
    return [last_word] if last_word and last_word not in _IMPLICIT and last_word not in ("import", "static") else []


def _script(root: Node) -> Iterator[Remark]:
    declared: list[_Declared] = []
    uses: Counter[str] = Counter()
    module, markup = False, False
    for node in walk(root):
        kind = node.type
        if kind in _USES:
            uses[text(node, 200)] += 1
        elif kind == "import_clause":
            declared += (_Declared(text(each, 200), each, "import", LOW) for each in _imported(node))
        elif kind == "variable_declarator":
            declared += _variable(node)
        elif kind in ("function_declaration", "class_declaration"):
            name = node.child_by_field_name("name")
            if name is not None and not _exported(node):
                declared.append(_Declared(text(name, 200), node, "function", LOW))
        elif kind.startswith("jsx_"):
            markup = True
        if kind in ("import_statement", "export_statement") or (
            kind == "call_expression" and text(node.child_by_field_name("function"), 10) == "require"
        ):
            module = True
    times = Counter(each.name for each in declared)
    for each in declared:
        if each.name.startswith("_") or (markup and each.name == "React") or len(each.name) > 190:
            continue
        if each.what != "import" and not module and _outermost(each.node):
            continue  # Another script of the page may use it.
        if uses[each.name] <= times[each.name]:
            yield _unused(each.name, each.node, each.what, each.severity)


def _imported(clause: Node) -> Iterator[Node]:
    for each in named(clause):
        if each.type == "identifier":
            yield each
        elif each.type == "namespace_import":
            yield from named(each, "identifier")
        elif each.type == "named_imports":
            for one in named(each, "import_specifier"):
                name = one.child_by_field_name("alias") or one.child_by_field_name("name")
                if name is not None:
                    yield name


def _variable(node: Node) -> Iterator[_Declared]:
    name = node.child_by_field_name("name")
    parent = node.parent
    if name is None or name.type != "identifier" or parent is None or _exported(parent):
        return
    if parent.parent is not None and parent.parent.type in ("for_in_statement", "ambient_declaration"):
        return
    yield _Declared(text(name, 200), node, "variable", LOW)


def _exported(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("export_statement", "ambient_declaration")


def _outermost(node: Node) -> bool:
    at = node.parent
    while at is not None and at.type in ("lexical_declaration", "variable_declaration"):
        at = at.parent
    return at is None or at.type == "program"


def _hidden(root: Node) -> Iterator[Remark]:
    """Constants and variables of a block that hide one of the function around it."""
    scopes: list[tuple[int, dict[str, int]]] = [(root.end_byte, {})]
    for node in walk(root):
        while len(scopes) > 1 and node.start_byte >= scopes[-1][0]:
            scopes.pop()
        if node.type in _FUNCTIONS or node.type in ("statement_block", "for_statement", "for_in_statement"):
            if len(scopes) < 200:
                scopes.append((node.end_byte, {}))
        elif node.type == "variable_declarator":
            name = node.child_by_field_name("name")
            parent = node.parent
            if name is None or name.type != "identifier" or parent is None or parent.type != "lexical_declaration":
                continue
            shown = text(name, 200)
            outer = next((held[shown] for _, held in reversed(scopes[:-1]) if shown in held), 0)
            if outer and len(shown) > 2 and not shown.startswith("_"):
                yield Remark(
                    line(node),
                    LOW,
                    STYLE,
                    "no-shadow",
                    f"`{shown[:80]}` hides the one of line {outer}",
                    "Give one of them another name.",
                )
            scopes[-1][1].setdefault(shown, line(node))
