"""YAML: one composer (libyaml) gives plain values for a scan, or nodes with lines, types and doubled keys.

Texts that are templates, broken or huge are read by lines for a scan; for nodes, a template's actions are blanked.
Tags are ignored in plain values, scalars stay strings, aliases share one object, so a bomb costs what its text costs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from plantwin.private.formats.document import BOOLEAN, EXPRESSION, LIST, MAP, NULL, NUMBER, TEXT, Document, Fault, Node
from plantwin.private.formats.values import Tree, unquote

WHOLE = 512 << 10
"""Larger texts are read by lines in a scan."""
LARGEST = 2 << 20
"""Larger texts have no nodes beyond it."""
MAX_DOCUMENTS = 5000
MAX_FAULTS = 50
_MAX_FLOW = 60
_MAX_MERGES = 500

_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_COMMENT = re.compile(r"(?m)^[ \t]{0,200}#.*$")
_STAIRS = re.compile(r"(?:[-?] {1,8}){9}")
_TOO_FAR = "\n" + " " * 201
_TEMPLATE = re.compile(
    r"\{%[-+]? |<%|\{\{-|-\}\}|%\{~? ?(?:if|else|endif|for|endfor)\b"
    r"|(?<!\$)\{\{ ?(?:\.Values|\.Release|\.Chart|include |template |if |range |end\b|with |toYaml|define |\$)"
)


def templated(text: str) -> bool:
    """Return whether the text is a template that only becomes YAML (Helm, Jinja, ERB, Terraform)."""
    return ("{{" in text or "{%" in text or "<%" in text or "%{" in text) and _TEMPLATE.search(text) is not None


def shallow(text: str) -> bool:
    """Return whether nesting stays far from what a recursive parser could overflow on."""
    if text.count("[") + text.count("{") > _MAX_FLOW:
        brackets = _COMMENT.sub("", text).encode("utf-8", "replace").translate(None, _NOT_BRACKETS)
        for _ in range(_MAX_FLOW):
            # Each pass removes the innermost level, wherever it is.
            shorter = brackets.replace(b"[]", b"").replace(b"{}", b"")
            if len(shorter) == len(brackets):
                break
            brackets = shorter
        if brackets.count(b"[") + brackets.count(b"{") > _MAX_FLOW:
            return False
    return _TOO_FAR not in text and _STAIRS.search(text) is None


@cache
def _library() -> tuple[Any, Any]:
    """Return PyYAML, and its composer without the resolver: types of scalars are decided where they matter."""
    import yaml

    class Composer(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        def resolve(self, kind: object, value: object, implicit: object) -> str:
            return ""

        def descend_resolver(self, node: object, index: object) -> None:
            pass

        def ascend_resolver(self) -> None:
            pass

    return yaml, Composer


Built = TypeVar("Built")


class Composed(NamedTuple, Generic[Built]):
    """The documents of a text, what stopped the parser, and whether there are more documents than are read."""

    documents: list[Built]
    error: Exception | None
    more: bool


def _compose(text: str, build: Callable[[Any], Built]) -> Composed[Built]:
    yaml, composer = _library()
    made: list[Built] = []
    more = False
    try:
        parser = composer(text)
        while parser.check_node():
            if len(made) == MAX_DOCUMENTS:
                more = True
                break
            made.append(build(parser.get_node()))
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError, TypeError) as error:
        return Composed(made, error, more)
    return Composed(made, None, more)


def load(text: str) -> tuple[list[object], bool]:
    """Return the documents of a text as plain values, and whether all of it is sound YAML."""
    if len(text) <= WHOLE and not templated(text) and shallow(text):
        documents, error, _ = _compose(text, lambda node: _Values().build(node))
        if error is None:
            return documents, True
    return [read_lines(text)], False


class _Values:
    """Nodes of libyaml to plain objects; a node that is met again is the same object."""

    def __init__(self) -> None:
        self.known: dict[int, object] = {}
        self.merges = 0
        library = _library()[0]
        self.scalar, self.mapping = library.ScalarNode, library.MappingNode

    def build(self, node: Any) -> object:
        if type(node) is self.scalar:
            return node.value
        known = self.known.get(id(node))
        if known is not None:
            return known
        if type(node) is self.mapping:
            return self._mapping(node)
        items: list[object] = []
        self.known[id(node)] = items
        items.extend([self.build(child) for child in node.value])
        return items

    def _mapping(self, node: Any) -> Tree:
        tree: Tree = {}
        self.known[id(node)] = tree
        merged: Tree = {}
        for key, value in node.value:
            name = key.value if type(key) is self.scalar else "?"
            child = self.build(value)
            if name == "<<" and self.merges < _MAX_MERGES:
                self.merges += 1
                for other in child if type(child) is list else [child]:
                    if type(other) is dict and len(other) < 1000:
                        merged.update(other)
            else:
                tree[name] = child
        for name, child in merged.items():
            tree.setdefault(name, child)
        return tree


FILLED = "templatedvalue"
"""What stands where a template will put a value."""
_ACTION_LINE = re.compile(
    r"(?m)^[ \t]*(?:\{\{(?:(?!\{\{)[^\n]){0,2000}?\}\}|\{%(?:(?!\{%)[^\n]){0,2000}?%\}|<%(?:(?!<%)[^\n]){0,2000}?%>"
    r"|%\{(?:(?!%\{)[^\n]){0,2000}?\})[ \t]*$"
)
_COMMENT = re.compile(r"\{\{-?\s*/\*(?:(?!/\*).){0,20000}?\*/\s*-?\}\}|\{#(?:(?!\{#).){0,20000}?#\}", re.DOTALL)
_ACTION = re.compile(
    r"[\"']?\{\{(?:(?!\{\{)[^\n]){0,2000}?\}\}[\"']?|<%(?:(?!<%)[^\n]){0,2000}?%>|\{%(?:(?!\{%)[^\n]){0,2000}?%\}"
)
_TYPES = {
    "tag:yaml.org,2002:bool": BOOLEAN,
    "tag:yaml.org,2002:int": NUMBER,
    "tag:yaml.org,2002:float": NUMBER,
    "tag:yaml.org,2002:null": NULL,
}
_PROBLEMS = (
    "did not find expected", "found character that cannot start", "could not find expected", "found unexpected",
)  # fmt: skip
"""How libyaml's messages begin that do not quote the text."""


