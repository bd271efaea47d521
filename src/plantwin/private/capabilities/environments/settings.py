"""Settings of one environment: flat, in one spelling, each with its node; and which environment it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import DEEPEST, LIST, MAP, Node
from plantwin.private.capabilities.validity.objects import things
from plantwin.private.capabilities.validity.values import snake

MOST = 5000
"""Settings of one object that are compared."""
STAGES: tuple[tuple[str, str], ...] = (
    ("production", r"prod(?:uction)?|prd|live"),
    ("staging", r"stag(?:e|ing)|stg|pre-?prod(?:uction)?|uat"),
    ("test", r"tests?|testing|qa|ci|integration|e2e"),
    ("development", r"dev(?:el(?:op(?:ment)?)?)?|local|sandbox"),
    ("example", r"example|sample|template|dist|defaults?"),
)
_WORDS = tuple(
    (stage, re.compile(rf"(?:^|[./_\-\s]){pattern}(?=$|[./_\-\s\d])", re.IGNORECASE)) for stage, pattern in STAGES
)
_KEY = re.compile(r"(?:^|_)(?:env|environment|stage|profile|tier)$")


@dataclass(slots=True, repr=False)
class Environment:
    """One of the objects that are compared."""

    document: Document
    stage: str
    label: str
    settings: dict[str, tuple[Node, int]] = field(default_factory=dict)
    """Value and line by path."""
    whole: bool = True

    def __repr__(self) -> str:
        return "<Environment private>"

    @property
    def grave(self) -> bool:
        """Whether it is production."""
        return self.stage == "production"


def stage_of(text: str) -> str:
    """The stage that a name speaks of; the last part that says one wins."""
    for part in reversed(text.split("/")):
        for stage, pattern in _WORDS:
            if pattern.search(part):
                return stage
    return ""


def environment(document: Document, *, plain: bool) -> Environment:
    """The settings of an object; `plain` puts all paths into one spelling, so that syntaxes can be compared."""
    made = Environment(document, stage_of(document.name), document.source.label)
    declared = things(document) if document.syntax in ("yaml", "json") else []
    if declared:
        for thing in declared:
            _flat(thing.node, (f"{thing.kind}/{_bare(thing.name)}",), made, plain)
    else:
        for number, root in enumerate(document.roots):
            _flat(root, (str(number),) if len(document.roots) > 1 else (), made, plain)
    if not made.stage:
        for path, (node, _) in made.settings.items():
            if _KEY.search(snake(path.rpartition(".")[2])) and node.scalar and stage_of(node.text):
                made.stage = stage_of(node.text)
                break
    return made


def _bare(name: str) -> str:
    """A name without the stage in it: `web-staging` and `web-production` are one."""
    words = "|".join(pattern for _, pattern in STAGES[:4])
    return re.sub(rf"(?i)(?:^|[-_.])(?:{words})(?=$|[-_.])", "", name).strip("-_.") or name


def _flat(root: Node, above: tuple[str, ...], made: Environment, plain: bool) -> None:
    stack: list[tuple[tuple[str, ...], int, Node]] = [(above, root.line, root)]
    while stack:
        if len(made.settings) >= MOST:
            made.whole = False
            return
        path, line, node = stack.pop()
        if node.kind == MAP and node.map and len(path) < DEEPEST:
            stack += [
                ((*path, key), node.line_of(key), child) for key, child in reversed(list(node.map.items())[:MOST])
            ]
        elif node.kind == LIST and node.items and len(path) < DEEPEST:
            if all(item.scalar for item in node.items):
                made.settings[_path(path, plain)] = (
                    Node("text", node.line, ", ".join(item.text for item in node.items[:100])),
                    line,
                )
                continue
            for at, item in reversed(list(enumerate(node.items[:MOST]))):
                name = item.value("name") or item.value("key") or item.value("id")
                stack.append(((*path, name or str(at)), item.line, item))
        elif path:
            made.settings[_path(path, plain)] = (node, line)


def _path(path: tuple[str, ...], plain: bool) -> str:
    if not plain:
        return ".".join(path)
    return "_".join(snake(part) for part in path)
