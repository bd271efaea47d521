"""Routes of frameworks in other languages, found by the words that declare them."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from plantwin.private.capabilities.audit.views import MASKS, Views, views
from plantwin.private.capabilities.contract.routes import MOST, Route
from plantwin.private.capabilities.contract.routes.paths import joined, unified
from plantwin.private.capabilities.contract.routes.python import called_path

LIMIT = 1 << 20
_Q = r"[\"'`]"
_EXPRESS = re.compile(
    rf"\b([A-Za-z_$][\w$]{{0,60}})\s*\.\s*(get|post|put|delete|patch|all|head|options)\s*(?:<[^>\n]{{0,100}}>)?\(\s*{_Q}(/[^\"'`\n]{{0,300}}|\*)?{_Q}\s*,"
)
_ROUTE = re.compile(
    rf"\b([A-Za-z_$][\w$]{{0,60}})\s*\.\s*route\(\s*{_Q}(/[^\"'`\n]{{0,300}}){_Q}\s*\)((?:\s*\.\s*(?:get|post|put|delete|patch|all)\s*\([^;]{{0,400}}?\)){{1,8}})"
)
_USE = re.compile(
    rf"\b[A-Za-z_$][\w$]{{0,60}}\s*\.\s*(?:use|register|route)\(\s*{_Q}(/[^\"'`\n]{{0,200}}){_Q}\s*,\s*(?:[\w$.]{{1,60}}(?:\([^)\n]{{0,80}}\))?\s*,\s*){{0,4}}([A-Za-z_$][\w$]{{0,60}})\s*[),]"
)
_NOT_SERVER = re.compile(
    r"^(?:axios|http|https|client|api|\$|\$http|request|fetch|superagent|ky|got|cy|page|localStorage|cache|map|params|headers|config|supertest|nock|scope|mock|apiClient|instance|cookies?|storage|redis|store)$",
    re.IGNORECASE,
)
_STATUS = re.compile(r"\b(?:status|sendStatus|code|writeHead)\(\s*(\d{3})\b")
_FETCH = re.compile(rf"\bfetch\(\s*{_Q}([^\"'`\n]{{1,400}}){_Q}\s*(?:,\s*\{{([^;]{{0,600}}))?")
_CLIENT = re.compile(
    rf"\b(?:axios|http|client|api|apiClient|instance|\$http|ky|got|this\.http|request)\s*\.\s*(get|post|put|delete|patch)\s*(?:<[^>\n]{{0,100}}>)?\(\s*{_Q}([^\"'`\n]{{1,400}}){_Q}"
)
_WRAPPED = re.compile(rf"\b\w{{1,60}}\(\s*{_Q}(GET|POST|PUT|DELETE|PATCH){_Q}\s*,\s*{_Q}(/[^\"'`\n]{{1,400}}){_Q}")
_NEST_CLASS = re.compile(
    rf"@Controller\(\s*(?:{_Q}([^\"'`\n]{{0,200}}){_Q}|\{{[^}}]{{0,200}}?path:\s*{_Q}([^\"'`\n]{{0,200}}){_Q})?"
)
_NEST = re.compile(rf"@(Get|Post|Put|Delete|Patch|All)\(\s*(?:{_Q}([^\"'`\n]{{0,200}}){_Q})?\s*\)")
_SPRING = re.compile(r"@(Get|Post|Put|Delete|Patch|Request)Mapping(?:\s*\(([^)]{0,400})\))?")
_JAX = re.compile(r"@(GET|POST|PUT|DELETE|PATCH)\b")
_JAX_PATH = re.compile(r"@Path\(\s*\"([^\"\n]{0,300})\"\s*\)")
_GO = re.compile(
    r"\b([A-Za-z_][\w.]{0,60})\.(GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Patch|HandleFunc|Handle|Any|Method)\(\s*(?:(?:http\.Method(\w{3,7})|\"([A-Z]{3,7})\")\s*,\s*)?\"(?:([A-Z]{3,7}) )?(/[^\"\n]{0,300})?\"([^\n]{0,300})"
)
_GO_GROUP = re.compile(
    r"\b([A-Za-z_]\w{0,60})\s*:?=\s*([A-Za-z_]\w{0,60})\.(?:Group|PathPrefix)\(\s*\"([^\"\n]{0,200})\""
)
_GO_ROUTE = re.compile(r"\b\w{1,60}\.(?:Route|Group)\(\s*\"([^\"\n]{0,200})\"\s*,\s*func\(\s*\w{1,60}\s")
_RAILS = re.compile(
    r"^\s*(get|post|put|patch|delete|resources|resource|namespace|scope|root)\b\s*(?:\(?\s*)(?:path:\s*)?(?:[\"':]([^\"'\s,)]{0,200})[\"']?)?([^\n]{0,300})",
    re.MULTILINE,
)
_LARAVEL = re.compile(
    rf"Route::(get|post|put|patch|delete|any|apiResource|resource)\(\s*{_Q}([^\"'\n]{{0,300}}){_Q}([^\n]{{0,200}})"
)
_LARAVEL_GROUP = re.compile(
    rf"(?:prefix\(\s*{_Q}([^\"'\n]{{0,200}}){_Q}\)|[\"']prefix[\"']\s*=>\s*{_Q}([^\"'\n]{{0,200}}){_Q})[^;{{]{{0,300}}\{{"
)
_ASP = re.compile(
    r"\[Http(Get|Post|Put|Delete|Patch)(?:\(\s*\"([^\"\n]{0,300})\"[^)\n]{0,100}\))?\]|\.Map(Get|Post|Put|Delete|Patch)\(\s*\"([^\"\n]{0,300})\""
)
_ASP_CLASS = re.compile(r"\[Route\(\s*\"([^\"\n]{0,300})\"\s*\)\][^{;]{0,600}?\bclass\s+(\w{1,100})")
_RESOURCE = (("get", ""), ("post", ""), ("get", "/{id}"), ("patch", "/{id}"), ("put", "/{id}"), ("delete", "/{id}"))
_ACTIONS = {
    "index": ("get", ""),
    "create": ("post", ""),
    "store": ("post", ""),
    "show": ("get", "/{id}"),
    "update": ("patch", "/{id}"),
    "destroy": ("delete", "/{id}"),
}


def routes(format: str, text: str) -> tuple[list[Route], list[Route]]:
    """Routes and calls of a source file."""
    if format not in MASKS or len(text) > LIMIT:
        return [], []
    seen = views(format, text.encode("utf-8", "replace"))
    full = seen.full.decode("utf-8", "replace")
    reader = {
        "javascript": _script, "jsx": _script, "typescript": _script, "tsx": _script, "vue": _script, "svelte": _script,
        "java": _jvm, "kotlin": _jvm, "scala": _jvm, "go": _golang, "ruby": _ruby, "php": _php, "csharp": _csharp,
    }.get(format)  # fmt: skip
    found = list(reader(full, seen))[:MOST] if reader is not None else []
    calls = list(_calls(full, seen))[:MOST] if reader is _script else []
    return found, calls


def _line(full: str, at: int) -> int:
    return bisect_right(_starts(full), at)


@lru_cache(maxsize=2)
def _starts(full: str) -> list[int]:
    """Where lines begin; of the text that is being read."""
    return [0, *(match.end() for match in re.finditer("\n", full))]


def _made(method: str, path: str, line: int, framework: str, statuses: dict[str, int] | None = None) -> Route:
    whole, kinds = unified(path)
    return Route("any" if method in ("all", "any") else method.lower(), whole, line, framework, statuses or {}, kinds)


def _block(full: str, at: int, most: int = 20_000) -> int:
    """Where the braces that open at or after a place close."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(full, at, min(len(full), at + most)):
        depth += 1 if match[0] == "{" else -1
        if depth <= 0:
            return match.end()
    return min(len(full), at + most)


