"""Groups and `expand` over whole sessions: told, paid for, worked with, and bounded over all of them."""

from __future__ import annotations

import json

import pytest
from scenes import session, step

from plantwin.types.verdict import Allowed, Code, Denied


@pytest.fixture
def place(tmp_path):
    root = tmp_path / "estate"
    for number in range(60):
        folder = root / f"part{number % 6}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"piece_{number}.py").write_text(f"def piece_{number}(value):\n    return value + {number}\n")
        (folder / f"note_{number}.md").write_text(f"# Note {number}\n\nHow to use piece {number}, step by step.\n")
    return root, tmp_path / "state"


def groups(planner):
    return json.loads(planner.received[0])["groups"]


def test_what_is_not_listed_is_told_in_groups_and_can_be_looked_into(place):
    look = {"steps": [step("expand", "@group.kind=document"), step("expand", "group_aaaaaaaa", id_="s2")]}
    then = {"steps": [step("describe", "@object=41"), step("summarize", "@object=42", id_="s2")]}
    made, planner = session(*place, [look, then], "tell me more")
    assert {each["kind"] for each in groups(planner)} <= {"code_file", "document"}
    first, second = made.turns[0].verdicts
    assert isinstance(first, Allowed)
    assert isinstance(second, Denied)
    assert second.code is Code.UNKNOWN_OBJECT
    results = json.loads(planner.received[2])
    assert results["steps"][1] == {"outcome": {"status": "rejected"}, "step": 2}
    shown = {each["object_id"] for each in results["objects"]}
    assert 0 < len(shown) <= 8
    assert not shown & {each["object_id"] for each in json.loads(planner.received[0])["objects"]}
    # They can be worked with like any other; about one of low confidence a person is asked.
    assert all(isinstance(each, Allowed) or each.code is Code.NO_APPROVER for each in made.turns[1].verdicts)
    assert shown <= set(made.names)
    spent = {each.object_id: each for each in made.spending}
    assert all(spent[id_].spent >= 1500 for id_ in shown)
    assert made.folder is not None
    assert 0 < made.folder.spent <= made.folder.threshold
    assert b"piece" not in b"".join(planner.received)


def test_ids_of_groups_are_new_in_every_session_and_telling_again_is_free(place):
    first, one = session(*place, [], "tell me more")
    second, two = session(*place, [], "tell me more")
    assert not {each["group_id"] for each in groups(one)} & {each["group_id"] for each in groups(two)}
    assert second.folder is not None
    assert first.folder is not None
    assert second.folder.spent - first.folder.spent <= 2000  # a bucket may have changed, no more


def test_a_folder_that_is_moved_keeps_what_was_told_of_it(place):
    root, state = place
    first, _ = session(root, state, [], "tell me more")
    moved = root.rename(root.with_name("elsewhere"))
    second, _ = session(moved, state, [], "tell me more")
    assert first.folder is not None
    assert second.folder is not None
    assert second.folder.before >= first.folder.spent > 0


def test_a_folder_that_comes_back_keeps_what_was_told_of_it_elsewhere(place):
    root, state = place
    session(root, state, [], "compare the notes")
    moved = root.rename(root.with_name("elsewhere"))
    (moved / "further.yaml").write_text("debug: true\n")
    for number in range(45):
        (moved / f"settings_{number}.yaml").write_text(f"service:\n  port: {8000 + number}\n")
    away, _ = session(moved, state, [], "review the notes")
    back, _ = session(moved.rename(root), state, [], "tell me more")
    assert away.folder is not None
    assert back.folder is not None
    assert away.folder.told, "what was told elsewhere is new"
    assert back.folder.before >= away.folder.spent > 0


def test_a_session_cannot_be_made_to_show_everything(place):
    looks = [{"steps": [step("expand", "@group=1", id_=f"s{n}") for n in range(12)]}] * 3
    made, planner = session(*place, looks, "tell me more")
    told = {each["object_id"] for data in planner.received for each in json.loads(data)["objects"]}
    assert len(told) <= 40 + 8 * 8
    refused = [each for turn in made.turns for each in turn.verdicts if isinstance(each, Denied)]
    assert {each.code for each in refused} <= {Code.RATE_LIMITED, Code.NOTHING_FURTHER}
    assert refused
