"""Tables, JSON and SQL dumps in blocks for redaction: every value of an identifying column is a finding.

Rows of a table are read one by one, so memory does not grow with it; columns are judged by the first megabytes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from plantwin.private.detect import layouts
from plantwin.private.detect.context import codec
from plantwin.private.detect.engine import SEGMENT, Detector
from plantwin.private.detect.identifying import MISSING, Identifying, identifying, is_named, is_value, name_things
from plantwin.private.detect.names import likely_header
from plantwin.private.detect.sql_dumps import dump
from plantwin.private.detect.stream import Block, blocks
from plantwin.private.detect.tables import DELIMITERS, form
from plantwin.private.facts import Finding

HEAD = 4 << 20
"""Bytes by which columns are judged."""
SAMPLE = 2_000
"""Values of a column by which it is judged."""
WORDY = 5
"""Words that make a cell a text."""

_LOG_USER = re.compile(
    rb"(?:(?:[Ii]nvalid|[Ii]llegal|[Uu]nknown) user "
    rb"|(?:password|publickey|hostbased|keyboard-interactive(?:/pam)?|none|gssapi-with-mic"
    rb"|[Aa]uthentication (?:failures?|error)|has expired) for (?:(?:invalid |illegal )?user )?"
    rb"|(?:from|for) user ['\"]?"
    rb"|session (?:opened|closed) for user |authenticating user |[Uu]ser (?=\S+ (?:from|not allowed) )"
    rb"|\b(?:r?user|acct|logname|USER|user_?name|login)=[\"<]?|attempts exceeded for (?:invalid user )?"
    rb"|(?:new user|add|delete user)(?:: name=| '))(?P<user>[\w.@+$\\\-\x80-\xff]{1,64})"
)
_REMOTE_USER = re.compile(
    rb"(?m)^[\w.:\-]{3,60} (?P<ident>\S{1,64}) (?P<user>[^\s\[\]\"]{2,64}) \[\d\d/[A-Z][a-z]{2}/\d{4}:"
)
"""The user of a line in the common log format (mod_log_config, `%h %l %u %t`)."""
_HASHED = re.compile(
    rb"(?i)passw(?:or)?d[\w.-]{0,20}[\"']?\s{0,8}[:=]\s{0,8}[\"']?(?P<hash>[0-9a-f]{32,128}|\$\w{1,10}\$[\w./$=,+-]{20,200})(?![\w./$])"
)
"""A hash of a password: a scan of secrets counts it as protected, a copy to hand on must not have it."""
_DIGITS = b"0123456789.eE+-"
_FORMATTED = frozenset(
    (
        "date_of_birth", "driver_license", "email", "health_insurance_number", "location", "medical_record_number",
        "national_id",
        "payment_card", "phone", "us_ssn",
    )
)  # fmt: skip
"""Types whose values have a form of their own."""
_NO_USER = frozenset(b"from by for user invalid port unknown ssh2 name".split())


class _Layout(NamedTuple):
    """How the rows of a table are read and which of its columns identify."""

    cell: re.Pattern[bytes]
    skip: int
    """Rows above the first one of values: its header and what stands before it."""
    columns: tuple[Identifying | None, ...]
    texts: frozenset[int]
    """Columns of sentences."""
    things: frozenset[int]
    """Columns of words that name no person."""


Cell = layouts.Cell
Columns = layouts.Columns


def redaction_blocks(detector: Detector, chunks: Iterable[bytes], path: str = "") -> Iterator[Block]:
    """The input in blocks as `blocks` gives them, with the cells of identifying columns and user names in logs."""
    source = iter(chunks)
    head = b""
    for chunk in source:
        head += chunk
        if len(head) >= HEAD:
            break
    kind = form(head, path)
    rest = chain((head,), source)
    if wide := codec(head[:1024]):
        return _wide(detector, b"".join(rest), path, kind, wide)
    if kind == "delimited":
        if len(head) < HEAD and (turned := _turned(head)):
            found = detector.scan(head, path=path)
            return iter((Block(0, head, _merged(_cells_of(turned, head), found), ""),))
        return _delimited(detector, _layout(head), rest, path)
    if kind in ("pairs", "dump"):
        data = b"".join(rest)
        columns = layouts.pairs(data) if kind == "pairs" else _dumped(data)
        cells = [cell for table in columns for cell in _cells_of(table, data)]
        texts = [cell for table in columns for cells_ in _wordy(table, data) for cell in cells_]
        cells = _merged(cells, _sentences(detector, data, texts, 0))
        found = detector.scan(data, path=path)
        if kind == "pairs":
            found = [_whole_number(finding, data) for finding in found]
        return iter((Block(0, data, _merged(cells, found), "", kind == "pairs"),))
    # What somebody wrote has names in it, however many marks stand between them.
    path = path[:-3] + "text" if path.endswith(".txt") else path
    return (block._replace(findings=_merged(_in_text(block), block.findings)) for block in blocks(detector, rest, path))


def _wide(detector: Detector, data: bytes, path: str, kind: str, wide: str) -> Iterator[Block]:
    """A table in UTF-16 or UTF-32: read as UTF-8, with the places led back."""
    try:
        narrow = data.decode(wide).encode("utf-8")
    except UnicodeError:
        narrow = b""
    if kind not in ("delimited", "pairs", "dump") or not narrow:
        yield from blocks(detector, [data], path)
        return
    findings = [finding for block in redaction_blocks(detector, [narrow], path) for finding in block.findings]
    back, before = {0: 0}, 0
    for place in sorted({place for finding in findings for place in (finding.start, finding.end)}):
        back[place] = back[before] + len(narrow[before:place].decode("utf-8").encode(wide))
        before = place
    placed = [finding._replace(start=back[finding.start], end=back[finding.end]) for finding in findings]
    yield Block(0, data, placed, wide)


def _merged(cells: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Cells, and what else was found outside of them, in order."""
    out: list[Finding] = []
    for cell in sorted(cells, key=lambda cell: (cell.start, -cell.end)):
        if not out or cell.start >= out[-1].end:
            out.append(cell)
    cells = list(out)
    starts = [cell.start for cell in cells]
    for other in others:
        place = bisect_right(starts, other.start) - 1
        inside = place >= 0 and cells[place].end > other.start
        if not inside and (place + 1 == len(cells) or starts[place + 1] >= other.end):
            out.append(other)
    return sorted(out, key=lambda candidate: candidate.start)


