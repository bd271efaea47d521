"""References resolved: who points at whom, why, and by which reference. Kept compact: millions fit."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from plantwin.private.facts import Private, Reference
from plantwin.private.relate.resolve import PER_FILE, Resolution
from plantwin.private.relate.resolvers.paths import clean
from plantwin.private.relate.subjects import Subjects, is_test, subject
from plantwin.private.relate.tables import Tables
from plantwin.vocabulary import EdgeReason, EdgeType

REASONS = tuple(reason.value for reason in EdgeReason if reason.edge is EdgeType.DEPENDS_ON)
_CODES = {reason: code for code, reason in enumerate(REASONS)}
_SHIFT = 5
"""Bits of a packed link that hold the reason; the rest is the target's position."""
_MASK = (1 << _SHIFT) - 1
_IMPORTS, _TESTS, _CONFIGURES, _READS = (_CODES[each] for each in ("imports", "tests", "configures", "reads"))
NAMED = 255
"""Stands for a reference's place where the name of the file, not a reference, told the relation."""
_MOST_REFERENCES = 254
_TESTED = 3
"""A test that names no subject is about the first few things that it imports."""
_CONFIG_KINDS = frozenset({"config", "secret_container"})
_DATA = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".yaml", ".yml", ".toml", ".sql", ".txt", ".ini")

_Hits = tuple[int, ...]


class Links(Private):
    """For each position, packed links in order of reference."""

    __slots__ = ("incoming", "missing", "packed", "starts", "which")

    def __init__(self, tables: Tables) -> None:
        size = len(tables)
        self.packed = array("q")
        self.which = array("B")
        self.starts = [(0, 0)] * size
        self.incoming = array("I", bytes(4 * size))
        """How many links lead to each position."""
        self.missing: set[int] = set()
        """Positions that read a file which is not there and which nothing writes."""
        self._resolve(tables)

    def of(self, position: int) -> Iterator[tuple[int, str, int]]:
        """Target, reason and place of the reference, for one source."""
        start, end = self.starts[position]
        for place in range(start, end):
            packed = self.packed[place]
            yield packed >> _SHIFT, REASONS[packed & _MASK], self.which[place]

    def _resolve(self, tables: Tables) -> None:
        resolution = Resolution(tables)
        subjects = Subjects(tables)
        absent: dict[str, list[int]] = {}
        written: set[str] = set()
        packed, which, starts, facts = self.packed, self.which, self.starts, tables.facts
        for members in tables.inside.values():
            # What a reference leads to depends on the folder alone, so each folder asks once.
            known: dict[Reference, _Hits] = {}
            for position in members:
                references = facts[position].references
                testing = is_test(tables, position)
                if not references and not testing:
                    continue
                seen: dict[int, int] = {}
                for place, reference in enumerate(references[:_MOST_REFERENCES]):
                    hits = known.get(reference)
                    if hits is None:
                        hits = _hits(tables, resolution, reference, position)
                        if reference[0] not in PER_FILE:
                            known[reference] = hits
                    for hit in hits:
                        if hit not in seen and hit >> _SHIFT != position:
                            seen[hit] = place
                    if reference[0] == "path" and reference[2] in ("reads", "writes"):
                        _note(reference, hits, position, absent, written)
                if testing:
                    seen = _tested(tables, subjects, position, seen)
                if seen:
                    start = len(packed)
                    packed.extend(seen)
                    which.extend(seen.values())
                    starts[position] = (start, len(packed))
        incoming = self.incoming
        for link in packed:
            incoming[link >> _SHIFT] += 1
        for name, readers in absent.items():
            if name not in written:
                self.missing.update(readers)


def _hits(tables: Tables, resolution: Resolution, reference: Reference, position: int) -> _Hits:
    code = _CODES.get(reference[2], _IMPORTS)
    found = resolution(reference, position)
    if code == _READS:
        # Code that opens a settings file is configured by it.
        return tuple(
            each << _SHIFT | (_CONFIGURES if tables.facts[each].kind in _CONFIG_KINDS else code) for each in found
        )
    return tuple([each << _SHIFT | code for each in found])


def _note(
    reference: Reference, hits: _Hits, position: int, absent: dict[str, list[int]], written: set[str]
) -> None:
    """Remember data files that are read and not there, and files that something writes."""
    path = clean(reference[1])
    name = path.rpartition("/")[2]
    if reference[2] == "writes":
        written.add(name)
    elif not hits and path[:1] not in ("/", "~", "") and path.lower().endswith(_DATA) and "%" not in path:
        absent.setdefault(name, []).append(position)


def _tested(tables: Tables, subjects: Subjects, position: int, seen: dict[int, int]) -> dict[int, int]:
    """Tell what a test is about from what it merely uses: its name decides, then what it imports first."""
    name = subject(tables.stem(position)).replace("-", "_")
    facts = tables.facts
    imported = [
        link
        for link in seen
        if link & _MASK in (_IMPORTS, _TESTS)
        and facts[link >> _SHIFT].role != "test"
        and facts[link >> _SHIFT].kind == "code_file"
    ]
    about = {link for link in imported if _named_like(tables, link >> _SHIFT, name)} or set(imported[:_TESTED])
    if not about:
        hit = subjects(position)
        if hit is not None and hit != position:
            seen[hit << _SHIFT | _TESTS] = NAMED
        return seen
    return {link & ~_MASK | _TESTS if link in about else link: place for link, place in seen.items()}


def _named_like(tables: Tables, position: int, name: str) -> bool:
    if not name:
        return False
    stem = tables.stem(position).lower().replace("-", "_")
    if stem in ("__init__", "index", "mod", "lib", "main"):
        stem = tables.folders[position].rpartition("/")[2].lower()
    return stem == name or (len(stem) > 2 and name.startswith(stem + "_"))
