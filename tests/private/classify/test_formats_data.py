"""Tables and records: CSV, TSV, JSON lines, JSON arrays, XML records."""

from __future__ import annotations

import json

import pytest
from format_outlines import counts, outline, sample

from plantwin.private.classify.readers import outline_format
from plantwin.private.classify.readers.tables import column_features

PEOPLE = """id,first_name,last_name,email,phone,date_of_birth,city,signup_date
1,Ada,Example,ada@example.com,+1-555-0100,1990-02-01,Springfield,2023-01-05
2,Bo,Sample,bo@example.org,+1-555-0101,1985-12-24,Shelbyville,2023-02-11
3,Cy,Test,,+1-555-0102,1979-07-30,,2023-02-12
3,Cy,Test,,+1-555-0102,1979-07-30,,2023-02-12
"""


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


def test_broken_csv():
    found = outline("csv", 'a,b\n"unclosed,1\n2,3,4,5,6\n7\n')
    assert found.features["row"] >= 1
    nul = outline("csv", b"a,b\n1,\x002\n")
    assert nul.features["column"] == 2


def test_csv_encodings():
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        found = outline("csv", "größe,straße\n1.5,Weg\n2.5,Gasse\n".encode(encoding))
        assert found.names == ["größe", "straße"], encoding


def test_json_lines_of_data_and_of_logs():
    data = "".join(json.dumps({"user": {"email": f"u{n}@example.com"}, "total": n + 0.5}) + "\n" for n in range(5))
    found = outline("jsonl", data)
    assert counts(found, "row", "column", "person_field", "money_field", "log_line") == {
        "row": 5,
        "column": 2,
        "person_field": 1,
        "money_field": 1,
        "log_line": 0,
    }
    log = (
        '{"ts": 1709287200, "level": "error", "msg": "failed", "duration_ms": 5}\n'
        '{"ts": 1709287260.5, "level": "info", "msg": "starting"}\n'
    )
    events = outline("jsonl", log)
    assert counts(events, "log_line", "log_error", "log_latency", "log_restart") == {
        "log_line": 2,
        "log_error": 1,
        "log_latency": 1,
        "log_restart": 1,
    }
    assert events.span == (1709287200, 1709287260)
    broken = outline("jsonl", '{"a": 1}\nnot json\n{"a": \n[\n')
    assert broken.parsed is False


def test_json_arrays_and_nested_rows():
    rows = [{"name": f"n{n}", "price": n * 1.5, "sku": f"S{n}"} for n in range(6)]
    for document in (rows, {"count": 6, "items": rows}):
        found = outline("json", json.dumps(document))
        assert counts(found, "row", "column", "money_field", "key") == {
            "row": 6,
            "column": 3,
            "money_field": 2,
            "key": 0,
        }
        assert found.settings == []


def test_xml_records_and_dialects():
    rows = outline(
        "xml", "<people>" + "<person id='1'><email>a@example.com</email><name>A</name></person>" * 4 + "</people>"
    )
    assert counts(rows, "row", "column", "person_field", "duplicate_row") == {
        "row": 4,
        "column": 3,
        "person_field": 1,
        "duplicate_row": 3,
    }
    pom = outline(
        "xml",
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><artifactId>shop</artifactId>'
        "<modules><module>core</module></modules><dependencies><dependency><groupId>g</groupId><artifactId>junit</artifactId>"
        "<version>4.13</version></dependency><dependency><artifactId>open</artifactId></dependency></dependencies></project>",
    )
    assert pom.pins == [("junit", "4.13"), ("open", "*")]
    assert [reference.target for reference in pom.references] == ["core"]
    tests = outline(
        "xml", '<testsuite tests="2"><testcase name="a"/><testcase name="b"><failure>x</failure></testcase></testsuite>'
    )
    assert counts(tests, "log_build", "log_error", "generated_marker") == {
        "log_build": 2,
        "log_error": 1,
        "generated_marker": 1,
    }
    settings = outline(
        "xml", '<configuration><appSettings><add key="Debug" value="true"/></appSettings></configuration>'
    )
    assert ("Debug", "true") in settings.settings
    strings = outline("xml", '<resources><string name="a">Hello</string><string name="b">World</string></resources>')
    assert strings.features["translation"] == 2
    broken = outline("xml", "<a><b name='x'></a>")
    assert broken.parsed is False and "b" in broken.names


def test_notebook():
    cells = [
        {"cell_type": "markdown", "source": ["# Churn\n", "Text\n"]},
        {
            "cell_type": "code",
            "source": "import pandas as pd\nfrom shop.model import Model\ndf = "
            "pd.read_csv('data/churn.csv')\nmodel.fit(df)",
            "outputs": [{"text": "x"}],
        },
        {"cell_type": "code", "source": ["df.to_csv('out/scores.csv')\n"], "outputs": []},
    ]
    found = outline("notebook", json.dumps({"nbformat": 4, "metadata": {}, "cells": cells}))
    assert counts(found, "code_block", "saved_output", "heading", "train_call") == {
        "code_block": 2,
        "saved_output": 1,
        "heading": 1,
        "train_call": 1,
    }
    assert [tuple(reference) for reference in found.references] == [
        ("python", "pandas", "imports"),
        ("python", "shop.model:Model", "imports"),
        ("path", "data/churn.csv", "reads"),
        ("path", "out/scores.csv", "writes"),
    ]
    assert found.headings == ["Churn"]
    assert outline("notebook", "no notebook").parsed is False
