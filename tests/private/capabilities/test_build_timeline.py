"""One ordered list out of logs, documents and results."""

from __future__ import annotations

from capability_inputs import Run, earlier, given, shop

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.logs.events import dated
from plantwin.private.formats.timestamps import shown
from tables import cases, value_of

LOGS = tuple(f"logs/{name}.log" for name in ("application", "access", "deploy"))


def told(result) -> list[tuple[str, str, int, str]]:
    return [(shown(each["time"]), each["source"], each["line"], each["kind"]) for each in result.facts["events"]]


def test_the_shop_from_deploy_to_rollback(run: Run) -> None:
    result = run("build_timeline", *map(shop, LOGS), shop("docs/postmortem-2024-09-17.md"))
    events = told(result)
    assert [each[0] for each in events] == sorted(each[0] for each in events)
    assert events[0] == ("2024-09-17 08:58:01", "logs/deploy.log", 1, "deploy")
    assert ("2024-09-17 09:03:30", "logs/access.log", 5, "attack") in events
    assert ("2024-09-17 09:10:02", "logs/application.log", 19, "critical") in events
    assert ("2024-09-17 09:30:40", "logs/deploy.log", 8, "rollback") in events
    assert ("2024-09-17 09:31:00", "docs/postmortem-2024-09-17.md", 7, "rollback") in events
    assert result.facts["incidents"] == [
        {"start": "2024-09-17 09:06:55", "peak": "2024-09-17 09:09:00", "end": "2024-09-17 09:14:31", "errors": 9}
    ]
    assert "**incident begins**" in result.text
    assert result.outcome == {
        "status": "done",
        "severity": "high",
        "count": "many",
        "tags": ["burst", "attack_signs", "recent_change", "errors"],
    }


def test_results_give_the_same_events_as_their_logs(run: Run) -> None:
    analysis = run("analyze_logs", *map(shop, LOGS))
    direct = run("build_timeline", *map(shop, LOGS))
    assert told(run("build_timeline", earlier("s1", "analyze_logs", analysis))) == told(direct)


def test_the_same_line_again_is_one_event(run: Run) -> None:
    text = "2024-03-01 10:00:00 ERROR shop.db lost its connection\n"
    result = run("build_timeline", given("a.log", text), given("copy.log", text))
    assert told(result) == [("2024-03-01 10:00:00", "a.log", 1, "error")]
    text = "".join(f"2024-03-01 10:00:{n:02} ERROR shop.db lost connection {n}\n" for n in range(40))
    result = run("build_timeline", given("a.log", text))
    (event,) = result.facts["events"]  # type: ignore[misc]
    assert (event["count"], shown(event["until"])) == (40, "2024-03-01 10:00:39")
    assert "40 times until 10:00:39" in result.text


@cases("name", "text", "expected")
def test_dates_of_documents(name: str, text: str, expected: list[str]) -> None:
    assert [shown(each.time) for each in dated(name, name, text)] == expected


def test_content_cannot_act_as_a_table(run: Run) -> None:
    result = run("build_timeline", given("a.log", "2024-03-01 10:00:00 ERROR a | b | [c](http://d.example)\n"))
    row = next(line for line in result.text.splitlines() if "10:00:00 | error" in line)
    assert row.replace("\\|", "").count("|") == 5
    assert "[c](" not in row


REVIEW = value_of(__file__, "review")


def test_a_time_of_day_keeps_the_year_of_its_section(run: Run) -> None:
    result = run("build_timeline", given("review.md", REVIEW))
    times = [shown(event["time"]) for event in result.facts["events"]]  # type: ignore[index, union-attr]
    assert [time for time in times if not time.endswith("00:00:00")] == [
        "2023-03-12 14:05:00", "2023-03-12 14:20:00", "2023-03-12 15:10:00",
    ]  # fmt: skip


def test_an_account_of_lines_that_begin_with_a_time_is_read_as_an_account(run: Run) -> None:
    text = "Date: 2026-01-09\n\n2026-01-09 08:15:30 the disk was full.\n2026-01-09 08:40:00 it was enlarged.\n"
    result = run("build_timeline", Input(name="a.md", kind="document", data=text.encode()))
    assert [shown(event["time"])[11:16] for event in result.facts["events"]] == ["08:15", "08:40"]  # type: ignore[attr-defined]
