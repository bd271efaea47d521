"""Two objects, or two results of earlier steps, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result


def run(job: Job) -> Result:
    """Two of a kind; an object and a result cannot be compared."""
    from plantwin.private.capabilities.engine.report import failed

    if len(job.inputs) != 2:
        return failed("Comparison", "Two inputs are needed.")
    first, second = job.inputs
    if first.is_result is not second.is_result:
        return failed("Comparison", "An object and a result cannot be compared.")
    if first.is_result:
        from plantwin.private.capabilities.compare.results import compared

        return compared(first, second)
    from plantwin.private.capabilities.compare.objects import compared as compared_objects

    return compared_objects(job)
