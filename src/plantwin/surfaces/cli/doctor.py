"""`plantwin doctor`: what is installed, what a missing part costs, and whether the state folder is sound."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.private.capabilities.adapters.installed import ENGINES, find
from plantwin.statefiles import need_own, need_own_folder
from plantwin.surfaces.cli.arguments import add_json, add_state
from plantwin.surfaces.cli.output import console, write_json, write_line
from plantwin.surfaces.render.text import plural, printable, size

MOST_FILES = 10_000


def state_findings(chosen: str | None) -> Iterator[tuple[str, bool, str]]:
    """Name, whether it is sound, and detail."""
    from plantwin.private.state import state_folder

    folder = Path(chosen).absolute() if chosen else state_folder()
    try:
        status = folder.stat()
    except FileNotFoundError:
        yield "folder", _can_be_made(folder), f"{printable(str(folder))} (made by the first scan)"
        return
    except OSError as error:
        yield "folder", False, f"{printable(str(folder))}: {error.strerror}"
        return
    if not stat.S_ISDIR(status.st_mode):
        yield "folder", False, f"{printable(str(folder))} is not a folder"
        return
    usable = os.access(folder, os.R_OK | os.W_OK | os.X_OK)
    yield "folder", usable, printable(str(folder)) + ("" if usable else " cannot be written")
    yield _permissions(folder, status)
    number, total, strange = _contents(folder)
    yield (
        "files",
        not strange,
        (
            f"{', '.join(map(printable, strange[:3]))}: a link, a pipe or another's, never opened: move it away"
            if strange
            else "regular, and your own"
        ),
    )
    yield "size", True, f"{size(total)} in {plural(number, 'file')}" + (" or more" if number >= MOST_FILES else "")


def _permissions(folder: Path, status: os.stat_result) -> tuple[str, bool, str]:
    """Only the owner may look inside."""
    mode = stat.S_IMODE(status.st_mode)
    foreign = status.st_uid != os.geteuid()
    detail = f"{mode:04o}, owned by {'another user' if foreign else 'you'}"
    sound = not foreign and not mode & 0o077
    return "permissions", sound, detail if sound else f"{detail}: run chmod 700 {printable(str(folder))}"


def _contents(folder: Path) -> tuple[int, int, list[str]]:
    """Return how many files there are, their size, and those that would never be opened."""
    number = total = 0
    strange: list[Path] = []
    for place, folders, files in os.walk(folder):
        inside = [Path(place, name) for name in folders]
        strange += [path for path in inside if path.is_symlink() or not _sound(path, need_own_folder)]
        for name in files:
            path = Path(place, name)
            if not _sound(path, need_own):
                strange.append(path)
            with suppress(OSError):
                total += path.lstat().st_size
            number += 1
            if number >= MOST_FILES:
                return number, total, _named(strange, folder)
    return number, total, _named(strange, folder)


def _named(paths: Sequence[Path], folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in paths]


def _sound(path: Path, need: Callable[[Path], object]) -> bool:
    try:
        need(path)
    except FileNotFoundError:
        return not path.is_symlink()
    except OSError:
        return False
    return True


def _can_be_made(folder: Path) -> bool:
    """Whether the nearest existing parent may be written."""
    for parent in folder.parents:
        if parent.exists():
            return parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)
    return False


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


MODULES = {
    "pyyaml": "yaml", "graphql-core": "graphql", "python-stdnum": "stdnum",
    "markdown-it-py": "markdown_it",
}  # fmt: skip
"""Where a distribution's module is not named like it."""

COSTS = {
    "bandit": "Python is audited by our own rules alone",
    "jsonschema": "data cannot be checked against a JSON Schema",
    "ruff": "Python is checked for syntax alone",
    "oxlint": "JavaScript and TypeScript are not linted",
    "sqlglot": "queries cannot be reviewed",
    "cedarpy": "no policy can be evaluated, so nothing is run",
    "msgspec": "nothing works without it",
    "hyperscan": "secrets and identifiers cannot be detected, so nothing can be scanned",
    "graphql-core": "GraphQL schemas are not checked",
    "python-stdnum": "national ids are found by their form alone",
    "pyyaml": "YAML is classified from its name alone",
    "rich": "tables cannot be printed; --json still works",
    "tree-sitter": "code is classified from its name alone",
}
OPTIONAL = (
    ("bc-detect-secrets", "only the comparison in benchmarks/ needs it: pip install 'plantwin[bench]'"),
    ("psycopg", "only a ledger in PostgreSQL needs it: pip install 'plantwin[postgres]'"),
    ("wordllama", "find_code ranks by words alone, not by meaning: pip install 'plantwin[meaning]'"),
    ("psutil", "only the memory figures in benchmarks/ need it: pip install 'plantwin[bench]'"),
)
PROGRAMS = (
    ("git", "--version", "freshness comes from file times alone, not from history"),
    ("bwrap", "--version", "there is no sandbox (Debian: bubblewrap)"),
)
OLDEST = (3, 11)


