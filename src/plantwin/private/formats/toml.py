"""TOML: plain values for a scan, or nodes with lines.

The library reads the values; a walk over the lines says where keys stand, and reads what is too large or broken.
"""

from __future__ import annotations

import re
import tomllib

from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NUMBER, TEXT, Document, Fault, Node
from plantwin.private.formats.values import Tree, unquote

WHOLE = 512 << 10
"""Larger texts are not read as nodes: the library is slow."""
SCANNED = 16 << 10
"""Larger texts are read by lines in a scan: the library is quadratic on dotted keys."""
_DOTS = 60
_SCANNED_DOTS = 100
_HEADER = re.compile(r"\s{0,40}(\[\[?)\s{0,10}([^\[\]\n]{1,300}?)\s{0,10}\]\]?\s{0,40}(?:#.*)?$")
_KEY = re.compile(
    r"\s{0,80}((?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[\w-]{1,200})(?:\s{0,8}\.\s{0,8}(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[\w-]{1,200})){0,20})\s{0,40}="
)
_PAIR = re.compile(r"\s{0,40}([\w.\"'-]{1,200}?)\s{0,20}=\s{0,20}(.{0,4000})")
_ITEM = re.compile(r"\"([^\"\n]{0,400})\"|'([^'\n]{0,400})'")
_AT = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)")
_PART = re.compile(r"\"([^\"]{0,200})\"|'([^']{0,200})'|([\w-]{1,200})")
Path = tuple[str, ...]


def load(text: str, whole: bool) -> tuple[Tree, bool]:
    """Return the table of a text as plain values, and whether nothing in it is known to be broken."""
    if whole and all(line.count(".") < _SCANNED_DOTS for line in text.split("\n")):
        try:
            return tomllib.loads(text), True
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            return read_lines(text), False
    return read_lines(text), True


def read_lines(text: str) -> Tree:
    """Read tables, keys and simple values by lines: for what is too large or broken for the library."""
    root: Tree = {}
    table: Tree = root
    array: list[object] | None = None
    for line in text.split("\n"):
        if array is not None:
            array.extend(a or b for a, b in _ITEM.findall(line[:4000]))
            if "]" in line.rsplit('"', 1)[-1]:
                array = None
            continue
        header = _HEADER.match(line)
        if header:
            table = _open_table(root, header[2], header[1] == "[[")
            continue
        pair = _PAIR.match(line)
        if pair is None:
            continue
        key, value = pair[1].strip("\"'"), pair[2].strip()
        if value.startswith("["):
            items: list[object] = [a or b for a, b in _ITEM.findall(value)]
            table[key] = items
            array = None if "]" in value.rsplit('"', 1)[-1] else items
        else:
            table[key] = unquote(value)
    return root


def _open_table(root: Tree, name: str, repeated: bool) -> Tree:
    parts = [part.strip("\"' ") for part in name.split(".")][:12]
    here = root
    for part in parts[:-1]:
        below = here.get(part)
        if type(below) is list and below and type(below[-1]) is dict:
            below = below[-1]
        if type(below) is not dict:
            below = here[part] = {}
        here = below
    fresh: Tree = {}
    if repeated:
        rows = here.get(parts[-1])
        if type(rows) is not list:
            rows = here[parts[-1]] = []
        rows.append(fresh)
        return fresh
    known = here.get(parts[-1])
    if type(known) is dict:
        return known
    here[parts[-1]] = fresh
    return fresh


def read(document: Document) -> None:
    """Add the table of a text as nodes."""
    text = document.source.text
    if len(text) > WHOLE or any(line.count(".") > _DOTS and "=" not in line[:200] for line in text.split("\n")):
        document.whole = False
        return
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = str(error)
        match = _AT.search(told)
        line = int(match[1]) if match is not None and match[1] else text.count("\n") + 1
        what = told.split("(at", 1)[0].split("'", 1)[0].split(":", 1)[0].strip()
        twice = "overwrite" in told or "twice" in told
        message = "A key or table is stated twice" if twice else f"Not valid TOML: {what[:100]}"
        document.faults.append(Fault(line, message, "Keep one of them." if twice else "", repeated=twice))
        return
    except (ValueError, RecursionError):
        document.faults.append(Fault(1, "It does not parse as TOML"))
        return
    document.roots.append(_node(tree, (), _lines(text), 1))


def _lines(text: str) -> dict[Path, int]:
    """Return the line of every key by its path; tables of an array carry their number."""
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    quoted = ""
    for number, line in enumerate(text.split("\n"), start=1):
        line = line[:5000]
        if quoted:
            if line.count(quoted) % 2:
                quoted = ""
            continue
        head = _HEADER.match(line)
        if head is not None:
            table = _parts(head[2])
            table = _numbered(table[:-1], counts) + table[-1:]
            if head[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, str(counts[table]))
            else:
                table = _numbered(table, counts)
            found.setdefault(table, number)
            continue
        match = _KEY.match(line)
        if match is not None:
            path = table + _parts(match[1])
            for length in range(len(table) + 1, len(path) + 1):
                found.setdefault(path[:length], number)
            for quote in ('"""', "'''"):
                if line.count(quote) == 1:
                    quoted = quote
    return found


def _numbered(table: Path, counts: dict[Path, int]) -> Path:
    """Return a path with the number of the last table of each array on its way."""
    made: Path = ()
    for part in table:
        made = (*made, part)
        if made in counts:
            made = (*made, str(counts[made]))
    return made


def _parts(text: str) -> Path:
    return tuple(a or b or c for a, b, c in _PART.findall(text))[:24]


def _node(value: object, path: Path, lines: dict[Path, int], line: int) -> Node:
    line = lines.get(path, line)
    if isinstance(value, dict):
        made = Node(MAP, line)
        for key, child in value.items():
            made.map[key] = _node(child, (*path, key), lines, line)
            made.lines[key] = lines.get((*path, key), made.map[key].line)
        return made
    if isinstance(value, list):
        return Node(LIST, line, items=[_node(child, (*path, str(at)), lines, line) for at, child in enumerate(value)])
    if isinstance(value, bool):
        return Node(BOOLEAN, line, "true" if value else "false")
    if isinstance(value, (int, float)):
        return Node(NUMBER, line, str(value) if not isinstance(value, int) or abs(value) < 1 << 64 else "0")
    return Node(TEXT, line, str(value), quoted=True)
