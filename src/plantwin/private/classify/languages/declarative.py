"""SQL of all dialects with dbt's Jinja, and HCL: Terraform, OpenTofu, Packer, Nomad and their variable files."""

from __future__ import annotations

from functools import partial
from pathlib import PurePosixPath

from plantwin import expressions
from plantwin.private.classify.languages import Reader
from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.languages.language import FULL_LIMIT, Hooks, Language, load_language, read_source
from plantwin.private.classify.languages.literals import clean_table_name, read_comments, read_tables
from plantwin.private.classify.languages.meanings import resource_feature
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import SQL, Text, separate
from plantwin.private.formats.syntax_tree import Grammar, head_of, parse

_LEXICON = Lexicon(__file__)

_SQL_LIMIT = 64 * 1024
_GRAMMAR = Grammar(
    "tree_sitter_sql",
    """
(create_table (object_reference) @table)
(create_view (object_reference) @routine)
(create_materialized_view (object_reference) @routine)
(create_function (object_reference) @routine)
(column_definition name: (identifier) @column)
""",
    depth=5,
    limit=2048,
)
_ref = _LEXICON.bytes_pattern("ref")
_source = _LEXICON.bytes_pattern("source")
_macro = _LEXICON.bytes_pattern("macro")
_jinja = _LEXICON.bytes_pattern("jinja")
_words = _LEXICON.bytes_pattern("words")
_load = _LEXICON.bytes_pattern("load")
_report = _LEXICON.bytes_pattern("report")
_routine = _LEXICON.bytes_pattern("routine")
_column = _LEXICON.bytes_pattern("column")
_alias = _LEXICON.bytes_pattern("alias")
_statement = expressions.compile(rb"(?:\A|;)\s*+(?:[A-Za-z]{2,20}+\b)")
_migration = _LEXICON.bytes_pattern("migration")
_NOT_COLUMNS = _LEXICON.byte_words("not_columns")

_MAX_SETTINGS = 200

_block_header = _LEXICON.bytes_pattern("block_header")
_module_source = _LEXICON.bytes_pattern("module_source")
_read_file = _LEXICON.bytes_pattern("read_file")
_setting = _LEXICON.bytes_pattern("setting")


def reader(format: str) -> Reader:
    """Return the reader of a format."""
    if format == "sql":
        return "sql", _read_sql
    language = load_language("hcl", "hcl", Hooks({"block": _block}, last=_read_references))
    return language.ecosystem, partial(_read_hcl, language)


def _read_sql(builder: OutlineBuilder, data: bytes) -> bool:
    """Read one SQL file."""
    raw = data[:_SQL_LIMIT]
    text = separate(SQL, raw)
    code = text.code
    templated = b"{{" in code or b"{%" in code
    if templated:
        _read_jinja(builder, code)
        code = _jinja.sub(b" ", code)
    if not templated:
        _parse(builder, raw)
    read_tables(builder, code, provide=True)
    for match in _words.finditer(code):
        builder.count(match.lastgroup or "select")
    if "select" in builder.features or b"create " in code.lower():
        loads = len(_load.findall(code[:FULL_LIMIT]))
        builder.count("sql_load", loads)
        if loads:
            builder.count("sql_report", len(_report.findall(code[:FULL_LIMIT])))
    for name in _routine.findall(code):
        builder.name(clean_table_name(name))
    if "create_table" in builder.features:
        for name in _column.findall(code[:FULL_LIMIT]):
            if name.lower() not in _NOT_COLUMNS:
                builder.name(decode(name))
    elif "select" in builder.features:
        for name in _alias.findall(code[:FULL_LIMIT]):
            builder.name(decode(name))
    read_comments(builder, text)
    for comment in text.comments:
        if _migration.search(comment[:200]):
            builder.count("migration_op")
    return templated or not code.strip() or _statement.search(code) is not None


def _parse(builder: OutlineBuilder, raw: bytes) -> None:
    """Names from the tree of the head. Dialects differ so much that a broken tree says nothing."""
    head = head_of(raw, _GRAMMAR.limit)
    captures = parse(_GRAMMAR, head, len(head) == len(raw))
    if captures is None:
        return
    for kind in ("table", "routine", "column"):
        for name in captures.found.get(kind, ()):
            builder.name(clean_table_name(name))


def _read_jinja(builder: OutlineBuilder, code: bytes) -> None:
    builder.count("template_tag", code.count(b"{{") + code.count(b"{%"))
    refs = _ref.findall(code)
    for first, second in refs:
        builder.refer("dbt", decode(second or first), "reads")
    sources = _source.findall(code)
    for schema, table in sources:
        builder.refer("dbt_source", f"{decode(schema)}.{decode(table)}", "reads")
    builder.count("dbt_ref", len(refs))
    builder.count("dbt_source", len(sources))
    macros = _macro.findall(code)
    for name in macros:
        builder.name(decode(name))
        builder.count("function")
    if not macros and (refs or sources or b"config(" in code):
        builder.provide("dbt", PurePosixPath(builder.path).stem)


def _block(builder: OutlineBuilder, raw: bytes) -> None:
    found = _block_header.match(raw[:400])
    if not found:
        return
    kind, first, second = (decode(part) if part else "" for part in found.groups())
    if kind in ("resource", "data"):
        builder.name(first)
        builder.name(second)
        builder.call(first)
        if kind == "resource":
            builder.provide("terraform", f"{first}.{second}")
        feature = resource_feature(first)
        if feature:
            builder.count(feature)
    elif kind in ("variable", "output", "locals", "provider", "terraform"):
        builder.count("infra_variable")
        if first:
            builder.name(first)
    elif kind == "module":
        builder.name(first)
        builder.count("module_call")
    elif kind in ("job", "group", "task"):
        builder.name(first)
        builder.count("workload")
    elif kind in ("source", "build", "provisioner"):
        builder.count("build_step")
        # A source with a name of its own is the machine that an image is made from.
        builder.count("infra_compute", kind == "source" and bool(second))
    elif first:
        builder.name(first)


def _read_references(builder: OutlineBuilder, text: Text, _: Language) -> None:
    plain = text.with_strings()
    for source in _module_source.findall(plain):
        builder.refer("terraform", decode(source), "imports")
    for target in _read_file.findall(plain):
        builder.refer("path", decode(target.lstrip(b"/")), "reads")


def _read_hcl(language: Language, builder: OutlineBuilder, data: bytes) -> bool:
    """Read one HCL file; assignments of the outermost level are settings."""
    parsed = read_source(builder, language, data)
    # Comments go, strings stay: values are what settings are compared by.
    plain = separate(language.mask, data[:FULL_LIMIT]).with_strings()
    for key, value in _setting.findall(b"\n" + plain)[:_MAX_SETTINGS]:
        name = decode(key)
        builder.settings.append((name, decode(value.strip(b'"'))))
        builder.name(name)
    if builder.settings:
        builder.features["key"] = len(builder.settings)
    return parsed
