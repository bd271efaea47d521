"""Read the tables that classes of Python stand for: SQLModel, SQLAlchemy and Django, with inherited columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.formats.python import parse
from plantwin.text import plural

_HINT = re.compile(r"table[ ]?=[ ]?True|__tablename__|\bmodels\.|\bdb\.Model\b|\bAbstract(?:Base)?User\b")
_BASE = re.compile(r"(?:^|\.)(?:AbstractUser|AbstractBaseUser)$|^(?:models|db)\.Model$")
_COLUMN = re.compile(r"(?:^|\.)(?:Column|mapped_column|ForeignKey|(?!ManyToMany)\w*Field)$")
_DJANGO = re.compile(r"^models\.(?:\w+Field|ForeignKey)$")
_ABSTRACT = re.compile(r"(?m)^[ \t]*(?:abstract|__abstract__)[ \t]*=[ \t]*True\b")


def models(file: Source) -> Iterator[Item]:
    """Yield the tables of a module, each with the columns of its class and of those that it extends here."""
    tree = parse(file.text) if file.format == "python" and _HINT.search(file.text) else None
    classes = {node.name: node for node in (tree.body if tree is not None else ()) if isinstance(node, ast.ClassDef)}
    lines = file.text.split("\n")
    for node in classes.values():
        body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if _is_table(node, body):
            columns = list(dict.fromkeys(_columns(node, classes, frozenset())))
            detail = f"{plural(len(columns), 'column')}: {', '.join(columns)}" if columns else ""
            yield Item("table", _name(node, body), detail, file.label, node.lineno)


def _dotted(node: ast.expr) -> str:
    """Return a name with what stands before its dots; of `ClassVar[int]` what is subscripted, of others a mark."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        parts += [node.attr] if isinstance(node, ast.Attribute) else []
        node = node.value
    return ".".join([*([node.id] if isinstance(node, ast.Name) else ["…"]), *reversed(parts)])


def _assigned(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Yield what a class assigns: name, annotation, and what is called for the value."""
    for field in node.body:
        if not isinstance(field, ast.AnnAssign | ast.Assign):
            continue
        target = field.target if isinstance(field, ast.AnnAssign) else field.targets[0]
        if isinstance(target, ast.Name):
            called = _dotted(field.value.func) if isinstance(field.value, ast.Call) else ""
            yield target.id, _dotted(field.annotation) if isinstance(field, ast.AnnAssign) else "", called


def _is_table(node: ast.ClassDef, body: str) -> bool:
    if _ABSTRACT.search(body):
        return False
    if any(keyword.arg == "table" and getattr(keyword.value, "value", None) is True for keyword in node.keywords):
        return True
    return any(_BASE.search(_dotted(base)) for base in node.bases) or any(
        name == "__tablename__" or _DJANGO.search(called) for name, _, called in _assigned(node)
    )


def _name(node: ast.ClassDef, body: str) -> str:
    stated = re.search(r"""(?m)^[ \t]+__tablename__(?:[ \t]*:[ \t]*\w+)?[ \t]*=[ \t]*['"](\w+)""", body)
    return stated[1] if stated else node.name


def _columns(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: frozenset[str]) -> Iterator[str]:
    for base in node.bases:
        name = _dotted(base)
        if name in classes and name not in seen:
            yield from _columns(classes[name], classes, seen | {node.name})
    for name, annotation, called in _assigned(node):
        typed = annotation and not annotation.startswith("ClassVar") and not called.lower().endswith("relationship")
        if not name.startswith("__") and (typed or _COLUMN.search(called)):
            yield name
