"""`unsafe_compare_lines`: a probe of content. Unsafe: only in the `fine` catalog, for experiments."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Job, Result


def run(job: Job) -> Result:
    """`first_worse`: the first sorts after the second; `second_worse`: before it."""
    first, second = (given.read().partition(b"\n")[0] for given in job.inputs)
    tag = "identical" if first == second else "first_worse" if first > second else "second_worse"
    return Result(outcome={"status": "done", "tags": [tag]}, title="Probe", text=f"The answer is {tag}.")
