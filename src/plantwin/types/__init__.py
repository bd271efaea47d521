"""Frozen, validated types of what crosses the boundary."""
