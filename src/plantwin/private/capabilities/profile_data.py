"""A profile of every table: one row per column, small plots, keys and relations."""

from __future__ import annotations

from itertools import combinations

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.capabilities.engine.report import code, failed, plain, told
from plantwin.private.capabilities.engine.results import table as markdown
from plantwin.private.capabilities.tables.cells import EMPTY, TIME, shown_moment
from plantwin.private.capabilities.tables.column import Column
from plantwin.private.capabilities.tables.profiled import Profiled, Relation, profiled, relations, state_of
from plantwin.private.capabilities.tables.statistics import bar, histogram, number, percent, spark
from plantwin.private.capabilities.tables.table import READ
from plantwin.vocabulary import OutcomeTag

TITLE = "Profile of data"
LISTED = 120
"""Columns of one table in the report."""
BINS = 16
QUANTILES = 20
"""Equal shares whose borders the facts tell."""
PAIRS = 12
"""Columns out of which pairs are tried as keys."""
PAIRED_ROWS = 200_000
_FAMILY = {"integer": "number", "date": "timestamp"}


def run(job: Job) -> Result:
    """Profile the tables of a job's inputs."""
    profiles, problems = profiled(job)
    if not profiles:
        return failed(TITLE, " ".join(problems) or "There is no data.", [OutcomeTag.UNPARSABLE])
    lines = [f"{plain(problem, 300)}\n" for problem in problems]
    for table in profiles:
        lines += _section(table)
    links = relations(profiles)
    lines += ["## Relations", "", *map(_relation, links)] if links else []
    columns = [(table, column) for table in profiles for column in table.columns]
    state = state_of(profiles, problems)
    groups = {group for table in profiles for group, _ in table.shown.hidden.values()}
    tags = state + ([OutcomeTag.PERSONAL_DATA] if "personal" in groups else [])
    tags += [OutcomeTag.MISSING_VALUES] if any(column.empty for _, column in columns) else []
    tags += [OutcomeTag.MIXED_TYPES] if any(_strays(column) for _, column in columns) else []
    return Result(
        outcome=told(sum((bool(_remarks(table, column)) for table, column in columns)), tags, partial=state),
        title=TITLE,
        facts={
            "tool": "profile",
            "examined": [given.label for given in job.inputs],
            "affected": [
                table.table.label for table in profiles if any(_remarks(table, column) for column in table.columns)
            ],
            "tables": {table.table.label: _facts(table) for table in profiles},
        },
        text="\n".join(lines).strip() + "\n",
    )


def _relation(link: Relation) -> str:
    source, target = code(f"{link.table.name}.{link.column}"), code(f"{link.other.name}.{link.key}")
    broken = f"{len(link.missing)} of {link.distinct} values are not there."
    return f"- {source} → {target}: {broken if link.missing else 'every value is there.'}"


def _section(profile: Profiled) -> list[str]:
    table, columns = profile.table, profile.columns
    lines = [
        f"## {plain(table.label)}",
        "",
        f"{profile.rows} rows, {len(columns)} columns; {plain(table.storage)}.",
        "",
    ]
    if table.truncated:
        lines += [f"Not all of it was read: at most {READ >> 20} MiB are.", ""]
    if table.flaws:
        lines += [f"{len(table.flaws)} rows or places are flawed: check the data's quality.", ""]
    rows = [
        [
            plain(column.name, 60),
            _type(profile, column),
            percent(column.empty, column.rows),
            f"{'' if column.exact else 'approx. '}{column.distinct}",
            _values(profile, column),
            _plot(column),
        ]
        for column in columns
    ]
    lines += markdown(["column", "type", "empty", "distinct", "values", ""], rows, LISTED)
    keys = [" + ".join(map(code, key)) for key in _keys(profile)]
    lines.append(
        f"Key candidates: {', '.join(keys)}." if keys else "No column or pair of columns is known to be a key."
    )
    remarks = [f"- {code(column.name)}: {remark}" for column in columns for remark in _remarks(profile, column)]
    return [*lines, "", *remarks[:LISTED], ""]


def _type(profile: Profiled, column: Column) -> str:
    declared = profile.table.declared.get(column.name, "").lower()
    words = [column.type + (" (category)" if column.category else "")]
    words += [plain(declared, 30)] if declared not in ("", column.type) else []
    if column.name in profile.shown.hidden:
        words.append(profile.shown.hidden[column.name][1].replace("_", " "))
    return ", ".join(words)


def _measured(column: Column) -> bool:
    return bool(column.numbers) and (column.numeric or column.dated)


