"""`scan` and `objects` on a real tree."""

from __future__ import annotations

import base64
import json
import os
from collections import Counter
from pathlib import Path

from command_line import HOSTILE, UNDECODABLE, Cli, Process, Terminal

from plantwin.private.facts import Record, Summary
from plantwin.surfaces.cli.objects import members
from plantwin.surfaces.cli.output import explained
from plantwin.vocabulary import Kind, SemanticClass, Sensitivity
from tables import cases

COLUMNS = [
    "path", "kind", "semantic_class", "family", "sensitivity", "age", "environment", "provider", "ecosystem", "dialect",
    "freshness", "size_bucket", "contains", "usable_for", "confidence", "why",
]  # fmt: skip


def test_scan_json_is_the_summary(cli: Cli, tree: Path) -> None:
    ran = cli("scan", tree, "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.json
    assert (document["format"], document["command"], document["root"]) == (1, "scan", str(tree))
    summary = document["summary"]
    assert set(summary) == set(Summary.__struct_fields__)
    assert summary["files"] == summary["read"] == 13
    assert summary["objects"] == sum(summary["kinds"].values()) == sum(summary["sensitivities"].values())
    assert set(summary["kinds"]) <= {kind.value for kind in Kind}


def test_a_second_scan_reads_nothing(cli: Cli, tree: Path) -> None:
    for path in tree.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    first = cli("scan", tree, "--json").json["summary"]
    again = cli("scan", tree, "--json").json["summary"]
    assert again["objects"] == first["objects"]
    assert again["read"] + again["reused"] == again["files"]


def test_scan_for_people(cli: Cli, tree: Path) -> None:
    ran = cli("scan", tree)
    assert ran.code == 0
    for word in ("13 files", "code_file", "secret_container", "sensitivity", "family", "edges", "Nothing was sent"):
        assert word in ran.out
    assert "\x1b" not in ran.out + ran.err


def test_scan_defaults_to_the_current_folder(process: Process, tree: Path) -> None:
    ran = process("scan", "--json", cwd=tree)
    assert json.loads(ran.stdout)["root"] == "."
    assert ran.stderr == b""


def test_no_ignore_reads_what_is_ignored(cli: Cli, tree: Path) -> None:
    (tree / ".plantwinignore").write_text("data/\n")
    fewer = cli("scan", tree, "--json").json["summary"]["files"]
    more = cli("scan", tree, "--json", "--no-ignore").json["summary"]["files"]
    assert more == fewer + 1


def test_colour_only_on_a_terminal_and_not_with_no_color(terminal: Terminal, tree: Path) -> None:
    code, shown = terminal("scan", tree)
    assert code == 0 and "\x1b[" in shown
    for setting in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        code, shown = terminal("scan", tree, **setting)
        assert code == 0 and "\x1b[3" not in shown


def test_objects_json_is_one_document_with_an_object_to_a_line(cli: Cli, tree: Path) -> None:
    ran = cli("objects", tree, "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.json
    assert (document["command"], document["sent"]) == ("objects", False)
    lines = ran.out.splitlines()
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == document["objects"]
    paths = {each["path"] for each in document["objects"]}
    assert {"README.md", "src/auth.py", ".env", "data/people.csv", HOSTILE} <= paths
    assert "users" in {each["part"] for each in document["objects"] if each["path"] == "shop.db"}
    assert all(each["semantic_class"] in SemanticClass.__members__.values() for each in document["objects"])
    secret = next(each for each in document["objects"] if each["path"] == ".env")
    assert secret["sensitivity"] == Sensitivity.HIGH
    assert all(set(tag) == {"tag", "amount"} for tag in secret["contains"])


def test_every_field_of_a_record_is_listed() -> None:
    record = Record(
        number=1, path="a", kind="config", semantic_class="app_config", family="configuration", role="production",
        sensitivity="low", freshness="stale", size_bucket="small", confidence="high",
    )  # fmt: skip
    assert set(members(record)) == set(Record.__struct_fields__) - {"alternatives"}


def test_undecodable_paths_are_exact_in_json(process: Process, tree: Path) -> None:
    ran = process("objects", tree, "--json")
    ran.stdout.decode("ascii")
    found = [each for each in json.loads(ran.stdout)["objects"] if "path_bytes" in each]
    assert [base64.b64decode(each["path_bytes"]) for each in found] == [UNDECODABLE]
    found[0]["path"].encode("utf-8")


def test_objects_for_people_are_one_line_each(cli: Cli, tree: Path) -> None:
    ran = cli("objects", tree)
    number = len(cli("objects", tree, "--json").json["objects"])
    lines = ran.out.splitlines()
    assert lines[0].split() == COLUMNS
    assert len(lines) == number + 1
    assert all(line.isprintable() for line in lines)
    assert r"evil\n\x1b[31mred\x1b[0m\u202egnp.py" in ran.out
    assert r"caf\xe9.txt" in ran.out
    assert "shop.db#users" in ran.out
    assert "never sent" in ran.err


def test_filters(cli: Cli, tree: Path) -> None:
    every = cli("objects", tree, "--json").json["objects"]

    def found(*filters: str) -> list[dict[str, str]]:
        objects: list[dict[str, str]] = cli("objects", tree, "--json", *filters).json["objects"]
        return objects

    for option, field in [("kind", "kind"), ("class", "semantic_class"), ("family", "family"), ("sensitivity",) * 2]:
        for word, number in Counter(each[field] for each in every).items():
            chosen = found(f"--{option}", word)
            assert len(chosen) == number
            assert {each[field] for each in chosen} == {word}
    kinds = {each["kind"] for each in found("--kind", "config", "--kind", "document")}
    assert kinds <= {"config", "document"} and kinds
    assert [each["path"] for each in found("--path", "src/*.py")] == ["src/auth.py", "src/store.py"]
    assert {each["path"] for each in found("--path", "*.md")} == {"README.md", "docs/guide.md"}
    assert len(found("--limit", "2")) == 2
    assert found("--path", "nothing") == []
    assert found("--path", "[") == []


@cases("option", "word", "hint")
def test_an_unknown_word_is_refused_with_the_nearest(option: str, word: str, hint: str, cli: Cli, tree: Path) -> None:
    ran = cli("objects", tree, option, word)
    assert (ran.code, ran.out) == (2, "")
    assert hint in ran.err
    assert "\x1b" not in ran.err


def test_a_narrow_terminal_hides_columns_and_says_so(terminal: Terminal, tree: Path) -> None:
    code, shown = terminal("objects", tree, COLUMNS="90")
    assert code == 0
    assert "the terminal is too narrow" in shown
    code, wide = terminal("objects", tree, "--wide", COLUMNS="90")
    assert "Hidden" not in wide
    assert "\x1b[31mred" not in wide, "a name must not colour the terminal"


def test_an_empty_folder(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert cli("scan", empty).code == 0
    assert cli("objects", empty, "--json").json["objects"] == []
    assert cli("objects", empty).out == ""


@cases("code", "said")
def test_what_the_system_says_of_a_file_is_told_in_words(code: str, said: str) -> None:
    assert explained(f"{code}: src/a.py") == f"src/a.py {said}"
    assert explained(f"{code}: 2 objects").startswith("2 files ")
