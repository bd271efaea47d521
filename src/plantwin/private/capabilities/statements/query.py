"""What can be said against one query, from its tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.statements.conditions import against, conditions
from plantwin.private.capabilities.statements.remark import Remark
from plantwin.private.capabilities.statements.schema import Schema
from plantwin.private.capabilities.statements.trees import line_of
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from sqlglot import exp

FAR = 1000
"""An offset from which skipping costs."""


def remarks(tree: exp.Expr, start: int, schema: Schema) -> Iterator[Remark]:
    """Everything that the rules say about one statement."""
    from sqlglot import exp

    yield from _changes(tree, start)
    for select in tree.find_all(exp.Select):
        yield from _select(select, tree, start, schema)
    yield from conditions(tree, start, schema)
    yield from against(tree, start, schema)


def _changes(tree: exp.Expr, start: int) -> Iterator[Remark]:
    from sqlglot import exp

    for each in tree.find_all(exp.Update, exp.Delete):
        word = "UPDATE" if isinstance(each, exp.Update) else "DELETE"
        where = each.args.get("where")
        target = each.this.name if each.this is not None else ""
        joined = each.args.get("from_") or each.args.get("from") or each.args.get("using")
        if where is None and not joined and not each.args.get("limit"):
            brief = target.lower().startswith(("tmp", "temp", "staging", "stg", "#"))
            yield Remark(
                "unbounded-change",
                line_of(each, start),
                Severity.LOW if brief else Severity.HIGH,
                OutcomeTag.UNBOUNDED_CHANGE,
                f"{word} of {target or 'a table'} without WHERE changes every row",
                "Add a condition, or say in a comment that all rows are meant.",
            )
        elif where is not None and _always(where.this):
            yield Remark(
                "always-true",
                line_of(each, start),
                Severity.HIGH,
                OutcomeTag.UNBOUNDED_CHANGE,
                f"{word} of {target or 'a table'} with a condition that is always true",
                "Name the rows that are meant.",
            )
    if isinstance(tree, exp.Insert) and isinstance(tree.this, exp.Table):
        yield Remark(
            "insert-columns",
            start,
            Severity.LOW,
            OutcomeTag.LIKELY_DEFECT,
            f"INSERT into {tree.this.name} names no columns",
            "Name them: a new column would shift the values.",
        )
    if isinstance(tree, exp.TruncateTable):
        yield Remark(
            "truncate",
            start,
            Severity.MEDIUM,
            OutcomeTag.DATA_LOSS,
            "TRUNCATE empties a table and cannot be filtered",
            "Check that all rows may go.",
        )


def _always(node: exp.Expr) -> bool:
    from sqlglot import exp

    node = node.unnest()
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    return isinstance(node, exp.EQ) and isinstance(node.this, exp.Literal) and node.this == node.expression


def _select(select: exp.Select, tree: exp.Expr, start: int, schema: Schema) -> Iterator[Remark]:
    from sqlglot import exp

    line = line_of(select, start)
    outer = select is tree or (isinstance(tree, (exp.Insert, exp.Create)) and tree.expression is select)
    source = select.args.get("from_") or select.args.get("from")
    inner = {each.alias_or_name.lower() for each in tree.find_all(exp.CTE)}
    if source is not None and any(
        isinstance(each, exp.Star) or (isinstance(each, exp.Column) and isinstance(each.this, exp.Star))
        for each in select.expressions
    ):
        table = source.this
        probe = isinstance(select.parent, (exp.Exists, exp.CTE, exp.Subquery))
        if isinstance(table, exp.Table) and table.name and table.name.lower() not in inner and not probe:
            yield Remark(
                "select-star",
                line,
                Severity.LOW,
                OutcomeTag.SLOW_QUERY,
                f"SELECT * reads every column of {table.name}",
                "Name the columns that are needed: others may be large, private or new.",
            )
    yield from _joins(select, line, start)
    order = select.args.get("order")
    if order is not None:
        limited = (
            select.args.get("limit")
            or select.args.get("fetch")
            or (select.args.get("distinct") and isinstance(tree, exp.Create))
        )
        if any(
            isinstance(each.this, exp.Rand)
            or (isinstance(each.this, exp.Anonymous) and each.this.name.lower() in ("rand", "random", "newid"))
            for each in order.expressions
        ):
            yield Remark(
                "order-random",
                line_of(order, start),
                Severity.MEDIUM,
                OutcomeTag.SLOW_QUERY,
                "ORDER BY a random number sorts the whole table",
                "Draw keys first, or sample the table.",
            )
        elif not limited and isinstance(select.parent, (exp.Subquery, exp.CTE, exp.In)):
            yield Remark(
                "order-inner",
                line_of(order, start),
                Severity.LOW,
                OutcomeTag.SLOW_QUERY,
                "ORDER BY in an inner query without a limit has no effect, but costs",
                "Order the outer query.",
            )
        elif (
            not limited
            and outer
            and not isinstance(tree, exp.Create)
            and not select.args.get("group")
            and not _keyed(select, source, schema)
        ):
            yield Remark(
                "order-unlimited",
                line_of(order, start),
                Severity.LOW,
                OutcomeTag.SLOW_QUERY,
                "ORDER BY without LIMIT sorts and returns every row that matches",
                "Limit it, or page by key.",
            )
    offset = select.args.get("offset")
    if (
        offset is not None
        and offset.expression is not None
        and offset.expression.name.isdigit()
        and int(offset.expression.name) >= FAR
    ):
        yield Remark(
            "far-offset",
            line,
            Severity.MEDIUM,
            OutcomeTag.SLOW_QUERY,
            f"OFFSET {offset.expression.name} reads and throws away as many rows",
            "Page by the last key instead.",
        )
    aggregates = [each for each in select.expressions if each.find(exp.AggFunc) and not each.find(exp.Window)]
    loose = [
        each
        for each in select.expressions
        if isinstance(each.unalias(), exp.Column) and not isinstance(each.unalias().this, exp.Star)
    ]
    if aggregates and loose and not select.args.get("group"):
        yield Remark(
            "ungrouped",
            line,
            Severity.MEDIUM,
            OutcomeTag.LIKELY_DEFECT,
            f"{loose[0].alias_or_name} stands beside an aggregate without GROUP BY",
            "Most databases refuse this; others pick any row.",
        )
    having = select.args.get("having")
    if having is not None and not having.find(exp.AggFunc) and not select.args.get("group"):
        yield Remark(
            "having",
            line,
            Severity.LOW,
            OutcomeTag.SLOW_QUERY,
            "HAVING without an aggregate filters after all rows are read",
            "Use WHERE.",
        )
    for each in select.expressions:
        subquery = each.unalias()
        if isinstance(subquery, exp.Subquery) and isinstance(subquery.this, exp.Select) and _outer_names(subquery.this):
            yield Remark(
                "correlated",
                line_of(subquery, start),
                Severity.MEDIUM,
                OutcomeTag.SLOW_QUERY,
                "A query in the select list runs once for each row",
                "Join, or aggregate once.",
            )


def _keyed(select: exp.Select, source: exp.Expr | None, schema: Schema) -> bool:
    """Whether an equality with a key leaves few rows."""
    from sqlglot import exp

    where = select.args.get("where")
    if where is None:
        return False
    names = {each.this.name.lower() for each in where.find_all(exp.EQ) if isinstance(each.this, exp.Column)}
    return any(name == "id" or name.endswith(("_id", "_key")) for name in names)


def _outer_names(select: exp.Select) -> bool:
    """Whether a query names a table that it does not read itself."""
    from sqlglot import exp

    own = {each.alias_or_name.lower() for each in select.find_all(exp.Table)}
    return any(each.table and each.table.lower() not in own for each in select.find_all(exp.Column))


def _joins(select: exp.Select, line: int, start: int) -> Iterator[Remark]:
    from sqlglot import exp

    source = select.args.get("from_") or select.args.get("from")
    joins = select.args.get("joins") or []
    if source is None or not joins:
        return
    where = select.args.get("where")
    linked: list[set[str]] = []
    for each in (
        where.find_all(exp.EQ, exp.GT, exp.LT, exp.GTE, exp.LTE, exp.Like, exp.Between) if where is not None else ()
    ):
        names = {column.table.lower() for column in each.find_all(exp.Column)}
        linked.append(names)
    for join in joins:
        other = join.this
        if (
            isinstance(other, (exp.Lateral, exp.Unnest))
            or not isinstance(other, (exp.Table, exp.Subquery))
            or isinstance(other.this, exp.Func)
        ):
            continue
        if join.args.get("on") or join.args.get("using") or join.method == "NATURAL" or join.kind == "CROSS":
            continue
        name = other.alias_or_name.lower()
        if (
            name
            and not any(name in names and len(names) > 1 for names in linked)
            and not any("" in names for names in linked)
        ):
            yield Remark(
                "cross-join",
                line_of(other, start),
                Severity.HIGH if where is None else Severity.MEDIUM,
                OutcomeTag.SLOW_QUERY,
                f"Nothing links {other.alias_or_name} to the other tables: every row meets every row",
                "Join with ON, or write CROSS JOIN where that is meant.",
            )
    yield from _nullified(joins, where, start)


def _nullified(joins: list[exp.Expr], where: exp.Expr | None, start: int) -> Iterator[Remark]:
    from sqlglot import exp

    if where is None:
        return
    condition = where.this.unnest()
    parts = list(condition.flatten()) if isinstance(condition, exp.And) else [condition]
    for join in joins:
        if join.args.get("side") != "LEFT":
            continue
        name = join.this.alias_or_name.lower()
        for part in parts:
            part = part.unnest()
            if not isinstance(part, (exp.EQ, exp.NEQ, exp.GT, exp.LT, exp.GTE, exp.LTE, exp.Like, exp.In)):
                continue
            left = part.this
            if isinstance(left, exp.Column) and left.table.lower() == name and not part.find(exp.Coalesce):
                yield Remark(
                    "left-join-where",
                    line_of(part, start),
                    Severity.MEDIUM,
                    OutcomeTag.LIKELY_DEFECT,
                    f"The condition on {name}.{left.name} drops the rows that the LEFT JOIN kept",
                    "Move it into ON, or use an inner join.",
                )
                break
