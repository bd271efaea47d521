"""Builds the outline of one source file: bounded, without repeats, with meanings looked up as names arrive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.classify.languages.meanings import (
    BASES,
    CALLS,
    DECORATORS,
    GROUPED_MARKS,
    GROUPED_METHODS,
    LEVELS,
    LOGGERS,
    MEMO_LIMIT,
    METHODS,
    OPENERS,
    ROUTERS,
    VERBS,
    package,
)
from plantwin.private.facts import Outline, Provision, Reference
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

MAX_REFERENCES = 80
MAX_PROVIDES = 200
MAX_NAMES = 200
MAX_CALLS = 200
MAX_LENGTH = 200

_dotted = expressions.compile(rb"[A-Za-z_$][\w$]*+(?:(?:\.|::|\\)[A-Za-z_$][\w$]*+)*+")
_identifier = expressions.compile(rb"[\w$]++")
_separator = expressions.compile(r"::|->|\?\.|\\")
_threshold = expressions.compile(r"(?:^|_)(?:MAX|MIN|LIMIT|THRESHOLD|CUTOFF|TOLERANCE)(?:_|$)")
KEYWORDS = _LEXICON.byte_words("keywords")


class Call(NamedTuple):
    """What is known of a called name, whatever the file."""

    name: str
    feature: str
    root: str
    grouped: dict[str, str] | None
    verb: str
    """The receiver of an HTTP verb: where a web package is imported and this is a router, a route."""
    opens: bool
    """Takes a path."""


_memos: dict[str, dict[bytes, Call | None]] = {}


def decode(raw: bytes) -> str:
    """Return a name as text, bounded; broken bytes become replacement characters."""
    return raw[:MAX_LENGTH].decode("utf-8", "replace")


class OutlineBuilder:
    """Collects one file's outline."""

    __slots__ = (
        "bound",
        "calls",
        "ecosystem",
        "features",
        "groups",
        "names",
        "opens",
        "own",
        "path",
        "provides",
        "references",
        "routers",
        "settings",
    )

    def __init__(self, ecosystem: str, path: str) -> None:
        self.ecosystem = ecosystem
        self.path = path
        self.references: dict[Reference, None] = {}
        self.provides: dict[Provision, None] = {}
        self.names: dict[str, None] = {}
        self.calls: dict[str, None] = {}
        self.features: dict[str, int] = {}
        self.groups: set[str] = set()
        self.bound: dict[str, str] = {}
        """Local name of an imported package -> its feature."""
        self.own: Counter[bytes] = Counter()
        """How often each name was defined with a parameter list, which looks like a call."""
        self.settings: list[tuple[str, str]] = []
        self.routers: set[str] = set()
        """Names that were given a router or an application."""
        self.opens = False
        """Whether anything is called that takes a path."""

    def count(self, feature: str, times: int = 1) -> None:
        if times > 0:
            self.features[feature] = self.features.get(feature, 0) + times

    def count_marks(self, marks: Mapping[bytes, str], code: bytes) -> None:
        """Count fixed spellings."""
        for mark, feature in marks.items():
            if mark in code:
                self.count(feature, code.count(mark))

    def refer(self, how: str, target: str, reason: str = "imports") -> None:
        if target and len(target) <= MAX_LENGTH and len(self.references) < MAX_REFERENCES:
            self.references[Reference(how, target, reason)] = None

    def provide(self, how: str, name: str) -> None:
        if name and len(name) <= MAX_LENGTH and len(self.provides) < MAX_PROVIDES:
            self.provides[Provision(how, name)] = None

    def name(self, name: str) -> None:
        if name and len(self.names) < MAX_NAMES:
            self.names[name] = None

    def call(self, name: str) -> None:
        if name and len(self.calls) < MAX_CALLS:
            self.calls[name[:MAX_LENGTH]] = None

    def imported(self, module: str, *bound: str, ecosystem: str = "") -> None:
        """An imported package: counted for what it is known for, and remembered under its local names."""
        self.call(module)
        known = package(ecosystem or self.ecosystem, module)
        if known is None:
            return
        if known.group:
            self.groups.add(known.group)
        if known.feature:
            self.count(known.feature)
            for name in bound:
                self.bound[name] = known.feature

    # What the readers of trees and lines report, by capture name.

    def function(self, raw: bytes) -> None:
        self.functions([raw])

    def functions(self, found: list[bytes]) -> None:
        """Functions and methods: many at once, since they are the most frequent."""
        self.own.update(found)
        macros = _TEST_MACROS.intersection(found)
        if macros:
            self.count("test_function", sum(raw in macros for raw in found))
            found = [raw for raw in found if raw not in macros]
        self.count("function", len(found))
        names = self.names
        for raw in found[: MAX_NAMES - len(names)]:
            names[raw[:MAX_LENGTH].strip(b"`").decode("utf-8", "replace")] = None
        tests = [raw for raw in found if raw[:4] in _TEST]
        if tests:
            # `test` alone is what a training script calls its last step.
            named = (raw[4:5] == b"_" or raw[4:5].isupper() or raw[:1] == b"T" for raw in tests if len(raw) > 4)
            self.count("test_function", sum(named))
        self.count("fixture", sum(raw in _FIXTURES for raw in found))

    def class_(self, raw: bytes) -> None:
        self.own[raw] += 1  # its base list or constructor looks like a call
        self.name(decode(raw))
        self.count("class")

    def abstract(self, raw: bytes) -> None:
        self.class_(raw)
        self.count("abstract")

    def class_head(self, raw: bytes) -> None:
        """`Name extends Base`, `Name : Base` or `Name(Base)`, from a line."""
        found = _identifier.match(raw.strip())
        if found:
            self.class_(found[0])
            self.base(raw.strip()[found.end() :])

    def constructor(self, raw: bytes) -> None:
        """A definition that looks like a call and has no name of its own."""
        self.own[raw] += 1

    def namespace(self, raw: bytes) -> None:
        """The package or namespace that the file declares."""
        self.provide(self.ecosystem, decode(raw))

    def name_only(self, raw: bytes) -> None:
        """A defined name that is neither function nor type."""
        self.name(decode(raw))

    def function_value(self, raw: bytes) -> None:
        """A function that is assigned to a name."""
        self.name(decode(raw))
        self.count("function")

    def type_(self, raw: bytes) -> None:
        self.name(decode(raw))
        self.count("type_only")

    def constant(self, raw: bytes) -> None:
        name = decode(raw)
        self.name(name)
        self.count("type_only")
        if _threshold.search(name):
            self.count("threshold")

    def base(self, raw: bytes) -> None:
        """Base classes, interfaces or mixins, as written after the class's name."""
        for found in _dotted.findall(raw[:400])[:12]:
            if found.endswith((b"Servicer", b"ImplBase", b"GrpcService")):
                self.count("route")
            self._mark(decode(found), BASES)

    def decorator(self, raw: bytes) -> None:
        """A decorator, annotation or attribute; its arguments are not read."""
        found = _dotted.search(raw[:MAX_LENGTH])
        if found:
            name = decode(found[0])
            if raw[found.end() : found.end() + 1] == b"(":
                self.own[found[0]] += 1  # its arguments make it look like a call
            self.call(name)
            self._mark(name, DECORATORS)

    def _mark(self, name: str, table: dict[str, str]) -> None:
        if not name.isidentifier():
            name = _separator.sub(".", name)
        parts = name.rsplit(".", 2)
        last = parts[-1]
        feature = table.get(name) or (table.get(".".join(parts[-2:])) if len(parts) > 2 else None) or table.get(last)
        feature = feature or table.get(f"{self.ecosystem}:{last}")
        if feature is None:
            grouped = GROUPED_MARKS.get(last, {})
            feature = next((grouped[group] for group in grouped if group in self.groups), self.bound.get(parts[0]))
        if feature:
            self.count(feature)

    def called(self, counts: Counter[bytes]) -> None:
        """All called names of the file with how often: looked up once per process."""
        own, groups, bound = self.own, self.groups, self.bound
        ecosystem = self.ecosystem
        memo = _memos.setdefault(ecosystem, {})
        features, calls = self.features, self.calls
        room = MAX_CALLS - len(calls)
        for raw, times in counts.items():
            if raw in own:
                times -= own[raw]
                if times <= 0:
                    continue
            try:
                call = memo[raw]
            except KeyError:
                if len(memo) > MEMO_LIMIT:
                    memo.clear()
                memo[raw] = call = _look_up(ecosystem, raw)
            if call is None:
                continue
            name, feature, root, grouped, verb, opens = call
            if opens:
                self.opens = True
            if room > 0 and name not in calls:
                calls[name] = None
                room -= 1
            if not feature:
                if verb and "web" in groups and (verb in ROUTERS or verb in self.routers):
                    feature = "route"
                elif grouped and groups:
                    for group, meaning in grouped.items():
                        if group in groups:
                            feature = meaning
                            break
                if not feature and bound:
                    feature = bound.get(root, "")
            if feature:
                features[feature] = features.get(feature, 0) + times

    def finish(self, format: str, lines: int, parsed: bool) -> Outline:
        return Outline(
            format=format,
            parsed=parsed,
            references=list(self.references),
            provides=list(self.provides),
            names=list(self.names),
            calls=list(self.calls),
            features=self.features,
            settings=self.settings,
            lines=lines,
        )