def _script(full: str, seen: Views) -> Iterator[Route]:
    prefixes = {match[2]: match[1] for match in _USE.finditer(full)}
    starts = [match.start() for match in _EXPRESS.finditer(full)]
    for number, match in enumerate(_EXPRESS.finditer(full)):
        if _NOT_SERVER.match(match[1]) and "express" not in full and "fastify" not in full:
            continue
        if match[1] in (
            "cy",
            "page",
            "map",
            "params",
            "headers",
            "localStorage",
            "cache",
            "cookies",
            "axios",
            "nock",
            "redis",
        ):
            continue
        end = starts[number + 1] if number + 1 < len(starts) else min(len(full), match.end() + 4000)
        body = full[match.end() : min(end, match.end() + 4000)]
        statuses = {
            status: _line(full, match.end()) + body.count("\n", 0, at)
            for status, at in ((one[1], one.start()) for one in _STATUS.finditer(body))
        }
        yield _made(
            match[2],
            joined(prefixes.get(match[1], ""), match[3] or ""),
            _line(full, match.start()),
            "Express or Fastify",
            statuses,
        )
    for match in _ROUTE.finditer(full):
        for method in re.findall(r"\.\s*(get|post|put|delete|patch|all)\s*\(", match[3]):
            yield _made(method, joined(prefixes.get(match[1], ""), match[2]), _line(full, match.start()), "Express")
    bases = [(match.start(), match[1] or match[2] or "") for match in _NEST_CLASS.finditer(full)]
    for match in _NEST.finditer(full):
        base = next((path for at, path in reversed(bases) if at < match.start()), None)
        if base is not None:
            yield _made(match[1], joined(base, match[2] or ""), _line(full, match.start()), "NestJS")


