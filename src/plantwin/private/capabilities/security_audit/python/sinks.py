"""Where values do harm: queries, commands, files, addresses, pages, objects made from input."""

from __future__ import annotations

import ast
import re

from plantwin.private.capabilities.security_audit.python.module import Call, Scope
from plantwin.private.capabilities.security_audit.python.taint import (
    BUILT,
    CONSTANT,
    IDENTIFIERS,
    SQL,
    TAINTED,
    WORDS,
    constant_text,
    dotted,
    keyword,
    last,
)
from plantwin.vocabulary import Severity

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s{}]+[/?]|/(?![/\\])")
_QUERIES = re.compile(
    r"execut|query|fetch|raw$|read_sql|^one$|^all$|^many$|scalar|cursor|run_|^run$|select|mogrify|prepare|extra$|RawSQL|sql",
    re.IGNORECASE,
)
_RAW_QUERIES = frozenset(("execute", "executescript", "raw", "RawSQL"))
_PROCESSES = frozenset(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen"))
_EVALUATORS = frozenset(("eval", "exec", "builtins.eval", "builtins.exec"))
_FILE_METHODS = frozenset(("read_text", "read_bytes", "write_text", "write_bytes", "unlink", "open"))
_REQUESTS = re.compile(
    r"(?:requests|httpx|aiohttp)\.(?:get|post|put|patch|delete|head|request|stream)$|urllib\.request\.(?:urlopen|urlretrieve|"
    r"Request)$|urllib2?\.urlopen$|(?<!db\.)(?<!orm\.)(?:http|session|client|http_client)\.(?:get|post|put|patch|delete|head|request)$"
)
_REDIRECTS = frozenset(
    ("redirect", "HttpResponseRedirect", "RedirectResponse", "HTTPFound", "HttpResponsePermanentRedirect")
)
_CREATORS = frozenset(("create", "update", "update_or_create", "get_or_create", "insert"))
_SCHEMAS = ("Schema", "Form", "Serializer", "Request", "Query", "Params", "DTO", "In", "Input")


def query(call: Call) -> None:
    """Report SQL that is put together from values."""
    if not _QUERIES.search(call.last):
        return
    for argument in [*call.node.args[:3], *(given.value for given in call.node.keywords[:6])]:
        flow = call.of(argument)
        if not flow & SQL and not (flow & TAINTED and call.last in _RAW_QUERIES):
            continue
        if isinstance(argument, ast.Call) and _QUERIES.search(last(dotted(argument.func))):
            continue  # the inner call says it
        if flow & TAINTED:
            call.report("INJECTION-SQL", Severity.CRITICAL)
        elif flow & IDENTIFIERS:
            call.report("INJECTION-SQL-IDENTIFIER")
        else:
            call.report("INJECTION-SQL")
        return


def command(call: Call) -> None:
    """Report shell commands, and programs, that are put together from values."""
    shell = call.full in WORDS["shell_call"]
    if call.full in _PROCESSES:
        shell = call.given("shell", True, 1)
        if not shell and call.flow & TAINTED and isinstance(call.first, (ast.List, ast.Tuple)) and call.first.elts:
            if call.of(call.first.elts[0]) & TAINTED:
                call.report("INJECTION-COMMAND", Severity.CRITICAL)
            return
    if shell and call.first is not None and not call.flow & CONSTANT:
        call.report("INJECTION-COMMAND", Severity.CRITICAL if call.flow & TAINTED else None)


def evaluate(call: Call) -> None:
    """Report text that is run as code."""
    if call.full in _EVALUATORS and call.node.args and not call.flow & CONSTANT:
        call.report("INJECTION-CODE", Severity.CRITICAL if call.flow & TAINTED else None)


def file(call: Call) -> None:
    """Report names of files that the request chooses."""
    tainted = 0
    if call.full in WORDS["file_call"] or call.last in ("send_file", "FileResponse"):
        tainted = call.flow & TAINTED
    elif isinstance(call.node.func, ast.Attribute) and call.last in _FILE_METHODS:
        tainted = call.of(call.node.func.value) & TAINTED
    elif call.last == "save" and len(call.node.args) == 1:  # an upload kept under its name; storages of Django check it
        tainted = call.flow & TAINTED
    if tainted:
        call.report("PATH-TRAVERSAL")


def address(call: Call) -> None:
    """Report addresses that the request chooses, for the browser or the server."""
    if call.last in _REDIRECTS and call.flow & TAINTED and not _anchored(call.first):
        call.report("OPEN-REDIRECT")
    if _REQUESTS.search(call.full):
        second = call.node.args[1] if call.last in ("request", "stream") and len(call.node.args) > 1 else call.first
        target = keyword(call.node, "url") or second
        if target is not None and call.of(target) & TAINTED and not _anchored(target):
            call.report("SSRF")


def _anchored(node: ast.expr | None) -> bool:
    """Whether a fixed start of the text already says which host, or that it is a path of this one."""
    if isinstance(node, ast.JoinedStr) and node.values:
        start = node.values[0]
        if isinstance(start, ast.FormattedValue):
            name = dotted(start.value)
            ends = last(name).lstrip("_").lower().endswith(("url", "host", "base", "endpoint"))
            return ends and not name.startswith("request")
        return _ORIGIN.match(constant_text(start)) is not None
    while isinstance(node, ast.BinOp):
        node = node.left
    return _ORIGIN.match(constant_text(node)) is not None


_TEMPLATES = re.compile(r"(?i)(?:env|environment|jinja2?|engine|templates?)(?:\(\))?\.from_string$")
"""Template engines: other classes have a `from_string` too."""


def page(call: Call) -> None:
    """Report pages and templates that are put together from values."""
    tainted, built = call.flow & TAINTED, call.flow & BUILT
    template = call.last == "render_template_string" or _TEMPLATES.search(call.name) is not None
    if template and (tainted or built):
        call.report("INJECTION-TEMPLATE", Severity.CRITICAL if tainted else None)
    elif call.last in ("Markup", "mark_safe", "SafeString") and not call.flow & CONSTANT and call.node.args:
        call.report("PY-MARK-SAFE", Severity.HIGH if tainted else None if built else Severity.LOW)
    elif call.last in ("HttpResponse", "HTMLResponse", "make_response", "Response") and tainted and _markup(call.first):
        call.report("INJECTION-HTML")


def _markup(node: ast.expr | None) -> bool:
    return node is not None and any("<" in constant_text(inner) for inner in ast.walk(node))


def returned(scope: Scope, node: ast.Return) -> None:
    """Report a handler that returns HTML made from the request."""
    if (
        scope.function is not None
        and isinstance(node.value, (ast.JoinedStr, ast.BinOp))
        and _markup(node.value)
        and any(function is scope.function for function, _ in scope.module.handlers)
        and scope.values.of(node.value) & TAINTED
    ):
        scope.report(node, "INJECTION-HTML")


def objects(call: Call) -> None:
    """Report objects that are made, or filled, from the request as it is."""
    if call.full in WORDS["loader"] and call.flow & TAINTED:
        call.report("UNSAFE-DESERIALIZATION", Severity.CRITICAL)
    made = (call.last[:1].isupper() or call.last in _CREATORS) and not call.last.endswith(_SCHEMAS)
    spread = [given.value for given in call.node.keywords if given.arg is None]
    attribute = call.node.args[1] if call.last == "setattr" and len(call.node.args) == 3 else None
    if (
        (made and any(call.of(value) & TAINTED for value in spread))
        or (attribute is not None and call.of(attribute) & TAINTED)
        or (call.name.endswith("__dict__.update") and call.flow & TAINTED)
    ):
        call.report("MASS-ASSIGNMENT")


CALLS = (query, command, evaluate, file, address, page, objects)
