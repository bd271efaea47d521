"""What the private side knows. Nothing in this module may be imported by `boundary` or `cloud`.

    Entry ──read──▶ Sample ──outline──▶ Outline ─┐
                      └─────detect────▶ Finding ─┴─classify──▶ Facts ──relate──▶ Edge, component

`Facts` is what the index keeps: no bytes of the object, no secret values.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec

Class = TypeVar("Class", bound=type)

PROGRAMS = "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"
"""Where programs that run tests are looked for."""


def _private(self: object) -> str:
    return f"<{type(self).__name__} private>"


class Private:
    """Mixin: prints as private, so that a stray log line or traceback shows nothing of X."""

    __slots__ = ()

    __repr__ = __str__ = _private


def private(holder: Class) -> Class:
    """Decorate a named tuple, which takes no mixin, to print as private."""
    holder.__repr__ = _private  # type: ignore[method-assign, assignment]
    return holder


@private
class Entry(NamedTuple):
    """One thing that the walk met, as the file system describes it. Not opened yet."""

    path: str
    """Relative to the root, `/`-separated, `os.fsdecode`d (may hold surrogates and control characters)."""
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    mode: int
    """`st_mode`, of the link itself where it is one."""


class Sample(Private, msgspec.Struct):
    """The part of a file's bytes that extraction looks at."""

    path: str
    size: int
    head: bytes
    """The whole file up to `observe.read.WHOLE` bytes; otherwise its first window."""
    windows: tuple[bytes, ...] = ()
    """Further sampled windows of a larger file (middle and tail), each cut at line ends."""
    digest: bytes = b""
    """SHA-256 of the whole content."""
    executable: bool = False
    warnings: tuple[str, ...] = ()
    """Codes of what went wrong while reading."""

    @property
    def whole(self) -> bool:
        """Whether `head` is all there is."""
        return not self.windows and len(self.head) == self.size


@private
class Reference(NamedTuple):
    """Something an object points at, as written, with how to resolve it."""

    how: str
    """A resolver's name: see `relate/resolve.py`."""
    target: str
    reason: str
    """An `EdgeReason` word."""


@private
class Provision(NamedTuple):
    """A name that an object defines for others to refer to (a namespace, table, package, resource)."""

    how: str
    name: str


class Outline(Private, msgspec.Struct):
    """What a parser found in one object. Comments and free prose never reach `names` or `words`."""

    format: str
    parsed: bool = True
    """False when the content does not parse as its format."""
    references: list[Reference] = msgspec.field(default_factory=list)
    provides: list[Provision] = msgspec.field(default_factory=list)
    names: list[str] = msgspec.field(default_factory=list)
    """Defined names: functions, classes, keys, columns, tables, services, resources."""
    calls: list[str] = msgspec.field(default_factory=list)
    """Called or decorating names, and imported module names."""
    features: dict[str, int] = msgspec.field(default_factory=dict)
    """Structural features and how often: see `extract/features.py`."""
    headings: list[str] = msgspec.field(default_factory=list)
    """Headings of a document, keys of its front matter. Hostile: weak evidence at most."""
    settings: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Key and value of settings; values are digested before they are kept."""
    pins: list[tuple[str, str]] = msgspec.field(default_factory=list)
    """Package and version constraint."""
    span: tuple[int, int] | None = None
    """First and last second that its log records cover; records without a year count as of 1972."""
    lines: int = 0


@private
class Finding(NamedTuple):
    """A sensitive span of bytes. It does not hold the value."""

    type: str
    """The rule's type, such as `aws_access_key` or `email`."""
    group: str
    """secret, personal, infrastructure or identifier."""
    start: int
    end: int
    confidence: str
    """low, medium or high."""
    allowed: str = ""
    """Who allows it: `comment`, `folder` or `user`; empty when nobody does."""


class Facts(Private, msgspec.Struct, frozen=True, array_like=True):
    """All that is kept of one object."""

    part: str
    """Empty for a file; a table's name inside a database file."""
    format: str
    kind: str
    ranking: tuple[tuple[str, float], ...]
    """Semantic classes with their points, best first, at most three."""
    confidence: str
    why: tuple[str, ...]
    """The deciding evidence, strongest first, at most four."""
    role: str
    tags: tuple[tuple[str, int], ...] = ()
    """Content tags with how many places."""
    findings: tuple[tuple[str, str, str, int], ...] = ()
    """Type, group, confidence and number of what detection found."""
    readiness: str = "ready"
    readiness_cause: str = ""
    needs: tuple[str, ...] = ()
    """Local tools it needs: reasons of `requires_capability`."""
    lacks: tuple[str, ...] = ()
    """What is missing inside it; what is missing beside it comes from relations."""
    references: tuple[Reference, ...] = ()
    provides: tuple[Provision, ...] = ()
    settings: tuple[tuple[str, int], ...] = ()
    """Key and keyed digest of its value."""
    pins: tuple[tuple[str, str], ...] = ()
    span: tuple[int, int] | None = None
    """First and last second that a log covers."""
    sketch: bytes = b""
    """Bottom-k sketch of its lines, for near-duplicates."""
    lines: int = 0
    size: int = 0
    warnings: tuple[str, ...] = ()
    defines: bytes = b""
    """Check sums of the names that code defines: who defines a name can be found, and no name be read."""
    environment: str = ""
    provider: str = ""
    ecosystem: str = ""
    dialect: str = ""


@private
class Edge(NamedTuple):
    """A relation between two objects (by index number), with its evidence. The evidence stays local."""

    source: int
    edge: str
    reason: str
    target: int
    """-1 for `requires_capability`."""
    weight: float
    """Usefulness: the most useful six of an object may cross."""
    evidence: str


@private
class Related(NamedTuple):
    """What relations say of one object."""

    number: int
    component: str
    lacks: tuple[str, ...]
    bound: bool
    """Whether it is a copy of another or stands in a succession: then any change of it may matter."""
    edges: tuple[tuple[str, str, int, float, str], ...]
    """Edge, reason, target, weight, evidence."""


@private
class Unchanged(NamedTuple):
    """The word that a change of some files leaves the relations of this generation as they are, but for a few."""

    generation: int
    summary: bytes
    related: tuple[Related, ...] = ()
    """Those that do change."""


class Change(Private, msgspec.Struct, frozen=True, array_like=True):
    """One file that changed, as git tells it."""

    name: str
    commits: int
    """Commits that touched it; none where it is changed and not committed."""
    added: int = 0
    """Lines; of a file that is not text, none."""
    removed: int = 0
    last: int = 0
    """Seconds of the last commit."""
    pending: str = ""
    """`modified`, `staged`, `untracked` or `deleted` where something is not committed."""


class Changes(Private, msgspec.Struct, frozen=True, kw_only=True):
    """What git knows of recent changes."""

    since: str = ""
    """From when or where on, in words."""
    commits: tuple[tuple[str, int, str, str], ...] = ()
    """Id, seconds, author and subject of each commit, the newest first."""
    files: tuple[Change, ...] = ()
    whole: bool = True
    problem: str = ""
    """Why nothing is known; else empty."""


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
