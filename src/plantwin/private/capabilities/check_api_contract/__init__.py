"""Contracts of interfaces: sound, compatible with the version before, and kept by code."""

from plantwin.private.capabilities.check_api_contract.check import checked as run

__all__ = ("run",)
