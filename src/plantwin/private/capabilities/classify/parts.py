"""Parts of an object with their kinds: log lines, settings, sections of documents, definitions in code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from plantwin.private.capabilities.tables.cells import (
    BOOLEAN,
    DATE,
    EMPTY,
    INTEGER,
    NESTED,
    NUMBER,
    TIME,
    Cell,
    understood,
)
from plantwin.private.capabilities.tables.profiled import sensitive
from plantwin.private.capabilities.tables.table import Table
from plantwin.private.detect.engine import Detector
from plantwin.private.facts import private
from plantwin.private.formats.definitions import Definition, outline
from plantwin.private.formats.documents import sections
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.logs import Entry
from plantwin.private.formats.settings import Setting

SAMPLED = 2000
_PERSONAL = {"email": "contact", "phone": "contact", "person_name": "person"}
_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
_LOOKS = {
    "link": re.compile(r"https?://|^/[\w./-]+$|^(?:\d{1,3}\.){3}\d{1,3}$|^[\w-]+(?:/[\w.-]+)+$"),
    "money": re.compile(r"[$€£¥]\s?\d|\d\s?(?:EUR|USD|GBP)$"),
    "identifier": re.compile(r"^(?:[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-fA-F]{16,64}|[A-Z]{1,6}[-_]?\d{2,12})$"),
}
"""What the cells of a kind look like."""


def columns(detector: Detector, table: Table, *, several: bool = False) -> Iterator[Part]:
    """Yield each column with its meaning; `several`: the table is one of many, so its name is told too."""
    hidden = sensitive(detector, table)
    sample: list[list[Cell]] = [[] for _ in table.columns]
    for batch in table.batches():
        for at, cells in enumerate(batch.columns[: len(sample)]):
            sample[at] += list(cells[: SAMPLED - len(sample[at])])
        if not sample or len(sample[0]) >= SAMPLED:
            break
    for name, cells in zip(table.columns, sample, strict=True):
        kinds = Counter(understood(cell).kind for cell in cells)
        filled = sum(kinds.values()) - kinds[EMPTY]
        stored = next((kind for kind, _ in kinds.most_common() if kind != EMPTY), EMPTY)
        meaning = _meaning(name, cells, stored, filled)
        detail = f"{stored}, {filled} of {len(cells)} filled"
        if name in hidden:
            group, type_ = hidden[name]
            meaning = "secret" if group == "secret" else _PERSONAL.get(type_, "personal data")
            detail += f", {type_.replace('_', ' ')}"
        yield Part(meaning, f"{table.name}.{name}" if several else name, 0, detail, table.name)


def _meaning(name: str, cells: list[Cell], stored: str, filled: int) -> str:
    texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()][:500]
    named = [word.lower() for word in _SPLIT.split(name) if word]
    if not filled:
        return "empty"
    if stored == NESTED:
        return "nested"
    if stored in (DATE, TIME):
        return "time"
    if stored == BOOLEAN or (named and named[0] in ("is", "has")):
        return "flag"
    looks = _looks(texts)
    if looks:
        return looks
    distinct = len(set(texts))
    for word in reversed(named):
        for kind, known in words("column").items():
            if word in known and _possible(kind, stored, distinct, len(texts)):
                return kind
    if stored in (INTEGER, NUMBER):
        counted = stored == INTEGER and distinct == len(texts) > 20 and _is_rising(texts)
        return "identifier" if counted else "measure"
    if distinct <= max(2, len(texts) // 10) and distinct <= 50:
        return "category"
    return "text" if sum(map(len, texts)) > 24 * len(texts) else "label"


def _possible(kind: str, stored: str, distinct: int, total: int) -> bool:
    if kind in ("money", "quantity", "measure"):
        return stored in (INTEGER, NUMBER)
    if kind == "time":
        return stored in (INTEGER, DATE, TIME)
    if kind == "flag":
        return distinct <= 3
    if kind == "category":
        return total < 10 or distinct * 2 <= total
    return stored != NUMBER or kind in ("identifier", "place")


def _looks(texts: list[str]) -> str:
    if not texts:
        return ""
    for kind, pattern in _LOOKS.items():
        fits = sum(pattern.search(text[:200]) is not None for text in texts)
        if fits * 10 >= len(texts) * 9:
            return kind
    return ""


def _is_rising(texts: list[str]) -> bool:
    try:
        numbers = [int(text) for text in texts[:100]]
    except ValueError:
        return False
    return all(one < other for one, other in pairwise(numbers))


LOOKED = 120
"""Lines of one definition that are examined."""
_SWITCH = re.compile(r"true|false|yes|no|on|off", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_WORD_END = re.compile(r"[._\-\s]|(?<=[a-z])(?=[A-Z])")
_DUTY = re.compile(r"\b(?:must|shall|required|muss|müssen|doit|doivent|debe|deben|deberá)\b", re.IGNORECASE)
_STEP = re.compile(r"\s{0,12}\d{1,3}[.)]\s")
_CODE = re.compile(r"\s{4}\S|```|~~~|\$ ")
_ROW = re.compile(r"\s{0,8}\|.*\|")
_DATA = re.compile(
    r"@(?:dataclass|attr\.s|define|Entity|Data\b)"
    r"|\((?:BaseModel|NamedTuple|TypedDict|Enum|StrEnum|msgspec\.Struct|Base)\b"
    r"|^\s*(?:struct|record|enum|interface)\b",
    re.MULTILINE,
)
_TELLING = ("test", "error type", "lifecycle", "special method", "validation", "conversion")
"""Roles that a name tells whatever the lines call."""


@private
class Part(NamedTuple):
    """A line, column, section, definition, setting or finding."""

    kind: str
    name: str
    line: int = 0
    detail: str = ""
    group: str = ""
    """A second way to sort: the subsystem of a log line, the object of a finding."""
    times: int = 1


@cache
def words(table: str) -> dict[str, list[str]]:
    """Return the words, or patterns, by which each kind is known."""
    return dict(beside(__file__, "kinds.toml")[table])


@cache
def _patterns(table: str) -> dict[str, re.Pattern[str]]:
    flags = re.IGNORECASE if table in ("log", "setting", "section") else 0
    whole = r"(?:^|\W)(?:{})(?:\W|$)" if table == "section" else "{}"
    return {kind: re.compile(whole.format("|".join(known)), flags) for kind, known in words(table).items()}


def _first(table: str, text: str) -> str:
    """Return the first kind of a table whose pattern a text has; empty if none has."""
    return next((kind for kind, pattern in _patterns(table).items() if pattern.search(text)), "")


def log_lines(entries: Iterable[Entry]) -> Iterator[Part]:
    """Yield lines counted by level, subsystem and topic."""
    counts: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str, str], int] = {}
    for entry in entries:
        topic = f"request, {entry.status // 100}xx" if entry.status else _first("log", entry.text[:400]) or "other"
        key = (entry.level or "no level", entry.logger.strip("\0")[:80], topic)
        counts[key] += 1
        first.setdefault(key, entry.line)
    for key, count in counts.most_common():
        yield Part(key[0], key[2], first[key], "", key[1], count)


def settings_by_use(settings: Iterable[Setting]) -> Iterator[Part]:
    """Yield each setting with what it sets."""
    for setting in settings:
        yield Part(_use(setting), setting.path, setting.line)


def _use(setting: Setting) -> str:
    parts = [part for part in _WORD_END.split(setting.path) if not part.isdigit()]
    value = setting.value.strip()
    if _SWITCH.fullmatch(value):
        return "switch"
    last = parts[-1] if parts else ""
    for text in (last, "_".join(parts[-2:]) if len(parts) > 1 else setting.path, setting.path):
        found = _first("setting", text)
        if found:
            return found
    return "number" if _NUMBER.fullmatch(value) else "other"


def sections_by_purpose(format: str, text: str) -> Iterator[Part]:
    """Yield each section of a document with what it does: by its title, else by what stands in it or above it."""
    above: list[tuple[int, str]] = []
    for section in sections(format, text):
        lines = [line for line in section.body.split("\n") if line.strip()]
        above = [(level, kind) for level, kind in above if level < section.level]
        kind = _first("section", section.title[:200]) if section.title else "introduction"
        kind = kind or _by_shape(lines) or next((upper for _, upper in reversed(above) if upper), "")
        above.append((section.level, kind))
        title = section.title or "(opening)"
        yield Part(kind or ("prose" if lines else "heading"), title, section.line, f"{len(lines)} lines")


def _by_shape(lines: list[str]) -> str:
    """Return what most lines of a section look like."""
    if len(lines) < 2:
        return ""
    if sum(_ROW.match(line) is not None for line in lines) * 2 > len(lines):
        return "reference"
    if sum(_STEP.match(line) is not None for line in lines) * 3 > len(lines):
        return "procedure"
    if sum(_DUTY.search(line[:400]) is not None for line in lines) * 3 > len(lines):
        return "requirements"
    fences = sum(line.lstrip().startswith(("```", "~~~")) for line in lines)
    if fences >= 2 or sum(_CODE.match(line) is not None for line in lines) * 2 > len(lines):
        return "examples"
    return ""


def definitions_by_role(format: str, text: str) -> tuple[list[Part], bool]:
    """Return each definition with its role, and whether the text parsed."""
    found = outline(format, text)
    lines = text.split("\n")
    starts = sorted(definition.line for definition in found.definitions)
    ends = dict(pairwise([*starts, len(lines) + 1]))
    parts = []
    for definition in found.definitions:
        start = definition.line
        above: list[str] = []
        for line in reversed(lines[max(0, start - 9) : start - 1]):
            if not line.lstrip().startswith(("@", "#[", "[")):
                break
            above.append(line[:300])
        body = "\n".join(line[:400] for line in lines[start - 1 : min(ends[start] - 1, start + LOOKED)])
        role = _role(definition, "\n".join(above), body)
        parts.append(Part(role, definition.name, start, definition.kind))
    return parts, found.parsed


def _role(definition: Definition, above: str, body: str) -> str:
    name = definition.name.rpartition(".")[2]
    is_class = definition.kind == "class"
    if definition.kind == "definition":
        return "declaration"
    decorated = _first("decorator", above)
    if decorated:
        return decorated
    is_data = _DATA.search(above) or _DATA.search(body[:300])
    if is_class and is_data and not name.endswith(("Error", "Exception")):
        return "data type"
    named = _first("definition", name)
    called = "" if named in _TELLING or is_class else _first("body", body)
    return called or named or ("class" if is_class else "public function" if definition.public else "helper")
