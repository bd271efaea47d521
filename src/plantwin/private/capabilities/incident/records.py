"""Entries that have fields: JSON, `key=value`, requests as web servers write them, exports of the journal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

from plantwin.private.capabilities.incident.entry import Entry, level_of, level_of_number
from plantwin.private.capabilities.incident.moments import seconds

LARGEST = 64 << 10
"""Bytes of one JSON record."""
_WHEN = (
    "timestamp", "time", "ts", "@timestamp", "eventTime", "asctime", "datetime", "date", "@t", "t", "occurred_at",
    "timeCreated", "TimeGenerated", "created_at", "CreationTime", "StartTime", "__REALTIME_TIMESTAMP", "start_time",
)  # fmt: skip
_WHAT = (
    "message",
    "msg",
    "MESSAGE",
    "event",
    "@m",
    "log",
    "textPayload",
    "eventName",
    "short_message",
    "error",
    "operation",
)
_LEVEL = (
    "level",
    "severity",
    "levelname",
    "log.level",
    "lvl",
    "log_level",
    "severity_text",
    "@l",
    "PRIORITY",
    "s",
    "loglevel",
)
_ORIGIN = (
    "logger", "logger_name", "log.logger", "name", "service", "component", "module", "SYSLOG_IDENTIFIER",
    "_SYSTEMD_UNIT", "app", "c", "eventSource", "source", "caller",
)  # fmt: skip
_FROM = (
    "ip", "remote_addr", "client_ip", "src_ip", "sourceIPAddress", "remoteAddr", "remote_ip", "clientIp", "id.orig_h",
    "client", "remote", "source_ip", "remoteIp", "addr", "x_forwarded_for",
)  # fmt: skip
_STATUS = ("status", "status_code", "statusCode", "sc_status", "http_status", "response_code", "code")
_PATH = ("path", "url", "uri", "request_uri", "requestUrl", "endpoint", "route")
_METHOD = ("method", "http_method", "verb", "request_method", "httpMethod", "requestMethod")
_STACK = ("stack", "stack_trace", "exc_info", "exception", "traceback", "stacktrace", "error_stack", "exc_text")
_LATENCY = {
    "duration_ms": 1.0, "latency_ms": 1.0, "elapsed_ms": 1.0, "responseTime": 1.0, "response_time_ms": 1.0,
    "durationMs": 1.0, "latencyMs": 1.0, "took_ms": 1.0, "request_time": 1000.0, "upstream_response_time": 1000.0,
    "duration": 0.0, "latency": 0.0, "elapsed": 0.0, "response_time": 0.0, "took": 0.0, "time_taken": 1.0, "rt": 1000.0,
    "durationMillis": 1.0, "duration_s": 1000.0, "duration_seconds": 1000.0,
}  # fmt: skip
"""Fields with a duration, and how many milliseconds their unit has; zero where the value has to tell."""
_NESTED = (
    "http",
    "httpRequest",
    "request",
    "req",
    "res",
    "response",
    "err",
    "error",
    "attr",
    "data",
    "context",
    "fields",
)
_ACCESS = re.compile(
    r"(\S{1,100}) \S{1,60} \S{1,100} \[([^\]\n]{1,40})\] \"(?:([A-Z]{3,10}) (\S{0,3000})(?: HTTP/[\d.]{1,3})?"
    r"|[^\"\n]{0,3000})\" "
    r"(\d{3}) (\d{1,12}|-)"
)
_TAIL = re.compile(
    r"(?:rt=|request_time=|rt:)\"?(\d{1,7}\.\d{1,6})|[\" ](\d{1,7}\.\d{1,6})(?: \S{0,60})?$|\" (\d{1,12})$"
)
_PAIR = re.compile(r"([A-Za-z_@][\w.@-]{0,60})=(?:\"((?:[^\"\\\n]|\\.){0,3000})\"|(\S{0,2000}))")
_AMOUNT = re.compile(r"(\d{1,12}(?:\.\d{1,9})?) ?(ns|us|µs|ms|msec|s|secs?|seconds|m|min)?$")
_UNITS = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "ms": 1.0, "msec": 1.0, "m": 60000.0, "min": 60000.0}
_LISTS = ("Records", "records", "events", "logs", "entries", "items", "Events")


def decoded(number: int, line: str, inner: Callable[[int, str], Entry]) -> Entry | None:
    """A record in JSON; None where it is none."""
    if len(line) > LARGEST:
        return None
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("log"), str) and "stream" in value:
        within = inner(number, value["log"].rstrip("\n")[:4000])
        if not within.timed:
            within.time = _time(value)
        return within
    return record(number, value)


def record(number: int, value: Mapping[str, object]) -> Entry:
    """An entry from named fields."""
    flat: dict[str, object] = dict(value)
    for key in _NESTED:
        inner = value.get(key)
        if isinstance(inner, dict):
            flat = {**{str(name): each for name, each in list(inner.items())[:100]}, **flat}
    level = ""
    for key in _LEVEL:
        level = _level(flat.get(key))
        if level:
            break
    status = _number(_first(flat, _STATUS))
    path = _text(_first(flat, _PATH))
    method = _text(_first(flat, _METHOD))
    said = _text(_first(flat, _WHAT))
    stack = next((flat[key] for key in _STACK if isinstance(flat.get(key), (str, list)) and flat[key]), "")
    lines = stack if isinstance(stack, list) else _text(stack, 20_000).split("\n")
    latency = next((each for key, unit in _LATENCY.items() if (each := _milliseconds(flat.get(key), unit)) >= 0), -1.0)
    code = int(status) if 100 <= status <= 599 else 0
    if not level and code:
        level = "error" if code >= 500 else "info"
    if code >= 500 and level in ("info", "debug"):
        level = "error"
    text = said or (
        f"{method} {path} {code}" if path else " ".join(f"{key}={_text(each)}" for key, each in list(flat.items())[:12])
    )
    return Entry(
        number,
        time=_time(flat),
        level=level,
        text=text,
        logger=_text(_first(flat, _ORIGIN))[:120],
        address=_text(_first(flat, _FROM))[:60],
        method=method if path else "",
        path=path.partition("?")[0] if not said else path,
        status=code,
        latency=latency,
        more=[_text(each) for each in lines[:200]] if stack else [],
    )


def fields(number: int, line: str) -> Entry | None:
    """A record of `key=value` pairs."""
    pairs = {
        match[1]: match[2].replace('\\"', '"') if match[2] is not None else match[3]
        for match in _PAIR.finditer(line[:4000])
    }
    if len(pairs) < 2:
        return None
    made = record(number, pairs)
    if not made.timed:
        made.time = seconds(line[:120])
    return made


def access(number: int, line: str) -> Entry | None:
    """A request as a web server writes it."""
    match = _ACCESS.match(line)
    if match is None:
        return None
    status = int(match[5])
    method, path = match[3] or "?", match[4] or "?"
    tail = _TAIL.search(line[match.end() :][-300:])
    latency = -1.0
    if tail is not None:
        latency = float(tail[3]) / 1000 if tail[3] else float(tail[1] or tail[2]) * 1000
    return Entry(
        number,
        time=seconds(match[2]),
        level="error" if status >= 500 else "info",
        text=f"{method} {path} {status}",
        address=match[1],
        method=method,
        path=path,
        status=status,
        latency=latency,
    )


def journal(text: str) -> list[Entry] | None:
    """The entries of an export of the journal; None where the text is none."""
    if "__REALTIME_TIMESTAMP=" not in text[:4000] or text.lstrip()[:1] == "{":
        return None
    found: list[Entry] = []
    pairs: dict[str, object] = {}
    begun = 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line:
            key, _, value = line[:4000].partition("=")
            pairs[key] = value
        elif pairs:
            found.append(record(begun, pairs))
            pairs = {}
        if not line:
            begun = number + 1
    return found


def whole(text: str) -> list[Entry] | None:
    """The entries of one JSON document that lists them; None where the text is none."""
    head = text[:200].lstrip()
    if not head.startswith(("[", "{")) or (head.startswith("{") and "\n{" in text[: LARGEST * 2]):
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    if not isinstance(value, list) or not value:
        return None
    return [record(0, each) for each in value if isinstance(each, dict)]


def _first(fields: Mapping[str, object], keys: Iterable[str]) -> object:
    return next((fields[key] for key in keys if fields.get(key) not in (None, "", [], {})), None)


def _text(value: object, most: int = 2000) -> str:
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, dict):
        return _text(_first(value, ("message", "msg", "$date", "name")), most)
    return ""


def _number(value: object) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    return float(value) if isinstance(value, str) and value[:6].isdigit() and len(value) <= 6 else 0.0


def _level(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, (int, float)):
        return level_of_number(value)
    if isinstance(value, str):
        return (
            level_of_number(int(value)) if value.isdigit() and len(value) < 4 else level_of(value[:20].split("-")[-1])
        )
    return ""


def _time(fields: Mapping[str, object]) -> float:
    for key in _WHEN:
        value = fields.get(key)
        if isinstance(value, dict):
            value = value.get("$date")
        if isinstance(value, str) and value[:10].isdigit():
            value = float(value[:20]) if value[:20].replace(".", "", 1).isdigit() else None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            number = float(value)
            for limit in (1e17, 1e14, 1e11):
                if number > limit:
                    number /= {1e17: 1e9, 1e14: 1e6, 1e11: 1e3}[limit]
                    break
            if 1e9 <= number < 7e9:
                return number
        elif isinstance(value, str):
            found = seconds(value[:60])
            if found >= 0:
                return found
    return -1.0


def _milliseconds(value: object, unit: float) -> float:
    """A duration; where nothing names a unit, a fraction in JSON counts as seconds, the rest as milliseconds."""
    if isinstance(value, bool) or value is None:
        return -1.0
    if isinstance(value, (int, float)):
        return float(value) * (unit or (1.0 if isinstance(value, int) else 1000.0))
    if isinstance(value, str):
        match = _AMOUNT.match(value[:40])
        if match is not None:
            amount = float(match[1])
            if match[2]:
                return amount * _UNITS.get(match[2], 1000.0)
            return amount * (unit or 1.0)
    return -1.0
