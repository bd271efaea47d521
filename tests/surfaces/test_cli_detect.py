"""`plantwin detect`: places that can be trusted, values that stay hidden, inputs of any kind and size."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import HOSTILE, Cli, Process, Terminal

from plantwin.private import inspection

TOKEN = "ghu_kX" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO"
MAIL = "mara.brandt@granite.org"
TEXT = f"Grüße 😀\nan {MAIL}\n\tund ключ {TOKEN}!\n"
MEMBERS = ["path", "line", "column", "start", "end", "byte_start", "byte_end", "type", "group", "confidence", "preview"]


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_json_is_one_object_to_a_line(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(TEXT, encoding="utf-8")
    ran = cli("detect", file, "--json")
    assert (ran.code, ran.err) == (0, "")
    mail, token = lines(ran.out)
    assert list(mail) == list(token) == MEMBERS
    assert mail["path"] == token["path"] == str(file)
    assert (mail["type"], mail["group"], mail["line"], mail["column"]) == ("email", "personal", 2, 4)
    assert (token["type"], token["group"], token["confidence"]) == ("github_token", "secret", "high")
    assert (token["line"], token["column"], token["preview"]) == (3, 11, "ghu_****9gKO")
    assert ran.out.isascii()


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_offsets_are_those_of_the_decoded_text(encoding: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "notes"
    data = TEXT.encode(encoding)
    file.write_bytes(data)
    found = lines(cli("detect", file, "--json", "--show", "--confidence", "medium").out)
    assert [each["value"] for each in found] == [MAIL, TOKEN]
    for each in found:
        assert TEXT[each["start"] : each["end"]] == each["value"]
        assert TEXT.splitlines()[each["line"] - 1][each["column"] - 1 :].startswith(each["value"])
        inside = data[each["byte_start"] : each["byte_end"]]
        plain = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
        assert inside.decode(plain) == each["value"]


def test_latin_1_and_binary(cli: Cli, tmp_path: Path) -> None:
    data = f"caf\xe9 na\xefve \xdc{MAIL} \xe9{TOKEN}\xe9\n\xe4\n{MAIL}".encode("latin-1")
    (tmp_path / "latin").write_bytes(data)
    found = lines(cli("detect", tmp_path / "latin", "--json", "--type", "email").out)
    assert [data.decode("latin-1")[each["start"] : each["end"]] for each in found] == [MAIL, MAIL]
    assert [(each["line"], each["column"]) for each in found] == [(1, 13), (3, 1)]
    data = bytes(range(256)) * 40 + f"\0{TOKEN}\0".encode() + bytes(range(255, -1, -1)) * 40
    (tmp_path / "binary").write_bytes(data)
    (found,) = (each for each in lines(cli("detect", tmp_path / "binary", "--json").out) if each["group"] == "secret")
    assert data[found["byte_start"] : found["byte_end"]] == TOKEN.encode()


def test_values_are_hidden_unless_asked_for(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    for arguments in ((), ("--json",)):
        ran = cli("detect", tmp_path, *arguments)
        assert TOKEN not in ran.out + ran.err and MAIL not in ran.out + ran.err
        assert TOKEN in cli("detect", tmp_path, "--show", *arguments).out


def test_for_people_findings_stand_under_their_file(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "sub" / "b.txt").write_text("nothing\n")
    monkeypatch.chdir(tmp_path)
    ran = cli("detect", "sub")
    shown = ran.out.splitlines()
    assert shown[0] == "sub/a.txt"
    assert shown[1].split() == ["2:4", "email", "personal", "medium", "mar****org"]
    assert shown[2].split() == ["3:11", "github_token", "secret", "high", "ghu_****9gKO"]
    assert ran.err.startswith("2 findings in 1 file; looked at 2 files")
    assert lines(cli("detect", "--json").out)[0]["path"] == "sub/a.txt"
    assert lines(cli("detect", "./", "--json").out)[0]["path"] == "sub/a.txt"


def test_stdin(process: Process) -> None:
    for data in (TEXT.encode(), TEXT.encode("utf-16")):
        ran = process("detect", "-", "--json", input=data)
        assert ran.returncode == 0, ran.stderr
        found = lines(ran.stdout.decode())
        assert [each["path"] for each in found] == ["-", "-"]
        assert TEXT[found[1]["start"] : found[1]["end"]] == TOKEN
    assert process("detect", "-", "--json", input=b"").stdout == b""
    assert process("detect", "-", ".", input=b"").returncode == 2


def test_a_pipe_is_a_file(tmp_path: Path, process: Process) -> None:
    read, write = os.pipe()
    os.write(write, TEXT.encode())
    os.close(write)
    ran = process("detect", f"/dev/fd/{read}", "--json", pass_fds=(read,))
    os.close(read)
    assert [each["type"] for each in lines(ran.stdout.decode())] == ["email", "github_token"]


def test_exit_codes(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    assert cli("detect", tmp_path).code == 0
    assert cli("detect", tmp_path, "--fail").code == 1
    assert cli("detect", tmp_path, "--fail", "--type", "iban").code == 0
    assert cli("detect", tmp_path / "absent").code == 2
    assert cli("detect", tmp_path, tmp_path / "absent").out == ""


def test_filters(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")

    def types(*arguments: str) -> list[str]:
        return [each["type"] for each in lines(cli("detect", tmp_path, "--json", *arguments).out)]

    assert types("--group", "secret") == ["github_token"]
    assert types("--group", "secret,personal") == ["email", "github_token"]
    assert types("--type", "git*") == ["github_token"]
    assert types("--type", "email", "--type", "github_token") == ["email", "github_token"]
    assert types("--confidence", "high") == ["github_token"]
    assert types("--confidence", "medium") == types("--confidence", "low") == ["email", "github_token"]
    for option, word in (("--type", "emial"), ("--group", "secrets"), ("--confidence", "sure")):
        ran = cli("detect", tmp_path, option, word)
        assert (ran.code, ran.out) == (2, "")
        assert word in ran.err


def test_folders_are_walked_like_a_scan(cli: Cli, tree: Path) -> None:
    (tree / ".gitignore").write_text("logs/\n")
    (tree / "logs" / "secret.log").write_text(f"token {TOKEN}\n")
    (tree / "link").symlink_to(tree / ".env")
    os.mkfifo(tree / "fifo")
    seen = {each["path"] for each in lines(cli("detect", tree, "--json").out)}
    assert f"{tree}/.env" in seen and f"{tree}/data/people.csv" in seen
    assert f"{tree}/logs/secret.log" not in seen and f"{tree}/link" not in seen
    seen = {each["path"] for each in lines(cli("detect", tree, "--json", "--no-ignore").out)}
    assert f"{tree}/logs/secret.log" in seen


def test_names_and_values_cannot_speak_to_the_terminal(cli: Cli, tree: Path) -> None:
    (tree / HOSTILE).write_text(f'password = "Gr4\x1b[31mnite#Hill"\nmail {MAIL}\n')
    ran = cli("detect", tree, "--show")
    assert "\x1b" not in ran.out + ran.err and "\u202e" not in ran.out
    assert r"evil\n\x1b[31mred" in ran.out
    path = Path(os.fsdecode(os.fsencode(tree) + b"/caf\xe9.txt"))
    path.write_text(f"{MAIL}\n")
    row = next(each for each in lines(cli("detect", tree, "--json").out) if "path_bytes" in each)
    assert row["path"].endswith("caf\ufffd.txt")


def test_a_file_that_cannot_be_read_is_told_and_never_passes_for_clean(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("harmless\n")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    whole = inspection._Reader._open

    def refuse(self: Any, file: inspection.File) -> int:
        if file.path == "a.txt":
            raise PermissionError(13, "canary")
        return whole(self, file)

    monkeypatch.setattr(inspection._Reader, "_open", refuse)
    ran = cli("detect", tmp_path, "--json", "--fail", "--type", "iban")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"warning: {tmp_path}/a.txt cannot be read: check its permissions\n"
    assert len(lines(cli("detect", tmp_path, "--json").out)) == 2


def test_a_file_that_defeats_detection_does_not_end_the_rest(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plantwin.private.detect.engine import Detector

    (tmp_path / "a.txt").write_text("canary\n")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    scan = Detector.scan

    def fail(self: Detector, data: bytes, *, path: str = "") -> Any:
        if path == "a.txt":
            raise ValueError(data)
        return scan(self, data, path=path)

    monkeypatch.setattr(Detector, "scan", fail)
    ran = cli("detect", tmp_path, "--json")
    assert len(lines(ran.out)) == 2
    assert ran.err == f"warning: stage_valueerror: {tmp_path}/a.txt\n"


def test_workers_find_the_same_in_the_same_order(cli: Cli, tmp_path: Path) -> None:
    for number in range(200):
        folder = tmp_path / f"d{number % 7}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.txt").write_text(f"line\nmail{number}@granite.org " + TOKEN * (number % 3) + "\n")
    one = cli("detect", tmp_path, "--json", "--jobs", 1).out
    assert len(lines(one)) >= 200
    assert cli("detect", tmp_path, "--json", "--jobs", 3).out == one


def test_a_worker_that_dies_is_told(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(150):
        (tmp_path / f"{number}.txt").write_text(f"{MAIL}\n")
    monkeypatch.setattr(inspection._Reader, "whole", lambda self, file: os._exit(9))
    ran = cli("detect", tmp_path, "--json", "--jobs", 2, "--fail")
    assert ran.code == 1
    assert "worker_died" in ran.err and ran.out == ""


def test_a_large_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    line = b"2024-05-01T10:00:00Z INFO request 12345 handled in 12 ms by worker seven\n"
    file = tmp_path / "large.log"
    with file.open("wb") as log:
        log.write(f"first {TOKEN}\n".encode())
        for _ in range(150):
            log.write(line * 13_000)
        log.write(f"last {TOKEN}".encode())
    assert file.stat().st_size > 140_000_000

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (120 << 20, 120 << 20))

    command = [sys.executable, "-m", "plantwin", "detect", str(file), "--json", "--group", "secret"]
    ran = subprocess.run(command, capture_output=True, preexec_fn=limit, check=False, timeout=120)
    assert ran.returncode == 0, ran.stderr
    first, last = lines(ran.stdout.decode())
    assert (first["line"], first["column"]) == (1, 7)
    assert (last["line"], last["column"], last["byte_end"]) == (150 * 13_000 + 2, 6, file.stat().st_size)


def test_colour_on_a_terminal_only(tmp_path: Path, terminal: Terminal, process: Process) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    code, shown = terminal("detect", tmp_path)
    assert code == 0 and "\x1b[31mhigh" in shown
    assert b"\x1b" not in process("detect", tmp_path).stdout
    assert "\x1b" not in terminal("detect", tmp_path, NO_COLOR="1")[1]


def test_what_is_allowed_is_left_out_and_counted(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('password = "Gr4nite#Hill7"  # plantwin: allow\n')
    ran = cli("detect", tmp_path, "--fail")
    assert (ran.code, ran.out) == (0, "")
    assert "and 1 allowed" in ran.err
    (row,) = lines(cli("detect", tmp_path, "--json", "--allowed").out)
    assert row["allowed"] == "comment"
    assert cli("detect", tmp_path, "--allowed", "--fail").code == 1
    assert "<PASSWORD_1>" in cli("redact", tmp_path / "a.py").out
