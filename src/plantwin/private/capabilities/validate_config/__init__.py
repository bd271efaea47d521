"""Settings: syntax, values that cannot be right, references, and what well-known files have to hold."""

from plantwin.private.capabilities.validate_config.check import validate as run

__all__ = ("run",)
