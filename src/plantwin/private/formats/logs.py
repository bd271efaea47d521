"""Read the entries of a log, whatever its format: plain lines, JSON, `key=value`, web servers, journals, containers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import Lexicon, beside
from plantwin.private.formats.timestamps import seconds

_LEXICON = Lexicon(__file__)

START = _LEXICON.pattern("start")


LONGEST = 4000
"""Characters of one line that are read."""
LARGEST = 64 << 10
"""Characters of one JSON record."""
MOST_MORE = 200
"""Lines that are kept of what belongs to one entry."""

_TABLES = beside(__file__, "logs.toml")
_FIELDS: dict[str, tuple[str, ...]] = {
    name: tuple(fields.split()) for name, fields in _TABLES.items() if isinstance(fields, str)
}
_LATENCY: dict[str, float] = _TABLES["latency"]
_LEVELS: dict[str, str] = {word: level for level, words in _TABLES["levels"].items() for word in words.split()}
_SYSLOG_LEVELS = ("critical", "critical", "critical", "error", "warning", "info", "info", "debug")
_NODE_LEVELS = ("debug", "debug", "info", "warning", "error", "critical")
_MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1.0, "msec": 1.0, "m": 60000.0, "min": 60000.0}


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_TABLES["patterns"][name])


_STAMP = _pattern("stamp")
_LEVEL = _pattern("level")
_CRASH = _pattern("crash")
_SYSLOG = _pattern("syslog")
_RFC5424 = _pattern("rfc5424")
_LOGGER = _pattern("logger")
_ADDRESS = _pattern("address")
_CONTAINER = _pattern("container")
_TRACE = _pattern("trace")
_ANDROID = _pattern("android")
_REQUEST = _pattern("request")
_BALANCED = _pattern("balanced")
_ACCESS = _pattern("access")
_ACCESS_TIME = _pattern("access_time")
_PAIR = _pattern("pair")
_DURATION = _pattern("duration")


class Entry(Private, msgspec.Struct):
    """One record of a log. Empty, zero or below zero where it does not say."""

    line: int
    time: float = -1.0
    """Unix seconds; see `timestamps` for those without a year or a date."""
    level: str = ""
    """debug, info, warning, error or critical."""
    text: str = ""
    """The message, without its time."""
    logger: str = ""
    """The program, unit, class or module that wrote it."""
    address: str = ""
    method: str = ""
    path: str = ""
    status: int = 0
    latency: float = -1.0
    """Milliseconds."""
    more: list[str] = []
    """Further lines that belong to it."""

    @property
    def timed(self) -> bool:
        """Whether it has a time."""
        return self.time >= 0

    @property
    def failed(self) -> bool:
        """Whether its level is that of an error."""
        return self.level in ("error", "critical")


def entries(text: str) -> list[Entry]:
    """Read every entry of a log, in the order of its lines."""
    found = _journal(text)
    if found is None:
        found = _document(text)
    return list(_by_lines(text.split("\n"))) if found is None else found


def _by_lines(lines: list[str]) -> Iterator[Entry]:
    loose = _loose(lines)
    current: Entry | None = None
    for number, line in enumerate(lines, 1):
        line = line[:LONGEST]
        if not line.strip():
            continue
        started = START.match(line[:300])
        if started is None and (not loose or (current is not None and _TRACE.match(line))):
            if current is None:
                current = Entry(number, text=line.strip(), level=_crash_level(line))
            elif len(current.more) < MOST_MORE:
                current.more.append(line)
                if not current.level and not current.more[1:]:
                    current.level = _crash_level(line)
            continue
        entry = _entry(number, line, started)
        if current is not None and entry.text and _continues(current, entry, line):
            if len(current.more) < MOST_MORE:
                current.more.append(entry.text)
            continue
        if current is not None:
            yield current
        current = entry
    if current is not None:
        yield current


def _loose(lines: list[str]) -> bool:
    """Return whether most lines begin no entry in any known way: then each that is not indented is one."""
    first = [line[:300] for line in lines[:4000] if line.strip() and not _TRACE.match(line[:300])][:1000]
    return sum(START.match(line) is not None for line in first) * 5 < len(first)


def _continues(current: Entry, entry: Entry, line: str) -> bool:
    """Return whether a line belongs to the trace above: containers and devices stamp every line of one."""
    container = line[0] in "{2" and not entry.level and entry.logger == "\0"
    device = entry.logger == current.logger and _ANDROID.match(line) is not None
    return (container or device) and _TRACE.match(entry.text) is not None


def _entry(number: int, line: str, started: re.Match[str] | None) -> Entry:
    kind = started.lastgroup if started is not None else ""
    made: Entry | None = None
    if kind == "json":
        made = _json_line(number, line)
    elif kind == "access":
        made = _access(number, line)
    elif kind == "logfmt" or (kind and "=" in line and " msg=" in line):
        made = _logfmt(number, line)
    elif kind and (wrapped := _CONTAINER.match(line)) is not None:
        made = _inside_container(number, line[wrapped.end() :])
        if not made.timed:
            made.time = seconds(wrapped[1])
    return made or _plain(number, line)


def _inside_container(number: int, text: str) -> Entry:
    """Read what a container wrote. `\\0` as its logger marks a line that does not begin an entry of its own."""
    if START.match(text[:300]) is None:
        level = _crash_level(text) if not text[:1].isspace() else ""
        return Entry(number, text=text.rstrip(), logger="\0", level=level)
    return (_json_line(number, text) if text.startswith("{") else None) or _plain(number, text)


def _plain(number: int, line: str) -> Entry:
    """Read the time, level, origin and address of a line of text."""
    if (device := _ANDROID.match(line)) is not None:
        date, clock, level, logger, text = device.groups()
        return Entry(number, time=seconds(f"1972-{date} {clock}"), level=level_of(level), text=text, logger=logger)
    stamp = _STAMP.match(line)
    text = line[stamp.end() :].strip() if stamp is not None and stamp.end() else line.strip()
    logger = level = ""
    if stamp is not None:
        if line[0] in "IWEF" and line[1:5].isdigit():
            level = level_of(line[0])
        system = _RFC5424.match(text) if line.startswith("<") else None
        system = system or _SYSLOG.match(text)
        if system is not None and not level_of(system[1]) and (line[0] in "<JFMASOND" or line[10:11] == "T"):
            logger = system[2]
            text = text[system.end() :]
    if not level:
        found = _LEVEL.search(text[:160])
        level = level_of(found[found.lastindex or 0]) if found is not None else _crash_level(text)
    if not logger:
        name = _LOGGER.search(text[:100])
        logger = name[1] if name is not None else ""
    made = Entry(
        number, time=seconds(line[:120]), level=level, text=text or line.strip(), logger=logger, address=_address(text)
    )
    if "/" in text and (request := _REQUEST.search(text[:2000])) is not None:
        made.method, made.path, made.status = request[1], request[2], int(request[3])
    elif " HTTP/" in text and (balanced := _BALANCED.search(text[:3000])) is not None:
        made.method, made.path, made.status = balanced[3], balanced[4], int(balanced[2])
        made.latency = float(balanced[1]) if balanced[1] else -1.0
        made.text = f"{made.method} {made.path} {made.status}"
    if made.status >= 500 and not made.failed:
        made.level = "error"
    return made


def _address(text: str) -> str:
    if "." not in text and ":" not in text:
        return ""
    found = _ADDRESS.search(text[:600])
    return (found[1] or found[2]) if found is not None else ""


def _crash_level(text: str) -> str:
    return "error" if _CRASH.search(text[:300]) is not None else ""


def level_of(level: object) -> str:
    """Return one of five words for a level: a word, 10 to 60 as Node loggers write it, 0 to 7 as syslog does."""
    if isinstance(level, str) and not (level.isdigit() and len(level) < 4):
        return _LEVELS.get(level[:20].split("-")[-1].lower(), "")
    if isinstance(level, bool) or not isinstance(level, (int, float, str)):
        return ""
    number = int(level)
    if number >= 10:
        return _NODE_LEVELS[min(number // 10 - 1, 5)]
    return _SYSLOG_LEVELS[min(max(number, 0), 7)]


def _json_line(number: int, line: str) -> Entry | None:
    value = _decoded(line) if len(line) <= LARGEST else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("log"), str) and "stream" in value:
        made = _inside_container(number, value["log"].rstrip("\n")[:LONGEST])
        if not made.timed:
            made.time = _time(value)
        return made
    return record(number, value)


def _decoded(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def record(number: int, value: Mapping[str, object]) -> Entry:
    """Make an entry from named fields."""
    flat: dict[str, object] = dict(value)
    for key in _FIELDS["nested"]:
        inner = value.get(key)
        if isinstance(inner, dict):
            flat = {**{str(name): pair for name, pair in list(inner.items())[:100]}, **flat}
    level = next((found for key in _FIELDS["level"] if (found := level_of(flat.get(key)))), "")
    status = int(code) if 100 <= (code := _number(_first(flat, "status"))) <= 599 else 0
    path, method, message = (_text(_first(flat, name)) for name in ("path", "method", "message"))
    stack = next((flat[key] for key in _FIELDS["stack"] if isinstance(flat.get(key), (str, list)) and flat[key]), "")
    trace = stack if isinstance(stack, list) else _text(stack, 20_000).split("\n")
    latencies = (_milliseconds(flat.get(key), unit) for key, unit in _LATENCY.items())
    if not level and status:
        level = "error" if status >= 500 else "info"
    if status >= 500 and level in ("info", "debug"):
        level = "error"
    text = message or (f"{method} {path} {status}" if path else "")
    return Entry(
        number,
        time=_time(flat),
        level=level,
        text=text or " ".join(f"{key}={_text(pair)}" for key, pair in list(flat.items())[:12]),
        logger=_text(_first(flat, "logger"))[:120],
        address=_text(_first(flat, "address"))[:60],
        method=method if path else "",
        path=path if message else path.partition("?")[0],
        status=status,
        latency=next((latency for latency in latencies if latency >= 0), -1.0),
        more=[_text(line) for line in trace[:MOST_MORE]] if stack else [],
    )


def _logfmt(number: int, line: str) -> Entry | None:
    pairs = {
        match[1]: match[2].replace('\\"', '"') if match[2] is not None else match[3]
        for match in _PAIR.finditer(line[:LONGEST])
    }
    if len(pairs) < 2:
        return None
    made = record(number, pairs)
    if not made.timed:
        made.time = seconds(line[:120])
    return made


def _access(number: int, line: str) -> Entry | None:
    """Read a request as a web server writes it."""
    match = _ACCESS.match(line)
    if match is None:
        return None
    status = int(match[5])
    method, path = match[3] or "?", match[4] or "?"
    tail = _ACCESS_TIME.search(line[match.end() :][-300:])
    latency = -1.0
    if tail is not None:
        latency = float(tail[3]) / 1000 if tail[3] else float(tail[1] or tail[2]) * 1000
    return Entry(
        number, time=seconds(match[2]), level="error" if status >= 500 else "info", text=f"{method} {path} {status}",
        address=match[1], method=method, path=path, status=status, latency=latency,
    )  # fmt: skip


def _journal(text: str) -> list[Entry] | None:
    """Read an export of systemd's journal; None where the text is none."""
    if "__REALTIME_TIMESTAMP=" not in text[:4000] or text.lstrip()[:1] == "{":
        return None
    found: list[Entry] = []
    pairs: dict[str, object] = {}
    begun = 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line:
            key, _, value = line[:LONGEST].partition("=")
            pairs[key] = value
            continue
        if pairs:
            found.append(record(begun, pairs))
            pairs = {}
        begun = number + 1
    return found


