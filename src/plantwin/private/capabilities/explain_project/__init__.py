"""What a folder is, its parts, how to run and test it."""

from plantwin.private.capabilities.explain_project.overview import explain as run

__all__ = ("run",)
