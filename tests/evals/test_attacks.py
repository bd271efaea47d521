"""Attacks give what they must where the answer is known, and hear what a planner for information was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from plantwin_evals.attacks import Arm, Heard, _membership, attack_tables, attacks, attributes, listen, picked
from plantwin_evals.reid import GOALS
from plantwin_evals.reidentification import Case

NONE: frozenset[str] = frozenset()


def _heard(number: int, told: bool, word: str = "t") -> Heard:
    truths = [frozenset({"kind=document", f"contains={word}{each}"}) for each in range(number)]
    words = truths if told else [NONE] * number
    both = {"greedy": words, "ally": words}
    names = [f"file{each}/" for each in range(number)]
    edges = [(NONE, NONE)] * number
    return Heard(names, truths, both, {"greedy": [NONE] * number}, edges, [True] * number, NONE.union(*words), (1, 2))


def test_what_was_told_is_found_and_what_was_not_is_left_to_chance() -> None:
    others = [frozenset({"kind=document", f"contains=o{each}"}) for each in range(20)]
    everything, silent = _heard(20, True), _heard(20, False)
    found = {name: score for name, score in attacks(everything, everything, everything, others).items() if score}
    assert {name for name, score in found.items() if score.accuracy == 1} == {*found} - {"structure"}
    nothing = attacks(silent, silent, silent, others)
    assert all(score and abs(score.accuracy - 1 / 15) < 0.06 for name, score in nothing.items() if name != "membership")
    assert _membership(silent, others).accuracy == 0.5
    assert picked([Case(NONE, NONE)] * 14, [True] * 14) is None, "fewer than a pool"
    rows = {"an arm": {**found, "gained": 1.0, "charged": 2.0, "objects shown": 20, **attributes([everything])}}
    accuracy, gain = attack_tables(rows)
    assert accuracy.rows[0][:3] == ("an arm", 1.0, 1.0) and gain.rows[0][-2:] == ("1.00", "2.00")


def test_attributes_are_known_where_they_were_told() -> None:
    tag = "contains=credentials"
    has = _heard(3, True)._replace(truths=[frozenset({tag})], heard=frozenset({f"set.{tag}:some"}))
    lacks = _heard(3, True)._replace(truths=[NONE], heard=NONE)
    assert attributes([has, lacks, lacks])["contents"] == (1.0, pytest.approx(2 / 3))
    assert attributes([has._replace(heard=NONE), lacks, lacks])["contents"][0] == pytest.approx(2 / 3)


def test_a_planner_for_information_hears_fields_and_outcomes(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for number in range(6):
        (root / f"module_{number}.py").write_text(f"def run_{number}(value):\n    return value + {number}  # TODO: x\n")
    heard = listen(root, Arm("", "objects", scale=100.0), tmp_path / "state", GOALS[1:2], {}, ("ally",))
    assert all(heard.shown) and len(heard.truths) == 6
    assert any("semantic_class=" in word for word in heard.told["greedy"][0])
    assert any(word.startswith("list_todos.count=") for word in heard.outcomes["ally"][0])
    assert heard.bits[1] > heard.bits[0] == 0, "six files that are alike"
