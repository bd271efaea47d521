"""Duties, prohibitions, permissions, limits and deadlines that texts, settings and schemas state."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result


def run(job: Job) -> Result:
    """One section for each input; disagreements between inputs first."""
    from plantwin.private.capabilities.extract_constraints.extraction import extraction

    if "weights" not in job.options:
        return extraction(job)
    from plantwin.private.model.commentary import with_commentary

    return with_commentary(job, extraction(job))
