"""Routes that code answers, and calls that it makes, by the words that declare them in each framework."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import MASKS, views

_LEXICON = Lexicon(__file__)
LONGEST = 1 << 20
MOST_ROUTES = 5000
"""Routes of one object."""
_HANDLER_LENGTH = 4000
"""Characters of a handler that are searched for statuses."""

_REGEX_GROUP = re.compile(r"\(\?P<(\w{1,80})>[^()]{0,120}(?:\([^()]{0,80}\)[^()]{0,60})?\)")
_ANGLE = re.compile(r"<(?:(\w{1,40})(?:\([^)>]{0,80}\))?:)?(\w{1,80})>")
_INTERPOLATED = re.compile(r"\$\{[^{}]{0,200}\}|#\{[^{}]{0,200}\}")
_COLON = re.compile(r"(?<=/):(\w{1,80})(?:\([^)]{0,80}\))?\??")
_BRACE = re.compile(r"\{\*?(\w{1,80})(?::[^{}]{0,80})?\??(?:\.\.\.)?\}")
_TYPES = {"int": "integer", "float": "number", "uuid": "string", "string": "string", "str": "string", "slug": "string"}

_Q = r"[\"'`]"
_EXPRESS = re.compile(
    rf"\b([A-Za-z_$][\w$]{{0,60}})\s*\.\s*(get|post|put|delete|patch|all|head|options)\s*(?:<[^>\n]{{0,100}}>)?\(\s*{_Q}(/[^\"'`\n]{{0,300}}|\*)?{_Q}\s*,"
)
_EXPRESS_ROUTE = re.compile(
    rf"\b([A-Za-z_$][\w$]{{0,60}})\s*\.\s*route\(\s*{_Q}(/[^\"'`\n]{{0,300}}){_Q}\s*\)((?:\s*\.\s*(?:get|post|put|delete|patch|all)\s*\([^;]{{0,400}}?\)){{1,8}})"
)
_EXPRESS_USE = re.compile(
    rf"\b[A-Za-z_$][\w$]{{0,60}}\s*\.\s*(?:use|register|route)\(\s*{_Q}(/[^\"'`\n]{{0,200}}){_Q}\s*,\s*(?:[\w$.]{{1,60}}(?:\([^)\n]{{0,80}}\))?\s*,\s*){{0,4}}([A-Za-z_$][\w$]{{0,60}})\s*[),]"
)
_VERBS = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_FILED = re.compile(
    r"(?:^|/)(?:app/(?P<app>(?:[^/]+/)*)route|routes/(?P<kit>(?:[^/]+/)*)\+server|pages/api/(?P<page>.+))\.(?:[cm]?[jt]s|[jt]sx)$"
)
"""Where Next.js (app and pages router) and SvelteKit look for handlers."""
_SEGMENT = re.compile(r"^\[{1,2}(?:\.\.\.)?([\w-]+)(?:=\w+)?\]{1,2}$")
_EXPORTED = re.compile(rf"\bexport\s+(?:(?:async\s+)?function\s+({_VERBS})\b|(?:const|let|var)\s+({_VERBS})\b)")
_EXPORT_LIST = re.compile(r"\bexport\s+(?:const\s*)?\{([^{}]{0,400})\}")
_NEVER_SERVERS = re.compile(r"cy|page|map|params|headers|localStorage|cache|cookies|axios|nock|redis")
_SELDOM_SERVERS = _LEXICON.pattern("seldom_servers")
_STATUS = re.compile(r"\b(?:status|sendStatus|code|writeHead)\(\s*(\d{3})\b")
_FETCH = re.compile(rf"\bfetch\(\s*{_Q}([^\"'`\n]{{1,400}}){_Q}\s*(?:,\s*\{{([^;]{{0,600}}))?")
_CLIENT = re.compile(
    rf"\b(?:axios|http|client|api|apiClient|instance|\$http|ky|got|this\.http|request)\s*\.\s*(get|post|put|delete|patch)\s*(?:<[^>\n]{{0,100}}>)?\(\s*{_Q}([^\"'`\n]{{1,400}}){_Q}"
)
_WRAPPED_CLIENT = re.compile(
    rf"\b\w{{1,60}}\(\s*{_Q}(GET|POST|PUT|DELETE|PATCH){_Q}\s*,\s*{_Q}(/[^\"'`\n]{{1,400}}){_Q}"
)
_NEST_CLASS = re.compile(
    rf"@Controller\(\s*(?:{_Q}([^\"'`\n]{{0,200}}){_Q}|\{{[^}}]{{0,200}}?path:\s*{_Q}([^\"'`\n]{{0,200}}){_Q})?"
)
_NEST = re.compile(rf"@(Get|Post|Put|Delete|Patch|All)\(\s*(?:{_Q}([^\"'`\n]{{0,200}}){_Q})?\s*\)")
_SPRING = re.compile(r"@(Get|Post|Put|Delete|Patch|Request)Mapping(?:\s*\(([^)]{0,400})\))?")
_SPRING_PATH = re.compile(r"\b(?:value|path)\s*=\s*(\{[^}]{0,300}\}|\"[^\"\n]{0,300}\")")
_JAX_METHOD = re.compile(r"@(GET|POST|PUT|DELETE|PATCH)\b")
_JAX_PATH = re.compile(r"@Path\(\s*\"([^\"\n]{0,300})\"\s*\)")
_JAX_HEAD = re.compile(r"(?:\"[^\"\n]{0,300}\"|[^{;\"]){0,400}")
"""What stands before the body of a method."""
_RAILS = _LEXICON.pattern("rails")
_RAILS_ONLY = re.compile(r"only:\s*(?:\[([^\]]{0,200})\]|:(\w+))")
_RAILS_EXCEPT = re.compile(r"except:\s*(?:\[([^\]]{0,200})\]|:(\w+))")
_RAILS_ACTIONS = {
    "index": (("get", ""),),
    "create": (("post", ""),),
    "show": (("get", "/{id}"),),
    "update": (("patch", "/{id}"), ("put", "/{id}")),
    "destroy": (("delete", "/{id}"),),
}
_ABOVE = ".."
"""Stands for a block of routes on all objects, inside of one on a single object."""
_LARAVEL = re.compile(rf"Route::(get|post|put|patch|delete|any|apiResource|resource)\(\s*{_Q}([^\"'\n]{{0,300}}){_Q}")
_LARAVEL_GROUP = re.compile(
    rf"(?:prefix\(\s*{_Q}([^\"'\n]{{0,200}}){_Q}\)|[\"']prefix[\"']\s*=>\s*{_Q}([^\"'\n]{{0,200}}){_Q})[^;{{]{{0,300}}\{{"
)
_LARAVEL_RESOURCE = (("get", ""), ("post", ""), *((method, "/{id}") for method in ("get", "patch", "put", "delete")))
_ASP_ATTRIBUTE = re.compile(r"\[Http(Get|Post|Put|Delete|Patch)(?:\(\s*\"([^\"\n]{0,300})\"[^)\n]{0,100}\))?\]")
_ASP_MAP = re.compile(r"\.Map(Get|Post|Put|Delete|Patch)\(\s*\"([^\"\n]{0,300})\"")
_ASP_CLASS = re.compile(r"\[Route\(\s*\"([^\"\n]{0,300})\"\s*\)\][^{;]{0,600}?\bclass\s+(\w{1,100})")


@dataclass(slots=True, repr=False)
class Route(Private):
    """One route, or one call."""

    method: str
    """In lower case; `any` where every one is answered."""
    path: str
    line: int
    statuses: dict[str, int] = field(default_factory=dict)
    """Statuses that its handler answers, with their lines."""
    types: dict[str, str] = field(default_factory=dict)
    """Types of path parameters, where the route states them."""

    @property
    def title(self) -> str:
        """How a message names it."""
        return f"{self.method.upper()} {self.path}"


def normalized(path: str) -> tuple[str, dict[str, str]]:
    """Return a path of any framework with `{name}` for each parameter, and the types that it states."""
    types: dict[str, str] = {}

    def angle(match: re.Match[str]) -> str:
        if match[1] in _TYPES:
            types[match[2]] = _TYPES[match[1]]
        return f"{{{match[2]}}}"

    path = _REGEX_GROUP.sub(r"{\1}", path.strip().lstrip("^").removesuffix("$"))
    path = _INTERPOLATED.sub("{value}", _ANGLE.sub(angle, path))
    path = _BRACE.sub(r"{\1}", _COLON.sub(r"{\1}", path))
    path = re.split(r"[?#]", path, maxsplit=1)[0]
    return "/" + re.sub(r"/{2,}", "/", path).strip("/"), types


def joined(*parts: str) -> str:
    """Join prefixes and a path."""
    return "/" + "/".join(part.strip("/") for part in parts if part.strip("/"))


def called_path(target: str) -> str:
    """Return the path of an address that code puts together; empty where it has none."""
    target = re.sub(r"^(?:\{value\}|\$\{[^{}]{0,200}\})(?=/)", "", target)
    match = re.match(r"https?://[^/\s]{1,300}(/.*)?$", target)
    if match is not None:
        return match[1] or ""
    return target if target.startswith("/") and len(target) > 1 else ""


class Text(Private):
    """A source file without its comments."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, offset: int) -> int:
        """Return the line of an offset."""
        return bisect_right(self._line_starts, offset)

    def route(self, method: str, path: str, offset: int) -> Route:
        """Make a route that is declared at an offset."""
        whole, types = normalized(path)
        method = method.lower()
        return Route("any" if method == "all" else method, whole, self.line(offset), types=types)

    def end_of_block(self, at: int, longest: int = 20_000) -> int:
        """Return where the braces that open at or after a place close."""
        depth, limit = 0, min(len(self.text), at + longest)
        for match in re.compile(r"[{}]").finditer(self.text, at, limit):
            depth += 1 if match[0] == "{" else -1
            if depth <= 0:
                return match.end()
        return limit


