"""Declared infrastructure: what is open, unencrypted, too powerful or unprotected."""

from plantwin.private.capabilities.audit_infrastructure.check import audit as run

__all__ = ("run",)
