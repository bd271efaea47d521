"""Values as the report may show them: never a secret in clear."""

from __future__ import annotations

import re

from plantwin.private.capabilities.common.settings import Setting
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.located import located
from plantwin.private.redact.masking import HIDDEN

SECRET = re.compile(
    r"passw|passwd|pwd|secret|token|api_?-?key|private_?-?key|credential|access_?-?key|signing|salt|pepper|cert|auth(?:orization)?$|dsn$|"
    r"connection_?string|webhook",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(r"://[^/\s:@]{1,100}:[^/\s@]{1,200}@")
_PLAIN = re.compile(r"(?:true|false|yes|no|on|off|null|none|\d{1,6}(?:\.\d+)?|\$\{?\w+\}?)?", re.IGNORECASE)


def secret_lines(detector: Detector, data: bytes, name: str) -> frozenset[int]:
    """The lines on which a secret stands."""
    lines: set[int] = set()
    for each in located(detector, [data], name):
        if each.group == "secret":
            lines.update(range(each.line, each.line + each.value.count("\n") + 1))
    return frozenset(lines)


def shown(setting: Setting, secret: frozenset[int]) -> str:
    """A value, or a mask where it is or may be a secret."""
    value = setting.value
    if _PLAIN.fullmatch(value):
        return value or "(empty)"
    if setting.line in secret or SECRET.search(setting.path) or _CREDENTIALS.search(value):
        return HIDDEN
    return value
