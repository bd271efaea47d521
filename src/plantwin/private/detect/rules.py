"""Detection rules: rows of TOML, what rows of users may say, and the examples they are held to.

Each file holds one provider or family. A rule has a `pattern` that decides; what is searched for
first is its `prefilter`, or the pattern itself. With `keywords`, the pattern must follow one of
those words on its line. A group named `v` marks the value inside the pattern.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from plantwin.errors import ConfigError
from plantwin.private.detect.summary import known_types
from plantwin.private.detect.validators import VALIDATORS

if TYPE_CHECKING:
    from plantwin.private.detect.engine import Detector

FOLDER = Path(__file__).parent / "rules"
UNSEARCHED = ("wrapped",)
"""Handlers that find their own places."""
GAP = r"""[\w\s.,:;=<>"'`\-\[\]{}()\\/|%#@$&?!+*]"""
LEFT, RIGHT = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"

_LONGER = re.compile(r"\{([1-9]\d{0,3}),\d{1,5}\}(\)?)\Z")

Example = str | tuple[str, ...]
"""Text, or its parts: a secret in two parts is harmless to other scanners."""


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of a rule file."""

    type: str
    group: Literal["secret", "personal", "infrastructure", "identifier"]
    confidence: Literal["low", "medium", "high"]
    description: str
    pattern: str = ""
    prefilter: tuple[str, ...] = ()
    """Looked for first, instead of the pattern; `@WORD@` stands for each keyword in turn."""
    keywords: tuple[str, ...] = ()
    gap: int = 40
    """How far after a keyword the value may start."""
    handler: str = "token"
    """Which function confirms a hit: see `HANDLERS` in engine.py."""
    validator: str = ""
    entropy: float = 0.0
    bounded: bool = True
    """Whether the value must not continue a longer word."""
    reach: int = 600
    """How many bytes before the end of a hit the pattern may start."""
    tail: int = 600
    """How many bytes after a hit the pattern may end."""
    anchor: str = ""
    """A text that the pattern starts with: it is tried there alone, not at every byte of a long window."""
    noisy: bool = False
    """So frequent in logs that counting stops once there are many."""
    generic: bool = False
    """Decided by context and shape: yields to a rule that knows the format."""
    files: str = ""
    """A pattern that the path must match, for formats that only their file's name tells."""
    examples: tuple[Example, ...] = ()
    counterexamples: tuple[Example, ...] = ()
    example_path: str = ""
    """Where the examples are read, for rules that ask for a file's name."""
    origin: str = ""
    """Whose rule it is: empty for a shipped one, else `user` or `folder`. Not for rule files to say."""

    def __repr__(self) -> str:
        return f"<Rule {self.type}>"

    @property
    def expression(self) -> str:
        """The whole confirming pattern: keywords, gap, boundaries and value."""
        return self._expression(LEFT, RIGHT, "|".join(self.keywords))

    @property
    def searches(self) -> tuple[str, ...]:
        """What the multi-pattern pass looks for."""
        if not self.prefilter:
            # Boundaries are left to the confirmation: the engine only approximates looking around.
            # So is how long a value may grow: each longer end would be one more hit.
            words = self.keywords or ("",)
            texts = [self._expression("", "", word) for word in words] if self.pattern else []
            return tuple(_LONGER.sub(r"{\1}\2", text) for text in texts)
        words = self.keywords or ("",)
        return tuple(dict.fromkeys(text.replace("@WORD@", word) for text in self.prefilter for word in words))

    def _expression(self, left: str, right: str, words: str) -> str:
        body = self.pattern
        if not self.keywords:
            return f"{left}(?:{body}){right}" if self.bounded else body
        value = body if "(?P<v>" in body else f"(?P<v>{body})"
        gap = f"{GAP}{{0,{self.gap}}}?"
        return f"(?i:{words}){gap}{left}{value}{right}"


class RuleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One TOML file."""

    rule: tuple[Rule, ...]


def check(rule: Rule) -> None:
    """Refuse what the engine cannot run in linear time, or what states nothing."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{2,39}", rule.type):
        raise ConfigError("rule type: not a lower-case name")
    if not rule.searches and rule.handler not in UNSEARCHED:
        raise ConfigError(f"rule {rule.type}: neither pattern nor prefilter")
    for text in (rule.pattern, *rule.keywords):
        if unbounded(text):
            raise ConfigError(f"rule {rule.type}: an unbounded repetition")
    for text in (rule.expression, rule.files):
        try:
            re.compile(text.encode())
        except (re.error, OverflowError, RecursionError):
            raise ConfigError(f"rule {rule.type}: a pattern that does not compile") from None


def unbounded(pattern: str) -> bool:
    """Whether a repetition has no upper limit: `*`, `+` or `{n,}` outside of classes and escapes."""
    bare = re.sub(r"\\.", "x", pattern, flags=re.S)
    bare = re.sub(r"\[\^?\]?[^\]]*\]", "x", bare)
    return re.search(r"[*+]|\{\d*,\}", bare) is not None


def parse(text: str) -> tuple[Rule, ...]:
    """The rules of one file's text."""
    try:
        rules = msgspec.toml.decode(text, type=RuleFile).rule
    except (msgspec.MsgspecError, ValueError) as error:
        raise ConfigError(f"a rule file does not parse: {type(error).__name__}") from None
    for rule in rules:
        check(rule)
    return rules


