"""Composition roots: what a person or a program touches."""
