"""Duties, prohibitions, permissions, limits and deadlines that texts, settings and schemas state."""

from plantwin.private.capabilities.extract_constraints.extraction import extraction as run

__all__ = ("run",)
