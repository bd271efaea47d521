"""The small model of this machine in every mode, for real: valid plans, and nothing that leaves."""

from __future__ import annotations

from pathlib import Path

from plantwin_evals.configurations import main
from plantwin_evals.running import run


def test_a_small_model_always_returns_a_plan_and_a_twin_shows_it_nothing(tmp_path: Path) -> None:
    # One task: what the model is shown is cut to a few thousand characters in every domain.
    # Its goal names a customer, so that there is something to see whichever files fit.
    attempts = run(main(["local"], ["twin", "redacted", "raw", "local"]), ["devops"], tmp_path, jobs=1, most=1)
    assert len(attempts) == 4
    assert [each.error for each in attempts if each.error] == []
    assert all(each.valid and each.turns >= 1 for each in attempts)
    by_mode = {each.mode: each for each in attempts}
    assert by_mode["twin"].seen == []
    assert by_mode["local"].seen == []
    assert by_mode["local"].leakage == 0.0
    assert by_mode["raw"].seen != []
    # The prompt itself is among the bytes that are searched, beside the envelopes.
    assert by_mode["twin"].sent > 2000