def read(format: str, text: str, name: str = "") -> tuple[list[Route], list[Route]]:
    """Return the routes and the calls of a source file; its name is the path where a framework routes by files."""
    reader = _READERS.get(format)
    if reader is None or format not in MASKS or len(text) > LONGEST:
        return [], []
    code = Text(views(format, text.encode("utf-8", "replace")).full.decode("utf-8", "replace"))
    calls = list(_client_calls(code))[:MOST_ROUTES] if reader is _javascript else []
    filed = list(_by_file(code, name)) if reader is _javascript else []
    return [*filed, *reader(code)][:MOST_ROUTES], calls


def _by_file(code: Text, name: str) -> Iterator[Route]:
    """Yield the routes of Next.js and SvelteKit, whose paths are those of their files."""
    match = _FILED.search(name)
    if match is None:
        return
    parts = (match["app"] or match["kit"] or (f"api/{match['page']}" if match["page"] else "")).split("/")
    # `(group)` and `@slot` order the files and are no part of the path.
    path = "/".join(_SEGMENT.sub(r"{\1}", part) for part in parts if part[:1] not in ("(", "@") and part != "index")
    if match["page"] is None:
        declared = {found[1] or found[2]: found.start() for found in _EXPORTED.finditer(code.text)}
        for found in _EXPORT_LIST.finditer(code.text):
            declared |= {method: found.start() for method in re.findall(rf"\b({_VERBS})\b(?!\s+as\b)", found[1])}
        for method, offset in declared.items():
            yield code.route(method, path, offset)
        return
    exported = re.search(r"\bexport\s+default\b|\bmodule\.exports\b", code.text)
    if exported is not None:
        asked = rf"\.method\s*[!=]==?\s*{_Q}({_VERBS}){_Q}|\bcase\s+{_Q}({_VERBS}){_Q}"
        methods = dict.fromkeys(one or other for one, other in re.findall(asked, code.text)) or {"any": None}
        for method in methods:
            yield code.route(method, path, exported.start())


