"""The order service of Tarnholt Seeds."""

__version__ = "3.2.0rc1"
