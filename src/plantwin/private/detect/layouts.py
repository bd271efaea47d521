"""Tables and records inside of texts: JSON, pages, Markdown, columns set with spaces, XML, settings, vCards, HL7."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.detect.identifying import is_named
from plantwin.private.formats.lexicon import beside

Cell = tuple[int, int]
Columns = dict[str, list[Cell]]
ROWS, ROW, WIDEST = 5, 20, 60
"""Lines, and characters of one, that make a table of fixed width, and columns of it at most."""

_STRING = rb'"(?:[^"\\\n]|\\.){0,65536}"'
_NUMBER = rb"-?\d[\d.eE+\-]{0,40}"
_PAIR = re.compile(
    rb'"(?P<key>(?:[^"\\\n]|\\.){1,120})"\s{0,200}:\s{0,200}(?:(?P<value>'
    + _STRING
    + rb"|"
    + _NUMBER
    + rb")|(?P<list>\[))"
)
_ITEM = re.compile(rb"\s{0,200}(?P<value>" + _STRING + rb"|" + _NUMBER + rb")\s{0,200}(?P<more>[,\]])")
_LIST = re.compile(
    rb"\[\s{0,200}(?:"
    + _STRING
    + rb"|"
    + _NUMBER
    + rb"|null|true|false)(?:\s{0,200},\s{0,200}(?:"
    + _STRING
    + rb"|"
    + _NUMBER
    + rb"|null|true|false)){1,400}\s{0,200}\]"
)
_LISTED = re.compile(rb"(?P<value>" + _STRING + rb"|" + _NUMBER + rb"|null|true|false)")
_FHIR = re.compile(rb'"identifier"\s{0,200}:\s{0,200}\[[^\[\]]{0,4000}(?:\[[^\[\]]{0,2000}\][^\[\]]{0,2000}){0,20}\]')
_VALUE = re.compile(rb'"value"\s{0,200}:\s{0,200}(' + _STRING + rb")")
_ROW = re.compile(rb"<tr\b[^<>]{0,400}>(.{0,20000}?)(?=</tr>|<tr\b|</table>)", re.I | re.S)
_PART = re.compile(rb"<t[hd]\b[^<>]{0,400}>\s{0,100}([^<>]{0,2000}?)\s{0,100}(?=<)", re.I)
_PIPES = re.compile(rb"(?m)^[ \t]{0,8}\|.+\|[ \t]*\r?$")
_PIPED = re.compile(rb"(?<=\|)[ \t]*([^|\r\n]*?)[ \t]*(?=\|)")
_LABEL = re.compile(r"[\w .#/()\-]{1,60}")
_ATOM = rb"(?:'[^'\n]{0,300}'|\"[^\"\n]{0,300}\"|-?\d[\d.]{0,30})"
_TUPLE = re.compile(rb"[(\[][ \t]{0,8}" + _ATOM + rb"(?:[ \t]{0,8},[ \t]{0,8}" + _ATOM + rb"){2,60},?[ \t]{0,8}[)\]]")
_PLAIN = re.compile(
    rb"(?P<quote>['\"]?)(?P<value>(?<=')[^'\n]{0,300}(?=')|(?<=\")[^\"\n]{0,300}(?=\")|-?\d[\d.]{0,30})(?P=quote)"
)
_GAP = re.compile(r"\S+(?: \S+)*")
_KEYED = (
    # SAML: `<Attribute Name="…"><AttributeValue>…`, where the name may be a URI.
    re.compile(
        rb'Name="(?:[^"<>\n]{0,200}[/:#])?(?P<key>[\w.\-]{1,60})"[^<>\n]{0,300}>\s{0,100}'
        rb"<[\w:]{0,20}AttributeValue[^<>\n]{0,200}>(?P<value>[^<>\n]{1,300})<"
    ),
    re.compile(rb"<(?P<key>[\w.:\-]{1,60})(?:\s[^<>]{0,400})?>(?P<value>[^<>\n]{1,400})</(?P=key)>"),
    re.compile(
        rb"(?m)^[ \t]{0,60}(?:- )?[\"']?(?P<key>[A-Za-z\x80-\xff][\w .\-\x80-\xff]{0,50}?)[\"']?"
        rb"[ \t]{0,20}(?::[ \t]{1,20}|=[ \t]{0,20})"
        rb"[\"']?(?P<value>[^\s\"'{}\[\]|<>&*#]"
        rb"(?:[^\n\"'{}\[\]|<>]|(?<=[A-Za-z])'(?=[A-Za-z])){0,300}?)[\"']?[ \t]{0,20}[,;]?[ \t]{0,20}\r?$"
    ),
    re.compile(
        rb"(?<!\w)[\"']?(?P<key>[A-Za-z_][\w\-]{0,50})[\"']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}"
        rb"(?P<quote>[\"'])(?P<value>(?:[^\"'\n]|(?<=[A-Za-z])'(?=[A-Za-z])){1,300})(?P=quote)"
    ),
    re.compile(rb"(?<![\w&?])(?P<key>[A-Za-z_]\w{0,50})=(?P<value>[^\s\"',;&<>()]{1,200})"),
)
_RECORDS = beside(__file__)
_SEGMENT = re.compile(rb"(?:^|(?<=[\r\n]))(PID|NK1|GT1|IN1|PV1)\|([^\r\n]{0,4000})")
_X12 = re.compile(rb"(?:~|\n)[\r\n]{0,2}(NM1|N3|N4|DMG|PER)\*([^~\n]{0,1000})")
_GEDCOM = re.compile(rb"(?m)^\d{1,2} (NAME|GIVN|SURN|DATE|PLAC|ADDR|PHON|EMAIL) ([^\r\n]{1,200})")
_CARD = re.compile(
    rb"(?m)^(?:[\w\-]{1,20}\.)?(FN|N|NICKNAME|ADR|TEL|EMAIL|BDAY|LABEL)(?:;[^:\r\n]{0,200})?:([^\r\n]{1,400})"
)
_PATTERNS = (
    (
        "card_security_code",
        re.compile(
            rb"(?i)\b(?:cvv2?|cvc2?|ccv|card security code)\b[ \t:#=(]{0,3}(?:code |number |is )?[ \t]?(\d{3,4})\b"
        ),
    ),
    (
        "person_name",
        re.compile(
            rb"(?<![\w\x80-\xff<'.\-])((?:[A-Z\xc3-\xdf][\w'.\x80-\xff\-]{0,30},? ){1,3}"
            rb"[A-Z\xc3-\xdf][\w'.\x80-\xff\-]{0,30})"
            rb" <[^<>@\s]{1,80}@"
        ),
    ),
    ("person_name", re.compile(rb"(?<![\w<])\"([^\"<>@\n]{2,80})\"[ \t]{0,4}<[^<>@\s]{1,80}[@_]")),
    (
        "person_name",
        re.compile(
            rb"(?<![\w.])(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|Mme|Mlle|Sr|Sra|Sig|Dhr|Mevr|Pan[ia]?)\.? "
            rb"((?:[A-Z\xc3-\xdf][\w'\x80-\xff\-]{1,30}|[A-Z]\.)(?: [A-Z\xc3-\xdf][\w'\x80-\xff\-]{1,30}){0,2})"
        ),
    ),
    (
        "date_of_birth",
        re.compile(
            rb"(?i)\b(?:born(?: on)?|date of birth|birth ?date|dob|d\.o\.b\.|geb\.|geboren(?: am)?"
            rb"|n[e\xc3\xa9]{1,2}e? le|nacid[oa] el|nat[oa] il)[: ]{1,3}"
            rb"(\d{1,4}[./\- ](?:\d{1,2}|[a-z]{3,9})[./\- ]{1,2}\d{1,4}|[a-z]{3,9} \d{1,2},? \d{4})(?!\w)"
        ),
    ),
    # Accounts: who speaks in a chat, whose password a file holds.
    (
        "username",
        re.compile(
            rb"(?m)^(?:\[?\d[\d:T. /\-]{3,24}\]?[ \t]{1,3})?"
            rb"<[ @+%]?(?![A-Z][A-Z0-9_]{0,47}_\d{1,12}>)([A-Za-z_][\w\-`^{}|\[\]]{1,30})>[ \t]"
        ),
    ),
    ("username", re.compile(rb"(?m)^([A-Za-z_][\w.\-]{1,31}):(?:\$\w{1,6}\$|\{S?SHA\})")),
    (
        "postal_address",
        re.compile(
            rb"(?<![\w.,:/#\-])(\d{1,5}[A-Za-z]? (?:(?:[A-Z\xc3][\w.'\x80-\xff\-]{0,30}|\d{1,3}(?:st|nd|rd|th)) ){1,4}"
            rb"(?:St|Street|R(?:oa)?d|Ave(?:nue)?|L(?:ane|n)|Blvd|Boulevard|C(?:our)?t|Close|Cres(?:cent)?|Terrace|Dr(?:ive)?|Hwy"
            rb"|Highway|Pl(?:ace)?|Sq(?:uare)?|Pkwy|Parkway|Way))\b"
        ),
    ),
)
_FIELD = re.compile(rb"[^;^~&,]{2,200}")


def tables(data: bytes) -> Iterator[Columns]:
    """The columns of every table of a text, each named with its place behind a zero byte."""
    for rows in (*_pages(data), *_piped(data)):
        yield _columned(data, rows)
    yield from [columns for columns in _aligned(data) if columns] or _fixed(data)
    yield from _tuples(data)


def keyed(data: bytes) -> Columns:
    """The keys of a text with their values: elements, attributes, settings, literals."""
    columns: Columns = {}
    for pattern in _KEYED:
        for match in pattern.finditer(data):
            columns.setdefault(match["key"].decode("utf-8", "replace").rpartition(":")[2], []).append(
                match.span("value")
            )
    return columns


def records(data: bytes) -> Iterator[tuple[str, int, int]]:
    """The fields of vCards and of HL7 messages that identify, and what a text says plainly, with their types."""
    for type_, pattern in _PATTERNS:
        for match in pattern.finditer(data):
            yield type_, *match.span(1)
    if b"BEGIN:VCARD" in data:
        for match in _CARD.finditer(data):
            yield from _fields(_RECORDS["vcard"][match[1].decode()], data, *match.span(2))
    if data.startswith(b"0 HEAD"):
        for match in _GEDCOM.finditer(data):
            yield _RECORDS["gedcom"][match[1].decode()], *match.span(2)
    if data.startswith(b"ISA*"):
        for match in _X12.finditer(data):
            at = match.start(2)
            for number, field in enumerate(match[2].split(b"*"), 1):
                if type_ := _RECORDS[match[1].decode()].get(str(number)):
                    yield from _fields(type_, data, at, at + len(field))
                at += len(field) + 1
    if data.startswith(b"MSH|"):
        for match in _SEGMENT.finditer(data):
            at = match.start(2)
            for number, field in enumerate(match[2].split(b"|"), 1):
                if type_ := _RECORDS[match[1].decode()].get(str(number)):
                    yield from _fields(type_, data, at, at + len(field))
                at += len(field) + 1


def pairs(data: bytes) -> list[Columns]:
    """The values of each key, plain or in plain lists, and the columns of lists of lists."""
    places: Columns = {}
    for match in _PAIR.finditer(data):
        spans = places.setdefault(match["key"].decode("utf-8", "replace"), [])
        if match["value"] is not None:
            spans.append(match.span("value"))
            continue
        item = _ITEM.match(data, match.end())
        while item is not None:
            spans.append(item.span("value"))
            item = _ITEM.match(data, item.end()) if item["more"] == b"," else None
    if b'"resourceType"' in data:
        # FHIR: a number of a person stands under `value`.
        places["national_id"] = [
            place.span(1) for part in _FHIR.finditer(data) for place in _VALUE.finditer(data, *part.span())
        ]
    return [{name: _bared(data, spans) for name, spans in table.items()} for table in (places, *_lists(data))]


def _bared(data: bytes, spans: list[Cell]) -> list[Cell]:
    """Places of values without their quotes."""
    return [(start + 1, end - 1) if data[start : start + 1] == b'"' else (start, end) for start, end in spans]


def _lists(data: bytes) -> Iterator[Columns]:
    """Tables that are lists of lists of one length, with the list of names nearest before them or as their first."""
    table: Columns = {}
    names: list[str] = []
    for match in _LIST.finditer(data):
        cells = [item.span("value") for item in _LISTED.finditer(data, match.start() + 1, match.end())]
        texts = [data[start:end].decode("utf-8", "replace").strip('"') for start, end in cells]
        if sum(map(is_named, texts)) > 1:
            yield table
            names, table = texts, {f"{name}\0{place}": [] for place, name in enumerate(texts)}
        elif len(cells) == len(names):
            for name, cell in zip(table, cells, strict=True):
                table[name].append(cell)
    yield table


def _fields(type_: str, data: bytes, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for part in _FIELD.finditer(data, start, end):
        yield type_, part.start(), part.end()


def _pages(data: bytes) -> Iterator[list[list[Cell]]]:
    """The rows of each table of a page."""
    low = data.lower()
    start = low.find(b"<table")
    while start >= 0:
        end = low.find(b"<table", start + 6)
        piece = (start, end if end >= 0 else len(data))
        yield [[part.span(1) for part in _PART.finditer(data, *row.span(1))] for row in _ROW.finditer(data, *piece)]
        start = end


def _piped(data: bytes) -> Iterator[list[list[Cell]]]:
    """The rows of each table of Markdown, without the line below its header."""
    rows: list[list[Cell]] = []
    last = -2
    for line in _PIPES.finditer(data):
        if line.start() > last + 2 and rows:
            yield rows
            rows = []
        last = line.end()
        if line[0].strip(b"|:- \t\r"):
            rows.append([part.span(1) for part in _PIPED.finditer(data, *line.span())])
    if rows:
        yield rows


def _columned(data: bytes, rows: list[list[Cell]]) -> Columns:
    names = [data[start:end].decode("utf-8", "replace") for start, end in rows[0]] if rows else []
    columns: Columns = {f"{name}\0{place}": [] for place, name in enumerate(names)}
    for row in rows[1:]:
        for name, cell in zip(columns, row, strict=False):
            columns[name].append(cell)
    return columns


def _aligned(data: bytes) -> Iterator[Columns]:
    """The columns of tables that are set with spaces: each begins where its name does."""
    columns: Columns = {}
    places: list[int] = []
    at = 0
    for line in data.splitlines(keepends=True):
        begun, at = at, at + len(line)
        text = line.decode("utf-8", "surrogateescape").rstrip()
        if not text:
            yield columns
            columns, places = {}, []
        elif places:
            for name, start, end in zip(columns, places, [*places[1:], len(text)], strict=True):
                cell = text[start:end]
                here = begun + _size(text[:start] + cell[: len(cell) - len(cell.lstrip())])
                columns[name].append((here, here + _size(cell.strip())))
        elif "  " in text.strip():
            names = list(_GAP.finditer(text))
            labels = [name[0] for name in names if _LABEL.fullmatch(name[0])]
            if 2 < len(names) == len(labels) and sum(map(is_named, labels)) > 1:
                columns = {f"{name[0]}\0{place}": [] for place, name in enumerate(names)}
                places = [name.start() for name in names]
    yield columns


def _fixed(data: bytes) -> Iterator[Columns]:
    """The columns, without names, of lines of one length: one begins where all go from space or digit to other."""
    lines: list[Cell] = []
    at = 0
    for line in (*data.splitlines(keepends=True), b""):
        size = len(line.rstrip(b"\r\n"))
        if lines and size != lines[0][1] - lines[0][0]:
            yield from _cut(data, lines)
            lines = []
        if size >= ROW and b"\t" not in line:
            lines.append((at, at + size))
        at += len(line)


def _cut(data: bytes, lines: list[Cell]) -> Iterator[Columns]:
    if len(lines) < ROWS:
        return
    across = [bytes(column) for column in zip(*(data[start:end] for start, end in lines[:200]), strict=True)]
    begins = [0] + [place for place in range(1, len(across)) if _begins(across[place - 1], across[place])]
    if 2 < len(begins) < WIDEST:
        columns: Columns = {f"\0{place}": [] for place in range(len(begins))}
        for start, end in lines:
            for name, first, last in zip(columns, begins, [*begins[1:], end - start], strict=True):
                columns[name].append((start + first, start + last - _padding(data, start + first, start + last)))
        yield columns


def _padding(data: bytes, start: int, end: int) -> int:
    return end - start - len(data[start:end].rstrip(b" "))


def _begins(before: bytes, here: bytes) -> bool:
    """Tell whether a column begins here, by what stands before and here in all lines."""
    changes = all(last == 32 or _is_digit(last) != _is_digit(first) for last, first in zip(before, here, strict=True))
    return changes and here.count(b" ") * 2 < len(here)


def _is_digit(byte: int) -> bool:
    return 48 <= byte <= 57


def _tuples(data: bytes) -> Iterator[Columns]:
    """The columns of tuples and lists of one length, without names, that a program has one below the other."""
    columns: Columns = {}
    last = 0
    for match in _TUPLE.finditer(data):
        cells = [item.span("value") for item in _PLAIN.finditer(data, match.start() + 1, match.end() - 1)]
        if len(cells) != len(columns) or match.start() - last > 40:
            yield columns
            columns = {f"\0{place}": [] for place in range(len(cells))}
        for name, cell in zip(columns, cells, strict=True):
            columns[name].append(cell)
        last = match.end()
    yield columns


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
