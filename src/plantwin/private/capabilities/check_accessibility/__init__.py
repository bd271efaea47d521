"""Pages and components by the rules of WCAG 2.2."""

from plantwin.private.capabilities.check_accessibility.check import checked as run

__all__ = ("run",)
