"""A small real tree, and ways to run the command line on it."""

from __future__ import annotations

import os
import pty
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import HOSTILE, UNDECODABLE, Cli, Process, Ran, Terminal, converse

from plantwin.surfaces.cli import main


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own, no configuration, and a terminal of a known width."""
    folder = tmp_path / "state"
    monkeypatch.setenv("PLANTWIN_STATE", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("PLANTWIN_DEBUG", raising=False)
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A private project with code, settings, a secret, people, a log, a database and unpleasant names."""
    root = tmp_path / "shop"
    files = {
        "README.md": "# Shop\n\nSee [the guide](docs/guide.md).\n",
        "docs/guide.md": "# Guide\n\n1. Start the service.\n2. Open the page.\n",
        "src/auth.py": "import hashlib\nfrom src.store import load\n\n\ndef login(user, password):\n"
        "    return hashlib.sha256(password.encode()).hexdigest() == load(user)\n",
        "src/store.py": "import sqlite3\n\n\ndef load(user):\n"
        "    return sqlite3.connect('shop.db').execute('select hash from users where name = ?', (user,)).fetchone()\n",
        "tests/test_auth.py": "from src.auth import login\n\n\ndef test_login():\n    assert not login('a', 'b')\n",
        "config/app.toml": '[server]\nport = 8080\nhost = "localhost"\n',
        ".env": "DB_PASSWORD=Tr0ub4dor-and-3-horses\nAPI_KEY=9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d\n",
        "data/people.csv": "name,email,phone\n"
        + "".join(f"Person {n},person{n}@example.org,+4930123456{n:02}\n" for n in range(20)),
        "logs/app.log": "".join(f"2024-05-01T10:00:{n:02}Z ERROR request {n} failed\n" for n in range(40)),
        HOSTILE: "def harmless():\n    return 1\n",
        "blob": "zxqv\n",
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    Path(os.fsdecode(os.fsencode(root) + b"/" + UNDECODABLE)).write_text("Bonjour.\n")
    with sqlite3.connect(root / "shop.db") as database:
        database.execute("create table users (name text, email text)")
        database.execute("insert into users values ('Person', 'person@example.org')")
    database.close()
    return root


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run in this process."""

    def call(*arguments: object) -> Ran:
        code = main([str(each) for each in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture
def process() -> Process:
    """Run as a process of its own, as a person would."""

    def call(*arguments: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "plantwin", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, timeout=60, check=False, **options)

    return call


@pytest.fixture
def terminal() -> Terminal:
    """Run on a pseudo-terminal, typing each answer when its prompt appears."""

    def call(
        *arguments: object, answers: tuple[str | None, ...] = (), prompt: str = "> ", **environment: str
    ) -> tuple[int, str]:
        controller, device = pty.openpty()
        command = [sys.executable, "-m", "plantwin", *map(str, arguments)]
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "160", "PAGER": "cat", **environment}
        with subprocess.Popen(command, stdin=device, stdout=device, stderr=device, env=settings) as child:
            try:
                # The device stays open here until the child has ended: closing it may lose the last words.
                shown = converse(child, controller, list(answers), prompt)
            finally:
                os.close(device)
                os.close(controller)
            return child.wait(30), shown

    return call
