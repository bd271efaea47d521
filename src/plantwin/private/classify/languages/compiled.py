"""C, C++, C#, Go, Java, Kotlin, Scala and Rust: what their imports and declarations mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.language import Hooks, Language, load_language, reader_of
from plantwin.private.facts import Provision
from plantwin.private.formats.source_views import Text

_space = expressions.compile(r"\s+")


# C and C++

_include = expressions.compile(rb"#[ \t]*+(?:include|import)[ \t]*+(?:\"([^\"\n]{1,200})\"|<([^>\n]{1,200})>)")


def _read_include(builder: OutlineBuilder, raw: bytes) -> None:
    found = _include.search(raw)
    if found:
        name = decode(found[1] or found[2])
        scope = "c" if found[1] else "c_system"
        builder.refer(scope, name)
        builder.imported(name, ecosystem=scope)


def _read_class_with_colon(builder: OutlineBuilder, raw: bytes) -> None:
    """`Name : Base, Other`."""
    name, _, bases = raw.partition(b":")
    builder.class_(re.split(rb"\W", name.strip(), maxsplit=1)[0])
    builder.base(bases)


# C#

_using = expressions.compile(r"(?:global )?using (?:static )?(?:(\w+) ?= ?)?([\w.]+)")


def _read_using(builder: OutlineBuilder, raw: bytes) -> None:
    found = _using.match(decode(raw))
    if found:
        alias, name = found.groups()
        builder.refer("csharp", name)
        builder.imported(name, alias or name.rpartition(".")[2])


# Go

_go_import = expressions.compile(rb"""(?:([\w.]++)[ \t]++)?+["`]([^"`\s]{1,200})["`]""")
_go_version = expressions.compile(r"/v\d+$")
_orm_tag = expressions.compile(rb"`[^`\n]{0,200}\b(?:gorm|bun|pg):\"")


def _read_go_import(builder: OutlineBuilder, raw: bytes) -> None:
    for alias, path in _go_import.findall(raw):
        name = decode(path)
        builder.refer("go", name)
        last = _go_version.sub("", name).rpartition("/")[2]
        builder.imported(name, decode(alias) if alias else last.removeprefix("go-").partition(".")[0])


def _read_go_last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    if Provision("go", "main") in builder.provides and b"func main()" in text.code:
        builder.count("main_guard")
    builder.count("orm_model", _orm_tag.search(text.raw) is not None)


# Java, Kotlin and Scala

_jvm_path = expressions.compile(r"[A-Za-z_][\w.]*")
_annotation = expressions.compile(rb"(?<![\w@.])@([A-Z]\w{1,60})")
_STATEMENTS = (b"if", b"for", b"while", b"switch", b"catch", b"synchronized")


def _read_jvm_import(builder: OutlineBuilder, raw: bytes) -> None:
    """`a.b.C`, `a.b.*`, `a.b.C as D`, `static a.b.C.d`, and Scala's `a.b, c.d`, `a.b.{C, D => E}` and `a.b._`."""
    statement = raw.decode("utf-8", "replace").strip().rstrip(";").removeprefix("import").strip()
    statement = statement.removeprefix("static ").strip()
    prefix, brace, inside = statement.partition("{")
    if brace:
        prefix = prefix.strip().rstrip(".")
        for part in inside.rstrip("} ").split(","):
            words = part.replace("=>", " ").split()
            if words:
                _refer_jvm(builder, f"{prefix}.{'*' if words[0] in ('_', '*') else words[0]}", words[-1])
        return
    for single in statement.split(","):
        words = single.split()
        if words and _jvm_path.match(words[0]):
            path = words[0]
            if path.endswith(("._", ".*")):
                path = path[:-2] + ".*"
            _refer_jvm(builder, path, words[2] if len(words) == 3 and words[1] == "as" else path.rpartition(".")[2])


def _refer_jvm(builder: OutlineBuilder, path: str, local: str) -> None:
    builder.refer("jvm", path)
    builder.imported(path.removesuffix(".*"), local)


def _read_jvm_package(builder: OutlineBuilder, raw: bytes) -> None:
    builder.provide("jvm", decode(raw).removeprefix("package").strip(" ;\n").partition(" ")[0])


