"""Licences of the project and of its packages."""

from plantwin.private.capabilities.list_licenses.licenses import listed as run

__all__ = ("run",)
