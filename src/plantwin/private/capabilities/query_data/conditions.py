"""Which rows of a table a question is about: by values, comparisons, times, and what is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plantwin.private.capabilities.logs.as_table import STORAGE
from plantwin.private.capabilities.query_data.mentions import COLUMN, NOTHING, TEXT, UNKNOWN, VALUE, Item
from plantwin.private.capabilities.query_data.model import Filter, Query, is_measure, is_time
from plantwin.private.capabilities.query_data.reading import MARKER, MOMENT, MONTHS, NUMBER, OPERATION, UNIT, Question
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.table import Table

NUMERIC = ("mean", "median", "sum", "minimum", "maximum")
IDS = re.compile(r"(?i)(?:^|[_\s-])(?:id|ids|uuid|key|no|nr|number)$|(?<=[a-z])(?:Id|ID)$")
COMPARED = {"over": ">", "under": "<", "at_least": "≥", "at_most": "≤"}


class Conditions:
    """Takes from the items of a question those that choose rows."""

    def __init__(self, question: Question, items: Sequence[Item], table: Table, columns: Sequence[Column]) -> None:
        self.table, self.columns = table, columns
        self.items = [item for item in items if item.kind != NOTHING]
        self.items = [item for at, item in enumerate(self.items) if not self._whose(at)]
        self.words = list(items)
        self.most = question.most
        self.free = {
            at for at, item in enumerate(self.items) if item.kind in (COLUMN, NUMBER, MOMENT, UNIT, VALUE, TEXT)
        }
        """Items that have no part yet."""
        self.names = [item.token.text if item.kind in (OPERATION, MARKER) else "" for item in self.items]
        self.made = Query()
        dates = [place for place, column in enumerate(columns) if is_time(column, table)]
        self.dates = [place for place in dates if table.own and place < table.own] or dates

    def _whose(self, at: int) -> bool:
        """Whether a word only says of which joined table the one beside it is a column: `the customer's country`."""
        item, beside = self.items[at], [*self.items[max(0, at - 1) : at], *self.items[at + 1 : at + 2]]
        if not self.table.own or item.kind != COLUMN or self.columns[item.place].name != self.table.referred:
            return False
        return any(near.kind == COLUMN and near.place >= self.table.own and near.place != item.place for near in beside)

    def chosen(self) -> None:
        """Find every filter."""
        self._values()
        self._comparisons()
        self._times()
        self._bare_numbers()
        self._empty()

    def _values(self) -> None:
        found: dict[tuple[int, bool], set[Cell]] = {}
        for at, item in enumerate(self.items):
            if item.kind == TEXT:
                self.free.discard(at)
                self.made.filters.append(Filter(item.place, "has", text=item.token.text, negated=self._negated(at)))
            elif item.kind == VALUE:
                self.free.discard(at)
                found.setdefault((item.place, self._negated(at)), set()).update(item.cells)
                self._named(at, item.place)
        self.made.filters += [Filter(place, "is", frozenset(cells), negated=no) for (place, no), cells in found.items()]

    def _negated(self, at: int) -> bool:
        before = at - 1
        while before >= 0 and self.items[before].kind == COLUMN:
            before -= 1
        if before >= 0 and self.names[before] == "not":
            self.names[before] = ""
            return True
        return False

    def _named(self, at: int, place: int) -> None:
        """Take the column beside its value as its name: `status is returned`, `the Furniture category`."""
        for near in (at - 1, at - 2, at + 1):
            named = near in self.free and self.items[near].kind == COLUMN and self.items[near].place == place
            if named and not self._after_per(near):
                self.free.discard(near)
                return

    def _after_per(self, at: int) -> bool:
        return at > 0 and self.names[at - 1] == "per"

    def _comparisons(self) -> None:
        for at, name in enumerate(self.names):
            if name in COMPARED and self._is(at + 1, NUMBER):
                place = self._compared(at, at + 1)
                self._compare(place, COMPARED[name], at + 1, at)
            elif name == "between" and self._is(at + 1, NUMBER):
                to = next((near for near in (at + 2, at + 3) if self._is(near, NUMBER)), None)
                if to is not None:
                    place = self._compared(at, to)
                    self._compare(place, "≥", at + 1, at)
                    self._compare(place, "≤", to, at)
                    if at + 2 < len(self.names):
                        self.names[at + 2] = ""

    def _compare(self, place: int | None, relation: str, number: int, at: int) -> None:
        if place is None:
            return
        self.names[at] = ""
        self.free.discard(number)
        self.made.filters.append(Filter(place, relation, number=self.items[number].token.number))

    def _compared(self, at: int, number: int) -> int | None:
        """Return the column that is compared with a number: the nearest before, else the one after it."""
        for near in (at - 1, at - 2, number + 1):
            if near not in self.free or not self._is(near, COLUMN) or self._after_per(near):
                continue
            if self.items[near].read_as:  # `customers who spent more than 500`: in sum, which is not compared
                continue
            column = self.columns[self.items[near].place]
            # `customers with more than 5 orders`: neither an id nor what is counted is compared.
            counted = bool(near) and self.names[near - 1] == "count"
            if is_measure(column) and not counted and not IDS.search(column.name):
                if not any(name in NUMERIC for name in self.names[max(0, near - 1) : near]):
                    self.free.discard(near)
                return self.items[near].place
        return None

    def _is(self, at: int, kind: str) -> bool:
        return 0 <= at < len(self.items) and self.items[at].kind == kind

    def _times(self) -> None:
        """Read dates and months: `2024-05-06`, `March`, `from May to July 2025`."""
        found: dict[int, str] = {}
        for at, item in enumerate(self.items):
            if item.kind == MOMENT:
                found[at] = item.token.text.replace("T", " ")
            elif item.kind == UNKNOWN and item.token.text in MONTHS and self.dates:
                self.made.unknown.remove(item)
                found[at] = f"-{MONTHS[item.token.text]:02}"
        if len(found) == 2 and self._spanned(*found):
            (first, start), (last, end) = found.items()
            self._span(first, last, start, end)
            return
        for at, text in found.items():
            self._time_filter(at, text)

    def _spanned(self, first: int, last: int) -> bool:
        """Whether two times are the ends of one: `from … to`, `between … and`."""
        said = [item.token.raw.lower() for item in self.words]
        one, other = (
            next(at for at, word in enumerate(self.words) if word is self.items[end]) for end in (first, last)
        )
        joined = ("from", "to"), ("from", "until"), ("from", "through"), ("between", "and")
        return other - one == 2 and one > 0 and (said[one - 1], said[one + 1]) in joined

    def _span(self, first: int, last: int, start: str, end: str) -> None:
        place = self._date()
        self.free -= {first, last}
        start = end[:4] + start if start[0] == "-" != end[0] else start
        end = start[:4] + end if end[0] == "-" != start[0] else end
        if "-" in (start[0], end[0]) or start > end:
            self._problem(f"Say the years of `{self.items[first].token.raw}` and `{self.items[last].token.raw}`.")
        elif place is not None:
            for at in range(max(0, first - 1), last):
                self.names[at] = "" if self.names[at] in ("between", "or", "before") else self.names[at]
            self.made.filters += [Filter(place, "from", text=start), Filter(place, "until", text=end)]

    def _bare_numbers(self) -> None:
        for at, item in enumerate(self.items):
            if item.kind != NUMBER or at not in self.free:
                continue
            number = item.token.number
            near = [
                other for other in (at - 1, at + 1)
                if self._is(other, COLUMN) and is_measure(self.columns[self.items[other].place])
            ]  # fmt: skip
            year = self._year() if 1900 <= number < 2200 and number == int(number) else None
            if year is not None and self._said_of_time(at):
                near = [other for other in near if self.items[other].place == year]
            near = near if year is None else [other for other in near if not self.items[other].read_as]
            if "status" in self.table.columns and self.table.storage == STORAGE and 100 <= number < 600:
                place = self.table.columns.index("status")
            elif near and not self._after_per(near[0]):
                place = self.items[near[0]].place
                self.free.discard(near[0])
            elif year is None:
                continue
            elif year in self.dates:
                self._time_filter(at, f"{int(number)}")
                continue
            else:
                place = year
            self.free.discard(at)
            before = self.names[at - 1] if at else ""
            word = self.items[at - 1].token.raw.lower() if before in ("since", "before") else ""
            relation = {"after": ">", "until": "≤"}.get(word, {"since": "≥", "before": "<"}.get(before, "="))
            if word:
                self.names[at - 1] = ""
            negated = self._negated(at)
            self.made.filters.append(Filter(place, relation, number=number, negated=negated))

    def _year(self) -> int | None:
        """Return the column that a year may be meant of: one of dates, or one that is called so."""
        years = [place for place, column in enumerate(self.columns) if column.name.lower() in ("year", "jahr", "annee")]
        return self.dates[0] if self.dates else years[0] if years else None

    def _said_of_time(self, at: int) -> bool:
        """Whether the word before a number speaks of time: `the highest yield in 1932`."""
        place = next(place for place, item in enumerate(self.words) if item is self.items[at])
        return bool(place) and self.words[place - 1].token.raw.lower() in (
            "in", "during", "since", "before", "after", "until",
        )  # fmt: skip

    def _time_filter(self, at: int, text: str) -> None:
        place = self._date()
        if place is None:
            return
        self.free.discard(at)
        before = self.names[at - 1] if at else ""
        relation = {"since": "from", "before": "before"}.get(before, "in")
        if before in ("since", "before"):
            relation = {"after": "after", "until": "until"}.get(self.items[at - 1].token.raw.lower(), relation)
        if relation != "in":
            self.names[at - 1] = ""
        if relation != "in" and text[0] == "-":
            self._problem(f"Say the year of `{self.items[at].token.raw}` as well.")
        others = [one.text for one in self.made.filters if one.relation == relation == "in"]
        # `March 4` and `2025` are one date; two months are none.
        if any(
            {len(other) == 4, len(text) == 4} != {True, False} or "-" not in (other[0], text[0]) for other in others
        ):
            self._problem("It names several times: ask for one of them, or for a figure per day, month or year.")
        self.made.filters.append(Filter(place, relation, text=text))

    def _date(self) -> int | None:
        """Return the column of times that is meant: the one named, the one called after the table, or the only one."""
        named = [item.place for item in self.items if item.kind == COLUMN and item.place in self.dates]
        about = self.table.label.rpartition("#")[2].rpartition("/")[2].partition(".")[0].lower().rstrip("s")
        own = [place for place in self.dates if about and self.columns[place].name.lower().startswith(about)]
        found = list(dict.fromkeys(named)) or (own if len(own) == 1 else self.dates)
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"`{self.columns[place].name}`" for place in found)
            self._problem(f"There are several columns of times: say which of {names} is meant.")
        else:
            self._problem("No column holds dates or times.")
        return None

    def _problem(self, text: str) -> None:
        if text not in self.made.problems:
            self.made.problems.append(text)

    def _empty(self) -> None:
        for at, name in enumerate(self.names):
            if name == "without" and self._is(at + 1, COLUMN):
                self.names[at] = ""
                self.free.discard(at + 1)
                self.made.filters.append(Filter(self.items[at + 1].place, "empty"))
