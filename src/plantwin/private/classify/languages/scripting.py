"""Ruby, PHP, shell scripts, and every other language by line rules: Lua, Perl, Swift, Elixir, R and more."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.language import (
    Hooks,
    Language,
    by_spelling,
    load_language,
    read_source,
    reader_of,
)
from plantwin.private.classify.languages.markup import read_elements
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import Text

_LEXICON = Lexicon(__file__)

# Ruby

_required = _LEXICON.bytes_pattern("required")
# A call without brackets at the start of a line: `validates :name`, `get '/x' do`, `describe Foo do`
_ruby_command = _LEXICON.bytes_pattern("ruby_command")
_include = _LEXICON.bytes_pattern("include")
_bare = _LEXICON.bytes_pattern("bare")
_verb = _LEXICON.bytes_pattern("verb")
_resource = _LEXICON.bytes_pattern("resource")
_BLOCKS = _LEXICON.byte_words("blocks")


def _read_ruby_class_head(builder: OutlineBuilder, raw: bytes) -> None:
    name, _, base = raw.partition(b"<")
    _read_ruby_class(builder, name.split(b";")[0].strip())
    builder.base(base)


def _read_ruby_module(builder: OutlineBuilder, raw: bytes) -> None:
    builder.name(decode(raw))
    builder.provide("ruby", decode(raw))


def _read_ruby_class(builder: OutlineBuilder, raw: bytes) -> None:
    builder.class_(raw)
    builder.provide("ruby", decode(raw))


def _read_ruby_first(builder: OutlineBuilder, text: Text, _: Language) -> None:
    code = b"\n" + text.code
    builder.own.update({b"self." + name: times for name, times in builder.own.items()})
    for verb, target in _required.findall(code):
        name = decode(target)
        if verb in (b"require_relative", b"load"):
            builder.refer("ruby_relative", name)
        else:
            builder.refer("ruby", name)
            builder.imported(name, name.rpartition("/")[2].title())


def _read_ruby_last(builder: OutlineBuilder, text: Text, language: Language) -> None:
    code = b"\n" + text.code
    for name in _include.findall(code):
        builder.base(name)
    for name in _ruby_command.findall(code):
        if name in _BLOCKS:
            continue
        builder.call(decode(name))
        feature = language.commands.get(name)
        if feature:
            builder.count(feature)
    for name in _bare.findall(code):
        builder.call(decode(name))
        builder.count(language.commands.get(name, "print_call"))
    builder.count(
        "route", len(_verb.findall(code)) if "web" in builder.groups or b"Rails.application.routes" in code else 0
    )
    resources = len(_resource.findall(code))
    if resources >= 2:
        builder.count("playbook", resources)
    if b"ActiveRecord::Schema" in code and "migration_op" in builder.features:
        # the state that the migrations lead to
        builder.count("create_table", builder.features.pop("migration_op"))
        builder.features.pop("generated_marker", None)
        builder.count("schema_def")
    if b"__FILE__ == $0" in code or b"__FILE__ == $PROGRAM_NAME" in code:
        builder.count("main_guard")


# PHP

_included = _LEXICON.bytes_pattern("included")
_space = expressions.compile(r"\s+")


def _read_php_use(builder: OutlineBuilder, raw: bytes) -> None:
    r"""`use A\B as C, D\E;` and `use A\{B, C as D};`."""
    statement = _space.sub(" ", raw[:4000].decode("utf-8", "replace")).strip("; ").removeprefix("use ")
    statement = statement.removeprefix("function ").removeprefix("const ")
    prefix, brace, inside = statement.partition("{")
    for part in (inside.rstrip("} ") if brace else statement).split(","):
        path, _, alias = part.strip().partition(" as ")
        full = ((prefix if brace else "") + path.strip()).strip("\\")
        if full:
            builder.refer("php", full)
            builder.imported(full.replace("\\", "."), alias.strip() or full.rpartition("\\")[2])


def _read_php_last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    for target in _included.findall(text.code):
        builder.refer("php_path", decode(target.lstrip(b"/")))
    if b"?>" in text.raw and b"</" in text.raw:
        builder.count("template_tag", text.raw.count(b"<?"))
        read_elements(builder, text.raw)


# Shell

_shell_command = _LEXICON.bytes_pattern("shell_command")
_sourced = _LEXICON.bytes_pattern("sourced")
_script = _LEXICON.bytes_pattern("script")
_relative = _LEXICON.bytes_pattern("relative")
_script_path = expressions.compile(r"(?:.*[})\"]|\$\w++)?/?((?:\.{1,2}/)*[\w.-][\w./-]*)[\"']?$")
_shell_main = expressions.compile(rb'\nmain[ ]++["$@]')
_NO_COMMANDS = _LEXICON.byte_words("no_commands")


def _read_shell_last(builder: OutlineBuilder, text: Text, language: Language) -> None:
    code = b"\n" + text.code
    if b"source" in code or b"\n." in code or b" . " in code:
        # quoted paths nest quotes, so the strings are put back
        for rest in _sourced.findall(b"\n" + text.with_strings()):
            _refer_script(builder, rest.split(b" #")[0].strip(), "imports")
    for target in _script.findall(code):
        _refer_script(builder, target, "runs")
    for target in _relative.findall(code):
        _refer_script(builder, target, "runs")
    own = {name.encode() for name in builder.names}
    for name in _shell_command.findall(code):
        if name in _NO_COMMANDS:
            continue
        if name not in own:
            builder.call(decode(name))
        feature = language.commands.get(name)
        if feature:
            builder.count(feature)
    if _shell_main.search(b"\n" + text.raw):
        builder.count("main_guard")
    builder.count("env_read", text.raw.count(b":?") + text.raw.count(b":-"))


def _refer_script(builder: OutlineBuilder, target: bytes, reason: str) -> None:
    """A script by its path; what a variable or command stands for is left out in front."""
    name = decode(target).strip("\"' ")
    found = _script_path.match(name)
    if found and found[1].strip("./") and "$" not in found[1]:
        builder.refer("shell", found[1], reason)


# Other languages

_quote = expressions.compile(rb"[\"']([^\"'\n]{1,160})[\"']")
_test = _LEXICON.bytes_pattern("test")
_assert = _LEXICON.bytes_pattern("assert")
_cmdlet = expressions.compile(rb"(?<![\w-])[A-Z][a-z]{1,20}+-[A-Z]\w{1,60}+(?!\w|[ \t]*+\{)")
_VIEW = _LEXICON.bytes_pattern("view")
_proved = _LEXICON.bytes_pattern("proved")
_attached = _LEXICON.bytes_pattern("attached")
_MAIN = (b"void main(", b"@main", b"sub main", b"func main(", b"fn main(", b"main ::")


def _read_generic_import(builder: OutlineBuilder, raw: bytes) -> None:
    for part in decode(raw).split(","):
        name = part.strip(" .")
        builder.imported(name, name.rpartition(".")[2].rpartition("::")[2])


def _read_quoted(builder: OutlineBuilder, raw: bytes) -> None:
    """An import of a literal: a relative path is a file, anything else a package."""
    found = _quote.search(raw)
    if not found:
        return
    name = decode(found[1])
    if name.startswith(("package:", "dart:")):
        builder.imported(name.partition("/")[0])
    elif "/" in name or name.endswith((".dart", ".R", ".r", ".lua", ".pl", ".jl", ".exs", ".groovy")):
        builder.refer("path", name)
    elif raw.startswith(b"require"):
        builder.refer("path", name.replace(".", "/") + ".lua" if builder.path.endswith(".lua") else name)
        builder.call(name)


def _read_sourced(builder: OutlineBuilder, raw: bytes) -> None:
    name = decode(raw[1:].strip()).replace("\\", "/")
    builder.refer("path", name.partition("/")[2] if name.startswith("$") else name)


def _read_generic_class(builder: OutlineBuilder, raw: bytes) -> None:
    found = re.match(rb"\w+", raw)
    if found:
        builder.class_(found[0])
        bases = raw[found.end() :]
        if "ui" in builder.groups and _VIEW.search(bases):
            builder.count("component")
        else:
            builder.base(bases)


def _read_generic_last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    code = b"\n" + text.code
    tests = len(_test.findall(code))
    if tests:
        builder.count("test_function", tests)
        builder.count("assertion", len(_assert.findall(code)))
    elif builder.path.endswith(".t") or "test" in builder.groups:
        builder.count("test_function", len(_proved.findall(code)))
    builder.count_marks(_spellings(builder.path.rpartition(".")[2].lower()), code)
    if builder.path.endswith((".ps1", ".psm1")):
        builder.called(Counter(_cmdlet.findall(code)))
    if any(mark in code for mark in _MAIN):
        builder.count("main_guard")


def _read_generic_first(builder: OutlineBuilder, text: Text, _: Language) -> None:
    """R attaches packages anywhere on a line, also inside a call that keeps them quiet."""
    if b"library(" in text.code:
        for name in _attached.findall(text.code):
            _read_generic_import(builder, name)


@cache
def _endings() -> dict[str, Any]:
    file = Path(__file__).parent / "definitions" / "endings.json"
    table: dict[str, Any] = json.loads(file.read_bytes())
    return table


@cache
def _spellings(ending: str) -> dict[bytes, str]:
    for endings, marks in _endings()["spellings"].items():
        if ending in endings.split():
            return by_spelling(marks)
    return {}


@cache
def _generic_language(mask: str) -> Language:
    return load_language("generic", "generic", _HOOKS["generic"], mask)


def _read_generic(builder: OutlineBuilder, data: bytes) -> bool:
    """Read by the comment and string style that the file's ending suggests."""
    ending = builder.path.rpartition(".")[2].lower() if "." in builder.path else ""
    masks = _endings()["masks"].items()
    mask = next((mask for mask, endings in masks if ending in endings.split()), "generic")
    return read_source(builder, _generic_language(mask), data)


