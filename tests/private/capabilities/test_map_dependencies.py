"""Maps: what uses what, circles, layers, what nothing uses."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from capability_inputs import SHOP, earlier

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Finding, Input, Job, Link, Neighbour, Result, Surroundings
from plantwin.private.capabilities.graph.network import Network, components
from plantwin.private.environment import Environment
from plantwin.private.surroundings import Neighbourhood


def around(names: list[str], arrows: list[tuple[str, str, str]], *inputs: str) -> Surroundings:
    """Surroundings by hand: names, and who uses whom why."""
    place = {name: index for index, name in enumerate(names)}
    return Surroundings(
        objects=tuple(Neighbour(name, "code_file", "business_logic", "production", "c") for name in names),
        links=tuple(Link(place[one], "depends_on", reason, place[other], "") for one, reason, other in arrows),
        inputs=tuple(place[name] for name in inputs),
    )


def mapped(capability: str, held: Surroundings, *inputs: Input) -> Result:
    """Run one capability on surroundings."""
    given = inputs or tuple(Input(name=held.objects[each].name, data=b"") for each in held.inputs)
    result = function(capability)(Job(capability=capability, inputs=given, surroundings=held))
    assert sanitize(result.outcome, catalog()[capability]).dropped == ()
    return result


@pytest.fixture(scope="module")
def shop_around(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Surroundings of objects of the example shop."""
    base = tmp_path_factory.mktemp("map")
    shutil.copytree(SHOP, base / "shop")
    environment = Environment(base / "shop", state=base / "state")
    scan = environment.scan(jobs=1)
    records = {each.path: each for each in scan.records()}
    look = Neighbourhood(scan, records)
    yield lambda *names: look.around(names)
    environment.close()


def test_components_come_in_the_order_of_use() -> None:
    assert components({0: [1], 1: [2], 2: [0], 3: [0], 4: []}) == [[0, 1, 2], [3], [4]]
    assert components({0: [1], 1: []}) == [[1], [0]]
    long = {number: [number + 1] for number in range(50_000)} | {50_000: []}
    assert len(components(long)) == 50_001


def test_a_circle_is_found_and_shown() -> None:
    held = around(
        ["a", "b", "c", "d"],
        [("a", "imports", "b"), ("b", "imports", "c"), ("c", "imports", "a"), ("d", "imports", "a")],
        "a",
    )
    result = mapped("map_dependencies", held)
    assert [(each.tag, each.severity) for each in result.findings if each.tag == "circular_dependency"] == [
        ("circular_dependency", "medium")
    ]
    assert "a → b → c → a" in result.findings[0].message
    assert result.facts["layers"] == [["a", "b", "c"], ["d"]]


def test_a_test_that_uses_a_module_makes_no_circle() -> None:
    held = around(["a", "t"], [("t", "tests", "a"), ("a", "documents", "t")], "a")
    assert "circular_dependency" not in mapped("map_dependencies", held).outcome["tags"]  # type: ignore[operator]


def test_much_used_objects_are_named() -> None:
    names = ["hub", *(f"m{number}" for number in range(25))]
    result = mapped("map_dependencies", around(names, [(each, "imports", "hub") for each in names[1:]], "hub"))
    assert ("high_coupling", "Is used by 25 others directly") in {(each.tag, each.message) for each in result.findings}
    assert result.facts["fans"]["hub"] == {"in": 25, "out": 0}  # type: ignore[index]


def test_what_nothing_uses_is_named_but_not_ways_in() -> None:
    held = around(["a", "b", "c"], [("a", "imports", "b"), ("c", "documents", "a")], "a")
    found = {(each.name, each.tag) for each in mapped("map_dependencies", held).findings}
    assert ("a", "unused") in found
    assert ("b", "unused") not in found
    entry = Surroundings(objects=(Neighbour("main.py", "code_file", "app_entrypoint", "production"),), inputs=(0,))
    assert mapped("map_dependencies", entry).findings == []


def test_the_shop_is_mapped(shop_around: Any) -> None:
    name = "shop/payments/service.py"
    given = Input(name=name, file=str(SHOP / name))
    result = mapped("map_dependencies", shop_around(name), given)
    uses = {each["name"]: each["distance"] for each in result.facts["uses"]}  # type: ignore[attr-defined]
    used = {each["name"]: each["distance"] for each in result.facts["used_by"]}  # type: ignore[attr-defined]
    assert {"shop/db.py": 1, "shop/payments/quillfjord_gateway.py": 1}.items() <= uses.items()
    assert {
        "shop/app.py": 1,
        "tests/test_payments.py": 1,
        "Dockerfile": 2,
        "docker-compose.yml": 3,
    }.items() <= used.items()
    assert "├─ shop/app.py (imports)" in result.text
    assert "```mermaid" in result.text
    assert result.outcome == {"status": "done", "severity": "none", "count": "many", "tags": []}


def test_packages_from_outside_are_told(shop_around: Any) -> None:
    name = "shop/auth/service.py"
    result = mapped("map_dependencies", shop_around(name), Input(name=name, file=str(SHOP / name)))
    assert result.facts["packages"] == {name: ["argon2", "jwt"]}


def test_a_result_leads_to_the_objects_it_speaks_of(shop_around: Any) -> None:
    finding = Finding(name="shop/db.py", severity="low", tag="unused", message="x")
    audit = Result(outcome={"status": "done"}, findings=[finding])
    result = mapped("map_dependencies", shop_around("s1"), earlier("s1", "security_audit", audit))
    assert result.facts["objects"] == ["shop/db.py"]


def test_nothing_around_is_a_failure() -> None:
    assert mapped("map_dependencies", Surroundings(), Input(name="a.py", data=b"")).outcome["status"] == "failed"


def test_links_that_lead_nowhere_do_no_harm() -> None:
    held = Surroundings(
        objects=(Neighbour("a", "code_file", "x"),),
        links=(
            Link(0, "depends_on", "imports", 7),
            Link(-3, "depends_on", "imports", 0),
            Link(0, "requires_capability", "runtime", -1),
        ),
        inputs=(0,),
    )
    network = Network(held)
    assert (network.outgoing(0), network.incoming(0), network.needs[0]) == (set(), set(), ["runtime"])
    assert mapped("map_dependencies", held).outcome["status"] == "done"


def test_a_large_region_is_cut() -> None:
    names = [f"m{number:04}" for number in range(1000)]
    result = mapped("map_dependencies", around(names, [(each, "imports", "m0000") for each in names[1:]], "m0000"))
    assert (result.outcome["status"], "truncated" in result.outcome["tags"]) == ("partial", True)  # type: ignore[operator]
    assert len(result.text) < 40_000
