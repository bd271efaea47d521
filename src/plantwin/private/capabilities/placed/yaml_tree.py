"""YAML with lines, types and doubled keys; templates of YAML as far as they read once their actions are blank."""

# ruff: noqa: E501 (patterns)

from __future__ import annotations

import re
from typing import Any

from plantwin.private.capabilities.placed.document import Document, Fault
from plantwin.private.capabilities.placed.node import BOOLEAN, EXPRESSION, LIST, MAP, NULL, NUMBER, TEXT, Node
from plantwin.private.extract.formats.yaml_loader import MAX_DOCUMENTS, WHOLE, shallow, templated

FILLED = "templatedvalue"
"""What stands where a template will put a value."""
_ACTION_LINE = re.compile(
    r"(?m)^[ \t]*(?:\{\{(?:(?!\{\{)[^\n]){0,2000}?\}\}|\{%(?:(?!\{%)[^\n]){0,2000}?%\}|<%(?:(?!<%)[^\n]){0,2000}?%>)[ \t]*$"
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
MOST_FAULTS = 50


def read(document: Document) -> None:
    """The documents of a text."""
    text = document.source.text
    document.templated = templated(text)
    if document.templated:
        text = filled(text)
    if len(text) > WHOLE:
        document.whole = False
        cut = text.rfind("\n", 0, WHOLE)
        text = text[: cut + 1]
    if not shallow(text):
        document.faults.append(Fault(1, "It is nested deeper than any reader should follow"))
        return
    _compose(document, text)
    if document.templated:
        # Both branches of a condition stand in the text, and what is left out may be what is missing.
        document.faults.clear()


def filled(text: str) -> str:
    """A template with a word for each value and blank lines for everything else."""
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    return _ACTION.sub(FILLED, _ACTION_LINE.sub("", text))


def _compose(document: Document, text: str) -> None:
    import yaml

    loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        loader = loader_class(text)
        while len(document.roots) < MAX_DOCUMENTS and loader.check_node():
            document.roots.append(_Builder(document).build(loader.get_node()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        document.faults.append(
            Fault(mark.line + 1 if mark else 1, _wording(error.problem or "", text, mark), "Fix it.")
        )
    except yaml.YAMLError:
        document.faults.append(Fault(1, "It holds a character that YAML does not allow"))
    except (ValueError, RecursionError, AttributeError, TypeError):
        document.faults.append(Fault(1, "It does not parse as YAML"))


def _wording(problem: str, text: str, mark: Any) -> str:
    """What libyaml says, without quoting the text."""
    line = text.split("\n")[mark.line] if mark is not None and mark.line < text.count("\n") + 1 else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "A tab indents this line; YAML allows spaces only"
    if "undefined alias" in problem:
        return "An alias has no anchor"
    if "mapping values are not allowed" in problem:
        return "A colon stands where no key can be: quote the value, or fix the indentation"
    known = (
        "did not find expected",
        "found character that cannot start",
        "could not find expected",
        "found unexpected",
    )
    told = problem.split("'", 1)[0].strip() if problem.startswith(known) else "the text does not parse"
    return f"Not valid YAML: {told}"[:160]


class _Builder:
    """Nodes of libyaml to ours; one that is met again is the same."""

    def __init__(self, document: Document) -> None:
        import yaml

        self.document = document
        self.known: dict[int, Node] = {}
        self.yaml = yaml

    def build(self, node: Any) -> Node:
        known = self.known.get(id(node))
        if known is not None:
            return known
        tag = node.tag if node.tag.startswith("!") else ""
        line = node.start_mark.line + 1
        if isinstance(node, self.yaml.ScalarNode):
            kind = _TYPES.get(node.tag, TEXT)
            if tag or FILLED in node.value:
                kind = EXPRESSION
            made = Node(kind, line, node.value, quoted=node.style in ("'", '"', "|", ">"), tag=tag)
            self.known[id(node)] = made
            return made
        if isinstance(node, self.yaml.MappingNode):
            return self._mapping(node, line, tag)
        made = Node(LIST, line, tag=tag)
        self.known[id(node)] = made
        made.items.extend(self.build(child) for child in node.value)
        return made

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
            if name in made.map and name != "?" and len(self.document.faults) < MOST_FAULTS and FILLED not in name:
                self.document.faults.append(
                    Fault(
                        at,
                        f"`{name[:80]}` is stated twice (first on line {made.lines[name]}); the last one wins",
                        "Keep one of them.",
                        grave=False,
                        repeated=True,
                    )
                )
            made.map[name] = child
            made.lines[name] = at
        for other in merged[:100]:
            for name, child in list(other.map.items())[:1000]:
                made.map.setdefault(name, child)
                made.lines.setdefault(name, other.lines.get(name, line))
        return made
