"""Whole syntax trees of source files, within bounds."""
