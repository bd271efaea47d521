"""Linting: one reader per language, one list of findings."""
