"""What sort of thing an object is, for what is said of it."""

from __future__ import annotations

from plantwin.private.capabilities.audit.views import MASKS
from plantwin.private.capabilities.common import documents, settings, tables
from plantwin.private.capabilities.common.source import Source

CODE, SETTINGS, TABLE, DOCUMENT, LOG, OTHER = "code", "settings", "table", "document", "log", "other"


def sort_of(each: Source) -> str:
    """The sort by which an object is read."""
    if each.input.part or each.format in tables.FORMATS:
        return TABLE
    if each.format == "log" or each.input.kind == "log_stream":
        return LOG
    if each.format == "hcl" or each.format in settings.FORMATS:
        return SETTINGS
    if each.format in MASKS:
        return CODE
    if each.format in documents.FORMATS:
        return DOCUMENT
    return OTHER
