"""The tests of a folder, run on a copy of it."""

from plantwin.private.capabilities.run_tests.check import checked as run

__all__ = ("run",)
