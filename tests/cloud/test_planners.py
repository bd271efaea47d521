"""The embedded planners see encoded envelopes alone, and asking one never hangs or trusts it."""

from __future__ import annotations

import json
import re
import stat
import threading
import time
from pathlib import Path

import pytest
from handed import released
from set_folders import set_id, told, written
from told import CATALOG, FIRST, witnessed

from plantwin.cloud import planner as planners
from plantwin.cloud.answer import decode_plan
from plantwin.cloud.command import AUDIENCE, PASSED
from plantwin.cloud.endpoint import ADDRESS, LOOPBACK
from plantwin.cloud.planner import MAX_ANSWER, Use, Uses, ask
from plantwin.cloud.registry import BUILT_IN, Registry
from plantwin.cloud.registry import PROVIDERS as NAMED
from plantwin.cloud.scripted import Scripted
from plantwin.cloud.skill import Skill
from plantwin.cloud.transport import AGAIN
from plantwin.config.planners import Price
from plantwin.config.settings import load_settings
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


# The page about planners tells the truth: its examples are valid, its lists complete

PAGE = (Path(__file__).parents[2] / "docs" / "planners.md").read_text(encoding="utf-8")


def test_every_built_in_name_variable_and_code_is_there():
    for name in set(BUILT_IN) - {"http"}:
        assert re.search(rf"`{name}[:`]", PAGE), name
    for provider in NAMED.values():
        for variable in (*provider.key_env, provider.url_env):
            assert f"`{variable}`" in PAGE
    for variable in PASSED:
        assert f"`{variable}`" in PAGE
    for audience in (ADDRESS, LOOPBACK, AUDIENCE):
        assert f"| `{audience}`, one for all of them" in PAGE
    assert ", ".join(map(str, sorted(AGAIN))) in PAGE


def test_the_size_of_the_skill_is_as_stated():
    (characters,) = re.findall(r"it has about ([\d,]+) characters", PAGE)
    assert len(Skill(CATALOG, set(Kind)).text) == pytest.approx(int(characters.replace(",", "")), rel=0.03)


def test_the_configuration_is_valid(tmp_path, monkeypatch):
    example = next(each for each in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[planner]" in each)
    (tmp_path / "config.toml").write_text(example.replace("NAME.openai", "name.openai"))
    settings = load_settings(tmp_path / "config.toml")
    monkeypatch.setenv("CORP_LLM_KEY", "x")
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "x")
    found = {name: Registry(settings, CATALOG).planner(name).audience for name in settings.planners}
    assert found == {"work": "corp", "azure": "azure", "claude": "anthropic"}


def test_the_script_names_sets_that_were_told(tmp_path):
    example = next(each for each in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if "[[answers]]" in each)
    (tmp_path / "script.toml").write_text(example)
    sets = (told("a", "dozens", "config infrastructure"), told("b", "several", "document runbook+readme"))
    plan = decode_plan(Scripted.from_file(tmp_path / "script.toml").plan([released(Registration(sets=sets))]))
    assert written(plan) == "audit_infrastructure a; summarize b[runbook]; find_impact s1.worst"


def test_the_planner_of_ones_own_works():
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict = {"my_service": lambda body: b'{"steps":[]}'}
    exec(compile(example, "planners.md", "exec"), names)
    planner = witnessed(names["make"]("", CATALOG))
    assert planner.plan(FIRST) == b'{"steps":[]}'
    assert planner.witnessed[0][0] == b"\n".join(each.data for each in FIRST)


# Use is counted on this machine, whoever counts at once; a damaged count stops nothing


def test_tokens_and_costs_add_up(tmp_path):
    uses = Uses(tmp_path, {"m": Price(input=2.0, output=10.0)})
    uses.add("p:m", "m", 1_000_000, 100_000)
    uses.add("p:m", "m", 500_000, 0)
    uses.add("p:n", "n", 7, 1)
    assert uses.all() == {"p:m": Use(2, 1_500_000, 100_000, 4.0), "p:n": Use(1, 7, 1, 0.0)}
    assert stat.S_IMODE((tmp_path / "use.json").stat().st_mode) == 0o600


def test_many_at_once_lose_nothing(tmp_path):
    def work():
        for _ in range(20):
            Uses(tmp_path).add("p", "m", 1, 2)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert Uses(tmp_path).all() == {"p": Use(80, 80, 160, 0.0)}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"planners": 3, "forms": []}', '{"planners": {"p": [1, 2]}, "forms": {"e": ["text"]}}',
     '{"planners": {"p": [1, -2, 3, 4]}, "forms": {"e": ["text", "yesterday"]}}', "[" * 100_000,
     '{"planners": {"p": [Infinity, NaN, 1e999, 4]}}'],
)  # fmt: skip
def test_a_damaged_file_is_begun_anew(tmp_path, text):
    (tmp_path / "use.json").write_text(text)
    uses = Uses(tmp_path)
    assert uses.form("e") is None
    uses.add("p", "m", 1, 1)
    assert uses.all()["p"] == Use(1, 1, 1, 0.0)
    uses.remember("e", "tool")
    assert uses.form("e") == "tool"
    json.loads((tmp_path / "use.json").read_text())


def test_what_a_server_cannot_do_is_forgotten_after_a_while(tmp_path, monkeypatch):
    uses = Uses(tmp_path)
    uses.remember("e", "text")
    assert uses.form("e") == "text"
    now = planners.time.time()
    monkeypatch.setattr(planners.time, "time", lambda: now + planners.REMEMBERED + 1)
    assert uses.form("e") is None


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path):
    Uses(tmp_path / "missing").add("p", "m", 1, 1)
    assert Uses(tmp_path / "missing").all() == {}
    Uses(None).add("p", "m", 1, 1)
    assert Uses(None).all() == {}
