"""A small flow analysis: which values are constant, which come from a request, which are SQL made from parts."""

from __future__ import annotations

import ast
import re
from enum import IntFlag

from plantwin.private.capabilities.audit.python.names import Imports, constant_text, dotted, terminal, words

SQL = re.compile(
    r"\s*+(?:\(?\s*select\b.{1,2000}?\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|replace\s+into\b|update\b.{1,400}?\bset\b"
    r"|delete\s+from\b|drop\s+(?:table|database|index|view|schema|user)\b|alter\s+(?:table|database|user)\b"
    r"|create\s+(?:table|database|index|view|user|schema)\b|truncate\s+table\b|grant\s+\w|exec(?:ute)?\s+\w+\.|merge\s+into\b"
    r"|with\s+\w+\s+as\s*\(|call\s+\w+\()",
    re.IGNORECASE | re.DOTALL,
)


class Flow(IntFlag):
    """What is known of a value. Nothing: it is not constant, and where it comes from is not seen."""

    UNKNOWN = 0
    CONSTANT = 1
    """Fixed in the code, or a number."""
    REMOTE = 2
    """From a request: whoever can reach the program chooses it."""
    QUERY = 4
    """SQL put together from parts that are not constant."""
    NAMED = 8
    """Those parts are names of tables and columns only."""
    BUILT = 16
    """A string put together from parts that are not constant."""


_REQUEST = frozenset(("request", "req", "flask_request", "self.request", "self.req"))
_PARTS = frozenset(
    [
        "args",
        "form",
        "values",
        "json",
        "data",
        "get_json",
        "GET",
        "POST",
        "files",
        "FILES",
        "cookies",
        "COOKIES",
        "headers",
        "query_params",
        "query_string",
        "params",
        "body",
        "path_params",
        "match_info",
        "view_args",
        "get_argument",
        "get_query_argument",
        "get_body_argument",
        "query",
        "rel_url",
        "get_data",
        "stream",
    ]
)
_TO_SAFE = frozenset(
    [
        "int",
        "float",
        "bool",
        "len",
        "abs",
        "round",
        "hash",
        "id",
        "isinstance",
        "type",
        "UUID",
        "uuid.UUID",
        "Decimal",
        "ord",
        "quote",
        "quote_plus",
        "escape",
        "html.escape",
        "bleach.clean",
        "markupsafe.escape",
        "shlex.quote",
        "secure_filename",
        "basename",
        "date",
        "datetime",
        "fromisoformat",
        "urlparse_safe",
        "safe_join",
        "hexdigest",
        "digest",
        "sha256",
        "sha512",
        "md5",
        "b64encode",
        "isdigit",
        "isalnum",
        "isalpha",
        "startswith",
        "endswith",
        "count",
        "index",
        "find",
        "exists",
        "is_file",
        "get_object_or_404",
        "first",
        "one",
        "one_or_none",
        "scalar",
        "fetchone",
        "fetchall",
        "filter",
        "all",
        "url_for",
        "reverse",
    ]
)
_THROUGH = frozenset(
    [
        "str",
        "repr",
        "format",
        "join",
        "strip",
        "lstrip",
        "rstrip",
        "lower",
        "upper",
        "replace",
        "split",
        "get",
        "pop",
        "decode",
        "encode",
        "Path",
        "PurePath",
        "os.path.join",
        "os.path.normpath",
        "os.path.abspath",
        "os.path.expanduser",
        "json.loads",
        "loads",
        "unquote",
        "unquote_plus",
        "urljoin",
        "dict",
        "list",
        "tuple",
        "set",
        "sorted",
        "getlist",
        "read",
        "get_json",
        "items",
        "values",
        "to_dict",
        "dumps",
        "title",
        "format_map",
        "copy",
        "partition",
        "rpartition",
        "rsplit",
        "splitlines",
        "b64decode",
        "bytes",
        "bytearray",
        "text",
        "getvalue",
        "model_dump",
        "urlparse",
    ]
)
_IDENTIFIERS = frozenset(
    [
        "table",
        "tables",
        "tablename",
        "column",
        "columns",
        "col",
        "cols",
        "field",
        "fields",
        "schema",
        "schemas",
        "database",
        "db",
        "dbname",
        "name",
        "names",
        "order",
        "ordering",
        "direction",
        "placeholders",
        "placeholder",
        "params",
        "marks",
        "index",
        "view",
        "sort",
        "key",
        "keys",
        "limit",
        "offset",
        "cls",
        "model",
        "prefix",
        "where",
        "clause",
        "clauses",
        "conditions",
        "condition",
        "set",
        "sets",
        "columnname",
    ]
)


