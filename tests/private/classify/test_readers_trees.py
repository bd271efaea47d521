"""Formats that are read as trees and tables: YAML, JSON, TOML, XML, CSV, notebooks, and dialects inside them."""

from __future__ import annotations

import pytest
from format_outlines import expect, outline, sample

from plantwin.private.classify.readers import Draft, outline_format
from plantwin.private.classify.readers.tables import column_features
from plantwin.private.classify.readers.trees import dialects, recognise
from plantwin.private.formats import json as json_format
from plantwin.private.formats import yaml as yaml_format


def test_line_reader_agrees_with_the_parser_on_block_style():
    text = """
name: shop   # a comment
empty:
servers:
- host: a
  ports:
  - 80
  - 443
- host: "b: c"
  tags: {x: y}
nested:
    deep:
        key: 'va#lue'
    other: 2
script: |
  not: a key
  - nor an item
last: end
"""
    expected, sound = yaml_format.load(text)
    assert sound
    lines = yaml_format.read_lines(text)
    assert isinstance(lines, dict) and isinstance(expected[0], dict)
    assert lines["servers"][0] == expected[0]["servers"][0]
    assert lines["servers"][1]["host"] == "b: c"
    assert lines["nested"] == expected[0]["nested"]
    assert lines["last"] == "end" and lines["name"] == "shop" and lines["empty"] == ""
    assert list(lines) == list(expected[0])


def test_large_yaml_is_read_by_lines():
    text = "root:\n" + "".join(f"  key{n}: value{n}\n" for n in range(60_000))
    found = outline_format("yaml", sample(text))
    assert found.parsed
    assert found.features["key"] > 1000


def test_json_with_comments_and_trailing_commas():
    text = '{\n  // why\n  "url": "https://example.com/a", /* more */\n  "list": [1, 2,],\n}\n'
    assert json_format.load(text, whole=True) == ({"url": "https://example.com/a", "list": [1, 2]}, True)
    assert json_format.load('{"a": NaN}', whole=True)[1] is True


def test_json_that_is_cut_short_is_read_as_far_as_it_goes():
    text = '{"name": "x", "rows": [{"a": 1, "b": "two"}, {"a": 2, "b": "th'
    assert json_format.load(text, whole=False) == ({"name": "x", "rows": [{"a": 1, "b": "two"}, {"a": 2}]}, True)
    assert json_format.load(text, whole=True)[1] is False
    assert json_format.load("no json at all", whole=True) == (None, False)


def test_json_in_other_encodings():
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1"):
        found = outline("json", '{"straße": "zürich", "port": 8080}'.encode(encoding))
        assert found.parsed, encoding
        assert found.names == ["straße", "port"], encoding


def test_toml_by_parser_and_by_lines():
    text = '[server]\nhost = "a.example.com"\nports = [80, 443]\n[server.tls]\nverify = false\n[[rule]]\nname = "x"\n'
    small = outline("toml", text)
    assert small.parsed
    expect(small, disabled_protection=1, host_literal=1)
    large = outline("toml", text + "# padding\n" * 4000)
    assert ("server.tls.verify", "false") in large.settings and ("server.host", "a.example.com") in large.settings
    broken = outline("toml", "[server\nhost = 1\n")
    assert broken.parsed is False
    assert broken.names == ["host"]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("email", ["a@example.com", "b@example.com"], ["person_field"]),
        ("contact", ["a@example.com", "b@example.com"], ["person_field"]),
        ("first_name", ["1", "2"], ["metric_field"]),
        ("customerName", ["Ada", "Bo"], ["person_field"]),
        ("product_name", ["Lamp", "Desk"], ["money_field"]),
        ("price", ["10.00", "12.50"], ["money_field"]),
        ("created_at", ["2024-01-01T00:00:00Z"], ["time_field"]),
        ("created_at", ["yes", "no"], ["code_field"]),
        ("user_id", ["1", "2"], ["code_field"]),
        ("accuracy", ["0.91", "0.92"], ["metric_field"]),
        ("blood_pressure", ["120/80"], ["health_field"]),
    ],
)
def test_names_and_values_decide_together(name: str, values: list[str], expected: list[str]):
    assert column_features(name, values) == expected


def test_csv_in_windows_beyond_its_head():
    head = "id,amount\n" + "".join(f"{n},{n}.5\n" for n in range(1000))
    window = "".join(f"{n},{n}.5\n" for n in range(5000, 6000)).encode()
    given = sample(head, windows=(window,), size=10_000_000)
    found = outline_format("csv", given)
    assert found.features["row"] > 100_000
    assert found.features["money_field"] == 1


def test_csv_encodings():
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        found = outline("csv", "größe,straße\n1.5,Weg\n2.5,Gasse\n".encode(encoding))
        assert found.names == ["größe", "straße"], encoding


JUNK = (
    None,
    True,
    0,
    1.5,
    "",
    "x",
    "${X}",
    [],
    {},
    [None],
    [[]],
    [{}],
    ["x", 1],
    {"a": None},
    {"name": {}},
    {"type": {}},
)


def test_keys_of_every_dialect_with_values_of_every_type():
    for keys, _ in dialects():
        for value in JUNK:
            nested = {"name": value, "type": value, "fields": [{"name": value, "type": {"type": value}}]}
            for other in (value, {"x": value}, [value], [nested], nested):
                given = sample("{}")
                recognise(Draft("json", given), [dict.fromkeys(keys, other), other])
