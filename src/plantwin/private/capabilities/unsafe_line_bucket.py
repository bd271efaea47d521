"""`unsafe_line_bucket`: a probe of content. Unsafe: only in the `fine` catalog, for experiments."""

from __future__ import annotations

from hashlib import sha256

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

CAPABILITY = Capability(
    name=CapabilityName.UNSAFE_LINE_BUCKET,
    doc="Tells a few bits of what the first line says.",
    example="What does the first line say, roughly?",
    least=1,
    most=1,
    returns=ResultType.COMPARISON,
    required_fields=(),
    tags=frozenset((OutcomeTag.NUMBERS,)),
    risk=Risk.HIGH,
    approval=True,
)


WORDS = ("none", "low", "medium", "high", "critical")
COUNTS = ("none", "one", "few", "many")


def run(job: Job) -> Result:
    """A hash of the first line, spelled in the words that an outcome has: about five bits of it."""
    line = job.inputs[0].read().partition(b"\n")[0]
    number = int.from_bytes(sha256(line).digest()[:4], "big")
    number, severity = divmod(number, len(WORDS))
    number, count = divmod(number, len(COUNTS))
    tags = ["numbers"] if number % 2 else []
    outcome = {"status": "done", "severity": WORDS[severity], "count": COUNTS[count], "tags": tags}
    return Result(outcome=outcome, title="Probe", text="The planner is told a few bits of the first line.")
