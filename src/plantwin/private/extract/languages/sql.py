"""SQL of all dialects, and dbt's SQL with Jinja."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.literals import read_comments
from plantwin.private.extract.languages.masks import SQL as MASK
from plantwin.private.extract.languages.masks import separate
from plantwin.private.extract.languages.spec import BOM, FULL_LIMIT
from plantwin.private.extract.languages.tables import clean, read_tables
from plantwin.private.extract.languages.trees import Grammar, head_of, parse
from plantwin.private.facts import Outline

READ_LIMIT = 64 * 1024
GRAMMAR = Grammar(
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
_ref = expressions.compile(
    rb"""\{[{%-][^{}]{0,80}?\bref\s*+\(\s*+["']([\w.-]++)["'](?:\s*+,\s*+["']([\w.-]++)["'])?+"""
)
_source = expressions.compile(rb"""\bsource\s*+\(\s*+["']([\w.-]++)["']\s*+,\s*+["']([\w.-]++)["']""")
_macro = expressions.compile(rb"\{%-?\s*+(?:macro|test|materialization|snapshot)\s++(\w++)")
_jinja = expressions.compile(rb"\{\{[^{}]{0,2000}+\}\}|\{%[^{}]{0,2000}?%\}")
_words = expressions.compile(
    rb"\b(?:(?P<create_table>CREATE\s++(?:OR\s++REPLACE\s++)?+(?:GLOBAL\s++|LOCAL\s++)?+(?:TEMP(?:ORARY)?+\s++"
    rb"|UNLOGGED\s++|EXTERNAL\s++|TRANSIENT\s++)?+TABLE)"
    rb"|(?P<create_routine>CREATE\s++(?:OR\s++(?:REPLACE"
    rb"|ALTER)\s++)?+(?:DEFINER\s*+=\s*+\S++\s++)?+(?:MATERIALIZED\s++)?+(?:FUNCTION|PROCEDURE|TRIGGER|VIEW|PACKAGE|TASK|EVENT)"
    rb"|DO\s++\$)"
    rb"|(?P<index>CREATE\s++(?:UNIQUE\s++)?+(?:CLUSTERED\s++|NONCLUSTERED\s++)?+INDEX)"
    rb"|(?P<alter>ALTER\s++(?:TABLE|TYPE|VIEW|COLUMN|INDEX|SEQUENCE)|DROP\s++(?:COLUMN|INDEX|VIEW|CONSTRAINT"
    rb"|TYPE|FUNCTION))"
    rb"|(?P<destructive>DROP\s++(?:TABLE|DATABASE|SCHEMA)|TRUNCATE(?:\s++TABLE)?+(?=\s++\w)"
    rb"|DELETE\s++FROM\s++[\w.\"`]++\s*+(?=;|\Z))"
    rb"|(?P<foreign_key>(?:FOREIGN\s++KEY|REFERENCES)\b)|(?P<insert_rows>INSERT\s++(?:IGNORE\s++"
    rb"|OR\s++\w++\s++)?+INTO|COPY\s++[\w.\"]++[^;]{0,400}?FROM\s++STDIN)"
    rb"|(?P<sql_aggregate>GROUP\s++BY|OVER\s*+\(|PARTITION\s++BY|HAVING\b)|(?P<select>SELECT\b)"
    rb"|(?P<date_logic>(?:DATE_TRUNC|DATEDIFF|DATEADD|DATE_ADD|DATE_SUB|CURRENT_DATE|INTERVAL|EXTRACT|GETDATE|NOW)\b)"
    rb"|(?P<infra_access>(?:GRANT|REVOKE)\s[^;]{1,300}?\b(?:TO|FROM)|CREATE\s++(?:ROLE|USER)|ALTER\s++(?:ROLE|USER)"
    rb"|CREATE\s++POLICY)(?=\s))",
    re.IGNORECASE,
)
_load = expressions.compile(
    rb"\bINSERT\s++(?:OVERWRITE\s++|INTO\s++)(?:TABLE\s++)?+[\w.\"`]{1,120}+\s*+(?:\([^()]{0,2000}+\)\s*+|PARTITION[^\n]{0,200}+\n)?+"
    rb"(?:SELECT|WITH)\b|\bCREATE\s++(?:OR\s++REPLACE\s++)?+(?:TEMP(?:ORARY)?+\s++)?+TABLE\s++(?:IF\s++NOT\s++EXISTS\s++)?+"
    rb"[\w.\"`]{1,120}+\s++AS\s*+\(?(?:SELECT|WITH)\b|\bMERGE\s++INTO\b|\bWATERMARK\s++FOR\b|\bCREATE\s++(?:STREAM|SINK)\b"
    rb"|\bEMIT\s++CHANGES\b|\bSELECT\s[^;]{1,400}?\sINTO\s++(?:TABLE\s++)?+#?[\w.]{1,80}+\s++FROM\b",
    re.IGNORECASE,
)
_report = expressions.compile(rb"(?:\A|;)\s*+(?:SELECT|WITH(?![^;]{0,4000}\bINSERT\s++INTO\b))\b", re.IGNORECASE)
"""A statement of its own that only reads."""
_routine = expressions.compile(
    rb"\b(?:FUNCTION|PROCEDURE|TRIGGER|VIEW)\s++(?:IF\s++NOT\s++EXISTS\s++)?+([\w.\"`\[\]]{1,160}+)", re.IGNORECASE
)
_column = expressions.compile(
    rb"\n[ \t]++[\"`\[]?([A-Za-z_]\w{0,100}+)[\"`\]]?[ \t]++(?:[A-Za-z]{2,30}+)(?:[ \t(,]|\n)"
)
_alias = expressions.compile(rb"\bAS\s++[\"`]?([a-z_]\w{0,80}+)[\"`]?\s*+(?=,|\n|FROM)", re.IGNORECASE)
_statement = expressions.compile(rb"(?:\A|;)\s*+(?:[A-Za-z]{2,20}+\b)")
_migration = expressions.compile(rb"\+goose\s|migrate:(?:up|down)|liquibase formatted sql|\bchangeset\s\S+:")
_NOT_COLUMNS = frozenset(
    b"primary constraint unique foreign check key index select from where and or on left right inner join group "
    b"order when "
    b"then else end case insert update delete set values create alter drop begin declare if return as into is "
    b"not".split()
)


def read_sql(data: bytes, path: str) -> Outline:
    """Outline one SQL file."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    if b"\0" in data[:READ_LIMIT]:
        return Outline(format="sql", parsed=False, lines=lines)
    draft = Draft("sql", path)
    raw = data[:READ_LIMIT].removeprefix(BOM)
    text = separate(MASK, raw)
    code = text.code
    templated = b"{{" in code or b"{%" in code
    if templated:
        _read_jinja(draft, code)
        code = _jinja.sub(b" ", code)
    if not templated:
        _parse(draft, raw)
    read_tables(draft, code[:READ_LIMIT], provide=True)
    for match in _words.finditer(code):
        draft.count(match.lastgroup or "select")
    if "select" in draft.features or b"create " in code.lower():
        loads = len(_load.findall(code[:FULL_LIMIT]))
        draft.count("sql_load", loads)
        if loads:
            draft.count("sql_report", len(_report.findall(code[:FULL_LIMIT])))
    for name in _routine.findall(code):
        draft.name(clean(name))
    if "create_table" in draft.features:
        for name in _column.findall(code[:FULL_LIMIT]):
            if name.lower() not in _NOT_COLUMNS:
                draft.name(text_of(name))
    elif "select" in draft.features:
        for name in _alias.findall(code[:FULL_LIMIT]):
            draft.name(text_of(name))
    read_comments(draft, text)
    for comment in text.comments:
        if _migration.search(comment[:200]):
            draft.count("migration_op")
    return draft.finish("sql", lines, templated or not code.strip() or _statement.search(code) is not None)


def _parse(draft: Draft, raw: bytes) -> None:
    """Names from the tree of the head. Dialects differ so much that a broken tree says nothing."""
    head = head_of(raw, GRAMMAR.limit)
    captures = parse(GRAMMAR, head, len(head) == len(raw))
    if captures is None:
        return
    for kind in ("table", "routine", "column"):
        for name in captures.found.get(kind, ()):
            draft.name(clean(name))


def _read_jinja(draft: Draft, code: bytes) -> None:
    draft.count("template_tag", code.count(b"{{") + code.count(b"{%"))
    refs = _ref.findall(code)
    for first, second in refs:
        draft.refer("dbt", text_of(second or first), "reads")
    sources = _source.findall(code)
    for schema, table in sources:
        draft.refer("dbt_source", f"{text_of(schema)}.{text_of(table)}", "reads")
    draft.count("dbt_ref", len(refs))
    draft.count("dbt_source", len(sources))
    macros = _macro.findall(code)
    for name in macros:
        draft.name(text_of(name))
        draft.count("function")
    if not macros and (refs or sources or b"config(" in code):
        draft.provide("dbt", PurePosixPath(draft.path).stem)


READERS = {"sql": read_sql}
