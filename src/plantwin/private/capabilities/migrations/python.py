"""Operations of Alembic and Django migrations."""

# ruff: noqa: E501 (messages and patterns)

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from plantwin.private.capabilities.migrations.operation import Migration, Operation
from plantwin.private.capabilities.migrations.sql import operations
from plantwin.private.capabilities.statements.split import statements

_ALEMBIC = {
    "drop_table": "drop_table", "create_table": "create_table", "drop_column": "drop_column", "add_column": "add_column",
    "create_index": "index", "drop_index": "drop_index", "rename_table": "rename_table", "create_foreign_key": "foreign_key",
    "create_unique_constraint": "unique", "create_check_constraint": "check", "create_primary_key": "primary_key",
    "drop_constraint": "drop_constraint", "bulk_insert": "insert",
}  # fmt: skip
_DJANGO = {
    "DeleteModel": "drop_table", "CreateModel": "create_table", "RemoveField": "drop_column", "AddField": "add_column",
    "AddIndex": "index", "AddIndexConcurrently": "index", "RemoveIndex": "drop_index", "RemoveIndexConcurrently": "drop_index",
    "RenameModel": "rename_table", "AlterModelTable": "rename_table", "RenameField": "rename_column", "AlterField": "alter_type",
    "AddConstraint": "unique", "RemoveConstraint": "drop_constraint", "AlterUniqueTogether": "unique",
    "AddConstraintNotValid": "unique",
}  # fmt: skip