def _values(profile: Profiled, column: Column) -> str:
    if not column.filled:
        return ""
    if _measured(column) and column.name not in profile.shown.hidden:
        borders = column.quantiles(4)
        if column.dated:
            low, _, middle, _, high = (shown_moment(border, column.type == TIME) for border in borders)
            return f"{low} to {high}, median {middle}"
        low, first, middle, third, high = map(number, borders)
        return f"{low} to {high}; quartiles {first}, {middle}, {third}"
    frequent = column.top(5 if column.category else 3)
    if column.distinct > 5 and frequent[0][1] == 1:
        frequent = frequent[:2]
    shown = [
        code(profile.shown.value(column.name, cell), 40) + (f" {percent(times, column.filled)}" if times > 1 else "")
        for cell, times in frequent
    ]
    lengths = f"; {column.shortest} to {column.longest} characters" if column.longest and not column.category else ""
    return ", ".join(shown) + lengths


def _plot(column: Column) -> str:
    if _measured(column) and column.distinct > 2:
        return f"`{spark(histogram(column.numbers, column.least, column.most, BINS))}`"
    if column.category and column.counts:
        return f"`{spark([times for _, times in column.top(BINS)])}`"
    return f"`{bar(column.filled / column.rows, 8)}`" if column.rows and column.empty else ""


def _strays(column: Column) -> str:
    """Return the values of another type than nearly all, counted by type."""
    own = _FAMILY.get(column.type, column.type)
    others = {kind: times for kind, times in column.kinds.items() if kind != EMPTY and _FAMILY.get(kind, kind) != own}
    if own == "text" and sum(others.values()) < 0.2 * column.filled:
        return ""  # texts may look like anything
    return ", ".join(f"{times} {kind}" for kind, times in sorted(others.items(), key=lambda item: -item[1]))


def _remarks(profile: Profiled, column: Column) -> list[str]:
    found = []
    if column.rows and not column.filled:
        found.append("always empty")
    elif column.exact and column.distinct == 1 and column.rows > 2:
        found.append("one value" + (" or empty" if column.empty else ""))
    strays = _strays(column)
    if strays:
        found.append(f"mixed types: mostly {column.type}, also {strays}")
    if column.notes["leading zero"]:
        found.append("digits with leading zeros: codes, not numbers")
    if column.bad_dates:
        found.append(f"{column.bad_dates} dates that no calendar has")
    if column.broken:
        found.append(f"{column.broken} values with broken characters")
    if column.name in profile.shown.hidden:
        group, type_ = profile.shown.hidden[column.name]
        kind = "personal data" if group == "personal" else "secrets"
        found.append(f"{kind} ({type_.replace('_', ' ')}): values are masked here")
    return found


def _keys(profile: Profiled) -> list[tuple[str, ...]]:
    """Return columns, or else pairs of columns, whose values are unique."""
    columns = profile.columns
    single = [column.name for column in columns if column.unique and column.type not in ("number", "nested")]
    if single or not 2 <= profile.rows <= PAIRED_ROWS:
        return [(name,) for name in sorted(single, key=lambda name: not name.lower().endswith("id"))[:6]]
    places = [
        place
        for place, column in enumerate(columns)
        if not column.empty and column.distinct**2 >= profile.rows and column.type != "number"
    ]
    places.sort(key=lambda place: -columns[place].distinct)
    seen: dict[tuple[int, int], set[int]] = {pair: set() for pair in list(combinations(places[:PAIRS], 2))[:15]}
    rows = 0
    for batch in profile.table.again() if seen else ():
        rows += len(batch.lines)
        for (first, second), held in seen.items():
            held.update(map(hash, zip(batch.columns[first], batch.columns[second], strict=True)))
    unique = [pair for pair, held in seen.items() if len(held) == rows]
    return [(columns[first].name, columns[second].name) for first, second in unique[:3]]


def _facts(profile: Profiled) -> dict[str, object]:
    columns: dict[str, object] = {}
    for column in profile.columns:
        stated: dict[str, object] = {
            "type": column.type,
            "empty": column.empty,
            "distinct": column.distinct,
            "exact": column.exact,
        }
        if column.name in profile.shown.hidden:
            stated["sensitive"] = profile.shown.hidden[column.name][1]
        elif _measured(column):
            stated |= {"quantiles": column.quantiles(QUANTILES), "mean": column.total / max(1, column.filled)}
        elif column.category:
            stated["top"] = {profile.shown.value(column.name, cell): times for cell, times in column.top(50)}
        columns[column.name] = stated
    return {"rows": profile.rows, "columns": columns}
