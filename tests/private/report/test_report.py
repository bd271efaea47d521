"""The local report: whole, useful, private, and not to be broken by what it tells about."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from report_runs import DONE, EVIL, ONE, SET, TWO, covered, finding, made, many, result

from plantwin.errors import StateError
from plantwin.private.capabilities.engine.job import Coverage, Finding, Result
from plantwin.private.capabilities.engine.report import findings_text
from plantwin.private.report.markdown import code, plain, quoted, table
from plantwin.private.report.session import lines, write
from plantwin.private.report.wording import amount, input_words, set_words, unit, units
from plantwin.run import Ending, Run, Spending
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Narrowed, Plan, Step, Where
from plantwin.types.sets import ClassShare, TwinSet
from plantwin.types.verdict import Admission, Allowed, Code, Denied, Failure, Priced
from plantwin.vocabulary import Family, Kind, Role, SemanticClass, SetSize, Share, StepStatus
from tables import cases


def text_of(run: Run) -> str:
    return "\n".join(lines(run))


def test_findings_come_worst_first_with_their_places() -> None:
    low = Result(outcome={}, findings=[finding("low")])
    mixed = Result(outcome={}, findings=[finding("medium"), finding("critical", hint="Bind it.", evidence="x = 1")])
    text = text_of(made([Allowed(outcome=DONE), Allowed(outcome=DONE)], {"s1": low, "s2": mixed}))
    places = [text.index(each) for each in ("a critical thing", "a medium thing", "a low thing")]
    assert places == sorted(places)
    assert "- 3 findings in 1 file: 1 critical, 1 medium, 1 low." in text
    told = "- **critical** · `src/auth.py:7` · injection: a critical thing\n  - `x = 1`\n  - Bind it.\n"
    assert told + "  - found by security audit" in text
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
    assert "src/auth.py" in text and "told to the planner: `rejected`" in text
    assert "timeout: it took too long and was ended (ValueError at line 3)" in text
    assert "not reached" in text
    undone = "Not done: of 3 steps 1 failed, 1 was refused, 1 was not reached."
    places = [text.index(each) for each in (undone, "Nothing was examined.", "What was refused", "What failed")]
    assert places == sorted(places)


def test_a_refused_step_never_shows_the_result_of_another() -> None:
    text = text_of(made([Denied(code=Code.POLICY_DENIES)], {"s1": Result(outcome={}, findings=[finding("high")])}))
    assert "a high thing" not in text and "## Findings" not in text


def test_what_was_learned_in_words_with_its_price() -> None:
    told = ("kind=code_file", "semantic_class=authentication_module", "security_audit.severity=high")
    known = Spending("src/auth.py", "", ONE, 500, 4500, 20000, told, ("edges",), 250)
    barely = Spending("data.db", "users", TWO, 0, 500, 8000, ("kind=structured_record",), ())
    text = text_of(made([Allowed(outcome=DONE)], spending=[known, barely], excluded=["gone.py"]))
    assert "| `src/auth.py` | ██░░░░░░░░ | 4.5 + 0.25 in sets | 20.0 | 22% | 4.0 |" in text
    assert "kind: code file; class: authentication module; security audit: severity high" in text
    assert "Of 1 further object it was told the kind only:\n`data.db#users` (structured record)." in text
    assert "`src/auth.py`: edges did not fit its budget" in text
    assert "`gone.py`: not shown at all; its budget is used up" in text
    assert "at most 4.5 points on one object (L); 18% of all their budgets (NL)" in text


@pytest.mark.parametrize(("heard", "rationed", "said"), [(True, True, 0), (False, True, 1), (False, False, 0)])
def test_that_a_planner_heard_no_finding_is_said_with_the_way_on(heard: bool, rationed: bool, said: int) -> None:
    outcome = DONE if heard else Outcome(status=StepStatus.DONE)
    run = made([Allowed(outcome=outcome)], {"s1": Result(outcome={}, findings=[finding("high")])}, rationed=rationed)
    assert text_of(run).count("Of what security") == said
    assert text_of(run).count("budget.audiences") == said


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
    full = run.full_report
    assert full is not None and full.stat().st_mode & 0o777 == 0o600
    assert {each.name for each in tmp_path.iterdir()} == {path.name, full.name}
    with pytest.raises(StateError, match="cannot be written"):
        write(run, tmp_path / "absent")


def test_a_run_in_which_nothing_happened_has_a_report() -> None:
    run = Run("0123456789abcdef", "x", "offline", "offline")
    assert "- No step was planned." in text_of(run)


@cases("unit_", "words")
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


LONG = "infrastructure/environments/production/europe/network"


@pytest.mark.parametrize(
    ("values", "paths", "words"),
    [
        ({"kind": Kind.CONFIG, "semantic_class": SemanticClass.INFRA_MODULE, "role": Role.PRODUCTION},
         ["envs/a/main.tf", "envs/b/main.tf"], "2 infra modules in envs/"),
        ({"semantic_class": SemanticClass.INFRA_VARIABLES}, [f"{LONG}/a.tf", f"{LONG}/b.tf"],
         "2 infra variables files in …/network/"),
        ({"semantic_class": SemanticClass.TABLE_SCHEMA}, ["db/schema.sql"], "1 table schema (schema.sql)"),
        ({"semantic_class": SemanticClass.UTILITY_LIBRARY}, [f"{number}/util.py" for number in range(1200)],
         "1,200 utility libraries (util.py)"),
        ({"kind": Kind.SECRET_CONTAINER}, ["a/.env", "b/.env.local"], "2 files with secrets (.env, .env.local)"),
        ({"kind": Kind.DOCUMENT, "family": Family.GUIDES,
          "classes": (ClassShare(semantic_class=SemanticClass.README, share=Share.SOME),)},
         ["README.md", "docs/a.md"], "2 guides (README.md, a.md)"),
        ({}, [f"{'part' * 5}{number}.txt" for number in range(9)],
         "9 files (partpartpartpartpart0.txt, …)"),
        ({"family": Family.DATABASE}, [], "0 database files"),
    ],
)  # fmt: skip
def test_what_a_set_is(values: dict[str, object], paths: list[str], words: str) -> None:
    assert set_words(TwinSet(set_id=SET, size=SetSize.FEW, **values), paths) == words  # type: ignore[arg-type]
    assert len(words) <= 60


def test_inputs_are_told_by_what_they_are() -> None:
    names = {ONE: ("src/auth.py", ""), SET: ("48 infra modules", "")}
    narrowed = Narrowed(set=SET, where=Where(semantic_class=SemanticClass.RUNBOOK, role=Role.TEST))
    told = [input_words(name, names) for name in (ONE, SET, "s1", "s1.affected", narrowed)]
    assert told == [
        "src/auth.py",
        "48 infra modules",
        "s1",
        "s1.affected",
        "48 infra modules, only class runbook, role test",
    ]


def set_run(findings: int, coverage: Coverage) -> Run:
    """A run with one step over a set."""
    plan = Plan(steps=(Step(id="s1", capability="audit_infrastructure", inputs=(SET,)),))
    run = made([])
    run.turns.clear()
    turn = run.begin(plan, Admission((Priced(plan.steps[0], None, (SET,), 3500),), (0,)))
    turn.decided(0, Allowed(outcome=DONE), 1.5)
    run.names[SET] = ("50 infra modules", "")
    run.results[1, "s1"] = result(*many(findings), coverage=coverage)
    return run


def test_how_much_was_examined_and_what_was_not() -> None:
    coverage = covered(50, 47, {"unreadable": ["a|b.tf", EVIL], "too large": ["big.tf"]}, affected=3, reused=40)
    text = text_of(set_run(0, coverage))
    assert "- No findings in what was examined." in text
    assert "- Examined: 47 of 50 files; 3 not: 2 unreadable, 1 too large." in text
    assert "| s1 · audit infrastructure · `50 infra modules` | 50 | 47 | 40 | 3 |" in text
    assert "Not examined by s1, too large: 1 (`big.tf`)." in text


def test_thousands_of_findings_make_a_bounded_report_and_a_whole_file(tmp_path: Path) -> None:
    run = set_run(20_000, covered(97, 97, affected=97))
    path = write(run, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert len(text) < 1_000_000
    heads = ["## Summary", "## Top findings", "## By rule", "## By file", "## What was examined", "## Every step"]
    places = [text.index(f"\n{head}\n") for head in heads]
    assert places == sorted(places)
    assert "19,975 further findings: by rule and by file below, each one in the JSON file." in text
    assert "### TF-RULE-3: critical, 500 in" in text
    assert "further findings, in the JSON file." in text
    assert run.full_report is not None
    full = json.loads(run.full_report.read_bytes())
    assert len(full["findings"]) == full["summary"]["findings"] == 20_000
    assert full["summary"]["severities"]["critical"] == 5_000
    assert full["coverage"][0]["examined"] == 97 and full["not_done"] == []
