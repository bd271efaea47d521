"""References resolved: who points at whom, why, and by which reference. Kept compact: millions fit.

A test's links tell what it is about, by its name or by what it imports first.
"""

from __future__ import annotations

from array import array

from plantwin.private.facts import Private, Reference
from plantwin.private.relate.import_resolvers import Everywhere, Found
from plantwin.private.relate.lookup import Lookup
from plantwin.private.relate.resolvers import PER_FILE, Resolution
from plantwin.vocabulary import EdgeReason, EdgeType

_PREFIXES = ("test_", "tests_", "test-", "spec_", "it_", "bench_", "Test")
_SUFFIXES = ("_test", "_tests", "-test", ".test", ".tests", "_spec", ".spec", "-spec", ".e2e", ".cy", "Tests", "Test")
_SUFFIXES_CAPITAL = ("Spec", "IT", "TestCase", "IntegrationTest", "UnitTest")
_SHOWN = frozenset({"html", "css"})
_TESTED_KINDS = frozenset({"code_file"})


def subject(stem: str) -> str:
    """The name of what a test tests: `test_cart`, `cart.spec`, `CartTest` say `cart`; otherwise nothing."""
    for prefix in _PREFIXES:
        if stem.startswith(prefix) and len(stem) > len(prefix):
            return stem[len(prefix) :].lower()
    for suffix in (*_SUFFIXES_CAPITAL, *_SUFFIXES):
        if stem.endswith(suffix) and len(stem) > len(suffix):
            return stem[: -len(suffix)].lower()
    return ""


def is_test(lookup: Lookup, position: int) -> bool:
    """Whether the object holds tests, rather than helping them."""
    facts = lookup.facts[position]
    if facts.kind != "code_file" or facts.format in _SHOWN:
        return False
    kind = lookup.semantic_class(position)
    if facts.role == "test":
        return kind not in ("test_helper", "test_fixture")
    return kind == "test_suite" and bool(subject(lookup.stem(position)))


class Subjects:
    """Code that tests can be about, by the name of its file."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._code: dict[str, list[int]] | None = None

    def _index(self) -> dict[str, list[int]]:
        lookup = self._lookup
        code: dict[str, list[int]] = {}
        for position, facts in enumerate(lookup.facts):
            if facts.kind in _TESTED_KINDS and facts.role != "test" and lookup.semantic_class(position) != "test_suite":
                code.setdefault(lookup.stem(position).lower(), []).append(position)
        return code

    def __call__(self, position: int) -> int | None:
        """The nearest code whose name the test repeats, in the same language."""
        name = subject(self._lookup.stem(position))
        if self._code is None:
            self._code = self._index()
        candidates = self._code.get(name) or self._code.get(name.replace("-", "_")) if name else None
        if not candidates:
            return None
        lookup = self._lookup
        language = lookup.facts[position].format
        same = [candidate for candidate in candidates[:256] if related(lookup.facts[candidate].format, language)]
        return lookup.nearest(same, position) if same else None


_SCRIPTS = frozenset({"javascript", "typescript", "jsx", "tsx", "vue", "svelte"})
_JVM = frozenset({"java", "kotlin", "scala", "groovy"})
_NATIVE = frozenset({"c", "cpp"})


def related(one: str, other: str) -> bool:
    """Whether code of one format can exercise code of the other directly."""
    return one == other or any(one in group and other in group for group in (_SCRIPTS, _JVM, _NATIVE))


REASONS = tuple(reason.value for reason in EdgeReason if reason.edge is EdgeType.DEPENDS_ON)
_CODES = {reason: code for code, reason in enumerate(REASONS)}
SHIFT = 5
"""Bits of a packed link that hold the reason; the rest is the target's position."""
MASK = (1 << SHIFT) - 1
_IMPORTS, _TESTS, _CONFIGURES, _READS = (_CODES[reason] for reason in ("imports", "tests", "configures", "reads"))
NAMED = 255
"""Stands for a reference's place where the name of the file, not a reference, told the relation."""
_MOST_REFERENCES = 254
_TESTED = 3
"""A test that names no subject is about the first few things that it imports."""
_CONFIG_KINDS = frozenset({"config", "secret_container"})

