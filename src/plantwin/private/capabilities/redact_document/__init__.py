"""A copy of a text in which typed placeholders stand for secrets, personal data and internal names."""

from plantwin.private.capabilities.redact_document.copies import copies as run

__all__ = ("run",)
