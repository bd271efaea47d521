"""Network ports that are opened, and by what."""

from plantwin.private.capabilities.list_exposed_ports.ports import listed as run

__all__ = ("run",)
