"""Defects of style and use, as a linter of each language sees them."""

from plantwin.private.capabilities.lint.check import lint as run

__all__ = ("run",)
