"""Impact: what a change touches, how far away, why, and which tests to run."""

from __future__ import annotations

from typing import Any

from capability_inputs import earlier
from test_map_dependencies import around, mapped, shop_around

from plantwin.private.capabilities.graph.impact import touched
from plantwin.private.capabilities.graph.network import Network
from plantwin.private.capabilities.job import Input, Neighbour, Result, Surroundings

__all__ = ("shop_around",)


def listed(result: Result) -> dict[str, tuple[int, str, str]]:
    """Distance, reason and the object through which each was reached."""
    found: Any = result.facts["touched"]
    return {each["name"]: (each["distance"], each["reason"], each["through"]) for each in found}


def test_a_change_goes_to_what_uses_it() -> None:
    held = around(
        ["a", "b", "c", "t"],
        [("b", "imports", "a"), ("c", "imports", "b"), ("t", "tests", "b"), ("a", "imports", "c")],
        "a",
    )
    assert listed(mapped("find_impact", held)) == {
        "b": (1, "imports", "a"),
        "c": (2, "imports", "b"),
        "t": (2, "tests", "b"),
    }


def test_who_reads_what_it_writes_is_touched_and_who_writes_too_is_not() -> None:
    held = around(
        ["writer", "table", "reader", "other", "user"],
        [
            ("writer", "writes", "table"),
            ("reader", "reads", "table"),
            ("other", "writes", "table"),
            ("user", "imports", "reader"),
        ],
        "writer",
    )
    found = listed(mapped("find_impact", held))
    assert set(found) == {"table", "reader", "user"}
    assert found["reader"] == (2, "reads", "table")


def test_documents_and_tests_end_the_way() -> None:
    held = around(
        ["a", "doc", "b", "t", "u"],
        [("doc", "documents", "a"), ("b", "imports", "doc"), ("t", "tests", "a"), ("u", "imports", "t")],
        "a",
    )
    assert set(listed(mapped("find_impact", held))) == {"doc", "t"}


def test_a_circle_ends() -> None:
    held = around(["a", "b"], [("a", "imports", "b"), ("b", "imports", "a")], "a")
    assert [each.distance for each in touched(Network(held), [0])] == [1]


def test_the_shop(shop_around: Any) -> None:
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


def test_a_document_touches_little(shop_around: Any) -> None:
    result = mapped("find_impact", shop_around("docs/runbook.md"), Input(name="docs/runbook.md", data=b""))
    assert result.outcome["severity"] in ("none", "low")
    assert result.facts["tests"] == []


def test_a_wide_impact_is_said_to_be_one() -> None:
    names = ["hub", *(f"m{number:03}" for number in range(600))]
    result = mapped("find_impact", around(names, [(each, "imports", "hub") for each in names[1:]], "hub"))
    assert {"wide_impact", "truncated"} <= set(result.outcome["tags"])  # type: ignore[arg-type]
    assert result.outcome["status"] == "partial"


def test_it_follows_earlier_results(shop_around: Any) -> None:
    first = mapped("find_impact", shop_around("shop/db.py"), Input(name="shop/db.py", data=b""))
    again = mapped("find_impact", shop_around("s1"), earlier("s1", "find_impact", first))
    assert "shop/db.py" in again.facts["objects"]  # type: ignore[operator]


def test_nothing_around_is_a_failure() -> None:
    held = Surroundings(objects=(Neighbour("b", "code_file", "x"),), inputs=(-1,))
    assert mapped("find_impact", held, Input(name="a", data=b"")).outcome["status"] == "failed"
