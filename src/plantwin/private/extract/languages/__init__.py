"""Outlines of source code: one file per language or family, found through one table."""

from __future__ import annotations

from plantwin.private.extract.languages.outline import CODE_FORMATS, outline_code

__all__ = ["CODE_FORMATS", "outline_code"]
