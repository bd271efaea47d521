"""What `plantwin doctor` looks at: one check per row, each with what its absence costs."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from enum import StrEnum
from importlib import import_module, metadata
from typing import Any, NamedTuple

from plantwin.surfaces.cli.statecheck import state_findings


class Status(StrEnum):
    """How a part is."""

    FINE = "fine"
    MISSING = "missing"
    BROKEN = "broken"


class Check(NamedTuple):
    """One part that was looked at."""

    part: str
    name: str
    status: Status
    detail: str
    cost: str = ""
    required: bool = False


MODULES = {"pyyaml": "yaml", "detect-secrets": "detect_secrets"}
"""Where a distribution's module is not named like it."""

COSTS = {
    "bandit": "Python is audited by our own rules alone",
    "jsonschema": "data cannot be checked against a JSON Schema",
    "ruff": "Python is checked by our own rules alone",
    "sqlglot": "queries cannot be reviewed",
    "cedarpy": "no policy can be evaluated, so nothing is run",
    "msgspec": "nothing works without it",
    "hyperscan": "secrets and identifiers cannot be detected, so nothing can be scanned",
    "pyyaml": "YAML is classified from its name alone",
    "rich": "tables cannot be printed; --json still works",
    "tree-sitter": "code is classified from its name alone",
}
OPTIONAL = (
    ("detect-secrets", "only the comparison in benchmarks/ needs it: pip install 'plantwin[bench]'"),
    ("psycopg", "only a ledger in PostgreSQL needs it: pip install 'plantwin[postgres]'"),
    ("psutil", "only the memory figures in benchmarks/ need it: pip install 'plantwin[bench]'"),
)
PROGRAMS = (
    ("git", "--version", "freshness comes from file times alone, not from history"),
    ("bwrap", "--version", "there is no sandbox (Debian: bubblewrap)"),
)
OLDEST = (3, 11)


def checks(state: str | None = None) -> Iterator[Check]:
    """Every check, required parts first."""
    yield _python()
    yield Check("platform", platform.system(), Status.FINE, f"{platform.machine()}, {os.cpu_count() or 1} cores")
    yield _version("plantwin", "package", "the package is not installed", required=True)
    for name in requirements():
        cost = COSTS.get(name) or f"{name.removeprefix('tree-sitter-')} is classified from its name alone"
        yield _library(name, cost)
    yield _sqlite()
    for name, option, cost in PROGRAMS:
        yield _program(name, option, cost)
    yield _sandbox()
    for name, cost in OPTIONAL:
        yield _version(name, "optional library", cost, required=False)
    for name, sound, detail in state_findings(state):
        yield Check("state", name, Status.FINE if sound else Status.BROKEN, detail, required=True)


def requirements() -> list[str]:
    """The names of what the package requires, without its extras."""
    try:
        declared = metadata.requires("plantwin") or []
    except metadata.PackageNotFoundError:
        return sorted(COSTS)
    found = (re.match(r"[A-Za-z0-9._-]+", line) for line in declared if "extra ==" not in line)
    return sorted({match[0].lower() for match in found if match})


def _python() -> Check:
    sound = sys.version_info >= OLDEST
    status = Status.FINE if sound else Status.BROKEN
    cost = "" if sound else "3.11 or newer is needed"
    return Check("python", sys.implementation.name, status, platform.python_version(), cost, required=True)


def _version(name: str, part: str, cost: str, required: bool) -> Check:
    try:
        return Check(part, name, Status.FINE, metadata.version(name), required=required)
    except metadata.PackageNotFoundError:
        return Check(part, name, Status.MISSING, "not installed", cost, required)


def _library(name: str, cost: str) -> Check:
    """Installed, importable and, where that is cheap to try, working."""
    found = _version(name, "library", cost, required=True)
    if found.status is not Status.FINE:
        return found
    try:
        with warnings.catch_warnings():
            # What a library warns its own developers of is no news for the person.
            warnings.simplefilter("ignore")
            module = import_module(MODULES.get(name, name.replace("-", "_")))
            _try(name, module)
    except Exception as error:  # whatever a broken wheel raises, doctor reports it and goes on
        return found._replace(status=Status.BROKEN, detail=f"{found.detail}, fails: {type(error).__name__}", cost=cost)
    return found


def _try(name: str, module: Any) -> None:
    if name == "hyperscan":
        database = module.Database()
        database.compile(expressions=[b"plantwin"], ids=[0], elements=1, flags=[0])
    elif name.startswith("tree-sitter-"):
        from tree_sitter import Language, Parser

        grammars = [getattr(module, each) for each in dir(module) if each.startswith("language")]
        Parser(Language(grammars[0]())).parse(b"plantwin")


def _sqlite() -> Check:
    try:
        import sqlite3
    except ImportError:
        return Check("library", "sqlite3", Status.BROKEN, "Python was built without it", "no index", required=True)
    return Check("library", "sqlite3", Status.FINE, sqlite3.sqlite_version, required=True)


def _sandbox() -> Check:
    """Whether a trial launch works: the kernel may refuse what is installed."""
    from plantwin.private.execute.sandbox import unusable

    cost = "code of the folder never runs; other steps are refused, or with [sandbox] require = false have limits alone"
    if why := unusable():
        return Check("sandbox", "steps", Status.MISSING, why, cost)
    return Check("sandbox", "steps", Status.FINE, "no network, inputs read-only")


def _program(name: str, option: str, cost: str) -> Check:
    path = shutil.which(name)
    if path is None:
        return Check("program", name, Status.MISSING, "not found", cost)
    try:
        answer = subprocess.run([path, option], capture_output=True, timeout=5, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        return Check("program", name, Status.BROKEN, f"fails: {type(error).__name__}", cost)
    version = re.search(rb"\d+(\.\d+)+", answer.stdout)
    return Check("program", name, Status.FINE, version[0].decode() if version else "present")
