"""Which tests to run for the inputs of a job."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.capabilities.graph import Network, spoken_of
from plantwin.private.facts import private
from plantwin.private.formats.values import words

MOST_FILES = 5000
MOST_WALKED = 30_000
_TEST = re.compile(
    r"(?:^|/)(?:test_[^/]+|[^/]+_tests?|tests)\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|/)__tests__/[^/]+\.[cm]?[jt]sx?$"
    r"|(?:^|/)(?:test|tests)/[^/]*\.[cm]?js$|_test\.go$|(?:^|/)tests/[^/]+\.rs$|(?:^|/)[^/]*(?:Test|Tests|Spec|IT)\.(?:java|kt|scala|cs)$"
    r"|_(?:spec|test)\.rb$|Test\.php$"
)  # fmt: skip
_SKIPPED_FOLDERS = words(".git node_modules .venv venv __pycache__ target .tox vendor")
_NAMES = ("test_{}", "{}_test", "{}_tests", "{}.test", "{}.spec", "{}test", "{}tests", "{}_spec")
"""How the tests of a module are called."""


@private
class Selection(NamedTuple):
    """Test files, and for each input that is none how its tests were found."""

    files: list[str]
    reasons: dict[str, str]
    complete: bool = True


def is_test(name: str) -> bool:
    """Tell whether a file is named as tests are."""
    return _TEST.search(name) is not None


def select_tests(job: Job) -> Selection:
    """Choose tests: the inputs, those that a result names, that use the inputs, or that are named like them."""
    objects = job.surroundings.objects
    positions = {neighbour.name: position for position, neighbour in enumerate(objects)}
    network = Network(job.surroundings)
    files: dict[str, None] = {}
    reasons: dict[str, str] = {}
    for name in dict.fromkeys(name.partition("#")[0] for given in job.inputs for name in _named(given)):
        position = positions.get(name, -1)
        if is_test(name) or (position >= 0 and objects[position].semantic_class == "test_suite"):
            files[name] = None
            continue
        found = _using(network, position)
        reasons[name] = "tests that use it were run" if found else ""
        if not found:
            found = _named_like(job.folder, name)
            reasons[name] = "tests named like it were run" if found else ""
        files.update(dict.fromkeys(found))
    existing = [name for name in files if _is_inside(job.folder, name)]
    return Selection(existing[:MOST_FILES], reasons, len(existing) <= MOST_FILES)


def _named(given: Input) -> list[str]:
    """Return the objects that an input is, or that a result names."""
    if not given.is_result:
        return [given.name]
    facts = (given.result or {}).get("facts")
    tests = facts.get("tests") if isinstance(facts, dict) else None
    named = [name for name in tests if isinstance(name, str)] if isinstance(tests, list) else []
    return named or spoken_of(given)


def _using(network: Network, position: int) -> list[str]:
    """Return the tests that use an object, else the tests of what imports it."""
    if position < 0:
        return []
    tests = frozenset(("tests",))
    direct = sorted(network.label(test) for test in network.incoming(position, tests))
    if direct:
        return direct
    importing = network.incoming(position, frozenset(("imports",)))
    return sorted({network.label(test) for module in importing for test in network.incoming(module, tests)})


def _named_like(folder: str, name: str) -> list[str]:
    stem = name.rpartition("/")[2].partition(".")[0].lower()
    if len(stem) < 3:
        return []
    wanted = {pattern.format(stem) for pattern in _NAMES}
    found = []
    walked = 0
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS)
        walked += len(files)
        matching = [file for file in sorted(files) if file.lower().rpartition(".")[0] in wanted]
        found += [os.path.relpath(f"{here}/{file}", folder) for file in matching]
        if walked > MOST_WALKED:
            break
    return found


def _is_inside(folder: str, name: str) -> bool:
    path = os.path.normpath(f"{folder}/{name}")
    return path.startswith(f"{folder}/") and Path(path).is_file()
