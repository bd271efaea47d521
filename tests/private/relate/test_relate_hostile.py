"""Hostile trees: nothing crashes, hangs, grows without bound or depends on order."""

from __future__ import annotations

import random
import struct
import time
import tracemalloc
from typing import Any

from forest import Graph, facts, imports
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plantwin.private.facts import Edge
from plantwin.private.relate import Node, Relations, relate
from plantwin.private.relate.edges import KEPT
from plantwin.private.relate.resolvers import RESOLVERS
from plantwin.vocabulary import EdgeReason


def forest(size: int) -> list[Node]:
    """A generated tree: packages of twelve modules, ten references each, mostly nearby."""
    draw = random.Random(size)
    nodes = []
    for number in range(size):
        folder = number // 12
        near = [min(size - 1, number // 480 * 480 + draw.randrange(480)) for _ in range(6)]
        uses = [*imports("python", "os", "re:compile", "numpy")]
        uses += imports("python", *(f"svc{each // 480}.pkg{each // 12}.m{each}:x" for each in near))
        uses += imports("python", f".m{folder * 12 + draw.randrange(12)}:y")
        sketch = struct.pack(">32I", *sorted(draw.getrandbits(32) for _ in range(32)))
        given = facts("x.py", uses=uses, sketch=sketch, lines=90, role="test" if number % 10 == 0 else "production")
        nodes.append(Node(number, f"svc{number // 480}/pkg{folder}/m{number}.py", given, 0.0))
    return nodes


def spent(nodes: list[Node]) -> tuple[float, Relations]:
    start = time.process_time()
    relations = relate(nodes)
    return time.process_time() - start, relations


def test_cycles_and_self_references() -> None:
    tree = {
        "a.py": {"uses": imports("python", "a", "b")},
        "b.py": {"uses": imports("python", "c", "b")},
        "c.py": {"uses": imports("python", "a")},
        "c.sh": {"uses": [("shell", "c.sh", "runs"), ("shell", "./c.sh", "runs")]},
    }
    graph = Graph(tree)
    assert graph.all("depends_on") == {
        ("a.py", "imports", "b.py"),
        ("b.py", "imports", "c.py"),
        ("c.py", "imports", "a.py"),
    }


def test_nothing_at_all() -> None:
    assert relate([]) == Relations([], {}, {})


def test_ten_thousand_identical_files_stay_linear() -> None:
    sketch = struct.pack(">8I", *range(8))
    nodes = [Node(n, f"d{n % 100}/f{n}.py", facts("x.py", sketch=sketch, lines=8), 0.0) for n in range(10_000)]
    seconds, relations = spent(nodes)
    assert seconds < 5
    assert sum(each.reason == "copy" for each in relations.edges) == 9_999


def test_ten_thousand_near_identical_files_stay_linear() -> None:
    shared = list(range(31))
    nodes = [
        Node(n, f"d{n % 100}/f{n}.py", facts("x.py", sketch=struct.pack(">32I", *shared, 1000 + n), lines=40), 0.0)
        for n in range(10_000)
    ]
    seconds, relations = spent(nodes)
    assert seconds < 10
    per_source: dict[int, int] = {}
    for each in relations.edges:
        per_source[each.source] = per_source.get(each.source, 0) + (each.reason == "diverged")
    assert len(per_source) == 9_999
    assert max(per_source.values()) <= 3


def test_ten_thousand_files_of_one_name_and_one_series() -> None:
    nodes = []
    for number in range(5_000):
        uses = [*imports("c", f"x{number % 7}/config.h", "config.h"), *imports("php", f"A\\B{number}\\Config")]
        uses += imports("jvm", f"com.acme.C{number}", "com.acme.*", f"a.b{number}.Config")
        uses += [("package", "pkg/*", "builds"), ("path", f"gone{number}/config.h", "reads")]
        given = facts("x.c", uses=uses, gives=[("jvm", "com.acme"), ("table", "t"), ("package", "p")])
        nodes.append(Node(number, f"pkg/d{number}/config.h", given, 0.0))
        nodes.append(Node(10_000 + number, f"logs/app-2024-01-{number}.log", facts("x.log", span=(number, 9_000)), 0.0))
    seconds, relations = spent(nodes)
    assert seconds < 15
    assert len(relations.components) == 10_000


def test_odd_names_are_kept_apart_from_evidence() -> None:
    odd = [
        "a\nb.py",
        "\udcff\udcfe.py",
        "tab\there/\x1b[31m.py",
        "x" * 3_000 + ".py",
        "...",
        "-",
        " ",
        "ünïcode/ß.py",
        ".",
        "a//b",
    ]
    tree: dict[str, Any] = {name: {"uses": [("path", other, "reads") for other in odd]} for name in odd}
    graph = Graph(tree)
    assert graph.relations.edges
    for edge in graph.relations.edges:
        assert edge.evidence.isprintable()
        assert len(edge.evidence) < 700
        edge.evidence.encode()
    assert graph.targets("...", "reads") >= {"a\nb.py", "\udcff\udcfe.py"}


def test_targets_that_leave_the_root_or_never_end() -> None:
    wild = [
        "../" * 400 + "etc/passwd",
        "/" * 5_000,
        "a/" * 3_000,
        "." * 5_000,
        "::" * 2_000,
        "\\" * 2_000,
        "",
        "\0",
        "%00",
        "*",
    ]
    wild += [
        "crate::" + "a::" * 300,
        "super::" * 300,
        "@/" + "../" * 50,
        "./" * 400 + "x",
        ":",
        ":x",
        "x:",
        "..:",
        "mod:",
        "mod:../x",
    ]
    uses = [(how, target, "reads") for how in [*RESOLVERS, "never_heard_of"] for target in wild]
    tree: dict[str, Any] = {
        f"a/b/x{part}.rs": {"uses": uses[part * 60 : part * 60 + 60]} for part in range(len(uses) // 60 + 1)
    }
    graph = Graph({**tree, "etc/passwd": {}, "b/Cargo.toml": {}})
    assert "etc/passwd" not in {target for _, _, target in graph.all("depends_on")}


def test_four_thousand_folders_deep() -> None:
    path = ""
    nodes = []
    for depth in range(4_000):
        path += "d/"
        if depth % 80 == 0:
            nodes.append(
                Node(depth, path + "m.py", facts("m.py", uses=imports("python", "..m:x", "d.d.m", "json")), 0.0)
            )
    tracemalloc.start()
    seconds, relations = spent(nodes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 20
    assert peak < 150_000_000
    assert len(relations.components) == 50


def test_order_of_nodes_does_not_matter() -> None:
    nodes = forest(600)
    mixed = nodes[:]
    random.Random(1).shuffle(mixed)
    assert relate(nodes) == relate(mixed)


def test_private_in_print() -> None:
    node = Node(1, "secret/name.py", facts("x.py"), 0.0)
    assert repr(node) == "<Node private>"
    assert "secret" not in f"{relate([node])!r} {node} {[node]}"


def test_growth_is_linear() -> None:
    relate(forest(200))
    small, large = forest(2_000), forest(16_000)
    one = min(spent(small)[0] for _ in range(3))
    eight = min(spent(large)[0] for _ in range(2))
    # Quadratic growth would be 64 times; a busy machine alone explains less than half of that.
    assert eight < 8 * one * 3.5


_names = st.sampled_from(
    ["a", "b", "test_a", "a_test", "v1", "prod", "en", "x.env", "m", "index", "__init__", "0001_x", "old"]
)
_paths = st.builds(
    lambda folders, name, end: "/".join([*folders, name + end]),
    st.lists(_names, max_size=3),
    _names,
    st.sampled_from([".py", ".js", ".yml", ".log", ".md", ".sql", "", ".rs", ".example", ".csv"]),
)
_reasons = st.sampled_from([reason.value for reason in EdgeReason] + ["nonsense"])
_uses = st.lists(
    st.tuples(
        st.sampled_from([*RESOLVERS, "k8s"]),
        st.one_of(
            st.text(max_size=12), _paths, st.sampled_from(["a", "a.b", ".a", "a:b", "./a", "@/a", "crate::a", "mod:a"])
        ),
        _reasons,
    ),
    max_size=6,
)
_facts = st.fixed_dictionaries(
    {
        "uses": _uses,
        "gives": st.lists(
            st.tuples(st.sampled_from([*RESOLVERS, "go_module", "service"]), st.text(max_size=5)), max_size=3
        ),
        "role": st.sampled_from(["production", "test", "template"]),
        "settings": st.lists(st.tuples(st.text(max_size=3), st.integers(0, 3)), max_size=3).map(tuple),
        "pins": st.lists(st.tuples(st.text(max_size=3), st.text(max_size=5)), max_size=3).map(tuple),
        "sketch": st.binary(max_size=140),
        "span": st.none() | st.tuples(st.integers(-5, 5), st.integers(-5, 5)),
    }
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(_paths, _facts, max_size=12))
def test_any_tree_gives_a_valid_graph(tree: dict[str, dict[str, Any]]) -> None:
    graph = Graph(tree)
    numbers = set(graph.numbers.values())
    kinds = {reason.value: reason.edge.value for reason in EdgeReason}
    seen: set[tuple[int, str, str, int]] = set()
    count: dict[int, int] = {}
    for edge in graph.relations.edges:
        assert type(edge) is Edge
        assert edge.source in numbers
        assert edge.target in numbers or (edge.target == -1 and edge.edge == "requires_capability")
        assert edge.source != edge.target
        assert kinds[edge.reason] == edge.edge
        key = (edge.source, edge.edge, edge.reason, edge.target)
        assert key not in seen
        seen.add(key)
        count[edge.source] = count.get(edge.source, 0) + 1
        assert count[edge.source] <= KEPT
        assert edge.evidence.isprintable()
    assert set(graph.relations.components) == numbers
    assert set(graph.relations.lacks) <= numbers
