"""Functions and classes by the role they play: from names, places and what their lines call."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from plantwin.private.capabilities.common.definitions import Definition, outline
from plantwin.private.capabilities.kinds.part import Part

LOOKED = 120
"""Lines of one definition that are looked at."""
_NAMED: tuple[tuple[str, str], ...] = (
    ("test", r"^test|_test$|Test$|^Test|Spec$|^it$|^should_"),
    ("error type", r"(?:Error|Exception|Failure)$"),
    ("lifecycle", r"^__(?:init|new|del|enter|exit|post_init)__$|^(?:constructor|init|setup|set_up|setUp|tear_?down|tearDown|close|dispose|open|start|stop|shutdown|main|boot\w*|initialize)$"),
    ("special method", r"^__\w+__$"),
    ("validation", r"^_*(?:valid\w*|check\w*|verify\w*|ensure\w*|assert\w*|require\w*|is_valid\w*|sanit\w*)"),
    ("conversion", r"^_*(?:parse\w*|format\w*|to_\w+|from_\w+|as_\w+|encode\w*|decode\w*|serialize\w*|deserialize\w*|convert\w*|render\w*|dump\w*|load\w*|normali[sz]e\w*|marshal\w*|unmarshal\w*)"),
    ("accessor", r"^_*(?:get|set|is|has|can)(?:_\w+|[A-Z]\w*)$|^_*(?:find|fetch|lookup|read)(?:_\w+|[A-Z]\w*)?$"),
    ("factory", r"^_*(?:create|make|build|new|factory|of|from)(?:_\w+|[A-Z]\w*)?$"),
    ("handler", r"^_*(?:on|handle|dispatch|process|receive)(?:_\w+|[A-Z]\w*)$|(?:Handler|Controller|Listener|View|Resolver|Endpoint)$"),
    ("persistence", r"^_*(?:save|store|insert|update|delete|remove|persist|upsert|commit|write)(?:_\w+|[A-Z]\w*)?$|(?:Repository|Dao|Store|Model)$"),
    ("computation", r"^_*(?:compute|calc\w*|count|sum|measure|estimate|score|rank|sort)(?:_\w+|[A-Z]\w*)?$"),
)  # fmt: skip
_PATTERNS = tuple((role, re.compile(pattern)) for role, pattern in _NAMED)
_ROUTE = re.compile(
    r"@\w*\.?(?:route|get|post|put|delete|patch|api_view|RequestMapping|GetMapping|PostMapping|HttpGet|HttpPost|websocket)\b|@(?:Get|Post|Put|Delete)\("
)
_FIXTURE = re.compile(r"@(?:pytest\.)?fixture|@Before|@After")
_COMMAND = re.compile(r"@\w*\.?(?:command|group|click)\b|argparse|@task\b")
_DATA = re.compile(
    r"@(?:dataclass|attr\.s|define|Entity|Data\b)|\((?:BaseModel|NamedTuple|TypedDict|Enum|StrEnum|msgspec\.Struct|Base)\b|^\s*(?:struct|record|enum|interface)\b",
    re.MULTILINE,
)
_DATABASE = re.compile(
    r"\.execute\(|\bSELECT\b|\bINSERT INTO\b|\.query\(|session\.(?:add|commit|query)|cursor\(|\.objects\.",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    r"requests\.\w+\(|httpx|urllib|fetch\(|axios|http\.(?:Get|Post|request)|socket\.|\.send\(|grpc|WebClient|RestTemplate"
)
_FILES = re.compile(
    r"\bopen\(|\bPath\(|os\.(?:path|listdir|remove|rename)|fs\.\w+|ioutil|File\.(?:read|open|write)|shutil|BufferedReader"
)


def roles(format: str, text: str) -> tuple[list[Part], bool]:
    """Each definition with its role, and whether the text parsed."""
    found = outline(format, text)
    lines = text.split("\n")
    return list(_roles(found.definitions, lines)), found.parsed


def _roles(definitions: list[Definition], lines: list[str]) -> Iterator[Part]:
    starts = sorted(each.line for each in definitions)
    ends = dict(pairwise([*starts, len(lines) + 1]))
    for each in definitions:
        above: list[str] = []
        at = each.line - 2
        while at >= 0 and len(above) < 8 and lines[at].lstrip().startswith(("@", "#[", "[")):
            above.append(lines[at][:300])
            at -= 1
        body = "\n".join(line[:400] for line in lines[each.line - 1 : min(ends[each.line] - 1, each.line + LOOKED)])
        yield Part(_role(each, "\n".join(above), body), each.name, each.line, each.kind)


def _role(each: Definition, above: str, body: str) -> str:
    last = each.name.rpartition(".")[2]
    if each.kind == "definition":
        return "declaration"
    if _FIXTURE.search(above):
        return "test"
    if _ROUTE.search(above):
        return "handler"
    if _COMMAND.search(above):
        return "command"
    first = body[:300]
    if (
        each.kind == "class"
        and (_DATA.search(above) or _DATA.search(first))
        and not last.endswith(("Error", "Exception"))
    ):
        return "data type"
    named = next((role for role, pattern in _PATTERNS if pattern.search(last)), "")
    if named in ("test", "error type", "lifecycle", "special method", "validation", "conversion"):
        return named
    for role, pattern in (("database access", _DATABASE), ("network access", _NETWORK), ("file access", _FILES)):
        if each.kind != "class" and pattern.search(body):
            return role
    if named:
        return named
    if each.kind == "class":
        return "class"
    return "public function" if each.public else "helper"
