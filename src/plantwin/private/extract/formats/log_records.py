"""Log records that are JSON: application records, cloud audit events, network flows."""

from __future__ import annotations

import re
from itertools import pairwise

from plantwin.private.extract.formats.clock import when
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, text_of
from plantwin.private.extract.formats.words import words

_WHEN = (
    "timestamp",
    "time",
    "ts",
    "@timestamp",
    "eventTime",
    "asctime",
    "datetime",
    "date",
    "@t",
    "start",
    "t",
    "occurred_at",
    "timeCreated",
    "TimeGenerated",
    "createdDateTime",
    "CreationTime",
    "StartTime",
)
_WHAT = words(
    "level severity msg message event log eventName status levelname logger log_level lvl severity_text @l @m "
    "id.orig_h method request path src_ip action log.level log.logger verb request_method httpMethod requestMethod "
    "operation operationName Operation"
)
_FAULTS = ("error", "err", "exception", "exc_info", "stack", "stack_trace", "stacktrace", "traceback")
"""Fields that say what went wrong: in words, or empty where nothing did. A number there is a measured error."""
_OUTCOMES = words(
    "code error_code status_code statusCode result outcome reason state type kind duration_ms wait_ms took_ms ok "
    "success"
)
"""Fields that every program writes, and many tables have: where logs are kept, they are enough."""
_ORDERED = 0.8
_PLACE = re.compile(r"(?:^|/)logs?/|(?:^|[/._-])logs?\.[a-z0-9.]{1,20}$", re.IGNORECASE)
_ERRORS = words("error err fatal critical crit severe emergency alert panic 50 60")
_WARNINGS = words("warning warn 40")
_LATENCY = words(
    "duration duration_ms latency latency_ms elapsed elapsed_ms took response_time request_time durationms"
)
_REQUESTED = frozenset(
    {"method", "http_method", "verb", "request", "request_method", "httpMethod", "requestMethod", "cs-method"}
)
_SERVED = frozenset({"path", "url", "uri", "request_uri", "requestUrl", "endpoint"})
_ACTORS = words(
    "actor principal userIdentity user username userId user_id userPrincipalName upn account initiator initiatedBy "
    "performed_by auth subject UserId caller identity admin by who"
)
_DEEDS = words(
    "operation action event eventName operationName activity activityDisplayName target resource object change "
    "event_type eventType Operation permission role what verb request"
)
_LEVELS = ("level", "severity", "levelname", "log.level", "lvl", "log_level", "severity_text", "@l")
_ENDS = frozenset({"src_ip", "id.orig_h", "srcaddr", "dst_ip", "dest_ip", "srcip", "source_ip", "dstaddr", "dstip"})
_FAILURES = ("denied", "unauthorized", "failure", "invalid credentials", "failed password", "login failed")
_AUTH_EVENTS = (
    "login",
    "logout",
    "signin",
    "assumerole",
    "createuser",
    "attachrolepolicy",
    "putuserpolicy",
    "createaccesskey",
)


def _time(record: Tree) -> int | None:
    for key in _WHEN:
        if key in record:
            value = record[key]
            if type(value) in (int, float):
                number = float(value)  # type: ignore[arg-type]
                number = number / 1000 if number > 1e11 else number
                return int(number) if 1e9 <= number < 7e9 else None
            return when(text_of(value))
    return None


def looks_like_log(records: list[Tree], path: str = "") -> bool:
    """A time and a message, level, event or fault in nearly every record; in a place of logs any outcome will do."""
    first = records[:20]
    timed = [record for record in first if any(key in record for key in _WHEN)]
    if len(timed) * 10 < len(first) * 8:
        return False
    found = sum(bool(record.keys() & _WHAT) or _faulty(record) is not None for record in timed)
    if found * 10 >= len(first) * 8:
        return True
    if not path or _PLACE.search(path) is None:
        return False
    told = sum(bool(record.keys() & _OUTCOMES) for record in timed)
    return told * 10 >= len(first) * 8 and _in_order(timed)


def _faulty(record: Tree) -> bool | None:
    """Whether a record tells of a fault; nothing where it has no field for one."""
    known: bool | None = None
    for key in _FAULTS:
        if key in record:
            value = record[key]
            if type(value) in (str, dict, list) and value:
                return True
            if type(value) in (int, float):
                continue
            known = False
    return known


def _in_order(records: list[Tree]) -> bool:
    """Whether times run on from record to record, as they do where a program wrote them."""
    times = [time for record in records if (time := _time(record)) is not None]
    onward = sum(before <= after for before, after in pairwise(times))
    return len(times) >= 2 and onward >= _ORDERED * (len(times) - 1)


def count_records(draft: Draft, records: list[Tree]) -> None:
    """Count each record by its fields, and the span of all."""
    draft.add("log_line", len(records))
    for record in records:
        _count(draft, record)
    times = [time for record in (*records[:5], *records[-5:]) if (time := _time(record)) is not None]
    if times:
        draft.outline.span = (min(times), max(times))


def _count(draft: Draft, record: Tree) -> None:
    keys = record.keys()
    level = ""
    for key in _LEVELS:
        if key in keys:
            level = text_of(record[key]).lower()
            break
    message = text_of(record.get("message") or record.get("msg") or record.get("event") or record.get("log"))[
        :300
    ].lower()
    status = text_of(
        record.get("status") or record.get("status_code") or record.get("statusCode") or record.get("sc_status")
    )
    failed = level in _ERRORS or (status[:1] == "5" and len(status) == 3)
    draft.add("log_error", failed or (not level and _faulty(record) is True))
    draft.add("log_warning", level in _WARNINGS)
    served = bool(keys & _REQUESTED) and bool(status or keys & _SERVED)
    draft.add("log_access", served)
    draft.add("log_latency", bool(keys & _LATENCY))
    stack = (
        record.get("stack")
        or record.get("stack_trace")
        or record.get("stacktrace")
        or record.get("exc_info")
        or record.get("exception")
        or record.get("traceback")
    )
    draft.add("stack_trace", bool(stack))
    draft.add("log_network", bool(keys & _ENDS))
    event = text_of(record.get("eventName") or record.get("action") or record.get("event_type")).lower()
    audit = (
        "userIdentity" in keys
        or "actor" in keys
        or "principal" in keys
        or any(word in event for word in _AUTH_EVENTS)
        or bool(not level and not served and keys & _ACTORS and keys & _DEEDS)
    )
    refused = "errorCode" in keys or status in ("401", "403") or any(word in message for word in _FAILURES)
    draft.add("log_auth", audit or any(word in message for word in ("login", "logged in", "authenticat", "password")))
    draft.add(
        "log_auth_failure",
        refused and (audit or status in ("401", "403") or any(word in message for word in _FAILURES)),
    )
    draft.add(
        "log_restart", any(word in message for word in ("starting", "started", "shutting down", "stopped", "restart"))
    )