def read(label: str, text: str) -> Migration | None:
    """The migration that a Python file is; None where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    if "upgrade" in functions and ("op." in text or "down_revision" in text):
        return _alembic(label, tree, functions)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ClassDef)
            and node.name == "Migration"
            and any("Migration" in ast.unparse(base) for base in node.bases)
        ):
            return _django(label, node, functions)
    return None


def _value(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return ast.unparse(node)[:200] if node is not None else ""


def _alembic(label: str, tree: ast.Module, functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]) -> Migration:
    found = Migration(label, "Alembic", transaction=True)
    for node in tree.body:
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AnnAssign)
            else None
        )
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(target, ast.Name) and target.id == "revision":
            found.revision = _value(value)
        elif isinstance(target, ast.Name) and target.id == "down_revision":
            parents = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
            found.parents = tuple(_value(each) for each in parents if each is not None and _value(each) != "None")
    up = functions["upgrade"]
    if "autocommit_block" in ast.unparse(up):
        found.transaction = False
    found.up = list(_alembic_calls(up))
    down = functions.get("downgrade")
    found.down = list(_alembic_calls(down)) if down is not None else []
    found.no_way_back = down is None or _empty(down)
    text = ast.unparse(tree)
    found.engine = "postgres" if "postgresql" in text else "mysql" if "mysql" in text else ""
    return found


def _empty(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does nothing, or only refuses."""
    return all(
        isinstance(node, (ast.Pass, ast.Raise)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in function.body
    )


def _alembic_calls(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Operation]:
    batches: dict[str, str] = {}
    calls: list[ast.Call] = []
    for node in ast.walk(function):
        if isinstance(node, ast.With):
            for item in node.items:
                call = item.context_expr
                if (
                    isinstance(call, ast.Call)
                    and ast.unparse(call.func).endswith("batch_alter_table")
                    and isinstance(item.optional_vars, ast.Name)
                    and call.args
                ):
                    batches[item.optional_vars.id] = _value(call.args[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            calls.append(node)
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        if (
            isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and (call.func.value.id == "op" or call.func.value.id in batches)
        ):
            yield from _alembic_call(call, call.func.attr, batches.get(call.func.value.id, ""))


def _alembic_call(call: ast.Call, name: str, batch: str) -> Iterator[Operation]:
    named = {each.arg: each.value for each in call.keywords if each.arg}
    text = ast.unparse(call)[:160]
    arguments = call.args
    place = 0 if batch else 1
    if name == "execute":
        yield from _sql(_text(arguments[0]) if arguments else "", call.lineno)
    elif name == "alter_column":
        table = batch or _value(arguments[0] if arguments else None)
        column = _value(arguments[place] if len(arguments) > place else None)
        if "new_column_name" in named:
            yield Operation("rename_column", call.lineno, table, column, text=text)
        if "type_" in named:
            yield Operation("alter_type", call.lineno, table, column, _value(named["type_"]), text=text)
        if _value(named.get("nullable")) == "False":
            yield Operation("set_not_null", call.lineno, table, column, text=text)
    elif name in _ALEMBIC:
        kind = _ALEMBIC[name]
        if kind == "index" and _value(named.get("unique")) == "True":
            kind = "unique_index"
        second = name in (
            "create_index",
            "create_foreign_key",
            "create_unique_constraint",
            "create_check_constraint",
            "create_primary_key",
            "drop_constraint",
        )
        table = batch or _value(
            named.get("table_name")
            or (arguments[1] if second and len(arguments) > 1 else arguments[0] if arguments else None)
        )
        gentle = (
            _value(named.get("postgresql_concurrently")) == "True"
            or _value(named.get("postgresql_not_valid")) == "True"
        )
        column, type_, required, default = "", "", False, ""
        if kind == "add_column":
            definition = next((each for each in arguments if isinstance(each, ast.Call)), None)
            column, type_, required, default = _sqlalchemy(definition)
        elif kind == "drop_column":
            column = _value(arguments[place] if len(arguments) > place else None)
        yield Operation(kind, call.lineno, table.lower(), column, type_, required, default, gentle, text=text)


def _sqlalchemy(node: ast.Call | None) -> tuple[str, str, bool, str]:
    if node is None:
        return "", "", False, ""
    named = {each.arg: each.value for each in node.keywords if each.arg}
    default = named.get("server_default")
    return (
        _value(node.args[0]) if node.args else "",
        _value(node.args[1]) if len(node.args) > 1 else "",
        _value(named.get("nullable")) == "False",
        _text(default) if default is not None and _value(default) != "None" else "",
    )


def _text(node: ast.expr) -> str:
    """The string in an expression such as `sa.text("…")`."""
    return next(
        (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)),
        ast.unparse(node)[:200],
    )


def _sql(text: str, line: int) -> Iterator[Operation]:
    for each in statements(text, 200):
        yield from (one._replace(line=line) for one in operations(each))


def _django(label: str, node: ast.ClassDef, functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]) -> Migration:
    found = Migration(label, "Django", transaction=True, down=None)
    for each in node.body:
        if not isinstance(each, (ast.Assign, ast.AnnAssign)) or each.value is None:
            continue
        target = each.targets[0] if isinstance(each, ast.Assign) else each.target
        name = target.id if isinstance(target, ast.Name) else ""
        if name == "atomic":
            found.transaction = _value(each.value) != "False"
        elif name == "dependencies" and isinstance(each.value, ast.List):
            found.parents = tuple(
                "/".join(_value(part) for part in one.elts) for one in each.value.elts if isinstance(one, ast.Tuple)
            )
        elif name == "operations" and isinstance(each.value, ast.List):
            for one in each.value.elts:
                if isinstance(one, ast.Call):
                    found.up += _django_call(one)
    return found


def _django_call(call: ast.Call) -> Iterator[Operation]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else _value(call.func)
    named = {each.arg: each.value for each in call.keywords if each.arg}
    text = ast.unparse(call)[:160]
    if name == "SeparateDatabaseAndState":
        inner = named.get("database_operations")
        for each in inner.elts if isinstance(inner, ast.List) else ():
            if isinstance(each, ast.Call):
                yield from _django_call(each)
        return
    if name == "RunPython":
        yield Operation("run_code", call.lineno, reversible="reverse_code" in named or len(call.args) > 1, text=text)
        return
    if name == "RunSQL":
        reverse = "reverse_sql" in named or len(call.args) > 1
        yield Operation("run_sql", call.lineno, reversible=reverse, text=text)
        source = named.get("sql") or (call.args[0] if call.args else None)
        if source is not None:
            yield from _sql(_text(source), call.lineno)
        return
    kind = _DJANGO.get(name)
    if kind is None:
        return
    given = [_value(each) for each in call.args]
    table = _value(
        named.get("model_name")
        or named.get("name" if name in ("CreateModel", "DeleteModel", "AlterModelTable") else "old_name")
    ) or (given[0] if given else "")
    column = (
        _value(named.get("name"))
        if name in ("AddField", "RemoveField", "AlterField")
        else _value(named.get("old_name"))
    )
    required, default, type_ = False, "", ""
    field = named.get("field")
    if isinstance(field, ast.Call):
        given_ = {each.arg: each.value for each in field.keywords if each.arg}
        type_ = ast.unparse(field.func).rpartition(".")[2]
        required = _value(given_.get("null")) != "True" and type_ != "ManyToManyField"
        default = _value(given_.get("default") or given_.get("db_default")) or (
            "auto" if {"auto_now", "auto_now_add"} & set(given_) else ""
        )
        if kind == "add_column" and type_ in ("ForeignKey", "OneToOneField"):
            yield Operation("foreign_key", call.lineno, table.lower(), column, gentle=True, text=text)
    if name == "AddConstraint" and "Check" in text:
        kind = "check"
    gentle = name.endswith(("Concurrently", "NotValid"))
    yield Operation(kind, call.lineno, table.lower(), column, type_, required, default, gentle, text=text)
