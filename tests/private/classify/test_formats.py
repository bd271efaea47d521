"""The dispatch over formats, and what no content may do to it."""

from __future__ import annotations

import json
import random
import re
import time
import tomllib
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from format_outlines import check, outline, provides, references, sample

import plantwin.private.classify.readers as formats
from plantwin.private.classify.readers import FORMATS, outline_format
from plantwin.private.classify.rules import FEATURES

PACKAGE = Path(formats.__file__).parent
ALL = sorted(FORMATS)

REQUIRED = (
    *("toml", "yaml", "json", "jsonl", "ini", "properties", "env", "xml", "csv", "tsv", "dockerfile", "makefile"),
    *("notebook", "markdown", "rst", "asciidoc", "text", "log", "pem", "requirements", "gomod", "gemfile", "gradle"),
    *("proto", "graphql", "gitignore", "nginx", "apache", "systemd", "crontab", "diff", "jinja", "license"),
)


def within(seconds: float, format: str, content: bytes, **more: object) -> None:
    """Outline hostile content in bounded time."""
    given = sample(content, **more)  # type: ignore[arg-type]
    began = time.process_time()
    found = outline_format(format, given)
    assert time.process_time() - began < seconds
    check(found)


def test_every_format_asked_for_has_a_reader():
    assert set(REQUIRED) <= FORMATS
    for format in ALL:
        assert callable(formats._reader(format))


def test_an_unknown_format_reads_as_text():
    assert outline("cuneiform", "One paragraph.\n").features["paragraph"] == 1


def test_features_that_readers_add_are_all_known():
    for source in PACKAGE.rglob("*.py"):
        for feature in re.findall(r"\.add\(\s*\"(\w+)\"", source.read_text()):
            assert feature in FEATURES, f"{source.name}: {feature}"


@pytest.mark.parametrize("file", ["dialects.toml", "xml.toml", "lines.toml"])
def test_features_that_rows_count_are_all_known(file: str):
    tables = tomllib.loads((PACKAGE / file).read_text()).values()
    for row in [part for rows in tables for outer in rows for part in (outer, *outer.get("row", []))]:
        counted = [row.get(field, {}) for field in ("add", "when", "sizes", "counts", "holding")]
        count = row.get("count", "")
        features = count.split() if isinstance(count, str) else count
        assert {*features, *(feature for table in counted for feature in table)} <= FEATURES.keys()


@pytest.mark.parametrize("format", ALL)
def test_empty_content(format: str):
    assert outline(format, b"").lines == 0


@pytest.mark.parametrize("format", ALL)
def test_junk_of_every_sort_is_read_without_an_error(format: str):
    rng = random.Random(format)
    junk = [
        bytes(rng.randrange(256) for _ in range(4000)),
        b"\x00" * 4000,
        b"\xff\xfe" + "key: wert ü\n".encode("utf-16-le") * 50,
        "name = Zoë\n".encode("latin-1") * 50,
        "a: [1, {b: \ud7ff}]\n".encode("utf-32"),
        bytes(rng.choice(b"{}[]()<>:=-#\"'\\|.,;!&* \n\tab01") for _ in range(4000)),
        b"\xf0\x9f\x92" * 100,
    ]
    for content in junk:
        given = sample(content)
        formats._reader(format)(given, formats.Draft(format, given))
        check(outline_format(format, given))


BAIT = {
    "brackets": b"[" * 100_000,
    "braces": b"{" * 100_000,
    "objects": b'{"a":' * 100_000,
    "dashes": b"- " * 100_000,
    "stairs": b"".join(b" " * n + b"a:\n" for n in range(1200)),
    "dotted": b"a." * 100_000 + b"b = 1",
    "quotes": b'"' * 200_000,
    "escapes": b'\\"' * 200_000,
    "spaces": b" " * 300_000,
    "newlines": b"\n" * 300_000,
    "word": b"a" * 300_000,
    "digits": b"1" * 300_000,
    "colons": b"1:1:" * 100_000,
    "tags": b"<a " * 100_000,
    "pipes": b"|-" * 150_000,
    "commas": b"a,b;c\t" * 60_000,
    "templates": b"{{ " * 100_000,
    "variables": b"${a" * 100_000,
    "links": b"[a](" * 80_000,
    "comments": b"/*" * 150_000,
    "modals": b"must " * 60_000,
    "levels": b"ERROR " * 60_000,
    "requests": b"GET /" * 60_000,
    "years": b"2020" * 60_000,
    "equals": b"a=" * 150_000,
    "adornment": b"=" * 300_000,
    "steps": b"1. a\n" * 60_000,
    "anchors": b"&a *a " * 50_000,
    "percent": b"%" * 300_000,
}


