"""Shared by several capabilities."""
