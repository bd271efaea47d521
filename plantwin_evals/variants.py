"""Stages of the projection left out, for the ablation.

The wire's types accept closed words alone, so a stage that does not run cannot send what it would have hidden: the
fields that it makes are then the same for every object. Without stage 2 nothing is known to be sensitive; without
stage 3 there are no buckets of age, size and amount. In either case it is the schema that keeps content in.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from plantwin.private.records import Record
from plantwin.vocabulary import ContentTag, Freshness, Sensitivity, SizeBucket
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
    return replace(
        record,
        sensitivity=Sensitivity.LOW.value,
        sensitivity_causes=(),
        contains=tuple(each for each in record.contains if each[0] not in DETECTED),
    )


def ungeneralized(record: Record) -> Record:
    """Without buckets."""
    return replace(record, freshness=Freshness.STALE.value, size_bucket=SizeBucket.SMALL.value)


def extracted(record: Record) -> Record:
    """Extraction and schema alone."""
    return ungeneralized(unredacted(record))


VARIANTS: Final[dict[str, Change | None]] = {
    "full": None,
    "no-redaction": unredacted,
    "no-generalize": ungeneralized,
    "extract-schema": extracted,
}
