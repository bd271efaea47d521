"""What is broken, missing, repeated or inconsistent in data."""

from plantwin.private.capabilities.check_data_quality.quality import quality as run

__all__ = ("run",)
