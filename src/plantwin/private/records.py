"""What a scan yields locally: one `Record` per object and one `Relation` per edge. Never sent."""

from __future__ import annotations

import msgspec

from plantwin.private.facts import Private


class Record(Private, msgspec.Struct, frozen=True, kw_only=True):
    """One object with its real name and its vocabulary values (after stage 3)."""

    number: int
    """Its number in the index: stable while the object keeps its place."""
    path: str
    part: str = ""
    kind: str
    semantic_class: str
    family: str
    alternatives: tuple[str, ...] = ()
    """The classes that came next in the ranking, for review."""
    role: str
    sensitivity: str
    sensitivity_causes: tuple[str, ...] = ()
    freshness: str
    age: str = ""
    environment: str = ""
    provider: str = ""
    ecosystem: str = ""
    dialect: str = ""
    size_bucket: str
    contains: tuple[tuple[str, str], ...] = ()
    """Content tags with their amount bucket, most telling first, at most six."""
    usable_for: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    readiness: str = "ready"
    readiness_cause: str = ""
    confidence: str
    component: str = ""
    """The local name of its component; only an opaque id crosses."""
    why: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Relation(Private, msgspec.Struct, frozen=True, kw_only=True):
    """One edge between two records, with the local evidence."""

    source: int
    edge: str
    reason: str
    target: int
    """-1 where a local tool is required."""
    evidence: str = ""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What `scan` prints."""

    files: int
    objects: int
    opaque: int
    """Archives, images and other files that are not objects."""
    skipped: int
    """Links, FIFOs, sockets and devices, never opened."""
    ignored: int
    kinds: dict[str, int]
    families: dict[str, int]
    sensitivities: dict[str, int]
    confidences: dict[str, int]
    edges: dict[str, int]
    components: int
    read: int
    """Files opened by this scan."""
    bytes_read: int
    reused: int
    """Files taken from the index unopened."""
    removed: int
    seconds: float
    phases: dict[str, float]
    allowed: dict[str, int] = {}
    """Findings that a comment, the folder's or the person's configuration allows, and objects that hold some."""
    warnings: tuple[str, ...] = ()