def _calls(full: str, seen: Views) -> Iterator[Route]:
    for match in _FETCH.finditer(full):
        options = (match[2] or "").split(")\n", 1)[0]
        method = re.search(rf"\bmethod\s*:\s*{_Q}(\w{{3,7}}){_Q}", options)
        path = called_path(match[1])
        if path and not re.search(r"\bmethod\s*[,}]", options):
            yield _made(method[1] if method is not None else "get", path, _line(full, match.start()), "client")
    for pattern in (_CLIENT, _WRAPPED):
        for match in pattern.finditer(full):
            path = called_path(match[2])
            if path:
                yield _made(match[1], path, _line(full, match.start()), "client")


def _annotated(given: str | None) -> tuple[list[str], list[str]]:
    """Paths and methods of an annotation."""
    given = given or ""
    named = re.search(r"\b(?:value|path)\s*=\s*(\{[^}]{0,300}\}|\"[^\"\n]{0,300}\")", given)
    part = named[1] if named is not None else given if not re.match(r"\s*\w+\s*=", given) else ""
    return re.findall(r"\"([^\"\n]{0,300})\"", part), re.findall(r"RequestMethod\.(\w{3,7})", given)


def _jvm(full: str, seen: Views) -> Iterator[Route]:
    base, after = "", 0
    for match in _SPRING.finditer(full):
        paths, methods = _annotated(match[2])
        ahead = full[match.end() : match.end() + 600]
        class_at = re.search(r"\b(?:class|interface)\s+\w", ahead)
        member = re.search(r"[;{]", ahead)
        if match[1] == "Request" and class_at is not None and (member is None or class_at.start() < member.start()):
            base, after = (paths or [""])[0], match.end()
            continue
        wanted = [match[1].lower()] if match[1] != "Request" else [method.lower() for method in methods] or ["any"]
        for path in paths or [""]:
            for method in wanted:
                yield _made(
                    method, joined(base if match.start() > after else "", path), _line(full, match.start()), "Spring"
                )
    outer = next(
        (
            one[1]
            for one in _JAX_PATH.finditer(full)
            if re.search(r"^[^;{]{0,400}\bclass\s", full[one.end() : one.end() + 500])
        ),
        "",
    )
    for match in _JAX.finditer(full):
        near = full[match.end() : match.end() + 400].split("(", 1)[0] + full[match.end() : match.end() + 400]
        own = _JAX_PATH.search(near[: near.find("{") if "{" in near else 400].split(";")[0])
        if "jakarta.ws" in full or "javax.ws" in full or "@Path(" in full:
            yield _made(
                match[1], joined(outer, own[1] if own is not None else ""), _line(full, match.start()), "JAX-RS"
            )


