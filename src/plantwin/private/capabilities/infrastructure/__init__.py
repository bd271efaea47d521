"""Declared infrastructure and its risks: clouds, clusters, containers, hosts."""
