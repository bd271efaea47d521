"""Where values do harm: queries, commands, files, addresses, pages, objects made from input."""

from __future__ import annotations

import ast
import re

from plantwin.private.capabilities.audit.python.flow import Flow
from plantwin.private.capabilities.audit.python.names import constant_text, dotted, is_constant, keyword
from plantwin.private.capabilities.audit.python.scope import Rule, Scope
from plantwin.vocabulary import OutcomeTag, Severity

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s{}]+[/?]|/(?![/\\])")
_QUERIES = re.compile(
    r"execut|query|fetch|raw$|read_sql|^one$|^all$|^many$|scalar|cursor|run_|^run$|select|mogrify|prepare|extra$|RawSQL|sql",
    re.IGNORECASE,
)
_SHELLS = frozenset(
    [
        "os.system",
        "os.popen",
        "popen2.popen2",
        "commands.getoutput",
        "commands.getstatusoutput",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "asyncio.create_subprocess_shell",
    ]
)
_PROCESSES = frozenset(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen"))
_FILES = frozenset(
    [
        "open",
        "io.open",
        "os.open",
        "os.remove",
        "os.unlink",
        "os.rename",
        "os.makedirs",
        "os.rmdir",
        "os.listdir",
        "shutil.rmtree",
        "shutil.copy",
        "shutil.move",
        "flask.send_file",
        "send_file",
        "FileResponse",
        "starlette.responses.FileResponse",
        "fastapi.responses.FileResponse",
        "codecs.open",
        "aiofiles.open",
        "django.http.FileResponse",
    ]
)
_FILE_METHODS = frozenset(("read_text", "read_bytes", "write_text", "write_bytes", "unlink", "open"))
_ADDRESSES = re.compile(
    r"(?:requests|httpx|aiohttp)\.(?:get|post|put|patch|delete|head|request|stream)$|urllib\.request\.(?:urlopen|urlretrieve|"
    r"Request)$|urllib2?\.urlopen$|(?:http|session|client|http_client)\.(?:get|post|put|patch|delete|head|request)$"
)
_REDIRECTS = frozenset(
    ("redirect", "HttpResponseRedirect", "RedirectResponse", "HTTPFound", "HttpResponsePermanentRedirect")
)
_LOADERS = frozenset(
    [
        "pickle.loads",
        "pickle.load",
        "cPickle.loads",
        "dill.loads",
        "dill.load",
        "jsonpickle.decode",
        "marshal.loads",
        "shelve.open",
        "yaml.unsafe_load",
        "yaml.full_load",
        "joblib.load",
        "torch.load",
        "pandas.read_pickle",
    ]
)


def _call(scope: Scope, node: ast.AST) -> None:
    if not isinstance(node, ast.Call):
        return
    full = scope.full(node.func)
    last = full.rpartition(".")[2]
    first = node.args[0] if node.args else None
    flow = scope.values.of(first) if first is not None else Flow.CONSTANT
    _query(scope, node, last)
    _command(scope, node, full, first, flow)
    _evaluate(scope, node, full, flow)
    _file(scope, node, full, last, flow)
    _address(scope, node, full, last, first, flow)
    _page(scope, node, full, last, first, flow)
    _object(scope, node, full, last, flow)


def _query(scope: Scope, node: ast.Call, last: str) -> None:
    if not _QUERIES.search(last):
        return
    for each in [*node.args[:3], *(item.value for item in node.keywords[:6])]:
        flow = scope.values.of(each)
        if not flow & Flow.QUERY and not (flow & Flow.REMOTE and last in ("execute", "executescript", "raw", "RawSQL")):
            continue
        if isinstance(each, ast.Call) and _QUERIES.search(dotted(each.func).rpartition(".")[2]):
            continue  # the inner call says it
        hint = "Pass values as parameters of the query; choose names of tables and columns from a fixed list."
        if flow & Flow.REMOTE:
            severity, message = Severity.CRITICAL, "A value from the request becomes part of an SQL statement"
        elif flow & Flow.NAMED:
            severity, message = (
                Severity.LOW,
                "Names of tables, columns or clauses are put into an SQL statement as text",
            )
        else:
            severity, message = Severity.HIGH, "An SQL statement is put together from values instead of parameters"
        scope.add(node, severity, OutcomeTag.INJECTION, message, hint)
        return


def _command(scope: Scope, node: ast.Call, full: str, first: ast.expr | None, flow: Flow) -> None:
    shell = full in _SHELLS
    if full in _PROCESSES:
        wanted = keyword(node, "shell")
        shell = is_constant(wanted, True, 1)
        if not shell and flow & Flow.REMOTE and isinstance(first, (ast.List, ast.Tuple)) and first.elts:
            if scope.values.of(first.elts[0]) & Flow.REMOTE:
                scope.add(
                    node,
                    Severity.CRITICAL,
                    OutcomeTag.UNSAFE_EXECUTION,
                    "The request chooses which program is run",
                    "Choose the program from a fixed list.",
                )
            return
    if not shell or first is None or flow & Flow.CONSTANT:
        return
    hint = "Pass a list of arguments without a shell, or quote each value with shlex.quote."
    if flow & Flow.REMOTE:
        severity, message = Severity.CRITICAL, "A value from the request becomes part of a shell command"
    elif flow & Flow.BUILT:
        severity, message = Severity.HIGH, "A shell command is put together from values"
    else:
        severity, message = Severity.MEDIUM, "A command that is not fixed runs through a shell"
    scope.add(node, severity, OutcomeTag.UNSAFE_EXECUTION, message, hint)


def _evaluate(scope: Scope, node: ast.Call, full: str, flow: Flow) -> None:
    if full not in ("eval", "exec", "builtins.eval", "builtins.exec") or not node.args or flow & Flow.CONSTANT:
        return
    remote = bool(flow & Flow.REMOTE)
    scope.add(
        node,
        Severity.CRITICAL if remote else Severity.MEDIUM,
        OutcomeTag.UNSAFE_EXECUTION,
        f"{'A value from the request' if remote else 'Text that is not fixed'} is run as code",
        "Use ast.literal_eval, a parser, or a table of functions.",
    )


def _file(scope: Scope, node: ast.Call, full: str, last: str, flow: Flow) -> None:
    if full in _FILES or last in ("send_file", "FileResponse"):
        remote = flow & Flow.REMOTE
    elif isinstance(node.func, ast.Attribute) and last in _FILE_METHODS:
        remote = scope.values.of(node.func.value) & Flow.REMOTE
        if isinstance(node.func.value, ast.Name) and not remote:
            return
    elif last == "save" and node.args:  # an upload kept under the name that it came with
        remote = flow & Flow.REMOTE
    else:
        return
    if remote:
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.PATH_TRAVERSAL,
            "The request chooses the name of a file",
            "Take only its last part (secure_filename), resolve it and check that it stays below the folder.",
        )


