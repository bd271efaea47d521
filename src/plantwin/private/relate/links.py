"""References resolved: who points at whom, why, and by which reference. Kept compact: millions fit."""

from __future__ import annotations

from array import array

from plantwin.private.facts import Private, Reference
from plantwin.private.relate.resolve import PER_FILE, Resolution
from plantwin.private.relate.resolvers.found import Everywhere, Found
from plantwin.private.relate.resolvers.paths import clean
from plantwin.private.relate.subjects import Subjects, is_test, subject
from plantwin.private.relate.tables import Tables
from plantwin.vocabulary import EdgeReason, EdgeType

REASONS = tuple(reason.value for reason in EdgeReason if reason.edge is EdgeType.DEPENDS_ON)
_CODES = {reason: code for code, reason in enumerate(REASONS)}
SHIFT = 5
"""Bits of a packed link that hold the reason; the rest is the target's position."""
MASK = (1 << SHIFT) - 1
_IMPORTS, _TESTS, _CONFIGURES, _READS = (_CODES[each] for each in ("imports", "tests", "configures", "reads"))
NAMED = 255
"""Stands for a reference's place where the name of the file, not a reference, told the relation."""
_MOST_REFERENCES = 254
_TESTED = 3
"""A test that names no subject is about the first few things that it imports."""
_CONFIG_KINDS = frozenset({"config", "secret_container"})
_DATA = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".yaml", ".yml", ".toml", ".sql", ".txt", ".ini")

_NONE = -1

_Hits = int | tuple[int, ...]
"""Packed links of one reference: mostly one, which needs no tuple; `_NONE` for none."""


class Links(Private):
    """For each position, packed links in order of reference."""

    __slots__ = ("ends", "incoming", "missing", "packed", "starts", "which")

    def __init__(self, tables: Tables) -> None:
        size = len(tables)
        self.packed = array("q")
        self.which = array("B")
        self.starts, self.ends = array("q", bytes(8 * size)), array("q", bytes(8 * size))
        self.incoming = array("q", bytes(8 * size))
        """How many links lead to each position."""
        self.missing: set[int] = set()
        """Positions that read a file which is not there and which nothing writes."""
        self._resolve(tables)
        incoming = self.incoming
        for link in self.packed:
            incoming[link >> SHIFT] += 1

    def of(self, position: int) -> list[tuple[int, str, int]]:
        """Target, reason and place of the reference, for one source."""
        start, end = self.starts[position], self.ends[position]
        return [
            (link >> SHIFT, REASONS[link & MASK], place)
            for link, place in zip(self.packed[start:end], self.which[start:end], strict=True)
        ]

    def _resolve(self, tables: Tables) -> None:
        resolution = Resolution(tables)
        subjects = Subjects(tables)
        files = _Files()
        packed, which, facts = self.packed, self.which, tables.facts
        fixed: dict[Reference, _Hits] = {}
        for members in tables.inside.values():
            # What a reference leads to depends on its folder at most, so each folder asks once.
            known: dict[Reference, _Hits] = {}
            for position in members:
                references = facts[position].references
                testing = is_test(tables, position)
                if not references and not testing:
                    continue
                seen: dict[int, int] = {}
                for place, reference in enumerate(references[:_MOST_REFERENCES]):
                    hits = fixed.get(reference)
                    if hits is None:
                        hits = known.get(reference)
                        if hits is None:
                            found = resolution(reference, position)
                            hits = _pack(tables, found, reference[2])
                            if type(found) is Everywhere:
                                fixed[reference] = hits
                            elif reference[0] not in PER_FILE:
                                known[reference] = hits
                                files.written(reference)
                    if isinstance(hits, int):
                        if hits == _NONE:
                            files.absent(reference, position)
                        elif hits >> SHIFT != position:
                            seen.setdefault(hits, place)
                    else:
                        for hit in hits:
                            if hit >> SHIFT != position:
                                seen.setdefault(hit, place)
                if testing:
                    seen = _tested(tables, subjects, position, seen)
                if seen:
                    self.starts[position] = len(packed)
                    packed.extend(seen)
                    which.extend(seen.values())
                    self.ends[position] = len(packed)
        self.missing = files.missing()


def _pack(tables: Tables, found: Found, reason: str) -> _Hits:
    if not found:
        return _NONE
    code = _CODES.get(reason, _IMPORTS)
    if code == _READS:
        # Code that opens a settings file is configured by it.
        kinds = [tables.facts[each].kind in _CONFIG_KINDS for each in found]
        return tuple(
            each << SHIFT | (_CONFIGURES if configured else code) for each, configured in zip(found, kinds, strict=True)
        )
    return found[0] << SHIFT | code if len(found) == 1 else tuple([each << SHIFT | code for each in found])


class _Files:
    """Data files that are read and not there, and files that something writes."""

    def __init__(self) -> None:
        self._absent: dict[str, list[int]] = {}
        self._written: set[str] = set()

    def written(self, reference: Reference) -> None:
        """Remember a file that something writes."""
        if reference[2] == "writes" and reference[0] == "path":
            self._written.add(clean(reference[1]).rpartition("/")[2])

    def absent(self, reference: Reference, position: int) -> None:
        """Remember a data file that is read and led nowhere, unless its name is only a pattern."""
        if reference[2] == "reads" and reference[0] == "path":
            path = clean(reference[1])
            if path[:1] not in ("/", "~", "") and path.lower().endswith(_DATA) and "%" not in path:
                self._absent.setdefault(path.rpartition("/")[2], []).append(position)

    def missing(self) -> set[int]:
        """Who reads a file that is not there and that nothing writes."""
        return {reader for name, readers in self._absent.items() if name not in self._written for reader in readers}


def _tested(tables: Tables, subjects: Subjects, position: int, seen: dict[int, int]) -> dict[int, int]:
    """Tell what a test is about from what it merely uses: its name decides, then what it imports first."""
    name = subject(tables.stem(position)).replace("-", "_")
    facts = tables.facts
    imported = [
        link
        for link in seen
        if link & MASK in (_IMPORTS, _TESTS)
        and facts[link >> SHIFT].role != "test"
        and facts[link >> SHIFT].kind == "code_file"
    ]
    about = {link for link in imported if _named_like(tables, link >> SHIFT, name)} or set(imported[:_TESTED])
    if not about:
        hit = subjects(position)
        if hit is not None and hit != position:
            seen[hit << SHIFT | _TESTS] = NAMED
        return seen
    return {link & ~MASK | _TESTS if link in about else link: place for link, place in seen.items()}


def _named_like(tables: Tables, position: int, name: str) -> bool:
    if not name:
        return False
    stem = tables.stem(position).lower().replace("-", "_")
    if stem in ("__init__", "index", "mod", "lib", "main"):
        stem = tables.folders[position].rpartition("/")[2].lower()
    return stem == name or (len(stem) > 2 and name.startswith(stem + "_"))
