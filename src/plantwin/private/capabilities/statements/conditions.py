"""What can be said against the conditions of a query, and what the schema says of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.statements.remark import Remark
from plantwin.private.capabilities.statements.schema import Schema, Structure, kind_of
from plantwin.private.capabilities.statements.trees import line_of
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from sqlglot import exp


def conditions(tree: exp.Expr, start: int, schema: Schema) -> Iterator[Remark]:
    """What is wrong with the conditions of a statement."""
    from sqlglot import exp

    for like in tree.find_all(exp.Like, exp.ILike):
        pattern = like.expression
        if (
            isinstance(pattern, exp.Literal)
            and pattern.is_string
            and pattern.name.startswith(("%", "_"))
            and isinstance(like.this.find(exp.Column), exp.Column)
        ):
            yield Remark(
                "leading-wildcard",
                line_of(like, start),
                Severity.MEDIUM,
                OutcomeTag.SLOW_QUERY,
                "A LIKE pattern that begins with a wildcard reads every row",
                "Use a full-text or trigram index, or search from the beginning.",
            )
    for equal in tree.find_all(exp.EQ, exp.NEQ):
        absent = isinstance(equal.expression, exp.Null) or isinstance(equal.this, exp.Null)
        if absent and equal.find_ancestor(exp.Where, exp.Having, exp.Join, exp.Case):
            yield Remark(
                "equals-null",
                line_of(equal, start),
                Severity.HIGH,
                OutcomeTag.LIKELY_DEFECT,
                "A comparison with NULL by = or <> is never true",
                "Write IS NULL or IS NOT NULL.",
            )
    for negated in tree.find_all(exp.Not):
        inside = negated.this.unnest()
        query = inside.args.get("query") if isinstance(inside, exp.In) else None
        if query is not None and not _never_null(query.unnest(), schema):
            yield Remark(
                "not-in-null",
                line_of(negated, start),
                Severity.MEDIUM,
                OutcomeTag.LIKELY_DEFECT,
                "NOT IN a query finds nothing as soon as the query yields one NULL",
                "Use NOT EXISTS, or filter NULL in the inner query.",
            )
        elif isinstance(inside, exp.In) and any(isinstance(one, exp.Null) for one in inside.expressions):
            yield Remark(
                "not-in-null",
                line_of(negated, start),
                Severity.HIGH,
                OutcomeTag.LIKELY_DEFECT,
                "NOT IN a list with NULL is never true",
                "Take NULL out of the list.",
            )
    for where in tree.find_all(exp.Where):
        for compared in where.find_all(exp.EQ, exp.GT, exp.LT, exp.GTE, exp.LTE, exp.Between, exp.In):
            yield from _wrapped(compared, tree, start, schema)


def _wrapped(each: exp.Expr, tree: exp.Expr, start: int, schema: Schema) -> Iterator[Remark]:
    from sqlglot import exp

    side = each.this
    if isinstance(side, (exp.Func, exp.Cast, exp.Binary)) and not isinstance(
        side,
        (
            exp.AggFunc,
            exp.Coalesce,
            exp.Connector,
            exp.Predicate,
            exp.JSONExtract,
            exp.JSONExtractScalar,
            exp.Dot,
            exp.Window,
        ),
    ):
        columns = list(side.find_all(exp.Column))
        other = each.args.get("expression")
        if (
            len(columns) == 1
            and not (other is not None and other.find(exp.Column))
            and not side.find(exp.AggFunc, exp.Subquery, exp.Window)
        ):
            column = columns[0].name
            table = _table_of(columns[0], tree, schema)
            indexed = table is not None and table.served(column.lower())
            yield Remark(
                "wrapped-column",
                line_of(each, start),
                Severity.MEDIUM if indexed else Severity.LOW,
                OutcomeTag.SLOW_QUERY,
                f"The condition computes on {column}, so {'its index' if indexed else 'an index on it'} does not help",
                "Compute on the other side, or index the expression.",
            )


def _never_null(query: exp.Expr, schema: Schema) -> bool:
    """Whether an inner query cannot yield NULL."""
    from sqlglot import exp

    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return False
    chosen = query.expressions[0].unalias()
    if isinstance(chosen, (exp.Literal, exp.Coalesce, exp.Count)):
        return True
    if not isinstance(chosen, exp.Column):
        return False
    table = _table_of(chosen, query, schema)
    if table is not None and chosen.name.lower() in table.columns and table.columns[chosen.name.lower()].required:
        return True
    where = query.args.get("where")
    return where is not None and any(
        isinstance(each.this.unnest(), exp.Is) and each.this.unnest().this == chosen for each in where.find_all(exp.Not)
    )


def _tables(tree: exp.Expr, schema: Schema) -> dict[str, Structure]:
    """Known tables of a statement by the names it uses for them."""
    from sqlglot import exp

    inner = {each.alias_or_name.lower() for each in tree.find_all(exp.CTE)}
    return {
        each.alias_or_name.lower(): schema[each.name.lower()]
        for each in tree.find_all(exp.Table)
        if each.name.lower() in schema and each.name.lower() not in inner
    }


def _table_of(column: exp.Column, tree: exp.Expr, schema: Schema) -> Structure | None:
    known = _tables(tree, schema)
    if column.table:
        return known.get(column.table.lower())
    holders = [table for table in known.values() if column.name.lower() in table.columns]
    return holders[0] if len(holders) == 1 else None


def against(tree: exp.Expr, start: int, schema: Schema) -> Iterator[Remark]:
    """What the schema says of a statement: names that are not there, conditions without an index, other types."""
    from sqlglot import exp

    known = _tables(tree, schema)
    if not known or isinstance(tree, exp.Create):
        return
    seen: set[tuple[str, str]] = set()
    for column in tree.find_all(exp.Column):
        table = known.get(column.table.lower()) if column.table else None
        name = column.name.lower()
        if (
            table is not None
            and name not in table.columns
            and name not in ("*", "rowid", "ctid", "oid")
            and (table.name, name) not in seen
        ):
            seen.add((table.name, name))
            yield Remark(
                "unknown-column",
                line_of(column, start),
                Severity.HIGH,
                OutcomeTag.BROKEN_REFERENCE,
                f"{table.name} has no column {column.name}",
                "The query fails, or the schema given here is not the current one.",
            )
    for holder in tree.find_all(exp.Where, exp.Join):
        condition = holder.this if isinstance(holder, exp.Where) else holder.args.get("on")
        if condition is None:
            continue
        for each in condition.find_all(exp.EQ, exp.In):
            yield from _unserved(each, condition, tree, start, schema, seen)


def _unserved(
    each: exp.Expr,
    condition: exp.Expr,
    tree: exp.Expr,
    start: int,
    schema: Schema,
    seen: set[tuple[str, str]],
) -> Iterator[Remark]:
    from sqlglot import exp

    for side, other in ((each.this, each.args.get("expression")), (each.args.get("expression"), each.this)):
        if not isinstance(side, exp.Column):
            continue
        table = _table_of(side, tree, schema)
        name = side.name.lower()
        if table is None or name not in table.columns:
            continue
        declared = table.columns[name]
        if (
            isinstance(other, exp.Literal)
            and not other.is_string
            and kind_of(declared.type) == "text"
            and (table.name, f"{name}=") not in seen
        ):
            seen.add((table.name, f"{name}="))
            yield Remark(
                "type-mismatch",
                line_of(each, start),
                Severity.MEDIUM,
                OutcomeTag.SLOW_QUERY,
                f"{side.name} is {declared.type.lower()} and is compared with a number: its index does not help",
                "Compare with a text.",
            )
        equal = {one.this.name.lower() for one in condition.find_all(exp.EQ) if isinstance(one.this, exp.Column)} | {
            name
        }
        served = table.served(name) or any(index and index[0] in equal and name in index for index in table.indexes)
        helped = any(table.served(one) for one in equal if one in table.columns)
        if not served and not helped and (table.name, name) not in seen and kind_of(declared.type) != "boolean":
            seen.add((table.name, name))
            yield Remark(
                "missing-index",
                line_of(each, start),
                Severity.MEDIUM,
                OutcomeTag.MISSING_INDEX,
                f"No index of {table.name} begins with {side.name}, by which rows are chosen",
                f"CREATE INDEX ON {table.name} ({name}), if the table is large.",
            )
