"""Expressions in compiled form: the same matches, and no harm from a file that is missing, old or broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plantwin.private.execute import patterns

PROGRAM = """
import re, sys
from plantwin.private.execute.patterns import install
print(install(sys.argv[1]))
from plantwin.private.redact import names, numbers, services
from plantwin.private.extract import content
values = [each for module in (names, numbers, services, content) for each in vars(module).values()]
found = [each for each in values if isinstance(each, re.Pattern)]
text = open(sys.argv[2]).read()
for each in found:
    given = text if isinstance(each.pattern, str) else text.encode()
    print(each.flags, each.groups, dict(each.groupindex), [match.span() for match in each.finditer(given)][:50])
print(re.compile("a(?P<b>c+)", re.IGNORECASE).search("xACC")["b"], re.compile(re.compile("x")).pattern)
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    patterns.prepare(str(folder))
    (file,) = folder.iterdir()
    return file


def run(file: Path, text: Path) -> list[str]:
    command = [sys.executable, "-c", PROGRAM, str(file), str(text)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_stored_expressions_match_the_same(made: Path, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text(
        Path(__file__).read_text() + "Jo Doe, jo@example.com, 10.0.0.1, 4111 1111 1111 1111, +49 30 123456\n" * 3
    )
    stored, plain = run(made, text), run(tmp_path / "absent", text)
    assert (stored[0], plain[0]) == ("True", "False")
    assert stored[1:] == plain[1:]
    assert len(stored) > 10
    assert made.name == patterns.file_name()
    assert made.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", [b"", b"xxxx", b"flip", b"cut"])
def test_a_damaged_file_is_not_used(damage: bytes, made: Path, tmp_path: Path) -> None:
    data = made.read_bytes()
    changed = {b"flip": data[:90] + bytes([data[90] ^ 1]) + data[91:], b"cut": data[:-5]}.get(damage, damage)
    (tmp_path / "file").write_bytes(changed)
    (tmp_path / "text").write_text("x")
    assert run(tmp_path / "file", tmp_path / "text")[0] == "False"


def test_a_folder_that_cannot_be_written_costs_time_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    patterns.prepare(str(tmp_path / "file" / "below"))
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
