"""Comments that allow a finding mark it; they never take it out of an object's sensitivity."""

from __future__ import annotations

import pytest

from plantwin.private.detect import Detector, allowed_here, sensitivity, summarize
from plantwin.private.detect.allow import REACH
from plantwin.private.detect.engine import MARGIN
from plantwin.vocabulary import Kind, Sensitivity

TOKEN = "ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
LINE = f'token = "{TOKEN}"'


def allowed(found: Detector, text: str, path: str = "a.py") -> list[str]:
    return [each.allowed for each in found.scan(text.encode(), path=path) if each.group == "secret"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}  # plantwin: allow",
        f"{LINE}  # plantwin:allow test key of the sandbox",
        f"{LINE}; // plantwin: allow",
        f"{LINE} /* plantwin: allow */ + rest",
        f"{LINE} -- plantwin: allow",
        f"<a>{LINE}</a> <!-- plantwin: allow -->",
        f"{LINE}  # plantwin: allow[github_token]",
        f"{LINE}  # plantwin: allow [password, github_token]",
        f"# plantwin: allow\n{LINE}",
        f"    // plantwin: allow: a key of the sandbox\r\n    {LINE}",
        f"/* plantwin: allow */\n{LINE}",
        f"/* plantwin: allow */ {LINE}",
        f"# plantwin: allow\n{LINE}  # more",
    ],
)
def test_a_comment_marks_the_finding(found: Detector, text: str) -> None:
    assert allowed(found, text) == ["comment"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}",
        f"{LINE}  # plantwin: allowed",
        f"{LINE}  # plantwin: allow-list",
        f"{LINE} plantwin: allow",
        f"{LINE}  # plantwin: deny",
        f"{LINE}  # plantwin: allow[email]",
        f"{LINE}\n# plantwin: allow",
        f"# plantwin: allow\n\n{LINE}",
        f"x = 1  # plantwin: allow\n{LINE}",
        "# plantwin: allow" + " " * (2 * REACH) + LINE,
    ],
)
def test_what_is_no_comment_for_it_marks_nothing(found: Detector, text: str) -> None:
    assert allowed(found, text) == [""]


def test_several_comments_on_one_line(found: Detector) -> None:
    text = f"{LINE} # mara.brandt@granite-hill.org # plantwin: allow[email] # plantwin: allow[github_token]"
    assert {each.allowed for each in found.scan(text.encode(), path="a.py")} == {"comment"}


def test_only_the_next_line_follows_a_comment_that_stands_alone(found: Detector) -> None:
    assert allowed(found, f"# plantwin: allow\n{LINE}\n{LINE}") == ["comment", ""]


def test_sensitivity_does_not_drop_and_the_summary_tells(found: Detector) -> None:
    plain, marked = f"{LINE}\n".encode(), f"{LINE}  # plantwin: allow\n".encode()
    level = sensitivity(found.survey(plain, path="a.env"), Kind.CONFIG)
    assert level[0] == Sensitivity.HIGH
    summary = found.survey(marked, path="a.env")
    assert sensitivity(summary, Kind.CONFIG) == level
    assert allowed_here(summary) == 1
    assert allowed_here(found.survey(plain, path="a.env")) == 0
    assert summarize(found.scan(marked, path="a.env")) == summary
    assert [row for row in summary if row[1] != "note"] == list(found.survey(plain, path="a.env"))


def test_wide_text(found: Detector) -> None:
    data = f"\ufeff{LINE}  # plantwin: allow\n".encode("utf-16-le")
    assert [each.allowed for each in found.scan(data)] == ["comment"]


def test_streams_mark_alike_wherever_input_is_cut(found: Detector, small_segments: int) -> None:
    filler = b"# nothing here\n" * 7_000
    body = f"# plantwin: allow\n{LINE}\n".encode()
    for shift in (0, 9, 17, 24, 60):
        data = filler[: small_segments - shift] + body + filler[: MARGIN * 2]
        whole = found.scan(data, path="a.py")
        marks = [each.allowed for each in whole if each.group == "secret"]
        assert marks == ["comment"] if data[small_segments - shift - 1 : small_segments - shift] == b"\n" else [""]
        stream = found.stream("a.py")
        for place in range(0, len(data), 7_001):
            stream.feed(data[place : place + 7_001])
        assert stream.finish() == whole


def test_many_comments_stay_linear(found: Detector) -> None:
    data = (b"#plantwin:allow " + TOKEN.encode() + b" ") * 4_000
    assert found.scan(data, path="a.py")
