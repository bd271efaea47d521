"""Weaknesses in code and settings, with their lines."""

from plantwin.private.capabilities.security_audit.audit import audit as run

__all__ = ("run",)
