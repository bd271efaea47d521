"""Keys and values by lines: environment files, INI, properties, units of systemd."""

from __future__ import annotations

import re

from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NUMBER, TEXT, Document, Fault, Node
from plantwin.private.formats.values import words

MOST_FAULTS = 50
LINES = 40_000
ENV_LINE = re.compile(r"[ \t]{0,20}(?:export[ \t]{1,8})?([A-Za-z_][\w.-]{0,120})[ \t]{0,20}=[ \t]{0,20}(.{0,4000})")
"""A variable of an environment file, as a shell reads it."""
_ENV = re.compile(r"\s{0,40}(?:export\s{1,8})?([A-Za-z_][\w.-]{0,200})(\s{0,20})=(\s{0,20})(.*)", re.DOTALL)
_SECTION = re.compile(r"\s{0,40}\[\[?([^\]\n]{1,300})\]\]?\s{0,40}(?:[#;].*)?$")
_PAIR = re.compile(r"([^=:\n]{1,300}?)\s{0,40}([=:])\s{0,40}(.*)", re.DOTALL)
_PROPERTY = re.compile(r"((?:[^=:\s\\]|\\.){1,300})\s{0,40}[=:\s]\s{0,40}(.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d{1,30}(?:\.\d{1,30})?")
_SEPARATOR = re.compile(r"[=:]")
_WORD = re.compile(r"\S{1,300}")
_SHELL = words(
    "source source_env source_up dotenv PATH_add layout use export set unset watch_file eval . if fi then else"
)
"""First words of lines that direnv or a shell knows."""


def read(document: Document) -> None:
    """Add the settings of a text as a map of sections, or of keys."""
    root = Node(MAP, 1)
    document.roots.append(root)
    lines = document.source.text.split("\n")
    document.whole = len(lines) <= LINES
    reader = {"env": _env, "properties": _properties}.get(document.syntax, _sections)
    reader(document, root, lines[:LINES])


def _fault(
    document: Document, line: int, message: str, hint: str = "", *, grave: bool = False, twice: bool = False
) -> None:
    if len(document.faults) < MOST_FAULTS:
        document.faults.append(Fault(line, message, hint, grave=grave, repeated=twice))


def _put(document: Document, holder: Node, key: str, made: Node, *, twice: bool = True) -> None:
    if key in holder.map and twice:
        message = f"`{key[:80]}` is stated twice (first on line {holder.lines[key]})"
        _fault(document, made.line, message, "Keep one of them.", twice=True)
    elif key in holder.map:
        first = holder.map[key]
        if first.kind != LIST:
            first = Node(LIST, first.line, items=[first])
        first.items.append(made)
        holder.map[key] = first
        return
    holder.map[key] = made
    holder.lines.setdefault(key, made.line)


def scalar(raw: str, line: int) -> Node:
    """Return a value without its quotes, typed as it looks."""
    raw = raw.strip()
    if len(raw) > 1 and raw[0] in "\"'" and raw[-1] == raw[0]:
        return Node(TEXT, line, raw[1:-1], quoted=True)
    kind = NUMBER if _NUMBER.fullmatch(raw[:64]) else BOOLEAN if raw.lower() in ("true", "false") else TEXT
    return Node(kind, line, raw)


def pair_of(line: str) -> tuple[str, str] | None:
    """Return key and value around the first separator."""
    match = _SEPARATOR.search(line, 0, 300)
    if match is None:
        return None
    key = line[: match.start()].strip()
    return (key, line[match.end() : match.end() + 4000].strip()) if key else None


