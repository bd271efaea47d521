"""One language, from `definitions/<name>.toml`, and the one procedure that reads its source.

The head of a file is parsed; the rest, or all of it where the tree is broken, is read by line rules on code without
comments and strings. Both report the same captures: `import`, `function`, `class`, `abstract`, `type`, `constant`,
`base`, `decorator`, `package`, and what a language adds with handlers of its own.

    mask                comment and string style, a name of `source_views.py`
    rules               line rules; each alternative ends in one named group, a capture's name
    call_characters     what else belongs to a called name
    generics            type arguments stand between a called name and its bracket
    tolerant            good code often breaks its tree: macros, dialects
    marks               fixed spellings in code: counted as they stand
    counts, once        expressions over code (with its strings: count_in_strings), counted each time or once
    commands            words that begin a line, where calls have no brackets
    grammar.<variant>   tree-sitter grammar and query
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.literals import read_comments, read_logs, read_statements, read_strings
from plantwin.private.classify.languages.models import read_models
from plantwin.private.formats import source_views
from plantwin.private.formats.source_views import Mask, Text, separate, strip
from plantwin.private.formats.syntax_tree import Grammar, head_of, parse

READ_LIMIT = 32 * 1024
"""Nothing behind this is read."""
FULL_LIMIT = 12 * 1024
"""Behind this, only imports are looked for, and definitions where there are any."""

_late_import = expressions.compile(rb"\n[ \t]*+(?:import|from|require|use|using|#include|mod|source)\b").search
_router = expressions.compile(
    rb"\b(\w{1,40}+)(?:: [\w.]{1,40}+)?+ ?(?::=|=) ?(?:await |new )?(?:\w{1,40}+\.)?+"
    rb"(?:Router|express|APIRouter|Blueprint|FastAPI|Flask|Hono|Elysia|fastify|Koa|NewRouter|NewServeMux|Default"
    rb"|Starlette|Sanic|Litestar|createRouter|Group|group|grouped)\("
)
_type_arguments = expressions.compile(rb"(?:::)?<[\w\[\]., |?:&*{}]{0,100}+>(?=\()")

Handler = Callable[[OutlineBuilder, bytes], None]
Hook = Callable[[OutlineBuilder, Text, "Language"], None]


class Hooks(NamedTuple):
    """What a definition cannot say."""

    handlers: Mapping[str, Handler]
    """What to do with captures of its own, `import` above all."""
    first: Hook | None = None
    """Imports that are calls (`require`): read before calls are looked up."""
    last: Hook | None = None
    """What else its code tells, read from the separated text at the end."""


class Count(NamedTuple):
    """An expression whose matches count for a feature."""

    feature: str
    pattern: re.Pattern[bytes]
    once: bool


@dataclass(frozen=True, slots=True)
class Language:
    """How one language is masked, parsed, read line by line, and what its captures mean."""

    ecosystem: str
    """The resolver of its imports and the scope of `meanings.json`."""
    mask: Mask
    rules: re.Pattern[bytes]
    hooks: Hooks
    grammar: Grammar | None
    call_characters: bytes
    """A translation that leaves names and opening brackets and blanks out all else."""
    tolerant: bool
    generics: bool
    marks: Mapping[bytes, str]
    counts: tuple[Count, ...]
    count_in_strings: bool
    commands: Mapping[bytes, str]


def load_language(definition: str, variant: str, hooks: Hooks, mask: str = "") -> Language:
    """Load a definition with one of its grammars; `mask` replaces that of the definition."""
    file = Path(__file__).parent / "definitions" / f"{definition}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    grammar = table.get("grammar", {}).get(variant)
    keep = frozenset(b"_.($" + table.get("call_characters", "").encode())
    counts = [
        Count(feature, expressions.compile(_joined(pattern)), kind == "once")
        for kind in ("counts", "once")
        for feature, patterns in table.get(kind, {}).items()
        for pattern in patterns
    ]
    return Language(
        ecosystem=table["ecosystem"],
        mask=getattr(source_views, (mask or table["mask"]).upper()),
        rules=expressions.compile(_joined(table["rules"])),
        hooks=hooks,
        grammar=Grammar(**grammar) if grammar else None,
        call_characters=bytes(
            code if code >= 128 or chr(code).isalnum() or code in keep else 32 for code in range(256)
        ),
        tolerant=table.get("tolerant", False),
        generics=table.get("generics", False),
        marks=by_spelling(table.get("marks", {})),
        counts=tuple(counts),
        count_in_strings=table.get("count_in_strings", False),
        commands={
            word.encode(): feature for feature, words in table.get("commands", {}).items() for word in words.split()
        },
    )


def _joined(pattern: str) -> bytes:
    """An expression that is written over several lines."""
    return "".join(line.strip() if "\n" in pattern else line for line in pattern.split("\n")).encode()


def by_spelling(marks: Mapping[str, list[str]]) -> dict[bytes, str]:
    """Turn `feature: spellings` into a lookup by spelling."""
    return {spelling.encode(): feature for feature, spellings in marks.items() for spelling in spellings}


def reader_of(language: Language) -> Reader:
    """Return the reader of a format that a definition describes."""
    return language.ecosystem, lambda builder, data: read_source(builder, language, data)


_COMMON: dict[str, Handler] = {
    "function": OutlineBuilder.function,
    "class": OutlineBuilder.class_,
    "abstract": OutlineBuilder.abstract,
    "type": OutlineBuilder.type_,
    "constant": OutlineBuilder.constant,
    "base": OutlineBuilder.base,
    "decorator": OutlineBuilder.decorator,
}


def read_source(builder: OutlineBuilder, language: Language, data: bytes) -> bool:
    """Read source text into an outline; whether it parsed."""
    raw = data if len(data) <= FULL_LIMIT else data[: data.rfind(b"\n", 0, FULL_LIMIT) + 1] or data[:FULL_LIMIT]
    text = separate(language.mask, raw)
    parsed, rest = _read_tree(builder, language, data, text)
    if rest:
        _read_lines(builder, language, rest)
    if len(data) > len(raw) and _late_import(data, len(raw), READ_LIMIT):
        _read_lines(builder, language, strip(language.mask, data[text.end() : READ_LIMIT]))
    if language.hooks.first is not None:
        language.hooks.first(builder, text, language)
    code = text.code
    if "web" in builder.groups:
        builder.routers.update(map(decode, _router.findall(code)))
    plain = _type_arguments.sub(b"", code) if language.generics else code
    chunks = plain.translate(language.call_characters).split(b"(")[:-1]
    builder.called(Counter([chunk.rpartition(b" ")[2] for chunk in chunks]))
    builder.count_marks(language.marks, code)
    read_comments(builder, text)
    read_strings(builder, text)
    read_logs(builder, text)
    read_statements(builder, text)
    if language.counts:
        counted = text.with_strings() if language.count_in_strings else code
        for feature, pattern, once in language.counts:
            builder.count(feature, bool(pattern.search(counted)) if once else len(pattern.findall(counted)))
    if language.hooks.last is not None:
        language.hooks.last(builder, text, language)
    read_models(builder, text, data)
    return parsed or (language.tolerant and bool(builder.names or builder.references))


def _read_tree(builder: OutlineBuilder, language: Language, data: bytes, text: Text) -> tuple[bool, bytes]:
    """Report what the parsed head shows; return whether it parsed, and the code that is left for the line rules."""
    grammar = language.grammar
    if grammar is None:
        return True, text.code
    head = head_of(text.raw, grammar.limit)
    whole = len(head) == len(data)
    behind = b""
    if not whole:
        # A string that runs past the head would be read as code.
        end, behind = text.cut(len(head))
        head = head[:end]
    captures = parse(grammar, head, whole)
    if captures is None:
        return not head, text.code
    if not captures.parsed:
        return False, text.code
    _report(builder, language, captures.found)
    return True, behind


def _report(builder: OutlineBuilder, language: Language, found: dict[str, list[bytes]]) -> None:
    """Call the handlers, packages and imports first: what they mean decides what the others mean."""
    handlers = language.hooks.handlers
    for name in ("package", "import"):
        for raw in found.pop(name, ()):
            handlers[name](builder, raw)
    functions = found.pop("function", None)
    if functions:
        builder.functions(functions)
    for name, texts in found.items():
        handler = handlers.get(name) or _COMMON[name]
        for raw in texts:
            handler(builder, raw)


def _read_lines(builder: OutlineBuilder, language: Language, code: bytes) -> None:
    found: dict[str, list[bytes]] = {}
    for match in language.rules.finditer(b"\n" + code):
        name = match.lastgroup
        if name is not None:
            found.setdefault(name, []).append(match[name])
    if found:
        _report(builder, language, found)
