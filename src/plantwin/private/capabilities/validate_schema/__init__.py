"""Data against a schema, or a schema in itself."""

from plantwin.private.capabilities.validate_schema.check import checked as run

__all__ = ("run",)