_HOOKS: dict[str, Hooks] = {
    "ruby": Hooks(
        {"class_head": _read_ruby_class_head, "module": _read_ruby_module, "class": _read_ruby_class},
        first=_read_ruby_first,
        last=_read_ruby_last,
    ),
    "php": Hooks(
        {"import": _read_php_use, "package": OutlineBuilder.namespace, "class_head": OutlineBuilder.class_head},
        last=_read_php_last,
    ),
    "shell": Hooks({"variable": OutlineBuilder.name_only, "named": OutlineBuilder.function}, last=_read_shell_last),
    "generic": Hooks(
        {
            **dict.fromkeys(("import", "library", "namespace", "module"), _read_generic_import),
            **dict.fromkeys(("quoted", "local"), _read_quoted),
            **dict.fromkeys(("assigned", "lisp", "signature", "bound", "clause"), OutlineBuilder.function_value),
            "sourced": _read_sourced,
            "class_head": _read_generic_class,
            "interface": OutlineBuilder.abstract,
            "typed": OutlineBuilder.function,
        },
        first=_read_generic_first,
        last=_read_generic_last,
    ),
}


def reader(format: str) -> Reader:
    """Return the reader of a format."""
    if format == "generic":
        return "generic", _read_generic
    return reader_of(load_language(format, format, _HOOKS[format]))
