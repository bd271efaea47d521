"""Impact: what a change touches, how far away, why, and which tests to run."""

from __future__ import annotations

from typing import Any

import pytest
from capability_inputs import earlier
from test_map_dependencies import around, mapped, shop_around

from plantwin.private.capabilities.engine.job import Input, Neighbour, Result, Surroundings

__all__ = ("shop_around",)


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
def test_a_change_goes(way: str) -> None:
    start, arrows, expected = WAYS[way]
    links = [(one, reason, other) for one, reason, other in (arrow.split() for arrow in arrows.split(", "))]
    names = sorted({name for one, _, other in links for name in (one, other)})
    found = listed(mapped("find_impact", around(names, links, start)))
    assert {f"{name} {distance} {reason} {through}" for name, (distance, reason, through) in found.items()} == set(
        expected.split(", ")
    )


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
