"""Lines of logs by level and subsystem, and by what they tell of; settings by what they set."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from plantwin.private.capabilities.common.settings import Setting
from plantwin.private.capabilities.incident.entry import Entry
from plantwin.private.capabilities.kinds.part import Part

_TOPICS: tuple[tuple[str, str], ...] = (
    ("exception", r"traceback|exception|stack ?trace|panic|segfault|core dumped|uncaught|unhandled"),
    ("sign-in", r"log(?:ged)? ?in|sign(?:ed)? ?in|log(?:ged)? ?out|password|authenticat|unauthori[sz]ed|forbidden|invalid user|session (?:opened|closed)|sudo|token"),
    ("timeout", r"time[d]? ?out|deadline exceeded|no answer|slow"),
    ("connection", r"connection|connect(?:ed|ing)?\b|refused|reset by peer|unreachable|disconnect|socket|dns|handshake|tls|ssl"),
    ("start and stop", r"start(?:ed|ing|up)|stopp?(?:ed|ing)|shut(?:ting)? ?down|restart|booting|listening|ready|exited|terminated|killed|deploy|reload"),
    ("database", r"database|sql\b|query|postgres|mysql|sqlite|mongo|redis|transaction|deadlock|migration"),
    ("resources", r"out of memory|oom|disk|no space|quota|memory|cpu|throttl|rate limit|too many"),
    ("configuration", r"config|setting|environment|deprecat|version|loaded"),
    ("payment", r"payment|charg(?:e|ing)|refund|invoice|order \d|checkout"),
    ("job", r"\bjob\b|task|cron|schedul|queue|worker|batch"),
    ("storage", r"\bfile\b|upload|download|backup|sync|bucket|written|saved"),
)  # fmt: skip
_PATTERNS = tuple((topic, re.compile(pattern, re.IGNORECASE)) for topic, pattern in _TOPICS)
_SETTINGS: tuple[tuple[str, str], ...] = (
    ("credential", r"passw|passwd|pwd|secret|token|api_?-?key|private_?-?key|credential|access_?-?key|signing|salt|auth$"),
    ("logging", r"log|logging|trace|verbos|metrics|monitor|sentry"),
    ("address", r"host|port|url|uri|endpoint|addr|domain|server|broker|dsn|bind|listen|origin"),
    ("limit", r"max|min|limit|timeout|ttl|retention|quota|size|interval|expir|threshold|retries|retry|pool|rate|window|days|minutes|seconds|replicas|memory|cpu"),
    ("switch", r"enable|disable|feature|flag|debug|verify|allow|strict|legacy|use_"),
    ("path", r"path|dir|file|folder|volume|mount|root|home|bucket"),
    ("version", r"version|image|tag|release|engine|runtime"),
    ("identity", r"name|id|user|owner|account|project|label|env(?:ironment)?|region|zone|team|email"),
    ("schedule", r"cron|schedule|every|at$|on$|when"),
    ("behaviour", r"mode|level|type|format|strategy|policy|algorithm|driver|backend|locale|lang|encoding|theme|command|script|run"),
)  # fmt: skip
_KEYS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _SETTINGS)
_SWITCH = re.compile(r"true|false|yes|no|on|off", re.IGNORECASE)


def topic(each: Entry) -> str:
    """What a line tells of."""
    if each.status:
        return f"request, {each.status // 100}xx"
    text = each.text[:400]
    return next((name for name, pattern in _PATTERNS if pattern.search(text)), "other")


def of_log(entries: list[Entry]) -> Iterator[Part]:
    """Lines counted by level, subsystem and topic."""
    counted: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str, str], int] = {}
    for each in entries:
        key = (each.level or "no level", each.logger.strip("\0")[:80], topic(each))
        counted[key] += 1
        first.setdefault(key, each.line)
    for key, count in counted.most_common():
        yield Part(key[0], key[2], first[key], "", key[1], count)


def of_settings(found: list[Setting]) -> Iterator[Part]:
    """Each setting with what it sets."""
    for each in found:
        yield Part(_sets(each), each.path, each.line)


def _sets(each: Setting) -> str:
    parts = [part for part in re.split(r"[._\-\s]|(?<=[a-z])(?=[A-Z])", each.path) if not part.isdigit()]
    last = "_".join(parts[-2:]) if len(parts) > 1 else each.path
    if _SWITCH.fullmatch(each.value.strip()):
        return "switch"
    for text in (parts[-1] if parts else "", last, each.path):
        found = next((kind for kind, pattern in _KEYS if pattern.search(text)), "")
        if found:
            return found
    return "number" if re.fullmatch(r"-?\d+(?:\.\d+)?", each.value.strip()) else "other"