def _javascript(code: Text) -> Iterator[Route]:
    text = code.text
    prefixes = {match[2]: match[1] for match in _EXPRESS_USE.finditer(text)}
    framework = "express" in text or "fastify" in text
    matches = list(_EXPRESS.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in zip(matches, ends, strict=False):
        if _NEVER_SERVERS.fullmatch(match[1]) or (_SELDOM_SERVERS.fullmatch(match[1]) and not framework):
            continue
        route = code.route(match[2], joined(prefixes.get(match[1], ""), match[3] or ""), match.start())
        for status in _STATUS.finditer(text, match.end(), min(end, match.end() + _HANDLER_LENGTH)):
            route.statuses[status[1]] = code.line(status.start())
        yield route
    for match in _EXPRESS_ROUTE.finditer(text):
        for method in re.findall(r"\.\s*(get|post|put|delete|patch|all)\s*\(", match[3]):
            yield code.route(method, joined(prefixes.get(match[1], ""), match[2]), match.start())
    controllers = [(match.start(), match[1] or match[2] or "") for match in _NEST_CLASS.finditer(text)]
    for match in _NEST.finditer(text):
        base = next((path for at, path in reversed(controllers) if at < match.start()), None)
        if base is not None:
            yield code.route(match[1], joined(base, match[2] or ""), match.start())


def _client_calls(code: Text) -> Iterator[Route]:
    for match in _FETCH.finditer(code.text):
        options = (match[2] or "").split(")\n", 1)[0]
        method = re.search(rf"\bmethod\s*:\s*{_Q}(\w{{3,7}}){_Q}", options)
        path = called_path(match[1])
        if path and not re.search(r"\bmethod\s*[,}]", options):
            yield code.route(method[1] if method is not None else "get", path, match.start())
    for pattern in (_CLIENT, _WRAPPED_CLIENT):
        for match in pattern.finditer(code.text):
            if path := called_path(match[2]):
                yield code.route(match[1], path, match.start())


def _jvm(code: Text) -> Iterator[Route]:
    yield from _spring(code)
    text = code.text
    if not any(word in text for word in ("jakarta.ws", "javax.ws", "@Path(")):
        return
    of_classes = (
        match[1] for match in _JAX_PATH.finditer(text) if re.match(r"[^;{]{0,400}\bclass\s", text[match.end() :][:500])
    )
    base = next(of_classes, "")
    for match in _JAX_METHOD.finditer(text):
        head = _JAX_HEAD.match(text, match.end())
        own = _JAX_PATH.search(head[0]) if head is not None else None
        yield code.route(match[1], joined(base, own[1] if own is not None else ""), match.start())


def _spring(code: Text) -> Iterator[Route]:
    base = ""
    for match in _SPRING.finditer(code.text):
        given = match[2] or ""
        named = _SPRING_PATH.search(given)
        stated = named[1] if named is not None else "" if re.match(r"\s*\w+\s*=", given) else given
        paths = re.findall(r"\"([^\"\n]{0,300})\"", stated) or [""]
        if match[1] == "Request" and re.match(r"[^;{]*?\b(?:class|interface)\s+\w", code.text[match.end() :][:600]):
            base = paths[0]
            continue
        methods = [match[1]] if match[1] != "Request" else re.findall(r"RequestMethod\.(\w{3,7})", given) or ["any"]
        for path in paths:
            for method in methods:
                yield code.route(method, joined(base, path), match.start())


def _ruby(code: Text) -> Iterator[Route]:
    if not any(word in code.text for word in ("routes.draw", "Sinatra", "Grape")):
        return
    outer: list[tuple[int, str]] = []
    for match in _RAILS.finditer(code.text):
        word, name, rest = match[1], (match[2] or "").lstrip(":"), match[3] or ""
        indent = len(match[0].lstrip("\n")) - len(match[0].lstrip())
        while outer and outer[-1][0] >= indent:
            outer.pop()
        base = joined(*(prefix for _, prefix in outer))
        if "on: :collection" in rest or (outer and outer[-1][1] == _ABOVE):
            base = base.removesuffix(f"/{_ABOVE}").rpartition("/")[0]
        if word == "collection":
            outer.append((indent, _ABOVE))
        elif word in ("namespace", "scope"):
            path = re.search(r"path:\s*[\"']([^\"']{0,200})", rest)
            outer.append((indent, path[1] if path is not None else "" if "(" in name else name))
        elif word in ("resources", "resource"):
            only, but = _RAILS_ONLY.search(rest), _RAILS_EXCEPT.search(rest)
            actions = re.findall(r"\w+", only[1] or only[2] or "") if only is not None else list(_RAILS_ACTIONS)
            left_out = re.findall(r"\w+", but[1] or but[2] or "") if but is not None else []
            given = [
                _RAILS_ACTIONS[action] for action in actions if action in _RAILS_ACTIONS and action not in left_out
            ]
            for method, tail in (route for routes in given for route in routes):
                yield code.route(method, joined(base, name, tail if word == "resources" else ""), match.start(1))
            if rest.rstrip().endswith("do"):
                outer.append((indent, f"{name}/{{{name.rstrip('s')}_id}}"))
        elif word != "root" and name:
            yield code.route(word, joined(base, name), match.start(1))


def _php(code: Text) -> Iterator[Route]:
    groups = [
        (match.start(), code.end_of_block(match.end() - 1, 200_000), match[1] or match[2] or "")
        for match in _LARAVEL_GROUP.finditer(code.text)
    ]
    for match in _LARAVEL.finditer(code.text):
        base = joined(*(prefix for start, end, prefix in groups if start < match.start() < end))
        resource = match[1] in ("resource", "apiResource")
        for method, tail in _LARAVEL_RESOURCE if resource else ((match[1], ""),):
            yield code.route(method, joined(base, match[2], tail), match.start())


def _csharp(code: Text) -> Iterator[Route]:
    controllers = [
        (match.start(), match[1].replace("[controller]", match[2].removesuffix("Controller").lower()))
        for match in _ASP_CLASS.finditer(code.text)
    ]
    for match in _ASP_ATTRIBUTE.finditer(code.text):
        base = next((path for at, path in reversed(controllers) if at < match.start()), "")
        path = match[2] or ""
        yield code.route(match[1], path if path.startswith(("/", "~/")) else joined(base, path), match.start())
    for match in _ASP_MAP.finditer(code.text):
        yield code.route(match[1], match[2], match.start())


_READERS: dict[str, Callable[[Text], Iterator[Route]]] = {
    **dict.fromkeys(("javascript", "jsx", "typescript", "tsx", "vue", "svelte"), _javascript),
    **dict.fromkeys(("java", "kotlin", "scala"), _jvm),
    "ruby": _ruby,
    "php": _php,
    "csharp": _csharp,
}
