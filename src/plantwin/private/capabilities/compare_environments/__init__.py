"""The same settings in two to six environments: what is missing, what differs, what should not be shared."""

from plantwin.private.capabilities.compare_environments.comparison import compare as run

__all__ = ("run",)