def read(document: Document) -> None:
    """Add the documents of a text as nodes."""
    text = document.source.text
    document.templated = templated(text)
    if document.templated:
        text = filled(text)
    if len(text) > LARGEST or document.source.truncated:
        # Of a stream, the documents that are complete; of a single document nothing.
        document.whole = False
        text = text[: text.rfind("\n---", 0, LARGEST) + 1]
    if not shallow(text):
        document.faults.append(Fault(1, "It is nested deeper than any reader should follow"))
        return
    roots, error, more = _compose(text, lambda node: _Nodes(document).build(node))
    document.roots += roots
    document.whole = document.whole and not more
    if error is not None:
        document.faults.append(_fault(error, text))
    if document.templated:
        # Both branches of a condition stand in the text, and what is left out may be what is missing.
        document.faults.clear()


def filled(text: str) -> str:
    """Return a template with a word for each value and blank lines for everything else."""
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _ACTION.sub(FILLED, _ACTION_LINE.sub("", text))


def _fault(error: Exception, text: str) -> Fault:
    """Say what libyaml says, without quoting the text."""
    yaml = _library()[0]
    if not isinstance(error, yaml.MarkedYAMLError):
        unknown = isinstance(error, yaml.YAMLError)
        return Fault(1, "It holds a character that YAML does not allow" if unknown else "It does not parse as YAML")
    mark = error.problem_mark or error.context_mark
    problem = error.problem or ""
    line = text.split("\n")[mark.line] if mark is not None and mark.line < text.count("\n") + 1 else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        message = "A tab indents this line; YAML allows spaces only"
    elif "undefined alias" in problem:
        message = "An alias has no anchor"
    elif "mapping values are not allowed" in problem:
        message = "A colon stands where no key can be: quote the value, or fix the indentation"
    else:
        told = problem.split("'", 1)[0].strip() if problem.startswith(_PROBLEMS) else "the text does not parse"
        message = f"Not valid YAML: {told}"[:160]
    return Fault(mark.line + 1 if mark else 1, message, "Fix it.")


