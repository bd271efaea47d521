"""`unsafe_compare_lines`: a probe of content. Unsafe: only in the `fine` catalog, for experiments."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

CAPABILITY = Capability(
    name=CapabilityName.UNSAFE_COMPARE_LINES,
    doc="Tells which of two first lines sorts before the other.",
    example="Which of these two comes first?",
    least=2,
    most=2,
    returns=ResultType.COMPARISON,
    required_fields=(),
    tags=frozenset((OutcomeTag.IDENTICAL, OutcomeTag.FIRST_WORSE, OutcomeTag.SECOND_WORSE)),
    risk=Risk.HIGH,
    approval=True,
)


def run(job: Job) -> Result:
    """`first_worse`: the first sorts after the second; `second_worse`: before it."""
    first, second = (each.read().partition(b"\n")[0] for each in job.inputs)
    tag = "identical" if first == second else "first_worse" if first > second else "second_worse"
    return Result(outcome={"status": "done", "tags": [tag]}, title="Probe", text=f"The answer is {tag}.")
