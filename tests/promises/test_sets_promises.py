"""Sets over whole sessions on a real folder: told, split, worked with in parts, paid for, and never looked into."""

from __future__ import annotations

import itertools
import json
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from scenes import outcomes, session, settings, step

from plantwin.private.reading import SETTLED_NS
from plantwin.types.verdict import Allowed, Denied

GOAL = "tell me more"
BAD = "import os\n\n\ndef piece_{0}(word):\n    os.system('ls ' + word)\n    return {0}\n"


@pytest.fixture(autouse=True)
def no_config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def place(tmp_path):
    root = tmp_path / "estate"
    for number in range(16):
        folder = root / f"part{number % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        text = BAD if number == 3 else "def piece_{0}(value):\n    return value + {0}\n"
        (folder / f"piece_{number}.py").write_text(text.format(number))
        (folder / f"note_{number}.md").write_text(f"# Note {number}\n\nHow to use piece {number}, step by step.\n")
    time.sleep(SETTLED_NS / 1e9)  # what was written just now counts as another version the next time
    return root, tmp_path / "state"


def sets(planner, message=0):
    return json.loads(planner.received[message])["sets"]


def spent(made):
    """What sets have spent, and objects that are fewer than k."""
    return max((each.spent for each in made.set_spending), default=0), sum(each.spent for each in made.spending)


CODE = "@set.kind=code_file"
FOLLOW = [
    {"steps": [step("security_audit", CODE, id_="a")]},
    {"steps": [step("summarize", "a.affected", id_="b"), step("summarize", "a.unexamined", id_="c")]},
    {
        "steps": [
            step("lint", "b.affected", id_="d"),
            step("lint", "a.clean", id_="e"),
            step("report", "a", "b", id_="f"),
        ]
    },
]


def test_parts_work_in_later_turns_and_no_member_is_ever_named(place):
    made, planner = session(*place, FOLLOW, GOAL)
    assert {each["kind"] for each in sets(planner)} == {"code_file", "document"}
    first, second, third = outcomes(planner)
    assert first[0]["affected"] == "one" and first[0]["examined"] == "all"
    assert second[1] == {"status": "done", "examined": "none", "affected": "none", "severity": "none", "count": "none"}
    assert {each["status"] for each in third} <= {"done", "partial"}
    sent = b"".join(planner.received)
    assert b"piece" not in sent and b"artifact_" not in sent
    alone = {each.path for each in made.spending if each.spent}
    assert alone == {"part1/piece_3.py"}, "who is one of one pays by itself"


def test_the_same_set_in_every_step_and_the_same_session_again_are_charged_once(place):
    asked = [{"steps": [step("security_audit", CODE, id_=f"s{number}") for number in range(4)]}] * 2
    first, planner = session(*place, asked, GOAL)
    assert len({json.dumps(each, sort_keys=True) for turn in outcomes(planner) for each in turn}) == 1
    again, _ = session(*place, asked, GOAL)
    assert {each.path: each.told for each in again.set_spending if each.told} == {}, "told and charged a second time"
    assert spent(again) == spent(first) > (0, -1)


def test_a_file_that_is_written_all_the_time_is_news_in_every_session(place):
    """Its times cannot be trusted; that they cannot must not look like the same version."""
    root, state = place
    file, stop = root / "part0" / "note_0.md", threading.Event()

    def write():
        for number in itertools.count():
            file.write_text(f"# Note {number}\n\nHow to use piece 0, step by step.\n")
            if stop.wait(0.01):
                return

    with ThreadPoolExecutor(1) as pool:
        pool.submit(write)
        try:
            session(root, state, [], GOAL)
            again, _ = session(root, state, [], GOAL)
        finally:
            stop.set()
    assert ["general documents" in each.path for each in again.set_spending if each.told] == [True]


def test_ids_of_sets_are_new_in_every_session_and_old_or_foreign_ones_mean_nothing(place):
    _, one = session(*place, [], GOAL)
    old = sets(one)[0]["set_id"]
    steps = [
        step("security_audit", name, id_=f"s{n}") for n, name in enumerate((old, "set_aaaaaaaa", "artifact_aaaaaaaa"))
    ]
    made, two = session(*place, [{"steps": steps}], GOAL)
    assert old not in {each["set_id"] for each in sets(two)}
    assert all(isinstance(each, Denied) and each.code == "unknown_object" for each in made.turns[0].verdicts)
    assert outcomes(two) == [[{"status": "rejected"}] * 3]


