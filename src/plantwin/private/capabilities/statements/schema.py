"""What definitions declare: tables, columns, keys, indexes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plantwin.private.capabilities.statements.split import Statement

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
    """What a check allows, where it lists values."""
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
        """Whether an index begins with a column."""
        return any(index and index[0] == column for index in self.indexes)


Schema = dict[str, Structure]
TYPES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("boolean", ("bool", "bit")),
    ("integer", ("int", "serial", "identity", "number(")),
    ("number", ("decimal", "numeric", "float", "double", "real", "money", "number")),
    ("timestamp", ("timestamp", "datetime")),
    ("date", ("date",)),
    ("nested", ("json", "array", "struct", "map", "variant", "object", "xml")),
    (
        "text",
        (
            "char",
            "text",
            "string",
            "clob",
            "uuid",
            "enum",
            "name",
            "inet",
            "time",
            "bytea",
            "blob",
            "binary",
            "interval",
        ),
    ),
)


def kind_of(type_: str) -> str:
    """The type of values that a declared type holds; empty when it may hold any."""
    low = type_.lower()
    return next((kind for kind, words in TYPES if any(word in low for word in words)), "")


def learn(schema: Schema, parsed: Iterable[tuple[Statement, exp.Expr | None]]) -> None:
    """Take over what statements declare."""
    from sqlglot import exp

    for statement, tree in parsed:
        if isinstance(tree, exp.Create):
            kind = (tree.kind or "").upper()
            if kind == "TABLE" and isinstance(tree.this, exp.Schema):
                _table(schema, tree.this, statement.line)
            elif kind == "INDEX":
                _index(schema, tree)
        elif isinstance(tree, exp.Alter):
            _altered(schema, tree, statement.line)


def _name(node: exp.Expr | None) -> str:
    return node.name.lower() if node is not None else ""


def _table(schema: Schema, node: exp.Schema, line: int) -> None:
    from sqlglot import exp

    from plantwin.private.capabilities.statements.trees import line_of

    table = Structure(_name(node.this), line)
    for each in node.expressions:
        if isinstance(each, exp.ColumnDef):
            column = _column(table, each, line_of(each, line))
            table.columns[column.name] = column
    for each in node.expressions:
        if not isinstance(each, exp.ColumnDef):
            _constraint(table, each)
    schema[table.name] = table


def _column(table: Structure, node: exp.ColumnDef, line: int) -> Declared:
    from sqlglot import exp

    kind = node.args.get("kind")
    column = Declared(_name(node), kind.sql() if kind is not None else "", line)
    if kind is not None and kind.expressions and kind_of(column.type) == "text":
        size = kind.expressions[0].name
        column.size = int(size) if size.isdigit() else 0
        if "ENUM" in column.type.upper():
            column.values = tuple(each.name for each in kind.expressions)
    if "SERIAL" in column.type.upper():
        column.default = True
    for each in node.args.get("constraints") or ():
        rule = each.kind
        if isinstance(rule, exp.NotNullColumnConstraint):
            column.required = not rule.args.get("allow_null")
        elif isinstance(rule, exp.PrimaryKeyColumnConstraint):
            column.required = column.unique = True
            table.primary = (column.name,)
            table.indexes.append((column.name,))
        elif isinstance(rule, exp.UniqueColumnConstraint):
            column.unique = True
            table.indexes.append((column.name,))
        elif isinstance(
            rule,
            (exp.DefaultColumnConstraint, exp.GeneratedAsIdentityColumnConstraint, exp.AutoIncrementColumnConstraint),
        ):
            column.default = True
        elif isinstance(rule, exp.CheckColumnConstraint):
            _check(column, rule.this)
        elif isinstance(rule, exp.Reference):
            column.references = _reference(rule)
    return column


def _reference(rule: exp.Expr) -> tuple[str, str]:
    target = rule.this
    names = [each.name.lower() for each in target.expressions] if target is not None else []
    return _name(target.this if names and target is not None else target), names[0] if names else ""


def _check(column: Declared, rule: exp.Expr) -> None:
    """What a check of one column says: a list of values, or limits."""
    from sqlglot import exp

    inner = rule.unnest()
    for part in inner.flatten() if isinstance(inner, exp.And) else [inner]:
        part = part.unnest()
        if isinstance(part, exp.In) and _name(part.this) == column.name:
            column.values = tuple(each.name for each in part.expressions if isinstance(each, exp.Literal))
        elif isinstance(part, exp.Between) and _name(part.this) == column.name:
            column.least, column.most = _limit(part.args.get("low")), _limit(part.args.get("high"))
        elif isinstance(part, (exp.GT, exp.GTE)) and _name(part.this) == column.name:
            column.least = _limit(part.expression)
        elif isinstance(part, (exp.LT, exp.LTE)) and _name(part.this) == column.name:
            column.most = _limit(part.expression)


def _limit(node: exp.Expr | None) -> float | None:
    try:
        return float(node.sql()) if node is not None else None
    except ValueError:
        return None


def _constraint(table: Structure, node: exp.Expr) -> None:
    from sqlglot import exp

    for each in [node, *(node.expressions if isinstance(node, exp.Constraint) else ())]:
        if isinstance(each, exp.PrimaryKey):
            table.primary = _columns(each.expressions)
            table.indexes.append(table.primary)
            for name in table.primary:
                if name in table.columns:
                    table.columns[name].required = True
                    table.columns[name].unique = len(table.primary) == 1
        elif isinstance(each, (exp.UniqueColumnConstraint, exp.IndexColumnConstraint)):
            names = _columns(each.this.expressions if isinstance(each.this, exp.Schema) else each.expressions)
            table.indexes.append(names)
            if isinstance(each, exp.UniqueColumnConstraint):
                table.unique.append(names)
        elif isinstance(each, exp.ForeignKey):
            reference = each.args.get("reference")
            names = _columns(each.expressions)
            if reference is not None and len(names) == 1 and names[0] in table.columns:
                table.columns[names[0]].references = _reference(reference)
        elif isinstance(each, (exp.CheckColumnConstraint, exp.Check)):
            for column in table.columns.values():
                if column.name in {_name(one) for one in each.find_all(exp.Column)}:
                    _check(column, each.this)


def _columns(nodes: Iterable[exp.Expr]) -> tuple[str, ...]:
    from sqlglot import exp

    return tuple(_name(each.find(exp.Identifier) or each) for each in nodes)


def _index(schema: Schema, node: exp.Create) -> None:
    from sqlglot import exp

    index = node.this
    table = index.args.get("table") if isinstance(index, exp.Index) else None
    held = schema.get(_name(table))
    if held is not None and isinstance(index, exp.Index):
        parameters = index.args.get("params")
        columns = parameters.args.get("columns") if parameters is not None else None
        names = _columns(columns or ())
        held.indexes.append(names)
        if node.args.get("unique"):
            held.unique.append(names)


def _altered(schema: Schema, node: exp.Alter, line: int) -> None:
    from sqlglot import exp

    table = schema.get(_name(node.this))
    if table is None:
        return
    for action in node.args.get("actions") or ():
        if isinstance(action, exp.ColumnDef):
            column = _column(table, action, line)
            table.columns[column.name] = column
        elif isinstance(action, exp.AddConstraint):
            for each in action.expressions:
                _constraint(table, each)
        elif isinstance(action, exp.Drop) and (action.args.get("kind") or "").upper() == "COLUMN":
            table.columns.pop(_name(action.this), None)
