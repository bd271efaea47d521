"""The attacks of `benchmarks.redteam`, in their short form: each is carried out, and none succeeds."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.redteam.__main__ import ATTACKS
from benchmarks.redteam.score import Score, table

ELSEWHERE = {"kills", "racing"}
"""These have tests of their own beside this one, with more attempts than a short form."""


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in ELSEWHERE])
def test_no_attack_succeeds(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = importlib.import_module(f"benchmarks.redteam.{name}").attack(tmp_path, short=True)
    scores = [made] if isinstance(made, Score) else made
    assert scores and all(score.attempts for score in scores)
    assert [(score.attack, score.note) for score in scores if score.successes] == [], table(scores)
    assert all(score.told <= score.charged for score in scores)
