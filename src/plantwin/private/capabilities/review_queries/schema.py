"""Tables, columns, keys and indexes that SQL definitions declare.

Nodes are told apart by their `key`, the class name in lower case, because importing sqlglot takes long and many callers
only need the types.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from plantwin.private.formats.sql import Statement, line_of

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass
class Declared:
    """One column."""

    name: str
    type: str
    line: int = 0
    required: bool = False
    unique: bool = False
    default: bool = False
    size: int = 0
    """Characters it takes; 0 where there is no limit."""
    values: tuple[str, ...] = ()
    """What a CHECK allows, where it lists values."""
    least: float | None = None
    most: float | None = None
    references: tuple[str, str] | None = None


@dataclass
class Structure:
    """One table."""

    name: str
    line: int = 0
    columns: dict[str, Declared] = field(default_factory=dict)
    primary: tuple[str, ...] = ()
    indexes: list[tuple[str, ...]] = field(default_factory=list)
    """Columns of each index in order, keys and unique constraints included."""
    unique: list[tuple[str, ...]] = field(default_factory=list)

    def served(self, column: str) -> bool:
        """Tell whether an index begins with a column."""
        return any(index and index[0] == column for index in self.indexes)


Schema = dict[str, Structure]
_TYPES = {
    "boolean": ("bool", "bit"),
    "integer": ("int", "serial", "identity", "number("),
    "number": ("decimal", "numeric", "float", "double", "real", "money", "number"),
    "timestamp": ("timestamp", "datetime"),
    "date": ("date",),
    "nested": ("json", "array", "struct", "map", "variant", "object", "xml"),
    "text": (
        "char", "text", "string", "clob", "uuid", "enum", "name", "inet", "time", "bytea", "blob", "binary", "interval",
    ),
}  # fmt: skip


def kind_of(type_: str) -> str:
    """Return the kind of values that a declared type holds; empty when it may hold any."""
    low = type_.lower()
    return next((kind for kind, words in _TYPES.items() if any(word in low for word in words)), "")


def learn(schema: Schema, parsed: Iterable[tuple[Statement, exp.Expr | None]]) -> None:
    """Add what statements declare to a schema."""
    for statement, tree in parsed:
        if tree is None:
            continue
        if tree.key == "alter":
            _altered(schema, tree, statement.line)
        elif tree.key == "create":
            kind = (tree.args.get("kind") or "").upper()
            if kind == "TABLE" and _key(tree.this) == "schema":
                _table(schema, tree.this, statement.line)
            elif kind == "INDEX" and _key(tree.this) == "index":
                _index(schema, tree)


def _key(node: object) -> str:
    return getattr(node, "key", "")


def _name(node: object) -> str:
    return str(getattr(node, "name", "")).lower()


def _names(nodes: Iterable[exp.Expr]) -> tuple[str, ...]:
    from sqlglot.expressions import Identifier

    return tuple(_name(node.find(Identifier) or node) for node in nodes)


def _table(schema: Schema, node: exp.Expr, line: int) -> None:
    table = Structure(_name(node.this), line)
    for part in node.expressions:
        if part.key == "columndef":
            _column(table, part, line_of(part, line))
    for part in node.expressions:
        if part.key != "columndef":
            _constraint(table, part)
    # Where two databases or versions have it, a column of either may be there.
    for name, column in schema[table.name].columns.items() if table.name in schema else ():
        table.columns.setdefault(name, replace(column, required=False))
    schema[table.name] = table


def _column(table: Structure, node: exp.Expr, line: int) -> None:
    kind = node.args.get("kind")
    column = Declared(_name(node), kind.sql() if kind is not None else "", line)
    table.columns[column.name] = column
    if kind is not None and kind.expressions and kind_of(column.type) == "text":
        size = kind.expressions[0].name
        column.size = int(size) if size.isdigit() else 0
        if "ENUM" in column.type.upper():
            column.values = tuple(value.name for value in kind.expressions)
    column.default = "SERIAL" in column.type.upper()
    for constraint in node.args.get("constraints") or ():
        rule = constraint.kind
        match _key(rule):
            case "notnullcolumnconstraint":
                column.required = not rule.args.get("allow_null")
            case "primarykeycolumnconstraint":
                column.required = column.unique = True
                table.primary = (column.name,)
                table.indexes.append((column.name,))
            case "uniquecolumnconstraint":
                column.unique = True
                table.indexes.append((column.name,))
            case "defaultcolumnconstraint" | "generatedasidentitycolumnconstraint" | "autoincrementcolumnconstraint":
                column.default = True
            case "checkcolumnconstraint":
                _check(column, rule.this)
            case "reference":
                column.references = _reference(rule)


def _reference(rule: exp.Expr) -> tuple[str, str]:
    """Return the table and the column that a foreign key refers to."""
    target = rule.this
    names = [column.name.lower() for column in target.expressions] if target is not None else []
    return _name(target.this if names else target), names[0] if names else ""


def _check(column: Declared, rule: exp.Expr) -> None:
    """Read a list of values, or limits, out of a CHECK."""
    condition = rule.unnest()
    for term in condition.flatten() if condition.key == "and" else [condition]:
        term = term.unnest()
        if _name(term.this) != column.name:
            continue
        match term.key:
            case "in":
                column.values = tuple(value.name for value in term.expressions if value.key == "literal")
            case "between":
                column.least, column.most = _limit(term.args.get("low")), _limit(term.args.get("high"))
            case "gt" | "gte":
                column.least = _limit(term.expression)
            case "lt" | "lte":
                column.most = _limit(term.expression)


def _limit(node: exp.Expr | None) -> float | None:
    try:
        return float(node.sql()) if node is not None else None
    except ValueError:
        return None


def _constraint(table: Structure, node: exp.Expr) -> None:
    from sqlglot.expressions import Column

    for part in [node, *(node.expressions if node.key == "constraint" else ())]:
        match part.key:
            case "primarykey":
                table.primary = _names(part.expressions)
                table.indexes.append(table.primary)
                for name in table.primary:
                    if name in table.columns:
                        table.columns[name].required = True
                        table.columns[name].unique = len(table.primary) == 1
            case "uniquecolumnconstraint" | "indexcolumnconstraint":
                inner = part.this if _key(part.this) == "schema" else part
                names = _names(inner.expressions)
                table.indexes.append(names)
                if part.key == "uniquecolumnconstraint":
                    table.unique.append(names)
            case "foreignkey":
                reference, names = part.args.get("reference"), _names(part.expressions)
                if reference is not None and len(names) == 1 and names[0] in table.columns:
                    table.columns[names[0]].references = _reference(reference)
            case "checkcolumnconstraint" | "check":
                for name in {_name(column) for column in part.find_all(Column)} & table.columns.keys():
                    _check(table.columns[name], part.this)


def _index(schema: Schema, node: exp.Expr) -> None:
    table = schema.get(_name(node.this.args.get("table")))
    if table is not None:
        parameters = node.this.args.get("params")
        names = _names((parameters.args.get("columns") if parameters is not None else None) or ())
        table.indexes.append(names)
        if node.args.get("unique"):
            table.unique.append(names)


def _altered(schema: Schema, node: exp.Expr, line: int) -> None:
    table = schema.get(_name(node.this))
    if table is None:
        return
    for action in node.args.get("actions") or ():
        if action.key == "columndef":
            _column(table, action, line)
        elif action.key == "addconstraint":
            for part in action.expressions:
                _constraint(table, part)
        elif action.key == "renamecolumn" and _name(action.this) in table.columns:
            table.columns[_name(action.args.get("to"))] = table.columns.pop(_name(action.this))
        elif action.key == "drop" and (action.args.get("kind") or "").upper() == "COLUMN":
            table.columns.pop(_name(action.this), None)
