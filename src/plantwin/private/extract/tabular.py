"""Tables without a name that says so: by separators, by spaces, by fixed columns."""

from __future__ import annotations

import re

_NUMERIC = re.compile(rb"[-+]?\d[\d.,eE:/+-]{0,30}%?|NaN|nan|NA|-{1,2}")
_GAP = re.compile(rb" {2,}|\t")
_DSV = {b",": "csv", b"\t": "tsv", b";": "csv", b"|": "csv"}


def aligned(lines: list[bytes]) -> bool:
    """A table whose columns are set apart by spaces: as many fields on every line, numbers for the most part."""
    rows = [line.split() for line in lines]
    width = len(rows[-1])
    if width < 2 or sum(len(row) == width for row in rows) * 10 < len(rows) * 9:
        return False
    body = rows[1:]
    return sum(_NUMERIC.fullmatch(cell) is not None for row in body for cell in row) * 5 >= len(body) * width * 3


def columned(lines: list[bytes]) -> bool:
    """A listing under a line of titles: columns at least two spaces apart, or as many words on every line below."""
    words = [len(line.split()) for line in lines]
    if len(words) >= 3 and min(words[1:]) == max(words[1:]) >= 4 and words[1] <= words[0] <= words[1] + 3:
        digits = sum(any(48 <= byte <= 57 for byte in cell) for line in lines[1:] for cell in line.split())
        if digits * 2 >= sum(words[1:]) and not any(48 <= byte <= 57 for byte in lines[0][:20]):
            return True
    rows = [_GAP.split(line.strip()) for line in lines if line.strip(b"-= +|")]
    width = len(rows[0]) if len(rows) > 2 else 0
    if width < 3 or sum(abs(len(row) - width) <= 1 for row in rows) * 10 < len(rows) * 9:
        return False
    return all(len(cell) <= 30 and not cell[:1].isdigit() for cell in rows[0])


def fixed(lines: list[bytes]) -> bool:
    """Records of fixed columns: lines of nearly one length, full of digits, that are neither sentences nor code."""
    lengths = sorted(map(len, lines))
    usual = lengths[len(lengths) // 2]
    if usual < 24 or sum(abs(length - usual) <= max(2, usual // 8) for length in lengths) * 3 < len(lines) * 2:
        return False
    digits = sum(1 for line in lines for byte in line if 48 <= byte <= 57)
    upper = sum(1 for line in lines for byte in line if 97 <= byte <= 122)
    return digits * 4 >= sum(lengths) and upper * 5 <= sum(lengths) and len({line[:1] for line in lines}) <= 6


def all_tabular(lines: list[bytes]) -> bool:
    return bool(separator(lines))


def separator(lines: list[bytes]) -> str:
    """CSV or TSV when one separator occurs equally often on nearly every line."""
    for mark, form in _DSV.items():
        count = lines[0].count(mark)
        if count == 0 or (count == 1 and mark != b"\t" and len(lines) < 4):
            continue
        if mark == b"|" and lines[0].startswith(b"|"):
            continue
        if sum(1 for line in lines if line.count(mark) == count) >= len(lines) * 0.85 and not _prose(lines, mark):
            return form
    return ""


def _prose(lines: list[bytes], mark: bytes) -> bool:
    """Sentences and statements also hold commas: a table's cells are short, and its lines do not end in `;` or `{`."""
    if sum(1 for line in lines if line.endswith((b";", b"{", b"}", b")", b"."))) > len(lines) // 2:
        return True
    return mark == b"," and sum(line.count(b", ") for line in lines) > sum(line.count(b",") for line in lines) * 0.6
