"""Lists are searched and paged where they lie: in the table of objects, and in the ledger."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from plantwin.ledgers.records import count_lines, latest_lines
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.private.facts import Record, Relation
from plantwin.surfaces.console.page import Paging, number_of
from plantwin.surfaces.console.table import ObjectTable, Search, search_of
from plantwin.types.ledger import Entry, canonical_json

ODD = (os.fsdecode(b"caf\xe9.txt"), "50%_off.py", "50xyoff.py", "back\\slash.py", "evil\n\x1b[31m.py")


def record(number: int, path: str, **fields: str) -> Record:
    usual = {
        "kind": "code_file", "semantic_class": "utility_library", "family": "library", "role": "production",
        "sensitivity": "low", "freshness": "recent", "size_bucket": "small", "confidence": "high",
    }  # fmt: skip
    return Record(number=number, path=path, **{**usual, **fields})


@pytest.fixture(scope="module")
def table() -> ObjectTable:
    many = [
        record(number, f"pkg{number // 100}/m{number}.py", component=f"pkg{number // 100}") for number in range(5000)
    ]
    odd = [record(9000 + place, path, sensitivity="high", component=path) for place, path in enumerate(ODD)]
    links = [Relation(source=n, edge="depends_on", reason="imports", target=(n * 7) % 5000) for n in range(5000)]
    return ObjectTable([*many, *odd], links)


def test_pages_hold_every_object_once(table: ObjectTable) -> None:
    seen: list[int] = []
    while True:
        total, page = table.page(Search(), len(seen), 50)
        if not page:
            break
        assert total == 5005 and len(page) <= 50
        seen += [one.number for one in page]
    assert len(seen) == len(set(seen)) == 5005


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("50%_", ["50%_off.py"]), ("%", ["50%_off.py"]), ("back\\", ["back\\slash.py"]), ("caf", [ODD[0]]),
        ("evil", [ODD[4]]), ("' or 1=1 --", []), ("pkg49/m4999 .py", ["pkg49/m4999.py"]),
    ],
)  # fmt: skip
def test_a_search_means_what_it_says(table: ObjectTable, text: str, found: list[str]) -> None:
    assert [one.path for one in table.page(Search(text), 0, 50)[1]] == found


def test_filters_take_no_other_field() -> None:
    asked = search_of({"q": "x", "kind": "config", "record": "1", "number": "1; drop table object"})
    assert asked == Search("x", (("kind", "config"),), None)


def test_the_graph_is_made_of_components_first(table: ObjectTable) -> None:
    components = table.components()
    assert len(components) == 50 + len(ODD) and sum(one["kinds"].total() for one in components) == 5005
    assert len(table.inside("pkg7", 30)) == 30
    assert sum(number for *_, number in table.links()) < 5000
    assert all(700 <= end < 800 for source, target, _ in table.between("pkg7") for end in (source, target))
    assert any(not one.outgoing for one in table.neighbours(7, 50))


def test_the_newest_lines_of_an_audience_are_found_page_by_page(tmp_path: Path) -> None:
    ledger = SqliteLedger(tmp_path / "ledger.db", b"k" * 32)
    for number in range(120):
        name = "rare" if number == 3 else ("open", "openai")[number % 2]
        body = canonical_json({"audience": name, "session": "s", "data": str(number), "sha256": ""})
        ledger.note(name, "envelope", (Entry("envelope", body), Entry("answer", canonical_json({"bytes": 1}))))
    assert count_lines(ledger) == {"answer": 120, "envelope": 120}
    assert [json.loads(line.body)["data"] for line in latest_lines(ledger, "envelope", 3)] == ["119", "118", "117"]
    seen: list[int] = []
    before = 1 << 40
    while page := latest_lines(ledger, "envelope", 7, before=before, audience="open"):
        seen += [int(json.loads(line.body)["data"]) for line in page]
        before = page[-1].number
    assert seen == list(range(118, -1, -2))  # and none of `openai`
    assert [line.number for line in latest_lines(ledger, "envelope", 5, audience="rare")] == [7]
    assert latest_lines(ledger, "envelope", 5, audience='open","') == []
    ledger.close()


def test_addresses_of_parts_keep_the_search() -> None:
    paging = Paging(50, 50, 120, {"q": "a b&c", "from": "50"})
    assert paging.after == "?q=a+b%26c&from=100" and paging.before == "?q=a+b%26c&from=0"
    assert paging.said == "51 to 100 of 120" and Paging(0, 50, 0, {}).said == "none"
    assert number_of("51134464") == 51134464  # of an object in a folder of 50,000 files
    assert [number_of(text, 7) for text in ("12", "-1", "x", "", None, "9" * 30, "٣")] == [12, 7, 7, 7, 7, 7, 7]
