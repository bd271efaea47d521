"""Copies of objects without what is sensitive in them."""
