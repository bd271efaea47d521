"""The end of a session on one screen: it fits, whatever is found and whatever files are called."""

from __future__ import annotations

from typing import Any

import pytest

from plantwin.private.capabilities import catalog
from plantwin.private.report.answer import answer
from plantwin.private.report.model import Overview
from plantwin.surfaces.render import conclusion
from plantwin.surfaces.render.conclusion import Screen
from plantwin.surfaces.render.text import width_of
from plantwin.types.outcome import Outcome
from plantwin.types.verdict import Allowed, Code, Denied, Failure
from plantwin.vocabulary import StepStatus
from tests.private.report.report_runs import DONE, EVIL, covered, finding, made, many, result

RAN = Allowed(outcome=DONE)
FAILED = Allowed(outcome=Outcome(status=StepStatus.FAILED), failure=Failure.TIMEOUT)
SIZES = [Screen(60, 24), Screen(80, 24), Screen(120, 50)]
CATALOG = catalog()
WIDE = "模块/" * 30 + "main.tf"


def lines_of(screen: Screen, *arguments: Any, **more: Any) -> list[str]:
    """What is shown of a made-up run, without what was told and written."""
    run = made(*arguments, **more)
    overview = Overview.of(run)
    said = answer(run, overview)
    head = list(conclusion.first(run, overview, said, CATALOG, screen))
    examined = list(conclusion.labelled("Examined", overview.examined({}), screen.width))
    body = conclusion.body(run, overview, said, screen, max(8, screen.height - len(head) - len(examined)))
    return [*head, *body, *examined]


@pytest.mark.parametrize("screen", SIZES)
@pytest.mark.parametrize("number", [0, 1, 5, 13, 500, 5000])
def test_it_fits_the_screen(screen: Screen, number: int) -> None:
    odd = [finding(name=WIDE, message="名前が長い" * 40), finding(name=EVIL, message=EVIL * 3), finding("x" * 30)]
    coverage = covered(6000, 5990, {"cannot be read": ["a"] * 7, "larger than a step may read": ["b"] * 3})
    lines = lines_of(screen, [RAN, FAILED], {"s1": result(*odd, *many(number), coverage=coverage)})
    assert max(map(width_of, lines)) <= screen.width
    assert len(lines) <= screen.height
    assert not any("\x1b" in line or "\u202e" in line or "\n" in line for line in lines)


@pytest.mark.parametrize("screen", SIZES)
def test_the_worst_come_first_and_the_rest_is_counted(screen: Screen) -> None:
    lines = lines_of(screen, [RAN], {"s1": result(*many(5000, rules=60), coverage=covered(97, 97))})
    assert " ".join(lines[:2]).startswith("5,000 security problems in 97 files (1,250 critical, 1,250")
    rows = [line.split() for line in lines if line.startswith("  critical")]
    assert rows and any(word in ("+82", "+83") for word in rows[0]), "a rule once, with the number of its other places"
    assert any(line.startswith("  and ") and line.endswith(" findings more, in the report") for line in lines)
    assert lines[-1] == "Examined  97 of 97 files"


def test_what_a_rule_finds_in_thousands_of_files_is_one_row() -> None:
    same = [finding(name=f"src/m{number}.py", line=5) for number in range(3000)]
    lines = lines_of(Screen(80, 24), [RAN], {"s1": result(*same, coverage=covered(3000, 3000))})
    assert [line.split()[2] for line in lines if "src/m" in line and line.startswith("  ")] == ["+2,999"]


def test_sets_that_no_step_took_are_told_beside_what_was_examined() -> None:
    run = made([RAN], {"s1": result(coverage=covered(3, 3))})
    run.unplanned = ["20 readmes (README.md)", EVIL, "5 logs in var/", "2 files (a, b)", "1 file (c)"]
    (line,) = conclusion.unplanned(run, Overview.of(run))
    assert line.startswith("not in the plan: 20 readmes (README.md), ") and line.endswith(" and 2 sets more")
    assert not any(sign in line for sign in ("\x1b", "\u202e", "\n"))
    run.unplanned = []
    assert conclusion.unplanned(run, Overview.of(run)) == []


