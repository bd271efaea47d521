"""Parts of objects and results, sorted into kinds."""

from plantwin.private.capabilities.classify.classification import classification as run

__all__ = ("run",)