class Values:
    """Values of one function, or of the module, as far as they are known where the analysis has got to."""

    def __init__(self, imports: Imports, outer: Values | None = None) -> None:
        self.imports = imports
        self._known: dict[str, Flow] = {}
        self._outer = outer

    def set(self, name: str, flow: Flow) -> None:
        """What a name holds from here on."""
        self._known[name] = flow

    def trust(self, name: str) -> None:
        """A check has looked at this value."""
        self._known[name] = self.get(name) & ~Flow.REMOTE

    def get(self, name: str) -> Flow:
        """What a name holds."""
        found = self._known.get(name)
        if found is None:
            found = self._outer.get(name) if self._outer is not None else Flow.UNKNOWN
        return Flow.CONSTANT if found == Flow.UNKNOWN and name.isupper() and len(name) > 1 else found

    def of(self, node: ast.expr | None, depth: int = 0) -> Flow:
        """What an expression is."""
        if node is None or isinstance(node, (ast.Constant, ast.Compare, ast.Lambda)):
            return Flow.CONSTANT
        if depth > 40:
            return Flow.UNKNOWN
        depth += 1
        if isinstance(node, ast.Name):
            return self.get(node.id)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            return self._member(node, depth)
        if isinstance(node, ast.JoinedStr):
            return self._joined(
                [each.value if isinstance(each, ast.FormattedValue) else each for each in node.values], depth
            )
        if isinstance(node, ast.BinOp):
            return self._operation(node, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        if isinstance(node, ast.IfExp):
            return self._any([node.body, node.orelse], depth)
        if isinstance(node, ast.BoolOp):
            return self._any(node.values, depth)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return self._any(node.elts, depth)
        if isinstance(node, ast.Dict):
            return self._any(node.values, depth)
        if isinstance(node, (ast.Await, ast.Starred, ast.NamedExpr)):
            return self.of(node.value, depth)
        if isinstance(node, ast.UnaryOp):
            return Flow.CONSTANT if isinstance(node.op, ast.Not) else self.of(node.operand, depth)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            inner = Values(self.imports, self)
            for each in node.generators:
                if isinstance(each.target, ast.Name):
                    inner.set(each.target.id, self.of(each.iter, depth))
            return inner.of(node.elt, depth)
        return Flow.UNKNOWN

    def _any(self, nodes: list[ast.expr], depth: int) -> Flow:
        flows = [self.of(each, depth) for each in nodes[:200]]
        flow = Flow.UNKNOWN
        for each in flows:
            flow |= each & ~Flow.CONSTANT
        return flow | Flow.CONSTANT if all(each & Flow.CONSTANT for each in flows) else flow

    def _member(self, node: ast.Attribute | ast.Subscript, depth: int) -> Flow:
        name = dotted(node)
        known = self._known.get(name)
        if known is not None:
            return known
        if self.requested(name):
            return Flow.REMOTE
        inner = self.of(node.value, depth)
        if isinstance(node, ast.Attribute) and node.attr.isupper() and len(node.attr) > 1:
            return Flow.CONSTANT
        return inner & (Flow.REMOTE | Flow.CONSTANT)

    def requested(self, name: str) -> bool:
        """Whether a dotted name is a part of a request that its sender chooses."""
        head, _, rest = name.partition(".")
        if head == "self":
            second, _, rest = rest.partition(".")
            head = f"self.{second}"
        full = self.imports.full(ast.Name(head)) if "." not in head else head
        if head in _REQUEST or full in ("flask.request", "bottle.request", "quart.request", "sanic.request"):
            return rest.partition(".")[0] in _PARTS
        return name.startswith("event.[]") and self.get("event") & Flow.REMOTE == Flow.REMOTE

    def _joined(self, parts: list[ast.expr], depth: int) -> Flow:
        """A string made from parts."""
        parts = parts[:200]
        flows = [self.of(each, depth) for each in parts]
        # Each part is looked at once: nested strings must not cost more than their text.
        loose = [(each, flow) for each, flow in zip(parts, flows, strict=True) if not flow & Flow.CONSTANT]
        flow = Flow.UNKNOWN
        for each in flows:
            flow |= each & (Flow.REMOTE | Flow.QUERY | Flow.NAMED)
        if not loose:
            return flow | Flow.CONSTANT
        text = "".join(constant_text(each) or " ? " for each in parts)
        if SQL.match(text[:4000]):
            flow |= Flow.QUERY
            flow |= Flow.NAMED
        if not all(self._identifier(each, held) or held & Flow.NAMED for each, held in loose):
            flow &= ~Flow.NAMED
        return flow | Flow.BUILT

    @staticmethod
    def _identifier(node: ast.expr, flow: Flow) -> bool:
        """Whether a part is, by its name, the name of a table or column, or a list of placeholders."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
            node = node.args[0] if node.args else node
            if isinstance(node, ast.GeneratorExp | ast.ListComp):
                node = node.elt
        parts = words(terminal(node))
        return bool(parts) and parts[-1] in _IDENTIFIERS and not flow & Flow.REMOTE

    def _operation(self, node: ast.BinOp, depth: int) -> Flow:
        if isinstance(node.op, ast.Add):
            parts: list[ast.expr] = []
            at: ast.expr = node
            while isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add) and len(parts) < 200:
                parts.append(at.right)
                at = at.left
            return self._joined([at, *reversed(parts)], depth)
        if isinstance(node.op, ast.Mod):
            values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            return self._joined([node.left, *values], depth)
        if isinstance(node.op, (ast.Mult, ast.Div)):
            left, right = self.of(node.left, depth), self.of(node.right, depth)
            if isinstance(node.op, ast.Div):  # a path below a path
                remote = (left | right) & Flow.REMOTE
                return remote | (Flow.CONSTANT if left & right & Flow.CONSTANT else Flow.UNKNOWN)
            return Flow.CONSTANT if (left | right) & Flow.CONSTANT else Flow.UNKNOWN
        return self._any([node.left, node.right], depth)

    def _call(self, node: ast.Call, depth: int) -> Flow:
        full = self.imports.full(node.func)
        last = full.rpartition(".")[2]
        if self.requested(dotted(node.func)):
            return Flow.REMOTE
        if last in _TO_SAFE or full in _TO_SAFE:
            return Flow.CONSTANT if last in ("int", "float", "len", "bool", "round", "abs", "UUID") else Flow.UNKNOWN
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            values = [*node.args, *(each.value for each in node.keywords)]
            return self._joined([node.func.value, *values], depth)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args and "path" not in full:
            return self.of(node.args[0], depth) & (Flow.REMOTE | Flow.CONSTANT)
        if last in ("text", "dedent", "SQL") and node.args:
            return self.of(node.args[0], depth)
        if last in _THROUGH or full in _THROUGH:
            values = [*node.args, *(each.value for each in node.keywords)]
            if isinstance(node.func, ast.Attribute) and not full.startswith(("os.", "json.", "urllib.", "pathlib.")):
                values.insert(0, node.func.value)
            return self._any(values, depth) if values else Flow.UNKNOWN
        return Flow.UNKNOWN
