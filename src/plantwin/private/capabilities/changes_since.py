"""List what changed: commits with their authors, files by part, what is not committed, code without changed tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, outcome, plain
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.find_tests import Finder, wants_tests
from plantwin.private.capabilities.graph import Network, starts
from plantwin.private.capabilities.measure_size import top_folder
from plantwin.private.facts import Change, Changes
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Changes"
WIDE = 10
"""Objects that use a changed one from which its change reaches far."""
NEWEST = 3
"""Commits that the first sentence tells of."""


def run(job: Job) -> Result:
    """List what changed among the inputs."""
    changes = job.surroundings.changes
    if changes.problem or not changes.since:
        return failed(TITLE, changes.problem or "What changed is not known here: git was not asked.")
    network = Network(job.surroundings)
    begin = starts(job)
    places = {network.objects[node].name: node for node in reversed(begin)}
    gone = {change.name for change in changes.files} - {held.name for held in network.objects}
    # What is gone is nobody's input any more; it is told where all of the folder was asked about.
    inside = [change for change in changes.files if change.name in places]
    removed = [change for change in changes.files if change.name in gone] if len(begin) == len(network.objects) else []
    found = list(_findings(network, places, inside))
    state = [] if changes.whole else [OutcomeTag.TRUNCATED.value]
    state += [OutcomeTag.RECENT_CHANGE.value] if inside else []
    told = outcome(found, total=len(inside), state=state, partial=not changes.whole)
    return Result(
        outcome={**told, "count": str(bucket(len(inside)))},
        title=TITLE,
        findings=found,
        listed=False,
        facts={
            "tool": "git",
            "since": changes.since,
            "commits": len(changes.commits),
            "authors": dict(Counter(author for _, _, author, _ in changes.commits)),
            "affected": [change.name for change in inside],
            "objects": [change.name for change in inside],
            "removed": [change.name for change in removed],
        },
        text="\n".join(_text(changes, inside, removed)).strip() + "\n",
    )


def _findings(network: Network, places: dict[str, int], inside: Sequence[Change]) -> Iterator[Finding]:
    finder = Finder(network)
    touched = {change.name for change in inside}
    for change in inside:
        node = places[change.name]
        users = len(network.incoming(node))
        if users >= WIDE:
            message = f"Changed, and {users} others use it directly"
            yield finding(change.name, 0, Severity.LOW, OutcomeTag.WIDE_IMPACT, message)
        if not wants_tests(network.objects[node]) or change.added + change.removed < 5:
            continue
        tests = [network.objects[test].name for test, _ in finder.tests_of(node).tests]
        if not tests:
            yield finding(change.name, 0, Severity.LOW, OutcomeTag.UNTESTED, "Changed, and no test is known to use it")
        elif not touched.intersection(tests):
            message = f"Changed, and its tests did not: {', '.join(tests[:3])}"
            yield finding(change.name, 0, Severity.LOW, OutcomeTag.UNTESTED, message)


def _text(changes: Changes, inside: Sequence[Change], removed: Sequence[Change]) -> Iterator[str]:
    committed = [change for change in inside if change.commits]
    pending = [change for change in inside if change.pending]
    lines = f"+{sum(change.added for change in inside):,} −{sum(change.removed for change in inside):,} lines"
    yield (
        f"{plain(changes.since)}: {plural(len(changes.commits), 'commit')}, {plural(len(committed), 'file')} changed "
        f"({lines}), "
        f"{len(removed)} removed, {len(pending)} with changes that are not committed.{_newest(changes)}"
    )
    yield "" if changes.whole else "There are more; the newest are shown.\n"
    authors = Counter(author for _, _, author, _ in changes.commits)
    if authors:
        more = f" and {len(authors) - 8} more" if len(authors) > 8 else ""
        names = ", ".join(f"{plain(name)} ({number})" for name, number in authors.most_common(8))
        yield f"Authors and maintainers, by commits: {names}{more}."
        yield ""
    if pending:
        yield from ("Not committed:", "", *(f"- {code(change.name)}: {change.pending}" for change in pending[:40]), "")
    if changes.commits:
        yield from ("Commits, the newest first:", "")
        yield from (
            f"- {day(when)} {code(commit[:10])} {plain(subject)} ({plain(author)})"
            for commit, when, author, subject in changes.commits[:30]
        )
        yield f"- and {len(changes.commits) - 30} more" if len(changes.commits) > 30 else ""
        yield ""
    parts: dict[str, list[Change]] = defaultdict(list)
    for change in inside:
        parts[top_folder(change.name)].append(change)
    rows = [
        [code(name), str(len(held)), f"+{sum(one.added for one in held):,} −{sum(one.removed for one in held):,}"]
        for name, held in sorted(parts.items(), key=lambda item: -len(item[1]))
    ]
    yield from table(["Part", "Files", "Lines"], rows, 30)
    most = sorted(committed, key=lambda change: (-change.commits, -(change.added + change.removed), change.name))
    rows = [
        [code(change.name), str(change.commits), f"+{change.added} −{change.removed}", day(change.last)]
        for change in most
    ]
    yield from ("Files, those changed most often first:", "") if rows else ()
    yield from table(["File", "Commits", "Lines", "Last"], rows, 40)
    if removed:
        yield from ("Removed:", "", *(f"- {code(change.name)}" for change in removed[:30]))


def _newest(changes: Changes) -> str:
    """Say what the newest commits did, those that join others aside."""
    said = [(when, subject) for _, when, _, subject in changes.commits if not subject.startswith("Merge ")]
    told = "; ".join(f"{plain(subject)} ({day(when)})" for when, subject in said[:NEWEST])
    return f" The newest: {told}." if told else ""


def day(seconds: int) -> str:
    """Write a time as a day."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat() if seconds else ""
