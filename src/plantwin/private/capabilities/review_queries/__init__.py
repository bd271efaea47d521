"""Queries in SQL files and in code: risk and cost."""

from plantwin.private.capabilities.review_queries.review import review as run

__all__ = ("run",)
