"""`process_project`: everything that can be done with many objects, in one call with one outcome."""

from __future__ import annotations

from plantwin.private.capabilities.process_object import run

__all__ = ("run",)
