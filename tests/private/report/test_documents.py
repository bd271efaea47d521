"""Documents that steps made: written beside the report, for their owner alone, under names that are harmless."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from plantwin.private.capabilities.engine.job import Result
from plantwin.private.report.documents import MOST, documents, safe_name


def result(*listed: object) -> Result:
    return Result(outcome={}, facts={"documents": list(listed)})


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("offer.redacted.md", "offer.redacted.md"),
        ("../../etc/passwd", "passwd"),
        ("a/../..", "document"),
        ("..\\..\\x.txt", "x.txt"),
        (".bashrc", "bashrc"),
        ("-rf", "rf"),
        ("a b;$(c)\n.md", "a_b_c_.md"),
        ("x" * 500 + ".md", "x" * 57 + ".md"),
        ("", "document"),
        ("\u202e\x1b[0m", "0m"),
    ],
)
def test_names_are_harmless(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_text_and_bytes() -> None:
    made = documents(result({"name": "a.md", "text": "é"}, {"name": "b", "base64": "/wA="}))
    assert made == [("a.md", "é".encode()), ("b", b"\xff\0")]


def test_what_has_another_form_is_none() -> None:
    odd = [3, {"name": "a"}, {"name": "a", "text": 3}, {"name": "a", "base64": "?"}, {"name": "a", "base64": 1}]
    assert documents(result(*odd)) == []
    assert documents(Result(outcome={}, facts={"documents": "no"})) == []
    assert documents(Result(outcome={})) == []
    assert documents(None) == []


def test_names_are_not_used_twice_and_few_are_written() -> None:
    made = documents(result(*({"name": "x/a.md", "text": str(number)} for number in range(MOST + 5))))
    assert len(made) == MOST and len({name for name, _ in made}) == MOST


def test_they_are_written_with_the_report(tmp_path: Path) -> None:
    from plantwin.private.report.session import write
    from plantwin.run import Run
    from plantwin.types.outcome import Outcome
    from plantwin.types.plan import Plan, Step
    from plantwin.types.verdict import Admission, Allowed
    from plantwin.vocabulary import StepStatus

    run = Run("0123456789abcdef", "goal", "planner", "audience")
    plan = Plan(steps=(Step(id="s1", capability="redact_document", inputs=()),))
    turn = run.begin(plan, Admission(steps=(), order=(0,)))
    turn.decided(0, Allowed(outcome=Outcome(status=StepStatus.DONE)), 0.1)
    run.keep("s1", result({"name": "../offer.md", "text": "Dear <PERSON_NAME_1>\n"}), "")
    report = write(run, tmp_path)
    (path,) = run.documents[1, "s1"]
    assert path.parent == tmp_path and path.name.endswith("-0123456789abcdef-1.s1-offer.md")
    assert path.read_text() == "Dear <PERSON_NAME_1>\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f"Written: `{path}`" in report.read_text()
    assert sorted(tmp_path.iterdir()) == sorted([path, report, report.with_suffix(".json")])
