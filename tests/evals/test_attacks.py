"""Attacks give what they must where the answer is known, and hear what a planner for information was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from plantwin.vocabulary import Affected
from plantwin_evals.attacks import (
    TRUTH,
    Answer,
    Arm,
    Heard,
    _membership,
    attack_tables,
    attacked,
    attacks,
    attributes,
    differenced,
    listen,
    picked,
)
from plantwin_evals.closed_world import closed_world, compared
from plantwin_evals.reid import GOALS
from plantwin_evals.reidentification import Case
from plantwin_evals.running import kept

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


def test_attributes_are_known_where_they_were_told() -> None:
    tag = "contains=credentials"
    has = _heard(3, True)._replace(truths=[frozenset({tag})], heard=frozenset({f"set.{tag}:some"}))
    lacks = _heard(3, True)._replace(truths=[NONE], heard=NONE)
    assert attributes([has, lacks, lacks])["contents"] == (1.0, pytest.approx(2 / 3))
    assert attributes([has._replace(heard=NONE), lacks, lacks])["contents"][0] == pytest.approx(2 / 3)


def _told(*answers: tuple[set[int], Affected]) -> Heard:
    said = [Answer("list_todos", frozenset(f"file{n}/" for n in members), word) for members, word in answers]
    return _heard(6, False)._replace(answers=said)


@pytest.mark.parametrize(
    ("heard", "right"),
    [
        # In one of six something is found: which, nobody can say, and the commoner answer is as good.
        (_told((set(range(6)), Affected.ONE)), 5 / 6),
        # In none of the others: so it is the sixth.
        (_told((set(range(6)), Affected.ONE), ({0, 1, 2, 3, 4}, Affected.NONE)), 1.0),
        (_told(({0, 1, 2, 3, 4}, Affected.NONE), (set(range(6)), Affected.ONE)), 1.0),
    ],
)
def test_answers_about_sets_that_differ_in_one_file_tell_of_that_file(heard: Heard, right: float) -> None:
    truth = _heard(6, True)._replace(outcomes={"greedy": [*[NONE] * 5, frozenset({"list_todos.count=few"})]})
    found = differenced(heard, truth)
    assert found and (found.right, found.common) == (pytest.approx(right), pytest.approx(5 / 6))
    assert (found.gained > 0.5) is (right == 1)
    assert differenced(heard, _heard(6, True)) is None, "nothing to be found out"


def test_every_attack_is_played_with_and_without_a_budget(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for number in range(12):
        body = "".join(f"    value += {line}\n" for line in range(number * 20))
        todo = "# TODO: tidy up\n" if number % 3 == 0 else ""
        (root / f"module_{number}.py").write_text(f"{todo}def run_{number}(value):\n{body}    return value\n")
        (root / f"note_{number}.md").write_text(f"# Note {number}\n\n" + "Ship it by May.\n" * number)
    truth = listen(root, TRUTH, tmp_path / "truth", [GOALS[1]], {})
    arms = [
        Arm("no budget", "objects", scale=100.0),
        Arm("k-anonymity", "objects", "k-anonymity"),
        Arm("sets", scale=100.0),
    ]
    rows = {}
    for arm in arms:
        heard = listen(root, arm, tmp_path / arm.name, GOALS[1:2], {}, ("ally",))
        rows[arm.name] = attacked([(heard, truth, heard)])
    without, with_budget, sets = rows.values()
    assert with_budget["gained"] < without["gained"] and with_budget["shown"].accuracy < without["shown"].accuracy
    assert with_budget["charged"] > 0 and sets["gained by differencing"] is not None, "steps on sets told of how many"
    accuracy, mrr, bits = attack_tables(rows)
    assert [len(table.rows) for table in (accuracy, mrr, bits)] == [4, 4, 3], "chance stands below"
    assert all(cell is not None for cell in accuracy.rows[0][:7])


def test_a_public_tree_is_found_by_what_it_alone_has(tmp_path: Path) -> None:
    trees = [tmp_path / "code", tmp_path / "notes"]
    for number in range(12):
        for tree, name, text in zip(
            trees, (f"m{number}.py", f"n{number}.md"), ("def f():\n    pass\n", "# A\n"), strict=True
        ):
            tree.mkdir(exist_ok=True)
            (tree / name).write_text(text + str(number))
    arms = (Arm("no budget", scale=100.0),)
    assert closed_world([compared(str(tree), arms) for tree in trees], arms).rows == [
        ("no budget", 2, 1.0, 1.0, 1.0, 0.5)
    ]


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


def test_what_was_heard_is_read_again_as_it_was_kept(tmp_path: Path) -> None:
    units = frozenset({"kind=config"})
    told = Heard(["a/b"], [units], {"ally": [units]}, {"ally": [units]}, [(units, units)], [True], units, (0.5, 1.5),
                 [Answer("lint", frozenset({"a/b"}), Affected.FEW)])  # fmt: skip
    told = told._replace(charged=[2.0])
    made: list[str] = []

    def overheard(name: str) -> list[tuple[Heard, Heard, Heard]]:
        made.append(name)
        return [(told, told, told)]

    shape = list[tuple[Heard, Heard, Heard]]
    assert kept(overheard, shape, tmp_path, "api") == kept(overheard, shape, tmp_path, "api") == [(told, told, told)]
    assert made == ["api"]
