"""Promise 6: a refused step says one word. Whatever the reason, the bytes are the same but for the step's number."""

from __future__ import annotations

import json

import pytest
from scenes import CANARY, folder, outcomes, session, settings, step

from plantwin.private.capabilities import catalog

AUTH = "@semantic_class=authentication_module"

POLICIES = {
    "denied by policy": ('permit (principal, action == Action::"lint", resource);', "rejected"),
    "asks a person": (
        '@id("ask")\npermit (principal, action, resource) when { context.approved };',
        "escalated",
    ),
}
REASONS = {
    "unknown capability": step("delete_everything", AUTH),
    "foreign object": step("security_audit", "artifact_zzzzzzzz"),
    "wrong kind": step("security_audit", "@kind=structured_record"),
    "arity": step("compare", AUTH),
}


@pytest.fixture(autouse=True)
def no_config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def heard(root, state, asked, **options):
    _, planner = session(root, state, [{"steps": [asked]}], **options)
    return next(each for each in planner.received if json.loads(each)["message"] == "results")


def test_every_refusal_is_the_same_bytes(tmp_path):
    root = folder(tmp_path)
    said = {heard(root, tmp_path / "state", asked) for asked in REASONS.values()}
    (tmp_path / "own.cedar").write_text(POLICIES["denied by policy"][0])
    own = settings(tmp_path, '[policy]\nfile = "own.cedar"\n')
    said.add(heard(root, tmp_path / "state", step("security_audit", AUTH), settings=own))
    poor = settings(tmp_path, "[budget.thresholds.sensitivity]\nlow = 3\nrestricted = 3\nhigh = 3\n")
    said.add(heard(root, tmp_path / "poor", step("security_audit", AUTH), settings=poor))
    assert len(said) == 1
    assert json.loads(said.pop())["steps"] == [{"outcome": {"status": "rejected"}, "step": 1}]


def test_every_escalation_is_the_same_bytes(tmp_path):
    root = folder(tmp_path)
    (tmp_path / "own.cedar").write_text(POLICIES["asks a person"][0])
    own = settings(tmp_path, '[policy]\nfile = "own.cedar"\n')
    # Where the policy asks about everything, no class is told unasked: the planner can name a kind alone.
    code = "@kind=code_file"
    by_policy = heard(root, tmp_path / "state", step("security_audit", code), settings=own)
    by_planner = heard(root, tmp_path / "state", step("security_audit", code, policy={"human_approval": True}))
    assert by_policy == by_planner
    assert json.loads(by_policy)["steps"] == [{"outcome": {"status": "escalated"}, "step": 1}]


def test_nothing_of_the_folder_is_in_any_byte_that_left(tmp_path):
    root = folder(tmp_path)
    steps = [
        step(name, AUTH, id_=f"s{n}")
        for n, name in enumerate(("security_audit", "secret_scan", "summarize", "describe"))
    ]
    goal = f"audit {CANARY}/shop/auth/service.py for security and find the secrets of {CANARY}"
    made, planner = session(root, tmp_path / "state", [{"steps": steps}], goal)
    assert len(made.results) == 3
    sent = b"".join(planner.received).decode().lower()
    for form in (CANARY, CANARY[::-1], CANARY.encode().hex(), "service", "hunter22", "jo@example.com"):
        assert form not in sent


def test_what_a_capability_takes_says_nothing_of_a_class_that_was_not_told(tmp_path):
    """A planner that asks for approval by itself could else tell `escalated` from `rejected`, at no cost."""
    root = folder(tmp_path)
    selective = sorted(name for name, each in catalog().items() if each.selective)
    steps = [
        step(name, "@kind=structured_record", id_=f"s{number}", policy={"human_approval": True})
        for number, name in enumerate(selective)
    ]
    one_by_one = settings(tmp_path, '[twin]\nmode = "objects"\n')
    made, planner = session(root, tmp_path / "state", [{"steps": steps[:32]}], settings=one_by_one)
    assert {each["status"] for each in outcomes(planner)[0]} == {"rejected"}
    assert "untold_class" in {each.code for each in made.turns[0].verdicts}
    told = [step("describe", "@kind=structured_record"), step("profile_data", "@kind=structured_record", id_="s2")]
    _, planner = session(root, tmp_path / "state", [{"steps": told}], settings=one_by_one)
    assert [each["status"] for each in outcomes(planner)[0]] == ["done", "done"]
