"""Stage 3: exact values to buckets, leaves to families. Pure functions, the clock is passed in."""

from __future__ import annotations

from plantwin.vocabulary import Amount, Freshness, SemanticClass, SetSize, Share, SizeBucket, member

DAY = 86_400.0
RECENT_DAYS = 30


def size_bucket(size: int) -> SizeBucket:
    """Bytes to small, medium or large."""
    if size < 10_000:
        return SizeBucket.SMALL
    return SizeBucket.MEDIUM if size <= 1_000_000 else SizeBucket.LARGE


def freshness(changed: float, now: float) -> Freshness:
    """Seconds since a change to today, recent or stale. A time in the future counts as today."""
    age = now - changed
    if age < DAY:
        return Freshness.TODAY
    return Freshness.RECENT if age < RECENT_DAYS * DAY else Freshness.STALE


def set_size(number: int) -> SetSize:
    """How many members, of one or more."""
    return max((size for size in SetSize if size.least <= number), key=lambda size: size.least, default=SetSize.ONE)


def share(part: int, whole: int) -> Share:
    """How many of a whole, of one or more."""
    if part >= whole:
        return Share.ALL
    return Share.MOST if part * 2 > whole else Share.SOME


def amount(places: int, lines: int) -> Amount:
    """How much of an object a tag covers: ten places, or a tenth of a short object."""
    return Amount.MANY if places >= 10 or (lines >= 10 and places * 10 >= lines * 2) else Amount.FEW


def family(semantic_class: str) -> str:
    """The family of a class."""
    return member(SemanticClass, semantic_class).family