def _whole_number(found: Finding, data: bytes) -> Finding:
    """A finding in a bare number of JSON, widened to the number: less of it would leave no JSON."""
    start, end = found.start, found.end
    while start and data[start - 1] in _DIGITS:
        start -= 1
    while end < len(data) and data[end] in _DIGITS:
        end += 1
    return (
        found._replace(start=start, end=end) if bare(data, start) and data[start:end].strip(_DIGITS) == b"" else found
    )


def bare(data: bytes, place: int) -> bool:
    """Tell whether a place of JSON is outside of strings, which never span lines."""
    line = data[data.rfind(b"\n", 0, place) + 1 : place]
    return (line.count(b'"') - line.count(b'\\"')) % 2 == 0


def _made(column: Identifying, start: int, end: int) -> Finding:
    return Finding(column.type, column.group, start, end, "high")


def _in_text(block: Block) -> list[Finding]:
    """What the layout of a text tells: cells of its tables, values of its keys, fields of records, names of logins."""
    data = block.data
    spans = [span for span in layouts.records(data) if filled(data[span[1] : span[2]])]
    found = [Finding(type_, "personal", start, end, "high") for type_, start, end in spans]
    for columns in layouts.tables(data):
        found += _cells_of(columns, data)
    keys = layouts.keyed(data)
    named = [column.type for column in identifying(_sampled(keys, data)) if column and column.group == "personal"]
    # One key alone has a meaning of its own in programs and settings.
    if (len(set(named)) > 1 and {*named} & _FORMATTED) or named.count("person_name") > 1:
        found += [cell for cell in _cells_of(keys, data) if cell.group == "personal"]
    placed = [cell._replace(start=cell.start + block.base, end=cell.end + block.base) for cell in found]
    return placed + _users(block) + _hashes(block)


def _users(block: Block) -> list[Finding]:
    """Names of accounts where a log tells of a login."""
    found = []
    for match in chain(_LOG_USER.finditer(block.data), _REMOTE_USER.finditer(block.data)):
        if match["user"].lower() not in _NO_USER:
            end = match.start("user") + len(match["user"].rstrip(b".-"))
            found.append(Finding("username", "personal", block.base + match.start("user"), block.base + end, "medium"))
    return found


