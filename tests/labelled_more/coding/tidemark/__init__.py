"""Tide tables and harmonic constituents."""

from tidemark._version import __version__
from tidemark.constituents import Constituent, load
from tidemark.errors import OutOfRange, TidemarkError
from tidemark.predict import extremes, height, series

__all__ = [
    "Constituent",
    "OutOfRange",
    "TidemarkError",
    "__version__",
    "extremes",
    "height",
    "load",
    "series",
]