def _document(text: str) -> list[Entry] | None:
    """Read one JSON document that lists records; None where the text is none."""
    head = text[:200].lstrip()
    if not head.startswith(("[", "{")) or (head.startswith("{") and "\n{" in text[: LARGEST * 2]):
        return None
    value = _decoded(text)
    if isinstance(value, dict):
        value = next((value[key] for key in _FIELDS["lists"] if isinstance(value.get(key), list)), None)
    if not isinstance(value, list) or not value:
        return None
    return [record(0, member) for member in value if isinstance(member, dict)]


def _first(fields: Mapping[str, object], name: str) -> object:
    return next((fields[key] for key in _FIELDS[name] if fields.get(key) not in (None, "", [], {})), None)


def _text(value: object, most: int = 2000) -> str:
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, dict):
        inner = (value.get(key) for key in ("message", "msg", "$date", "name"))
        return _text(next((pair for pair in inner if pair not in (None, "", [], {})), None), most)
    return ""


def _number(value: object) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    return float(value) if isinstance(value, str) and value[:6].isdigit() and len(value) <= 6 else 0.0


def _time(fields: Mapping[str, object]) -> float:
    for key in _FIELDS["time"]:
        value = fields.get(key)
        if isinstance(value, dict):
            value = value.get("$date")
        if isinstance(value, str) and value[:10].isdigit():
            value = float(value[:20]) if value[:20].replace(".", "", 1).isdigit() else None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            number = float(value)
            scale = next((scale for limit, scale in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)) if number > limit), 1.0)
            if 1e9 <= number / scale < 7e9:
                return number / scale
        elif isinstance(value, str) and (found := seconds(value[:60])) >= 0:
            return found
    return -1.0


def _milliseconds(value: object, unit: float) -> float:
    """Read a duration; where nothing names a unit, a fraction in JSON counts as seconds, the rest as milliseconds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value) * (unit or (1.0 if isinstance(value, int) else 1000.0))
    match = _DURATION.match(value[:40]) if isinstance(value, str) else None
    if match is None:
        return -1.0
    return float(match[1]) * (_MILLISECONDS.get(match[2], 1000.0) if match[2] else unit or 1.0)