class _Nodes:
    """Nodes of libyaml to ours; one that is met again is the same."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.known: dict[int, Node] = {}
        self.yaml = _library()[0]
        self.resolver = self.yaml.resolver.Resolver()

    def build(self, node: Any) -> Node:
        known = self.known.get(id(node))
        if known is not None:
            return known
        tag = node.tag if node.tag.startswith("!") else ""
        line = node.start_mark.line + 1
        if isinstance(node, self.yaml.ScalarNode):
            made = self._scalar(node, line, tag)
            self.known[id(node)] = made
            return made
        if isinstance(node, self.yaml.MappingNode):
            return self._mapping(node, line, tag)
        made = Node(LIST, line, tag=tag)
        self.known[id(node)] = made
        made.items.extend(self.build(child) for child in node.value)
        return made

    def _scalar(self, node: Any, line: int, tag: str) -> Node:
        quoted = node.style in ("'", '"', "|", ">")
        if tag or FILLED in node.value:
            kind = EXPRESSION
        else:
            tagged = node.tag
            if not tagged and not quoted:
                tagged = self.resolver.resolve(self.yaml.ScalarNode, node.value, (True, False))
            kind = _TYPES.get(tagged, TEXT)
        return Node(kind, line, node.value, quoted=quoted, tag=tag)

    def _mapping(self, node: Any, line: int, tag: str) -> Node:
        made = Node(MAP, line, tag=tag)
        self.known[id(node)] = made
        merged: list[Node] = []
        for key, value in node.value:
            name = key.value if isinstance(key, self.yaml.ScalarNode) else "?"
            at = key.start_mark.line + 1
            child = self.build(value)
            if name == "<<":
                merged += child.items if child.kind == LIST else [child]
                continue
            if name in made.map and name != "?" and FILLED not in name:
                self.document.repeated(name, at, made.lines[name], "the last one wins", MAX_FAULTS)
            made.map[name] = child
            made.lines[name] = at
        for other in merged[:100]:
            for name, child in list(other.map.items())[:1000]:
                made.map.setdefault(name, child)
                made.lines.setdefault(name, other.lines.get(name, line))
        return made


_LINE = re.compile(
    r"(?P<indent> *)(?P<dashes>(?:- +)*)(?:(?P<key>\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s\-#{}\[\]:,&*!"
    r"|>%@`\"'][^\n:#]{0,200}?)"
    r" *:(?: +|$))?(?P<value>.*)"
)
_ACTION_ONLY = re.compile(r"\{\{-?\s*/?[^{}]{0,300}\}\}\s*$|\{%.*%\}\s*$|<%.*%>\s*$")


def read_lines(text: str) -> object:
    """Read block style as far as indentation and keys tell. Never fails, linear."""
    lines = _Lines()
    for line in text[:WHOLE].split("\n"):
        lines.read(line[:4000])
    return lines.root


class _Lines:
    """Containers that are open, each with the column of its entries; and the key that waits for children."""

    def __init__(self) -> None:
        self.root: Any = None
        self.stack: list[tuple[int, Any]] = []
        self.pending: tuple[Any, str, int] | None = None
        self.block = -1

    def read(self, line: str) -> None:
        body = line.strip()
        if not body or body[0] in "#%" or body in ("---", "...") or _ACTION_ONLY.match(body):
            return
        match = _LINE.match(line)
        if match is None:
            return
        column = len(match["indent"])
        if self.block >= 0:
            if column > self.block:
                return
            self.block = -1
        dashes = 1 if body == "-" else match["dashes"].count("-")
        if column > 200 or dashes > 8:
            return
        if self.root is None:
            self.root = [] if dashes else {}
            self.stack.append((column, self.root))
        self._place(column, dashes, match)
        if match["value"][:1] in ("|", ">") and len(match["value"]) < 6:
            self.block = column

    def _place(self, column: int, dashes: int, match: re.Match[str]) -> None:
        """Put one line where its indentation says."""
        stack = self.stack
        while len(stack) > 1 and (
            stack[-1][0] > column or (not dashes and stack[-1][0] == column and type(stack[-1][1]) is list)
        ):
            stack.pop()
        top = stack[-1][1]
        if self.pending is not None:
            holder, waiting, at = self.pending
            if holder is top and (column > at or (dashes and column == at)):
                top = holder[waiting] = [] if dashes else {}
                stack.append((column, top))
            self.pending = None
        value = "" if match["value"].strip() == "-" else unquote(match["value"])
        for number in range(dashes):
            if type(top) is not list:
                return
            last = number == dashes - 1
            if last and match["key"] is None:
                if value:
                    top.append(value)
                return
            inner: Any = {} if last else []
            top.append(inner)
            column = column + 2 if not last else len(match["indent"]) + len(match["dashes"])
            stack.append((column, inner))
            top = inner
        if match["key"] is None or type(top) is not dict:
            return
        name = unquote(match["key"])
        top[name] = value
        if not value:
            self.pending = (top, name, column)
