"""Settings and data: whether they are valid, keys that stand twice, values that are not what they look like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from plantwin.private.capabilities.linting.remark import BROKEN, DEFECT, HIGH, LOW, MEDIUM, REPEATED, Remark

FORMATS = frozenset(("yaml", "json", "toml", "ini", "env", "properties", "xml", "jsonl", "editorconfig", "systemd"))
MOST = 200
MOST_EVENTS = 400_000
DEEPEST = 200

_TEMPLATE = re.compile(r"\{\{[^{}\n]{0,300}\}\}|\{%[^%\n]{0,300}%\}|<%[=\s]")
_COMMENTED = re.compile(
    r"(?:^|/)(?:tsconfig[^/]*|jsconfig[^/]*|\.eslintrc[^/]*|devcontainer|settings|launch|tasks|extensions"
    r"|.*\.code-workspace|.*\.jsonc|.*\.json5|\.babelrc|\.swcrc|deno)(?:\.json)?c?$"
)
_JSON = re.compile(r"\"(?:[^\"\\]|\\.)*\"|[\[\]{}:,]|\n", re.DOTALL)
_ASSIGNED = re.compile(r"[ \t]{0,40}(?:export[ \t]{1,8})?([A-Za-z_][\w.-]{0,120})[ \t]{0,8}=(.*)")
_PAIR = re.compile(r"[ \t]{0,40}([^=:#;!\[\s][^=:\n]{0,200}?)[ \t]{0,20}[=:]")
_SECTION = re.compile(r"[ \t]{0,20}\[([^\]\n]{1,200})\]")
_NORWAY = frozenset(("yes", "no", "on", "off", "Yes", "No", "On", "Off", "YES", "NO", "ON", "OFF", "y", "n", "Y", "N"))
_SIXTY = re.compile(r"[1-9]\d*(?::[0-5]\d)+")
_OCTAL = re.compile(r"0\d+")


def remarks(format: str, text: str, path: str) -> Iterator[Remark]:
    """What the rules say of one file."""
    yield from islice(_READERS[format](text, path), MOST)


def _json(text: str, path: str) -> Iterator[Remark]:
    import msgspec

    if not text.strip():
        yield Remark(1, MEDIUM, BROKEN, "json-valid", "The file is empty, which is no JSON", "Write `{}` or remove it.")
        return
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        from plantwin.private.extract.formats import json_loader

        value, sound = json_loader.load(text, True)
        relaxed = value is not None and sound
        if not (relaxed and _COMMENTED.search(path)):
            at = re.search(r"\(byte (\d+)\)", str(error))
            where = text.encode("utf-8", "replace")[: int(at[1])].count(b"\n") + 1 if at else _end(text)
            what = str(error).partition(":")[2].partition("(byte")[0].strip() or "it ends too early"
            if isinstance(error, RecursionError):
                what = "nested too deeply"
            note = "Comments and trailing commas are not JSON." if relaxed else ""
            yield Remark(where, MEDIUM if relaxed else HIGH, BROKEN, "json-valid", f"Not valid JSON: {what}", note)
            if not relaxed:
                return
    yield from _json_keys(text)


def _end(text: str) -> int:
    return text.rstrip().count("\n") + 1


def _json_keys(text: str) -> Iterator[Remark]:
    """Keys that stand twice in one object, by a scan of the tokens."""
    stack: list[dict[str, int] | None] = []
    line, held = 1, ("", 0)
    for match in _JSON.finditer(text):
        token = match[0]
        first = token[0]
        if first == "\n":
            line += 1
        elif first == '"':
            held = (token, line)
            line += token.count("\n")
        elif first in "{[":
            if len(stack) > 10_000:
                return
            stack.append({} if first == "{" else None)
            held = ("", 0)
        elif first in "}]":
            if stack:
                stack.pop()
        elif first == ":" and stack and held[0]:
            keys = stack[-1]
            if keys is not None:
                if held[0] in keys:
                    yield _twice(held[0].strip('"'), held[1], keys[held[0]])
                else:
                    keys[held[0]] = held[1]
            held = ("", 0)


def _twice(key: str, line: int, before: int) -> Remark:
    return Remark(
        line,
        MEDIUM,
        REPEATED,
        "no-dupe-keys",
        f"The key `{key[:80]}` stands twice (first in line {before})",
        "Remove one of them: readers take the last one, or refuse.",
    )


def _jsonl(text: str, path: str) -> Iterator[Remark]:
    import msgspec

    for number, row in enumerate(text.split("\n")[:200_000], start=1):
        if row.strip():
            try:
                msgspec.json.decode(row, type=msgspec.Raw)
            except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
                what = str(error).partition(":")[2].partition("(byte")[0].strip() or "it ends too early"
                yield Remark(number, HIGH, BROKEN, "json-valid", f"This line is not valid JSON: {what}")


def _toml(text: str, path: str) -> Iterator[Remark]:
    import tomllib

    try:
        tomllib.loads(text)
    except RecursionError:
        yield Remark(1, HIGH, BROKEN, "toml-valid", "Not valid TOML: nested too deeply")
    except ValueError as error:
        at = re.search(r"\(at line (\d+)", str(error))
        what = str(error).partition("(at ")[0].strip()
        where = int(at[1]) if at else _end(text)
        twice = "overwrite" in what or "twice" in what
        yield Remark(where, HIGH, REPEATED if twice else BROKEN, "toml-valid", f"Not valid TOML: {what[:200]}")


def _yaml(text: str, path: str) -> Iterator[Remark]:
    """By events: an alias is not followed, so it cannot make a small text large."""
    import yaml

    if "\t" in text:
        for number, row in enumerate(text.split("\n"), start=1):
            if row[:1] == "\t" or re.match(r" *\t+ *[\w-]+:", row[:200]):
                yield Remark(number, HIGH, BROKEN, "yaml-tabs", "A tab is used to indent", "Use spaces.")
                break
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stack: list[list[object]] = []
    try:
        for count, event in enumerate(yaml.parse(text, Loader=loader)):
            if count > MOST_EVENTS or len(stack) > DEEPEST:
                return
            kind = type(event)
            if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                _advance(stack)
                stack.append([kind is yaml.MappingStartEvent, True, {}])
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                stack.pop()
            elif kind is yaml.ScalarEvent:
                yield from _scalar(stack, event)
            elif kind is yaml.AliasEvent:
                _advance(stack)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        if _TEMPLATE.search(text):
            return  # A template: what it becomes may well be valid.
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or "cannot be read"
        yield Remark((mark.line + 1) if mark else 1, HIGH, BROKEN, "yaml-valid", f"Not valid YAML: {str(what)[:200]}")


def _advance(stack: list[list[object]]) -> bool:
    """In a mapping keys and values take turns; whether this one is a key."""
    if not stack or not stack[-1][0]:
        return False
    key = bool(stack[-1][1])
    stack[-1][1] = not key
    return key


def _scalar(stack: list[list[object]], event: object) -> Iterator[Remark]:
    value, line = str(getattr(event, "value", "")), int(event.start_mark.line) + 1  # type: ignore[attr-defined]
    plain = getattr(event, "style", None) in (None, "")
    if _advance(stack):
        keys = stack[-1][2]
        if isinstance(keys, dict) and value != "<<":
            if value in keys:
                yield _twice(value, line, keys[value])
            else:
                keys[value] = line
        return
    if not plain:
        return
    if value in _NORWAY and len(value) > 1 and value not in ("on", "off"):
        yield Remark(
            line,
            LOW,
            DEFECT,
            "yaml-truthy",
            f"`{value}` is read as true or false by many, not as a word",
            "Write `true` or `false`, or put it into quotes.",
        )
    elif _SIXTY.fullmatch(value):
        yield Remark(
            line,
            LOW,
            DEFECT,
            "yaml-sexagesimal",
            f"`{value}` is read as a number to base 60 by some",
            "Put it into quotes.",
        )
    elif _OCTAL.fullmatch(value) and "8" not in value and "9" not in value and len(value) < 8:
        yield Remark(
            line,
            LOW,
            DEFECT,
            "yaml-octal",
            f"`{value}` is read as an octal number by some",
            "Put it into quotes, or write `0o…`.",
        )


def _env(text: str, path: str) -> Iterator[Remark]:
    seen: dict[str, int] = {}
    for number, row in enumerate(text.split("\n")[:50_000], start=1):
        bare = row[:4000].strip()
        if not bare or bare[0] == "#":
            continue
        match = _ASSIGNED.match(row[:4000])
        if match is None:
            if "=" not in bare and not bare.startswith(("export ", "unset ")):
                yield Remark(number, MEDIUM, BROKEN, "env-valid", "This line sets nothing", "Write `NAME=value`.")
            continue
        key, value = match[1], match[2]
        if key in seen:
            yield _twice(key, number, seen[key])
        seen.setdefault(key, number)
        if row[: match.end(1) + 1].rstrip() != row[: match.end(1)].rstrip() + "=" and row[match.end(1)] in " \t":
            yield Remark(
                number,
                LOW,
                DEFECT,
                "env-spaces",
                f"Spaces before `=`: shells read `{key[:80]}` as a command",
                "Remove the spaces.",
            )
        elif value[:1] in "\"'" and value.count(value[0]) == 1 and not value.rstrip().endswith("\\"):
            yield Remark(
                number, MEDIUM, BROKEN, "env-quotes", f"The quotes of `{key[:80]}` are not closed", "Close them."
            )


def _ini(text: str, path: str) -> Iterator[Remark]:
    if not re.search(r"\.(?:ini|cfg|properties|editorconfig)$|(?:^|/)\.editorconfig$", path):
        return  # Settings in a syntax of their own, in which a key may well stand twice.
    seen: dict[tuple[str, str], int] = {}
    section, sections = "", {"": 0}
    for number, row in enumerate(text.split("\n")[:50_000], start=1):
        row = row[:4000]
        if not row.strip() or row.lstrip()[0] in "#;!" or (row[0] in " \t" and seen):
            continue
        head = _SECTION.match(row)
        if head is not None:
            section = head[1].strip()
            if section in sections and not path.endswith((".service", ".network", ".netdev", ".conf")):
                yield Remark(
                    number,
                    LOW,
                    REPEATED,
                    "no-dupe-sections",
                    f"The section `{section[:80]}` stands twice (first in line {sections[section]})",
                    "Join the two.",
                )
            sections.setdefault(section, number)
            continue
        match = _PAIR.match(row)
        if match is None:
            continue
        key = (section, match[1].strip().lower())
        if key in seen and not match[1].strip().endswith("[]"):
            yield _twice(match[1].strip(), number, seen[key])
        seen.setdefault(key, number)


def _unit(text: str, path: str) -> Iterator[Remark]:
    """systemd: a key may stand many times; only the sections are looked at."""
    for number, row in enumerate(text.split("\n")[:50_000], start=1):
        if (
            row.strip()
            and not row.lstrip().startswith(("#", ";", "["))
            and "=" not in row
            and not row.startswith((" ", "\t"))
        ):
            before = text.split("\n")[number - 2] if number > 1 else ""
            if not before.rstrip().endswith("\\"):
                yield Remark(number, MEDIUM, BROKEN, "unit-valid", "This line sets nothing", "Write `Key=value`.")


def _xml(text: str, path: str) -> Iterator[Remark]:
    from xml.parsers import expat

    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise ValueError("entities")

    parser.EntityDeclHandler = refuse
    depth = 0

    def deeper(*_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > 2000:
            raise ValueError("depth")

    def higher(*_: object) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = deeper, higher
    body = re.sub(r"^(\s*<\?xml[^>]{0,200}?)\s+encoding=(?:\"[^\"]*\"|'[^']*')", r"\1", text, count=1)
    try:
        parser.Parse(body.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        yield Remark(error.lineno, HIGH, BROKEN, "xml-valid", f"Not valid XML: {expat.ErrorString(error.code)}")
    except ValueError as error:
        what = "declares entities, which are not expanded here" if str(error) == "entities" else "is nested too deeply"
        yield Remark(parser.CurrentLineNumber, LOW, DEFECT, "xml-entities", f"The document {what}")


_READERS = {
    "json": _json,
    "jsonl": _jsonl,
    "toml": _toml,
    "yaml": _yaml,
    "env": _env,
    "ini": _ini,
    "properties": _ini,
    "editorconfig": _ini,
    "systemd": _unit,
    "xml": _xml,
}