@pytest.mark.parametrize("bait", sorted(BAIT))
def test_bait_for_slow_expressions_and_deep_nesting(bait: str):
    for format in ALL:
        within(2.0, format, BAIT[bait])


def test_yaml_alias_bombs_cost_what_their_text_costs():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]
    within(1.0, "yaml", "\n".join(lines).encode())
    merges = ["a0: &a0 {k: v}"] + [f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], k{n}: v}}" for n in range(1, 300)]
    within(1.0, "yaml", "\n".join(merges).encode())
    within(1.0, "yaml", b"a: &a [*a, *a]\nb: &b {c: *b}\n")


def test_long_keys_and_wide_aliases_do_not_multiply_in_memory():
    long = "k" * 200_000
    wide = ", ".join(f"c{n}: 1" for n in range(2000))
    tracemalloc.start()
    within(2.0, "yaml", f'"{long}": {{"{long}": {{{wide}}}}}\n'.encode())
    within(2.0, "json", json.dumps({long: {long: [1] * 5000}}).encode())
    shared = ", ".join(["*w"] * 2000)
    within(
        2.0,
        "yaml",
        f"w: &w [{shared.replace('*w', 'x')}]\nv: &v [{shared}]\nu: [{shared.replace('*w', '*v')}]\n".encode(),
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 << 20


def test_xml_entities_are_never_expanded():
    laughs = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">' + b"".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">'.encode() for n in range(12)
    )
    within(0.5, "xml", laughs + b"]><l><name>&m;</name></l>")
    found = outline("xml", b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x><host>&e;</host></x>')
    assert "host" in found.names
    assert not any("root:" in value for _, value in found.settings)


def test_hundred_thousand_levels_of_json():
    for content in (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, b"[" * 100_000 + b"]" * 100_000):
        within(1.0, "json", content)
        assert outline_format("json", sample(content)).parsed is False


@pytest.mark.parametrize(
    "format", ["json", "jsonl", "csv", "yaml", "toml", "xml", "log", "text", "markdown", "notebook"]
)
def test_ten_megabytes_on_one_line(format: str):
    within(2.0, format, b'{"rows": [' + b'{"name": "value", "n": 1},' * 400_000)
    within(2.0, format, b"name,value;" * 900_000)


def test_merge_markers_and_generated_headers():
    found = outline(
        "yaml", "# Code generated by a tool. DO NOT EDIT.\na: 1\n<<<<<<< ours\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n"
    )
    assert found.features["merge_conflict"] == 1
    assert found.features["generated_marker"] == 1
    assert found.parsed is False
    prose = outline("markdown", "# Generated by hand, do not edit\n")
    assert "generated_marker" not in prose.features


def test_nothing_of_the_content_shows_in_print():
    found = outline("env", "TOKEN=canary-value\n")
    assert "canary" not in repr(found) + str(found) + repr(found.references)


# Outlines of files of every format: rows of `outline_examples.toml`

EXAMPLES = tomllib.loads((Path(__file__).parent / "outline_examples.toml").read_text("utf-8"))["example"]
LISTS = ("names", "pins", "settings", "headings", "calls")


def plain(values: list[Any]) -> list[Any]:
    """Return pairs as lists, as TOML writes them."""
    return [list(value) if isinstance(value, tuple) else value for value in values]


@pytest.mark.parametrize("row", EXAMPLES, ids=[f"{number}-{row['title']}" for number, row in enumerate(EXAMPLES)])
def test_outline(row: dict[str, Any]):
    found = outline(row["format"], row["text"], row.get("path", "file"))
    features = found.features
    assert {feature: features.get(feature, 0) for feature in row.get("counts", {})} == row.get("counts", {})
    assert all(features.get(feature, 0) >= count for feature, count in row.get("at_least", {}).items())
    assert features.keys() >= set(row.get("some_features", []))
    assert features == row.get("features", features)
    assert found.parsed is row.get("parsed", found.parsed)
    assert list(found.span or []) == row.get("span", list(found.span or []))
    for name in LISTS:
        values = plain(getattr(found, name))
        assert values == row.get(name, values)
        assert all(value in values for value in row.get(f"some_{name}", []))
        assert not any(value in values for value in row.get(f"no_{name}", []))
    for how, expected in row.get("references", {}).items():
        assert plain(references(found, how)) == expected
    for how, expected in row.get("some_references", {}).items():
        assert all(tuple(pair) in references(found, how) for pair in expected)
    provided = sorted(plain(list(provides(found))))
    assert provided == row.get("provides", provided)
    assert all(pair in provided for pair in row.get("some_provides", []))
