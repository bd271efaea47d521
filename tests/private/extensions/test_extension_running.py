"""The person's own capabilities at work, in real workers and whole sessions."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from scenes import CANARY, folder, session, settings, step, workspace

from plantwin.cloud.scripted import Scripted
from plantwin.ledgers.records import read_statements
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.execution.protocol import Extension
from plantwin.private.extensions.commands import function
from plantwin.session import run
from tables import value_of

MODULE = value_of(__file__, "module")
GOAL = "Lint the authentication module"
AUTH = "@semantic_class=authentication_module"


def inbox(tmp_path: Path, text: str):
    place = tmp_path / "config"
    place.mkdir()
    (place / "own.py").write_text(MODULE)
    return settings(place, text.replace("HERE", str(place)))


def ran(tmp_path: Path, text: str, *steps, like: str = "lint"):
    root = folder(tmp_path)
    answer = {"steps": list(steps) or [step(f"@like={like}", AUTH)]}
    return session(root, tmp_path / "state", [answer], GOAL, settings=inbox(tmp_path, text))


def heard(planner) -> list[dict]:
    results = [json.loads(each) for each in planner.received if b'"results"' in each]
    return [one["outcome"] for each in results for one in each["steps"]]


def test_a_function_runs_in_a_session_and_its_name_stays_here(tmp_path: Path) -> None:
    done, planner = ran(tmp_path, '[capabilities]\nmodules = ["HERE/own.py"]')
    assert heard(planner) == [{"status": "done", "severity": "low", "count": "few", "tags": ["style"]}]
    sent = b"".join(planner.received)
    assert b"house_style" not in sent
    assert CANARY.encode() not in sent
    (request,) = [json.loads(each) for each in planner.received if json.loads(each)["message"] == "request"]
    (offer,) = request["offers"]
    assert (offer["like"], offer["kinds"], offer["returns"]) == ("lint", ["code_file"], "findings")
    result = done.results[1, "s1"]
    assert [each.line for each in result.findings] == [3, 4, 6]
    assert result.findings[0].name == "shop/auth/service.py"
    assert result.facts == {"lines": 25}
    assert done.names[offer["capability"]] == ("house_style", "")
    told = [unit for each in done.spending for unit in each.told if unit.startswith("own.")]
    assert told
    assert all(unit.startswith("own.lint.") for unit in told)


def test_the_report_calls_it_by_its_name(tmp_path: Path) -> None:
    from plantwin.private.report.session import write

    done, _ = ran(tmp_path, '[capabilities]\nmodules = ["HERE/own.py"]')
    (tmp_path / "reports").mkdir()
    write(done, tmp_path / "reports")
    assert done.report is not None
    text = done.report.read_text()
    assert "house style" in text
    assert "custom " not in text


def test_high_risk_is_the_default_and_asks(tmp_path: Path) -> None:
    text = '[capabilities.tidy]\nlike = "lint"\nkinds = ["code_file"]\ncommand = ["grep", "-c", "x", "{input}"]'
    _, planner = ran(tmp_path, text)
    assert heard(planner) == [{"status": "escalated"}]


COMMAND = value_of(__file__, "command")


def test_a_command_line_runs_on_the_path_of_its_input(tmp_path: Path) -> None:
    done, planner = ran(tmp_path, COMMAND)
    assert heard(planner) == [{"status": "done", "severity": "medium", "count": "few", "tags": ["style"]}]
    findings = done.results[1, "s1"].findings
    assert {(each.line, each.severity, each.name) for each in findings} >= {(3, "low", "shop/auth/service.py")}
    assert done.results[1, "s1"].facts == {"tool": "grep", "exit": 0}


def test_a_program_that_is_not_there_says_so(tmp_path: Path) -> None:
    _, planner = ran(tmp_path, COMMAND.replace('"grep"', '"no-such-program"'))
    assert heard(planner) == [{"status": "failed", "severity": "none", "count": "none", "tags": ["tool_missing"]}]


def test_a_command_has_no_network_and_sees_no_other_file(tmp_path: Path) -> None:
    look = "import os, socket, sys\ntry:\n socket.socket()\nexcept OSError:\n print('1:no socket')\n"
    look += "print('2:%d' % os.path.exists(sys.argv[2]))"
    text = f"""
[capabilities.tidy]
like = "lint"
kinds = ["code_file"]
command = ["{sys.executable}", "-I", "-c", {json.dumps(look)}, "{{input}}", "{tmp_path}"]
pattern = '^(?P<line>\\d+):(?P<message>.*)$'
risk = "medium"
approval = false
"""
    done, _ = ran(tmp_path, text)
    assert [each.message for each in done.results[1, "s1"].findings] == ["no socket", "0"]


class Everything(Scripted):
    """Asks for everything that it is offered, on the authentication module."""

    def plan(self, envelopes) -> bytes:
        offers = [each for one in envelopes for each in json.loads(one.data).get("offers", ())]
        if offers:
            steps = [step(each["capability"], AUTH, id_=f"s{number}") for number, each in enumerate(offers)]
            self._answers = [{"steps": steps}]
        return super().plan(envelopes)


def test_a_plan_chooses_among_the_values_of_an_option(tmp_path: Path) -> None:
    text = COMMAND.replace('["import|hashlib"]', '["import", "no such text"]')
    with workspace(folder(tmp_path), tmp_path / "state", settings=inbox(tmp_path, text)) as made:
        done = run(GOAL, made, Everything([]))
        told = [each.unit for each in read_statements(made.ledger) if each.unit.startswith("own.lint.status=")]
    chosen = {done.names[each.capability][0]: each.id for each in done.turns[0].plan.steps}
    assert sorted(chosen) == ["tidy_import", "tidy_no_such_text"]
    found = {name: len(done.results[1, id_].findings) for name, id_ in chosen.items()}
    assert found["tidy_import"] > 0
    assert found["tidy_no_such_text"] == 0
    assert len(told) == len({unit.partition("@")[2] for unit in told}) == 2, "each choice is charged on its own"


def called(tmp_path: Path, body: str):
    path = tmp_path / "own.py"
    path.write_text(
        f"import plantwin\n@plantwin.capability(name='x', like='lint')\ndef x(*inputs):\n    return {body}\n"
    )
    given = tmp_path / "a.py"
    given.write_text("x = 1\n")
    inputs = (Input(name="a.py", file=str(given)), Input(name="s1", result={"title": "earlier"}))
    return function(Extension(sort="function", own="x", file=str(path)))(Job(capability="", inputs=inputs))


def test_what_a_function_leaves_out_follows_from_its_findings(tmp_path: Path) -> None:
    assert called(tmp_path, "{}").outcome == {"status": "done", "severity": "none", "count": "none", "tags": []}
    many = called(tmp_path, "{'findings': [{'severity': 'high', 'message': 'm'}] * 600, 'status': 'partial'}")
    assert many.outcome == {"status": "partial", "severity": "high", "count": "many", "tags": []}
    assert (len(many.findings), many.facts) == (500, {"findings_in_all": 600})
    assert called(tmp_path, "{'title': inputs[1]['title'] + inputs[0].name}").title == "earliera.py"


@pytest.mark.parametrize("body", ["None", "[]", "{'findings': [{'line': 'x'}]}", "1/0"])
def test_a_function_that_returns_nonsense_raises_in_the_worker(body: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r".*"):
        called(tmp_path, body)