def _read_jvm_class(builder: OutlineBuilder, raw: bytes) -> None:
    name = re.match(rb"\w+", raw)
    if name:
        builder.class_(name[0])
        builder.base(raw[name.end() :].rpartition(b")")[2] or raw[name.end() :])


def _read_jvm_method(builder: OutlineBuilder, raw: bytes) -> None:
    if raw not in _STATEMENTS:
        builder.function(raw)


def _read_jvm_last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    # Annotations stand anywhere, also on one line with what they mark.
    for name in _annotation.findall(text.code):
        builder.decorator(name)


# Rust

_MAX_USES = 60
_OWN_ROOTS = frozenset(("crate", "self", "super"))
_derive = expressions.compile(rb"#\[derive\(([^)\n]{1,300})\)")


def _use_paths(tree: str) -> Iterator[str]:
    """Yield the full paths of a use tree, without recursion: `a::{b, c::{d, e}}` gives a::b, a::c::d, a::c::e."""
    prefixes = [""]
    word = ""
    for character in tree:
        if character == "{":
            prefixes.append(prefixes[-1] + word)
            word = ""
        elif character in ",}":
            if word:
                yield prefixes[-1] + word
            word = ""
            if character == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            word += character
    if word:
        yield prefixes[-1] + word


def _read_use(builder: OutlineBuilder, raw: bytes) -> None:
    statement = _space.sub(" ", raw[:4000].decode("utf-8", "replace")).strip("; ")
    if statement.startswith("pub"):
        builder.count("reexport")
    for number, use in enumerate(_use_paths(statement.partition("use ")[2])):
        if number >= _MAX_USES:
            break
        path, _, alias = use.partition(" as ")
        path = path.replace(" ", "").removesuffix("::self").removeprefix("::")
        if not path:
            continue
        builder.refer("rust", path)
        root = path.partition("::")[0]
        if root not in _OWN_ROOTS:
            builder.imported(path, alias.strip() or path.rpartition("::")[2], root)


def _read_rust_module(builder: OutlineBuilder, raw: bytes) -> None:
    """`mod x;` is another file; `mod x { … }` is here."""
    words = raw[:300].partition(b"mod ")[2].split()
    if words:
        name = decode(words[0].strip(b";{"))
        if b"{" not in raw[:300]:
            builder.refer("rust", f"mod:{name}")
        builder.name(name)


def _read_crate(builder: OutlineBuilder, raw: bytes) -> None:
    builder.refer("rust", decode(raw))
    builder.imported(decode(raw), decode(raw))


def _read_rust_last(builder: OutlineBuilder, text: Text, _: Language) -> None:
    for names in _derive.findall(text.code):
        for name in names.split(b","):
            builder.decorator(name.strip())


_HOOKS: dict[str, Hooks] = {
    "c": Hooks(
        {
            "import": _read_include,
            "class_head": _read_class_with_colon,
            "namespace": OutlineBuilder.name_only,
            "own": OutlineBuilder.constructor,
        }
    ),
    "csharp": Hooks(
        {
            "import": _read_using,
            "package": OutlineBuilder.namespace,
            "class_head": _read_class_with_colon,
            "constructor": OutlineBuilder.constructor,
        }
    ),
    "go": Hooks(
        {"import": _read_go_import, "one": _read_go_import, "package": OutlineBuilder.namespace}, last=_read_go_last
    ),
    "jvm": Hooks(
        {
            "import": _read_jvm_import,
            "package": _read_jvm_package,
            "class_head": _read_jvm_class,
            "constructor": OutlineBuilder.constructor,
            "method": _read_jvm_method,
        },
        last=_read_jvm_last,
    ),
    "rust": Hooks({"import": _read_use, "module": _read_rust_module, "crate": _read_crate}, last=_read_rust_last),
}
_DEFINITIONS = {"cpp": "c", "java": "jvm", "kotlin": "jvm", "scala": "jvm"}


def reader(format: str) -> Reader:
    """Return the reader of a format."""
    definition = _DEFINITIONS.get(format, format)
    return reader_of(load_language(definition, format, _HOOKS[definition]))
