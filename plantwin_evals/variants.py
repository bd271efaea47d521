"""Stages of the projection left out, for the ablation.

Without stage 2 nothing was detected: what follows from findings (tags, causes, sensitivity) is what later stages say of
a file without any, so that a secret container stays one. Without stage 3 there are no buckets of age, size and amount:
the schema has no word for a number, so all objects have the same one, which tells nobody apart. Thresholds are the same
for all objects in every variant, so that what a stage says does not change how much may be told.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from plantwin.private.detect.summary import sensitivity
from plantwin.private.records import Record
from plantwin.vocabulary import Amount, ContentTag, Freshness, SizeBucket
from plantwin_evals.workspace import Change

DETECTED: Final = frozenset(
    {
        ContentTag.CREDENTIALS, ContentTag.SECRET_REFS, ContentTag.PERSONAL_DATA, ContentTag.HEALTH_DATA,
        ContentTag.PAYMENT_DATA, ContentTag.NETWORK_IDENTIFIERS,
    }
)  # fmt: skip
"""Tags that stage 2 gives."""


def unredacted(record: Record) -> Record:
    """As if nothing had been detected."""
    level, causes = sensitivity((), record.kind)
    return replace(
        record,
        sensitivity=level.value,
        sensitivity_causes=tuple(cause.value for cause in causes),
        contains=tuple(each for each in record.contains if each[0] not in DETECTED),
    )


def ungeneralized(record: Record) -> Record:
    """Without buckets."""
    tags = tuple((tag, Amount.FEW.value) for tag, _ in record.contains)
    return replace(record, freshness=Freshness.STALE.value, size_bucket=SizeBucket.SMALL.value, contains=tags)


def extracted(record: Record) -> Record:
    """Extraction and schema alone."""
    return ungeneralized(unredacted(record))


VARIANTS: Final[dict[str, Change | None]] = {
    "full": None,
    "no-redaction": unredacted,
    "no-generalize": ungeneralized,
    "extract-schema": extracted,
}
