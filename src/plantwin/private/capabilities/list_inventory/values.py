"""Values by their names: settings, constants, defaults of environment variables, limits and times in calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.list_environment_variables import declared, reads
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.formats.settings import FORMATS, Setting, settings
from plantwin.private.formats.source_views import MASKS, views

_CONSTANT = re.compile(
    r"(?m)^[ \t]*+(?:(?:export|public|private|protected|internal|static|final|const|let|var|pub|readonly)[ \t]++){0,4}"
    r"(?:#define[ \t]++)?(?:(?P<type>[A-Za-z_][\w<>\[\]]*+)[ \t]++)?(?P<name>[A-Za-z_]\w*+)"
    r"(?:[ \t]*+(?::[ \t]*+[\w&'\[\]. ]++|:)?=|[ \t])[ \t]*+"
    r"(?P<detail>[-+]?\d[\w.]*+(?:(?<=[eE])[-+]\d++)?(?:[ \t]*+[*+][ \t]*+[\w.]++){0,3}"
    r"|[A-Za-z_][\w.:]{1,60}[ \t]?\*[ \t]?\d++"
    r"|(?:[\w.]{1,20}(?:\.|::))?(?i:td|timedelta|(?:from_?|of_?)?(?:milli|duration|timespan|seconds?|minutes?|hours?|days?)\w{0,12})"
    r"(?:\([^()\n\"']{0,40}?\d[\w., =]{0,40}\))"
    r"|\"[^\"\n]{1,100}\"|'[^'\n]{1,100}'|true|false|True|False)[ \t]*+[;,]?[ \t]*+(?://.*|#.*|/\*.*)?$"
)
_KEYED = re.compile(
    r"(?<![\w.])[\"']?(?P<name>\w{0,40}?(?i:expires?|expiry|expiration|max_?age|timeout|ttl|interval|lifetime|limit|retries)\w{0,24})"
    r"[\"']?[ \t]*+(?:=>|[:=])[ \t]*+"
    r"(?P<detail>[\"'][^\"'\n]{0,10}\d[^\"'\n]{0,20}[\"']|\d[\w.]*+(?:[ \t]*+[*+][ \t]*+[\w.]++){0,3})"
)
"""Times and limits that a call or a mapping in code is given: `expiresIn: '60d'`."""
_OFFERED = re.compile(
    r"(?m)^[ \t]*+[#;]{1,2}[ \t]?(?P<name>[A-Za-z_][\w.-]{2,80})[ \t]*+=[ \t]*+(?P<detail>[^\s=][^\n]{0,200}|)$"
)
"""A setting that an example file only offers, with its default: `# PORT=80`."""
_COLLECTED = re.compile(
    r"(?m)^[ \t]*+(?:(?:export|public|private|static|final|const|let|var|pub|readonly)[ \t]++){0,4}"
    r"(?P<name>[A-Z][A-Z0-9_]{3,60})[ \t]*+(?::[^=\n]{1,80})?=[ \t]*+(?:new[ ])?(?=[\[({])"
)
"""A constant that holds several values: `IMAGE_SIZES = {`."""
_FORM = frozenset(("apiVersion", "kind", "$schema", "config-version"))
"""Keys that say which form a file has, and set nothing."""
_PROPERTY = re.compile(r"(?:.*\.)?properties\.(?P<name>[\w-]+)\.(?P<key>default|description|enum)(?:\.\d+)?")
"""What a schema says of a setting."""
_OPENING, _CLOSING, _HELD = "([{", ")]}", 400
_COMMENT = re.compile(r"[ \t]*+(?:#++|//++!?|;++|--|/\*++|\*)(?![!/])[ \t]?(?P<said>.*?)(?:\*/)?[ \t]*$")
_TRAILING = re.compile(r"[ \t](?:#|//)[ \t](?P<said>[^#\"'\n]{4,160})$")
_ABOVE = 12
"""Lines of a comment above a setting that are read."""
ASIDE = re.compile(
    r"(?i)(?:^|/)(?:locales?|i18n|translations?|lang|vendor)/|(?:^|/)[\w.-]*lock[\w.-]*\.(?:json|ya?ml|toml)$|\.(?:lock|po|sum|snap)$"
    r"|(?:^|/)messages_\w+\.properties$|(?:^|/)\.[\w-]*(?:editorconfig|lint|cop|prettier|format|style|flake8|phpcs)[\w.-]*$"
)
"""Translations, locks and the style of code: they set nothing."""


def values(file: Source) -> Iterator[Item]:
    """Yield what a file gives a value to, each with what the comment beside it says."""
    if ASIDE.search(file.label):
        return
    lines = file.text.split("\n")
    seen = set()
    for item in _given(file) if file.format in FORMATS else _in_code(file) if file.format in MASKS else ():
        key = item.name, item.line, item.detail if file.format in FORMATS else ""
        if key not in seen:
            seen.add(key)
            yield item if item.about else item._replace(about=_about(lines, item.line))


def _schema(file: Source, held: Sequence[Setting]) -> Iterator[Item]:
    """Yield what a JSON Schema of settings says: the default of each, what it is for, and its values."""
    said: dict[str, dict[str, list[Setting]]] = {}
    for setting in held:
        if match := _PROPERTY.fullmatch(setting.path):
            said.setdefault(match["name"], {}).setdefault(match["key"], []).append(setting)
    for name, keys in said.items():
        of = [setting.value for setting in keys.get("enum", ())]
        first = next(iter([*keys.get("default", ()), *keys.get("enum", ())]), None)
        if first is not None:
            about = [
                *(setting.value for setting in keys.get("description", ())),
                *([f"one of {', '.join(of)}"] if of else []),
            ]
            yield Item(
                "setting",
                name,
                first.value if "default" in keys else ", ".join(of),
                file.label,
                first.line,
                about="; ".join(about),
            )


def _given(file: Source) -> Iterator[Item]:
    held = settings(file.format, file.text)[0]
    if file.format == "json" and any(_PROPERTY.fullmatch(setting.path) for setting in held):
        yield from _schema(file, held)
        return
    for setting in held:
        path = re.sub(r"\.\d+$", "", setting.path)
        if path.rpartition(".")[2] in _FORM:
            continue
        yield Item("setting", path, setting.value, file.label, setting.line)
    if file.format in ("env", "ini", "properties"):
        for match in _OFFERED.finditer(file.text):
            line = file.text.count("\n", 0, match.start("name")) + 1
            detail = f"{match['detail'].strip() or 'empty'} (in a comment)"
            yield Item("setting", match["name"], detail, file.label, line)


def _about(lines: list[str], line: int) -> str:
    """Return what the comment above a line says, or else the one behind it."""
    said: list[str] = []
    for above in reversed(lines[max(0, line - 1 - _ABOVE) : line - 1]):
        match = _COMMENT.match(above[:300])
        if match is None or _OFFERED.match(above[:300]):
            break
        said.append(match["said"].strip())
    if not any(said) and 0 < line <= len(lines) and (behind := _TRAILING.search(lines[line - 1][:400])):
        said = [behind["said"].strip()]
    return " ".join(part for part in reversed(said) if any(letter.isalpha() for letter in part))


def _collected(text: str, start: int) -> str:
    """Return a value in brackets, on one line; nothing where it does not end soon."""
    depth = 0
    for at, letter in enumerate(text[start : start + _HELD]):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        if not depth:
            return " ".join(text[start : start + at + 1].split())
    return ""


def _in_code(file: Source) -> Iterator[Item]:
    for read in (*reads(file), *declared(file)):
        if read.name and read.default and read.default.strip("\"'"):
            yield Item("setting", read.name, read.default.strip().strip("\"'"), file.label, read.line)
    for match in _CONSTANT.finditer(file.text):
        line = file.text.count("\n", 0, match.start("name")) + 1
        name = match["type"] or match["name"] if file.format == "go" else match["name"]  # in Go, the type is second
        value = match["detail"].strip("\"'")
        if not (
            value.isalpha() and len(value) > len("False") and value.lower() in name.lower()
        ):  # it only repeats its name
            yield Item("setting", name, value, file.label, line)
    if not file.rehearsal:
        text = views(file.format, file.data).full.decode("utf-8", "replace")
        for match in _KEYED.finditer(text):
            line = text.count("\n", 0, match.start("name")) + 1
            yield Item("setting", match["name"], match["detail"].strip("\"'"), file.label, line)
        for match in _COLLECTED.finditer(text):
            if held := _collected(text, match.end()):
                yield Item("setting", match["name"], held, file.label, text.count("\n", 0, match.start("name")) + 1)
