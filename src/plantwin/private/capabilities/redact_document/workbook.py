"""A copy of an XLSX workbook with every identifying column replaced; everything else keeps its bytes.

Cells are rewritten in place as inline texts, since writing XML anew would lose what Excel keeps in attributes.
"""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from html import unescape
from io import BytesIO
from xml.sax.saxutils import escape

from plantwin.errors import InputError
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.identifying import Identifying, identifying
from plantwin.private.detect.redaction import Redaction
from plantwin.private.detect.second_look import Left, left
from plantwin.private.detect.spread import Spread, telling
from plantwin.private.detect.structured import filled
from plantwin.private.facts import Private

SAMPLE = 2_000
_TEXTS = ("xl/", "docProps/")
LIMIT = 256 << 20
"""Bytes of a workbook, unpacked."""
_CELL = re.compile(rb"<(?P<p>\w{0,8}:?)c\b(?P<attributes>[^<>]{0,400}?)(?:/>|>(?P<body>.{0,200000}?)</(?P=p)c>)", re.S)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"')
_TYPE = re.compile(rb'\bt="(\w+)"')
_TEXT = re.compile(rb"<\w{0,8}:?t\b[^<>]{0,80}>([^<]{0,200000})</")
_VALUE = re.compile(rb"<\w{0,8}:?v\b[^<>]{0,80}>([^<]{0,200000})</")
_ITEM = re.compile(rb"<(?P<p>\w{0,8}:?)si\b[^<>]{0,80}(?:/>|>(?P<body>.{0,400000}?)</(?P=p)si>)", re.S)
_BETWEEN = re.compile(rb">([^<>]+)<")
_PERSON = re.compile(rb"(<(?:dc:creator|cp:lastModifiedBy|Manager|Company)>)([^<]+)(</)")
_LINK = re.compile(rb'(<Relationship\b[^<>]*?\bTarget=")([^"<>]+)("[^<>]*?\bTargetMode="External")')
_LINK_REVERSED = re.compile(rb'(<Relationship\b[^<>]*?\bTargetMode="External"[^<>]*?\bTarget=")([^"<>]+)(")')
_TOLD = re.compile(rb"(<\w{0,8}:?(?:hyperlink|cfRule|dataValidation|definedName|sheet)\b)([^<>]+)")
_SAID = re.compile(rb'(\s(?:display|tooltip|location|prompt|promptTitle|error|errorTitle|comment|name)=")([^"<>]+)(")')
_PEOPLE = re.compile(rb'(\s(?:displayName|userId)=")([^"<>]+)(")')
_UNREAD = re.compile(rb"<!DOCTYPE|<!\[CDATA\[|\0|<\w[^<>]{0,400}?\s\w{1,20}='")
"""Ways to write XML in which values would not be seen here, and which no spreadsheet program uses."""
_OPAQUE = re.compile(r"xl/(?:embeddings|media|externalLinks|vbaProject|model|pivotCache)|customXml/|\.bin$")
"""Parts that may hold the same values in forms that are not rewritten."""


class _Cell:
    """One cell: where it stands and its text."""

    def __init__(self, match: re.Match[bytes], shared: list[str]) -> None:
        place = _PLACE.search(match["attributes"])
        self.column = place[1].decode() if place else ""
        self.row = int(place[2]) if place else 0
        self.span = match.span()
        self.prefix = match["p"]
        self.attributes = match["attributes"]
        kind = _TYPE.search(match["attributes"])
        body = match["body"] or b""
        value = _VALUE.search(body)
        self.shared = -1
        if kind and kind[1] == b"s" and value and value[1].isdigit():
            self.shared = int(value[1])
            self.text = shared[self.shared] if self.shared < len(shared) else ""
        elif kind and kind[1] == b"inlineStr":
            self.text = _joined(body)
        else:
            self.text = unescape(value[1].decode("utf-8", "replace")) if value else ""


