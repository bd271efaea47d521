"""Checks of one parsed statement, alone and against the schema that the inputs declare."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.review_queries.schema import Schema, Structure, kind_of
from plantwin.private.formats.sql import line_of
from plantwin.vocabulary import Severity

RULES = Rules("queries")
LARGE_OFFSET = 1000
TEMPORARY = ("tmp", "temp", "staging", "stg", "#")
PSEUDO_COLUMNS = ("*", "rowid", "ctid", "oid")
RANDOM = ("rand", "random", "newid")
_COMPARISONS = (exp.EQ, exp.GT, exp.LT, exp.GTE, exp.LTE)
_INDEXABLE = (
    exp.AggFunc, exp.Coalesce, exp.Connector, exp.Predicate, exp.JSONExtract, exp.JSONExtractScalar, exp.Dot,
    exp.Window,
)  # fmt: skip
"""Expressions over a column that an index can serve, or that are no computation on it."""


def check(tree: exp.Expr, line: int, schema: Schema) -> Iterator[Finding]:
    """Yield everything that the rules find in a statement that starts at a line."""
    query = _Query(tree, line, schema)
    yield from query.changes()
    for select in tree.find_all(exp.Select):
        yield from query.selected(select)
        yield from query.joined(select)
        yield from query.ordered(select)
    yield from query.conditions()
    if query.tables and not isinstance(tree, exp.Create):
        yield from query.unknown_columns()
        yield from query.lookups()


class _Query:
    """One statement with the tables of the schema that it names."""

    def __init__(self, tree: exp.Expr, line: int, schema: Schema) -> None:
        self.tree = tree
        self.line = line
        self.ctes = {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
        self.tables: dict[str, Structure] = {
            table.alias_or_name.lower(): schema[table.name.lower()]
            for table in tree.find_all(exp.Table)
            if table.name.lower() in schema and table.name.lower() not in self.ctes
        }
        self.reported: set[tuple[str, str]] = set()

    def found(self, rule: str, node: exp.Expr, *, severity: Severity | None = None, **values: object) -> Finding:
        """Return a finding at the line of a node."""
        return RULES.found(rule, line_of(node, self.line), severity=severity, **values)

    def first(self, table: str, key: str) -> bool:
        """Tell whether this is the first report about a column of a table."""
        if (table, key) in self.reported:
            return False
        self.reported.add((table, key))
        return True

    def table_of(self, column: exp.Column) -> Structure | None:
        """Return the table of the schema that a column belongs to, if that is certain."""
        if column.table:
            return self.tables.get(column.table.lower())
        holders = [table for table in self.tables.values() if column.name.lower() in table.columns]
        return holders[0] if len(holders) == 1 else None

    def changes(self) -> Iterator[Finding]:
        """Check UPDATE, DELETE, INSERT and TRUNCATE."""
        for change in self.tree.find_all(exp.Update, exp.Delete):
            statement = "UPDATE" if isinstance(change, exp.Update) else "DELETE"
            where = change.args.get("where")
            if not isinstance(change.this, exp.Expression):
                continue  # a word of another language that reads like SQL
            target = change.this.name
            table = target or "a table"
            if where is not None:
                if _always_true(where.this):
                    yield self.found("SQL-ALWAYS-TRUE", change, statement=statement, table=table)
            elif not any(change.args.get(part) for part in ("from_", "from", "using", "limit")):
                severity = Severity.LOW if target.lower().startswith(TEMPORARY) else None
                yield self.found("SQL-NO-WHERE", change, severity=severity, statement=statement, table=table)
        if isinstance(self.tree, exp.Insert) and isinstance(self.tree.this, exp.Table):
            yield RULES.found("SQL-INSERT-NO-COLUMNS", self.line, table=self.tree.this.name)
        if isinstance(self.tree, exp.TruncateTable):
            yield RULES.found("SQL-TRUNCATE", self.line)

    def selected(self, select: exp.Select) -> Iterator[Finding]:
        """Check the select list, OFFSET, GROUP BY and HAVING."""
        source = _from(select)
        columns = select.expressions
        probe = isinstance(select.parent, (exp.Exists, exp.CTE, exp.Subquery))
        if source is not None and not probe and any(map(_is_star, columns)):
            table = source.this
            if isinstance(table, exp.Table) and table.name and table.name.lower() not in self.ctes:
                yield self.found("SQL-SELECT-STAR", select, table=table.name)
        offset = select.args.get("offset")
        if offset is not None and offset.expression is not None:
            rows = offset.expression.name
            if rows.isdigit() and int(rows) >= LARGE_OFFSET:
                yield self.found("SQL-LARGE-OFFSET", select, rows=rows)
        grouped = select.args.get("group")
        aggregated = any(map(_is_aggregated, columns))
        bare = [column for column in columns if _is_bare(column.unalias()) and not _is_star(column)]
        if aggregated and bare and not grouped:
            yield self.found("SQL-NOT-GROUPED", select, column=bare[0].alias_or_name)
        having = select.args.get("having")
        if having is not None and not having.find(exp.AggFunc) and not grouped:
            yield self.found("SQL-HAVING-NO-AGGREGATE", select)
        for column in columns:
            inner = column.unalias()
            if isinstance(inner, exp.Subquery) and isinstance(inner.this, exp.Select) and _is_correlated(inner.this):
                yield self.found("SQL-CORRELATED-SUBQUERY", inner)

    def ordered(self, select: exp.Select) -> Iterator[Finding]:
        """Check ORDER BY."""
        order = select.args.get("order")
        if order is None:
            return
        tree = self.tree
        creates = isinstance(tree, exp.Create)
        limited = select.args.get("limit") or select.args.get("fetch") or (select.args.get("distinct") and creates)
        outermost = select is tree or (isinstance(tree, exp.Insert) and tree.expression is select)
        if any(_is_random(term.this) for term in order.expressions):
            yield self.found("SQL-ORDER-BY-RANDOM", order)
        elif limited:
            return
        elif isinstance(select.parent, (exp.Subquery, exp.CTE, exp.In)):
            yield self.found("SQL-ORDER-BY-SUBQUERY", order)
        elif outermost and not select.args.get("group") and not _filters_by_key(select):
            yield self.found("SQL-ORDER-BY-NO-LIMIT", order)

    def joined(self, select: exp.Select) -> Iterator[Finding]:
        """Check joins: tables that nothing links, and outer joins that the WHERE clause undoes."""
        joins = select.args.get("joins") or []
        start = _from(select)
        if start is None or not joins:
            return
        where = select.args.get("where")
        links: list[set[str]] = []
        for comparison in where.find_all(*_COMPARISONS, exp.Like, exp.Between) if where is not None else ():
            links.append({column.table.lower() for column in comparison.find_all(exp.Column)})
        unqualified = any("" in tables for tables in links)
        aliases = {source.alias_or_name.lower() for source in (start.this, *(join.this for join in joins))}
        for join in joins:
            other = join.this
            if not isinstance(other, (exp.Table, exp.Subquery)) or isinstance(other.this, exp.Func):
                continue
            if join.args.get("on") or join.args.get("using") or join.method == "NATURAL" or join.kind == "CROSS":
                continue
            name = other.alias_or_name.lower()
            if isinstance(other, exp.Table) and other.db.lower() in aliases:
                continue  # an association of JPQL, which brings its own condition
            if name and not unqualified and not any(name in tables and len(tables) > 1 for tables in links):
                yield self.found("SQL-CARTESIAN-PRODUCT", other, table=other.alias_or_name)
        if where is not None:
            yield from self._undone_outer_joins(joins, where)

    def _undone_outer_joins(self, joins: list[exp.Expr], where: exp.Expr) -> Iterator[Finding]:
        condition = where.this.unnest()
        terms = list(condition.flatten()) if isinstance(condition, exp.And) else [condition]
        terms = [term.unnest() for term in terms]
        for join in joins:
            if join.args.get("side") != "LEFT":
                continue
            name = join.this.alias_or_name.lower()
            for term in terms:
                column = term.this
                if (
                    isinstance(term, (*_COMPARISONS, exp.NEQ, exp.Like, exp.In))
                    and isinstance(column, exp.Column)
                    and column.table.lower() == name
                    and not term.find(exp.Coalesce)
                ):
                    yield self.found("SQL-LEFT-JOIN-FILTERED", term, column=f"{name}.{column.name}")
                    break

    def conditions(self) -> Iterator[Finding]:
        """Check comparisons that are never true or that no index can serve."""
        for like in self.tree.find_all(exp.Like, exp.ILike):
            pattern = like.expression
            literal = isinstance(pattern, exp.Literal) and pattern.is_string
            if literal and pattern.name.startswith(("%", "_")) and like.this.find(exp.Column):
                yield self.found("SQL-LEADING-WILDCARD", like)
        # Languages of objects, which select an alias, compare with NULL as is meant.
        aliases = {table.alias for table in self.tree.find_all(exp.Table)} - {""}
        objects = any(not column.table and column.name in aliases for column in self.tree.find_all(exp.Column))
        for equal in () if objects else self.tree.find_all(exp.EQ, exp.NEQ):
            null = isinstance(equal.expression, exp.Null) or isinstance(equal.this, exp.Null)
            if null and equal.find_ancestor(exp.Where, exp.Having, exp.Join, exp.Case):
                yield self.found("SQL-EQUALS-NULL", equal)
        for negation in self.tree.find_all(exp.Not):
            within = negation.this.unnest()
            if not isinstance(within, exp.In):
                continue
            subquery = within.args.get("query")
            if subquery is not None:
                if not self._never_null(subquery.unnest()):
                    yield self.found("SQL-NOT-IN-NULL", negation, operand="a subquery")
            elif any(isinstance(value, exp.Null) for value in within.expressions):
                yield self.found("SQL-NOT-IN-NULL", negation, operand="a list with NULL")
        for where in self.tree.find_all(exp.Where):
            for comparison in where.find_all(*_COMPARISONS, exp.Between, exp.In):
                yield from self._computed(comparison)

    def _computed(self, comparison: exp.Expr) -> Iterator[Finding]:
        side, other = comparison.this, comparison.args.get("expression")
        if not isinstance(side, (exp.Func, exp.Cast, exp.Binary)) or isinstance(side, _INDEXABLE):
            return
        columns = list(side.find_all(exp.Column))
        if len(columns) != 1 or side.find(exp.AggFunc, exp.Subquery, exp.Window):
            return
        if other is not None and other.find(exp.Column):
            return
        column = columns[0]
        table = self.table_of(column)
        indexed = table is not None and table.served(column.name.lower())
        severity = Severity.MEDIUM if indexed else Severity.LOW
        index = "its index" if indexed else "an index on it"
        yield self.found("SQL-FUNCTION-ON-COLUMN", comparison, severity=severity, column=column.name, index=index)

    def _never_null(self, query: exp.Expr) -> bool:
        """Tell whether a subquery cannot return NULL."""
        if not isinstance(query, exp.Select) or len(query.expressions) != 1:
            return False
        chosen = query.expressions[0].unalias()
        if isinstance(chosen, (exp.Literal, exp.Coalesce, exp.Count)):
            return True
        if not isinstance(chosen, exp.Column):
            return False
        table = _Query(query, self.line, {table.name: table for table in self.tables.values()}).table_of(chosen)
        declared = table.columns.get(chosen.name.lower()) if table is not None else None
        if declared is not None and declared.required:
            return True
        where = query.args.get("where")
        negations = [negation.this.unnest() for negation in where.find_all(exp.Not)] if where is not None else []
        return any(isinstance(test, exp.Is) and test.this == chosen for test in negations)

    def unknown_columns(self) -> Iterator[Finding]:
        """Check that the tables have the columns that the statement names."""
        for column in self.tree.find_all(exp.Column):
            table = self.tables.get(column.table.lower()) if column.table else None
            name = column.name.lower()
            if table is None or name in table.columns or name in PSEUDO_COLUMNS:
                continue
            if self.first(table.name, name):
                yield self.found("SQL-UNKNOWN-COLUMN", column, table=table.name, column=column.name)

    def lookups(self) -> Iterator[Finding]:
        """Check that an index serves each equality, and that its types agree."""
        for clause in self.tree.find_all(exp.Where, exp.Join):
            condition = clause.this if isinstance(clause, exp.Where) else clause.args.get("on")
            if condition is None:
                continue
            equal = {test.this.name.lower() for test in condition.find_all(exp.EQ) if isinstance(test.this, exp.Column)}
            for test in condition.find_all(exp.EQ, exp.In):
                left, right = test.this, test.args.get("expression")
                yield from self._lookup(test, left, right, equal)
                yield from self._lookup(test, right, left, equal)

    def _lookup(
        self, test: exp.Expr, column: exp.Expr | None, other: exp.Expr | None, equal: set[str]
    ) -> Iterator[Finding]:
        table = self.table_of(column) if isinstance(column, exp.Column) else None
        name = column.name.lower() if column is not None else ""
        if table is None or column is None or name not in table.columns:
            return
        type_ = table.columns[name].type
        number = isinstance(other, exp.Literal) and not other.is_string
        if number and kind_of(type_) == "text" and self.first(table.name, f"{name}="):
            yield self.found("SQL-TYPE-MISMATCH", test, column=column.name, type=type_.lower())
        keys = equal | {name}
        served = any(table.served(key) for key in keys if key in table.columns)
        served |= any(index and index[0] in keys and name in index for index in table.indexes)
        if not served and kind_of(type_) != "boolean" and self.first(table.name, name):
            yield self.found("SQL-MISSING-INDEX", test, table=table.name, column=column.name)


def _from(select: exp.Select) -> exp.Expr | None:
    return select.args.get("from_") or select.args.get("from")


def _is_star(column: exp.Expr) -> bool:
    column = column.unalias()
    return isinstance(column, exp.Star) or (isinstance(column, exp.Column) and isinstance(column.this, exp.Star))


def _is_random(term: exp.Expr) -> bool:
    return isinstance(term, exp.Rand) or (isinstance(term, exp.Anonymous) and term.name.lower() in RANDOM)


def _is_aggregated(column: exp.Expr) -> bool:
    """Tell whether a column counts or sums the rows of its own query: not those of a subquery, and not in a window."""
    if column.find(exp.Window):
        return False
    return any(
        isinstance(node, exp.AggFunc) and not (isinstance(node, exp.Max | exp.Min) and node.expressions)
        for node in column.walk(prune=lambda inner: isinstance(inner, exp.Subquery | exp.Select))
    )


def _is_bare(column: exp.Expr) -> bool:
    """Tell whether a column is selected as it is; a text in double quotes, as MySQL has them, is none."""
    return isinstance(column, exp.Column) and not (column.this.args.get("quoted") and not column.table)


def _always_true(condition: exp.Expr) -> bool:
    condition = condition.unnest()
    if isinstance(condition, exp.Boolean):
        return bool(condition.this)
    equal = isinstance(condition, exp.EQ) and isinstance(condition.this, exp.Literal)
    return equal and condition.this == condition.expression


def _filters_by_key(select: exp.Select) -> bool:
    """Tell whether an equality with a key leaves few rows."""
    where = select.args.get("where")
    equal = where.find_all(exp.EQ) if where is not None else ()
    names = {test.this.name.lower() for test in equal if isinstance(test.this, exp.Column)}
    return any(name == "id" or name.endswith(("_id", "_key")) for name in names)


def _is_correlated(select: exp.Select) -> bool:
    """Tell whether a subquery names a table that it does not read itself."""
    own = {table.alias_or_name.lower() for table in select.find_all(exp.Table)}
    return any(column.table and column.table.lower() not in own for column in select.find_all(exp.Column))
