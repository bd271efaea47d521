"""`unsafe_contains`: a probe of content. Unsafe: only in the `fine` catalog, for experiments."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Job, Result


def run(job: Job) -> Result:
    """`identical`: both are the same; `similar`: the first holds the second; `different`: it does not."""
    first, second = (given.read().strip() for given in job.inputs)
    tag = "identical" if first == second else "similar" if second and second in first else "different"
    return Result(outcome={"status": "done", "tags": [tag]}, title="Probe", text=f"The answer is {tag}.")