_FIXTURES = _LEXICON.byte_words("fixtures")
_TEST_MACROS = frozenset((b"TEST", b"TEST_F", b"TEST_P", b"TEST_CASE", b"BOOST_AUTO_TEST_CASE"))
_TEST = frozenset((b"test", b"Test"))


def _look_up(ecosystem: str, raw: bytes) -> Call | None:
    written = raw.strip(b".:->!?\\" if not raw.endswith(b"!") else b".:->?\\")
    if len(raw) > MAX_LENGTH or not written or written in KEYWORDS or written[:1].isdigit():
        return None
    name = decode(written)
    if len(name) > 1 and name[0] == "$":
        name = name.lstrip("$.")
    key = _separator.sub(".", name)
    chained = raw[:1] in b".:-"
    for own in ("self.", "this.", "cls."):
        key = key.removeprefix(own)
    parts = key.split(".")
    last, root = parts[-1], parts[0]
    dotted = chained or len(parts) > 1
    two = ".".join(parts[-2:])
    feature = ""
    if not chained:
        feature = CALLS.get(key) or CALLS.get(f"{ecosystem}:{key}") or (CALLS.get(two, "") if len(parts) > 2 else "")
    if not feature and dotted:
        feature = METHODS.get(last, "")
        if not feature and len(parts) > 1 and last in LEVELS and parts[-2] in LOGGERS:
            feature = "log_call"
    verb = parts[-2] if len(parts) > 1 and last in VERBS else ""
    return Call(
        name,
        feature,
        "" if chained else root,
        GROUPED_METHODS.get(last) if dotted else None,
        verb,
        last.rstrip("!").encode() in OPENERS,
    )
