"""What a project is built from, and what is wrong with it."""

from plantwin.private.capabilities.audit_dependencies.check import checked as run

__all__ = ("run",)
