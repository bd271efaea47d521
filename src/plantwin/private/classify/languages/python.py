"""Python."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder
from plantwin.private.classify.languages.language import Hooks, Language, load_language, reader_of
from plantwin.private.classify.languages.meanings import MEMO_LIMIT, PACKAGES
from plantwin.private.formats.source_views import Text

_from = expressions.compile(r"from\s*+(\.*+)\s*+([\w.]*?)\s*+\bimport\b\s*+(.*)", re.DOTALL)
_comment = expressions.compile(rb"#[^\n]*")
_loads_safely = expressions.compile(rb"yaml\.load\([^\n)]{0,200}Safe")
_lambda = expressions.compile(rb"\ndef \w{0,40}?handler\w{0,20}+\(event(?:: [^,)]{1,60}+)?+, _?context\b")
"""The entry of a cloud function."""
_asked = expressions.compile(rb"\n[ \t]*+(?:async )?+def \w++\((?:self, )?+req(?:uest)?+\b")
_answered = expressions.compile(rb"\n[ \t]++return \(?+[1-5]\d\d, ")
"""Functions that take a request, and answers that open with a status: handlers without a framework."""
_HANDLERS = ("routes", "handlers", "views", "endpoints", "controllers", "handler", "controller")
MAX_STATEMENT = 4000
_HYPERPARAMETERS = (b"learning_rate", b"batch_size", b"epochs", b"n_estimators", b"max_depth", b"weight_decay", b"lr=")


class Import(NamedTuple):
    """One import statement, read: the same statement stands in many files."""

    module: str
    """With its leading dots."""
    references: tuple[str, ...]
    bound: tuple[str, ...]
    parts: tuple[tuple[str, str], ...] = ()
    """Submodules imported by name that are packages of their own in the tables, with their local names."""


_memo: dict[bytes, tuple[Import, ...]] = {}


def read_import(builder: OutlineBuilder, raw: bytes) -> None:
    """One import statement, with its aliases and over several lines."""
    found = _memo.get(raw)
    if found is None:
        if len(_memo) > MEMO_LIMIT:
            _memo.clear()
        found = _memo[raw] = tuple(_imports(raw))
    for module, references, bound, parts in found:
        for reference in references:
            builder.refer("python", reference)
        if module[0] != ".":
            builder.imported(module, *bound)
        elif builder.path.endswith("__init__.py"):
            builder.count("reexport", len(bound))
        for part, local in parts:
            builder.imported(part, local)


def _imports(raw: bytes) -> Iterator[Import]:
    if b"#" in raw:
        raw = _comment.sub(b"", raw)
    statement = raw[:MAX_STATEMENT].decode("utf-8", "replace").replace("\\", " ").strip()
    found = _from.match(statement)
    if found:
        yield from _imports_from(*found.groups())
        return
    for part in statement.removeprefix("import").split(","):
        words = part.split()
        if words and words[0].strip("."):
            module = words[0]
            yield Import(module, (module,), (words[2] if len(words) == 3 else module.partition(".")[0],))


def _imports_from(dots: str, module: str, names: str) -> Iterator[Import]:
    items = [part.split() for part in names.replace("(", " ").replace(")", " ").split(",")]
    items = [words for words in items if words]
    full = dots + module
    if not full or not items or full == "__future__":
        return
    if not dots and module.partition(".")[0] in sys.stdlib_module_names:
        references: tuple[str, ...] = (module,)
    else:
        references = tuple(full if words[0] == "*" else f"{full}:{words[0]}" for words in items)
    parts = [(f"{module}.{words[0]}", words[-1]) for words in items if not dots]
    yield Import(
        full, references, tuple(words[-1] for words in items), tuple(part for part in parts if part[0] in PACKAGES)
    )


def _class_head(builder: OutlineBuilder, raw: bytes) -> None:
    name, _, bases = raw.partition(b"(")
    builder.class_(name.strip(b" :\r"))
    if bases:
        builder.base(bases)


def _constant(builder: OutlineBuilder, raw: bytes) -> None:
    if raw.isupper():
        builder.constant(raw)


def _last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    code = text.code
    if b"__main__" in code and b"__name__" in code:
        builder.count("main_guard")
    if b"yaml.load(" in code:
        builder.count("insecure_call", code.count(b"yaml.load(") - len(_loads_safely.findall(code)))
    if b"event" in code and b"context" in code:
        builder.count("route", len(_lambda.findall(code)))
    if (b"(req" in code or b", req" in code) and "web" not in builder.groups:
        asked = len(_asked.findall(code))
        if asked >= 2 and (_handles(builder.path) or len(_answered.findall(code)) >= 2):
            builder.count("route", asked)
    if b"__tablename__" in code:
        builder.count("orm_model", code.count(b"__tablename__"))
    if "ml" in builder.groups:
        builder.count("hyperparameter", sum(code.count(word) for word in _HYPERPARAMETERS))


def _handles(path: str) -> bool:
    """Whether a file is named after what answers requests."""
    return path.rpartition("/")[2].partition(".")[0].endswith(_HANDLERS)


def reader(format: str) -> Reader:
    """Return the reader of Python."""
    hooks = Hooks({"import": read_import, "class_head": _class_head, "constant": _constant}, last=_last)
    return reader_of(load_language("python", format, hooks))
