"""The compiled form on disk is a convenience: ours and intact, or made anew."""

from __future__ import annotations

import multiprocessing
import os
import stat
import time
from pathlib import Path

import pytest

from plantwin.private.detect import compiled as module
from plantwin.private.detect.compiled import Compiled, compiled
from plantwin.private.detect.rules import parse

RULES = parse(
    "[[rule]]\ntype='badge_number'\ngroup='identifier'\nconfidence='high'\ndescription='Badge'\npattern='BDG-\\d{6}'\n"
)


@pytest.fixture(autouse=True)
def few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "load", lambda: RULES)


def hits(made: Compiled) -> list[int]:
    out: list[int] = []
    made.full.database.scan(b"BDG-123456", match_event_handler=lambda number, *_: out.append(number))
    return out


def cached(folder: Path) -> Path:
    (path,) = folder.glob("*.bin")
    return path


def test_it_is_stored_private_and_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(str(tmp_path))
    assert stat.S_IMODE(cached(tmp_path).stat().st_mode) == 0o600
    monkeypatch.setattr(module, "_database", lambda *_, **__: pytest.fail("compiled again"))
    assert hits(compiled(str(tmp_path))) == [0]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1] + bytes((data[-1] ^ 1,)),
        lambda data: b"x" + data[1:],
        lambda data: os.urandom(4096),
    ],
    ids=["empty", "short", "flipped", "foreign", "noise"],
)
def test_a_damaged_file_is_ignored_and_replaced(tmp_path: Path, change: object) -> None:
    compiled(str(tmp_path))
    path = cached(tmp_path)
    good = path.read_bytes()
    path.write_bytes(change(good))  # type: ignore[operator]
    assert hits(compiled(str(tmp_path))) == [0]
    assert path.read_bytes()[:17] == module.MAGIC


def test_a_file_that_others_may_write_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(str(tmp_path))
    cached(tmp_path).chmod(0o666)
    assert module._read(cached(tmp_path)) is None


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    compiled(str(tmp_path / "a"))
    path = cached(tmp_path / "a")
    link = tmp_path / path.name
    link.symlink_to(path)
    assert module._read(link) is None


def test_a_fifo_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert module._read(tmp_path / "pipe") is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    assert hits(compiled(str(blocked / "below"))) == [0]


def test_the_quiet_form_is_made_when_asked_for(tmp_path: Path) -> None:
    made = compiled(str(tmp_path))
    assert [path.name[:6] for path in tmp_path.glob("*.bin")] == ["rules-"]
    assert made.quiet is made.quiet
    assert sorted(path.name[:6] for path in tmp_path.glob("*.bin")) == ["quiet-", "rules-"]


def test_loading_is_quick(tmp_path: Path) -> None:
    compiled(str(tmp_path))
    path = cached(tmp_path)
    begin = time.process_time()
    assert module._read(path) is not None
    assert time.process_time() - begin < 0.05


def _counted(folder: str, made: object, gate: object) -> None:
    real = module._database

    def slow(*rules: object, **noisy: object) -> object:
        with made.get_lock():  # type: ignore[attr-defined]
            made.value += 1  # type: ignore[attr-defined]
        time.sleep(0.3)
        return real(*rules, **noisy)  # type: ignore[arg-type]

    module._database = slow  # type: ignore[assignment]
    gate.wait()  # type: ignore[attr-defined]
    compiled(folder)


def test_several_processes_compile_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    made, gate = context.Value("i", 0), context.Barrier(4)
    workers = [context.Process(target=_counted, args=(str(tmp_path), made, gate)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
        assert worker.exitcode == 0
    assert made.value == 1


def test_a_lock_held_by_one_that_is_stuck_is_waited_for_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    with module.alone(tmp_path / "x"):
        assert hits(compiled(str(tmp_path))) == [0]


def test_other_rules_are_stored_apart_and_old_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    for number in range(4):
        text = "[[rule]]\ntype='desk_number'\ngroup='identifier'\nconfidence='low'\ndescription='Desk'\n"
        made = compiled(str(tmp_path), parse(f"{text}pattern='DSK{number}-\\d{{4}}'\n"))
        assert [rule.type for rule in made.rules] == ["badge_number", "desk_number"]
    assert len(list(tmp_path.glob("*.bin"))) == 2
