"""Whole sessions: of a private goal nothing private leaves, in whichever mode, and what leaves is recorded."""

from __future__ import annotations

import json

import pytest
from scenes import CANARY, folder, session, settings, workspace

from plantwin.boundary.release import WORDS
from plantwin.cloud.scripted import Scripted
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.ledgers.verification import verify
from plantwin.run import Ending
from plantwin.session import run
from plantwin.types.verdict import Allowed

SECRET = "correct horse battery staple"
GOAL = (
    f"Review the authentication module of {CANARY} for Marlowe Quokka and .env; the password is {SECRET}. "
    f"Ask jane.quokka@{CANARY}.test about 4111 1111 1111 1111 and data/{CANARY}.csv, kürbis-allergie"
)
PRIVATE = (CANARY, "Marlowe", "Quokka", "quokka", "horse", "staple", "jane", "4111", "rbis", "allergie", ".env")


def test_nothing_private_of_a_goal_leaves(tmp_path):
    _, planner = session(folder(tmp_path), tmp_path / "state", [{"steps": []}], GOAL)
    sent = b"".join(planner.received).decode("ascii")
    assert not [each for each in PRIVATE if each in sent]
    goal = json.loads(planner.received[1])["goal"]
    assert goal["mode"] == "lexicon"
    assert goal["text"][:2] == ["review", "the"] and goal["text"][2] in goal["objects"]
    assert "<secret>" in goal["text"] and "<name>" in goal["text"]
    assert sum(each in goal["objects"] for each in goal["text"]) >= 3, "the module, the settings and the data"


def test_without_words_only_intents_cross(tmp_path):
    _, planner = session(folder(tmp_path), tmp_path / "state", [{"steps": []}], GOAL, goal_mode="intent")
    goal = json.loads(planner.received[1])["goal"]
    assert goal["mode"] == "intent" and "text" not in goal


@pytest.mark.parametrize("mode", ["intent", "lexicon"])
def test_a_secret_does_not_decide_what_is_wanted(tmp_path, mode):
    goals = [f"Lint the code; the password is {each}" for each in ("correct horse", "audit terraform logs")]
    sent = []
    for number, goal in enumerate(goals):
        _, planner = session(folder(tmp_path), tmp_path / f"state{number}", [{"steps": []}], goal, goal_mode=mode)
        told = json.loads(planner.received[1])["goal"]
        sent.append([told["intents"], told["families"], [each for each in told.get("text", ()) if "_" not in each]])
    assert sent[0] == sent[1]


def test_words_are_recorded_for_the_audience_once(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    chosen = settings(tmp_path, '[goal]\nwords = ["marlowe"]\n')
    for goal in ("Review the logs", "Review the marlowe config"):
        session(root, state, [{"steps": []}], goal, settings=chosen)
    with workspace(root, state) as made:
        told = [(each.unit, each.cost, each.audience) for each in read_statements(made.ledger, None, [WORDS])]
        units = [unit for unit, _, _ in told]
        assert sorted(units) == sorted(set(units)) and "word=review" in units and "word=+marlowe" in units
        assert {(cost, audience) for _, cost, audience in told} == {(0, "scripted")}
        assert verify(made.ledger).problem == ""


def test_the_very_words_cross_only_where_asked_and_permitted(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    _, planner = session(root, state, [{"steps": []}], GOAL, goal_mode="verbatim")
    assert json.loads(planner.received[2]) == {"message": "verbatim", "text": GOAL, "version": 2}
    with workspace(root, state) as made:
        bodies = [json.loads(line.body) for line in read_lines(made.ledger) if line.kind in ("session", "envelope")]
        assert bodies[0]["goal_mode"] == "verbatim"
        assert any("verbatim" in each.get("data", "") for each in bodies)


def test_the_default_policy_keeps_the_very_words_from_a_remote_planner(tmp_path):
    with workspace(folder(tmp_path), tmp_path / "state", goal_mode="verbatim") as made:
        planner = Scripted([{"steps": []}], locality="remote")
        finished = run(GOAL, made, planner)
        assert (finished.ending, finished.outbound, planner.received) == (Ending.GATE, [], [])
        assert "policy" in finished.error
        assert not [line for line in read_lines(made.ledger) if line.kind == "envelope"], "nothing is told"
        assert not list(read_statements(made.ledger))


def test_the_policy_hears_the_mode(tmp_path):
    policy = tmp_path / "own.cedar"
    policy.write_text(
        '@id("intents")\npermit (principal, action, resource) when { context.goal_mode == GoalMode::"intent" };\n'
    )
    chosen = settings(tmp_path, f'[policy]\nfile = "{policy}"\n')
    steps = [{"id": "s1", "capability": "lint", "inputs": ["@kind=code_file"]}]
    made, _ = session(folder(tmp_path), tmp_path / "intent", [{"steps": steps}], goal_mode="intent", settings=chosen)
    assert isinstance(made.turns[0].verdicts[0], Allowed)
    # In the other mode it permits nothing at all, so nothing is told at all.
    made, planner = session(
        folder(tmp_path), tmp_path / "lexicon", [{"steps": steps}], goal_mode="lexicon", settings=chosen
    )
    assert (made.ending, made.turns, planner.received) == (Ending.GATE, [], [])
