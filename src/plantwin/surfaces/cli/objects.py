"""`plantwin objects`: the local view of every object, with its real name. Never sent."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.surfaces.cli.arguments import add_folder, add_json, name, number, words
from plantwin.surfaces.cli.output import colourful, note, write_json_list
from plantwin.surfaces.cli.sessions import observation
from plantwin.surfaces.render.text import GAP, cut, path_fields, plural, printable, well_formed, width_of

if TYPE_CHECKING:
    from plantwin.private.facts import Record

EXAMPLE = "plantwin objects ~/projects/shop --sensitivity high --path '*.env'"
PAGED = True
FILTERS = {
    "kind": "Kind",
    "class": "SemanticClass",
    "family": "Family",
    "sensitivity": "Sensitivity",
    "confidence": "Confidence",
}
"""Options that filter, each with the vocabulary of its words."""
FIELD = {"class": "semantic_class"}
"""Where an option is shorter than the field it filters."""

FACETS = ("age", "environment", "provider", "ecosystem", "dialect")
"""Fields of one word that an object may have none of."""
MEASURED = 500
"""Rows that decide the widths of columns; later ones are fitted to them."""
COLOURS: dict[str, str] = {
    "code_file": "34",
    "log_stream": "36",
    "structured_record": "32",
    "config": "33",
    "secret_container": "31",
    "document": "35",
    "high": "1",
    "restricted": "33",
}


def columns(text: str) -> tuple[str, ...]:
    """The value of `--columns`."""
    names = tuple(text.split(","))
    if unknown := [name for name in names if name not in COLUMNS]:
        raise argparse.ArgumentTypeError(f"no column {unknown[0]!r}; there are {', '.join(COLUMNS)}")
    return names


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_json(parser, "print one JSON document, an object to a line")
    for option in FILTERS:
        parser.add_argument(f"--{option}", action="append", metavar="WORD", help=f"only this {option} (repeatable)")
    parser.add_argument("--path", action="append", metavar="GLOB", help="only paths that match; * crosses folders")
    parser.add_argument("--limit", type=number, metavar="N", help="at most N objects")
    parser.add_argument(
        "--columns", type=columns, metavar="NAMES", help="only these columns, by name, separated by commas"
    )
    parser.add_argument("--wide", action="store_true", help="print every column in full, whatever the terminal's width")


def run(options: argparse.Namespace) -> int:
    """List the objects that pass the filters."""
    chosen = Selection(options)
    with observation(options) as (_, scan):
        found = islice(filter(chosen, scan.records()), options.limit)
        if options.json:
            root = path_fields(options.root, "root")
            write_json_list("objects", {**root, "sent": False}, "objects", map(members, found))
        else:
            _show(found, options.columns, options.wide)
    return 0


class Selection:
    """Whether an object passes the filters; several words of one filter are alternatives."""

    def __init__(self, options: argparse.Namespace) -> None:
        import re

        from plantwin import vocabulary

        self._words = {
            FIELD.get(option, option): chosen
            for option, terms in FILTERS.items()
            if (chosen := words(getattr(options, option), getattr(vocabulary, terms)))
        }
        self._paths = [re.compile(translate(glob)) for glob in options.path or ()]

    def __call__(self, record: Record) -> bool:
        if any(getattr(record, field) not in chosen for field, chosen in self._words.items()):
            return False
        return not self._paths or any(path.match(record.path) for path in self._paths)


def members(record: Record) -> dict[str, Any]:
    """One object as JSON members."""
    return {
        "number": record.number,
        **path_fields(record.path),
        "part": well_formed(record.part),
        "kind": record.kind,
        "semantic_class": record.semantic_class,
        "family": record.family,
        "role": record.role,
        "sensitivity": record.sensitivity,
        "sensitivity_causes": list(record.sensitivity_causes),
        "freshness": record.freshness,
        **{field: getattr(record, field) or None for field in FACETS},
        "size_bucket": record.size_bucket,
        "contains": [{"tag": tag, "amount": amount} for tag, amount in record.contains],
        "usable_for": list(record.usable_for),
        "lacks": list(record.lacks),
        "readiness": record.readiness,
        "readiness_cause": record.readiness_cause or None,
        "confidence": record.confidence,
        "component": well_formed(record.component) or None,
        "why": [well_formed(reason) for reason in record.why],
        "warnings": [well_formed(warning) for warning in record.warnings],
    }


class Column(NamedTuple):
    """A column: its heading, its narrowest and widest form, and how soon it gives way (0: never)."""

    name: str
    least: int = 0
    most: int = 40
    rank: int = 0
    keep: str = "start"
    coloured: bool = False
    cell: Callable[[Record], str] | None = None
    """What it shows of an object, where that is not simply the field of its name."""

    def of(self, record: Record) -> str:
        """What it shows of an object."""
        return self.cell(record) if self.cell else getattr(record, self.name) or "-"


COLUMNS = {
    column.name: column
    for column in (
        Column("path", least=16, most=60, keep="end", cell=lambda record: printable(name(record))),
        Column("kind", most=17, rank=1, coloured=True),
        Column("semantic_class", most=24),
        Column("family", most=16, rank=5),
        Column("sensitivity", most=11, coloured=True),
        Column("age", most=6, rank=3),
        *(Column(field, most=12, rank=7) for field in FACETS[1:]),
        Column("freshness", most=9, rank=5),
        Column("size_bucket", most=11, rank=3),
        Column("contains", least=14, most=60, rank=4, cell=lambda record: _listed(tag for tag, _ in record.contains)),
        Column("usable_for", least=14, most=60, rank=6, cell=lambda record: _listed(record.usable_for)),
        Column("confidence", most=10, rank=1, coloured=True),
        Column("why", least=14, most=80, rank=2, cell=lambda record: _reasons(record)),
    )
}
"""What a line shows, in this order unless others are asked for."""


def _listed(words: Iterable[str]) -> str:
    return ",".join(words) or "-"


def _reasons(record: Record) -> str:
    return printable("; ".join((*record.why, *record.warnings))) or "-"


def write_lines(columns: Sequence[Column], rows: Iterable[Sequence[str]], wide: bool) -> tuple[int, list[str]]:
    """Print the rows, already escaped; return how many, and the columns that found no room."""
    stream = iter(rows)
    first = list(islice(stream, MEASURED))
    if not first:
        return 0, []
    terminal = sys.stdout.isatty()
    natural = [
        max(len(column.name), *map(width_of, cells))
        for column, cells in zip(columns, zip(*first, strict=True), strict=True)
    ]
    whole = wide or not terminal
    widths: list[int | None] = [*natural] if whole else [*fit(columns, natural, shutil.get_terminal_size().columns)]
    colour = colourful()
    heading = _line(columns, [column.name for column in columns], widths, whole, False)
    sys.stdout.write(f"\x1b[1m{heading}\x1b[0m\n" if colour else f"{heading}\n")
    shown = 0
    for row in chain(first, stream):
        sys.stdout.write(_line(columns, row, widths, whole, colour) + "\n")
        shown += 1
    return shown, [column.name for column, width in zip(columns, widths, strict=True) if width is None]


def fit(columns: Sequence[Column], natural: Sequence[int], room: int) -> list[int | None]:
    """Widths that fit the room: long columns shrink first, then those of the highest rank disappear."""
    widths: list[int | None] = [
        min(width, max(column.most, len(column.name))) for column, width in zip(columns, natural, strict=True)
    ]
    floor = [max(column.least, len(column.name)) if column.least else 0 for column in columns]
    order = sorted((index for index, column in enumerate(columns) if column.rank), key=lambda i: -columns[i].rank)
    for dropped in [None, *order]:
        if dropped is not None:
            widths[dropped] = None
        tight = [
            width if width is None or not least else min(width, least)
            for width, least in zip(widths, floor, strict=True)
        ]
        if _total(tight) <= room:
            return _widen(tight, widths, room - _total(tight))
    return tight


def _widen(tight: list[int | None], wanted: Sequence[int | None], spare: int) -> list[int | None]:
    """Give spare room to the columns that want it, from the left."""
    for index, (have, want) in enumerate(zip(tight, wanted, strict=True)):
        if have is not None and want is not None and have < want:
            extra = min(spare, want - have)
            tight[index] = have + extra
            spare -= extra
    return tight


def _total(widths: Iterable[int | None]) -> int:
    present = [width for width in widths if width is not None]
    return sum(present) + len(GAP) * (len(present) - 1)


def _line(
    columns: Sequence[Column], row: Sequence[str], widths: Sequence[int | None], whole: bool, colour: bool
) -> str:
    return GAP.join(_cells(columns, row, widths, whole, colour)).rstrip()


def _cells(
    columns: Sequence[Column], row: Sequence[str], widths: Sequence[int | None], whole: bool, colour: bool
) -> Iterator[str]:
    for column, cell, width in zip(columns, row, widths, strict=True):
        if width is None:
            continue
        text = cell if whole else cut(cell, width, column.keep)
        padding = " " * max(0, width - width_of(text))
        code = COLOURS.get(cell) if colour and column.coloured else None
        yield f"\x1b[{code}m{text}\x1b[0m{padding}" if code else text + padding


def _show(records: Iterable[Record], chosen: tuple[str, ...] | None, wide: bool) -> None:
    shown_columns = [COLUMNS[column] for column in chosen or COLUMNS]
    rows = ([column.of(record) for column in shown_columns] for record in records)
    shown, hidden = write_lines(shown_columns, rows, wide)
    note(f"{plural(shown, 'object')}. Local view: never sent.")
    if hidden:
        note(f"Columns left out, since the terminal is too narrow: {', '.join(hidden)}. --wide or --json shows all.")