_NONE = -1

_Hits = int | tuple[int, ...]
"""Packed links of one reference: mostly one, which needs no tuple; `_NONE` for none."""


class Links(Private):
    """For each position, packed links in order of reference."""

    __slots__ = ("ends", "incoming", "packed", "starts", "which")

    def __init__(self, lookup: Lookup) -> None:
        size = len(lookup)
        self.packed = array("q")
        self.which = array("B")
        self.starts, self.ends = array("q", bytes(8 * size)), array("q", bytes(8 * size))
        self.incoming = array("q", bytes(8 * size))
        """How many links lead to each position."""
        self._resolve(lookup)
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

    def _resolve(self, lookup: Lookup) -> None:
        resolution = Resolution(lookup)
        subjects = Subjects(lookup)
        packed, which, facts = self.packed, self.which, lookup.facts
        fixed: dict[Reference, _Hits] = {}
        for members in lookup.inside.values():
            # What a reference leads to depends on its folder at most, so each folder asks once.
            known: dict[Reference, _Hits] = {}
            for position in members:
                references = facts[position].references
                testing = is_test(lookup, position)
                if not references and not testing:
                    continue
                seen: dict[int, int] = {}
                for place, reference in enumerate(references[:_MOST_REFERENCES]):
                    hits = fixed.get(reference)
                    if hits is None:
                        hits = known.get(reference)
                        if hits is None:
                            found = resolution(reference, position)
                            hits = _pack(lookup, found, reference[2])
                            if type(found) is Everywhere:
                                fixed[reference] = hits
                            elif reference[0] not in PER_FILE:
                                known[reference] = hits
                    if isinstance(hits, int):
                        if hits != _NONE and hits >> SHIFT != position:
                            seen.setdefault(hits, place)
                    else:
                        for hit in hits:
                            if hit >> SHIFT != position:
                                seen.setdefault(hit, place)
                if testing:
                    seen = _tested(lookup, subjects, position, seen)
                if seen:
                    self.starts[position] = len(packed)
                    packed.extend(seen)
                    which.extend(seen.values())
                    self.ends[position] = len(packed)


def _pack(lookup: Lookup, found: Found, reason: str) -> _Hits:
    if not found:
        return _NONE
    code = _CODES.get(reason, _IMPORTS)
    if code == _READS:
        # Code that opens a settings file is configured by it.
        kinds = [lookup.facts[candidate].kind in _CONFIG_KINDS for candidate in found]
        return tuple(
            candidate << SHIFT | (_CONFIGURES if configured else code)
            for candidate, configured in zip(found, kinds, strict=True)
        )
    return found[0] << SHIFT | code if len(found) == 1 else tuple([candidate << SHIFT | code for candidate in found])


def _tested(lookup: Lookup, subjects: Subjects, position: int, seen: dict[int, int]) -> dict[int, int]:
    """Tell what a test is about from what it merely uses: its name decides, then what it imports first."""
    name = subject(lookup.stem(position)).replace("-", "_")
    facts = lookup.facts
    imported = [
        link
        for link in seen
        if link & MASK in (_IMPORTS, _TESTS)
        and facts[link >> SHIFT].role != "test"
        and facts[link >> SHIFT].kind == "code_file"
    ]
    about = {link for link in imported if _named_like(lookup, link >> SHIFT, name)} or set(imported[:_TESTED])
    if not about:
        hit = subjects(position)
        if hit is not None and hit != position:
            seen[hit << SHIFT | _TESTS] = NAMED
        return seen
    return {link & ~MASK | _TESTS if link in about else link: place for link, place in seen.items()}


def _named_like(lookup: Lookup, position: int, name: str) -> bool:
    if not name:
        return False
    stem = lookup.stem(position).lower().replace("-", "_")
    if stem in ("__init__", "index", "mod", "lib", "main"):
        stem = lookup.folders[position].rpartition("/")[2].lower()
    return stem == name or (len(stem) > 2 and name.startswith(stem + "_"))