def test_few_findings_are_told_one_by_one() -> None:
    found = [finding("low", name=f"a{number}.py", rule="A") for number in range(4)]
    lines = lines_of(SIZES[1], [RAN], {"s1": result(*found)})
    assert lines[1:5] == [f"  low       a{number}.py:7  a low thing" for number in range(4)]


def test_what_was_not_done_comes_before_nothing_found() -> None:
    lines = lines_of(SIZES[1], [RAN, FAILED, Denied(code=Code.POLICY_DENIES)], {"s1": result()})
    assert lines[0] == "Not done: of 3 steps 1 failed, 1 was refused."
    assert lines[-2] == "No security problems found in src/auth.py."
    shown = " ".join(line.strip() for line in lines)
    assert "failed, timeout: it took too long and was ended" in shown
    assert "refused, check (3) policy_denies: the policy does not permit it" in shown


@pytest.mark.parametrize(
    ("left_out", "ending"),
    [
        ({"not permitted by the policy": [".env"]}, "; not examined: .env (not permitted by the policy)."),
        ({"in no form that this capability reads": ["a.png"]}, "2 of 3 files that it can read."),
    ],
)
def test_nothing_found_names_what_could_hide_something(left_out: dict[str, list[str]], ending: str) -> None:
    run = made([RAN], {"s1": result(coverage=covered(3, 2, left_out))})
    (sentence,) = answer(run, Overview.of(run)).sentences
    assert sentence.startswith("No security problems found in 2 of 3 files") and sentence.endswith(ending)


def test_many_steps_that_were_not_done_are_counted() -> None:
    lines = lines_of(SIZES[0], [Denied(code=Code.OVER_BUDGET)] * 20)
    assert "  and 15 steps more" in lines and len(lines) <= 24


def test_colour_is_only_where_it_is_wanted() -> None:
    run = made([RAN], {"s1": result(finding("critical"))})
    coloured = "\n".join(conclusion.top(Overview.of(run), Screen(80, 24, colour=True), 9))
    plain = "\n".join(conclusion.top(Overview.of(run), Screen(80, 24), 9))
    assert (
        "\x1b[1;31mcritical\x1b[0m" in coloured and coloured.replace("\x1b[1;31m", "").replace("\x1b[0m", "") == plain
    )


def test_texts_are_shown_where_there_are_no_findings() -> None:
    words, audit = result(text="A summary."), result(finding())
    alone = made([RAN], {"s1": words}, ("summarize",))
    assert answer(alone, Overview.of(alone)).sentences == ("A summary.",)
    both = made([RAN, RAN], {"s1": audit, "s2": words}, ("lint", "report"))
    assert len(answer(both, Overview.of(both)).sentences) == 1, "a report repeats what the findings say"


class Sent:
    """An envelope that was sent."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data)


@pytest.mark.parametrize(
    ("sends", "outbound", "said"),
    [
        (False, [b'{"sets":[{"set_id":"a"}]}'], "nothing left this machine"),
        (True, [], "nothing left this machine"),
        (
            True,
            [b'{"sets":[{"set_id":"a"},{"set_id":"b"}],"objects":[{"object_id":"c"}]}', b'{"sets":[{"set_id":"a"}]}'],
            "to acme: 2 sets, 1 object, 95 bytes; see `plantwin audit show`",
        ),
        (True, [b"{}"], "to acme: 2 bytes; see `plantwin audit show`"),
    ],
)
def test_what_was_told_to_whom(sends: bool, outbound: list[bytes], said: str) -> None:
    run = made([], planner="acme", outbound=[Sent(each) for each in outbound])
    assert conclusion.told(run, sends=sends) == said


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 10, [""]),
        ("a b", 10, ["a b"]),
        ("one two three", 8, ["one two", "three"]),
        ("x" * 20, 8, ["x" * 8, "x" * 8, "xxxx"]),
        ("a " + "界" * 8, 8, ["a", "界界界界", "界界界界"]),
    ],
)
def test_words_are_wrapped(text: str, width: int, lines: list[str]) -> None:
    assert list(conclusion.wrapped(text, width)) == lines
