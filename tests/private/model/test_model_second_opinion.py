"""Asking about doubtful files in a scan: a worker that can be killed, no network, each content once."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.config.settings import ExtractChoice, ModelChoice, Settings
from plantwin.errors import InputError
from plantwin.private.index import UNSETTLED, Row, pack, unpack
from plantwin.private.model import naming, second_opinion
from plantwin.private.model.model import Chosen, for_extraction, for_text
from plantwin.private.model.second_opinion import OpinionCache, SecondOpinion

TEXT = "Alpha beta gamma. The quick fox went over to the other side, and nothing else of note took place.\n"


def keyed(purpose, data):
    import hashlib

    return hashlib.sha256(purpose.encode() + data).digest()


def row(path, **changes):
    from test_model_naming import facts

    return Row(path, UNSETTLED, 0, b"", pack((facts(**changes),)))


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Few classes to weigh: workers inherit them."""
    monkeypatch.setattr(naming, "classes_of", lambda kind: ("general_document", "readme", "runbook"))


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    for name in ("a.txt", "b.txt"):
        (root / name).write_text(TEXT)
    return root


@pytest.fixture
def interview(folder, files, tmp_path):
    made = SecondOpinion(folder, Chosen(*files), tmp_path / "opinions.db", keyed)
    yield made
    made.close()


def test_each_content_is_read_once_also_by_later_scans(interview, folder, files, tmp_path):
    rows = [row("a.txt"), row("b.txt"), row("a.txt", confidence="high")]
    first = interview.improved(rows)
    assert interview.asked == 1
    assert first[2] is rows[2]
    assert [unpack(each.facts)[0].confidence for each in first[:2]] in (["low"] * 2, ["medium"] * 2)
    interview.close()
    assert (tmp_path / "opinions.db").stat().st_mode & 0o777 == 0o600
    assert TEXT.encode()[:20] not in (tmp_path / "opinions.db").read_bytes()
    again = SecondOpinion(folder, Chosen(*files), tmp_path / "opinions.db", keyed)
    assert again.improved(rows) == first
    assert again.asked == 0 and again._process is None
    again.close()


def test_the_worker_has_no_socket_and_ends_with_the_scan(interview):
    interview.improved([row("a.txt")])
    number = interview._process.pid
    place = Path(f"/proc/{number}")
    assert "Seccomp:\t2" in (place / "status").read_text()
    links = [str(each.readlink()) for each in (place / "fd").iterdir()]
    listening = {line.split()[9] for line in (place / "net" / "tcp").read_text().splitlines()[1:]}
    assert not [each for each in links if each.startswith("socket:[") and each[8:-1] in listening]
    interview.close()
    assert not place.exists()


def test_a_worker_that_dies_or_hangs_costs_an_opinion_and_no_more(interview, folder, monkeypatch):
    answer = interview._answer
    interview.improved([row("a.txt")])
    (folder / "b.txt").write_text(TEXT * 2)
    os.kill(interview._process.pid, signal.SIGKILL)
    assert interview.improved([row("b.txt")]) == [row("b.txt")]
    assert interview.notes == ["model_failed: 1 file"]
    (folder / "b.txt").write_text(TEXT * 3)
    monkeypatch.setattr(second_opinion, "PATIENCE", 0.0)
    assert interview.improved([row("b.txt")]) == [row("b.txt")]
    monkeypatch.setattr(interview, "_answer", answer)
    interview._left = 0
    (folder / "b.txt").write_text(TEXT * 4)
    assert interview.improved([row("b.txt"), row("gone.txt")]) == [row("b.txt"), row("gone.txt")]
    assert interview.unasked == 2
    assert interview.notes[1] == "model_unasked: 2 files, for want of time"


def test_a_damaged_or_unusable_cache_is_none(tmp_path):
    damaged = tmp_path / "opinions.db"
    damaged.write_bytes(b"not a database" * 100)
    opinions = OpinionCache(damaged)
    assert opinions.get(b"x") is None
    opinions.put(b"x", "readme")
    opinions.keep()
    assert opinions.get(b"x") == "readme"
    OpinionCache(tmp_path / "no" / "folder.db").keep()
    memory = OpinionCache(None)
    memory.put(b"y", "")
    memory.keep()
    assert memory.get(b"y") == ""


def test_a_scan_with_the_model_is_never_surer_than_medium_for_it(folder, files, tmp_path):
    def scanned(model):
        environment = Environment(folder, state=tmp_path / "state", model=model)
        try:
            return {each.path: each for each in environment.scan(jobs=1).records()}
        finally:
            environment.close()

    before, after = scanned(None), scanned(Chosen(*files))
    assert {each.confidence for each in before.values()} == {"low"}
    assert all(each.confidence in ("low", "medium") for each in after.values())
    assert all(
        after[path].kind == each.kind and after[path].sensitivity == each.sensitivity for path, each in before.items()
    )
    assert scanned(Chosen(*files)) == after


def test_settings_choose_the_model_and_by_default_none(files, tmp_path):
    assert for_extraction(Settings()) is None
    assert for_text(Settings()) is None
    assert for_extraction(Settings(extract=ExtractChoice(model="local", seconds=5))) == Chosen(*files, 5)
    assert for_text(Settings(model=ModelChoice(text=True))) == tuple(map(str, files))
    with pytest.raises(InputError, match="weights"):
        for_text(Settings(model=ModelChoice(text=True, weights=str(tmp_path / "none.gguf"))))