def _address(scope: Scope, node: ast.Call, full: str, last: str, first: ast.expr | None, flow: Flow) -> None:
    if last in _REDIRECTS and flow & Flow.REMOTE and not _anchored(first):
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.MISSING_CHECK,
            "The request chooses where the browser is sent (open redirect)",
            "Allow only paths of this site, or hosts from a list.",
        )
    if not _ADDRESSES.search(full):
        return
    target = keyword(node, "url") or (node.args[1] if last in ("request", "stream") and len(node.args) > 1 else first)
    if target is not None and scope.values.of(target) & Flow.REMOTE and not _anchored(target):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.MISSING_CHECK,
            "The request chooses the address that the server calls (SSRF)",
            "Allow only hosts from a list, and refuse addresses of the internal network.",
        )


def _anchored(node: ast.expr | None) -> bool:
    """Whether a fixed start of the text already says which host, or that it is a path of this one."""
    if isinstance(node, ast.JoinedStr) and node.values:
        return _ORIGIN.match(constant_text(node.values[0])) is not None or (
            not isinstance(node.values[0], ast.Constant)
            and (
                isinstance(node.values[0], ast.FormattedValue)
                and dotted(node.values[0].value)
                .rpartition(".")[2]
                .lstrip("_")
                .lower()
                .endswith(("url", "host", "base", "endpoint"))
                and not dotted(node.values[0].value).startswith("request")
            )
        )
    while isinstance(node, ast.BinOp):
        node = node.left
    return _ORIGIN.match(constant_text(node)) is not None


