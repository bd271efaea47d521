"""Tables as text: CSV, TSV and JSON lines, from the head and the sampled windows."""

from __future__ import annotations

import csv
import re

import msgspec

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_number, text_of
from plantwin.private.extract.formats.records import MAX_ROWS, describe_records, describe_table
from plantwin.private.extract.formats.text import READ, decode, head_text
from plantwin.private.facts import Sample

_DELIMITERS = ",;\t|"
_LINE = 64 << 10
"""Longer lines are not rows of anything."""
_WORD = re.compile(r"[#%@$]?[A-Za-z_À-ž][\w .()/%#\-À-ž]{0,79}")


def _lines(sample: Sample, limit: int) -> list[str]:
    """Complete lines of the head, then of each window."""
    lines = [line for line in head_text(sample, READ).split("\n")[: limit + 1] if line]
    if not sample.whole and len(lines) > 1 and not sample.head.endswith(b"\n"):
        lines.pop()
    for window in sample.windows:
        lines.extend(line for line in decode(window[:_LINE]).split("\n")[1 : limit // 8] if line)
    return [line.rstrip("\r") for line in lines if len(line) <= _LINE]


def delimiter(lines: list[str]) -> str:
    """The separator that gives most lines the same number of fields."""
    best, score = ",", 0
    for candidate in _DELIMITERS:
        counts = [line.count(candidate) for line in lines[:40]]
        common = max(set(counts), key=counts.count) if counts else 0
        points = counts.count(common) * min(common, 20)
        if common and points > score:
            best, score = candidate, points
    return best


def read_csv(sample: Sample, draft: Draft) -> None:
    """CSV and TSV with or without a header; comment lines before the header are skipped."""
    lines = _lines(sample, MAX_ROWS)
    while lines and lines[0].startswith("#") and len(lines) > 1 and not lines[1].startswith("#"):
        lines[0] = lines[0].lstrip("# ")
        break
    lines = [line for number, line in enumerate(lines) if number == 0 or not line.startswith("#")]
    if not lines:
        draft.outline.parsed = not sample.head
        return
    mark = "\t" if draft.outline.format == "tsv" and "\t" in lines[0] else delimiter(lines)
    rows: list[list[str]] = []
    if mark not in lines[-1]:
        # Columns set apart by spaces alone.
        gaps = re.compile(
            r" {2,}" if sum("  " in line.strip() for line in lines[:40]) * 10 >= len(lines[:40]) * 9 else r"\s+"
        )
        lines = ["\t".join(gaps.split(line.strip())) for line in lines if line.strip(" -=+|")]
        mark = "\t"
    reader = csv.reader(lines, delimiter=mark)
    while len(rows) <= MAX_ROWS * 2:
        try:
            row = next(reader, None)
        except csv.Error:
            draft.outline.parsed = False
            continue
        if row is None:
            break
        rows.append(row[:500])
    if not rows:
        return
    widths = [len(row) for row in rows]
    usual = max(set(widths), key=widths.count)
    draft.outline.parsed = draft.outline.parsed and widths.count(usual) * 2 >= len(widths)
    header, body = (rows[0], rows[1:]) if is_header(rows) else ([f"column{n}" for n in range(usual)], rows)
    total = len(body) if sample.whole else max(len(body), sample.size * len(body) // max(len("\n".join(lines)), 1))
    if header is rows[0]:
        describe_table(draft, header, body, total)
    else:
        describe_table(draft, header, body, total)
        draft.outline.names.clear()


def is_header(rows: list[list[str]]) -> bool:
    """Names rather than values: words in every field, distinct, and unlike what stands below."""
    first = [cell.strip().strip("\ufeff") for cell in rows[0]]
    filled = [cell for cell in first if cell]
    if not filled or len(set(filled)) < len(filled) or any(is_number(cell) for cell in filled):
        return False
    if sum(1 for cell in filled if _WORD.fullmatch(cell)) * 10 < len(filled) * 7:
        return False
    if len(rows) == 1:
        return True
    # A field repeated below its own name is a value.
    return sum(1 for cell, below in zip(first, rows[1], strict=False) if cell and cell == below.strip()) * 2 < len(
        filled
    )


def read_jsonl(sample: Sample, draft: Draft) -> None:
    """One JSON value per line; log records are counted as such too."""
    decoder = msgspec.json.Decoder()
    records: list[Tree] = []
    failed = other = 0
    lines = _lines(sample, MAX_ROWS * 2)
    for line in lines:
        if line[:1] not in "{[":
            failed += 1
            continue
        try:
            value = decoder.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            failed += 1
            continue
        if type(value) is dict:
            records.append(value)
        else:
            other += 1
    good = len(records) + other
    draft.outline.parsed = good > 0 and failed * 4 <= good + failed
    total = good if sample.whole else sample.size * good // max(sum(map(len, lines)), 1)
    if records:
        from plantwin.private.extract.formats.log_records import count_records, looks_like_log

        if looks_like_log(records, draft.path):
            count_records(draft, records)
        if _finding_lines(draft, records):
            return
        describe_records(draft, records, total)


def _finding_lines(draft: Draft, records: list[Tree]) -> bool:
    """Findings of scanners that write one per line."""
    if not all(record.keys() & {"template-id", "matcher-name", "rule_id", "check_id"} for record in records[:5]):
        return False
    draft.add("finding_record", len(records))
    for record in records[:200]:
        draft.name(text_of(record.get("template-id") or record.get("rule_id") or record.get("check_id")))
    return True
