"""Which function confirms the hits of which rules."""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.redact.assignment import assignments
from plantwin.private.redact.context import Context
from plantwin.private.redact.declared import declared
from plantwin.private.redact.fields import fields
from plantwin.private.redact.numbers import numbers
from plantwin.private.redact.resolve import Candidate
from plantwin.private.redact.rules import Rule
from plantwin.private.redact.services import services
from plantwin.private.redact.tokens import tokens

Make = Callable[[Rule, "re.Pattern[bytes]"], Callable[[bytes, int, int, Context], tuple[list[Candidate], int]]]

HANDLERS: dict[str, Make] = {
    "token": tokens,
    "assignment": assignments,
    "declared": declared,
    "number": numbers,
    "field": fields,
    "service": services,
}