def test_a_member_of_a_set_cannot_be_named(place):
    """Members come into a session when they are few: their ids are not the planner's to use."""
    seen = {}

    def late(context):
        seen["ids"] = [id_ for id_ in context.selected.records if id_ not in context.release.shown]
        return seen["ids"]

    from plantwin.cloud.scripted import Scripted
    from plantwin.events import Silent
    from plantwin.session import run
    from plantwin.workspace import Workspace

    class Curious(Scripted):
        def plan(self, envelopes):
            if len(self.received) == 3:
                self._answers = [{"steps": [step("describe", *late(self.context)[:1], id_="x")]}]
            return super().plan(envelopes)

    class Watch(Silent):
        def began(self, context):
            planner.context = context

    planner = Curious(FOLLOW[:2])
    root, state = place
    with_space = Workspace(root, state=state, jobs=1)
    finished = run(GOAL, with_space, planner, Watch())
    with_space.close()
    assert seen["ids"], "nobody came into the session: the attempt shows nothing"
    assert finished.turns[-1].verdicts[0].code == "unknown_object"


def test_splitting_until_nothing_is_left(place):
    splits = [
        {"steps": [step("split", "@set.kind=code_file", id_=f"s{n}", by=by) for n, by in enumerate(words)]}
        for words in (("component", "role"), ("semantic_class", "family"))
    ]
    made, planner = session(*place, splits, GOAL)
    sizes = [each["size"] for data in planner.received for each in json.loads(data).get("sets", ())]
    assert not {"one", "few"} & set(sizes)
    assert all(isinstance(each, Allowed) for turn in made.turns for each in turn.verdicts)


def test_a_file_that_vanishes_is_counted_and_nothing_else(place):
    root, state = place
    (root / "part0" / "piece_0.py").unlink()
    made, planner = session(root, state, FOLLOW[:1], GOAL)
    assert outcomes(planner)[0][0]["examined"] == "all"
    assert not made.error


def test_renaming_moving_copying_and_editing_reset_nothing(place):
    root, state = place
    first, _ = session(root, state, FOLLOW, GOAL)
    (root / "part1" / "piece_3.py").rename(root / "part1" / "renamed.py")
    renamed, _ = session(root, state, FOLLOW, GOAL)
    assert spent(renamed) >= spent(first)
    moved = root.rename(root.with_name("elsewhere"))
    second, _ = session(moved, state, FOLLOW, GOAL)
    assert spent(second)[0] >= spent(renamed)[0]
    shutil.copytree(moved, root)
    copied, _ = session(root, state, FOLLOW, GOAL)
    assert spent(copied)[0] >= spent(second)[0]
    (root / "part0" / "piece_0.py").write_text("def changed(value):\n    return value\n")
    edited, _ = session(root, state, FOLLOW, GOAL)
    assert spent(edited)[0] > spent(copied)[0], "news about the set is paid for"


@pytest.mark.parametrize("changed", ["[privacy]\nk = 8\n", "[privacy]\nk = 3\n", '[twin]\nmode = "objects"\n'])
def test_another_k_and_another_mode_reset_nothing(place, tmp_path, changed):
    first, _ = session(*place, FOLLOW, GOAL)
    other, _ = session(*place, FOLLOW[:1], GOAL, settings=settings(tmp_path, changed))
    again, _ = session(*place, [], GOAL)
    assert not other.set_spending or spent(other)[0] >= spent(first)[0], "the mode of the paper may show no set"
    assert spent(again)[0] >= max(spent(first)[0], spent(other)[0])


def test_twenty_sessions_at_once_never_under_count(place, tmp_path):
    """As many as there is budget for are told; the cell never passes its limit."""
    root, state = place
    few = settings(tmp_path, "[budget.thresholds]\nsets = 1.5\n")
    session(root, state, [], GOAL, settings=few)
    names = ("security_audit", "lint", "summarize", "secret_scan", "measure_complexity") * 4
    with ThreadPoolExecutor(4) as pool:
        asked = [[{"steps": [step(name, CODE)]}] for name in names]
        ran = list(pool.map(lambda each: session(root, state, each, GOAL, settings=few), asked))
    assert not [made.error for made, _ in ran if made.error]
    assert all(each.spent <= each.threshold for made, _ in ran for each in made.set_spending)
    assert {each["status"] for _, planner in ran for turn in outcomes(planner) for each in turn} >= {"rejected"}