class Workbooks(Private):
    """Copies workbooks; a value has the same placeholder in every sheet."""

    def __init__(self, detector: Detector, redaction: Redaction) -> None:
        self._detector = detector
        self._redaction = redaction
        self.counts: Counter[str] = Counter()

    def copy(self, data: bytes) -> tuple[bytes, Left]:
        """Return the copy and what a second look still sees; `InputError` where a part cannot be rewritten."""
        parts = _parts(data)
        opaque = sorted(name for name in parts if _OPAQUE.search(name))
        if opaque:
            raise InputError(
                f"the workbook holds parts that cannot be redacted ({opaque[0]}): export its sheets as CSV"
            )
        shared = [_joined(match["body"] or b"") for match in _ITEM.finditer(parts.get("xl/sharedStrings.xml", b""))]
        hidden: dict[int, str] = {}
        shown: set[int] = set()
        for name in [name for name in parts if name.startswith("xl/worksheets/sheet")]:
            parts[name] = self._sheet(parts[name], shared, hidden, shown)
        if "xl/sharedStrings.xml" in parts:
            alone = {number: mark for number, mark in hidden.items() if number not in shown}
            parts["xl/sharedStrings.xml"] = self._strings(parts["xl/sharedStrings.xml"], alone)
        if "docProps/core.xml" in parts:
            parts["docProps/core.xml"] = _PERSON.sub(self._author, parts["docProps/core.xml"])
        if "docProps/app.xml" in parts:
            parts["docProps/app.xml"] = _PERSON.sub(self._author, parts["docProps/app.xml"])
        spread = Spread(self._redaction, alias=True)
        for name, part in parts.items():
            if name.startswith(_TEXTS) and name.endswith(".xml") and "styles" not in name and "theme" not in name:
                part = _BETWEEN.sub(lambda match: b">" + self._plain(match[1], spread) + b"<", part)
                parts[name] = _TOLD.sub(lambda match: match[1] + self._attributes(match[2], spread), part)
            if name.startswith("xl/persons/"):
                parts[name] = _PEOPLE.sub(self._author, part)
            if name.endswith(".rels"):
                for link in (_LINK, _LINK_REVERSED):
                    part = link.sub(lambda match: match[1] + self._target(match[2], spread) + match[3], part)
                parts[name] = part
        return _packed(parts, data), self._left(parts, spread)

    def _sheet(self, part: bytes, shared: list[str], hidden: dict[int, str], shown: set[int]) -> bytes:
        cells = [_Cell(match, shared) for match in _CELL.finditer(part)]
        chosen, first = _judged(cells)
        out, place = [], 0
        for cell in cells:
            column = chosen.get(cell.column)
            if column is None or cell.row <= first or not filled(cell.text.encode()):
                shown.add(cell.shared)
                continue
            mark = self._mark(cell.text, column)
            if cell.shared >= 0:
                hidden[cell.shared] = mark
            attributes = _TYPE.sub(b"", cell.attributes).rstrip()
            new = b'<%bc%b t="inlineStr"><%bis><%bt>%b</%bt></%bis></%bc>' % (
                cell.prefix, attributes, *(cell.prefix,) * 2, escape(mark).encode(), *(cell.prefix,) * 3
            )  # fmt: skip
            out += [part[place : cell.span[0]], new]
            place = cell.span[1]
        return b"".join((*out, part[place:]))

    def _mark(self, text: str, column: Identifying) -> str:
        raw = text.encode("utf-8", "surrogateescape")
        self._redaction.sure.add(raw)
        self.counts[column.type] += 1
        return self._redaction.placeholder(column.type.upper(), raw)

    def _strings(self, part: bytes, hidden: dict[int, str]) -> bytes:
        number = -1

        def replaced(match: re.Match[bytes]) -> bytes:
            nonlocal number
            number += 1
            if number not in hidden:
                return match[0]
            prefix = match["p"]
            return b"<%bsi><%bt>%b</%bt></%bsi>" % (prefix, prefix, escape(hidden[number]).encode(), prefix, prefix)

        return _ITEM.sub(replaced, part)

    def _author(self, match: re.Match[bytes]) -> bytes:
        mark = self._mark(unescape(match[2].decode("utf-8", "replace")), Identifying("person_name"))
        return match[1] + escape(mark).encode() + match[3]

    def _attributes(self, text: bytes, spread: Spread) -> bytes:
        """What is said in attributes: the text of a link, the prompt of a cell."""
        return _SAID.sub(
            lambda match: match[1] + self._plain(match[2], spread).replace(b'"', b"&quot;") + match[3], text
        )

    def _target(self, text: bytes, spread: Spread) -> bytes:
        """Where a link leads; where that tells a value, nowhere."""
        if text[:7].lower() == b"mailto:" or text[:4].lower() == b"tel:":
            return text.partition(b":")[0] + b":redacted"
        return text if self._plain(text, spread) == text else b"https://redacted.invalid/"

    def _plain(self, text: bytes, spread: Spread) -> bytes:
        """What the detector finds in one text of the markup, and hidden values in it, replaced."""
        if len(text.strip()) < 3 or text.isdigit():
            return text
        raw = unescape(text.decode("utf-8", "replace")).encode()
        out, place = [], 0
        for detected in self._detector.scan(raw, path="cell.md"):
            if telling(detected):
                self.counts[detected.type] += 1
                out += [
                    raw[place : detected.start],
                    self._redaction.placeholder(detected.type.upper(), raw[detected.start : detected.end]).encode(),
                ]
                place = detected.end
        changed = b"".join(spread.run([b"".join((*out, raw[place:]))]))
        return text if changed == raw else escape(changed.decode("utf-8", "replace")).encode()

    def _left(self, parts: dict[str, bytes], spread: Spread) -> Left:
        """Look at the sheets of the copy again, as tables."""
        shared = [_joined(match["body"] or b"") for match in _ITEM.finditer(parts.get("xl/sharedStrings.xml", b""))]
        sure = 0
        unsure: dict[str, list[int]] = {}
        for name, part in parts.items():
            if name.startswith("xl/worksheets/sheet"):
                lines: dict[int, list[str]] = {}
                for match in _CELL.finditer(part):
                    cell = _Cell(match, shared)
                    lines.setdefault(cell.row, []).append(cell.text.replace("\t", " ").replace("\n", " "))
                text = "\n".join("\t".join(lines[row]) for row in sorted(lines)).encode("utf-8", "replace")
                seen = left(self._detector, [text], "sheet.tsv", spread.ordinary, lambda *_: True)
                sure += seen.sure
                unsure.update({f"{what} in `{name}`": rows for what, rows in seen.unsure.items()})
        return Left(sure, unsure)


