"""Migrations of Alembic and Django."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from plantwin.private.capabilities.review_migrations.sql import Migration, Operation, methods, operations_in
from plantwin.private.formats.python import parse

Function = ast.FunctionDef | ast.AsyncFunctionDef
_STATEMENTS = 200
"""Statements of one call that are examined."""
_TABLE_SECOND = (
    "create_index", "create_foreign_key", "create_unique_constraint", "create_check_constraint", "create_primary_key",
    "drop_constraint",
)  # fmt: skip
"""Methods of Alembic whose first argument is the name of what they make."""
_DJANGO_FIELDS = ("AddField", "RemoveField", "AlterField")
_NEVER_EMPTY = re.compile(
    r"(?:Integer|Boolean|Date|DateTime|Time|Decimal|Float|UUID|IPAddress|JSON|Duration|Array|HStore|Range)Field$"
    r"|^(?:ForeignKey|OneToOneField|ParentalKey)$"
)
"""Fields for which an empty text is no value (`empty_strings_allowed = False`)."""
_INITIAL = 2
"""Numbers of migrations that `makemigrations` writes when an app begins."""
_DJANGO_MODELS = ("CreateModel", "DeleteModel", "AlterModelTable", "AlterUniqueTogether", "AlterIndexTogether")


def read(label: str, text: str) -> Migration | None:
    """Return the migration that a Python file is; None if it is none."""
    tree = parse(text)
    if tree is None:
        return None
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    if "upgrade" in functions and ("op." in text or "down_revision" in text):
        return _alembic(label, tree, functions)
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name="Migration") if any("Migration" in ast.unparse(base) for base in node.bases):
                return _django(label, node)
    return None


def _value(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return ast.unparse(node)[:200] if node is not None else ""


def _string(node: ast.expr) -> str:
    """Return the string in an expression such as `sa.text("…")`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            return part.value
    return ast.unparse(node)[:200]


def _keywords(call: ast.Call) -> dict[str, ast.expr]:
    return {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name), *_], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _alembic(label: str, tree: ast.Module, functions: dict[str, Function]) -> Migration:
    text = ast.unparse(tree)
    engine = "postgres" if "postgresql" in text else "mysql" if "mysql" in text else ""
    migration = Migration(label, "Alembic", engine)
    for name, value in _assignments(tree.body):
        if name == "revision":
            migration.revision = _value(value)
        elif name == "down_revision":
            parents = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
            migration.parents = tuple(parent for parent in map(_value, parents) if parent != "None")
    up, down = functions["upgrade"], functions.get("downgrade")
    migration.transaction = "autocommit_block" not in ast.unparse(up)
    migration.up = list(_alembic_calls(up))
    migration.down = list(_alembic_calls(down)) if down is not None else []
    migration.no_downgrade = down is None or _does_nothing(down)
    return migration


