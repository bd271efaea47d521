"""What one language needs to be outlined, and the one procedure that outlines it.

The head of a file is parsed; the rest, or all of it where the tree is broken, is read by line rules
on code without comments and strings.
Both report the same captures: `import`, `function`, `class`, `abstract`, `type`, `constant`, `base`,
`decorator`, `package`, and what a language adds with its own handlers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.literals import read_comments, read_logs, read_strings
from plantwin.private.extract.languages.manners import read_shape
from plantwin.private.extract.languages.masks import Mask, Text, separate, strip
from plantwin.private.extract.languages.meanings.marks import MARKS
from plantwin.private.extract.languages.trees import Grammar, head_of, parse
from plantwin.private.facts import Outline

READ_LIMIT = 32 * 1024
"""Nothing behind this is read."""
FULL_LIMIT = 12 * 1024
"""Behind this, only imports are looked for, and definitions where there are any."""
BOM = b"\xef\xbb\xbf"

_late = expressions.compile(rb"\n[ \t]*+(?:import|from|require|use|using|#include|mod|source)\b").search
_router = expressions.compile(
    rb"\b(\w{1,40}+)(?:: [\w.]{1,40}+)?+ ?(?::=|=) ?(?:await |new )?(?:\w{1,40}+\.)?+"
    rb"(?:Router|express|APIRouter|Blueprint|FastAPI|Flask|Hono|Elysia|fastify|Koa|NewRouter|NewServeMux|Default"
    rb"|Starlette|Sanic|Litestar|createRouter|Group|group|grouped)\("
)
_type_arguments = expressions.compile(rb"(?:::)?<[\w\[\]., |?:&*{}]{0,100}+>(?=\()")

Handler = Callable[[Draft, bytes], None]


def call_table(extra: bytes = b"") -> bytes:
    """A translation that leaves names and opening brackets and blanks out all else."""
    keep = frozenset(b"_.($" + extra)
    return bytes(code if code >= 128 or chr(code).isalnum() or code in keep else 32 for code in range(256))


CALL_CHARACTERS = call_table()


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how it is masked, parsed, read line by line, and what its captures mean."""

    how: str
    """Its ecosystem: the resolver of its imports and the scope of its tables."""
    mask: Mask
    rules: re.Pattern[bytes]
    """Line rules for what is not parsed; each alternative ends in one named group, a capture's name."""
    handlers: Mapping[str, Handler]
    """What to do with captures of its own, `import` above all."""
    grammar: Grammar | None = None
    calls: bytes = CALL_CHARACTERS
    tolerant: bool = False
    """Whether good code often breaks its tree: macros, dialects."""
    generics: bool = False
    """Whether type arguments stand between a called name and its bracket."""
    first: Callable[[Draft, Text], None] | None = None
    """Imports that are calls (`require`): read before calls are looked up."""
    also: Callable[[Draft, Text], None] | None = None
    """What else its code tells, read from the separated text at the end."""
    marks: Mapping[bytes, str] = field(default_factory=dict)


COMMON: dict[str, Handler] = {
    "function": Draft.function,
    "class": Draft.class_,
    "abstract": Draft.abstract,
    "type": Draft.type_,
    "constant": Draft.constant,
    "base": Draft.base,
    "decorator": Draft.decorator,
}
_FIRST = ("package", "import")


def outline_with(language: Language, format: str, data: bytes, path: str) -> Outline:
    """Outline one file of a language."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if b"\0" in data[:READ_LIMIT]:
        return Outline(format=format, parsed=False, lines=lines)
    draft = Draft(language.how, path)
    parsed = read_into(draft, language, data)
    return draft.finish(format, lines, parsed)


def read_into(draft: Draft, language: Language, data: bytes) -> bool:
    """Read source text into a draft; whether it parsed."""
    if data.startswith(BOM):
        data = data[3:]
    raw = data if len(data) <= FULL_LIMIT else data[: data.rfind(b"\n", 0, FULL_LIMIT) + 1] or data[:FULL_LIMIT]
    text = separate(language.mask, raw)
    code = text.code
    parsed = True
    grammar = language.grammar
    rest = code
    if grammar is not None:
        head = head_of(raw, grammar.limit)
        whole = len(head) == len(data)
        behind = b""
        if not whole:
            # a string that runs past the head would be read as code
            end, behind = text.cut(len(head))
            head = head[:end]
        captures = parse(grammar, head, whole)
        parsed = not head if captures is None else captures.parsed
        if captures is not None and parsed:
            _report(draft, language, captures.found)
            rest = behind
    if rest:
        _read_lines(draft, language, rest)
    if len(data) > len(raw) and _late(data, len(raw), READ_LIMIT):
        _read_lines(draft, language, strip(language.mask, data[text.end() : READ_LIMIT]))
    if language.first is not None:
        language.first(draft, text)
    if "web" in draft.groups:
        draft.routers.update(map(text_of, _router.findall(code)))
    callable_ = _type_arguments.sub(b"", code) if language.generics else code
    draft.called(Counter([chunk.rpartition(b" ")[2] for chunk in callable_.translate(language.calls).split(b"(")[:-1]]))
    for mark, feature in language.marks.items():
        if mark in code:
            draft.count(feature, code.count(mark))
    read_comments(draft, text)
    read_strings(draft, text)
    read_logs(draft, text)
    read_shape(draft, text)
    if language.also is not None:
        language.also(draft, text)
    return parsed or (language.tolerant and bool(draft.names or draft.references))


def _report(draft: Draft, language: Language, found: dict[str, list[bytes]]) -> None:
    """Packages and imports first: what they mean decides what the others mean."""
    handlers = language.handlers
    for name in _FIRST:
        if name in found:
            handler = handlers[name]
            for raw in found.pop(name):
                handler(draft, raw)
    functions = found.pop("function", None)
    if functions:
        draft.functions(functions)
    for name, texts in found.items():
        handler = handlers.get(name) or COMMON[name]
        for raw in texts:
            handler(draft, raw)


def _read_lines(draft: Draft, language: Language, code: bytes) -> None:
    found: dict[str, list[bytes]] = {}
    for match in language.rules.finditer(b"\n" + code):
        name = match.lastgroup
        if name is not None:
            found.setdefault(name, []).append(match[name])
    if found:
        _report(draft, language, found)


def marks_of(how: str) -> dict[bytes, str]:
    """The fixed spellings of an ecosystem."""
    return MARKS[how]


def reader(language: Language, format: str) -> Callable[[bytes, str], Outline]:
    """The outline function of one format."""

    def read(data: bytes, path: str) -> Outline:
        return outline_with(language, format, data, path)

    return read
