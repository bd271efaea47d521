"""The embedded planners see encoded envelopes alone, and asking one never hangs or trusts it."""

from __future__ import annotations

import json
import time

import pytest
from handed import released
from set_folders import set_id, told

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.planner import MAX_ANSWER, ask
from plantwin.cloud.scripted import Scripted
from plantwin.errors import InputError, PlannerError, WireError
from plantwin.types.envelope import Registration
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Kind, SemanticClass, Sensitivity

AUTH, PAY, DOC = "artifact_aaaaaaaa", "artifact_bbbbbbbb", "artifact_cccccccc"
OBJECTS = (
    TwinObject(object_id=AUTH, kind=Kind.CODE_FILE, semantic_class=SemanticClass.AUTHENTICATION_MODULE),
    TwinObject(
        object_id=PAY,
        kind=Kind.CODE_FILE,
        semantic_class=SemanticClass.PAYMENT_MODULE,
        sensitivity=Sensitivity.HIGH,
    ),
    TwinObject(object_id=DOC, kind=Kind.DOCUMENT, semantic_class=SemanticClass.README),
)


def test_a_script_selects_from_what_it_was_told(tmp_path):
    script = tmp_path / "script.toml"
    script.write_text(
        'answers = [{ steps = [{ id = "a", capability = "compare", '
        'inputs = ["@semantic_class=payment_module", "@object=3", "@kind=log_stream", "a", "@object=9"] }] }, '
        '"no plan"]\n'
    )
    planner = Scripted.from_file(script)
    told = released(Registration(objects=OBJECTS))
    assert json.loads(planner.plan([told]))["steps"][0]["inputs"] == [PAY, DOC, "a"]
    assert planner.plan([]) == b"no plan"
    assert decode_plan(planner.plan([])).done
    assert planner.received == [told.data]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("@set=2", [set_id("b")]),
        ("@set.semantic_class=infra_storage", [set_id("a")]),
        ("@set.kind=document", [set_id("b")]),
        ("@set.classes=runbook", [set_id("b")]),
        ("@set.contains=credentials", [set_id("a")]),
        ("@set.size=several", [set_id("b")]),
        ("@set.family=logs", []),
        ("@set=3", []),
        ("@set=x", []),
        (
            {"set": "@set.kind=document", "where": {"semantic_class": "runbook"}},
            [{"set": set_id("b"), "where": {"semantic_class": "runbook"}}],
        ),
        ({"set": "@set.kind=code_file", "where": {"kind": "document"}}, []),
        ({"set": "s1.worst", "where": {"kind": "document"}}, [{"set": "s1.worst", "where": {"kind": "document"}}]),
        ("s1.affected", ["s1.affected"]),
    ],
)
def test_a_script_names_sets_as_it_names_objects(selector, found):
    sets = (
        told("a", "dozens", "config infra_storage credentials:some"),
        told("b", "several", "document runbook+readme"),
    )
    step = {"id": "s1", "capability": "summarize", "inputs": [selector]}
    answer = Scripted([{"steps": [step]}]).plan([released(Registration(sets=sets, objects=OBJECTS))])
    assert json.loads(answer)["steps"][0]["inputs"] == found


@pytest.mark.parametrize(
    "step", ['capability = "expand", inputs = ["x"]', 'capability = "lint", inputs = ["@group=1"]']
)
def test_a_script_of_wire_format_1_is_refused_and_says_what_to_write(tmp_path, step):
    (tmp_path / "old.toml").write_text(f'answers = [{{ steps = [{{ id = "s1", {step} }}] }}]')
    with pytest.raises(InputError, match=r"wire format 1.*@set"):
        Scripted.from_file(tmp_path / "old.toml")


@pytest.mark.parametrize("answer", [{"done": True}, {"steps": "none"}, {"steps": ["s1", {"id": "x"}]}, [1]])
def test_a_script_sends_odd_answers_as_they_are(answer):
    assert json.loads(Scripted([answer]).plan([])) == answer


@pytest.mark.parametrize(
    ("name", "text"), [("a.toml", "answers = 3"), ("a.json", "{"), ("a.toml", "x ="), ("a.json", "3")]
)
def test_a_script_that_is_none_is_a_clear_error(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="script"):
        Scripted.from_file(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        Scripted.from_file(tmp_path / "missing.toml")


class Odd(Scripted):
    def __init__(self, work):
        super().__init__([])
        self.work = work

    def plan(self, envelopes):
        return self.work()


def boom():
    raise ValueError("hunter2")


@pytest.mark.parametrize(
    ("work", "error"),
    [
        (lambda: time.sleep(5), "did not answer within 0.2 seconds"),
        (boom, r"failed \(ValueError\)"),
        (lambda: "text", "not bytes"),
        (lambda: b"x" * (MAX_ANSWER + 1), "too large"),
    ],
)
def test_a_planner_that_misbehaves_is_an_error_that_quotes_nothing(work, error):
    with pytest.raises(PlannerError, match=error) as refused:
        ask(Odd(work), [], 0.2)
    assert "hunter2" not in str(refused.value)


def test_errors_of_our_own_pass():
    def refuse():
        raise WireError("outbound: not made by the encoder")

    with pytest.raises(WireError):
        ask(Odd(refuse), [], 1)
