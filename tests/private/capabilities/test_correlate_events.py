"""Sources set beside each other: what came before errors, and what both name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from capability_inputs import Run, earlier, given, shop

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def lines(count: int, text: str, start: datetime = NOON, every: float = 10, form: str = "%Y-%m-%dT%H:%M:%SZ") -> str:
    """A log with one line every so many seconds."""
    return "".join(
        f"{(start + timedelta(seconds=every * n)).strftime(form)} {text.format(n=n)}\n" for n in range(count)
    )


CALM = lines(720, "INFO shop.http served {n}")
BROKEN = CALM + lines(60, "ERROR shop.pay no answer {n}", NOON + timedelta(minutes=65), 5)
DEPLOYED = lines(1, "deploy of version 2.0 finished", NOON + timedelta(minutes=60))


def tags(result) -> list[tuple[str, str]]:
    return [(each.name, each.tag) for each in result.findings]


def test_a_deploy_before_a_burst_is_told_with_its_lag(run: Run) -> None:
    result = run("correlate_events", given("app.log", BROKEN), given("deploy.log", DEPLOYED))
    cause = next(each for each in result.findings if each.tag == "recent_change")
    assert (cause.name, cause.line, cause.severity) == ("deploy.log", 1, "high")
    assert "A deploy ended 5 min before the errors of 2024-03-01 13:05:00" in cause.message
    assert "0 errors, after it 60" in cause.message
    (incident,) = result.facts["incidents"]  # type: ignore[misc]
    assert (incident["start"], incident["errors"]) == ("2024-03-01 13:05:00", 60)


@pytest.mark.parametrize(
    "other",
    [
        lines(1, "deploy of version 2.0 finished", NOON + timedelta(minutes=100)),
        lines(1, "deploy of version 2.0 finished", NOON - timedelta(hours=3)),
        lines(9, "nightly report written", NOON),
    ],
)
def test_what_came_later_or_long_before_is_no_cause(run: Run, other: str) -> None:
    result = run("correlate_events", given("app.log", BROKEN), given("deploy.log", other))
    assert not [each for each in result.findings if each.tag == "recent_change" and each.severity != "low"]
    assert ("app.log", "burst") in tags(result)


def test_a_calm_day_has_no_incident(run: Run) -> None:
    result = run("correlate_events", given("app.log", CALM), given("deploy.log", DEPLOYED))
    assert (result.findings, result.outcome["severity"]) == ([], "none")


def test_errors_that_were_there_before_are_not_laid_to_the_deploy(run: Run) -> None:
    text = lines(400, "ERROR shop.pay no answer {n}", NOON, 20)
    result = run("correlate_events", given("app.log", text), given("deploy.log", DEPLOYED))
    assert not [each for each in result.findings if each.tag == "recent_change"]


def test_requests_are_followed_across_logs(run: Run) -> None:
    one = lines(5, "INFO gateway request_id=req-77{n} received", NOON, 60)
    two = lines(5, "ERROR orders request_id=req-77{n} failed", NOON + timedelta(seconds=2), 120)
    result = run("correlate_events", given("a.log", one), given("b.log", two))
    shared = result.facts["shared"]
    assert isinstance(shared, list)
    assert {each["value"] for each in shared} == {f"req-77{n}" for n in range(5)}
    assert all(each["failed"] for each in shared)
    assert "shared_identifiers" in result.outcome["tags"]  # type: ignore[operator]


def test_a_clock_in_another_zone_is_set_right(run: Run) -> None:
    one = lines(20, "INFO gateway request_id=req-77{n:03} received", NOON, 60)
    two = lines(20, "ERROR orders request_id=req-77{n:03} failed", NOON + timedelta(hours=2), 60, "%Y-%m-%d %H:%M:%S")
    result = run("correlate_events", given("a.log", one), given("b.log", two))
    assert list(result.facts["clocks"].values()) in (  # type: ignore[attr-defined]
        ["-2 h (20 identifiers agree)"],
        ["+2 h (20 identifiers agree)"],
    )


def test_logs_without_a_year_lie_beside_those_with_one(run: Run) -> None:
    syslog = f"{(NOON + timedelta(minutes=60)).strftime('%b %e %H:%M:%S')} web1 deployer[7]: deployed version 2.0\n"
    result = run("correlate_events", given("app.log", BROKEN), given("sys.log", syslog))
    assert ("sys.log", "recent_change") in tags(result)


def test_errors_of_one_source_that_follow_those_of_another(run: Run) -> None:
    first, second = [], []
    for hour in (1, 4, 5, 9, 11):
        start = NOON + timedelta(hours=hour)
        first.append(lines(20, "ERROR db lost connection {n}", start, 3))
        second.append(lines(20, "ERROR api cannot load {n}", start + timedelta(minutes=20), 3))
    result = run("correlate_events", given("db.log", "".join(first)), given("api.log", "".join(second)))
    (lead,) = [each for each in result.findings if each.tag == "errors"]
    assert lead.name == "api.log"
    assert "after those of db.log" in lead.message


def test_the_shop_finds_the_deploy_and_the_timeout(run: Run) -> None:
    logs = [shop(f"logs/{name}.log") for name in ("application", "access", "deploy")]
    result = run("correlate_events", *logs, shop("config/production.yaml"))
    assert {
        ("logs/deploy.log", 1, "recent_change"),
        ("config/production.yaml", 11, "suspect_found"),
        ("logs/application.log", 6, "shared_identifiers"),
    } <= {(each.name, each.line, each.tag) for each in result.findings}
    assert result.outcome["tags"] == ["recent_change", "burst", "suspect_found", "shared_identifiers"]
    rollback = next(each for each in result.findings if each.name == "logs/deploy.log" and each.line == 8)
    assert "no error came after it" in rollback.message


def test_results_stand_for_their_logs(run: Run) -> None:
    first = earlier("s1", "analyze_logs", run("analyze_logs", shop("logs/application.log")))
    second = earlier("s2", "analyze_logs", run("analyze_logs", shop("logs/deploy.log")))
    result = run("correlate_events", first, second)
    assert ("logs/deploy.log", "recent_change") in tags(result)


def test_what_tells_no_time_is_refused(run: Run) -> None:
    result = run("correlate_events", shop("config/production.yaml"), shop("config/staging.yaml"))
    assert (result.outcome["status"], result.outcome["tags"]) == ("failed", ["unparsable"])