def _env(document: Document, root: Node, lines: list[str]) -> None:
    at = 0
    while at < len(lines):
        number, line = at + 1, lines[at][:20_000]
        at += 1
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        match = _ENV.match(line)
        if match is None:
            if bare.split(" ", 1)[0] in _SHELL:
                continue
            what = "The name before `=` is not a valid variable" if "=" in bare else "A line without `=`"
            _fault(
                document,
                number,
                f"{what}; it is ignored or breaks the reader",
                "Write NAME=value.",
                grave="=" not in bare,
            )
            continue
        raw = match[4]
        if match[2] or (match[3] and raw):
            _fault(document, number, f"Spaces around `=` of `{match[1]}`: a shell refuses them", "Remove the spaces.")
        quote = raw[:1]
        if quote in ("'", '"') and not _closed(raw):
            end = next((n for n in range(at, min(at + 200, len(lines))) if quote in lines[n]), -1)
            if end < 0:
                _fault(document, number, f"The quote of `{match[1]}` is never closed", "Close it.", grave=True)
            else:
                raw = "\n".join([raw, *lines[at : end + 1]])
                at = end + 1
        _put(document, root, match[1], scalar(_comment_off(raw), number))


def _closed(raw: str) -> bool:
    quote = raw[0]
    return re.search(rf"(?<!\\){quote}\s*(?:#.*)?$", raw[1:]) is not None


def _comment_off(raw: str) -> str:
    raw = raw.strip()
    if raw[:1] in ("'", '"'):
        end = raw.rfind(raw[0])
        return raw[: end + 1] if end > 0 else raw
    return re.split(r"\s#", raw, maxsplit=1)[0].rstrip() if not raw.startswith("#") else ""


def _properties(document: Document, root: Node, lines: list[str]) -> None:
    at = 0
    while at < len(lines):
        number, line = at + 1, lines[at][:20_000].strip()
        at += 1
        if not line or line[0] in "#!;[":
            continue
        while line.endswith("\\") and not line.endswith("\\\\") and at < len(lines) and len(line) < 100_000:
            line = line[:-1] + lines[at].strip()
            at += 1
        match = _PROPERTY.match(line)
        if match is not None:
            _put(document, root, match[1], scalar(match[2], number), twice=document.name.endswith(".properties"))


def _sections(document: Document, root: Node, lines: list[str]) -> None:
    """Read INI and units. Indented lines continue a value; in units and lists of Git a key may come again."""
    unit = document.syntax == "systemd"
    here, waiting, at = root, None, 0
    many = unit or re.search(
        r"(?:^|/)\.?(?:gitconfig|gitmodules|hgrc|npmrc|yarnrc|php[\w.-]*\.ini|my\.cnf)$|\.(?:cnf|conf)$", document.name
    )
    while at < len(lines):
        number, line = at + 1, lines[at][:20_000].rstrip()
        at += 1
        bare = line.strip()
        if not bare or bare[0] in "#;" or bare.startswith("// "):
            continue
        head = _SECTION.match(line)
        if head is not None and not (waiting is not None and line[0] in " \t"):
            name = head[1].strip()
            if (
                name in root.map
                and not many
                and root.map[name].kind == MAP
                and document.source.format != "editorconfig"
            ):
                _fault(
                    document,
                    number,
                    f"Section `{name[:80]}` is stated twice (first on line {root.lines[name]})",
                    "Join them.",
                    twice=True,
                )
            here = root.map.setdefault(name, Node(MAP, number))
            here = here if here.kind == MAP else Node(MAP, number)
            root.lines.setdefault(name, number)
            waiting = None
            continue
        while unit and bare.endswith("\\") and at < len(lines) and len(bare) < 100_000:
            bare = bare[:-1] + " " + lines[at].strip()
            at += 1
        if line[0] in " \t" and waiting is not None and not unit:
            if len(waiting.text) < 100_000:
                waiting.text += "\n" + bare
            continue
        match = _PAIR.match(bare)
        if match is None:
            if unit:
                _fault(document, number, "A line that is neither a section nor `Key=value`", "Fix it.", grave=True)
            key = _WORD.match(bare)
            if key is not None:
                here.map.setdefault(key[0], Node(TEXT, number))
                here.lines.setdefault(key[0], number)
            waiting = None
            continue
        waiting = scalar(match[3] if match[3][:1] in "\"'" else re.split(r"\s[;#]\s", match[3], maxsplit=1)[0], number)
        key_name = match[1].strip()
        _put(document, here, key_name, waiting, twice=not many and not key_name.endswith("[]"))
