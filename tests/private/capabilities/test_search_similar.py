"""Likeness: copies, near duplicates, siblings, the same kind; with reasons."""

from __future__ import annotations

import time

from plantwin.boundary.outcome import sanitize
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Job, Link, Neighbour, Result, Surroundings
from plantwin.private.classify.extraction import sketch

LINES = [f"line number {number} says {number * 7919}\n" for number in range(60)]


def neighbour(name: str, text: str = "", **more) -> Neighbour:
    more.setdefault("kind", "code_file")
    more.setdefault("semantic_class", "business_logic")
    return Neighbour(name=name, sketch=sketch(text.encode()) if text else b"", **more)


def search(objects: list[Neighbour], links: list[Link] | None = None, inputs: tuple[int, ...] = (0,)) -> Result:
    around = Surroundings(objects=tuple(objects), links=tuple(links or ()), inputs=inputs)
    given = tuple(Input(name=objects[place].name, data=b"x") for place in inputs)
    result = function("search_similar")(Job(capability="search_similar", inputs=given, surroundings=around))
    assert sanitize(result.outcome, catalog()["search_similar"]).dropped == ()
    return result


def matches(result: Result, name: str) -> dict[str, dict]:
    return {each["object"]: each for each in result.facts["matches"][name]}  # type: ignore[index]


def test_copies_near_duplicates_and_strangers() -> None:
    objects = [
        neighbour("a.py", "".join(LINES)),
        neighbour("b/a.py", "".join(LINES)),
        neighbour("near.py", "".join(LINES[:54]) + "".join(f"another thing {n} here\n" for n in range(6))),
        neighbour(
            "far.js", "".join(f"nothing alike at all {n * 31}\n" for n in range(60)), semantic_class="ui_component"
        ),
        neighbour("empty.txt", "", kind="document", semantic_class="general_document"),
    ]
    found = search(objects, [Link(1, "similar_to", "copy", 0)])
    told = matches(found, "a.py")
    assert set(told) == {"b/a.py", "near.py"}
    assert (told["b/a.py"]["sort"], told["b/a.py"]["score"]) == ("copy", 1.0)
    assert told["near.py"]["sort"] == "near duplicate" and 0.5 < told["near.py"]["score"] < 1
    assert found.outcome == {"status": "done", "count": "few", "tags": ["identical", "similar"]}
    assert "the same content" in found.text


def test_copies_are_told_by_relations_and_not_by_samples() -> None:
    objects = [neighbour(f"{name}.py", "".join(LINES)) for name in "abc"]
    links = [Link(1, "similar_to", "copy", 0), Link(2, "similar_to", "copy", 0)]
    assert {each["sort"] for each in matches(search(objects, links, (2,)), "c.py").values()} == {"copy"}
    (found,) = matches(search(objects[:2]), "a.py").values()
    assert (found["sort"], found["why"][0]) == ("near duplicate", "all sampled lines are equal")


def test_the_same_structure_for_another_environment() -> None:
    kind = {"kind": "config", "semantic_class": "environment_config"}
    objects = [
        neighbour("config/production.yaml", keys=(("db.host", 1), ("db.port", 2), ("ttl", 3), ("debug", 4)), **kind),
        neighbour("config/staging.yaml", keys=(("db.host", 9), ("db.port", 2), ("ttl", 8), ("debug", 4)), **kind),
        neighbour("config/other.yaml", keys=(("x", 1), ("y", 2), ("z", 3)), **kind),
    ]
    found = search(objects)
    told = matches(found, "config/production.yaml")
    assert set(told) == {"config/staging.yaml"}
    assert told["config/staging.yaml"]["sort"] == "same structure"
    assert "4 of 4 settings have the same name; 2 of them have another value" in told["config/staging.yaml"]["why"]
    assert found.outcome["tags"] == ["similar", "value_differs"]


def test_relations_and_definitions_count() -> None:
    objects = [
        neighbour("a.py", provides=("login", "logout", "verify")),
        neighbour("b.py", provides=("login", "logout", "verify")),
        neighbour("old.csv", kind="structured_record", semantic_class="event_records"),
    ]
    found = matches(search(objects, [Link(0, "similar_to", "overlaps", 2)]), "a.py")
    assert found["b.py"]["sort"] == "same structure"
    assert found["old.csv"]["why"] == ["covers the same period"]


def test_the_same_kind_is_weak_and_not_counted() -> None:
    objects = [
        neighbour("x/a.py", component="x"),
        neighbour("x/b.py", component="x"),
        neighbour("y/c.py", component="y"),
    ]
    found = search(objects)
    assert set(matches(found, "x/a.py")) == {"x/b.py"}
    assert found.outcome == {"status": "partial", "count": "none", "tags": []}
    assert "only copies and the same class can be told" in found.text


def test_two_inputs() -> None:
    objects = [neighbour(name, "".join(LINES)) for name in ("a.py", "b.py", "c.py")]
    found = search(objects, inputs=(0, 1))
    assert "The two inputs to each other: score" in found.text
    assert "`c.py`" in found.text.split("Like both of them")[1]


def test_nothing_around() -> None:
    job = Job(capability="search_similar", inputs=(Input(name="a", data=b""),))
    assert function("search_similar")(job).outcome["status"] == "failed"
    assert search([neighbour("a.py")]).outcome["count"] == "none"


def test_odd_sketches_and_many_objects_are_borne() -> None:
    objects = [neighbour("a.py", "".join(LINES)), Neighbour(name="b", kind="", semantic_class="", sketch=b"abc")]
    assert search(objects).outcome["status"] == "done"
    many = [neighbour(f"{number}.py", "".join(LINES[number % 50 :])) for number in range(20_000)]
    started = time.process_time()
    found = search(many)
    assert time.process_time() - started < 15
    assert found.outcome["count"] == "many"
    assert len(found.text) < 100_000