def _does_nothing(function: Function) -> bool:
    """Tell whether a function is empty, or only refuses."""
    return all(
        isinstance(node, (ast.Pass, ast.Raise)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in function.body
    )


def _alembic_calls(function: Function) -> Iterator[Operation]:
    tables = {"op": ""}
    """Tables by the name of the `with op.batch_alter_table(…) as name` that was opened last."""
    nodes = [node for node in ast.walk(function) if isinstance(node, (ast.Call, ast.With))]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        match node:
            case ast.With(items=items):
                for item in items:
                    match item:
                        case ast.withitem(
                            context_expr=ast.Call(func=ast.Attribute(attr="batch_alter_table"), args=[table, *_]),
                            optional_vars=ast.Name(id=name),
                        ):
                            tables[name] = _value(table)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if name in tables:
                yield from _alembic_call(node, method, tables[name])


def _alembic_call(call: ast.Call, method: str, batch: str) -> Iterator[Operation]:
    named, line, text = _keywords(call), call.lineno, ast.unparse(call)[:160]
    given = [_value(argument) for argument in call.args] + ["", ""]
    column = given[0 if batch else 1]
    if method == "execute":
        if call.args:
            yield from operations_in(_string(call.args[0]), line, _STATEMENTS)
        return
    if method == "alter_column":
        table = batch or given[0]
        if "new_column_name" in named:
            yield Operation("rename_column", line, table, column, _value(named["new_column_name"]), text=text)
        if "type_" in named:
            yield Operation("alter_type", line, table, column, _value(named["type_"]), text=text)
        if _value(named.get("nullable")) == "False":
            yield Operation("set_not_null", line, table, column, text=text)
        return
    kind = methods("alembic").get(method)
    if kind is None:
        return
    if kind == "index" and _value(named.get("unique")) == "True":
        kind = "unique_index"
    second = method in _TABLE_SECOND and len(call.args) > 1
    table = batch or _value(named.get("table_name")) or given[1 if second else 0]
    gentle = "True" in (_value(named.get("postgresql_concurrently")), _value(named.get("postgresql_not_valid")))
    step = Operation(kind, line, table.lower(), gentle=gentle, text=text)
    if kind == "drop_column":
        step = step._replace(column=column)
    elif kind == "add_column":
        definition = next((argument for argument in call.args if isinstance(argument, ast.Call)), None)
        step = _with_definition(step, definition)
    yield step


def _with_definition(step: Operation, definition: ast.Call | None) -> Operation:
    """Return an added column with what SQLAlchemy's `Column(…)` says of it."""
    if definition is None:
        return step
    named = _keywords(definition)
    given = [_value(argument) for argument in definition.args] + ["", ""]
    default = named.get("server_default")
    return step._replace(
        column=given[0],
        type=given[1],
        required=_value(named.get("nullable")) == "False",
        default=_string(default) or "''" if default is not None and _value(default) != "None" else "",
    )


def _django(label: str, node: ast.ClassDef) -> Migration:
    migration = Migration(label, "Django", transaction=True)
    for name, value in _assignments(node.body):
        if name == "atomic":
            migration.transaction = _value(value) != "False"
        elif name == "operations" and isinstance(value, ast.List):
            migration.up = [step for call in value.elts for step in _django_call(call)]
    names = {name for name, _ in _assignments(node.body)}
    number = re.match(r"(\d+)", label.rpartition("/")[2])
    if names & {"initial", "replaces"} or (number is not None and int(number[1]) <= _INITIAL):
        # Models that refer to each other are created in two steps, on empty tables.
        keys = ("ForeignKey", "OneToOneField")
        migration.up = [step._replace(required=step.required and step.type not in keys) for step in migration.up]
    return migration


def _django_call(call: ast.expr) -> Iterator[Operation]:
    if not isinstance(call, ast.Call):
        return
    name = call.func.attr if isinstance(call.func, ast.Attribute) else _value(call.func)
    named, line, text = _keywords(call), call.lineno, ast.unparse(call)[:160]
    if name == "SeparateDatabaseAndState":
        inner = named.get("database_operations")
        for part in inner.elts if isinstance(inner, ast.List) else ():
            yield from _django_call(part)
    elif name == "RunPython":
        yield Operation("run_code", line, reversible="reverse_code" in named or len(call.args) > 1, text=text)
    elif name == "RunSQL":
        yield Operation("run_sql", line, reversible="reverse_sql" in named or len(call.args) > 1, text=text)
        source = named.get("sql") or (call.args[0] if call.args else None)
        if source is not None:
            yield from operations_in(_string(source), line, _STATEMENTS)
    elif name in methods("django"):
        yield from _django_operation(name, call, named, text)


def _is_known(field: ast.Call) -> bool:
    """Return whether a field is one of Django's own that makes a column: others may be nullable by themselves."""
    home, _, type_ = ast.unparse(field.func).rpartition(".")
    return home in ("models", "django.db.models", "") and type_ not in ("ManyToManyField", "NullBooleanField")


def _django_default(type_: str, options: dict[str, ast.expr]) -> str:
    """Return what Django writes into the rows that are there (`BaseDatabaseSchemaEditor._effective_default`)."""
    given = options.get("default") or options.get("db_default")
    if given is not None:
        return _value(given) or "''"
    if {"auto_now", "auto_now_add"} & set(options) or "AutoField" in type_ or type_ == "GeneratedField":
        return "auto"
    return "''" if _value(options.get("blank")) == "True" and not _NEVER_EMPTY.search(type_) else ""


def _django_operation(name: str, call: ast.Call, named: dict[str, ast.expr], text: str) -> Iterator[Operation]:
    kind = methods("django")[name]
    if name == "AddConstraint" and "Check" in text:
        kind = "check"
    options = ast.unparse(named["options"]) if name == "CreateModel" and "options" in named else ""
    if re.search(r"'proxy': True|'managed': False", options):
        kind = "create_proxy"
    model = named.get("model_name") or named.get("name" if name in _DJANGO_MODELS else "old_name")
    table = (_value(model) or (_value(call.args[0]) if call.args else "")).lower()
    column = _value(named.get("name" if name in _DJANGO_FIELDS else "old_name"))
    gentle = name.endswith(("Concurrently", "NotValid"))
    step = Operation(kind, call.lineno, table, column, _value(named.get("new_name")), gentle=gentle, text=text)
    field = named.get("field") or (call.args[2] if len(call.args) > 2 else None)
    if isinstance(field, ast.Call):
        settings = _keywords(field)
        type_ = ast.unparse(field.func).rpartition(".")[2]
        step = step._replace(
            type=type_,
            required=_value(settings.get("null")) != "True" and _is_known(field),
            default=_django_default(type_, settings),
        )
        if kind == "add_column" and type_ in ("ForeignKey", "OneToOneField"):
            yield Operation("foreign_key", call.lineno, table, column, gentle=True, text=text)
    yield step
