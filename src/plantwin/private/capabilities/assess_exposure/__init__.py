"""What is exposed when an object leaks, and what to replace."""

from plantwin.private.capabilities.assess_exposure.exposure import assess as run

__all__ = ("run",)
