"""`unsafe_line_bucket`: a probe of content. Unsafe: only in the `fine` catalog, for experiments."""

from __future__ import annotations

from hashlib import sha256

from plantwin.private.capabilities.engine.job import Job, Result

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
