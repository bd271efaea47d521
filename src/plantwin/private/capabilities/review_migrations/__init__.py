"""Schema changes: what they lose, what they lock, whether there is a way back."""

from plantwin.private.capabilities.review_migrations.review import review as run

__all__ = ("run",)
