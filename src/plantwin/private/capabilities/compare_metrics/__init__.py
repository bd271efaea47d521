"""Measured results of several runs, and which are better."""

from plantwin.private.capabilities.compare_metrics.comparison import compare as run

__all__ = ("run",)
