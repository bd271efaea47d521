"""One file's bytes: a form with its blanks filled, what is added to it, and padding up to its size."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing

from plantwin.synth.templates import Form, syntax
from plantwin.synth.values import Values

SIZES = {"small": 0, "medium": 12_000, "large": 1_100_000}
"""Least bytes of each bucket, with room for what padding is cut to."""
ROWS, FEW_ROWS = 24, 8
"""Rows of a table that much can be in, and of one in which little is."""
_MORE = "<<more>>"
_CONFLICT = "<<<<<<< ours\n{0}\n=======\n{0} again\n>>>>>>> theirs\n"


def render(
    form: Form,
    values: Values,
    added: Sequence[tuple[str, int]] = (),
    references: Sequence[str] = (),
    size: str = "small",
    remarks: Sequence[str] = (),
    least: int = 0,
    rows: int = ROWS,
) -> bytes:
    """The bytes of one file. `references` are lines of its syntax, `remarks` become comments, `least` counts lines."""
    if form.table:
        return _table(form, values, dict(added), SIZES[size], rows)
    how = syntax(form.syntax)
    tags = form.snippets
    body = values.fill(form.text)
    if form.syntax == "log":
        body += "".join(values.fill(form.text, number) for number in range(2, 13))
    before = [values.fill(line) for line in references]
    if "comment" in how:
        comment = values.fill(how["comment"])
        for remark in remarks:
            # `apiVersion` of Kubernetes is a setting, not a remark.
            setting = form.syntax == "yaml" and ": " in remark
            if "setting" in how and remark.startswith("part "):
                before.append(values.fill(how["setting"]))
                continue
            before.append(remark if setting else comment.replace(values.fill("<<noun>> note 1"), remark))
    after = []
    for name, times in added:
        if snippet := tags.get(name, "").lstrip("\n"):
            after += [values.fill(snippet, number).rstrip("\n") for number in range(1, times + 1)]
    lines = body.count("\n") + len(before) + sum(text.count("\n") + 1 for text in after)
    if "comment" in how and 5 <= lines < least:
        after += [values.fill(how["comment"], 50 + count) for count in range(least - lines)]
    padding = form.text.rstrip("\n") if form.syntax == "log" else how.get("comment", "")
    if padding and (missing := SIZES[size] - len(body) - sum(map(len, after))) > 0:
        after += _padding(padding, values, missing)
    return _joined(form, body, before, after).encode()


def _padding(line: str, values: Values, least: int) -> list[str]:
    """So many lines that say nothing."""
    first = values.fill(line, 100)
    number = least // (len(first) + 1) + 1
    return [first, *(values.fill(line, 100 + count) for count in range(1, number))]


def _joined(form: Form, body: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Body and additions, where the form says, else references first in code and last in text."""
    if _MORE in body:
        start, _, end = body.partition(_MORE)
        indent = start[len(start.rstrip(" ")) :]
        lines = "\n".join([*before, *after]).replace("\n", "\n" + indent)
        return start.rstrip(" ") + (indent + lines if lines else "") + end if lines else start.rstrip() + end
    if form.syntax == "json" and body.startswith("{"):
        lines = "".join(f"  {line}\n" for line in (*before, *after))
        return "{\n" + lines + body.removeprefix("{").removeprefix("\n")
    if form.syntax in ("python", "javascript", "typescript", "jsx"):
        return "".join(f"{line}\n" for line in before) + body + ("\n" + "\n".join(after) + "\n" if after else "")
    if form.syntax == "go" and before:
        package, _, rest = body.partition("\n")
        body, before = "\n".join([package, "", *before, rest]), ()
    extra = [*after, *before]
    gap = "\n" if form.syntax in ("markdown", "rst", "text") else ""
    return body + "".join(f"{gap}{line}\n" for line in extra)


def _table(form: Form, values: Values, added: dict[str, int], least: int, rows: int) -> bytes:
    """Rows and columns: each addition is a column."""
    header, _, line = form.text.strip().partition("\n")
    names, cells = header.split(","), line.split(",")
    for name in added:
        column, _, cell = form.snippets.get(name, "").partition("=")
        if cell and column not in names:
            names.append(column)
            cells.append(cell)
    heads = [values.fill(name) for name in names]
    width = len(",".join(values.fill(cell, 1000) for cell in cells))
    number = max(rows, least // width + 1) if least else rows
    lines = [[values.fill(cell, count) for cell in cells] for count in range(1, number + 1)]
    if added.get("null_values", 0) > 1:
        place = next(at for at, cell in enumerate(cells) if "maybe" in cell)
        for row in lines[::2]:
            row[place] = ""
    if "duplicates" in added:
        lines += [lines[0]] * added["duplicates"]
    if form.syntax == "sqlite":
        return _database(heads, lines, values, added)
    if form.syntax == "jsonl":
        return "".join(json.dumps(dict(zip(heads, row, strict=True))) + "\n" for row in lines).encode()
    return "".join(",".join(row) + "\n" for row in [heads, *lines]).encode()


def _database(heads: Sequence[str], rows: Sequence[Sequence[str]], values: Values, added: Collection[str]) -> bytes:
    """The same as a table of a SQLite database."""
    columns = ", ".join(f'"{head}" TEXT' for head in heads)
    if "foreign_keys" in added:
        columns += values.fill(" REFERENCES <<noun>>_other(id)")
    blanks = ", ".join("?" * len(heads))
    with closing(sqlite3.connect(":memory:")) as connection:
        table = values.fill("<<table>>")
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        rows = [[cell or None for cell in row] for row in rows]  # type: ignore[misc]
        connection.executemany(f'INSERT INTO "{table}" VALUES ({blanks})', rows)  # noqa: S608 - made-up words
        if "indexes" in added:
            connection.execute(f'CREATE INDEX "{table}_index" ON "{table}" ("{heads[0]}")')
        connection.commit()
        return connection.serialize()


def spoiled(data: bytes, cause: str, noun: str) -> bytes:
    """The same bytes with the defect that is told of them."""
    if cause == "empty":
        return b""
    if cause == "missing_secret":
        return data + f"{noun.upper()}_SECRET=CHANGE_ME\n".encode()
    if cause == "merge_conflict":
        return data + _CONFLICT.format(noun).encode()
    if cause == "parse_error":
        return data + b"\n{{{ [ <<\n"
    if cause == "unreadable":
        return bytes(255 - byte if byte < 128 else byte for byte in data * (1 + 400 // max(1, len(data))))
    return data
