"""A copy of an SQLite file with every identifying column replaced, valid under the schema that it keeps."""

from __future__ import annotations

import csv
import io
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from plantwin.errors import InputError
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.identifying import MISSING, Identifying, identifying
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.second_look import Left, left
from plantwin.private.detect.spread import Spread, telling
from plantwin.private.facts import Private

SAMPLE = 2_000
FIRST_NUMBER = 1_000_000_000
"""Numbers that stand for hidden numbers begin here."""
Value = str | bytes | int | float | None


class Table(NamedTuple):
    """A table that rows can be written to."""

    name: str
    columns: tuple[str, ...]
    virtual: bool


class Databases(Private):
    """Copies databases; a value has the same placeholder in every table."""

    def __init__(self, detector: Detector, redaction: Redaction) -> None:
        self._detector = detector
        self._redaction = redaction
        self._numbers: dict[Value, int] = {}
        self._standing: set[tuple[str, str]] = set()
        """Columns that hold stand-ins which look like values, since a constraint wants that."""
        self.counts: Counter[str] = Counter()

    def copy(self, source: Path, target: Path) -> Left:
        """Write the copy to a new file; `InputError` where no valid copy can be made."""
        if source.with_name(f"{source.name}-wal").exists() and source.with_name(f"{source.name}-wal").stat().st_size:
            raise InputError(
                "the database has changes in its -wal file: close it, or run `PRAGMA wal_checkpoint(TRUNCATE)`"
            )
        work = target.with_name(f"{target.name}.work")
        try:
            with closing(sqlite3.connect(work, isolation_level=None)) as copy:
                with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as original:
                    original.backup(copy)
                found = self._redact(copy)
                copy.execute("VACUUM INTO ?", (str(target),))
            return found
        except sqlite3.Error as error:
            raise InputError(f"the database cannot be copied: {type(error).__name__}") from None
        finally:
            work.unlink(missing_ok=True)

    def _redact(self, copy: sqlite3.Connection) -> Left:
        copy.execute("PRAGMA trusted_schema=OFF")
        copy.execute("PRAGMA foreign_keys=OFF")
        copy.execute("PRAGMA journal_mode=MEMORY")
        before = len(copy.execute("PRAGMA foreign_key_check").fetchall())
        triggers = copy.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            copy.execute(f"DROP TRIGGER {_quoted(name)}")
        found = _tables(copy)
        chosen = self._chosen(copy, found)
        for (table, column), type_ in chosen.items():
            self._replace(copy, table, column, type_)
        self._texts(copy, found, chosen)
        spread = Spread(self._redaction, alias=True)
        _update(copy, found, chosen, lambda value: b"".join(spread.run([value.encode()])).decode("utf-8", "replace"))
        for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'").fetchall():
            copy.execute(f"DELETE FROM {_quoted(name)}")  # noqa: S608  # samples of values
        for _, sql in triggers:
            copy.execute(sql)
        for held in found:
            if held.virtual:
                _rebuild(copy, held.name)
        sound = copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not sound or len(copy.execute("PRAGMA foreign_key_check").fetchall()) > before:
            raise InputError("no valid copy of the database can be made: its constraints contradict placeholders")
        return self._left(copy, found, spread)

    def _chosen(self, copy: sqlite3.Connection, found: list[Table]) -> dict[tuple[str, str], Identifying]:
        """The identifying columns, and those that refer to them."""
        chosen: dict[tuple[str, str], Identifying] = {}
        links: list[tuple[tuple[str, str], tuple[str, str]]] = []
        for table in found:
            names = ", ".join(map(_quoted, table.columns))
            sample = copy.execute(f"SELECT {names} FROM {_quoted(table.name)} LIMIT {SAMPLE}").fetchall()  # noqa: S608
            values = [(name, [_text(row[at]) for row in sample]) for at, name in enumerate(table.columns)]
            for name, kind in zip(table.columns, identifying(values), strict=True):
                if kind is not None:
                    chosen[table.name, name] = kind
            for _, _, other, column, referred, *_ in copy.execute(f"PRAGMA foreign_key_list({_quoted(table.name)})"):
                if referred:
                    links.append(((table.name, column), (other, referred)))
        for _ in links:
            for one, other in links:
                if (one in chosen) != (other in chosen):
                    kind = chosen.get(one) or chosen[other]
                    chosen.setdefault(one, kind)
                    chosen.setdefault(other, kind)
        return chosen

    def _replace(self, copy: sqlite3.Connection, table: str, column: str, kind: Identifying) -> None:
        """Replace a column's values: by placeholders, else in the shape of the value, else by nothing or one value."""
        for way in (self._placeholder, self._shaped, self._nothing, self._constant(copy, table, column)):
            changed = 0

            def replaced(value: Value, way: Callable[[Value, str], Value] = way) -> Value:
                nonlocal changed
                if value is None or _text(value).strip().lower() in MISSING:
                    return value
                changed += 1
                return way(value, kind.type)

            copy.create_function("redacted", 1, replaced)
            try:
                copy.execute("SAVEPOINT column")
                copy.execute(f"UPDATE {_quoted(table)} SET {_quoted(column)} = redacted({_quoted(column)})")  # noqa: S608
                copy.execute("RELEASE column")
            except sqlite3.IntegrityError:
                copy.execute("ROLLBACK TO column")
                copy.execute("RELEASE column")
                continue
            self.counts[kind.type] += changed
            if way != self._placeholder:
                self._standing.add((table, column))
            return
        raise InputError(
            f"a constraint on `{table}.{column}` allows no placeholder: export the table as CSV and redact that"
        )

    def _placeholder(self, value: Value, type_: str) -> Value:
        if isinstance(value, int | float):
            return self._number(value)
        raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
        self._redaction.sure.add(raw)
        mark = self._redaction.placeholder(type_.upper(), raw)
        return mark.encode() if isinstance(value, bytes) else mark

    def _number(self, value: Value) -> int | float:
        new = self._numbers.setdefault(value, FIRST_NUMBER + len(self._numbers))
        return float(new) if isinstance(value, float) else new

    def _shaped(self, value: Value, type_: str) -> Value:
        """Digits for digits and letters for letters, different for different values."""
        number = str(int(self._number(value)))[1:]
        if isinstance(value, int | float):
            return type(value)(float(number))
        text = _text(value)
        digits = sum(character.isdigit() for character in text)
        supply = iter(number[-digits:].rjust(digits, "0")) if digits else iter(())
        letters = iter(number[::-1])
        shaped = re.sub(r"\d", lambda _: next(supply, "0"), text)
        return re.sub(r"[^\W\d_]", lambda _: chr(97 + int(next(letters, "0"))), shaped)

    @staticmethod
    def _nothing(value: Value, type_: str) -> Value:
        return None

    @staticmethod
    def _constant(copy: sqlite3.Connection, table: str, column: str) -> Callable[[Value, str], Value]:
        """The most frequent of the values that the schema itself spells out: any other is somebody's own."""
        schema = "".join(row[0] or "" for row in copy.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)))
        query = f"SELECT {_quoted(column)} FROM {_quoted(table)} GROUP BY 1 ORDER BY count(*) DESC"  # noqa: S608
        values = (row[0] for row in copy.execute(query))
        public: Value = next((value for value in values if isinstance(value, str) and f"'{value}'" in schema), None)
        return lambda _value, _type: public

    def _texts(self, copy: sqlite3.Connection, found: list[Table], chosen: dict[tuple[str, str], Identifying]) -> None:
        """Replace what the detector finds in all other cells."""

        def replaced(value: str) -> str:
            data = value.encode("utf-8", "surrogateescape")
            out, place = [], 0
            for detected in self._detector.scan(data, path="cell.md"):
                if not telling(detected):
                    continue
                self._redaction.sure.add(data[detected.start : detected.end])
                self.counts[detected.type] += 1
                out += [
                    data[place : detected.start],
                    self._redaction.placeholder(detected.type.upper(), data[detected.start : detected.end]).encode(),
                ]
                place = detected.end
            return b"".join((*out, data[place:])).decode("utf-8", "surrogateescape")

        _update(copy, found, chosen, replaced)

    def _left(self, copy: sqlite3.Connection, found: list[Table], spread: Spread) -> Left:
        """Look at the schema and at every table of the copy again."""
        sure = 0
        unsure: dict[str, list[int]] = {}
        surrogates = set(self._numbers.values())
        schema = "\n".join(row[0] for row in copy.execute("SELECT sql FROM sqlite_master") if row[0])
        sure += left(self._detector, [schema.encode()], "schema.md", spread.ordinary, lambda *_: True).sure
        for table in (*found, *_tables(copy, shadows=True)):
            columns = tuple(name for name in table.columns if (table.name, name) not in self._standing)
            if not columns:
                continue
            rows = copy.execute(f"SELECT {', '.join(map(_quoted, columns))} FROM {_quoted(table.name)}")  # noqa: S608
            seen = left(self._detector, _csv(columns, rows, surrogates), "table.csv", spread.ordinary, lambda *_: True)
            sure += seen.sure
            for what, lines in seen.unsure.items():
                unsure.setdefault(f"{what} in `{table.name}`", []).extend(lines)
        return Left(sure, unsure)