def load(folder: Path = FOLDER) -> tuple[Rule, ...]:
    """Every rule of a folder, in the order of file names."""
    return tuple(rule for path in sorted(folder.glob("*.toml")) for rule in parse(path.read_text("utf-8")))


def text_of(example: Example) -> str:
    """An example as one text."""
    return example if isinstance(example, str) else "".join(example)


@cache
def version() -> str:
    """Digest of the rule data and of the code that applies it: what was found depends on both."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*here.glob("*.py"), *here.glob("*.toml"), *here.glob("rules/*.toml")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


MOST = 200
LONGEST = 2_000
"""Characters of a pattern."""
WIDEST = 1_200
"""Bytes that a pattern may match."""
CHOICES = 5_000
"""Ways in which a pattern's repetitions may share a text: what a confirmation costs at worst."""


@cache
def shipped() -> frozenset[str]:
    """Every type that a finding has without configuration."""
    return known_types(rule.type for rule in load())


def refused(rules: Iterable[Rule]) -> str:
    """What is wrong with rules of a user or folder, in words that name the rule; empty when nothing is."""
    rules = tuple(rules)
    if len(rules) > MOST:
        return f"more than {MOST} rules in one file: leave some out"
    for rule in rules:
        problem = _problem(rule)
        if problem:
            return f"rule {rule.type}: {problem}"
    return ""


def _problem(rule: Rule) -> str:
    if rule.type in shipped():
        return "this type is built in: choose another name"
    if rule.origin:
        return "origin is not for a rule file to say: remove it"
    if rule.handler != "token":
        return "a rule of yours has a pattern and no handler: remove handler"
    if rule.validator and rule.validator not in VALIDATORS:
        return f"no such validator: use one of {', '.join(sorted(VALIDATORS))}"
    texts = (rule.pattern, rule.files, *rule.prefilter, *rule.keywords)
    if max(map(len, texts)) > LONGEST or len(rule.keywords) > MOST:
        return f"a pattern longer than {LONGEST} characters or more than {MOST} keywords: shorten it"
    if not 0 <= rule.gap <= 200 or not 0 <= rule.reach <= 4_096 or not 0 <= rule.tail <= 4_096:
        return "gap may be up to 200, reach and tail up to 4096"
    if unbounded(rule.files):
        return "files has an unbounded repetition: use {0,80} instead of *"
    try:
        width, choices = cost(rule.expression)
    except (re.error, OverflowError, RecursionError):
        return "a pattern that does not compile"
    if not 3 <= width <= WIDEST:
        return f"a pattern must be able to match between 3 and {WIDEST} bytes: bound its repetitions"
    if choices > CHOICES:
        return "repetitions that can share a text in too many ways: use fewer or narrower ranges"
    return _uncompiled(rule)


def _uncompiled(rule: Rule) -> str:
    """Whether the engine refuses it."""
    import hyperscan

    from plantwin.private.detect.compiled import build

    try:
        build((rule,))
    except (hyperscan.error, ValueError):
        return "a pattern that the engine cannot search for: simplify it"
    return ""


def cost(pattern: str) -> tuple[int, int]:
    """How many bytes a pattern can match, and in how many ways its repetitions can share them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        try:
            tree: Any = re._parser.parse(pattern)  # type: ignore[attr-defined]
        except FutureWarning:
            raise re.error("ambiguous set") from None
    return int(min(tree.getwidth()[1], 1 << 30)), min(_choices(tree), 1 << 30)


def _choices(tree: Any) -> int:
    total = 1
    for name, value in tree:
        total = min(total * _choice(str(name), value), 1 << 30)
    return total


def _choice(name: str, value: Any) -> int:
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = value
        inside = _choices(inner)
        # A choice inside a repetition is made anew each time.
        return int(most - least + 1) * (inside ** min(int(most), 16) if inside > 1 else 1)
    if name == "SUBPATTERN":
        return _choices(value[3])
    if name == "BRANCH":
        return sum(_choices(member) for member in value[1])
    if name in ("ASSERT", "ASSERT_NOT"):
        return _choices(value[1])
    if name == "ATOMIC_GROUP":
        return _choices(value)
    if name == "GROUPREF_EXISTS":
        return sum(_choices(member) for member in value[1:] if member is not None)
    return 1


class Failure(NamedTuple):
    """An example that does not do what its rule says."""

    type: str
    example: int
    """Its number among those of its kind, from 1."""
    expected: bool
    """Whether it should have been found."""


def failures(rules: Iterable[Rule], detector: Detector) -> Iterator[Failure]:
    """Every example that fails in the full detector, where all other rules run as well."""
    for rule in rules:
        for examples, expected in ((rule.examples, True), (rule.counterexamples, False)):
            for place, example in enumerate(examples, 1):
                if found(rule, example, detector) is not expected:
                    yield Failure(rule.type, place, expected)
        if not rule.examples:
            yield Failure(rule.type, 0, True)


def found(rule: Rule, example: Example, detector: Detector) -> bool:
    """Whether the rule's type is found in its example; a rule that reads several types answers for its group."""
    findings = detector.scan(text_of(example).encode(), path=rule.example_path)
    if rule.handler == "token":
        return any(finding.type == rule.type for finding in findings)
    return any(finding.group == rule.group for finding in findings)
