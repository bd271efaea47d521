"""Operations of SQL statements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.migrations.operation import Migration, Operation
from plantwin.private.capabilities.statements.split import Statement, statements
from plantwin.private.capabilities.statements.trees import dialect_of, unfilled

_N = r"((?:[`\"\[]?[\w$]+[`\"\]]?\.){0,2}[`\"\[]?[\w$]+[`\"\]]?)"
_I = re.IGNORECASE | re.DOTALL
_ALTER = re.compile(rf"ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?{_N}\s+(.+)", _I)
_SIMPLE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("drop_table", re.compile(rf"DROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?{_N}", _I)),
    ("drop_schema", re.compile(rf"DROP\s+(?:SCHEMA|DATABASE)\s+(?:IF\s+EXISTS\s+)?{_N}", _I)),
    ("drop_view", re.compile(rf"DROP\s+(?:MATERIALIZED\s+)?VIEW\s+(?:IF\s+EXISTS\s+)?{_N}", _I)),
    ("drop_type", re.compile(rf"DROP\s+TYPE\s+(?:IF\s+EXISTS\s+)?{_N}", _I)),
    ("truncate", re.compile(rf"TRUNCATE\s+(?:TABLE\s+)?(?:ONLY\s+)?{_N}", _I)),
    (
        "create_table",
        re.compile(
            rf"CREATE\s+(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|OR\s+REPLACE)\s+)*TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?{_N}",
            _I,
        ),
    ),
    ("rename_table", re.compile(rf"RENAME\s+TABLE\s+{_N}", _I)),
    ("rename_column", re.compile(r"EXEC(?:UTE)?\s+sp_rename\s+N?'([^']+)'", _I)),
    ("lock_table", re.compile(rf"LOCK\s+TABLES?\s+{_N}", _I)),
    (
        "rewrite_table",
        re.compile(rf"(?:VACUUM\s+FULL|CLUSTER|REINDEX\s+(?:TABLE|INDEX|DATABASE)(?!\s+CONCURRENTLY))\s+{_N}", _I),
    ),
    (
        "grant_all",
        re.compile(
            rf"GRANT\s+ALL(?:\s+PRIVILEGES)?\s+ON\s+(?:ALL\s+TABLES\s+IN\s+SCHEMA\s+|TABLE\s+)?{_N}\s+TO\s+PUBLIC", _I
        ),
    ),
)
_INDEX = re.compile(
    rf"CREATE\s+(UNIQUE\s+)?(?:CLUSTERED\s+|NONCLUSTERED\s+|FULLTEXT\s+)?INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(?:{_N}\s+)?ON\s+(?:ONLY\s+)?{_N}(.*)",
    _I,
)
_VIEW = re.compile(rf"CREATE\s+MATERIALIZED\s+VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?{_N}", _I)
_DROP_INDEX = re.compile(rf"DROP\s+INDEX\s+(CONCURRENTLY\s+)?(?:IF\s+EXISTS\s+)?{_N}", _I)
_UPDATE = re.compile(rf"(?:WITH\s+.{{1,2000}}?\)\s*)?(UPDATE|DELETE\s+FROM)\s+(?:ONLY\s+)?{_N}", _I)
_DEFAULT = re.compile(r"\bDEFAULT\s+((?:'(?:[^']|'')*'|\([^()]*\)|[\w.:-]+(?:\s*\([^()]*\))?))", _I)
_MARKS: tuple[tuple[str, str, str], ...] = (
    ("goose", r"^--\s*\+goose\s+Up\b.*$", r"^--\s*\+goose\s+Down\b.*$"),
    ("dbmate", r"^--\s*migrate:up\b.*$", r"^--\s*migrate:down\b.*$"),
    ("sql-migrate", r"^--\s*\+migrate\s+Up\b.*$", r"^--\s*\+migrate\s+Down\b.*$"),
    ("commented", r"^--\s*(?:up|upgrade|forward)\s*:?\s*$", r"^--\s*(?:down|downgrade|rollback|undo|reverse)\s*:?\s*$"),
)
_NO_TRANSACTION = re.compile(
    r"^--\s*(?:\+goose\s+NO\s+TRANSACTION|migrate:up\s+transaction:false|\+migrate\s+Up\s+notransaction|atlas:txmode\s+none|disable-transaction)|executeInTransaction\s*=\s*false",
    re.IGNORECASE | re.MULTILINE,
)


def bare_name(name: str) -> str:
    """The last part of a name, without quotes."""
    return name.split(".")[-1].strip('`"[]').lower()


def read(label: str, text: str) -> Migration:
    """The migration that a file of SQL is."""
    text = unfilled(text)
    tool, up, down = "SQL", text, None
    offset = 0
    for name, forward, back in _MARKS:
        first = re.search(forward, text, re.IGNORECASE | re.MULTILINE)
        second = re.search(back, text, re.IGNORECASE | re.MULTILINE)
        if first is not None or (second is not None and name != "commented"):
            tool = name
            begin = first.end() if first is not None else 0
            end = second.start() if second is not None and second.start() > begin else len(text)
            up, offset = text[begin:end], text.count("\n", 0, begin)
            down = text[second.end() :] if second is not None else ""
            break
    base = label.rpartition("/")[2]
    if tool == "SQL" and re.match(r"V[\d._]+__", base):
        tool = "Flyway"
    found = Migration(label, tool, dialect_of(text))
    if _NO_TRANSACTION.search(text):
        found.transaction = False
    elif re.search(r"(?im)^\s*(?:BEGIN(?:\s+(?:TRANSACTION|WORK))?|START\s+TRANSACTION)\s*;", up) or tool in (
        "goose",
        "dbmate",
        "sql-migrate",
    ):
        found.transaction = True
    for each in statements(up):
        found.up += [one._replace(line=one.line + offset) for one in operations(each)]
    if down is not None:
        found.down = [one for each in statements(down) for one in operations(each)]
        found.no_way_back = not found.down and not re.search(r"\w", re.sub(r"--[^\n]*", "", down))
    return found


def operations(each: Statement) -> Iterator[Operation]:
    """What one statement does."""
    bare = each.bare[:100_000]
    viewed = _VIEW.match(bare)
    if viewed is not None:
        yield Operation("create_table", each.line, bare_name(viewed[1]), text=bare[:160])
        return
    if re.match(
        r"(?i)(?:create|alter)\s+(?:or\s+replace\s+)?(?:function|procedure|trigger|view|materialized)|(?:do|comment|set|select|insert|copy|begin|commit|use)\b",
        bare,
    ):
        if re.match(r"(?i)insert\b", bare):
            yield Operation("insert", each.line, text=bare[:160])
        return
    head = re.sub(r"(?i)^explain\s+", "", bare)
    for kind, pattern in _SIMPLE:
        match = pattern.match(head)
        if match is not None:
            yield Operation(kind, each.line, bare_name(match[1]), text=bare[:160])
            return
    match = _INDEX.match(head)
    if match is not None:
        gentle = (
            bool(match[2])
            or re.search(r"(?i)\bONLINE\s*=\s*ON\b|ALGORITHM\s*=\s*INPLACE|LOCK\s*=\s*NONE", head) is not None
        )
        yield Operation(
            "unique_index" if match[1] else "index", each.line, bare_name(match[4]), gentle=gentle, text=bare[:160]
        )
        return
    match = _DROP_INDEX.match(head)
    if match is not None:
        yield Operation("drop_index", each.line, gentle=bool(match[1]), text=bare[:160])
        return
    match = _UPDATE.match(head)
    if match is not None:
        whole = not re.search(r"(?i)\bWHERE\b", head)
        word = "update" if match[1].upper() == "UPDATE" else "delete"
        yield Operation(f"{word}_all" if whole else word, each.line, bare_name(match[2]), text=bare[:160])
        return
    match = _ALTER.match(head)
    if match is not None:
        table = bare_name(match[1])
        for part in _parts(match[2]):
            yield from _altered(part, table, each.line, bare[:160])


def _parts(text: str) -> Iterator[str]:
    """The actions of one ALTER TABLE."""
    depth, start = 0, 0
    for match in re.finditer(r"'(?:[^']|'')*'|[(),]", text):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
        elif match[0] == "," and depth == 0:
            yield text[start : match.start()].strip()
            start = match.end()
    yield text[start:].strip()


def _altered(part: str, table: str, line: int, text: str) -> Iterator[Operation]:
    gentle = (
        re.search(r"(?i)\bNOT\s+VALID\b|\bUSING\s+INDEX\b|\bWITH\s+NOCHECK\b|ALGORITHM\s*=\s*(?:INSTANT|INPLACE)", part)
        is not None
    )
    constraint = re.match(
        r"(?i)(?:WITH\s+\w+\s+)?ADD\s+(?:CONSTRAINT\s+\S+\s+)?(FOREIGN\s+KEY|UNIQUE(?:\s+(?:KEY|INDEX))?|CHECK|PRIMARY\s+KEY|EXCLUDE)",
        part,
    )
    index = re.match(r"(?i)ADD\s+(?:FULLTEXT\s+|SPATIAL\s+)?(?:INDEX|KEY)\b", part)
    if constraint is not None:
        word = constraint[1].split()[0].lower()
        kind = {
            "foreign": "foreign_key",
            "unique": "unique",
            "check": "check",
            "primary": "primary_key",
            "exclude": "check",
        }[word]
        yield Operation(kind, line, table, gentle=gentle, text=text)
    elif index is not None:
        yield Operation("index", line, table, gentle=gentle, text=text)
    elif (
        match := re.match(rf"(?i)ADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?{_N}\s+(.+)", part, re.DOTALL)
    ) is not None:
        default = _DEFAULT.search(match[2])
        generated = re.search(r"(?i)\bGENERATED\b|\bIDENTITY\b|\bSERIAL\b|AUTO_INCREMENT", match[2]) is not None
        yield Operation(
            "add_column",
            line,
            table,
            bare_name(match[1]),
            match[2].split()[0],
            re.search(r"(?i)\bNOT\s+NULL\b|\bPRIMARY\s+KEY\b", match[2]) is not None,
            default[1] if default else "generated()" if generated else "",
            text=text,
        )
        if re.search(r"(?i)\bREFERENCES\b", match[2]):
            yield Operation("foreign_key", line, table, bare_name(match[1]), gentle=True, text=text)
        if re.search(r"(?i)\bUNIQUE\b", match[2]):
            yield Operation("unique", line, table, bare_name(match[1]), text=text)
    elif (match := re.match(rf"(?i)DROP\s+(?:COLUMN\s+)(?:IF\s+EXISTS\s+)?{_N}", part)) is not None:
        yield Operation("drop_column", line, table, bare_name(match[1]), text=text)
    elif re.match(r"(?i)DROP\s+(?:CONSTRAINT|FOREIGN|PRIMARY|INDEX|KEY|CHECK)", part):
        yield Operation("drop_constraint", line, table, text=text)
    elif (match := re.match(rf"(?i)DROP\s+{_N}\s*(?:CASCADE|RESTRICT)?$", part)) is not None:
        yield Operation("drop_column", line, table, bare_name(match[1]), text=text)
    elif (match := re.match(rf"(?i)RENAME\s+COLUMN\s+{_N}|RENAME\s+{_N}\s+TO", part)) is not None and not re.match(
        r"(?i)RENAME\s+TO", part
    ):
        yield Operation("rename_column", line, table, bare_name(match[1] or match[2]), text=text)
    elif re.match(r"(?i)RENAME\s+(?:TO|AS)\b", part):
        yield Operation("rename_table", line, table, text=text)
    elif (match := re.match(rf"(?i)CHANGE\s+(?:COLUMN\s+)?{_N}\s+{_N}\s+(\w+(?:\s*\([\d, ]+\))?)", part)) is not None:
        renamed = bare_name(match[1]) != bare_name(match[2])
        yield Operation(
            "rename_column" if renamed else "alter_type", line, table, bare_name(match[1]), match[3], text=text
        )
    elif (match := re.match(rf"(?i)(?:ALTER|MODIFY)\s+(?:COLUMN\s+)?{_N}\s+(.+)", part, re.DOTALL)) is not None:
        yield from _column(bare_name(match[1]), match[2], table, line, text)


def _column(column: str, rest: str, table: str, line: int, text: str) -> Iterator[Operation]:
    if re.match(r"(?i)SET\s+NOT\s+NULL", rest):
        yield Operation("set_not_null", line, table, column, text=text)
    elif re.match(r"(?i)(?:SET|DROP)\s+(?:DEFAULT|NOT\s+NULL|STATISTICS|STORAGE|EXPRESSION)", rest) or re.match(
        r"(?i)(?:ADD|DROP|SET)\s+(?:GENERATED|IDENTITY)", rest
    ):
        yield Operation("alter_default", line, table, column, text=text)
    else:
        type_ = re.match(
            r"(?i)(?:SET\s+DATA\s+)?(?:TYPE\s+)?(\w+(?:\s+VARYING|\s+PRECISION)?(?:\s*\([\w, ]+\))?)", rest
        )
        yield Operation(
            "alter_type",
            line,
            table,
            column,
            type_[1] if type_ else "",
            re.search(r"(?i)\bNOT\s+NULL\b", rest) is not None,
            gentle=re.search(r"(?i)\bUSING\b", rest) is not None,
            text=text,
        )
