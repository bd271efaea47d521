"""The small model of this machine in every mode, for real: valid plans, and nothing that leaves."""

from __future__ import annotations

from pathlib import Path

from plantwin_evals.configurations import main
from plantwin_evals.running import run

DOMAINS = ("incident", "pipelines")


def test_a_small_model_always_returns_a_plan_and_a_twin_shows_it_nothing(tmp_path: Path) -> None:
    attempts = run(main(["local"], ["twin", "redacted", "raw", "local"]), DOMAINS, tmp_path, jobs=1, most=1)
    assert len(attempts) == 8
    assert [each.error for each in attempts if each.error] == []
    assert all(each.valid and each.turns >= 1 for each in attempts)
    by_mode = {(each.mode, each.domain): each for each in attempts}
    for domain in DOMAINS:
        assert by_mode["twin", domain].seen == []
        assert by_mode["local", domain].seen == []
        assert by_mode["local", domain].leakage == 0.0
        assert by_mode["raw", domain].seen != []
        # The prompt itself is among the bytes that are searched, beside the envelopes.
        assert by_mode["twin", domain].sent > 2000
