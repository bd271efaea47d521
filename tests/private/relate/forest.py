"""Hand-made trees of facts, and a view of their relations by path."""

from __future__ import annotations

from typing import Any

from plantwin.private.facts import Edge, Facts, Provision, Reference
from plantwin.private.relate import Node, Relations, relate

FORMATS = {
    "py": "python", "js": "javascript", "ts": "typescript", "tsx": "tsx", "go": "go", "java": "java", "kt": "kotlin",
    "rb": "ruby", "rs": "rust", "c": "c", "h": "c", "cpp": "cpp", "cs": "csharp", "php": "php", "sh": "shell",
    "tf": "hcl", "html": "html", "css": "css", "scss": "css", "sql": "sql", "yml": "yaml", "yaml": "yaml",
    "json": "json", "toml": "toml", "md": "markdown", "log": "log", "csv": "csv", "ipynb": "notebook", "proto": "proto",
}  # fmt: skip
CODE = {
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "java",
    "kotlin",
    "ruby",
    "rust",
    "c",
    "cpp",
    "csharp",
    "php",
}
CODE |= {"shell", "hcl", "html", "css", "sql", "proto"}
KINDS = {"markdown": "document", "log": "log_stream", "csv": "structured_record", "text": "document"}


def facts(path: str, **given: Any) -> Facts:
    """Facts as extraction would give them for a file of that name, with what the test sets."""
    format = given.pop("format", FORMATS.get(path.rpartition(".")[2], "text"))
    kind = "code_file" if format in CODE else KINDS.get(format, "config")
    best = given.pop("best", "")
    uses = given.pop("uses", ())
    gives = given.pop("gives", ())
    fields: dict[str, Any] = {
        "part": "",
        "format": format,
        "kind": kind,
        "ranking": ((best, 9.0),) if best else (),
        "confidence": "high",
        "why": (),
        "role": "production",
        "references": tuple(Reference(how, target, reason) for how, target, reason in uses),
        "provides": tuple(Provision(how, name) for how, name in gives),
    }
    return Facts(**{**fields, **given})


def imports(how: str, *targets: str) -> list[tuple[str, str, str]]:
    """References with the reason `imports`."""
    return [(how, target, "imports") for target in targets]


class Graph:
    """Relations of a tree given as path to facts, read by path."""

    def __init__(self, tree: dict[str, dict[str, Any]], changed: dict[str, float] | None = None) -> None:
        self.numbers = {path: 1000 + place for place, path in enumerate(tree)}
        self.paths = {number: path for path, number in self.numbers.items()}
        self.nodes = [
            Node(self.numbers[path], path.partition("::")[0], facts(path, **given), (changed or {}).get(path, 0.0))
            for path, given in tree.items()
        ]
        self.relations: Relations = relate(self.nodes)

    def all(self, edge: str) -> set[tuple[str, str, str]]:
        """Source, reason and target of every edge of one type."""
        return {
            (self.paths[each.source], each.reason, self.paths.get(each.target, ""))
            for each in self.relations.edges
            if each.edge == edge
        }

    def targets(self, source: str, reason: str) -> set[str]:
        """What one path is related to for one reason."""
        return {self.paths[each.target] for each in self.of(source) if each.reason == reason}

    def of(self, source: str) -> list[Edge]:
        """The edges of one path, in order."""
        return [each for each in self.relations.edges if each.source == self.numbers[source]]

    def component(self, path: str) -> str:
        """The component of one path."""
        return self.relations.components[self.numbers[path]]

    def lacks(self, path: str) -> tuple[str, ...]:
        """What is absent beside one path."""
        return self.relations.lacks.get(self.numbers[path], ())