def _tables(copy: sqlite3.Connection, *, shadows: bool = False) -> list[Table]:
    """Every table that is no view, no shadow of a virtual table and none of SQLite's own; or the shadows with texts."""
    found = []
    for schema, name, kind, *_ in copy.execute("PRAGMA table_list").fetchall():
        wanted = kind == "shadow" and name.endswith("_content") if shadows else kind in ("table", "virtual")
        if schema == "main" and wanted and not name.startswith("sqlite_"):
            # 2 and 3 are generated, 1 is hidden: these follow from the others.
            columns = [row[1] for row in copy.execute(f"PRAGMA table_xinfo({_quoted(name)})") if row[6] == 0]
            found.append(Table(name, tuple(columns), kind == "virtual"))
    return found


def _update(
    copy: sqlite3.Connection,
    found: list[Table],
    chosen: dict[tuple[str, str], Identifying],
    change: Callable[[str], str],
) -> None:
    """Change the texts of all columns that are not replaced as a whole; what a constraint forbids stays."""
    copy.create_function("changed", 1, lambda value: change(value) if isinstance(value, str) else value)
    for table in found:
        for column in table.columns:
            if (table.name, column) in chosen:
                continue
            name = _quoted(column)
            try:
                update = f"UPDATE {_quoted(table.name)} SET {name} = changed({name})"  # noqa: S608
                copy.execute(f"{update} WHERE typeof({name}) = 'text' AND length({name}) > 5")
            except sqlite3.IntegrityError:
                continue


def _rebuild(copy: sqlite3.Connection, name: str) -> None:
    """Make the index of a full-text table anew; `InputError` where it holds words of texts that are not there."""
    try:
        copy.execute(f"INSERT INTO {_quoted(name)} ({_quoted(name)}) VALUES ('rebuild')")  # noqa: S608
    except sqlite3.Error:
        (made,) = copy.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        if re.search(r"(?i)\busing\s+\W?fts\d", made):
            raise InputError(f"the full-text index `{name}` holds words and not their texts: drop it first") from None


def _csv(columns: tuple[str, ...], rows: sqlite3.Cursor, surrogates: set[int]) -> Iterator[bytes]:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    for row in rows:
        writer.writerow(
            ["<NUMBER_1>" if isinstance(cell, int | float) and cell in surrogates else _text(cell) for cell in row]
        )
        if out.tell() > 1 << 20:
            yield out.getvalue().encode("utf-8", "replace")
            out.seek(0)
            out.truncate()
    yield out.getvalue().encode("utf-8", "replace")


def _text(value: Value) -> str:
    return "" if value is None else value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
