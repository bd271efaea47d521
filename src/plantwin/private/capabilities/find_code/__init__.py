"""The passages of documents, code and settings that answer a question, by its words."""

from plantwin.private.capabilities.find_code.search import run

__all__ = ("run",)
