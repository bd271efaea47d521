"""Keys, passwords, tokens and personal data in any object, with their places, masked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.job import Finding, Job, Result

READ = 16 << 20
"""Bytes of one input that are examined."""
CAPABILITY = Capability(
    name=CapabilityName.SECRET_SCAN,
    doc="Finds keys, passwords, tokens and personal data in any object.",
    example="Check the deployment settings and the logs for leaked credentials.",
    returns=ResultType.FINDINGS,
    required_fields=("semantic_class", "sensitivity"),
    tags=frozenset(
        {
            OutcomeTag.HARDCODED_SECRET,
            OutcomeTag.PRIVATE_KEY,
            OutcomeTag.PERSONAL_DATA,
            OutcomeTag.TRUNCATED,
        }
    ),
    risk=Risk.MEDIUM,
    seconds=60.0,
)


def run(job: Job) -> Result:
    """Scan every input; list what was found, masked."""
    from plantwin.private.capabilities.common.report import MOST_FINDINGS, counted, findings_text, ordered, outcome
    from plantwin.private.capabilities.common.secrets import detector_of, secrets
    from plantwin.private.capabilities.job import Result

    detector = detector_of(job)
    found: list[Finding] = []
    truncated: list[str] = []
    for given in job.inputs:
        if given.part:
            from plantwin.private.capabilities.common.database import contents

            data, whole = contents(given, READ)
        else:
            data, whole = given.read(READ), given.size <= READ
        if not whole:
            truncated.append(given.label)
        found += secrets(detector, data, given.name if not given.part else f"{given.part}.csv", given.label)
    listed = ordered(found)[:MOST_FINDINGS]
    kinds = Counter(each.message.partition(" in the open")[0] for each in found)
    lines = [f"{len(job.inputs)} examined: {counted(found)}.", "", findings_text(listed, len(set(found)))]
    if truncated:
        lines += ["", f"Only the first {READ >> 20} MiB were examined of: {', '.join(truncated)}."]
    return Result(
        outcome=outcome(found, state=[OutcomeTag.TRUNCATED.value] if truncated else [], partial=bool(truncated)),
        title="Secrets and personal data",
        findings=listed,
        facts={
            "tool": "the detector of secrets",
            "types": dict(kinds),
            "truncated": truncated,
            "examined": [each.label for each in job.inputs],
        },
        text="\n".join(lines).strip() + "\n",
    )
