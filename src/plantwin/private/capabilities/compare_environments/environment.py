"""One environment: which stage it is, and its settings, flat and with their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from plantwin.private.capabilities.infrastructure.kubernetes import objects
from plantwin.private.capabilities.infrastructure.settings import snake_case
from plantwin.private.facts import Private
from plantwin.private.formats.document import DEEPEST, LIST, MAP, TEXT, Document, Node

MOST = 5000
"""Settings of one object that are compared."""
STAGES = {
    "production": r"prod(?:uction)?|prd|live",
    "staging": r"stag(?:e|ing)|stg|pre-?prod(?:uction)?|uat",
    "test": r"tests?|testing|qa|ci|integration|e2e",
    "development": r"dev(?:el(?:op(?:ment)?)?)?|local|sandbox",
    "example": r"example|sample|template|dist|defaults?",
}
_STAGE_WORDS = {
    stage: re.compile(rf"(?:^|[./_\-\s]){pattern}(?=$|[./_\-\s\d])", re.IGNORECASE) for stage, pattern in STAGES.items()
}
_STAGE_IN_NAME = re.compile(
    rf"(?:^|[-_.])(?:{'|'.join(pattern for stage, pattern in STAGES.items() if stage != 'example')})(?=$|[-_.])",
    re.IGNORECASE,
)
_STAGE_KEY = re.compile(r"(?:^|_)(?:env|environment|stage|profile|tier)$")


@dataclass(slots=True, repr=False)
class Environment(Private):
    """The settings of one object."""

    document: Document
    stage: str
    """A key of `STAGES`; empty where nothing tells."""
    settings: dict[str, tuple[Node, int]] = field(default_factory=dict)
    """Value and line by path."""
    whole: bool = True
    is_overlay: bool = False
    """Whether a tool reads it over a base."""
    is_base: bool = False
    """Whether another environment is laid over it."""
    inherited: frozenset[str] = frozenset()
    """Paths whose values come from its base."""

    @property
    def label(self) -> str:
        """How the report names the object."""
        return self.document.source.label

    @property
    def name(self) -> str:
        """The stage, or the object's name where it is unknown."""
        return self.stage or self.label

    def may_lack(self, path: str) -> bool:
        """Whether a path that is not there is no gap: a base is no environment, and an overlay's base may have it."""
        return self.is_base or (self.is_overlay and path not in self.inherited)

    @property
    def is_production(self) -> bool:
        """Whether its stage is production."""
        return self.stage == "production"


def snake_path(path: str) -> str:
    """Return a path, or a key, in one spelling."""
    return snake_case(path).replace(".", "_")


ASSIGNING: Final = ("ruby", "python")
"""Languages in which frameworks keep settings as assignments."""
LONGEST_VALUE: Final = 40
"""Lines of one value at most."""
_ASSIGNED = re.compile(
    r"[ \t]{0,12}(?:config\.)?([A-Za-z_][\w.]{0,120}(?:\[[^\]\n]{1,60}\])?)[ \t]{0,8}=(?![=~>])[ \t]{0,8}(\S.{0,300})"
)


def stage_of(text: str) -> str:
    """Return the stage that a path names; the last part that names one wins."""
    for part in reversed(text.split("/")):
        for stage, pattern in _STAGE_WORDS.items():
            if pattern.search(part):
                return stage
    return ""


def read_assignments(document: Document) -> None:
    """Read settings that a program assigns line by line: `config/environments/*.rb`, `settings/production.py`."""
    if document.syntax or document.source.format not in ASSIGNING or document.cut:
        return
    root = Node(MAP, 1)
    lines = document.source.text.split("\n")[:MOST]
    at = 0
    while at < len(lines):
        match, first = _ASSIGNED.match(lines[at]), at + 1
        at += 1
        if match is None:
            continue
        value = match[2].strip()
        # A hash or list over several lines is one value.
        while _unclosed(value) and at < min(len(lines), first + LONGEST_VALUE):
            value, at = f"{value} {lines[at].strip()}", at + 1
        root.map[match[1]] = Node(TEXT, first, value)
        root.lines[match[1]] = first
    if root.map:
        document.syntax = document.source.format
        document.roots.append(root)


def _unclosed(value: str) -> bool:
    return any(value.count(begin) > value.count(end) for begin, end in ("()", "[]", "{}"))


def read_environment(document: Document, *, one_spelling: bool) -> Environment:
    """Return the settings of an object; `one_spelling` makes paths of different syntaxes comparable."""
    made = Environment(document, stage_of(document.name))
    declared = objects(document)
    for item in declared:
        # `web-staging` and `web-production` are one object, and so are the namespaces `staging` and `production`.
        name = _STAGE_IN_NAME.sub("", item.name).strip("-_.")
        _flatten(item.node, (f"{item.kind}/{name}".rstrip("/"),), made, one_spelling)
    if not declared:
        for number, root in enumerate(document.roots):
            _flatten(root, (str(number),) if len(document.roots) > 1 else (), made, one_spelling)
    if not made.stage:
        named = (
            stage_of(node.text)
            for path, (node, _) in made.settings.items()
            if node.scalar and _STAGE_KEY.search(snake_path(path.rpartition(".")[2]))
        )
        made.stage = next(filter(None, named), "")
    return made


