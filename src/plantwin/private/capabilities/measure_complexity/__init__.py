"""How complex code is: by function and by file, with what stands more than once."""

from plantwin.private.capabilities.measure_complexity.report import report as run

__all__ = ("run",)
