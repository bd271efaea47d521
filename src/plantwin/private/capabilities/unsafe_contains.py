"""`unsafe_contains`: a probe of content. Unsafe: only in the `fine` catalog, for experiments."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

CAPABILITY = Capability(
    name=CapabilityName.UNSAFE_CONTAINS,
    doc="Tells whether the first object holds the text of the second.",
    example="Does this file hold that word?",
    least=2,
    most=2,
    returns=ResultType.COMPARISON,
    required_fields=(),
    tags=frozenset((OutcomeTag.IDENTICAL, OutcomeTag.SIMILAR, OutcomeTag.DIFFERENT)),
    risk=Risk.HIGH,
    approval=True,
)


def run(job: Job) -> Result:
    """`identical`: both are the same; `similar`: the first holds the second; `different`: it does not."""
    first, second = (each.read().strip() for each in job.inputs)
    tag = "identical" if first == second else "similar" if second and second in first else "different"
    return Result(outcome={"status": "done", "tags": [tag]}, title="Probe", text=f"The answer is {tag}.")
