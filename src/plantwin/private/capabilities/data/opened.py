"""From an input to its tables."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.private.capabilities.data.table import READ, Table
from plantwin.private.capabilities.job import Input
from plantwin.private.extract.content import binary
from plantwin.private.extract.identify import identify


class Opened(NamedTuple):
    """The tables of an input, or why there are none."""

    tables: list[Table]
    problem: str = ""

    def __repr__(self) -> str:
        return "<Opened private>"


def tables_of(given: Input) -> Opened:
    """The tables of one object."""
    try:
        return _opened(given)
    except OSError:
        return Opened([], f"{given.label} cannot be read.")


def _opened(given: Input) -> Opened:
    from plantwin.private.capabilities.data import relational, separated

    head = given.read(1 << 16)
    if not head:
        return Opened([], f"{given.label} is empty.")
    format = identify(given.name, head)
    if given.part or format == "sqlite" or head.startswith(b"SQLite format 3\0"):
        found = relational.database(given)
        return Opened(found, "" if found else f"{given.label} is no readable database, or has no such table.")
    if format == "columnar" or head[:4] == b"PAR1" or head[:6] == b"ARROW1":
        arrow = relational.columnar(given)
        if arrow is None:
            return Opened(
                [], f"{given.label} is a columnar file that cannot be read here; the extra `data` brings a reader."
            )
        return Opened(arrow)
    if (b"\0" in head[:4096] or binary(head[:4096])) and not separated.encoding_of(head)[0].startswith("utf-16"):
        return Opened([], f"{given.label} is not text and no known table.")
    data = given.read(READ)
    cut = given.size > len(data)
    if cut:
        data = data[: data.rfind(b"\n") + 1] or data
    if format in ("json", "jsonl", "notebook", "lock") or head.lstrip()[:1] in (b"{", b"["):
        return _records(given, data, cut, format)
    if format == "sql" or given.name.lower().endswith((".sql", ".dump")):
        from plantwin.private.capabilities.data.dump import dump

        found = dump(given, data.decode(separated.encoding_of(data)[0], "replace"), cut)
        return Opened(found, "" if found else f"{given.label} holds no rows.")
    if format in ("yaml", "toml"):
        return _tree(given, data, cut, format)
    table = separated.separated(given, data, cut)
    if format not in ("csv", "tsv") and len(table.columns) < 2:
        return Opened([], f"{given.label} is no table: no separator gives its lines the same number of cells.")
    return Opened([table])


def _records(given: Input, data: bytes, cut: bool, format: str) -> Opened:
    from plantwin.private.capabilities.data import records, separated

    text = data.decode(separated.encoding_of(data)[0], "replace").lstrip("\ufeff")
    if format != "jsonl":
        found = records.json_tables(given, text, cut)
        if found and (format != "log" or found[0].columns):
            return Opened(found)
    table = records.json_lines(given, text, cut)
    return Opened([table], "") if table.columns else Opened([], f"{given.label} is no JSON that parses.")


def _tree(given: Input, data: bytes, cut: bool, format: str) -> Opened:
    """Settings that hold lists of records."""
    import msgspec

    from plantwin.private.capabilities.data import records

    text = data[: 4 << 20].decode("utf-8", "replace")
    if format == "yaml":
        from plantwin.private.extract.formats import yaml_loader

        documents, _ = yaml_loader.load(text)
        root: object = documents[0] if len(documents) == 1 else documents
    else:
        import tomllib

        try:
            root = tomllib.loads(text)
        except (ValueError, RecursionError):
            return Opened([], f"{given.label} does not parse.")
    try:
        encoded = msgspec.json.encode(root, enc_hook=str).decode()
    except (TypeError, ValueError, RecursionError):
        return Opened([], f"{given.label} does not parse.")
    return Opened(records.json_tables(given, encoded, cut or len(data) > 4 << 20))
