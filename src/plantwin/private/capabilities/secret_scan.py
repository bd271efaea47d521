"""Keys, passwords, tokens and personal data in any object, with their places, masked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName, OutcomeTag, ResultType, Risk

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

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
    from plantwin.private.capabilities.engine.results import Examined, concluded
    from plantwin.private.capabilities.engine.secrets import detector_of, secrets
    from plantwin.private.capabilities.engine.source import Source
    from plantwin.private.capabilities.tables.database import contents

    detector = detector_of(job)
    examined: list[Examined] = []
    for given in job.inputs:
        data, whole = contents(given, READ) if given.part else (given.read(READ), given.size <= READ)
        name = f"{given.part}.csv" if given.part else given.name
        source = Source(given, given.label, "", data, "", not whole, binary=True)
        examined.append(Examined(source, list(secrets(detector, data, name, given.label))))
    truncated = [source.label for source, _, _ in examined if source.truncated]
    types = Counter(finding.message.partition(" in the open")[0] for _, findings, _ in examined for finding in findings)
    return concluded(
        job,
        "Secrets and personal data",
        examined,
        tool="the detector of secrets",
        state=[OutcomeTag.TRUNCATED] if truncated else [],
        notes=[f"Only the first {READ >> 20} MiB were examined of: {', '.join(truncated)}."] if truncated else [],
        facts={"types": dict(types), "truncated": truncated},
        quoted=False,
    )
