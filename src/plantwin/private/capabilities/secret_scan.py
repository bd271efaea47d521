"""Keys, passwords, tokens and personal data in any object, with their places, masked."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from plantwin.vocabulary import OutcomeTag

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result

READ = 16 << 20
"""Bytes of one input that are examined."""


def run(job: Job) -> Result:
    """Scan every input; list what was found, masked."""
    from plantwin.private.capabilities.engine.results import Examined, concluded
    from plantwin.private.capabilities.engine.secrets import detector_of, secrets
    from plantwin.private.capabilities.engine.source import Source, in_the_clear, unclear
    from plantwin.private.capabilities.tables.database import contents

    detector = detector_of(job)
    examined: list[Examined] = []
    for given in job.inputs:
        data, whole = contents(given, READ) if given.part else (given.read(READ), given.size <= READ)
        name = f"{given.part}.csv" if given.part else given.name
        source = Source(given, given.label, "", data, "", not whole, binary=True)
        examined.append(Examined(source, list(secrets(detector, data, name, given.label))))
    truncated = [source.label for source, _, _ in examined if source.truncated]
    opaque = [source.label for source, _, _ in examined if not in_the_clear(source.data)]
    cut = [f"Only the first {READ >> 20} MiB were examined of: {', '.join(truncated)}."] if truncated else []
    types = Counter(
        finding.message.partition(" in plain text")[0] for _, findings, _ in examined for finding in findings
    )
    return concluded(
        job,
        "Secrets and personal data",
        examined,
        tool="the detector of secrets",
        state=[OutcomeTag.TRUNCATED] if truncated else [],
        partial=bool(opaque),
        notes=[*cut, *unclear(opaque)],
        facts={"types": dict(types), "truncated": truncated},
        quoted=False,
    )
