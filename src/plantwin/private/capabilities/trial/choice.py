"""Which tests to run for the inputs of a job."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from plantwin.private.capabilities.graph.network import Network, spoken_of
from plantwin.private.capabilities.job import Job

MOST = 200
_TEST = re.compile(
    r"(?:^|/)(?:test_[^/]+|[^/]+_tests?|tests)\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/[^/]+\.[cm]?[jt]sx?$"
    r"|(?:^|/)(?:test|tests)/[^/]*\.[cm]?js$|_test\.go$|(?:^|/)tests/[^/]+\.rs$|(?:^|/)[^/]*(?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs)$"
    r"|_(?:spec|test)\.rb$|Test\.php$"
)
_WALKED = 30_000
_SKIPPED = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__", "target", ".tox", "vendor"))


class Chosen(NamedTuple):
    """Test files, and for each input that is none how its tests were found."""

    files: list[str]
    ways: dict[str, str]
    whole: bool = True

    def __repr__(self) -> str:
        return "<Chosen private>"


def is_test(name: str) -> bool:
    """Whether a file is named as tests are."""
    return _TEST.search(name) is not None


def chosen(job: Job) -> Chosen:
    """The tests of the inputs: themselves, those that a result names, that use them, or that are named like them."""
    files: dict[str, None] = {}
    ways: dict[str, str] = {}
    network = Network(job.surroundings)
    by_name = {each.name: position for position, each in enumerate(job.surroundings.objects)}
    wanted: list[str] = []
    for given in job.inputs:
        if given.is_result:
            facts = (given.result or {}).get("facts")
            named = facts.get("tests") if isinstance(facts, dict) else None
            listed = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
            wanted += listed or spoken_of(given)
        else:
            wanted.append(given.name)
    for name in dict.fromkeys(each.partition("#")[0] for each in wanted):
        if is_test(name) or _suite(job, by_name.get(name, -1)):
            files[name] = None
            continue
        found = _exercising(network, by_name.get(name, -1))
        ways[name] = "tests that use it" if found else ""
        if not found:
            found = _named_alike(job.folder, name)
            ways[name] = "tests named like it" if found else ""
        files.update(dict.fromkeys(found))
    there = [name for name in files if _inside(job.folder, name)]
    return Chosen(there[:MOST], ways, len(there) <= MOST)


def _suite(job: Job, position: int) -> bool:
    return position >= 0 and job.surroundings.objects[position].semantic_class == "test_suite"


def _exercising(network: Network, position: int) -> list[str]:
    """Tests that use an object, else tests of what imports it."""
    if position < 0:
        return []
    direct = sorted(network.label(each) for each in network.incoming(position, frozenset(("tests",))))
    if direct:
        return direct
    near = network.incoming(position, frozenset(("imports",)))
    return sorted({network.label(test) for each in near for test in network.incoming(each, frozenset(("tests",)))})


def _named_alike(folder: str, name: str) -> list[str]:
    stem = name.rpartition("/")[2].partition(".")[0].lower()
    if len(stem) < 3:
        return []
    wanted = {
        f"test_{stem}",
        f"{stem}_test",
        f"{stem}_tests",
        f"{stem}.test",
        f"{stem}.spec",
        f"{stem}test",
        f"{stem}tests",
        f"{stem}_spec",
    }
    found = []
    walked = 0
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if each not in _SKIPPED)
        walked += len(files)
        for each in sorted(files):
            if each.lower().rpartition(".")[0] in wanted:
                found.append(os.path.relpath(f"{here}/{each}", folder))
        if walked > _WALKED:
            break
    return found


def _inside(folder: str, name: str) -> bool:
    path = os.path.normpath(f"{folder}/{name}")
    return path.startswith(f"{folder}/") and Path(path).is_file()