def _page(scope: Scope, node: ast.Call, full: str, last: str, first: ast.expr | None, flow: Flow) -> None:
    if last in ("render_template_string", "from_string") and (flow & (Flow.REMOTE | Flow.BUILT)):
        remote = bool(flow & Flow.REMOTE)
        scope.add(
            node,
            Severity.CRITICAL if remote else Severity.MEDIUM,
            OutcomeTag.INJECTION,
            "A template is put together from values" + (" of the request" if remote else ""),
            "Keep templates fixed and pass values to them.",
        )
    elif last in ("Markup", "mark_safe", "SafeString") and not flow & Flow.CONSTANT and node.args:
        severity = Severity.HIGH if flow & Flow.REMOTE else Severity.MEDIUM if flow & Flow.BUILT else Severity.LOW
        scope.add(
            node,
            severity,
            OutcomeTag.INJECTION,
            "Text that is not fixed is marked as safe HTML",
            "Let the template escape it, or build it with format_html.",
        )
    elif (
        last in ("HttpResponse", "HTMLResponse", "make_response", "Response") and flow & Flow.REMOTE and _markup(first)
    ):
        scope.add(
            node,
            Severity.HIGH,
            OutcomeTag.INJECTION,
            "A value from the request becomes part of a page unescaped",
            "Render it through an escaping template.",
        )


def _markup(node: ast.expr | None) -> bool:
    return node is not None and any(
        "<" in constant_text(each) for each in ast.walk(node) if isinstance(each, ast.Constant)
    )


def _returned(scope: Scope, node: ast.AST) -> None:
    """A handler that returns HTML made from the request."""
    if isinstance(node, ast.Return) and scope.function is not None and _markup(node.value):
        handled = any(function is scope.function for function, _ in scope.module.handlers)
        if handled and isinstance(node.value, (ast.JoinedStr, ast.BinOp)) and scope.values.of(node.value) & Flow.REMOTE:
            scope.add(
                node,
                Severity.HIGH,
                OutcomeTag.INJECTION,
                "A value from the request becomes part of a page unescaped",
                "Render it through an escaping template.",
            )


def _object(scope: Scope, node: ast.Call, full: str, last: str, flow: Flow) -> None:
    if full in _LOADERS and flow & Flow.REMOTE:
        scope.add(
            node,
            Severity.CRITICAL,
            OutcomeTag.UNSAFE_DESERIALIZATION,
            "Objects are loaded from a value of the request",
            "Use JSON and check its shape.",
        )
    for each in node.keywords:
        if each.arg is None and scope.values.of(each.value) & Flow.REMOTE:
            made = last[:1].isupper() or last in ("create", "update", "update_or_create", "get_or_create", "insert")
            schema = last.endswith(("Schema", "Form", "Serializer", "Request", "Query", "Params", "DTO", "In", "Input"))
            if made and not schema:
                scope.add(
                    node,
                    Severity.MEDIUM,
                    OutcomeTag.MISSING_CHECK,
                    "The request sets any field of an object (mass assignment)",
                    "Name the fields that may be set, or validate with a schema first.",
                )
    if last == "setattr" and len(node.args) == 3 and scope.values.of(node.args[1]) & Flow.REMOTE:
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.MISSING_CHECK,
            "The request chooses which attribute is set (mass assignment)",
            "Name the attributes that may be set.",
        )
    if dotted(node.func).endswith("__dict__.update") and flow & Flow.REMOTE:
        scope.add(
            node,
            Severity.MEDIUM,
            OutcomeTag.MISSING_CHECK,
            "The request sets any field of an object (mass assignment)",
            "Name the fields that may be set.",
        )


RULES: tuple[Rule, ...] = (_call, _returned)