def _hashes(block: Block) -> list[Finding]:
    """Hashes of passwords under a key that says so."""
    spans = (match.span("hash") for match in _HASHED.finditer(block.data))
    return [Finding("password_hash", "secret", block.base + start, block.base + end, "medium") for start, end in spans]


def _layout(head: bytes) -> _Layout:
    """Judge the columns of a table by its head."""
    lines = head[:65536].removeprefix(b"\xef\xbb\xbf").split(b"\n")[:20]
    lines = [line for line in lines if line.strip()] or [b""]
    delimiter = max(DELIMITERS, key=lambda mark: (_common(line.count(mark) for line in lines), lines[0].count(mark)))
    mark = re.escape(delimiter)
    cell = re.compile(rb'(?:"((?:[^"]|""){0,65536})"|([^' + mark + rb"\r\n]*))(" + mark + rb"|\r?\n|\r|\Z)")
    rows = [row for _, row in zip(range(SAMPLE + 1), _records(head, cell, final=True), strict=False)]
    texts = [[head[start:end].decode("utf-8", "replace") for start, end in row] for row, _ in rows]
    # Above a table stand remarks and titles.
    width = _common(sum(map(bool, row)) for row in texts[:40])
    above = next((at for at, row in enumerate(texts[:40]) if sum(map(bool, row)) >= width and row[0][:1] != "#"), 0)
    names = [name.strip("\ufeff \"'") for name in texts[above]] if texts else []
    header = sum(map(is_named, names)) > 1 or (
        likely_header(names) and (any(map(is_named, names)) or not any(map(is_value, names)))
    )
    skip = above + header
    filled = [[row[place] for row in texts[skip:] if place < len(row)] for place in range(len(names))]
    columns = identifying([(name if header else "", values) for name, values in zip(names, filled, strict=True)])
    wordy = frozenset(place for place, values in enumerate(filled) if columns[place] is None and _is_wordy(values))
    things = frozenset(place for place, values in enumerate(filled) if columns[place] is None and name_things(values))
    return _Layout(cell, skip, tuple(columns), wordy, things)


def _turned(head: bytes) -> Columns:
    """The values of a table whose names stand in a column: its first, or one that says what the next holds."""
    layout = _layout(head)
    rows = [row for row, _ in _records(head, layout.cell, final=True)]
    texts = [[head[start:end].decode("utf-8", "replace") for start, end in row[:8]] for row in rows]
    for place in range(min(map(len, texts), default=1) - 1):
        names = Counter(row[place] for row in texts)
        once = len(names) == len(rows)
        if len(names) * 4 > len(rows) and (not once or place):
            continue
        if sum(map(is_named, names)) >= max(2, 0.6 * (len(names) - (not once))):
            columns: Columns = {name: [] for name in names}
            for text, row in zip(texts, rows, strict=True):
                columns[text[place]] += row[place + 1 :]
            return columns
    return {}


def _common(counts: Iterable[int]) -> int:
    """Return the number that most lines have."""
    found = Counter(counts)
    return max(found, key=lambda count: (found[count], count), default=0)


def _is_wordy(values: Sequence[str]) -> bool:
    return sum(value.count(" ") >= WORDY - 1 for value in values) * 3 > len(values)


def _records(data: bytes, cell: re.Pattern[bytes], *, final: bool) -> Iterator[tuple[list[Cell], int]]:
    """The cells of each whole record, and where it ends; what may go on in the next piece is not given."""
    row: list[Cell] = []
    place = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while place < len(data) and (match := cell.match(data, place)):
        row.append(match.span(1 if match[1] is not None else 2))
        place = match.end()
        if match[3] in (b"\n", b"\r\n", b"\r"):
            yield row, place
            row = []
        elif not match[3]:
            break
    if row and final:
        yield row, len(data)


