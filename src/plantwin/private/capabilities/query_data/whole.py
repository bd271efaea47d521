"""Questions about tables as a whole: missing values, repeated rows, the span of time, keys that join, correlation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plantwin.private.capabilities.engine.report import code, plain
from plantwin.private.capabilities.engine.results import table as markdown
from plantwin.private.capabilities.logs.as_table import STORAGE
from plantwin.private.capabilities.query_data.figures import (
    Moment,
    UndecidedError,
    correlation,
    moment_of,
    repeated_rows,
)
from plantwin.private.capabilities.query_data.mentions import COLUMN, NOTHING, ROWS, UNKNOWN, Item, mentions
from plantwin.private.capabilities.query_data.model import is_measure, is_time
from plantwin.private.capabilities.query_data.partners import Spoken, without_partner
from plantwin.private.capabilities.query_data.reading import LIGHT, OPERATION, TABLES, Question
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.profiled import Profiled, relations
from plantwin.private.capabilities.tables.statistics import percent
from plantwin.text import plural

Shower = Callable[[Profiled, str, Cell], str]
Told = tuple[list[str], list[Profiled]]
MOST = 24
"""Tables that are told of."""
_STRENGTH = ((0.7, "strong"), (0.4, "moderate"), (0.2, "weak"), (0.0, "no"))
_SAID = frozenset(TABLES["light"]["about"].split())


def answered(question: Question, profiles: Sequence[Profiled], show: Shower) -> Told:
    """Answer what a question asks of its tables as a whole; nothing where a figure is asked for."""
    if any(token.text in ("mean", "median", "sum") for token in question.tokens if token.kind == OPERATION):
        return [], []
    spoken = [(one, mentions(question, one.table, one.columns)) for one in profiles]
    named = [pair for pair in spoken if any(item.kind == ROWS for item in pair[1])]
    meant = named if question.about != "join" and named else spoken
    nowhere = set.intersection(*({item.token.raw for item in _strange(items)} for _, items in spoken))
    counting = any(token.kind == OPERATION and token.text == "count" for token in question.tokens)
    unique = any(token.kind == OPERATION and token.text == "distinct" for token in question.tokens)
    by_about: dict[str, Callable[[], Told]] = {
        "missing": lambda: _missing(meant, counting),
        "duplicates": lambda: _duplicates(meant, unique),
        "range": lambda: _range(meant),
        "correlation": lambda: _correlated(spoken),
        "join": lambda: _joins(spoken),
        "orphans": lambda: without_partner(question, spoken, sorted(nowhere), show),
        "having": lambda: _having(spoken),
        "tables": lambda: _tables([one for one, _ in meant]),
        "columns": lambda: _columns([one for one, _ in meant]),
    }
    return by_about[question.about]()


def _asked(items: Sequence[Item]) -> list[int]:
    return list(dict.fromkeys(item.place for item in items if item.kind == COLUMN))


def _strange(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.kind == UNKNOWN and item.token.text not in _SAID]


def _best(spoken: Sequence[Spoken]) -> list[Spoken]:
    """Return the tables that have the most of the columns a question names, if none of its words is strange to them."""
    fitting = [pair for pair in spoken if not _strange(pair[1])]
    best = max((_known(items) for _, items in fitting), default=(0, 0))
    return [pair for pair in fitting if _known(pair[1]) == best]


def _known(items: Sequence[Item]) -> tuple[int, int]:
    """Return how many columns a question names, and how few of its words say nothing: `order ids` is one name."""
    return len(_asked(items)), -sum(item.kind == NOTHING for item in items) if _asked(items) else 0


def _missing(spoken: Sequence[Spoken], counting: bool) -> Told:
    chosen = _best(spoken)
    if not chosen or all(one.table.storage == STORAGE for one, _ in chosen):
        return [], []
    chosen = [pair for pair in chosen if pair[0].table.storage != STORAGE]
    rows = []
    for one, items in chosen:
        wanted = [one.columns[place] for place in _asked(items)] or one.columns
        rows += [(one, column) for column in wanted if column.empty or len(wanted) < len(one.columns)]
    looked = f"{plural(len(chosen), 'table')} read: {_names(chosen)}"
    if not any(column.empty for _, column in rows):
        return [f"No column has missing values ({looked})."], [one for one, _ in chosen]
    rows = sorted(rows, key=lambda row: -row[1].empty / max(1, row[1].rows))
    told = ", ".join(
        f"{code(column.name)} {column.empty:,} of {column.rows:,} ({plain(one.table.label)})"
        for one, column in rows[:8]
    )
    more = f" and {len(rows) - 8} more" if len(rows) > 8 else ""
    body = [
        [plain(one.table.label, 60), plain(column.name, 60), f"{column.empty:,}", percent(column.empty, column.rows)]
        for one, column in rows
    ]
    first = f"{plural(sum(column.empty > 0 for _, column in rows), 'column')} with missing values: {told}{more}."
    return [first, "", *markdown(["table", "column", "missing", ""], body, 120), f"\n{looked}."], [
        one for one, _ in chosen
    ]


def _names(chosen: Sequence[Spoken]) -> str:
    names = [plain(one.table.label, 60) for one, _ in chosen]
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


def _duplicates(spoken: Sequence[Spoken], unique: bool) -> Told:
    chosen = [pair for pair in _best(spoken) if pair[0].table.storage != STORAGE]
    lines: list[str] = []
    found: list[tuple[bool, str]] = []
    for one, items in chosen[:MOST]:
        asked = _asked(items)
        places = asked[:1] if asked else [None]
        for place in places:
            name = code(one.columns[place].name) if place is not None else ""
            try:
                rows, again, examples = repeated_rows(one.table, place)
            except UndecidedError as reason:
                found.append((False, f"{plain(one.table.label)}: not known: {reason}"))
                continue
            what = f"repeat an earlier value of {name}" if name else "repeat an earlier row"
            where = f" ({', '.join(examples)}{' …' if again > len(examples) else ''})" if again else ""
            part = f"{again:,} of {plural(rows, 'row')} of {plain(one.table.label)} {what}{where}"
            found.append((again > 0, part))
    if not found:
        return [], []
    found.sort(key=lambda pair: not pair[0])
    words = ("Not unique: ", "Unique: ") if unique else ("Yes: ", "No: ")
    verdict = words[0] if found[0][0] else words[1] if not any("not known" in text for _, text in found) else ""
    lines = [f"{verdict}{'; '.join(text for _, text in found[:6])}."]
    lines += ["", *(f"- {text}" for _, text in found[6:])] if len(found) > 6 else []
    return lines, [one for one, _ in chosen[:MOST]]


def _range(spoken: Sequence[Spoken]) -> Told:
    chosen = _best(spoken)
    lines: list[str] = []
    used: list[Profiled] = []
    for one, items in chosen[:MOST]:
        asked = [one.columns[place] for place in _asked(items)]
        for column in asked or [column for column in one.columns if is_time(column, one.table)]:
            told = _span(one, column)
            if told:
                lines.append(f"{plain(one.table.label)}: {code(column.name)} {told}")
                used.append(one)
    if not lines and chosen:
        return [f"No column that holds dates, or numbers by that name, was found ({_names(chosen)})."], []
    if not lines:
        return [], []
    return ["; ".join(lines[:6]) + ".", "", *(f"- {line}" for line in lines[6:])], used


def _span(one: Profiled, column: Column) -> str:
    if is_measure(column):
        return f"{column.least:,.10g} to {column.most:,.10g} ({column.filled:,} of {column.rows:,} rows)"
    if not is_time(column, one.table):
        return ""
    try:
        moment = moment_of(column)
    except UndecidedError as reason:
        return f"not known: {reason}"
    place = one.table.columns.index(column.name)
    least: Moment | None = None
    most: Moment | None = None
    count = 0
    for batch in one.table.again():
        for cell in batch.columns[place]:
            found = moment(cell)
            if found is not None:
                count += 1
                least = found if least is None or found < least else least
                most = found if most is None or found > most else most
    if least is None or most is None:
        return ""
    return f"{least.text} to {most.text} ({count:,} of {column.rows:,} rows)"


def _correlated(spoken: Sequence[Spoken]) -> Told:
    pairs = [(one, _asked(items)) for one, items in spoken if len(_asked(items)) == 2 and not _strange(items)]
    lines: list[str] = []
    for one, places in pairs[:MOST]:
        first, second = (one.columns[place] for place in places)
        wrong = [column for column in (first, second) if not is_measure(column)]
        if wrong:
            lines.append(
                f"{code(wrong[0].name)} of {plain(one.table.label)} holds {wrong[0].type}, not numbers: no correlation."
            )
            continue
        try:
            found = correlation(one.table, first, second)
        except UndecidedError as reason:
            lines.append(f"No correlation for {plain(one.table.label)}: {reason}")
            continue
        both = f"{code(first.name)} and {code(second.name)} of {plain(one.table.label)}"
        if found is None:
            lines.append(f"{both}: too few rows with both, or one of them never changes.")
            continue
        value, rows = found
        strength = next(word for border, word in _STRENGTH if abs(value) >= border)
        sign = "" if strength == "no" else "negative " if value < 0 else "positive "
        verdict = "No" if strength == "no" else "Yes"
        figure = f"Pearson's r = {round(value, 2) + 0.0:.2f} over {rows:,} of {one.rows:,} rows"
        lines.append(f"{verdict}: {strength} {sign}correlation of {both}: {figure}.")
    return lines, [one for one, _ in pairs[:MOST]] if lines else []


def _joins(spoken: Sequence[Spoken]) -> Told:
    profiles = [one for one, items in spoken if any(item.kind == ROWS for item in items)]
    if len(profiles) < 2:
        profiles = [one for one, _ in spoken]
    profiles = [one for one in profiles if one.table.storage != STORAGE]
    if len(profiles) < 2:
        return [], []
    found = relations(profiles)
    lines = []
    for link in found:
        source, target = code(f"{link.table.name}.{link.column}"), code(f"{link.other.name}.{link.key}")
        fit = (
            f"{len(link.missing):,} of {link.distinct:,} values have no partner"
            if link.missing
            else "every value has a partner"
        )
        lines.append(f"{source} = {target} ({fit}{', declared' if link.declared else ''})")
    names = ", ".join(plain(one.table.label, 60) for one in profiles[:8])
    if lines:
        return [f"Yes: {'; '.join(lines[:4])}.", "", *(f"- {line}" for line in lines[4:40])], profiles
    shared = _shared(profiles)
    if shared:
        same = f"Perhaps, on columns of the same name with common values: {'; '.join(shared[:4])}."
        return [f"{same} None of them is a key of the other."], profiles
    return [f"No column was found that joins them, by declared keys, names and values ({names})."], profiles


def _shared(profiles: Sequence[Profiled]) -> list[str]:
    """Return columns of the same name in two tables that have values in common."""
    found = []
    for place, one in enumerate(profiles):
        for other in profiles[place + 1 :]:
            for mine in one.columns:
                theirs = next((column for column in other.columns if column.name.lower() == mine.name.lower()), None)
                if theirs is not None and mine.exact and theirs.exact:
                    common = mine.counts.keys() & theirs.counts.keys()
                    if common:
                        tables = f"{plain(one.table.label, 60)} and {plain(other.table.label, 60)}"
                        found.append(f"{code(mine.name)} ({len(common):,} common values of {tables})")
    return found


def _tables(profiles: Sequence[Profiled]) -> Told:
    names = [f"{plain(one.table.label, 80)} {plural(one.rows, 'row')}" for one in profiles]
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    body = [
        [plain(one.table.label, 80), f"{one.rows:,}", ", ".join(plain(name, 40) for name in one.table.columns[:30])]
        for one in profiles
    ]
    first = f"{plural(len(names), 'table')}: {', '.join(names[:12])}{more}."
    return [first, "", *markdown(["table", "rows", "columns"], body, 120)], list(profiles)


def _having(spoken: Sequence[Spoken]) -> Told:
    """Say which tables have the columns that are asked for."""
    found: list[tuple[Profiled, list[str]]] = []
    for one, items in spoken:
        named = [
            item for item in items if item.kind in (COLUMN, UNKNOWN, ROWS) and item.token.text not in _SAID | LIGHT
        ]
        if named and all(item.kind == COLUMN or item.options for item in named):
            names = [name for item in named for name in item.options or (one.table.columns[item.place],)]
            found.append((one, list(dict.fromkeys(names))))
    if not found:
        return [], []
    told = [f"{plain(one.table.label, 80)} ({', '.join(map(code, names[:4]))})" for one, names in found]
    more = f" and {len(told) - 12} more" if len(told) > 12 else ""
    return [f"{len(found)} of {plural(len(spoken), 'table')}: {', '.join(told[:12])}{more}."], [one for one, _ in found]


def _columns(profiles: Sequence[Profiled]) -> Told:
    parts = [
        f"{plain(one.table.label, 80)} has {plural(len(one.columns), 'column')}: "
        + ", ".join(f"{plain(column.name, 40)} ({column.type})" for column in one.columns[:40])
        for one in profiles[:MOST]
    ]
    return ["; ".join(parts[:3]) + ".", "", *(f"- {part}" for part in parts[3:])], list(profiles)
