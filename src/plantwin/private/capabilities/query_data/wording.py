"""Say a figure: what was computed, over which rows of which file, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.engine.results import table as markdown
from plantwin.private.capabilities.query_data.figures import WEEKDAYS, Bucket, Computed, value_of
from plantwin.private.capabilities.query_data.joining import NAMES
from plantwin.private.capabilities.query_data.model import Filter, Query
from plantwin.private.capabilities.tables.cells import DATE, TIME, Cell, shown_moment
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.formats.timestamps import shown
from plantwin.text import plural

NAMED = 12
"""Groups that the sentence names."""
LISTED = 60
"""Groups in the table."""
COLUMNS = 6
"""Columns of rows that are shown."""
TIED = 3
_WORDS = {
    "mean": "average", "median": "median", "sum": "sum", "minimum": "minimum", "maximum": "maximum",
    "count": "number of rows", "distinct": "different values", "share": "share of rows",
}  # fmt: skip
_TIMES = {"in": "in", "from": "from", "after": "after", "before": "before", "until": "until"}
Show = Callable[[str, Cell], str]


def written(number: float) -> str:
    """Return a number for people: whole ones without decimals, others with two, small ones with four digits."""
    if number == int(number) and abs(number) < 1e15:
        return f"{int(number):,}"
    return f"{number:,.2f}" if abs(number) >= 1 else f"{number:.4g}"


def condition(one: Filter, columns: Sequence[Column]) -> str:
    """Return a filter in words: `status` is `returned`."""
    name = code(columns[one.place].name)
    no = "not " if one.negated else ""
    if one.relation == "is":
        held = columns[one.place].counts
        cells = sorted(str(cell) for cell in one.cells if cell in held) or sorted(map(str, one.cells))
        status = len(cells) > 20
        listed = f"{cells[0]} to {cells[-1]}" if status else " or ".join(code(cell, 60) for cell in cells[:6])
        return f"{name} is {no}{listed}"
    if one.relation == "has":
        return f"{name} has {no}the text {code(one.text)}"
    if one.relation == "empty":
        return f"{name} is {no}empty"
    if one.relation in _TIMES:
        when = one.text if one.text[0] != "-" else f"{'day' if len(one.text) > 3 else 'month'} {one.text[1:]}"
        return f"{name} is {_TIMES[one.relation]} {when}"
    number = f"{one.number:.0f}" if 1900 <= one.number < 2200 and one.number.is_integer() else written(one.number)
    return f"{name} {'is not ' if one.negated else ''}{one.relation} {number}"


class Teller:
    """Says the figures of one table."""

    def __init__(self, query: Query, table: Table, columns: Sequence[Column], made: Computed, show: Show) -> None:
        self.query, self.table, self.columns, self.made, self.show = query, table, columns, made, show

    def told(self) -> list[str]:
        """Return the sentence, a table where there are groups, and what was left out."""
        query = self.query
        if query.rows:
            lines = self._single_rows()
        elif "groups" in query.operations:
            unit = query.groups[-1].unit
            lines = [f"{plural(len(self.made.groups), f'different {unit}')}{self._where()} in {self._file()}."]
        elif query.operations == ["count_per"]:
            groups = max(1, len(self.made.groups))
            average = written(self.made.kept / groups)
            count = f"{self.made.kept:,} rows, {groups:,} groups"
            lines = [f"On average {average} rows per {self._by()}{self._where()}: {count}, in {self._file()}."]
        elif query.groups:
            lines = self._grouped()
        else:
            lines = [self._plain(self.made.groups.get((), Bucket())), *self._rows()]
        return [*lines, *(f"\n{note}" for note in self._notes())]

    def _file(self) -> str:
        return f"{self._label()} ({plural(self.made.read, 'row')} read)"

    def _label(self) -> str:
        return plain(self.table.label) + (", of which only a part was read" if self.table.truncated else "")

    def _where(self) -> str:
        conditions = [condition(one, self.columns) for one in self.query.filters]
        return f" where {' and '.join(conditions)}" if conditions else ""

    def _by(self) -> str:
        return " and ".join(
            f"{group.unit} of {code(self.columns[group.place].name)}"
            if group.unit
            else code(self.columns[group.place].name)
            for group in self.query.groups
        )

    def _figure(self, bucket: Bucket, operation: str) -> str:
        value = value_of(bucket, operation)
        if value is None:
            return "none"
        if operation == "share":
            return f"{value:.1f} %"
        place = self.query.measures[0] if self.query.measures else None
        if place is not None and operation in ("minimum", "maximum", "median"):
            column = self.columns[place]
            if column.name == "time" and self.table.storage == "log":
                return shown(value)
            if column.kinds[DATE] + column.kinds[TIME] > column.filled / 2:
                return shown_moment(value, column.kinds[TIME] > 0)
        return written(value)

    def _of(self) -> str:
        return f" of {code(self.columns[self.query.measures[0]].name)}" if self.query.measures else ""

    def _plain(self, bucket: Bucket) -> str:
        query, operations = self.query, self.query.operations
        if operations == ["share"]:
            part = 100 * self.made.kept / max(1, self.made.read)
            rows = f"{self.made.kept:,} of {plural(self.made.read, 'row')} of {self._label()}"
            return f"{part:.1f} %: {rows}{self._where()}."
        if operations == ["count"]:
            if not query.filters:
                return f"{plural(bucket.rows, 'row')} in {self._label()}."
            if query.shown and self.made.rows:  # `who is the head of state of France`
                cells = dict.fromkeys(self._row(row) for _, row in self.made.rows)
                more = f" and {len(cells) - TIED} more" if len(cells) > TIED else ""
                told = f"{plural(bucket.rows, 'row')} of {self._file()}"
                return f"{'; '.join(list(cells)[:TIED])}{more}: {told}{self._where()}."
            return f"{plural(bucket.rows, 'row')} of {self._file()}{self._where()}."
        if operations == ["distinct"]:
            return f"{len(bucket.different):,} different values{self._of()}{self._where()} in {self._file()}."
        figures = [f"{_WORDS[operation]} {self._figure(bucket, operation)}" for operation in operations]
        extremes = [name for name in operations if name in ("minimum", "maximum")]
        where = f", {self._place(bucket, extremes[0])}" if len(extremes) == 1 and bucket.best else ""
        over = f"over {len(bucket.values):,} of {plural(self.made.read, 'row')}"
        name = code(self.columns[query.measures[0]].name)
        return f"{name}{self._where()}: {', '.join(figures)} ({over} of {self._label()}{where})."

    def _place(self, bucket: Bucket, extreme: str) -> str:
        _, line, row = bucket.best[extreme == "maximum"]
        return f"{'line' if self.table.lined else 'row'} {line}: {self._row(row)}"

    def _row(self, row: Sequence[Cell]) -> str:
        """Name a row by its first few values, besides what was asked."""
        wanted = [
            f"{plain(self.columns[place].name, 30)} {plain(self.show(self.columns[place].name, row[place]), 120)}"
            for place in self.query.shown
        ]
        if wanted:
            return ", ".join(wanted)
        asked = {*self.query.measures, *(one.place for one in self.query.filters)}
        cells = [
            f"{plain(column.name, 30)} {plain(self.show(column.name, cell), 120)}"
            for place, (column, cell) in enumerate(zip(self.columns, row, strict=True))
            if cell not in (None, "") and place not in asked
        ]
        message = [text for text in cells if text.startswith("message ")] if self.table.storage == "log" else []
        return ", ".join(message or cells[:4])

    def _rows(self) -> list[str]:
        """Return the rows that were asked for: those that say who or what they are, without what all have in common."""
        same = {one.place for one in self.query.filters if one.relation == "is" and len(one.cells) == 1}
        places = [place for place in range(len(self.columns)) if place not in same][:COLUMNS]
        head = ["line" if self.table.lined else "row", *(plain(self.columns[place].name, 30) for place in places)]
        body = [
            [f"{line}", *(plain(self.show(self.columns[place].name, row[place]), 60) for place in places)]
            for line, row in self.made.rows
        ]
        more = self.made.kept - len(body)
        return (
            ["", *markdown(head, body, len(body)), *([f"{plural(more, 'more row')}."] if more else [])] if body else []
        )

    def _single_rows(self) -> list[str]:
        bucket = self.made.groups.get((), Bucket())
        most = self.query.order == "most"
        name = code(self.columns[self.query.measures[0]].name)
        if not bucket.best:
            return [f"No row of {self._file()} has a number in {name}{self._where()}."]
        first = f"{'Highest' if most else 'Lowest'} {name}{self._where()} in {self._file()}"
        extreme = "maximum" if most else "minimum"
        if self.made.ranked:
            at = next((at for at, column in enumerate(self.columns) if column.name.lower() in NAMES), None)
            called = [
                self._row(row) if at is None else plain(self.show(self.columns[at].name, row[at]), 60)
                for _, _, row in self.made.ranked
            ]
            told = [f"{name}: {written(row[0])}" for name, row in zip(called, self.made.ranked, strict=True)]
            return [f"{first}: {'; '.join(told)}."]
        return [f"{first}: {self._figure(bucket, extreme)}, {self._place(bucket, extreme)}."]

    def ordered(self) -> list[tuple[tuple[str, ...], Bucket]]:
        """Return the groups as they are told: by their figures, or in the order of time."""
        operation = self.query.operations[0]
        rows = list(self.made.groups.items())
        if self.query.order or not any(group.unit for group in self.query.groups):
            sign = 1 if self.query.order == "least" else -1
            rows.sort(key=lambda row: (_last(value_of(row[1], operation), sign), row[0]))
        else:
            rows.sort(key=lambda row: [f"{WEEKDAYS.index(part)}" if part in WEEKDAYS else part for part in row[0]])
        return rows

    def _grouped(self) -> list[str]:
        query = self.query
        rows = self.ordered()
        operation = query.operations[0]
        what = _WORDS[operation] + ("" if operation == "count" else self._of())
        what = f"{what[0].upper()}{what[1:]} by {self._by()}{self._where()} in {self._file()}"
        if not rows:
            return [f"{what}: no row."]
        if query.order:
            return self._ranked(rows, what)
        names = [f"{self._name(key)}: {self._figures(bucket)}" for key, bucket in rows[:NAMED]]
        if len(rows) <= NAMED:
            return [f"{what}: {'; '.join(names)}.", "", *self._table(rows)]
        total = f"{plural(self.made.kept, 'row')} in {plural(len(rows), 'group')}"
        order = sorted(rows, key=lambda row: -(value_of(row[1], operation) or 0.0))
        peak = "; ".join(f"{self._name(key)}: {self._figures(bucket)}" for key, bucket in order[:TIED])
        low = f"{self._name(order[-1][0])}: {self._figures(order[-1][1])}"
        return [f"{what}: {total}. Highest: {peak}. Lowest: {low}.", "", *self._table(rows)]

    def _ranked(self, rows: list[tuple[tuple[str, ...], Bucket]], what: str) -> list[str]:
        query = self.query
        limit = query.limit or 1
        operation = query.operations[0]
        border = value_of(rows[min(limit, len(rows)) - 1][1], operation)
        tied = sum(value_of(bucket, operation) == border for _, bucket in rows[limit:])
        names = [f"{self._name(key)}: {self._figures(bucket)}" for key, bucket in rows[:limit]]
        first = "; ".join(names[: max(NAMED, 10)])
        after = [f"{self._name(key)}: {self._figures(bucket)}" for key, bucket in rows[limit : limit + TIED - 1]]
        then = f"; then {'; '.join(after)}" if after and limit == 1 and not tied else ""
        ties = f"; {plural(tied, 'more group')} with the same figure as the last" if tied else ""
        return [f"{first}{then}{ties} ({what[0].lower()}{what[1:]}, {query.order} first).", "", *self._table(rows)]

    def _name(self, key: tuple[str, ...]) -> str:
        parts = [
            part if group.unit else self.show(self.columns[group.place].name, part)
            for part, group in zip(key, self.query.groups, strict=True)
        ]
        return plain(" / ".join(parts), 60)

    def _figures(self, bucket: Bucket) -> str:
        return " / ".join(self._figure(bucket, operation) for operation in self.query.operations)

    def _table(self, rows: Sequence[tuple[tuple[str, ...], Bucket]]) -> list[str]:
        query = self.query
        head = [*(group.unit or plain(self.columns[group.place].name, 40) for group in query.groups)]
        head += [_WORDS[operation] for operation in query.operations] + (
            [] if query.operations == ["count"] else ["rows"]
        )
        body = [
            [
                *(plain(part if group.unit else self.show(self.columns[group.place].name, part), 60)
                  for part, group in zip(key, query.groups, strict=True)),
                *(self._figure(bucket, operation) for operation in query.operations),
                *([] if query.operations == ["count"] else [f"{bucket.rows:,}"]),
            ]
            for key, bucket in rows[: query.limit or LISTED]
        ]  # fmt: skip
        more = [f"{plural(len(rows) - len(body), 'more group')}.", ""] if len(rows) > len(body) else []
        return [*markdown(head, body, len(body)), *more]

    def _notes(self) -> list[str]:
        made, found = self.made, []
        left = sum(bucket.left for bucket in made.groups.values())
        if left and self.query.measures and self.query.operations != ["groups"]:
            what = "value" if self.query.operations == ["distinct"] else "number"
            name = code(self.columns[self.query.measures[0]].name)
            found.append(f"{plural(left, 'row')} without a {what} in {name} {'is' if left == 1 else 'are'} left out.")
        spelled: dict[str, list[str]] = {}
        for key in made.groups:
            spelled.setdefault(" / ".join(key).casefold(), []).append(" / ".join(key))
        twice = [" and ".join(map(code, names)) for names in spelled.values() if len(names) > 1]
        if twice:
            found.append(f"Counted apart, since they are written differently: {', '.join(twice[:4])}.")
        if made.ungrouped:
            verb = "is" if made.ungrouped == 1 else "are"
            found.append(f"{plural(made.ungrouped, 'row')} without {self._by()} {verb} left out.")
        return found


def _last(value: float | None, sign: int) -> tuple[bool, float]:
    """Sort groups without a figure last."""
    return value is None, sign * (value or 0.0)
