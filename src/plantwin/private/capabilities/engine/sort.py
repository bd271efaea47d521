"""What sort of thing an object is: code, settings, a table, a document or a log."""

from __future__ import annotations

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.tables import reader as tables
from plantwin.private.formats import documents, settings
from plantwin.private.formats.source_views import MASKS

CODE, SETTINGS, TABLE, DOCUMENT, LOG, OTHER = "code", "settings", "table", "document", "log", "other"


def sort_of(read: Source) -> str:
    """Return the sort by which an object is read."""
    if read.input.part or read.format in tables.FORMATS:
        return TABLE
    if read.format == "log" or read.input.kind == "log_stream":
        return LOG
    if read.format == "hcl" or read.format in settings.FORMATS:
        return SETTINGS
    if read.format in MASKS:
        return CODE
    if read.format in documents.FORMATS:
        return DOCUMENT
    return OTHER
