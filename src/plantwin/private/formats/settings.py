"""Settings of any syntax as one list: the path of a key, its value, its line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats import hcl, ini
from plantwin.private.formats.document import LIST, MAP, Document, Node, read, walk
from plantwin.private.formats.values import text_of
from plantwin.private.formats.yaml import FILLED

MOST = 5000
"""Settings of one object."""
DEEPEST = 24
LONGEST = 4000
FORMATS = frozenset(("yaml", "json", "toml", "ini", "env", "properties", "hcl", "editorconfig", "systemd", "lock"))
"""Formats that are read here."""


@private
class Setting(NamedTuple):
    """One key with its value."""

    path: str
    value: str
    line: int

    @property
    def key(self) -> str:
        """The last name of the path that is not a number."""
        return next((part for part in reversed(self.path.split(".")) if not part.isdigit()), "")


@private
class _Given(NamedTuple):
    """A text without a name."""

    format: str
    text: str
    name: str = ""
    label: str = ""
    data: bytes = b""
    truncated: bool = False
    binary: bool = False


def settings(format: str, text: str) -> tuple[list[Setting], bool]:
    """Return the settings of a text in order, and whether the text is sound. One that is not is read by its lines."""
    given = _Given("json" if format == "lock" else format, text)
    if format == "hcl":
        document = Document(given, "hcl")
        return list(_blocks(hcl.blocks(document), ""))[:MOST], document.sound
    document = read(given)
    if not document.sound and document.syntax in ("yaml", "toml"):
        lines = Document(given, "ini")
        ini.read(lines)
        return list(_of(lines.root, ""))[:MOST], False
    roots = document.roots
    found = [setting for at, root in enumerate(roots) for setting in _of(root, f"{at}." if len(roots) > 1 else "")]
    return found[:MOST], document.sound and not document.templated


def _of(root: Node, prefix: str) -> Iterator[Setting]:
    for path, line, node in walk(root):
        if node.kind not in (MAP, LIST):
            yield Setting(prefix + ".".join(path), node.text[:LONGEST].replace(FILLED, "{{…}}"), line)
        elif not node.map and not node.items:
            yield Setting(prefix + ".".join(path), "{}" if node.kind == MAP else "[]", line)


def _blocks(block: hcl.Block, path: str) -> Iterator[Setting]:
    for key, node in block.attributes.items():
        for setting in _of(node, f"{path}{key}."):
            yield setting._replace(path=setting.path.rstrip("."))
    for inner in block.blocks:
        yield from _blocks(inner, f"{path}{'.'.join([inner.type, *inner.labels])}.")


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
    return text_of(value) or ("" if value is None else str(value)[:LONGEST])
