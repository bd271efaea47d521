"""Questions about a whole folder, on small real trees that were scanned: what is answered, and what is not claimed."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from capability_inputs import Run

from plantwin.private.capabilities.engine.job import Input, Neighbour, Result, Surroundings
from plantwin.private.capabilities.find_tests import is_test
from plantwin.private.environment import Environment
from plantwin.private.observe.changes import changes, since_of
from plantwin.private.surroundings import Neighbourhood

README = """# Kiosk

[![ci](https://x.invalid/b.svg)](https://x.invalid)

Kiosk sells tickets for small museums. It keeps orders in PostgreSQL.

## Getting started

```bash
docker compose up
```

## Open

- [ ] refunds
"""
COMPOSE = """services:
  web:
    build: .
    ports: ["127.0.0.1:8000:8000"]
    depends_on: [db]
  db:
    image: postgres:16
    ports: ["5432:5432"]
"""
APP = """from flask import Flask

from kiosk import orders, users

app = Flask(__name__)


def main():
    orders.place(users.current())
    app.run(host='0.0.0.0', port=8000)


if __name__ == '__main__':
    main()
"""
ORDERS = """# TODO: refunds are missing
from kiosk.money import rounded

TEXT = 'TODO in a string'


def place(user):
    return user, rounded(3.999)


def _forgotten_helper(value):
    return value
"""
PROJECT = """[project]
name = "kiosk"
license = "MIT"
dependencies = ["flask", "psycopg"]

[tool.pytest.ini_options]
"""
LICENSE = (
    "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
)
VISITORS = "".join(f"{number},Visitor {number},visitor{number}@museum-mail.org\n" for number in range(30))
SHOP: Mapping[str, str] = {
    "README.md": README,
    "LICENSE": LICENSE,
    "pyproject.toml": PROJECT,
    "compose.yaml": COMPOSE,
    "Dockerfile": 'FROM python:3.12-slim\nEXPOSE 8000\nCMD ["flask", "run"]\n',
    "kiosk/__init__.py": '"""Ticket sales."""\n',
    "kiosk/app.py": APP,
    "kiosk/orders.py": ORDERS,
    "kiosk/users.py": "def current():\n    return 'guest'\n",
    "kiosk/money.py": "def rounded(amount):\n    return round(amount, 2)\n",
    "kiosk/abandoned_export.py": "def write_ledger_rows(rows):\n    return [str(row) for row in rows]\n",
    "tests/test_orders.py": "from kiosk.orders import place\n\n\ndef test_place():\n    assert place('x')\n",
    "kiosk/static/sprite.svg": "<svg>\n  <symbol id='a'/>\n</svg>\n",
    "kiosk/page.html": "<html><body>Tickets</body></html>\n",
    "start.sh": "#!/bin/sh\nexec flask run\n",
    ".github/pull_request_template.md": "- [ ] I have tested my changes\n",
    "data/visitors.csv": f"id,full_name,email\n{VISITORS}",
    "copy/money.py": "def rounded(amount):\n    return round(amount, 2)\n",
}


class Folder:
    """A folder that was scanned, as a capability over all of it sees it."""

    def __init__(self, root: Path, files: Mapping[str, str | bytes]) -> None:
        self.root = root
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def inputs(self, *only: str) -> tuple[tuple[Input, ...], Surroundings]:
        """All files as inputs, or these; and what lies around them."""
        environment = Environment(self.root, state=self.root.parent / "state", keep=False)
        scan = environment.scan()
        records = [record for record in scan.records() if not only or record.path in only]
        around = Neighbourhood(scan, {}).around(records)
        given = tuple(
            Input(
                name=record.path, kind=record.kind, semantic_class=record.semantic_class, part=record.part,
                file=str(self.root / record.path),
            )
            for record in records
        )  # fmt: skip
        return given, around


@pytest.fixture
def shop(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "shop", SHOP)


def asked(run: Run, folder: Folder, capability: str, *only: str, **options: object) -> Result:
    inputs, around = folder.inputs(*only)
    return run(capability, *inputs, surroundings=around, **options)


COUNTED = {
    "test/helper.go": "package test\n", "cart/cart.go": "package cart\n", "cart/cart_test.go": "package cart\n",
    "web/cart.test.ts": "it()\n", "web/cart.ts": "let a = 1\n", "deploy/a.yaml": "a: 1\n", "deploy/b.yml": "b: 1\n",
    "db/migrations/001_cart.sql": "CREATE TABLE cart (id INT);\n", "docs/cart.md": "# Cart\n\nThe cart.\n",
}  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("how many go test files are there", "1 go test file among 9 scanned files, with 1 line."),
        ("how many test files do we have?", "2 test files among"),
        ("count the *.go files", "3 *.go files among"),
        ("number of yaml files", "2 yaml files among"),
        ("how many typescript files in web/", "2 typescript files in `web/` among 2 scanned files"),
        ("how many sql files in nowhere", "1 sql file among"),
        ("how many migrations are there", "1 migration among"),
        ("how many code files are there", "6 code files"),
        ("how many image files are there", "0 image files among 9 scanned files. Images and other files"),
        ("how many files are there", "9 files, "),
        ("how many carts are there", "9 files, "),
        ("how many blue files are there", "9 files, "),
        ("how big is it", "9 files, "),
    ],
)
def test_files_of_a_sort_are_counted(run: Run, tmp_path: Path, request_: str, said: str) -> None:
    text = asked(run, Folder(tmp_path / "shop", COUNTED), "measure_size", request=request_).text
    assert text.startswith(said), text[:200]


EXPECTED = [
    ("explain_project", ["Kiosk sells tickets for small museums.", "docker compose up", "Flask", "PostgreSQL",
                         "needs db", "`pytest`", "MIT", "`kiosk/`", "**Maintainers**: "], ["x.invalid", "refunds"]),
    ("measure_size", ["python", "`data/`", "Largest files"], []),
    ("find_tests", ["`kiosk/users.py`", "`tests/test_orders.py` | uses it"], ["sprite.svg", "page.html", "start.sh"]),
    ("find_duplicates", ["`copy/money.py`, `kiosk/money.py`"], ["users.py"]),
    ("list_todos", ["`kiosk/orders.py:1` TODO: refunds are missing", "Open box: refunds"],
     ["in a string", "I have tested"]),
    ("list_licenses", ["| MIT | `LICENSE` |",
                       "Of 2 packages no file here states the licence: flask, psycopg"], []),
    ("list_exposed_ports", ["| 8000 | service web | this machine | `compose.yaml:4` |",
                            "| 5432 | service db | everywhere | `compose.yaml:8` |",
                            "(EXPOSE)", "`kiosk/app.py:10`"], []),
    ("find_personal_data", ["data/visitors.csv", "column email"], ["visitor1@"]),
    ("find_dead_code", ["`kiosk/abandoned_export.py`", "function _forgotten_helper is named nowhere else"],
     ["`kiosk/users.py`", "function place ", "function main "]),
]  # fmt: skip


@pytest.mark.parametrize(("capability", "said", "unsaid"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_each_answers_from_the_folder(
    run: Run, shop: Folder, capability: str, said: list[str], unsaid: list[str]
) -> None:
    text = asked(run, shop, capability).text
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("MAINTAINERS", "# Who\n- Ada Quill (@quill)\n", "Ada Quill (@quill) (`MAINTAINERS`)."),
        ("package.json", '{"author": "", "maintainers": [{"name": "Ada Quill"}]}', "Ada Quill (`package.json`)."),
        ("pyproject.toml", '[project]\nauthors = [{name = "Ada Quill"}]\n', "Ada Quill (`pyproject.toml`)."),
        ("Cargo.toml", '[package]\nauthors = ["Ada Quill"]\n', "Ada Quill (`Cargo.toml`)."),
        ("kiosk.gemspec", 's.authors = ["Ada Quill"]\n', "Ada Quill (`kiosk.gemspec`)."),
        ("debian/control", "Maintainer: Ada Quill\n", "Ada Quill (`debian/control`)."),
        ("pom.xml", "<developer><name>Ada Quill</name></developer>", "Ada Quill (`pom.xml`)."),
        ("broken/package.json", "{", "no file here names them"),
        ("broken/Cargo.toml", "[", "no file here names them"),
    ],
)
def test_maintainers_are_whom_files_name(run: Run, tmp_path: Path, name: str, content: str, said: str) -> None:
    text = asked(run, Folder(tmp_path / "shop", {name: content, "README.md": "# Kiosk\n"}), "explain_project").text
    assert f"**Maintainers**: {said}" in text.replace("\\", "")


def test_what_a_matrix_fills_in_is_no_command(run: Run, tmp_path: Path) -> None:
    steps = "jobs:\n  a:\n    strategy: {tox: py311}\n    steps:\n"
    steps += "      - run: tox run -e ${{ matrix.tox }}\n      - run: tox run -e typing\n"
    files = {".github/workflows/a.yml": steps, "README.md": "# Kiosk\n", "tests/test_a.py": "def test_a(): ...\n"}
    text = asked(run, Folder(tmp_path / "shop", files), "explain_project").text
    assert "`tox run -e typing`" in text
    assert "matrix" not in text and "py311" not in text


@pytest.mark.parametrize(
    ("capability", "outcome"),
    [
        ("find_tests", {"status": "done", "severity": "low", "count": "one", "tags": ["untested"]}),
        ("find_duplicates", {"status": "done", "severity": "low", "count": "one", "tags": ["duplication"]}),
        ("list_licenses", {"status": "partial", "severity": "none", "count": "none", "tags": ["truncated"]}),
        ("find_dead_code", {"status": "done", "severity": "low", "count": "few", "tags": ["unused"]}),
        ("measure_size", {"status": "done", "count": "many", "tags": []}),
        ("explain_project", {"status": "done", "count": "few", "tags": []}),
    ],
)
def test_outcomes_are_bounded(run: Run, shop: Folder, capability: str, outcome: dict[str, object]) -> None:
    assert asked(run, shop, capability).outcome == outcome


def test_a_part_of_a_folder_is_not_called_free_of_unused_code(run: Run, shop: Folder) -> None:
    result = asked(run, shop, "find_dead_code", "kiosk/users.py")
    assert result.outcome["status"] == "failed"
    assert "ask about the whole folder" in result.text


@pytest.mark.parametrize(
    ("kind", "address", "expected"),
    [("log_stream", "203.0.113.7", True), ("log_stream", "10.1.2.3", False), ("config", "203.0.113.7", False)],
)
def test_addresses_in_a_log_are_personal_data(run: Run, kind: str, address: str, expected: bool) -> None:
    text = f"Nov  1 09:00:00 web sshd[901]: Failed password for root from {address} port 40000 ssh2\n" * 3
    result = run("find_personal_data", Input(name="auth.log", kind=kind, data=text.encode()))
    assert [finding.message for finding in result.findings] == ["IP address: 3 values, 1 different"] * expected


def test_a_database_is_searched_by_table_and_column(run: Run, tmp_path: Path) -> None:
    root = Folder(tmp_path / "data", {"notes.txt": "nothing here\n"})
    with sqlite3.connect(root.root / "crm.db") as connection:
        connection.execute("CREATE TABLE people (id INTEGER, email TEXT)")
        connection.executemany("INSERT INTO people VALUES (?, ?)", [(n, f"p{n}@museum-mail.org") for n in range(40)])
    result = asked(run, root, "find_personal_data")
    assert {finding.name for finding in result.findings} == {"crm.db#people"}


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
COBOL = b"IDENTIFICATION DIVISION.\nPROGRAM-ID. HELLO.\n"
SUMMARIES = [
    (
        "a.js",
        b"// Reads settings from the environment at start.\nmodule.exports = 1;\n",
        "Reads settings from the environment at start.",
    ),
    (
        "a.go",
        b"package a\n\n// Open opens it.\nfunc Open() {}\n\nfunc hidden() {}\n",
        "(line 4): Open opens it.",
    ),
    (
        "a.md",
        b"# T\n\n![x](y.png)\n\nT counts the visitors of a museum by the hour.\n",
        "T counts the visitors of a museum by the hour.",
    ),
    (
        "a.rst",
        b"T\n=\n\n.. image:: y.png\n\nT counts the :ref:`visitors <v>` of a museum.\n",
        "T counts the visitors of a museum.",
    ),
    (
        "b.rst",
        b"T\n=\n\nT counts the visitors of a museum::\n\n   >>> hereby(1)\n   1\n\n"
        b".. code-block:: sh\n\n   hereby --all 1 2 3\n",
        "T counts the visitors of a museum.",
    ),
    (
        "b.md",
        b"T is a manager of newsletter lists. It counts who reads them.\n\n## Installation\n\nUnpack it.\n",
        "\n\nT is a manager of newsletter lists. It counts who reads them.",
    ),
    (
        "c.md",
        b"# Notice of the end\n\nThank you all, who have helped.\n\n## About\n\nT counts the visitors of a museum.\n",
        "T counts the visitors of a museum.",
    ),
    (
        "b.js",
        b"// Reads.\nfunction read (a) {\n  return hidden(error(1, 'x' + a.up() + '\"', {\n    b: 1\n  }))\n}\n",
        "javascript, 6 lines: 1 function, such as `read`.",
    ),
    (
        "LICENSE",
        b"MIT License\n\nPermission is hereby granted, free of charge, to any person",
        "The text of the licence MIT.",
    ),
]


@pytest.mark.parametrize(("name", "content", "said"), SUMMARIES, ids=[row[0] for row in SUMMARIES])
def test_a_summary_says_what_it_is_for_without_markup(run: Run, name: str, content: bytes, said: str) -> None:
    text = run("summarize", Input(name=name, data=content)).text
    assert said in text
    assert not any(mark in text for mark in ("y.png", "![", ":ref:", "hidden", "hereby"))


UNREAD = [
    ("list_todos", "a.png", PNG, "failed"),
    ("list_exposed_ports", "a.png", PNG, "failed"),
    ("list_exposed_ports", "a.xyz", COBOL, "failed"),
    ("list_exposed_ports", "a.json", b'{"port": ', "partial"),
    ("find_personal_data", "a.png", PNG, "failed"),
    ("list_licenses", "a.py", b"print(1)\n", "failed"),
    ("find_dead_code", "a.md", b"# a text\n", "failed"),
    ("find_tests", "a.md", b"# a text\n", "failed"),
    ("changes_since", "a.md", b"# a text\n", "failed"),
    ("explain_project", "a.png", PNG, "partial"),
    ("summarize", "a.png", PNG, "partial"),
    ("summarize", "a.json", b'{"a": [1, ', "partial"),
    ("secret_scan", "a.png", PNG, "partial"),
    ("assess_exposure", "a.png", PNG, "partial"),
    ("search_similar", "a.png", PNG, "partial"),
    ("measure_complexity", "a.py", b"def f(:\n  return ((\n", "partial"),
    ("measure_complexity", "a.xyz", COBOL, "failed"),
    ("map_dependencies", "a.xyz", COBOL, "partial"),
    ("find_impact", "a.xyz", COBOL, "partial"),
]


@pytest.mark.parametrize(
    ("capability", "name", "content", "status"), UNREAD, ids=[f"{row[0]}-{row[1]}" for row in UNREAD]
)
def test_what_was_not_examined_is_never_clean(
    run: Run, capability: str, name: str, content: bytes, status: str
) -> None:
    kind = "document" if name.endswith((".md", ".png")) else "code_file"
    given = Input(name=name, data=content, kind=kind)
    around = Surroundings(objects=(Neighbour(name, kind, "", format=name[2:]),), inputs=(0,))
    assert run(capability, given, surroundings=around).outcome["status"] == status


def test_functions_are_not_judged_where_other_files_were_not_read(run: Run, shop: Folder) -> None:
    result = asked(run, shop, "find_dead_code", "kiosk/orders.py", "kiosk/abandoned_export.py")
    assert result.outcome["status"] == "partial"
    assert "_forgotten_helper" not in result.text
    assert "were not read" in result.text


def git(root: Path, *arguments: str) -> None:
    environment = {"GIT_CONFIG_GLOBAL": "/dev/null", "HOME": str(root), "PATH": "/usr/bin:/bin"}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", *who, *arguments], cwd=root, env=environment, check=True, capture_output=True)


def test_changes_since_a_revision_and_what_is_not_committed(run: Run, shop: Folder) -> None:
    git(shop.root, "init", "-q")
    git(shop.root, "add", ".")
    git(shop.root, "commit", "-qm", "first")
    git(shop.root, "tag", "v1.0")
    users = shop.root / "kiosk/users.py"
    users.write_text(users.read_text() + "".join(f"\n\ndef role_{n}():\n    return {n}\n" for n in range(4)))
    git(shop.root, "commit", "-qam", "roles")
    (shop.root / "kiosk/orders.py").write_text("def place(user):\n    return user, 1\n")
    (shop.root / "new.txt").write_text("new\n")
    inputs, around = shop.inputs()
    found = changes(shop.root, {given.name for given in inputs}, "1.0")
    assert [subject for _, _, _, subject in found.commits] == ["roles"]
    result = run("changes_since", *inputs, surroundings=msgspec.structs.replace(around, changes=found))
    assert result.facts["affected"] == ["kiosk/orders.py", "kiosk/users.py", "new.txt"]
    assert ("kiosk/users.py", "untested") in {(finding.name, finding.tag) for finding in result.findings}
    for words in (
        "Since v1.0: 1 commit, 1 file changed",
        "Authors and maintainers, by commits: A (1).",
        "roles (A)",
        "`new.txt`: untracked",
        "`kiosk/orders.py`: modified",
    ):
        assert words in result.text
    assert "example.invalid" not in result.text


def test_without_git_nothing_is_claimed(run: Run, shop: Folder) -> None:
    inputs, around = shop.inputs()
    found = changes(shop.root, ())
    result = run("changes_since", *inputs, surroundings=msgspec.structs.replace(around, changes=found))
    assert result.outcome["status"] == "failed" and "not in a git repository" in result.text


@pytest.mark.parametrize(
    ("goal", "since"),
    [
        ("What changed in the last two weeks?", "14d"),
        ("what changed since v1.2.3", "v1.2.3"),
        ("changes since commit abc1234.", "abc1234"),
        ("What happened yesterday", "2d"),
        ("what is new", ""),
    ],
)
def test_from_when_on_a_request_asks(goal: str, since: str) -> None:
    assert since_of(goal) == since


@pytest.mark.parametrize(
    ("name", "class_", "role", "format", "expected"),
    [
        ("tests/tests.sh", "test_helper", "test", "shell", True),
        ("tests/conftest.py", "test_helper", "test", "python", False),
        ("seed/generate-votes.sh", "benchmark_runner", "test", "shell", False),
        ("Shop.Tests/CartFixture.cs", "test_suite", "test", "csharp", True),
        ("src/entry.rs", "test_suite", "test", "rust", True),
        ("api/routes/login.py", "test_suite", "test", "python", False),
        ("mail/test_mail.html", "page_template", "test", "html", False),
        ("tests/__init__.py", "package_entrypoint", "test", "python", False),
        ("spec/spec_helper.rb", "test_suite", "test", "ruby", False),
        ("tests/t0001-basic.sh", "test_helper", "test", "shell", True),
        ("cart_test.go", "test_suite", "test", "go", True),
    ],
)
def test_a_test_is_known_by_its_name_or_place(name: str, class_: str, role: str, format: str, expected: bool) -> None:
    near = Neighbour(name=name, kind="code_file", semantic_class=class_, role=role, format=format)
    assert is_test(near) is expected
