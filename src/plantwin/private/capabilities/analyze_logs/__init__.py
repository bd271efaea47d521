"""What logs say: levels, templates, bursts, slow requests, failed sign-ins, restarts."""

from plantwin.private.capabilities.analyze_logs.analysis import analyze as run

__all__ = ("run",)
