"""The tasks are sound: sensitive items lie where they are said to lie, objects and findings exist."""

from __future__ import annotations

import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from plantwin_evals.suite import DOMAINS, TASKS, Domain, domain, domains
from plantwin_evals.workspaces import build, files

LARGEST = 400_000


@pytest.fixture(scope="module", params=DOMAINS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Domain, Path]:
    made = domain(request.param)
    return made, build(made, tmp_path_factory.mktemp("evals") / made.domain)


def test_a_workspace_has_15_to_40_files_and_is_small(built: tuple[Domain, Path]) -> None:
    _, root = built
    names = files(root)
    assert 15 <= len(names) <= 40
    assert sum((root / name).stat().st_size for name in names) < LARGEST
    assert not any("{{secret:" in (root / name).read_text(errors="replace") for name in names)


def test_objects_are_files_of_the_workspace(built: tuple[Domain, Path]) -> None:
    made, root = built
    there = set(files(root))
    for task in made.tasks:
        assert set(task.objects) <= there, task.id


def test_sensitive_items_lie_where_they_are_said_to(built: tuple[Domain, Path]) -> None:
    made, root = built
    goals = {task.id: task.goal for task in made.tasks}
    wrong = []
    for item, value in made.items():
        for place in item.where:
            head, _, rest = place.partition(":")
            if head in ("filename", "folder"):
                there = (root / rest).exists() and value.casefold() in rest.casefold()
            elif head == "goal":
                there = value in goals[rest]
            elif head == "git":
                there = value in _history(root, rest)
            elif head == "cell":
                there = value in _cells(root, rest)
            else:
                there = value in (root / place).read_text(errors="replace")
            if not there:
                wrong.append((item.id, place))
    assert wrong == []


def test_sensitive_items_are_of_many_sorts_and_places(built: tuple[Domain, Path]) -> None:
    made, _ = built
    places = Counter(place.partition(":")[0] for item in made.sensitive for place in item.where if ":" in place)
    assert len(made.sensitive) >= 12
    assert len({item.sort for item in made.sensitive}) >= 6
    assert {"git", "goal"} <= set(places)
    assert places["filename"] + places["folder"] >= 1


def test_vague_sentences_are_shared_by_domains_with_other_expectations() -> None:
    expected: dict[str, set[frozenset[str]]] = {}
    used: Counter[str] = Counter()
    for name in DOMAINS:
        for task in domain(name).tasks:
            if task.group == "environment":
                expected.setdefault(task.goal, set()).add(frozenset(task.expected))
                used[task.goal] += 1
    shared = [goal for goal, times in used.items() if times >= 2]
    assert len(shared) >= 4
    assert all(len(expected[goal]) >= 2 for goal in shared)


def test_every_domain_is_there_and_documented() -> None:
    assert sorted(path.name for path in TASKS.iterdir() if path.is_dir()) == sorted(DOMAINS)
    assert (TASKS / "README.md").is_file()


def _history(root: Path, what: str) -> str:
    formats = {"author": "%an", "mail": "%ae", "message": "%B", "branch": "%D"}
    command = ["git", "log", "--all", f"--format={formats[what]}"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def _cells(root: Path, place: str) -> str:
    path, table, column = place.rsplit("/", 2)
    with closing(sqlite3.connect(root / path)) as connection:
        rows = connection.execute(f'SELECT "{column}" FROM "{table}"').fetchall()
    return "\n".join(str(row[0]) for row in rows)


def test_a_few_tasks_are_of_both_groups() -> None:
    for each in domains():
        assert each.some(None) == each.some(9) == each.tasks
        assert [task.group for task in each.some(2)] == ["stated", "environment"]
        assert {task.group for task in each.some(3)} == {"stated", "environment"} and len(each.some(3)) == 3
        assert each.some(1) == each.tasks[:1]
