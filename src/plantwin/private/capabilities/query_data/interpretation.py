"""What a question computes over a table: every word that is not light has a part in it, or there is no figure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plantwin.private.capabilities.query_data.conditions import COMPARED, IDS, NUMERIC, Conditions
from plantwin.private.capabilities.query_data.everyday import MONEY
from plantwin.private.capabilities.query_data.mentions import COLUMN, ROWS, TEXT, UNKNOWN, VALUE, Item
from plantwin.private.capabilities.query_data.model import Filter, Group, Query, is_measure
from plantwin.private.capabilities.query_data.reading import TABLES, UNIT, Question, forms, pieces
from plantwin.private.capabilities.tables.cells import BOOLEAN
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.table import Table

_SIZED = re.compile(r"(?i)(?:max|min)(?:imum)?|(?:low|small|high|larg|bigg|great)est")
"""Extremes of numbers; `latest` and `first` are those of times."""
LEVEL = frozenset(TABLES["level"]["words"].split())


def interpret(question: Question, items: Sequence[Item], table: Table, columns: Sequence[Column]) -> Query:
    """Return what a question computes over a table whose columns were read."""
    return _Reader(question, items, table, columns).query()


class _Reader(Conditions):
    def query(self) -> Query:
        """Give every item its part."""
        made = self.made
        made.unknown = [item for item in self.items if item.kind == UNKNOWN]
        made.known = sum(item.kind in (COLUMN, ROWS, VALUE, TEXT) for item in self.items)
        self.chosen()
        self._grouped()
        self._operations()
        self._left()
        return made

    def _grouped(self) -> None:
        """Find what follows `per` and `by`; after `top 10 customers by` stands what they are ranked by."""
        ranked = bool({"most", "least"} & {*self.names})
        for at, name in enumerate(self.names):
            if name != "per":
                continue
            self.names[at] = ""
            if ranked and self.items[at].token.raw.lower() == "by" and not self._groupable(at + 1):
                continue
            near = at + 1
            while self._group_of(near):
                near += 1
                if near < len(self.names) and self.names[near] == "or":
                    self.names[near] = ""
                    near += 1

    def _groupable(self, at: int) -> bool:
        if self._is(at, UNIT):
            return True
        return self._is(at, COLUMN) and not is_measure(self.columns[self.items[at].place])

    def _group_of(self, at: int) -> bool:
        if at not in self.free or not self._named_group(at):
            return False
        self.free.discard(at)
        item = self.items[at]
        if item.kind == COLUMN:
            self.made.groups.append(Group(item.place))
            return True
        place = self._date()
        if place is not None:
            self.made.groups.append(Group(place, item.token.text))
        return True

    def _operations(self) -> None:
        made = self.made
        asked = [name for name in self.names if name in NUMERIC]
        counted = "count" in self.names
        subject = self._subject()
        extreme = bool({"minimum", "maximum"} & {*asked}) and subject is not None
        if extreme and not self._is(subject or 0, ROWS) and len(self._free_columns()) < 2 and self._alone(subject):
            extreme = False
        ranked = bool({"most", "least"} & {*self.names}) or extreme
        if ranked:
            self._ranked(asked, subject, counted)
        elif "share" in self.names:
            made.operations = ["share"]
            if not made.filters:
                self._problem("Say which part of the rows is meant.")
        elif "distinct" in self.names or (counted and (not asked or (asked == ["sum"] and not self._free_columns()))):
            self._counted()
        elif counted and asked == ["mean"] and made.groups:
            made.operations = ["count_per"]
        elif "when" in self.names or asked:
            self._measured(asked)
        elif made.groups:
            made.operations = ["count"]
            named = self._free_columns()
            if len(named) == 1 and not self._level(self.columns[named[0]]):
                made.operations = ["sum" if is_measure(self.columns[named[0]]) else "distinct"]
                made.measures = named
                self._take(named[0])
        elif any(self._earned(place) for place in self._free_columns()):
            self._measured(["sum"])
        elif made.filters and not self.free:
            made.operations, made.listed = ["count"], True
        elif made.filters and self._free_columns() and len(self._free_columns()) == len(self.free):
            # `who is the head of state of France`: what rows with this value have in that column.
            made.operations, made.listed, made.shown = ["count"], True, self._free_columns()
            self.free.clear()
        else:
            self._problem("It asks for no figure: a count, sum, average, median, least, greatest, or most frequent.")

    def _alone(self, subject: int | None) -> bool:
        """Whether a number follows `which`, and nothing else: it is measured itself."""
        item = self.items[subject or 0]
        return item.kind == COLUMN and is_measure(self.columns[item.place])

    def _subject(self) -> int | None:
        """Return what is ranked: it follows `which` directly, or `most` and `top 10`."""
        for at, name in enumerate(self.names):
            near = at + 1
            if name not in ("which", "most", "least") or near >= len(self.items):
                continue
            # `return reasons`, `product category`: the column of these rows.
            near += self._is(near, ROWS) and self._ranks(near + 1) and self._adjacent(near, near + 1)
            if name == "which" and not self._adjacent(at, near):
                continue
            if name != "which" and self._sold(near):  # `the most sold product`
                continue
            if self._is(near, ROWS) or (near in self.free and self._named_group(near)):
                return near
        return None

    def _sold(self, at: int) -> bool:
        """Whether a number stands here by which the values of another column are ranked."""
        return at in self.free and self._is(at, COLUMN) and not self._ranks(at) and self._ranks(at + 1)

    def _ranks(self, at: int) -> bool:
        """Whether a column stands here by whose values rows are told apart."""
        return at in self.free and self._is(at, COLUMN) and not is_measure(self.columns[self.items[at].place])

    def _named_group(self, at: int) -> bool:
        """Whether groups are named here, and not by a word for what is earned or spent."""
        return self.items[at].kind in (COLUMN, UNIT) and not self.items[at].read_as

    def _adjacent(self, one: int, other: int) -> bool:
        """Whether no word but a table's stands between: `what product category`, not `what is the category`."""
        places = [
            place for place, item in enumerate(self.words) if item is self.items[one] or item is self.items[other]
        ]
        return all(item.kind in (ROWS, COLUMN) for item in self.words[places[0] + 1 : places[-1]])

    def _ranked(self, asked: list[str], subject: int | None, counted: bool) -> None:
        made = self.made
        low = "least" in self.names or "minimum" in asked
        made.order = "least" if low and "most" not in self.names else "most"
        made.limit = self.most
        if subject is None:
            free = [at for at in sorted(self.free) if self._named_group(at) and not self._sold(at)]
            subject = free[0] if free else None
        if made.groups and subject is not None and self.items[subject].kind == ROWS:
            subject = None
        if subject is not None and self.items[subject].kind == ROWS:
            made.rows = True
        elif subject is not None:
            self._group_of(subject)
        elif not made.groups:
            self._problem("Say what is to be ranked: a column, or a unit of time.")
        measures = self._free_columns()
        extremes = [name for name in asked if name in ("minimum", "maximum")]
        plain = [name for name in asked if name not in extremes]
        if not measures:
            made.operations = ["count"]
            if made.rows or plain:
                self._problem("Say by which column they are ranked.")
            return
        made.measures = measures[:1]
        self._take(measures[0])
        column = self.columns[measures[0]]
        if counted or not is_measure(column) or (IDS.search(column.name) and not plain):
            made.operations = ["distinct"]
        elif plain:
            made.operations = plain[:1]
        elif made.rows:
            made.operations = ["maximum" if made.order == "most" else "minimum"]
        else:
            level = self._level(column) and made.order == "most"
            # `the month with the highest sales` has the highest sum of them.
            made.operations = ["sum"] if self._earned(measures[0]) else extremes[:1] or ["maximum" if level else "sum"]

    def _level(self, column: Column) -> bool:
        """Whether the sum of its numbers says little, as of prices where they are not what was earned."""
        if any(item.read_as and self.columns[item.place] is column for item in self.items):
            return False
        words = {*pieces(column.name), *(form[1:] for form in forms(pieces(column.name)[0]))}
        return is_measure(column) and not LEVEL.isdisjoint(words)

    def _earned(self, place: int) -> bool:
        """Whether a word such as `revenue` stands for a column: all of it is meant, unless a figure is named."""
        return any(item.read_as and item.place == place and item.token.text in MONEY for item in self.items)

    def _free_columns(self) -> list[int]:
        return [self.items[at].place for at in sorted(self.free) if self.items[at].kind == COLUMN]

    def _take(self, place: int) -> None:
        self.free = {at for at in self.free if not (self.items[at].kind == COLUMN and self.items[at].place == place)}

    def _counted(self) -> None:
        """`how many orders` counts rows, `how many customers` the different ones where that is a column."""
        made = self.made
        made.operations = ["count"]
        start = next(at for at, name in enumerate(self.names) if name in ("count", "distinct"))
        noun = next(
            (at for at in range(start + 1, len(self.items)) if not self.names[at] and not self._truth(at)), None
        )
        timed = (
            {one.place for one in made.filters if one.place in self.dates} if "distinct" not in self.names else set()
        )
        # `how many were opened in May` counts rows, not the different times.
        if noun is not None and self._is(noun, COLUMN) and self.items[noun].place in timed:
            return
        if noun is not None and noun in self.free and self.items[noun].kind in (COLUMN, UNIT):
            item = self.items[noun]
            place = item.place if item.kind == COLUMN else self._date()
            self.free.discard(noun)
            if item.kind == COLUMN:
                self._take(item.place)
            number = item.kind == COLUMN and is_measure(self.columns[item.place])
            if number and not IDS.search(self.columns[item.place].name) and "distinct" not in self.names:
                made.operations, made.measures = ["sum"], [item.place]
                if "=quantity" not in forms(item.token.text):
                    self._problem(f"Say whether the sum or the different values of `{item.token.raw}` are meant.")
            elif place is not None:
                made.operations = ["distinct"]
                made.measures = [place]
                made.groups += [Group(place, item.token.text)] if item.kind == UNIT else []
                if item.kind == UNIT:
                    made.operations = ["groups"]
        elif "distinct" in self.names:
            self._problem("Say of which column the different values are to be counted.")

    def _truth(self, at: int) -> bool:
        """Whether a column says yes or no: `how many gift orders` counts those that are gifts."""
        return self._is(at, COLUMN) and self.columns[self.items[at].place].type == BOOLEAN

    def _measured(self, asked: list[str]) -> None:
        made = self.made
        made.operations = list(dict.fromkeys(asked)) or ["maximum"]
        found = list(dict.fromkeys(self._free_columns()))
        sized = any(
            name in NUMERIC and _SIZED.fullmatch(self.items[at].token.raw) for at, name in enumerate(self.names)
        )
        if not found and set(made.operations) <= {"minimum", "maximum"} and not sized:
            place = self._date()
            found = [place] if place is not None else []
        if len(found) > 1 and set(made.operations) <= {"minimum", "maximum"}:
            # `the most expensive product`: the row with the highest price, and which product that is.
            made.shown = [place for place in found if not is_measure(self.columns[place]) and place not in self.dates]
            found = [place for place in found if place not in made.shown]
            for place in made.shown:
                self._take(place)
        elif len(found) > 1 and any(not self._flag(place) for place in found):  # `average age of the survivors`
            found = [place for place in found if not self._flag(place)]
        if len(found) > 1:  # `revenue from gold customers`: what they are called is not measured
            found = [place for place in found if self.columns[place].name != self.table.referred]
        if len(found) > 1:
            self._problem("Say of which one column: " + ", ".join(f"`{self.columns[place].name}`" for place in found))
        for place in found:
            column = self.columns[place]
            timed = place in self.dates and set(made.operations) <= {"minimum", "maximum", "median"}
            if not is_measure(column) and not timed:
                self._problem(f"`{column.name}` holds {column.type}, not numbers.")
            elif IDS.search(column.name) and not set(made.operations) <= {"minimum", "maximum"}:
                self._problem(f"The numbers of `{column.name}` are names of rows, not amounts.")
            self._take(place)
        made.measures = found
        if not found:
            self._problem("Say of which column.")

    def _flag(self, place: int) -> bool:
        """Whether a column only says yes or no."""
        column = self.columns[place]
        return column.type == BOOLEAN or {*map(str, column.counts)} == {"0", "1"}

    def _left(self) -> None:
        """Name what has no part in the query: it would change the answer."""
        made = self.made
        used = {*(group.place for group in made.groups), *(one.place for one in made.filters)}
        for at in sorted(self.free):
            item = self.items[at]
            column = self.columns[item.place] if item.kind == COLUMN else None
            if column is not None and self._flag(item.place):
                cells = frozenset(cell for cell in column.counts if str(cell).lower() in ("true", "yes", "y", "t", "1"))
                made.filters.append(Filter(item.place, "is", cells, negated=self._negated(at)))
            elif column is not None and (item.place in used or column.name == self.table.referred):
                continue
            else:
                self._problem(f"It is not clear what `{item.token.raw}` is to do with it.")
        unused = [
            self.items[at].token.raw
            for at, name in enumerate(self.names)
            if name in ("not", "without", "since", "before")
        ]
        unused += [self.items[at].token.raw for at, name in enumerate(self.names) if name in (*COMPARED, "between")]
        if unused:
            self._problem(f"It is not clear what {', '.join(f'`{word}`' for word in unused)} is to do with it.")
