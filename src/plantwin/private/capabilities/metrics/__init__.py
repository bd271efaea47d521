"""Measured results: reading them, and telling which are better."""
