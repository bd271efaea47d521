"""Migrations in Ruby, JavaScript, TypeScript and PHP, by their calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from plantwin.private.capabilities.review_migrations.sql import Migration, Operation, forms, methods, operations_in
from plantwin.private.formats.source_views import views

LONGEST = 1 << 20
_STATEMENTS = 50
"""Statements of one call that are examined."""
_FUNCTIONS = {
    "ruby": re.compile(r"^[ \t]*def (?:self\.)?(up|down|change)\b", re.MULTILINE),
    "php": re.compile(r"function\s+(up|down|change)\s*\("),
    "script": re.compile(
        r"(?:exports\.|async function |function |async |public async |^\s*|\bconst |export async function )"
        r"(up|down)\b\s*(?:=|:|\()",
        re.MULTILINE,
    ),
}
_HEREDOC = re.compile(r"<<[~-]?['\"]?(\w+)['\"]?[^\n]*\n(.*?)^\s*\1", re.DOTALL | re.MULTILINE)
_ALTERED = re.compile(r"\.(?:alterTable|table)\s*\(\s*['\"`](\w+)['\"`]|Schema::table\s*\(\s*['\"](\w+)")
_NEXT_TABLE = re.compile(r"\.(?:alterTable|table|createTable\w*)\s*\(|Schema::(?:table|create)\s*\(")
_BUILDER = re.compile(
    r"\b(?:t|table|\$table)(?:\.|->)(\w+)\s*\(\s*(?:['\"`](\w+)['\"`])?"
    r"([^;\n]{0,300}(?:\n[ \t]*(?:->|\.)[^;\n]{0,300}){0,12})"
)
_BUILDER_DEFAULT = re.compile(r"(?:\.default(?:s?To)?|->default|->useCurrent)\s*\(([^)]*)")


def read(label: str, format: str, text: str) -> Migration | None:
    """Return the migration that a file is; None if it is none."""
    text = text[:LONGEST]
    sign, reader = _READERS["javascript" if format == "typescript" else format]
    if not sign.search(text):
        return None
    code = views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace")
    return reader(label, text, code)


def _bodies(code: str, language: str) -> dict[str, tuple[int, str]]:
    """Return the lines before each function, and the text from it to the next."""
    starts = [(match.start(), match[1]) for match in _FUNCTIONS[language].finditer(code)]
    found: dict[str, tuple[int, str]] = {}
    for (start, name), (end, _) in pairwise([*starts, (len(code), "")]):
        found.setdefault(name, (code.count("\n", 0, start), code[start:end]))
    return found


def _rails(label: str, text: str, code: str) -> Migration:
    migration = Migration(label, "Rails", transaction="disable_ddl_transaction!" not in text)
    bodies = _bodies(code, "ruby")
    for name in ("change", "up"):
        if name in bodies:
            lines, body = bodies[name]
            migration.up += _rails_calls(body, lines, name == "change")
    if "down" in bodies:
        body = bodies["down"][1]
        migration.down = list(_rails_calls(body, 0, False))
        empty = not re.search(r"\n[ \t]*(?!end\b|def\b|#)\S", body)
        migration.no_downgrade = empty or "IrreversibleMigration" in body
    else:
        migration.no_downgrade = "up" in bodies
    return migration


@cache
def _rails_call() -> re.Pattern[str]:
    return re.compile(rf"^[ \t]*(?:t\.)?({'|'.join(methods('rails'))})\b[ (]+(.{{0,1000}})", re.MULTILINE)


def _rails_calls(body: str, lines: int, change: bool) -> Iterator[Operation]:
    created = ""
    for match in _rails_call().finditer(body):
        method, rest = match[1], match[2].split("\n")[0]
        kind = methods("rails")[method]
        line = lines + body.count("\n", 0, match.start(1)) + 1
        text = match[0].strip()[:160]
        names = re.findall(r"[:\"'](\w+)[\"']?", rest)
        table, column, type_, *_ = [*names, "", "", ""] if names else [created, "", ""]
        if kind == "execute":
            heredoc = _HEREDOC.search(body[match.start() :])
            yield Operation("run_sql", line, reversible=not change, text=text)
            yield from operations_in(heredoc[2] if heredoc is not None else rest.strip("\"'() "), line, _STATEMENTS)
            continue
        if method == "change_column_null" and not re.search(r"null:\s*false|,\s*false\b", rest):
            continue
        gentle = re.search(r"algorithm:\s*:?concurrently|validate:\s*false", rest) is not None
        if kind == "rename_table":
            column, type_ = "", column
        elif kind == "create_table":
            created = table
        elif kind == "add_reference":
            if not gentle and "index: false" not in rest:
                yield Operation("index", line, table, gentle="concurrently" in rest, text=text)
            if "foreign_key: true" in rest or ("foreign_key: {" in rest and not gentle):
                yield Operation("foreign_key", line, table, text=text)
            kind = "add_column"
        elif kind == "index" and "unique: true" in rest:
            kind = "unique_index"
        required = method == "change_column_null" or re.search(r"null:\s*false", rest) is not None
        default = re.search(r"default:\s*([^,)]+)", rest)
        lost = change and (
            (method in ("remove_column", "remove_columns") and len(names) < 3)
            or (method in ("change_column", "change_column_default") and "from:" not in rest)
            or (method == "drop_table" and " do" not in rest)
        )
        value = default[1].strip() if default else ""
        if method == "change_column" and re.search(r"null(?::| =>)\s*true|default(?::| =>)", rest):
            kind = "alter_default"  # The type is repeated, since this method cannot do without.
        yield Operation(kind, line, table.lower(), column, type_, required, value, gentle, not lost, text)


def _script(label: str, text: str, code: str) -> Migration:
    signs = {"knex": "Knex", "queryInterface": "Sequelize", "Sequelize": "Sequelize", "QueryRunner": "TypeORM"}
    tool = next((tool for sign, tool in signs.items() if sign in text), "JavaScript")
    engine = "postgres" if re.search(r"postgres|\bpg\b|jsonb", text) else "mysql" if "mysql" in text else ""
    migration = Migration(label, tool, engine, transaction=_transaction(tool, text))
    bodies = _bodies(code, "script")
    if "up" in bodies:
        migration.up = _calls(bodies["up"][1], bodies["up"][0], "script")
    migration.no_downgrade = "down" not in bodies
    if "down" in bodies:
        body = bodies["down"][1]
        migration.down = _calls(body, 0, "script")
        migration.no_downgrade = not migration.down and not re.search(r"\bawait\b|\breturn\s+\w|=>\s*\w", body)
    return migration


def _transaction(tool: str, text: str) -> bool | None:
    """Tell whether a transaction is open: Knex and TypeORM begin one, Sequelize only where it is written."""
    if re.search(r"transaction\s*[:=]\s*false", text):
        return False
    if tool in ("Knex", "TypeORM"):
        return True
    # A call or an option: tables and indexes of a shop are called transactions too.
    used = re.search(r"\.transaction\s{0,9}\(|[{,]\s{0,9}transaction\s{0,9}(?:[,}]|:\s{0,9}\w)", text)
    return used is not None or None


def _laravel(label: str, text: str, code: str) -> Migration:
    migration = Migration(label, "Laravel" if "Schema::" in text else "PHP")
    bodies = _bodies(code, "php")
    for name in ("up", "change"):
        if name in bodies:
            migration.up += _calls(bodies[name][1], bodies[name][0], "php")
    migration.no_downgrade = "down" not in bodies and "change" not in bodies
    if "down" in bodies:
        body = bodies["down"][1]
        migration.down = _calls(body, 0, "php")
        migration.no_downgrade = not migration.down and re.match(r"[^{]*\{\s*\}", body) is not None
    return migration


def _calls(body: str, lines: int, language: str) -> list[Operation]:
    """Return the operations of a function in order."""
    found: list[tuple[int, Operation]] = []
    built: list[tuple[int, Operation]] = []
    for form, pattern in forms(language):
        for match in pattern.finditer(body):
            line = lines + body.count("\n", 0, match.start()) + 1
            if form.kind == "execute":
                found += [(match.start(), step) for step in operations_in(match["sql"], line, _STATEMENTS)]
                continue
            rest = body[match.end() : match.end() + 400]
            default = re.search(r"default(?:Value)?:\s*([^,}\n]+)", rest)
            step = form.operation(match, line, "", " ".join(body[match.start() : match.start() + 160].split()))
            type_ = re.search(r"type:\s*(?:\w+\.)*(\w+(?:\([^)\n]*\))?)", rest[:200])
            step = step._replace(
                type=type_[1] if type_ else "",
                required=re.search(r"allowNull:\s*false|isNullable:\s*false", rest) is not None,
                default=default[1] if default else "",
                gentle="concurrently" in rest[:200].lower(),
            )
            found.append((match.start(), step))
    for altered in _ALTERED.finditer(body):
        following = _NEXT_TABLE.search(body, altered.end())
        end = min(following.start() if following else len(body), altered.end() + 5000)
        for call in _BUILDER.finditer(body, altered.end(), end):
            made = _built(call, (altered[1] or altered[2]).lower())
            if made is not None:
                line = lines + body.count("\n", 0, call.start()) + 1
                built.append((call.start(), made._replace(line=line)))
    # A method of the builder also looks like a call of its own, with its first column as the table.
    known = {(step.kind, step.line) for _, step in built}
    found = [(at, step) for at, step in found if (step.kind, step.line) not in known]
    return [step for _, step in sorted([*found, *built], key=lambda item: item[0])]


def _built(call: re.Match[str], table: str) -> Operation | None:
    """Return what a method of the table builder does; None if it changes nothing."""
    method, column, rest = call[1], call[2] or "", call[3]
    kind = methods("builder").get(method, "")
    if not kind:
        changes = re.search(r"(?:\.alter|->change)\s*\(", rest)
        kind = "alter_type" if changes else "add_column" if column and not method.startswith("drop") else ""
    if not kind:
        return None
    # Columns of Laravel's builder are NOT NULL unless they say otherwise, those of Knex the other way around.
    laravel = call.string[call.start() - 1] == "$"
    strict = re.search(r"\.notNullable\s*\(", rest) or (laravel and not re.search(r"(?:\.|->)nullable\s*\(", rest))
    default = _BUILDER_DEFAULT.search(rest)
    value = (default[1] or "now()") if default else ""
    required = kind == "add_column" and bool(strict) and not method.lower().endswith("increments")
    return Operation(kind, 0, table, column, method, required, value, text=call[0][:160])


_READERS = {
    "ruby": (re.compile(r"ActiveRecord::Migration|Sequel\.migration"), _rails),
    "javascript": (re.compile(r"exports\.up\b|\bup\s*[:=(]|async up\b|function up\b"), _script),
    "php": (re.compile(r"extends\s+(?:Abstract)?Migration\b"), _laravel),
}