def _flatten(root: Node, above: tuple[str, ...], made: Environment, one_spelling: bool) -> None:
    stack: list[tuple[tuple[str, ...], int, Node]] = [(above, root.line, root)]
    while stack:
        if len(made.settings) >= MOST:
            made.whole = False
            return
        path, line, node = stack.pop()
        inner = len(path) < DEEPEST
        if node.kind == MAP and node.map and inner:
            pairs = list(node.map.items())[:MOST]
            stack += [((*path, key), node.line_of(key), child) for key, child in reversed(pairs)]
        elif node.kind == LIST and inner and not all(item.scalar for item in node.items):
            for position, item in reversed(list(enumerate(node.items[:MOST]))):
                name = item.value("name") or item.value("key") or item.value("id") or str(position)
                stack.append(((*path, name), item.line, item))
        elif path:
            if node.kind == LIST and node.items and inner:
                node = Node(TEXT, node.line, ", ".join(item.text for item in node.items[:100]))
            key = "_".join(map(snake_path, path)) if one_spelling else ".".join(path)
            made.settings[key] = (node, line)


BASE: Final = "base/"
"""A folder of this name, or `bases`, is what the folders beside it are laid over."""
_BASE = re.compile(r"(?:^|/)bases?/")
_WORD = "|".join(pattern for stage, pattern in STAGES.items() if stage != "example")
_LAYERS = (
    # Spring Boot profiles, ASP.NET Core, Helm, Compose, Kustomize: each tool reads the base first.
    (re.compile(r"(?P<head>(?:^|.*/)(?:application|bootstrap))-[\w.-]+(?P<tail>\.(?:ya?ml|properties))$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/)appsettings)\.\w+(?P<tail>\.json)$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/)values)[-._][\w.-]+(?P<tail>\.ya?ml)$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/))(?:ci/)?[\w.-]+[-._]values(?P<tail>\.ya?ml)$"), "values"),
    (re.compile(r"(?P<head>(?:^|.*/)(?:docker-)?compose)[-.][\w.-]+(?P<tail>\.ya?ml)$"), ""),
    # dotenv reads `.env` beneath the file of a stage, Terraform `terraform.tfvars` beneath a `-var-file`.
    (re.compile(rf"(?P<head>(?:^|.*/)\.env)\.(?:{_WORD})(?P<tail>)(?:\.local)?$", re.I), ""),
    (re.compile(r"(?P<head>(?:^|.*/))(?!terraform\.)[\w-]+(?P<tail>\.tfvars)$"), "terraform"),
    (re.compile(r"(?P<head>(?:^|.*/))overlays?/[^/]+/(?P<tail>.*)$"), BASE),
    (
        re.compile(rf"(?P<head>(?:^|.*/)[\w-]+?)[-._](?:{_WORD})(?P<tail>\.(?:ya?ml|json|toml|properties|py))$", re.I),
        "",
    ),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})(?P<tail>\.(?:ya?ml|json|json5|toml|py))$", re.I), "default"),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})(?P<tail>\.(?:ya?ml|json|json5|toml|py))$", re.I), "base"),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})(?P<tail>\.(?:ya?ml|json|json5|toml|py))$", re.I), "common"),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})/(?P<tail>.*\.ya?ml)$", re.I), BASE),
)
"""How an overlay is called, and what stands in its base's name instead of the stage."""
_FLAT = re.compile(r"\.(?:env|tfvars)(?:\.|$)")
"""Layers only where their base is at hand, since many have none; every stage needs what one of them sets."""
_SURE = 8
"""So many of these are layers even where the base is not at hand."""


def base_of(name: str, names: Sequence[str]) -> str | None:
    """Return the base that a file is laid over, empty if it is not among these names, None for what is no layer."""
    for number, (pattern, instead) in enumerate(_LAYERS):
        match = pattern.match(name)
        if match is None:
            continue
        base = f"{match['head']}{instead}{match['tail']}"
        if base in names:
            return base
        if instead == BASE:
            folders = (f"{match['head']}base/", f"{match['head']}bases/")
            below = [other for other in names if other.startswith(folders)]
            same = [other for other in below if other.rpartition("/")[2] == name.rpartition("/")[2]]
            return (same or below or [""])[0] if below or number < _SURE else None
        if number < _SURE and not _FLAT.search(name):
            other_ending = base.replace(".yml", ".yaml") if base.endswith(".yml") else base.replace(".yaml", ".yml")
            return other_ending if other_ending in names else ""
    return None


_LAYERED = re.compile(r"(?:^|/)(?:kustomization\.ya?ml|Kustomization)$")
"""Names of files that put others together, and so lack nothing that one of them has."""


def lay(environments: Sequence[Environment]) -> list[str]:
    """Give every overlay what its base says, mark bases, and return what is to be said of it."""
    by_name = {environment.document.name: environment for environment in environments}
    notes = []
    for environment in environments:
        environment.is_base = environment.is_base or _BASE.search(environment.document.name) is not None
        base = base_of(environment.document.name, tuple(by_name))
        if base is None and not _LAYERED.search(environment.document.name):
            continue
        environment.is_overlay = _FLAT.search(environment.document.name) is None
        if base:
            below = by_name[base]
            below.is_base = True
            inherited = {path: held for path, held in below.settings.items() if path not in environment.settings}
            environment.inherited = frozenset(inherited)
            environment.settings.update(inherited)
            notes.append(f"{environment.label} is laid over {below.label} and inherits {len(inherited)} settings.")
        else:
            notes.append(
                f"{environment.label} is an overlay: what it lacks may be in its base, which is not among the inputs."
            )
    return notes
