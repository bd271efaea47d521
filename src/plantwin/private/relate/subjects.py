"""Which object a test is about, as its name says it."""

from __future__ import annotations

from plantwin.private.relate.tables import Tables

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


def is_test(tables: Tables, position: int) -> bool:
    """Whether the object holds tests, rather than helping them."""
    facts = tables.facts[position]
    if facts.kind != "code_file" or facts.format in _SHOWN:
        return False
    kind = tables.semantic_class(position)
    if facts.role == "test":
        return kind not in ("test_helper", "test_fixture")
    return kind == "test_suite" and bool(subject(tables.stem(position)))


class Subjects:
    """Code that tests can be about, by the name of its file."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._code: dict[str, list[int]] | None = None

    def _index(self) -> dict[str, list[int]]:
        tables = self._tables
        code: dict[str, list[int]] = {}
        for position, facts in enumerate(tables.facts):
            if facts.kind in _TESTED_KINDS and facts.role != "test" and tables.semantic_class(position) != "test_suite":
                code.setdefault(tables.stem(position).lower(), []).append(position)
        return code

    def __call__(self, position: int) -> int | None:
        """The nearest code whose name the test repeats, in the same language."""
        name = subject(self._tables.stem(position))
        if self._code is None:
            self._code = self._index()
        candidates = self._code.get(name) or self._code.get(name.replace("-", "_")) if name else None
        if not candidates:
            return None
        tables = self._tables
        language = tables.facts[position].format
        same = [each for each in candidates[:256] if related(tables.facts[each].format, language)]
        return tables.nearest(same, position) if same else None


_SCRIPTS = frozenset({"javascript", "typescript", "jsx", "tsx", "vue", "svelte"})
_JVM = frozenset({"java", "kotlin", "scala", "groovy"})
_NATIVE = frozenset({"c", "cpp"})


def related(one: str, other: str) -> bool:
    """Whether code of one format can exercise code of the other directly."""
    return one == other or any(one in group and other in group for group in (_SCRIPTS, _JVM, _NATIVE))
