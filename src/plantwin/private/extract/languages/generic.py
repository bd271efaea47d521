"""Every other language: Lua, Perl, Swift, Elixir, R, Julia, Dart, PowerShell, Groovy and more, by line rules."""

from __future__ import annotations

import re
from collections import Counter

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import (
    BRACES,
    DASH_LINE,
    DOUBLE,
    GENERIC,
    HASHED,
    LUA,
    PERCENT,
    POWERSHELL,
    Mask,
    Text,
    mask,
)
from plantwin.private.extract.languages.meanings.spellings import SPELLINGS as _SPELLINGS
from plantwin.private.extract.languages.meanings.words import words
from plantwin.private.extract.languages.spec import Language, call_table, marks_of, outline_with
from plantwin.private.facts import Outline

_DASHED = mask(DASH_LINE, rb"\{-[^-]*+(?:-(?!\})[^-]*+)*+(?:-\}|\Z)", DOUBLE, comments=b"-{")
_LISP = mask(rb";[^\n]*+", DOUBLE, comments=b";")
_MASKS: dict[str, Mask] = {
    **dict.fromkeys(
        words("swift dart groovy gradle zig d v sol proto hx vala m mm cu glsl jsonnet prisma odin"), BRACES
    ),
    **dict.fromkeys(words("r jl ex exs pl pm t nim cr tcl awk cmake coffee fish gd sage rego"), HASHED),
    **dict.fromkeys(words("ps1 psm1 psd1"), POWERSHELL),
    "lua": LUA,
    **dict.fromkeys(words("hs elm adb ads vhd vhdl lhs"), _DASHED),
    **dict.fromkeys(words("clj cljs cljc lisp el scm rkt asm s"), _LISP),
    **dict.fromkeys(words("erl hrl tex mat"), PERCENT),
}
RULES = expressions.compile(
    rb"\n[ \t]*+(?:(?P<quoted>(?:import|export|part|require|load|source|use)\b[ (]*+[\"'][^\"'\n]{1,160}[\"'])"
    rb"|local[ ]++\w++[ ]*+=[ ]*+(?P<local>require[ (]*+[\"'][^\"'\n]{1,160}[\"'])"
    rb"|(?:library|require|requireNamespace)\([\"']?(?P<library>[\w.]++)"
    rb"|(?P<sourced>\.[ ]++[.\w\\/$-]{1,160}\.ps1)|Import-Module[ ]++(?P<module>[\w./\\-]++)"
    rb"|(?:import|use|using|alias|open|uses|from)[ ]++(?:qualified[ ]++|static[ ]++)?+"
    rb"(?P<import>[A-Za-z_][\w.:]*+(?:,[ ]*+[A-Z][\w.]*+)*+)"
    rb"|(?:\(:require[ ]*+|\(:use[ ]*+|)\[(?P<namespace>[a-z][\w.-]++)[ ]*+(?=[:\]])"
    rb"|defmodule[ ]++(?P<class>[\w.]++)|(?:defimpl|defprotocol)[ ]++(?P<abstract>[\w.]++)"
    rb"|(?:(?:Public|Private|Static|public|private|internal|open|fileprivate|static|final|override|export|local|async|mutating"
    rb"|abstract|sealed|pub|inline|@\w++)[ ]++)*+"
    rb"(?:(?:function|func|fun|def|defp|defmacro|sub|proc|fn|filter|subroutine|procedure|Function|Sub|FUNCTION|PROCEDURE"
    rb"|SUBROUTINE|module|program)[ ]++(?P<function>[\w:.-]*\w[!?]?)"
    rb"|(?:class|struct|actor|object|type[ ]++class|extension|mutable[ ]++struct)[ ]++(?P<class_head>[A-Za-z_][^\n{]*+)"
    rb"|(?:protocol|interface|trait|mixin)[ ]++(?P<interface>[A-Za-z_]\w*+)|(?:enum|typedef|typealias|data"
    rb"|newtype)[ ]++(?P<type>[A-Za-z_]\w*+))"
    rb"|(?:void|int|String|bool|double|Widget|Future<[^>\n]{0,60}+>|static void)[ ]++(?P<typed>\w++)\("
    rb"|(?P<assigned>[\w.]++)[ ]*+(?:<-|=)[ ]*+function\b|\((?:defn-?|defun|define)[ ]++\(?(?P<lisp>[\w*!?<>-]++)"
    rb"|(?<=\n)(?P<signature>[a-z]\w*+)'?+[ ]++::?[ ]++(?=[A-Z(\[a-z][^\n=]{0,200}->)"
    rb"|(?<=\n)(?P<clause>[a-z]\w{0,60}+)\((?=[^\n]{0,200}?\)[^\n]{0,160}?->)"
    rb"|(?<=\n)(?:let|and)[ ]++(?:rec[ ]++|inline[ ]++)?+(?P<bound>[a-z]\w*+)[ ]++(?!in\b)[\w(~?][^\n=]{0,120}+=)"
)
_NONE: dict[bytes, str] = {}
_quote = expressions.compile(rb"[\"']([^\"'\n]{1,160})[\"']")
_test = expressions.compile(
    rb"\n[ \t]*+(?:test[ (]++[\"'\"]|it[ (]++[\"']|describe[ (]++[\"'\"A-Z]|func[ ]++test[A-Z]|test_that\()"
)
_assert = expressions.compile(rb"\n[ \t]*+(?:assert|refute|XCTAssert\w*+|expect\w*+|is_deeply|ok)\b[ (]")
_cmdlet = expressions.compile(rb"(?<![\w-])[A-Z][a-z]{1,20}+-[A-Z]\w{1,60}+(?!\w|[ \t]*+\{)")
_VIEW = expressions.compile(rb"\b(?:View|App|Widget|Screen|Scene|ViewModifier|UIViewRepresentable)\b")
"""What a part of a declarative interface conforms to; elsewhere these are names of request handlers."""
_proved = expressions.compile(
    rb"\n[ \t]*+(?:is|ok|like|is_deeply|cmp_ok|isa_ok|subtest|throws_ok|dies_ok|use_ok)\b[ (]"
)
_attached = expressions.compile(rb"[\n;{(][ \t]*+(?:library|require|requireNamespace)\([\"']?([\w.]++)")
_MAIN = (b"void main(", b"@main", b"sub main", b"func main(", b"fn main(", b"main ::")


