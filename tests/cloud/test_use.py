"""Use is counted on this machine, whoever counts at once; a damaged count stops nothing."""

from __future__ import annotations

import json
import stat
import threading

import pytest

from plantwin.cloud import use
from plantwin.cloud.use import Use, Uses
from plantwin.config.planners import Price


def test_tokens_and_costs_add_up(tmp_path):
    uses = Uses(tmp_path, {"m": Price(input=2.0, output=10.0)})
    uses.add("p:m", "m", 1_000_000, 100_000)
    uses.add("p:m", "m", 500_000, 0)
    uses.add("p:n", "n", 7, 1)
    assert uses.all() == {"p:m": Use(2, 1_500_000, 100_000, 4.0), "p:n": Use(1, 7, 1, 0.0)}
    assert stat.S_IMODE((tmp_path / "use.json").stat().st_mode) == 0o600


def test_many_at_once_lose_nothing(tmp_path):
    def work():
        for _ in range(20):
            Uses(tmp_path).add("p", "m", 1, 2)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert Uses(tmp_path).all() == {"p": Use(80, 80, 160, 0.0)}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"planners": 3, "forms": []}', '{"planners": {"p": [1, 2]}, "forms": {"e": ["text"]}}',
     '{"planners": {"p": [1, -2, 3, 4]}, "forms": {"e": ["text", "yesterday"]}}', "[" * 100_000,
     '{"planners": {"p": [Infinity, NaN, 1e999, 4]}}'],
)  # fmt: skip
def test_a_damaged_file_is_begun_anew(tmp_path, text):
    (tmp_path / "use.json").write_text(text)
    uses = Uses(tmp_path)
    assert uses.form("e") is None
    uses.add("p", "m", 1, 1)
    assert uses.all()["p"] == Use(1, 1, 1, 0.0)
    uses.remember("e", "tool")
    assert uses.form("e") == "tool"
    json.loads((tmp_path / "use.json").read_text())


def test_what_a_server_cannot_do_is_forgotten_after_a_while(tmp_path, monkeypatch):
    uses = Uses(tmp_path)
    uses.remember("e", "text")
    assert uses.form("e") == "text"
    now = use.time.time()
    monkeypatch.setattr(use.time, "time", lambda: now + use.REMEMBERED + 1)
    assert uses.form("e") is None


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path):
    Uses(tmp_path / "missing").add("p", "m", 1, 1)
    assert Uses(tmp_path / "missing").all() == {}
    Uses(None).add("p", "m", 1, 1)
    assert Uses(None).all() == {}