def checks(state: str | None = None, config: str | None = None) -> Iterator[Check]:
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
    yield from _engines()
    for name, cost in OPTIONAL:
        yield _version(name, "optional library", cost, required=False)
    for name, sound, detail in state_findings(state):
        yield Check("state", name, Status.FINE if sound else Status.BROKEN, detail, required=True)
    yield from _settings(config)


def _settings(config: str | None) -> Iterator[Check]:
    """Whether the configuration and the policy can be read, and whether the planner that is asked by default can be."""
    from plantwin.config.policies import policy_of
    from plantwin.config.settings import load_settings, user_config
    from plantwin.errors import PlanTwinError

    path = Path(config) if config else user_config()
    part, detail = "configuration", printable(str(path)) if path.exists() else "none: the defaults hold"
    try:
        settings = load_settings(Path(config) if config else None)
        yield Check(part, "file", Status.FINE, detail, required=True)
        policy_of(settings)
        yield Check(part, "policy", Status.FINE, printable(settings.policy.file or settings.policy.name), required=True)
    except PlanTwinError as error:
        cost = "no command that reads it works; then: plantwin config check"
        yield Check(part, "file or policy", Status.BROKEN, printable(str(error)), cost, required=True)
        return
    yield Check(part, "planner", Status.FINE, f"{printable(settings.planner.default)}, unless another is named")


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
    if found.status is not Status.FINE or name == "oxlint":  # a program alone: among the engines
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

        grammars = [getattr(module, text) for text in dir(module) if text.startswith("language")]
        Parser(Language(grammars[0]())).parse(b"plantwin")


def _sqlite() -> Check:
    try:
        import sqlite3
    except ImportError:
        return Check("library", "sqlite3", Status.BROKEN, "Python was built without it", "no index", required=True)
    return Check("library", "sqlite3", Status.FINE, sqlite3.sqlite_version, required=True)


def _sandbox() -> Check:
    """Whether a trial launch works: the kernel may refuse what is installed."""
    from plantwin.private.execution.sandbox import unusable

    cost = "code of the folder never runs; other steps are refused, or with [sandbox] require = false have limits alone"
    if why := unusable():
        return Check("sandbox", "steps", Status.MISSING, why, cost)
    return Check("sandbox", "steps", Status.FINE, "no network, inputs read-only")


def _engines() -> Iterator[Check]:
    """The tools of the field that capabilities use, with licence and what each adds."""
    for engine in ENGINES:
        found = find(engine.name)
        detail = f"{found.version or 'present'}, {engine.licence}" if found else f"not installed, {engine.licence}"
        cost = f"adds {engine.adds}" + ("" if found else f": {engine.install}")
        yield Check("engine", engine.name, Status.FINE if found else Status.MISSING, detail, cost)


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


EXAMPLE = "plantwin doctor"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_json(parser)
    add_state(parser)


def condensed(results: list[Check]) -> list[Check]:
    """The grammars that work as one row; whatever does not keeps its own."""

    grammars = [result for result in results if result.name.startswith("tree-sitter-") and result.status is Status.FINE]
    if len(grammars) < 2:
        return results
    languages = ", ".join(grammar.name.removeprefix("tree-sitter-") for grammar in grammars)
    row = Check("library", f"{len(grammars)} grammars", Status.FINE, languages, required=True)
    first = results.index(grammars[0])
    left = set(grammars)
    return [
        row if position == first else result
        for position, result in enumerate(results)
        if result not in left or position == first
    ]


def run(options: argparse.Namespace) -> int:
    """Run every check; 1 when something required is broken."""

    results = list(checks(options.state, options.config))
    broken = [result for result in results if result.required and result.status is not Status.FINE]
    if options.json:
        rows = [
            {
                "part": result.part,
                "name": result.name,
                "status": result.status.value,
                "required": result.required,
                "detail": result.detail,
                "cost": result.cost or None,
            }
            for result in results
        ]
        write_json("doctor", {"healthy": not broken, "checks": rows})
        return int(bool(broken))
    _show(results, broken)
    return int(bool(broken))


def _show(results: list[Check], broken: list[Check]) -> None:
    """What is wrong first, with its cause, then everything."""
    from plantwin.surfaces.render.tables import listing

    for result in broken:
        write_line(f"{result.part} {result.name} is {result.status.value}: {result.detail}" + _costing(result))
    for checked in results:
        if checked.part == "sandbox" and checked.status is not Status.FINE:
            write_line(f"No sandbox: {checked.detail}.")
    if any(part.part in ("library", "package", "python") for part in broken):
        write_line("Reinstall with: pip install --force-reinstall plantwin")
    write_line(f"{plural(len(broken), 'required part')} broken." if broken else "Everything required is in order.")
    write_line()
    shown = condensed(results)
    costly = any(part.cost for part in shown)
    cells = [(part.part, part.name, part.status.value, part.detail, part.cost)[: 4 + costly] for part in shown]
    console().print(listing(("part", "name", "status", "detail", "what it costs")[: 4 + costly], cells))


def _costing(check: Check) -> str:
    return f" ({check.cost})" if check.cost else ""
