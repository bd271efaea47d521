"""Operations of migrations in Ruby, JavaScript, TypeScript and PHP, by their calls."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.audit.views import views
from plantwin.private.capabilities.migrations.operation import Migration, Operation
from plantwin.private.capabilities.migrations.sql import operations
from plantwin.private.capabilities.statements.split import statements

_RAILS = {
    "drop_table": "drop_table", "create_table": "create_table", "remove_column": "drop_column", "remove_columns": "drop_column",
    "add_column": "add_column", "add_index": "index", "remove_index": "drop_index", "rename_table": "rename_table",
    "rename_column": "rename_column", "change_column": "alter_type", "change_column_null": "set_not_null",
    "add_foreign_key": "foreign_key", "add_check_constraint": "check", "add_reference": "add_reference", "add_belongs_to": "add_reference",
    "remove_reference": "drop_column", "execute": "execute", "add_timestamps": "add_column", "change_column_default": "alter_default",
}  # fmt: skip
_RAILS_CALL = re.compile(r"^[ \t]*(?:t\.)?(" + "|".join(_RAILS) + r")\b[ (]+(.{0,1000})", re.MULTILINE)
_SCRIPT: tuple[tuple[str, str], ...] = (
    ("drop_table", r"\.(?:dropTable(?:IfExists)?|dropCollection)\s*\(\s*['\"`](?P<table>\w+)"),
    (
        "create_table",
        r"\.(?:createTable(?:IfNotExists)?|createCollection)\s*\(\s*(?:new\s+Table\s*\(\s*\{\s*name\s*:\s*)?['\"`](?P<table>\w+)",
    ),
    ("rename_table", r"\.renameTable\s*\(\s*['\"`](?P<table>\w+)"),
    (
        "drop_column",
        r"\.(?:removeColumn|dropColumn)s?\s*\(\s*['\"`](?P<table>\w+)['\"`]\s*,\s*\[?\s*['\"`](?P<column>\w+)",
    ),
    ("rename_column", r"\.renameColumn\s*\(\s*['\"`](?P<table>\w+)"),
    ("add_column", r"\.addColumn\s*\(\s*['\"`](?P<table>\w+)['\"`]\s*,\s*['\"`]?(?P<column>\w+)?"),
    ("alter_type", r"\.(?:changeColumn|alterColumn)\s*\(\s*['\"`](?P<table>\w+)|\.alter\s*\(\s*\)"),
    ("index", r"\.(?:addIndex|createIndex)\s*\(\s*['\"`](?P<table>\w+)"),
    ("drop_index", r"\.(?:removeIndex|dropIndex)\s*\("),
    ("foreign_key", r"\.(?:addConstraint|createForeignKey)\s*\(\s*['\"`](?P<table>\w+)"),
    ("set_not_null", r"\.dropNullable\s*\(\s*['\"`](?P<column>\w+)"),
    ("execute", r"\.(?:raw|query)\s*\(\s*(?P<quote>['\"`])(?P<sql>(?:(?!(?P=quote))[^\\]|\\.){1,20000})"),
)
_ALTERED = re.compile(r"\.(?:alterTable|table)\s*\(\s*['\"`](\w+)['\"`]|Schema::table\s*\(\s*['\"](\w+)")
_INNER = re.compile(r"\b(?:t|table|\$table)(?:\.|->)(\w+)\s*\(\s*(?:['\"`](\w+)['\"`])?([^;\n]{0,300})")
_BUILT = {"dropColumn": "drop_column", "dropColumns": "drop_column", "renameColumn": "rename_column", "index": "index", "unique": "unique", "foreign": "foreign_key", "dropIndex": "drop_index", "dropForeign": "drop_constraint", "dropTimestamps": "drop_column", "setNullable": "alter_default", "dropNullable": "set_not_null", "dropSoftDeletes": "drop_column"}  # fmt: skip
_PHP: tuple[tuple[str, str], ...] = (
    ("drop_table", r"Schema::drop(?:IfExists)?\s*\(\s*['\"](?P<table>\w+)"),
    ("create_table", r"Schema::create\s*\(\s*['\"](?P<table>\w+)"),
    ("rename_table", r"Schema::rename\s*\(\s*['\"](?P<table>\w+)"),
    (
        "execute",
        r"DB::(?:statement|unprepared|update|delete)\s*\(\s*(?P<quote>['\"])(?P<sql>(?:(?!(?P=quote))[^\\]|\\.){1,20000})",
    ),
)


def read(label: str, format: str, text: str) -> Migration | None:
    """The migration that a file is; None where it is none."""
    text = text[: 1 << 20]
    if format == "ruby" and re.search(r"ActiveRecord::Migration|Sequel\.migration", text):
        return _rails(label, text)
    if format in ("javascript", "typescript") and re.search(
        r"exports\.up\b|\bup\s*[:=(]|async up\b|function up\b", text
    ):
        return _script(label, format, text)
    if format == "php" and re.search(r"extends\s+(?:Abstract)?Migration\b", text):
        return _laravel(label, text)
    return None


def _bodies(text: str, names: str, ends: str) -> dict[str, tuple[int, str]]:
    """Parts of a text by the function that they are in: from one beginning to the next."""
    starts = [(match.start(), match[1]) for match in re.finditer(names, text, re.MULTILINE)]
    found: dict[str, tuple[int, str]] = {}
    for (at, name), following in zip(starts, [*(at for at, _ in starts[1:]), len(text)], strict=True):
        found.setdefault(name, (at, text[at:following]))
    return found


def _rails(label: str, text: str) -> Migration:
    found = Migration(label, "Rails", transaction="disable_ddl_transaction!" not in text)
    code = views("ruby", text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    bodies = _bodies(code, r"^[ \t]*def (?:self\.)?(up|down|change)\b", "end")
    for name in ("change", "up"):
        if name in bodies:
            at, body = bodies[name]
            found.up += _rails_calls(body, code.count("\n", 0, at), name == "change")
    if "down" in bodies:
        found.down = list(_rails_calls(bodies["down"][1], 0, False))
        body = bodies["down"][1]
        found.no_way_back = "IrreversibleMigration" in body or not re.search(r"\n[ \t]*(?!end\b|def\b|#)\S", body)
    elif "up" in bodies:
        found.no_way_back = True
    return found


def _rails_calls(body: str, before: int, change: bool) -> Iterator[Operation]:
    created: str = ""
    for match in _RAILS_CALL.finditer(body):
        kind, rest = _RAILS[match[1]], match[2].split("\n")[0]
        line = before + body.count("\n", 0, match.start(1)) + 1
        names = re.findall(r"[:\"'](\w+)[\"']?", rest)
        table = names[0] if names else created
        column = names[1] if len(names) > 1 else ""
        text = match[0].strip()[:160]
        if kind == "create_table":
            created = table
        if kind == "execute":
            sql = re.search(
                r"<<[~-]?['\"]?(\w+)['\"]?[^\n]*\n(.*?)^\s*\1", body[match.start() :], re.DOTALL | re.MULTILINE
            )
            plain = sql[2] if sql is not None else rest.strip("\"'() ")
            yield Operation("run_sql", line, reversible=not change, text=text)
            for each in statements(plain, 50):
                yield from (one._replace(line=line) for one in operations(each))
            continue
        required = re.search(r"null:\s*false", rest) is not None or (
            match[1] == "change_column_null" and re.search(r",\s*false\b", rest) is not None
        )
        if kind == "set_not_null" and not required:
            continue
        default = re.search(r"default:\s*([^,)]+)", rest)
        gentle = re.search(r"algorithm:\s*:?concurrently|validate:\s*false", rest) is not None
        reversible = not change or not (
            (match[1] in ("remove_column", "remove_columns") and len(names) < 3)
            or (match[1] in ("change_column", "change_column_default") and "from:" not in rest)
            or (match[1] == "drop_table" and " do" not in rest)
        )
        if kind == "add_reference":
            if not gentle and "index: false" not in rest:
                yield Operation("index", line, table, gentle="concurrently" in rest, text=text)
            if "foreign_key: true" in rest or ("foreign_key: {" in rest and not gentle):
                yield Operation("foreign_key", line, table, text=text)
            kind = "add_column"
        if kind == "index" and "unique: true" in rest:
            kind = "unique_index"
        yield Operation(
            kind,
            line,
            table.lower(),
            column,
            names[2] if len(names) > 2 else "",
            required,
            default[1].strip() if default else "",
            gentle,
            reversible,
            text,
        )


def _script(label: str, format: str, text: str) -> Migration:
    tool = (
        "Knex"
        if "knex" in text
        else "Sequelize"
        if re.search(r"queryInterface|Sequelize", text)
        else "TypeORM"
        if "QueryRunner" in text
        else "JavaScript"
    )
    found = Migration(label, tool, transaction="transaction: false" not in text)
    full = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    bodies = _bodies(
        full,
        r"(?:exports\.|async function |function |async |public async |^\s*|export const |export async function )(up|down)\b\s*(?:=|:|\()",
        "}",
    )
    if "up" in bodies:
        at, body = bodies["up"]
        found.up = list(_calls(body, full.count("\n", 0, at), _SCRIPT))
    if "down" in bodies:
        body = bodies["down"][1]
        found.down = list(_calls(body, 0, _SCRIPT))
        found.no_way_back = not found.down and not re.search(r"\bawait\b|\breturn\s+\w|=>\s*\w", body)
    else:
        found.no_way_back = True
    found.engine = "postgres" if re.search(r"postgres|\bpg\b|jsonb", text) else "mysql" if "mysql" in text else ""
    return found


def _laravel(label: str, text: str) -> Migration:
    found = Migration(label, "Laravel" if "Schema::" in text else "PHP", transaction=None)
    full = views("php", text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    bodies = _bodies(full, r"function\s+(up|down|change)\s*\(", "}")
    for name in ("up", "change"):
        if name in bodies:
            at, body = bodies[name]
            found.up += _calls(body, full.count("\n", 0, at), _PHP)
    if "down" in bodies:
        found.down = list(_calls(bodies["down"][1], 0, _PHP))
        found.no_way_back = not found.down and re.match(r"[^{]*\{\s*\}", bodies["down"][1]) is not None
    else:
        found.no_way_back = "change" not in bodies
    return found


def _calls(body: str, before: int, patterns: tuple[tuple[str, str], ...]) -> list[Operation]:
    found: list[tuple[int, Operation]] = []
    for kind, pattern in patterns:
        for match in re.finditer(pattern, body):
            line = before + body.count("\n", 0, match.start()) + 1
            named = match.groupdict()
            text = " ".join(body[match.start() : match.start() + 160].split())
            if kind == "execute":
                found += [
                    (match.start(), one._replace(line=line))
                    for each in statements(named["sql"], 50)
                    for one in operations(each)
                ]
                continue
            rest = body[match.end() : match.end() + 400]
            required = re.search(r"allowNull:\s*false|isNullable:\s*false", rest) is not None
            default = re.search(r"default(?:Value)?:\s*([^,}\n]+)", rest)
            gentle = "concurrently" in rest[:200].lower()
            found.append(
                (
                    match.start(),
                    Operation(
                        kind,
                        line,
                        (named.get("table") or "").lower(),
                        named.get("column") or "",
                        "",
                        required,
                        default[1] if default else "",
                        gentle,
                        text=text,
                    ),
                )
            )
    for altered in _ALTERED.finditer(body):
        following = _ALTERED.search(body, altered.end())
        stop = min(following.start() if following else len(body), altered.end() + 5000)
        table = (altered[1] or altered[2]).lower()
        for inner in _INNER.finditer(body, altered.end(), stop):
            line = before + body.count("\n", 0, inner.start()) + 1
            rest = inner[3]
            known = _BUILT.get(inner[1]) or (
                "alter_type" if re.search(r"(?:\.alter|->change)\s*\(", rest) else "add_column" if inner[2] else ""
            )
            if not known:
                continue
            nullable = re.search(r"(?:\.|->)nullable\s*\(", rest) is not None
            strict = re.search(r"\.notNullable\s*\(", rest) is not None or (
                body[inner.start() - 1] == "$" and not nullable
            )
            default = re.search(r"(?:\.defaultTo|->default|->useCurrent)\s*\(([^)]*)", rest)
            found.append(
                (
                    inner.start(),
                    Operation(
                        known,
                        line,
                        table,
                        inner[2] or "",
                        inner[1],
                        strict and known == "add_column",
                        (default[1] or "now()") if default else "",
                        text=inner[0][:160],
                    ),
                )
            )
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]
