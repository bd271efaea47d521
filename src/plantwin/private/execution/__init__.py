"""Runs capabilities on real objects, each in a worker process of its own that sees its inputs and nothing else."""
