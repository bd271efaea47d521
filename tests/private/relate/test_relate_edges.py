"""Each edge type with its reasons, on small realistic trees (`trees.txt`); evidence names no values."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

import pytest
from forest import Graph, imports

from plantwin.private.relate.edges import EDGES, USEFULNESS
from plantwin.private.relate.links import subject
from plantwin.private.relate.similarity import likeness
from plantwin.vocabulary import EdgeReason
from tables import cases


def sketch(seed: int, size: int = 32, changed: int = 0) -> bytes:
    """A sketch of which the last `changed` hashes differ from the unchanged one of the same seed."""
    draw = random.Random(seed)
    hashes = [draw.getrandbits(31) for _ in range(size)]
    other = random.Random(seed + 7_000_000)
    for place in range(changed):
        hashes[-1 - place] = other.getrandbits(31)
    return struct.pack(f">{size}I", *sorted(hashes))


TREES = dict(
    block.removeprefix("# ").split("\n", 1)
    for block in (Path(__file__).parent / "trees.txt").read_text("utf-8").strip().split("\n\n")
)


def fact(words: list[str]) -> tuple[str, Any]:
    """What one file says: `gives HOW NAME`, `REASON HOW TARGET…`, or a field with its value."""
    name, *rest = words
    if name == "gives":
        return "gives", (rest[0], rest[1])
    if name in EDGES:
        return "uses", [(rest[0], target, name) for target in rest[1:]]
    if name == "settings":
        return name, tuple((key, int(digest)) for key, _, digest in (pair.partition("=") for pair in rest))
    if name == "span":
        return name, tuple(map(int, rest))
    return name, int(rest[0]) if rest[0].isdigit() else rest[0]


def grown(text: str) -> tuple[dict[str, Any], set[tuple[str, str, str]], list[str]]:
    """Return a tree, the edges that it must have, and the edge types that it must have no other edges of."""
    tree: dict[str, Any] = {}
    edges: set[tuple[str, str, str]] = set()
    complete = []
    for line in text.splitlines():
        if line.startswith("-> "):
            source, reason, *targets = line.split()[1:]
            edges |= {(source, reason, target) for target in targets}
        elif line.startswith("no other "):
            complete.append(line.split()[2])
        else:
            path, _, facts = line.partition(": ")
            given: dict[str, Any] = tree.setdefault(path, {})
            for name, value in (fact(each.split()) for each in facts.split("; ") if each):
                if name == "gives":
                    given.setdefault(name, []).append(value)
                elif name == "uses":
                    given.setdefault(name, []).extend(value)
                else:
                    given[name] = value
    return tree, edges, complete


@pytest.mark.parametrize("title", TREES)
def test_trees(title: str) -> None:
    tree, edges, complete = grown(TREES[title])
    graph = Graph(tree)
    for source, reason in {(source, reason) for source, reason, _ in edges}:
        expected = {target for one, why, target in edges if (one, why) == (source, reason)} - {"nothing"}
        assert graph.targets(source, reason) == expected
    for edge in complete:
        assert graph.all(edge) == {each for each in edges if EDGES[each[1]] == edge}


def test_python_same_package_name_in_many_services_means_the_nearest() -> None:
    tree: dict[str, Any] = {}
    for number in range(40):
        tree[f"services/s{number:02}/src/app/__init__.py"] = {}
        tree[f"services/s{number:02}/src/app/models.py"] = {}
        tree[f"services/s{number:02}/tests/check.py"] = {"uses": imports("python", "app.models:User")}
    graph = Graph(tree)
    for number in range(40):
        found = graph.targets(f"services/s{number:02}/tests/check.py", "imports")
        assert found == {f"services/s{number:02}/src/app/models.py"}


@cases("how", "target", "meant")
def test_paths(how: str, target: str, meant: str) -> None:
    tree = {
        "config/app.yml": {"kind": "document"},
        "lib/util.sh": {},
        "scripts/x.sh": {},
        "docs/a b.md": {},
        "public/style.css": {},
        "templates/mail.html": {},
        "web/package.json": {},
        "web/zeta.js": {},
        "scripts/run.sh": {"uses": [(how, target, "runs")]},
    }
    assert Graph(tree).targets("scripts/run.sh", "runs") == ({meant} if meant else set())


# depends_on


def test_a_test_that_imports_nothing_is_about_its_namesake_in_the_same_language() -> None:
    tree = {
        "a/cart.rb": {},
        "b/cart.rb": {},
        "b/cart.py": {},
        "b/spec/cart_spec.rb": {"role": "test"},
        "b/spec/other_spec.rb": {"role": "test"},
    }
    graph = Graph(tree)
    assert graph.all("depends_on") == {("b/spec/cart_spec.rb", "tests", "b/cart.rb")}
    assert graph.of("b/spec/cart_spec.rb")[0].evidence == "named after cart.rb"


@cases("stem", "meant")
def test_subject(stem: str, meant: str) -> None:
    assert subject(stem) == meant


def test_handlers_refer_to_the_only_contract() -> None:
    tree = {
        "api/openapi.yaml": {"best": "api_contract"},
        "api/routes.py": {"best": "api_handler"},
        "api/unsure.py": {"best": "api_handler", "confidence": "low"},
    }
    assert ("api/routes.py", "specifies", "api/openapi.yaml") in Graph(tree).all("depends_on")
    assert Graph(tree).of("api/unsure.py") == []
    assert Graph({**tree, "api/other.yaml": {"best": "api_contract"}}).of("api/routes.py") == []


# derived_from


@cases("made", "reason", "source")
def test_derived_from(made: str, reason: str, source: str) -> None:
    assert Graph({made: {}, source: {}, "other/thing.txt": {}}).all("derived_from") == {(made, reason, source)}


# similar_to


def test_copies_and_near_duplicates() -> None:
    tree: dict[str, Any] = {
        "a.py": {"sketch": sketch(1), "lines": 50},
        "b.py": {"sketch": sketch(1), "lines": 50},
        "c.py": {"sketch": sketch(1, changed=2), "lines": 51},
        "d.py": {"sketch": sketch(1, changed=20), "lines": 50},
        "e.py": {"sketch": sketch(2), "lines": 50, "size": 800},
        "e2.py": {"sketch": sketch(2), "lines": 50, "size": 810},
        "f.py": {"sketch": sketch(3, size=5), "lines": 5},
        "g.py": {"sketch": sketch(3, size=5), "lines": 9},
        "h.py": {"sketch": b"odd", "lines": 9},
    }
    assert Graph(tree).all("similar_to") == {
        ("b.py", "copy", "a.py"),
        ("c.py", "diverged", "a.py"),
        ("e2.py", "diverged", "e.py"),
        ("g.py", "diverged", "f.py"),
    }


def test_likeness_estimates_the_share_of_common_lines() -> None:
    draw = random.Random(5)
    for share in (0.95, 0.85, 0.5):
        estimates = []
        for _ in range(40):
            common = [draw.getrandbits(32) for _ in range(int(1000 * share))]
            one = sorted(common + [draw.getrandbits(32) for _ in range(1000 - len(common))])[:32]
            other = sorted(common + [draw.getrandbits(32) for _ in range(1000 - len(common))])[:32]
            estimates.append(likeness(struct.pack(">32I", *one), struct.pack(">32I", *other)))
        true = share / (2 - share)
        assert abs(sum(estimates) / 40 - true) < (0.05 if share > 0.8 else 0.35)


def test_of_several_likenesses_of_a_pair_the_most_useful_is_kept() -> None:
    tree: dict[str, Any] = {
        "app.prod.yml": {"sketch": sketch(1), "lines": 9},
        "app.dev.yml": {"sketch": sketch(1, changed=1), "lines": 9},
    }
    assert Graph(tree).all("similar_to") == {
        ("app.dev.yml", "sibling", "app.prod.yml"),
    }


# requires_capability, conflicts_with


def test_needs_become_edges_without_a_target() -> None:
    graph = Graph({"a.ipynb": {"needs": ("notebook_runtime", "runtime", "nonsense")}})
    assert [(each.edge, each.reason, each.target) for each in graph.of("a.ipynb")] == [
        ("requires_capability", "notebook_runtime", -1),
        ("requires_capability", "runtime", -1),
    ]


def test_sibling_configs_conflict_on_keys_and_never_show_values() -> None:
    tree: dict[str, Any] = {
        "app.production.yml": {"settings": (("db.host", 11), ("db.pool", 22), ("log", 5), ("only", 1))},
        "app.staging.yml": {"settings": (("db.host", 987654321), ("db.pool", 33), ("log", 5))},
        "app.dev.yml": {"settings": (("log", 5),)},
        "unrelated.yml": {"settings": (("db.host", 77),)},
    }
    graph = Graph(tree)
    assert graph.all("conflicts_with") == {("app.staging.yml", "value", "app.production.yml")}
    evidence = graph.of("app.staging.yml")[0].evidence
    assert evidence == "key db.host, db.pool differ"
    assert "987654321" not in evidence


def test_exact_pins_of_one_package_conflict_within_an_ecosystem() -> None:
    tree: dict[str, Any] = {
        "a/requirements.txt": {"format": "requirements", "pins": (("Requests", "==2.1.0"), ("flask", ">=2"))},
        "b/requirements.txt": {"format": "requirements", "pins": (("requests", "==2.9.0"), ("flask", "==3.0"))},
        "c/package.json": {"pins": (("requests", "1.0.0"),)},
        "d/Cargo.toml": {"pins": (("serde", "1.0"),)},
        "e/Cargo.toml": {"pins": (("serde", "1.1"),)},
        "f/package.json": {"pins": (("left", "1.0.0"), ("left", "2.0.0"))},
        "g/package.json": {"pins": (("left", "3.0.0"),)},
    }
    graph = Graph(tree)
    assert graph.all("conflicts_with") == {("b/requirements.txt", "version", "a/requirements.txt")}
    assert graph.of("b/requirements.txt")[0].evidence == "package requests pinned differently"


def test_a_lock_file_that_disagrees_with_its_manifest_conflicts() -> None:
    tree: dict[str, Any] = {
        "package.json": {"pins": (("left", "1.0.0"), ("right", "^2.0.0"))},
        "package-lock.json": {"pins": (("left", "1.0.1"), ("right", "2.4.0"))},
    }
    assert Graph(tree).all("conflicts_with") == {("package-lock.json", "version", "package.json")}


# ranking


def test_every_reason_has_its_usefulness_and_edge_type() -> None:
    assert set(USEFULNESS) == {reason.value for reason in EdgeReason}
    assert {reason.value: reason.edge.value for reason in EdgeReason} == EDGES


def test_the_most_useful_edges_come_first_and_equals_stay_together() -> None:
    tree: dict[str, Any] = {f"lib/m{number:02}.py": {} for number in range(40)}
    tree["config/app.yml"] = {}
    tree["lib/hub.py"] = {
        "uses": [*imports("python", *(f"m{number:02}" for number in range(40))), ("path", "config/app.yml", "reads")],
        "needs": ("runtime",),
    }
    edges = Graph(tree).of("lib/hub.py")
    assert len(edges) == 41  # more than KEPT, since all imports weigh the same: none is chosen by its line
    assert [each.reason for each in edges] == ["configures"] + ["imports"] * 40
    assert [each.weight for each in edges] == sorted((each.weight for each in edges), reverse=True)


def test_what_everything_imports_is_less_telling() -> None:
    tree: dict[str, Any] = {"util.py": {}, "rare.py": {}}
    for number in range(70):
        tree[f"m{number}.py"] = {"uses": imports("python", "util", *(["rare"] if not number else []))}
    assert [each.evidence for each in Graph(tree).of("m0.py")] == ["import rare", "import util"]
