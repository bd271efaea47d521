"""What a capability gets and what it gives back. Both stay local; only `Result.outcome` goes to the boundary."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

import msgspec

from plantwin.private.facts import Changes, Private

LIMIT = 16 << 20
"""How much of an input is read where the capability names no limit of its own."""

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class Input(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object, or the full result of an earlier step."""

    name: str
    """The relative path, printable; of a result, the id of its step."""
    kind: str = ""
    semantic_class: str = ""
    part: str = ""
    """The table, where `file` is a database. Such a file is opened read-only and `immutable=1`."""
    file: str = ""
    """Where the worker finds the object's bytes."""
    data: bytes | None = None
    """The object's bytes, where there is no file."""
    result: dict[str, object] | None = None
    """`Result` of an earlier step, as plain values."""
    capability: str = ""
    """What gave that result."""

    @property
    def is_result(self) -> bool:
        """Whether it is the result of an earlier step."""
        return self.result is not None

    @property
    def label(self) -> str:
        """How the local report names it."""
        return f"{self.name}#{self.part}" if self.part else self.name

    @property
    def size(self) -> int:
        """How many bytes the object has; none where it is a result."""
        if self.data is not None:
            return len(self.data)
        return os.stat(self.file).st_size if self.file else 0

    def read(self, limit: int = LIMIT) -> bytes:
        """At most the first `limit` bytes of the object; `size` says whether that is all. `OSError` when it is gone."""
        if self.data is not None:
            return self.data[:limit]
        if not self.file:
            return b""
        # Without waiting: nobody may ever write to a pipe.
        opened = os.open(self.file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError("not a regular file")
            file.seek(0)  # some systems hand out the one open file each time
            return file.read(limit)

    def text(self, limit: int = LIMIT) -> str:
        """The same as text: by its byte order mark, else UTF-8, with what does not decode replaced."""
        data = self.read(limit)
        for mark, encoding in _BOMS:
            if data.startswith(mark):
                return data[len(mark) :].decode(encoding, "replace")
        return data.decode("utf-8", "replace")

    def findings(self) -> list[Finding]:
        """The findings of an earlier step's result."""
        return msgspec.convert((self.result or {}).get("findings", []), list[Finding])


class Neighbour(Private, msgspec.Struct, frozen=True, array_like=True):
    """Another object of the folder, by its local name and values. Its content is not at hand."""

    name: str
    kind: str
    semantic_class: str
    role: str = ""
    component: str = ""
    part: str = ""
    sketch: bytes = b""
    """Hashes of its lines: two objects that share many of them are alike."""
    tags: tuple[str, ...] = ()
    sensitivity: str = ""
    provides: tuple[str, ...] = ()
    """Names that it defines for others: modules, tables, packages, services."""
    keys: tuple[tuple[str, int], ...] = ()
    """Settings with keyed digests of their values."""
    freshness: str = ""
    """A word of `Freshness`: when it last changed."""
    format: str = ""
    lines: int = 0
    size: int = 0


class Link(Private, msgspec.Struct, frozen=True, array_like=True):
    """One relation between objects, by position in `Surroundings.objects`."""

    source: int
    edge: str
    reason: str
    target: int
    """-1 where a local tool is required."""
    evidence: str = ""


class Surroundings(Private, msgspec.Struct, frozen=True, kw_only=True):
    """What lies around the inputs, for capabilities that declare that they look there."""

    objects: tuple[Neighbour, ...] = ()
    links: tuple[Link, ...] = ()
    inputs: tuple[int, ...] = ()
    """Positions of the job's inputs in `objects`, in order; -1 for results."""
    changes: Changes = Changes()
    """What changed lately, for a capability that asks for it."""


class Job(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One call of a capability."""

    capability: str
    inputs: tuple[Input, ...]
    options: dict[str, object] = {}
    surroundings: Surroundings = Surroundings()
    folder: str = ""
    """Where the whole folder is seen, read-only, by a capability that declares that it runs its code."""


class Finding(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing found, for the person: real names and lines."""

    name: str = ""
    """`Input.label` of the input that it is in; filled in by the result builder."""
    line: int = 0
    """Counted from one; zero where it concerns the whole."""
    severity: str
    """A word of `Severity`."""
    tag: str
    """A word of `OutcomeTag`."""
    message: str
    hint: str = ""
    """What to do about it."""
    rule: str = ""
    """The id of the rule that found it."""
    reference: str = ""
    """Where the rule comes from."""
    confidence: str = ""
    """`low`, `medium` or `high`, where the rule states it."""
    evidence: str = ""
    """A short excerpt; secrets in it are masked."""


class LeftOut(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Members of a set that were not examined, for one reason."""

    reason: str
    count: int
    names: tuple[str, ...] = ()
    """The first of them."""


class Coverage(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much of a set a step examined."""

    given: int
    """Members of all its inputs."""
    examined: int
    affected: int
    """Of those examined, the ones in which something was found."""
    reused: int = 0
    """Of those examined, the ones whose result was kept from an earlier run."""
    pairs: int = 0
    """Pairs that were compared, where it works on pairs."""
    left_out: tuple[LeftOut, ...] = ()


class Result(Private, msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that a capability found. It stays local, but for `outcome`, which the boundary checks."""

    outcome: Mapping[str, object]
    """`status`, `severity`, `count`, `tags`, and for sets `examined` and `affected`: words of the vocabulary."""
    title: str = ""
    findings: list[Finding] = []
    facts: dict[str, object] = {}
    """Details that JSON can hold."""
    text: str = ""
    """Markdown for the local report."""
    listed: bool = True
    """Whether `text` is the list of the findings. Where it is not, the report shows it below them."""
    coverage: Coverage | None = None
    """What was examined, where the inputs included a set."""
