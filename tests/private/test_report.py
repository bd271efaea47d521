"""The local report: whole, useful, private, and not to be broken by what it tells about."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from plantwin.boundary.admission import Admission, Priced
from plantwin.errors import StateError
from plantwin.private.capabilities.engine.job import Finding, Result
from plantwin.private.capabilities.engine.report import findings_text
from plantwin.private.report.markdown import code, plain, quoted, table
from plantwin.private.report.session import lines, write
from plantwin.private.report.wording import amount, unit, units
from plantwin.run import Ending, Run, Spending
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Plan, Step
from plantwin.types.verdict import Allowed, Code, Denied, Failure, Verdict
from plantwin.vocabulary import Findings, OutcomeTag, Severity, StepStatus

ONE, TWO = "artifact_aaaaaaaa", "artifact_bbbbbbbb"
EVIL = "evil\n\x1b[31m`|`\u202e<img src=http://x>[a](http://y)# *b*.py"
DONE = Outcome(status=StepStatus.DONE, severity=Severity.HIGH, count=Findings.FEW, tags=(OutcomeTag.INJECTION,))


def made(verdicts: list[Verdict | None], results: dict[str, Result] | None = None, **more: Any) -> Run:
    """A run of one plan with these verdicts."""
    steps = tuple(
        Step(id=f"s{n}", capability="security_audit", inputs=(ONE,) if n == 1 else (TWO,))
        for n in range(1, len(verdicts) + 1)
    )
    plan = Plan(steps=steps)
    run = Run("0123456789abcdef", "Look at *everything* <b>now</b>", "offline", "offline", root=Path("/srv/shop"))
    turn = run.begin(plan, Admission(tuple(Priced(each, None, each.inputs, 3500) for each in steps), plan.order()))
    for position, verdict in enumerate(verdicts):
        if verdict is not None:
            turn.decided(position, verdict, 0.25)
    run.names = {ONE: ("src/auth.py", ""), TWO: (EVIL, "")}
    for step, result in (results or {}).items():
        run.results[1, step] = result
    for name, value in more.items():
        setattr(run, name, value)
    return run


def finding(severity: str, **more: Any) -> Finding:
    return Finding(
        name="src/auth.py", line=7, severity=severity, tag="injection", message=f"a {severity} thing", **more
    )


def text_of(run: Run) -> str:
    return "\n".join(lines(run))


def test_findings_come_worst_first_with_their_places() -> None:
    low = Result(outcome={}, findings=[finding("low")])
    mixed = Result(outcome={}, findings=[finding("medium"), finding("critical", hint="Bind it.", evidence="x = 1")])
    text = text_of(made([Allowed(outcome=DONE), Allowed(outcome=DONE)], {"s1": low, "s2": mixed}))
    places = [text.index(each) for each in ("a critical thing", "a medium thing", "a low thing")]
    assert places == sorted(places)
    assert "- Found: 1 critical, 1 medium, 1 low." in text
    assert "- **critical** · `src/auth.py:7` · injection: a critical thing\n  - `x = 1`\n  - Bind it." in text
    assert "severity high; few found; injection" in text


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({}, "Said by: built-in rules."),
        ({"tool": "bandit"}, "Said by: bandit."),
        ({"tool": ["pytest", "jest"]}, "Said by: pytest, jest."),
        ({"tool": 7}, "Said by: built-in rules."),
    ],
)
def test_findings_say_whose_they_are_and_what_was_not_seen(facts: dict[str, object], said: str) -> None:
    found = [finding("high"), finding("low", evidence="x = 1")]
    listed = findings_text(found, 9)
    words = f"2 examined.\n\n| level | number |\n|---|---:|\n| a | 7 |\n\n{listed}\n\nOnly a part was read.\n"
    result = Result(outcome={}, findings=found, facts=facts, text=words)
    text = text_of(made([Allowed(outcome=Outcome(status=StepStatus.DONE))], {"s1": result}))
    assert said in text
    assert "Only a part was read." in text
    assert "| a | 7 |" in text
    assert "**High**" not in text
    assert "more are not listed" not in text


def test_a_result_without_findings_tells_its_text() -> None:
    told = Result(outcome={}, text="# Big\n\nTwo functions.\n---\n![x](http://x) <script>alert(1)</script>\x1b[31m")
    text = text_of(made([Allowed(outcome=DONE)], {"s1": told}))
    assert "**Big**" in text and "Two functions." in text
    assert "\n---\n" not in text and "<script" not in text and "](" not in text and "\x1b" not in text


def test_refusals_carry_number_code_and_meaning() -> None:
    denied = Denied(code=Code.OVER_BUDGET, detail=ONE)
    failed = Allowed(outcome=Outcome(status=StepStatus.FAILED), failure=Failure.TIMEOUT)
    text = text_of(made([denied, failed, None], errors={(1, "s2"): "ValueError at line 3"}))
    assert "check (2) over\\_budget: what it could tell does not fit the budget of an input" in text
    assert "src/auth.py" in text and "heard `rejected`" in text
    assert "timeout: it took too long and was ended (ValueError at line 3)" in text
    assert "not reached" in text
    assert "Steps: 0 of 3 carried out, 1 refused, 1 failed, 1 not reached." in text


def test_a_refused_step_never_shows_the_result_of_another() -> None:
    text = text_of(made([Denied(code=Code.POLICY_DENIES)], {"s1": Result(outcome={}, findings=[finding("high")])}))
    assert "a high thing" not in text and "What was found" not in text


def test_what_was_learned_in_words_with_its_price() -> None:
    told = ("kind=code_file", "semantic_class=authentication_module", "security_audit.severity=high")
    known = Spending("src/auth.py", "", ONE, 500, 4500, 20000, told, ("edges",))
    barely = Spending("data.db", "users", TWO, 0, 500, 8000, ("kind=structured_record",), ())
    text = text_of(made([Allowed(outcome=DONE)], spending=[known, barely], excluded=["gone.py"]))
    assert "| `src/auth.py` | ██░░░░░░░░ | 4.5 | 20.0 | 22% | 4.0 |" in text
    assert "kind: code file; class: authentication module; security audit: severity high" in text
    assert "Of 1 further object it knows the kind alone:\n`data.db#users` (structured record)." in text
    assert "`src/auth.py`: edges did not fit its budget" in text
    assert "`gone.py`: not shown at all; its budget is used up" in text
    assert "at most 4.5 on one object (L); 18% of all their budgets (NL)" in text


def test_hostile_names_and_content_stay_what_they_are() -> None:
    bad = Finding(name=EVIL, line=1, severity=EVIL, tag=EVIL, message=EVIL, hint=EVIL, evidence=EVIL)
    spending = [Spending(EVIL, EVIL, ONE, 0, 1000, 2000, ("kind=config", "edge=depends_on:00"), ("edges",))]
    run = made(
        [Allowed(outcome=DONE), Allowed(outcome=DONE)],
        {"s1": Result(outcome={}, findings=[bad]), "s2": Result(outcome={}, text=EVIL)},
        spending=spending, excluded=[EVIL], warnings=[EVIL], error=EVIL, goal=EVIL, ending=Ending.PLANNER,
        others={"00": EVIL}, root=Path("/srv/" + EVIL.replace("/", "")),
    )  # fmt: skip
    text = text_of(run)
    assert "\x1b" not in text and "\u202e" not in text
    for line in text.splitlines():
        bare = re.sub(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
        assert not re.search(r"(?<!\\)<[A-Za-z/!]", bare), line
        assert not re.search(r"(?<!\\)\]\(", bare), line
    rows = [line for line in text.splitlines() if line.startswith("| ") and "evil" in line]
    assert rows and all(len(re.findall(r"(?<!\\)\|", row)) in (3, 8) for row in rows)


def test_it_is_written_whole_for_its_owner_alone(tmp_path: Path) -> None:
    run = made([Allowed(outcome=DONE)])
    run.names[ONE] = ("caf\udce9.txt", "")
    path = write(run, tmp_path)
    assert path == run.report and path.parent == tmp_path
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text(encoding="utf-8").startswith("# PlanTwin report")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    with pytest.raises(StateError, match="cannot be written"):
        write(run, tmp_path / "absent")


def test_a_run_in_which_nothing_happened_has_a_report() -> None:
    run = Run("0123456789abcdef", "x", "offline", "offline")
    assert "- No step was planned." in text_of(run)


@pytest.mark.parametrize(
    ("unit_", "words"),
    [
        ("kind=config", "kind: config"),
        ("component=yes", "belongs to a component"),
        ("amounts=tables:few", "how much: tables few"),
        ("edge=depends_on:ab", "depends on → other.py"),
        ("edge=depends_on:cd", "depends on → another object"),
        ("edge=requires_capability:tool", "requires capability → a local tool"),
        ("reason=imports:ab", "because of imports → other.py"),
        ("lint.count=many", "lint: many found"),
        ("lint.status=done", "lint: done"),
    ],
)
def test_units_in_words(unit_: str, words: str) -> None:
    assert unit(unit_, {"ab": "other.py"}) == words


def test_units_of_a_field_are_told_together() -> None:
    told = ["lint.tag=injection", "contains=tables", "contains=dates", "lint.status=done", "kind=config"]
    assert units(told) == ["kind: config", "contains: dates, tables", "lint: done, injection"]


def test_amounts() -> None:
    assert [amount(each) for each in (0, 500, 4500, 250, 12000, 125)] == ["0.0", "0.5", "4.5", "0.25", "12.0", "0.125"]


def test_markdown_pieces() -> None:
    assert plain("a*b_c<d>") == r"a\*b\_c\<d\>"
    assert code("a`b") == "``a`b``" and code("`a") == "`` `a ``" and code("") == "` `"
    assert table(("a", "b:"), [("x|y", "`|`")]) == ["| a | b |", "| --- | ---: |", r"| x\|y | `\|` |"]
    assert table(("a",), [("x\\|y",), ("x\\\\|y",)])[2:] == ["| x\\|y |", "| x\\\\\\|y |"]
    assert quoted("```\ncode\n- ~~~~ x\nmore") == ["", "code", "", "more"]
    assert quoted("a\n```\n  # x\n   <b>\x1b\n```\n# y") == ["a", "```text", "  # x", "   <b>\\x1b", "```", "**y**"]
    assert quoted("```text\n~~~\n````\n x\n```") == ["```text", "", "", " x", "```"]
    graph = [
        "```mermaid",
        "graph LR",
        '  n1["a/b.py"]',
        "  n1 -->|imports| n2",
        "  style n1,n2 stroke-width:3px",
        "```",
    ]
    assert quoted("\n".join(graph)) == graph
    for more in ('  click n1 "https://x.example"', '  n3["<img>"]', "  n1 --> n2; click n1 href", "%%{init: {}}%%"):
        assert quoted("\n".join([*graph[:-1], more, "```"]))[0] == "```text"
    assert quoted("\n".join("x" * 300), 3)[-1] == "… 297 further lines are left out."
