"""Rules as data: read from TOML, checked, and expanded to what the engine runs.

Each file holds one provider or family. A rule has a `pattern` that decides; what is searched for
first is its `prefilter`, or the pattern itself. With `keywords`, the pattern must follow one of
those words on its line. A group named `v` marks the value inside the pattern.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from plantwin.errors import ConfigError

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
    """Which function confirms a hit: see `handlers.py`."""
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
