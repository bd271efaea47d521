"""Points and vouchers."""

__version__ = "2.4.0.dev0"
