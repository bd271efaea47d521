"""`plantwin watch`: the index is fresh after a change, and nobody has to trust it."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.surfaces.cli import main

SHOP = Path(__file__).parent.parent.parent / "examples" / "shop"


@pytest.fixture
def shop(tmp_path):
    shutil.copytree(SHOP, tmp_path / "shop")
    return tmp_path / "shop"


def test_changes_are_read_before_anybody_asks(shop, tmp_path):
    pytest.importorskip("watchfiles")
    environment = {**os.environ, "PLANTWIN_STATE": str(tmp_path / "state")}
    command = [sys.executable, "-m", "plantwin", "watch", str(shop), "--json"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)

    def update():
        ready, _, _ = select.select([process.stdout], [], [], 60)
        assert ready, "no update within a minute"
        return json.loads(process.stdout.readline())

    try:
        first = update()
        assert (first["command"], first["removed"]) == ("watch", 0) and first["read"] == first["files"] > 20
        time.sleep(1)
        (shop / "shop" / "watched.py").write_text("import json\n\n\ndef load(text):\n    return json.loads(text)\n")
        assert update()["files"] == first["files"] + 1
        # An answer never rests on the watcher: what changed this instant is read by whoever asks.
        (shop / "shop" / "late.py").write_text("LATE = 1\n")
        kept = Environment(shop, state=tmp_path / "state")
        assert "shop/late.py" in {record.path for record in kept.scan().records()}
        kept.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()


def test_without_the_extra_it_says_what_to_install(shop, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLANTWIN_STATE", str(tmp_path / "state"))
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert main(["watch", str(shop)]) == 2
    assert "pip install 'plantwin[watch]'" in capsys.readouterr().err


def test_a_file_is_not_watched(shop, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PLANTWIN_STATE", str(tmp_path / "state"))
    assert main(["watch", str(shop / "README.md")]) == 2
    assert "name its folder" in capsys.readouterr().err