def _import(draft: Draft, raw: bytes) -> None:
    for part in text_of(raw).split(","):
        name = part.strip(" .")
        draft.imported(name, name.rpartition(".")[2].rpartition("::")[2])


def _quoted(draft: Draft, raw: bytes) -> None:
    """An import of a literal: a relative path is a file, anything else a package."""
    found = _quote.search(raw)
    if not found:
        return
    name = text_of(found[1])
    if name.startswith(("package:", "dart:")):
        draft.imported(name.partition("/")[0])
    elif "/" in name or name.endswith((".dart", ".R", ".r", ".lua", ".pl", ".jl", ".exs", ".groovy")):
        draft.refer("path", name)
    elif raw.startswith(b"require"):
        draft.refer("path", name.replace(".", "/") + ".lua" if draft.path.endswith(".lua") else name)
        draft.call(name)


def _sourced(draft: Draft, raw: bytes) -> None:
    name = text_of(raw[1:].strip()).replace("\\", "/")
    draft.refer("path", name.partition("/")[2] if name.startswith("$") else name)


def _class_head(draft: Draft, raw: bytes) -> None:
    found = re.match(rb"\w+", raw)
    if found:
        draft.class_(found[0])
        bases = raw[found.end() :]
        if "ui" in draft.groups and _VIEW.search(bases):
            draft.count("component")
        else:
            draft.base(bases)


def _name(draft: Draft, raw: bytes) -> None:
    draft.name(text_of(raw))
    draft.count("function")


def _also(draft: Draft, text: Text) -> None:
    code = b"\n" + text.code
    tests = len(_test.findall(code))
    if tests:
        draft.count("test_function", tests)
        draft.count("assertion", len(_assert.findall(code)))
    elif draft.path.endswith(".t") or "test" in draft.groups:
        draft.count("test_function", len(_proved.findall(code)))
    for mark, feature in _SPELLINGS.get(draft.path.rpartition(".")[2].lower(), _NONE).items():
        if mark in code:
            draft.count(feature, code.count(mark))
    if draft.path.endswith((".ps1", ".psm1")):
        draft.called(Counter(_cmdlet.findall(code)))
    if any(mark in code for mark in _MAIN):
        draft.count("main_guard")


def _first(draft: Draft, text: Text) -> None:
    """R attaches packages anywhere on a line, also inside a call that keeps them quiet."""
    if b"library(" in text.code:
        for name in _attached.findall(text.code):
            _import(draft, name)


def _language(kind: Mask) -> Language:
    return Language(
        how="generic",
        mask=kind,
        rules=RULES,
        handlers={
            "import": _import,
            "library": _import,
            "namespace": _import,
            "module": _import,
            "quoted": _quoted,
            "local": _quoted,
            "sourced": _sourced,
            "class_head": _class_head,
            "interface": Draft.abstract,
            "assigned": _name,
            "lisp": _name,
            "signature": _name,
            "bound": _name,
            "clause": _name,
            "typed": Draft.function,
        },
        calls=call_table(b":!?->"),
        first=_first,
        also=_also,
        marks=marks_of("generic"),
    )


_languages: dict[str, Language] = {}


def read_generic(data: bytes, path: str) -> Outline:
    """Outline by the comment and string style that the file's ending suggests."""
    ending = path.rpartition(".")[2].lower() if "." in path else ""
    if ending not in _MASKS:
        ending = ""
    language = _languages.get(ending)
    if language is None:
        language = _languages[ending] = _language(_MASKS.get(ending, GENERIC))
    return outline_with(language, "generic", data, path)


READERS = {"generic": read_generic}
