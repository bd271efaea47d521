"""Maps of what uses what (circles, layers, what nothing uses), and what a change touches and which tests to run."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from capability_inputs import SHOP, Run, earlier

from plantwin.private.capabilities.engine.job import Finding, Input, Link, Neighbour, Result, Surroundings
from plantwin.private.capabilities.graph import Network, components
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


@pytest.fixture
def mapped(run: Run) -> Run:
    """Run one capability on surroundings, by default on the objects that they name as inputs."""

    def call(capability: str, held: Surroundings, *inputs: Input) -> Result:
        given = inputs or tuple(Input(name=held.objects[place].name, data=b"") for place in held.inputs)
        return run(capability, *given, surroundings=held)

    return call


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


def test_a_circle_is_found_and_shown(mapped: Run) -> None:
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


def test_a_test_that_uses_a_module_makes_no_circle(mapped: Run) -> None:
    held = around(["a", "t"], [("t", "tests", "a"), ("a", "documents", "t")], "a")
    assert "circular_dependency" not in mapped("map_dependencies", held).outcome["tags"]  # type: ignore[operator]


def test_much_used_objects_are_named(mapped: Run) -> None:
    names = ["hub", *(f"m{number}" for number in range(25))]
    result = mapped("map_dependencies", around(names, [(each, "imports", "hub") for each in names[1:]], "hub"))
    assert result.text.startswith("`hub` is used by ")
    assert ("high_coupling", "Is used by 25 others directly") in {(each.tag, each.message) for each in result.findings}
    assert result.facts["fans"]["hub"] == {"in": 25, "out": 0}  # type: ignore[index]


def test_what_nothing_uses_is_named_but_not_ways_in(mapped: Run) -> None:
    held = around(["a", "b", "c"], [("a", "imports", "b"), ("c", "documents", "a")], "a")
    found = {(each.name, each.tag) for each in mapped("map_dependencies", held).findings}
    assert ("a", "unused") in found
    assert ("b", "unused") not in found
    entry = Surroundings(objects=(Neighbour("main.py", "code_file", "app_entrypoint", "production"),), inputs=(0,))
    assert mapped("map_dependencies", entry).findings == []


def test_the_shop_is_mapped(mapped: Run, shop_around: Any) -> None:
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


def test_packages_from_outside_are_told(mapped: Run, shop_around: Any) -> None:
    name = "shop/auth/service.py"
    result = mapped("map_dependencies", shop_around(name), Input(name=name, file=str(SHOP / name)))
    assert result.facts["packages"] == {name: ["argon2", "jwt"]}


def test_a_result_leads_to_the_objects_it_speaks_of(mapped: Run, shop_around: Any) -> None:
    finding = Finding(name="shop/db.py", severity="low", tag="unused", message="x")
    audit = Result(outcome={"status": "done"}, findings=[finding])
    result = mapped("map_dependencies", shop_around("s1"), earlier("s1", "security_audit", audit))
    assert result.facts["inputs"] == ["shop/db.py"]
    assert "shop/app.py" in result.facts["objects"]  # type: ignore[operator]


def test_nothing_around_is_a_failure(mapped: Run) -> None:
    assert mapped("map_dependencies", Surroundings(), Input(name="a.py", data=b"")).outcome["status"] == "failed"


def test_links_that_lead_nowhere_do_no_harm(mapped: Run) -> None:
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


def test_a_large_region_is_cut(mapped: Run) -> None:
    names = [f"m{number:04}" for number in range(1000)]
    result = mapped("map_dependencies", around(names, [(each, "imports", "m0000") for each in names[1:]], "m0000"))
    assert (result.outcome["status"], "truncated" in result.outcome["tags"]) == ("partial", True)  # type: ignore[operator]
    assert len(result.text) < 40_000


# find_impact


def listed(result: Result) -> dict[str, tuple[int, str, str]]:
    """Distance, reason and the object through which each was reached."""
    found: Any = result.facts["touched"]
    return {each["name"]: (each["distance"], each["reason"], each["through"]) for each in found}


WAYS = {
    "to what uses it": (
        "a",
        "b imports a, c imports b, t tests b, a imports c",
        "b 1 imports a, c 2 imports b, t 2 tests b",
    ),
    "to who reads what it writes, not to who writes too": (
        "writer",
        "writer writes table, reader reads table, other writes table, user imports reader",
        "table 1 writes writer, reader 2 reads table, user 3 imports reader",
    ),
    "documents and tests end the way": (
        "a",
        "doc documents a, b imports doc, t tests a, u imports t",
        "doc 1 documents a, t 1 tests a",
    ),
    "a circle ends": ("a", "a imports b, b imports a", "b 1 imports a"),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_change_goes(mapped: Run, way: str) -> None:
    start, arrows, expected = WAYS[way]
    links = [(one, reason, other) for one, reason, other in (arrow.split() for arrow in arrows.split(", "))]
    names = sorted({name for one, _, other in links for name in (one, other)})
    found = listed(mapped("find_impact", around(names, links, start)))
    assert {f"{name} {distance} {reason} {through}" for name, (distance, reason, through) in found.items()} == set(
        expected.split(", ")
    )


def test_the_impact_of_a_change_in_the_shop(mapped: Run, shop_around: Any) -> None:
    result = mapped("find_impact", shop_around("shop/db.py"), Input(name="shop/db.py", data=b""))
    found = listed(result)
    assert {name for name, each in found.items() if each[0] == 1} == {
        "shop/app.py",
        "shop/auth/service.py",
        "shop/payments/service.py",
    }
    assert found["Dockerfile"] == (2, "builds", "shop/app.py")
    assert found["shop/orders.py"] == (3, "reads", "data/shop.db#orders")
    assert result.facts["tests"] == ["tests/test_auth.py", "tests/test_payments.py"]
    assert result.facts["risk"] == "high"
    assert result.outcome["severity"] == "high"
    assert {"public_interface", "untested"} <= set(result.outcome["tags"])  # type: ignore[arg-type]
    assert {each.name for each in result.findings if each.tag == "public_interface"} == {"shop/app.py"}
    assert ("shop/db.py", "untested") in {(each.name, each.tag) for each in result.findings}
    assert "Tests to run:\n\n- `tests/test_auth.py`" in result.text
    assert "Documents to look at:\n\n- `README.md`" in result.text


def test_a_document_touches_little(mapped: Run, shop_around: Any) -> None:
    result = mapped("find_impact", shop_around("docs/runbook.md"), Input(name="docs/runbook.md", data=b""))
    assert result.outcome["severity"] in ("none", "low")
    assert result.facts["tests"] == []


def test_a_wide_impact_is_said_to_be_one(mapped: Run) -> None:
    names = ["hub", *(f"m{number:03}" for number in range(600))]
    result = mapped("find_impact", around(names, [(each, "imports", "hub") for each in names[1:]], "hub"))
    assert {"wide_impact", "truncated"} <= set(result.outcome["tags"])  # type: ignore[arg-type]
    assert result.outcome["status"] == "partial"


def test_it_follows_earlier_results(mapped: Run, shop_around: Any) -> None:
    first = mapped("find_impact", shop_around("shop/db.py"), Input(name="shop/db.py", data=b""))
    again = mapped("find_impact", shop_around("s1"), earlier("s1", "find_impact", first))
    assert "shop/db.py" in again.facts["inputs"]  # type: ignore[operator]


def test_nothing_around_has_no_impact(mapped: Run) -> None:
    held = Surroundings(objects=(Neighbour("b", "code_file", "x"),), inputs=(-1,))
    assert mapped("find_impact", held, Input(name="a", data=b"")).outcome["status"] == "failed"


def test_who_imports_a_package_is_touched_by_every_file_of_it(mapped: Run) -> None:
    names = ["store/store.go", "store/user.go", "store/user_test.go", "api/handler.go", "web/user.go"]
    held = around(names, [("api/handler.go", "imports", "store/store.go")], "store/user.go")
    found = {row["name"]: row["reason"] for row in mapped("find_impact", held).facts["touched"]}
    assert found == {"api/handler.go": "imports", "store/store.go": "package"}