def _judged(cells: list[_Cell]) -> tuple[dict[str, Identifying], int]:
    """The identifying columns of a sheet and the row of its header: the first with two filled cells or more."""
    rows: dict[int, dict[str, str]] = {}
    for cell in cells:
        if cell.text.strip() and len(rows) <= SAMPLE:
            rows.setdefault(cell.row, {})[cell.column] = cell.text
    first = next((row for row, held in sorted(rows.items()) if len(held) > 1), min(rows, default=0))
    header = rows.get(first, {})
    columns = sorted({column for held in rows.values() for column in held}, key=lambda name: (len(name), name))
    values = [[held[column] for row, held in rows.items() if row > first and column in held] for column in columns]
    found = identifying([(header.get(column, ""), texts) for column, texts in zip(columns, values, strict=True)])
    return {column: kind for column, kind in zip(columns, found, strict=True) if kind is not None}, first


def _joined(body: bytes) -> str:
    return unescape(b"".join(_TEXT.findall(body)).decode("utf-8", "replace"))


def _parts(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > LIMIT:
                raise InputError("the workbook is too large: export its sheets as CSV and redact those")
            parts = {member.filename: archive.read(member) for member in archive.infolist() if not member.is_dir()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError):
        raise InputError("the workbook is damaged or encrypted") from None
    if any(name.endswith((".xml", ".rels")) and _UNREAD.search(part) for name, part in parts.items()):
        raise InputError("the workbook is written as no spreadsheet program writes one: save it anew, or as CSV")
    return parts


def _packed(parts: dict[str, bytes], original: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(original)) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as copy:
        for member in archive.infolist():
            if not member.is_dir():
                copy.writestr(zipfile.ZipInfo(member.filename), parts[member.filename], zipfile.ZIP_DEFLATED)
    return out.getvalue()
