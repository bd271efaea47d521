"""What a module uses and what uses it: a planted package in which each import, and each look-alike, is known."""

from __future__ import annotations

import json
import sys
import tempfile
import time
import tomllib
from itertools import permutations
from pathlib import Path

from benchmarks.capabilities.section import HEADS, Section, done, judged, peer, sampled
from plantwin import Environment
from plantwin.private.capabilities.find_impact import FARTHEST
from plantwin.vocabulary import EdgeReason

PACKAGE = "shopkit"
_GRIMP = """
import json, sys
import grimp
graph = grimp.build_graph("shopkit", cache_dir=None)
print(json.dumps([[name, other] for name in graph.modules for other in graph.find_modules_directly_imported_by(name)]))
"""
Pairs = set[tuple[str, str]]
Distances = dict[tuple[str, str], int]


def sections(data: Path | None) -> list[Section]:
    """Return what is measured."""
    forms = tomllib.loads(Path(__file__).with_name("planted_imports.toml").read_text("utf-8"))["form"]
    # Look-alikes come last, so that they break no chain.
    forms.sort(key=lambda form: not form["imports"])
    with tempfile.TemporaryDirectory() as folder:
        modules = [_module(at) for at in range(len(forms) + 1)]
        planted: Pairs = set()
        for at, form in enumerate(forms):
            parent, _, name = modules[at + 1].rpartition(".")
            _write(folder, modules[at], form["text"].format(path=modules[at + 1], parent=parent, name=name))
            if form["imports"]:
                planted.add((modules[at], modules[at + 1]))
        _write(folder, modules[-1], "X = 1\n")
        uses, seconds = _uses(folder)
        asked = sampled(modules, 4)
        touched, impact_seconds = _touched(folder, asked)
        told = peer([sys.executable, "-c", _GRIMP], Path(folder))
    theirs = {(name, other) for name, other in json.loads(told.text)} if told and told.text else None
    peer_seconds = told.seconds if told else 0.0
    pairs = list(permutations(modules, 2))
    labels = [pair in planted for pair in pairs]
    missed = [
        form["name"] for at, form in enumerate(forms) if form["imports"] and (modules[at], modules[at + 1]) not in uses
    ]
    rows = [
        judged("ours", labels, [pair in uses for pair in pairs], seconds),
        judged("grimp", labels, None if theirs is None else [pair in theirs for pair in pairs], peer_seconds),
    ]
    text = (
        f"{len(forms)} modules of a planted package (`planted_imports.toml`), each with one way to import the next "
        "or with what only looks like it; all ordered pairs are labelled. Ours are the relations of a scan, which "
        f"`map_dependencies` shows; missed: {'; '.join(missed) or 'none'}."
    )
    reached, closed = _distances(planted), _distances(theirs or set())
    pairs = [pair for pair in pairs if pair[1] in asked]
    labels = [pair in reached for pair in pairs]
    impacts = [
        judged("ours", labels, [pair[::-1] in touched for pair in pairs], impact_seconds),
        judged("grimp", labels, None if theirs is None else [pair in closed for pair in pairs], peer_seconds),
    ]
    words = (
        f"The same package: what a change of {len(asked)} of its modules touches within {FARTHEST} steps; ours is "
        "started and scans for each."
    )
    return [
        Section("map_dependencies: planted imports", text, HEADS, rows),
        Section("find_impact: planted imports", words, HEADS, impacts),
    ]


def _module(at: int) -> str:
    return f"{PACKAGE}.{'core.' if at % 3 else ''}part{at}"


def _write(folder: str, module: str, text: str) -> None:
    path = Path(folder, *module.split(".")).with_suffix(".py")
    for part in (path.parent, path.parent.parent):
        part.mkdir(parents=True, exist_ok=True)
        if part != Path(folder):
            (part / "__init__.py").touch()
    path.write_text(text, "utf-8")


def _named(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


def _uses(folder: str) -> tuple[Pairs, float]:
    """Return which module imports which, by the relations of a scan."""
    begun = time.perf_counter()
    scan = Environment(folder).scan()
    names = {record.number: _named(record.path) for record in scan.records()}
    found = {
        (names[relation.source], names[relation.target])
        for relation in scan.relations()
        if relation.reason == EdgeReason.IMPORTS
    }
    return found, time.perf_counter() - begun


def _touched(folder: str, modules: list[str]) -> tuple[Pairs, float]:
    """Return which modules a change of each touches."""
    found: Pairs = set()
    seconds = 0.0
    for module in modules:
        told, taken = done("find_impact", Path(folder), f"{module.replace('.', '/')}.py")
        seconds += taken
        found |= {(module, _named(row["name"])) for row in told["result"]["facts"]["touched"]}
    return found, seconds


def _distances(direct: Pairs) -> Distances:
    """Return how many steps lead from a module to one that it uses, at most so many as `find_impact` looks."""
    found: Distances = dict.fromkeys(direct, 1)
    for step in range(2, FARTHEST + 1):
        for (start, middle), steps in list(found.items()):
            if steps == step - 1:
                for _, end in [pair for pair in direct if pair[0] == middle]:
                    found.setdefault((start, end), step)
    return found
