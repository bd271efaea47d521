"""Turning results into text, tables and pictures."""