def _golang(full: str, seen: Views) -> Iterator[Route]:
    groups: dict[str, str] = {}
    for match in _GO_GROUP.finditer(full):
        groups[match[1]] = joined(groups.get(match[2], ""), match[3])
    spans = [(match.start(), _block(full, match.end() - 1), match[1]) for match in _GO_ROUTE.finditer(full)]
    for match in _GO.finditer(full):
        word = match[2]
        path = match[6] or ""
        if word in ("Get", "Delete", "Handle", "Any", "Post", "Put", "Patch") and not path:
            continue
        if match[1] in ("http",) and word in ("Get", "Post"):
            continue
        inner = [prefix for start, end, prefix in spans if start < match.start() < end]
        whole = joined(groups.get(match[1], ""), *inner, path)
        methods = re.findall(r"\.Methods\(\s*(?:\"(\w+)\"|http\.Method(\w+))", match[7] or "")
        method = match[5] or match[3] or match[4] or (methods[0][0] or methods[0][1] if methods else "")
        if not method:
            method = "any" if word in ("HandleFunc", "Handle", "Any", "Method") else word
        yield _made(method.lower(), whole, _line(full, match.start()), "Go")


def _ruby(full: str, seen: Views) -> Iterator[Route]:
    if "routes.draw" not in full and "Sinatra" not in full and "Grape" not in full:
        return
    stack: list[tuple[int, str]] = []
    for match in _RAILS.finditer(full):
        word, name, rest = match[1], (match[2] or "").lstrip(":"), match[3] or ""
        indent = len(match[0].lstrip("\n")) - len(match[0].lstrip())
        while stack and stack[-1][0] >= indent:
            stack.pop()
        base = joined(*(prefix for _, prefix in stack))
        line = _line(full, match.start() + len(match[0]) - len(match[0].lstrip()))
        if word in ("namespace", "scope"):
            path = re.search(r"path:\s*[\"']([^\"']{0,200})", rest)
            stack.append(
                (indent, path[1] if path is not None else name if word == "namespace" or name.startswith("/") else "")
            )
        elif word in ("resources", "resource"):
            only = re.search(r"only:\s*(?:\[([^\]]{0,200})\]|:(\w+))", rest)
            allowed = re.findall(
                r"\w+", (only[1] or only[2]) if only is not None else "index create show update destroy"
            )
            for action in allowed:
                if action in _ACTIONS:
                    method, tail = _ACTIONS[action]
                    yield _made(method, joined(base, name, tail if word == "resources" else ""), line, "Rails")
            if rest.rstrip().endswith("do"):
                stack.append((indent, f"{name}/{{{name.rstrip('s')}_id}}"))
        elif word != "root" and name:
            yield _made(word, joined(base, name), line, "Rails or Sinatra")


def _php(full: str, seen: Views) -> Iterator[Route]:
    spans = [
        (match.start(), _block(full, match.end() - 1, 200_000), match[1] or match[2] or "")
        for match in _LARAVEL_GROUP.finditer(full)
    ]
    for match in _LARAVEL.finditer(full):
        base = joined(*(prefix for start, end, prefix in spans if start < match.start() < end))
        line = _line(full, match.start())
        if match[1] in ("resource", "apiResource"):
            for method, tail in _RESOURCE:
                yield _made(method, joined(base, match[2], tail), line, "Laravel")
        else:
            yield _made(match[1], joined(base, match[2]), line, "Laravel")


def _csharp(full: str, seen: Views) -> Iterator[Route]:
    bases = [
        (match.start(), match[1].replace("[controller]", match[2].removesuffix("Controller").lower()))
        for match in _ASP_CLASS.finditer(full)
    ]
    for match in _ASP.finditer(full):
        base = next((path for at, path in reversed(bases) if at < match.start()), "")
        if match[3]:
            yield _made(match[3], match[4], _line(full, match.start()), "ASP.NET")
        else:
            path = match[2] or ""
            yield _made(
                match[1],
                path if path.startswith(("/", "~/")) else joined(base, path),
                _line(full, match.start()),
                "ASP.NET",
            )
