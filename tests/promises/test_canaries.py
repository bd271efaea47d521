"""Promise 2 on real folders: planted names and values never leave, in any common encoding."""

from __future__ import annotations

import base64
import inspect
import os
import pkgutil
import sqlite3
import subprocess
import sys
import time
import tomllib
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from generated import told
from test_non_interference import without_ids

from plantwin import Environment, private, project
from plantwin.private.facts import Private

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def forms(canary):
    """A canary as it might appear: raw, by case, reversed, and in common encodings at any alignment."""
    raw = canary.encode("utf-8", "surrogateescape")
    for text in {raw, raw.lower(), raw.upper(), raw[::-1]}:
        yield text
        yield text.hex().encode()
        yield text.hex().upper().encode()
        yield quote(text, safe="").encode()
        for shift in range(3):
            # The middle of a base64 text does not depend on what stands around it.
            encoded = base64.b64encode(b"\0" * shift + text)[4 if shift else 0 :]
            yield encoded[: len(encoded) - 4]


def outbound(root):
    """What a planner would be given, and all that it could ever be given."""
    environment = Environment(root, keep=False)
    twin = project(environment)
    scan = environment.scan()
    _, sent = told(list(scan.records()), list(scan.relations()))
    return b"".join(sent), msgspec.json.encode(twin), twin


def check(root, canaries):
    sent, everything, twin = outbound(root)
    for canary in canaries:
        for form in forms(canary):
            assert len(form) < 5 or form not in everything, "a canary in the twin"
            assert len(form) < 5 or form not in sent, "a canary in the envelope"
    return twin


def test_the_example_shop_leaks_none_of_its_canaries(tmp_path):
    target = tmp_path / "shop"
    subprocess.run([sys.executable, EXAMPLES / "make_shop_history.py", target], check=True, capture_output=True)
    canaries = [each["value"] for each in tomllib.loads((EXAMPLES / "shop.canaries.toml").read_text())["canary"]]
    assert len(canaries) > 60
    twin = check(target, canaries)
    assert len(twin.objects) > 30


CANARIES = {
    "file": "marzipan-quux-7731",
    "folder": "ProjectZephyrine",
    "content": "Ottoline Vexford-Brandt",
    "secret": "hunter-Tr0ubadour-991x",
    "author": "Wilhelmina Quonsett",
    "email": "wq@zephyrine.example",
    "branch": "feature/acquire-balthazar",
    "message": "negotiated with Ketterling",
    "cell": "Peregrine Ashdown 4471",
    "column": "balthazar_score",
    "table": "ketterling_deals",
    "key": "zephyrine_margin_target",
    "unicode": "Ñandú-Größe-東京",
    "control": "evil\x1b[31mname\nnext",
}


@pytest.fixture
def planted(tmp_path):
    root = tmp_path / "root"
    inner = root / CANARIES["folder"]
    inner.mkdir(parents=True)
    (inner / f"{CANARIES['file']}.py").write_text(
        f"def {CANARIES['column']}(x):\n    password = '{CANARIES['secret']}'\n    return '{CANARIES['content']}'\n"
    )
    (inner / f"{CANARIES['unicode']}.md").write_text(f"# {CANARIES['content']}\n\n{CANARIES['unicode']}\n")
    (inner / f"{CANARIES['control']}.yaml").write_text(f"{CANARIES['key']}: {CANARIES['secret']}\n")
    (inner / "people.csv").write_text(f"name,{CANARIES['column']}\n{CANARIES['content']},3\n")
    (inner / "server.log").write_text(f"2026-01-01T00:00:00Z ERROR {CANARIES['content']} failed\n" * 5)
    (inner / os.fsdecode(b"broken-\xff\xfe-name.txt")).write_text(CANARIES["content"])
    with sqlite3.connect(inner / "store.db") as database:
        database.execute(f"CREATE TABLE {CANARIES['table']} (id INTEGER, {CANARIES['column']} TEXT)")
        database.execute(f"INSERT INTO {CANARIES['table']} VALUES (1, ?)", (CANARIES["cell"],))
    database.close()
    git = ["git", "-C", str(root), "-c", f"user.name={CANARIES['author']}", "-c", f"user.email={CANARIES['email']}"]
    subprocess.run([*git, "init", "-q", "-b", CANARIES["branch"]], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", CANARIES["message"]], check=True)
    return root


def test_canaries_planted_everywhere_never_appear(planted):
    twin = check(planted, CANARIES.values())
    assert len(twin.objects) == 7
    assert {str(each.kind) for each in twin.objects} >= {"code_file", "document", "structured_record"}


def test_canaries_are_not_logged_or_shown_by_any_private_type(planted, caplog, capsys):
    environment = Environment(planted, keep=False)
    scan = environment.scan()
    for each in (environment, scan, *scan.records(), *scan.relations()):
        shown = f"{each!r} {each}"
        assert "private" in shown
        for canary in CANARIES.values():
            assert canary not in shown
    assert caplog.text == ""
    assert capsys.readouterr() == ("", "")


def test_what_is_declared_private_prints_as_private():
    names = [found.name for found in pkgutil.walk_packages(private.__path__, "plantwin.private.")]
    declared = {
        each
        for name in names
        if not name.endswith(("_runner", "_plugin", "_run"))  # those act inside another program
        for each in vars(import_module(name)).values()
        if inspect.isclass(each) and issubclass(each, Private)
    }
    assert len(declared) > 50
    assert [each.__qualname__ for each in declared if each.__repr__ is not Private.__repr__] == []


NONSENSE = [
    ("wibble", "Ashgrove", "plover", 3),
    ("frobnicate_zz", "Kestrelmoor", "dunlin", 81),
    ("quuxly", "東京", "a-b.c", 4096),
]


def dressed(root, words):
    """The same environment in other words: names, literals and values differ, structure does not."""
    name, title, other, number = words
    inner = root / f"x{name}" / title
    inner.mkdir(parents=True)
    (inner / f"{name}1.py").write_text(
        f"import json\n\n\ndef {name}_one(a):\n    return json.loads('{title}')[{number}]\n"
    )
    (inner / f"{name}2.py").write_text(f"from . import {name}1\n\nprint({name}1.{name}_one('{other}'))\n")
    (root / f"{name}.md").write_text(f"# {title}\n\nSee the {other} part.\n\n- {name}\n- {title}\n")
    (root / f"{name}.json").write_text(f'{{"{name}": {number}, "k{name}": "{title}"}}\n')
    (root / f"{name}.ini").write_text(f"[{name}]\na{name} = {number}\nb{name} = {other}\n")
    past = time.time() - 3600
    for path in root.rglob("*"):
        os.utime(path, (past, past))


@pytest.mark.parametrize("words", NONSENSE[1:])
def test_the_same_environment_in_other_words_gives_the_same_twin(tmp_path, words):
    dressed(tmp_path / "one", NONSENSE[0])
    dressed(tmp_path / "two", words)
    *_, one = outbound(tmp_path / "one")
    *_, two = outbound(tmp_path / "two")
    assert without_ids(one) == without_ids(two)
