"""Parts of objects and results, sorted into kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result


def run(job: Job) -> Result:
    """One section for each input."""
    from plantwin.private.capabilities.classify.classification import classification

    if "weights" not in job.options:
        return classification(job)
    from plantwin.private.model.commentary import with_commentary

    return with_commentary(job, classification(job))
