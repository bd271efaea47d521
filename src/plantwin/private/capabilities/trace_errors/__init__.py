"""Stack traces of logs, followed to the objects of the folder that they name."""

from plantwin.private.capabilities.trace_errors.tracing import trace_errors as run

__all__ = ("run",)
