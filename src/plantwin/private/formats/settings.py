"""Settings of any syntax as one list: the path of a key, its value, its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.formats import json, yaml
from plantwin.private.formats.ini import ENV_LINE
from plantwin.private.formats.values import text_of

MOST = 5000
"""Settings of one object."""
DEEPEST = 24
AHEAD = 64 << 10
"""How far ahead of the last key the next one is looked for."""
FORMATS = frozenset(("yaml", "json", "toml", "ini", "env", "properties", "hcl", "editorconfig", "systemd", "lock"))
"""Formats that are read here."""

_PAIR = re.compile(r"[ \t]{0,40}([^=:#;\[\n]{1,200}?)[ \t]{0,20}[=:][ \t]{0,20}(.{0,4000})")
_SECTION = re.compile(r"[ \t]{0,20}\[\[?([^\]\n]{1,200})\]")
_BLOCK = re.compile(
    r"[ \t]{0,80}([\w-]{1,80})((?:[ \t]{1,8}\"?[\w.*-]{1,120}\"?){0,3})[ \t]{0,8}=?[ \t]{0,8}\{[ \t]{0,8}(?:#.*|//.*)?$"
)
_HCL = re.compile(r"[ \t]{0,80}\"?([\w.-]{1,120})\"?[ \t]{0,40}[=:][ \t]{0,8}(.{0,4000})")


class Setting(NamedTuple):
    """One key with its value."""

    path: str
    value: str
    line: int

    def __repr__(self) -> str:
        return "<Setting private>"

    @property
    def key(self) -> str:
        """The last name of the path that is not a number."""
        return next((part for part in reversed(self.path.split(".")) if not part.isdigit()), "")


def settings(format: str, text: str) -> tuple[list[Setting], bool]:
    """Return the settings of a text in order, and whether the text is sound."""
    if format == "yaml":
        documents, sound = yaml.load(text)
        return _placed(text, documents[0] if len(documents) == 1 else documents), sound
    if format in ("json", "lock"):
        value, sound = json.load(text, whole=True)
        return _placed(text, value), sound and value is not None
    if format == "toml":
        import tomllib

        try:
            return _placed(text, tomllib.loads(text)), True
        except (ValueError, RecursionError):
            return list(_ini(text)), False
    if format == "env":
        return list(_env(text)), True
    if format == "hcl":
        return list(_hcl(text)), True
    return list(_ini(text)), True


def _placed(text: str, root: object) -> list[Setting]:
    """Return leaves of a tree, each at the next line that names its key."""
    found: list[Setting] = []
    at = 0
    line = 1
    for path, value in leaves(root):
        key = path.rpartition(".")[2]
        wanted = value.split("\n", 1)[0][:40] if key.isdigit() else key
        where = text.find(wanted, at, at + AHEAD) if wanted else -1
        if where >= 0:
            line += text.count("\n", at, where)
            at = where + len(wanted)
        found.append(Setting(path, value, line))
    return found


def leaves(root: object) -> Iterator[tuple[str, str]]:
    """Yield path and value of every leaf, in order, bounded: aliases may make a tree far larger than its text."""
    stack: list[tuple[str, object, int]] = [("", root, 0)]
    left = MOST
    while stack and left:
        path, value, depth = stack.pop()
        if isinstance(value, dict) and value and depth < DEEPEST:
            stack += [
                (f"{path}.{key}" if path else str(key), child, depth + 1)
                for key, child in reversed(list(value.items())[:MOST])
            ][: MOST * 2]
        elif isinstance(value, list) and value and depth < DEEPEST:
            stack += [
                (f"{path}.{number}" if path else str(number), child, depth + 1)
                for number, child in reversed(list(enumerate(value[:MOST])))
            ]
        else:
            left -= 1
            yield path, _text(value)
        if len(stack) > MOST * 4:
            del stack[: len(stack) - MOST * 4]


def _text(value: object) -> str:
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    return text_of(value) or ("" if value is None else str(value)[:4000])


def _unquoted(raw: str) -> str:
    raw = raw.strip().rstrip(",")
    if len(raw) > 1 and raw[0] in "\"'":
        end = raw.find(raw[0], 1)
        return raw[1:end] if end > 0 else raw[1:]
    for mark in (" #", " ;"):
        raw = raw.partition(mark)[0].rstrip()
    return raw


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return enumerate((line[:5000] for line in text.split("\n")[: MOST * 4]), start=1)


def _env(text: str) -> Iterator[Setting]:
    for number, line in _lines(text):
        match = ENV_LINE.match(line)
        if match is not None:
            yield Setting(match[1], _unquoted(match[2]), number)


def _ini(text: str) -> Iterator[Setting]:
    section = ""
    for number, line in _lines(text):
        if not line.strip() or line.lstrip()[0] in "#;!":
            continue
        head = _SECTION.match(line)
        if head is not None:
            section = head[1].strip()
            continue
        match = _PAIR.match(line)
        if match is not None:
            key = match[1].strip()
            yield Setting(f"{section}.{key}" if section else key, _unquoted(match[2]), number)


def _hcl(text: str) -> Iterator[Setting]:
    stack: list[str] = []
    for number, line in _lines(text):
        bare = line.strip()
        if not bare or bare.startswith(("#", "//")):
            continue
        block = _BLOCK.match(line)
        if block is not None and len(stack) < DEEPEST:
            stack.append(".".join([block[1], *block[2].replace('"', "").split()]))
            continue
        if bare.startswith("}"):
            if stack:
                stack.pop()
            continue
        match = _HCL.match(line)
        if match is not None:
            yield Setting(".".join([*stack, match[1]]), _unquoted(match[2]), number)
            opened = match[2].count("{") - match[2].count("}")
            if opened > 0 and len(stack) < DEEPEST:
                stack += [match[1]] * opened