def _delimited(detector: Detector, layout: _Layout, chunks: Iterable[bytes], path: str) -> Iterator[Block]:
    base, kept, skip = 0, b"", layout.skip
    for chunk in chain(chunks, (None,)):
        kept += chunk or b""
        if chunk is not None and len(kept) < SEGMENT:
            continue
        end = 0
        cells: list[Finding] = []
        texts: list[Cell] = []
        things: set[Cell] = set()
        for row, stop in _records(kept, layout.cell, final=chunk is None):
            if not skip:
                cells += _identifying_cells(layout, row, kept, base)
                texts += [row[place] for place in layout.texts if place < len(row)]
                things |= {row[place] for place in layout.things if place < len(row)}
            skip, end = max(0, skip - 1), stop
        if not end and chunk is not None and len(kept) < SEGMENT * 8:
            continue
        data, kept = (kept[:end], kept[end:]) if end else (kept, b"")
        found = [
            finding._replace(start=finding.start + base, end=finding.end + base)
            for finding in detector.scan(data, path=path)
            if finding.type != "person_name" or (finding.start, finding.end) not in things
        ]
        yield Block(base, data, _merged(_merged(cells, _sentences(detector, data, texts, base)), found), "")
        base += len(data)


def _identifying_cells(layout: _Layout, row: list[Cell], data: bytes, base: int) -> Iterator[Finding]:
    """The filled cells of identifying columns; of a row with too many cells, all from the first of these on."""
    known = layout.columns
    uneven = len(row) > len(known)
    last: Identifying | None = None
    for place, (start, end) in enumerate(row):
        column = known[place] if place < len(known) else None
        last = column or (last if uneven else None)
        if last is not None and filled(data[start:end]):
            yield _made(last, base + start, base + end)


def filled(value: bytes) -> bool:
    """Tell whether a cell holds a value."""
    return value.strip(b" \t\"'").decode("utf-8", "replace").lower() not in MISSING


def _sentences(detector: Detector, data: bytes, cells: list[Cell], base: int) -> list[Finding]:
    """What is found in the cells of columns that hold sentences, read as text for people."""
    if not cells:
        return []
    joined = b"\n".join(data[start:end].replace(b"\n", b" ") for start, end in cells)
    starts, at = [], 0
    for start, end in cells:
        starts.append(at)
        at += end - start + 1
    out = []
    for finding in detector.scan(joined, path="notes.md"):
        place = bisect_right(starts, finding.start) - 1
        shift = cells[place][0] - starts[place] + base
        if finding.end + shift <= cells[place][1] + base:
            out.append(finding._replace(start=finding.start + shift, end=finding.end + shift))
    return sorted(out, key=lambda candidate: candidate.start)


def _dumped(data: bytes) -> list[Columns]:
    """The values of the columns of a dump, table by table."""
    tables: dict[str, Columns] = {}
    for column in dump(data, unnamed=True):
        table, _, name = column.name.rpartition(".")
        places = column.places
        tables.setdefault(table, {})[name] = list(zip(places[::2], places[1::2], strict=True))
    return list(tables.values())


def tables(data: bytes, path: str = "") -> list[Columns]:
    """The columns of every table of a text, whatever its format, each named with its place behind a zero byte."""
    kind = form(data, path)
    if kind in ("pairs", "dump"):
        return layouts.pairs(data) if kind == "pairs" else _dumped(data)
    if kind != "delimited":
        return list(layouts.tables(data))
    layout = _layout(data)
    rows = [row for row, _ in _records(data, layout.cell, final=True)]
    width = len(layout.columns)
    header = rows[layout.skip - 1][:width] if layout.skip else [(0, 0)] * width
    columns: Columns = {
        f"{data[start:end].decode('utf-8', 'replace')}\0{place}": [] for place, (start, end) in enumerate(header)
    }
    for row in rows[layout.skip :]:
        for name, cell in zip(columns, row, strict=False):
            columns[name].append(cell)
    return [columns]


def _cells_of(columns: Columns, data: bytes) -> list[Finding]:
    """The filled cells of the columns that identify."""
    found: list[Finding] = []
    for column, spans in zip(identifying(_sampled(columns, data)), columns.values(), strict=True):
        if column is not None:
            found += [_made(column, start, end) for start, end in spans if filled(data[start:end])]
    return found


def _wordy(columns: Columns, data: bytes) -> Iterator[list[Cell]]:
    """The cells of columns of sentences."""
    for (_, values), spans in zip(_sampled(columns, data), columns.values(), strict=True):
        if _is_wordy(values):
            yield spans


def _sampled(columns: Columns, data: bytes) -> list[tuple[str, list[str]]]:
    """The columns with the values by which they are judged; what follows a zero byte tells names that are the same."""
    return [
        (name.partition("\0")[0], [data[s:e].decode("utf-8", "replace") for s, e in spans[:SAMPLE]])
        for name, spans in columns.items()
    ]
