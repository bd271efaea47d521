"""How many of the files that a goal is about are examined: the folder told as sets, and objects told one by one.

    python -m benchmarks.coverage [--files 2000] [--tree DIR]... [--goal WORD]... [--twin sets|objects|both]

Trees: Python's library with installed packages, an installed tree of Node packages, the documentation of the system's
packages (each cut to so many files, where the machine has it), and any others that are named. Ten goals; what is
relevant follows from names of files alone, not from our classes. Sessions as a person has them, with the embedded
planner: cold, and again in the same state, when results of unchanged files are kept. Processor seconds of all processes
and seconds by the clock are per 1,000 files that a step looked at.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sysconfig
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from benchmarks.harness import scratch
from plantwin.cloud.offline import Offline
from plantwin.config.settings import Settings
from plantwin.private.execution.over_sets import Task
from plantwin.run import Run
from plantwin.session import run
from plantwin.session_context import SessionContext
from plantwin.types.execution import Executed
from plantwin.vocabulary import Part
from plantwin.workspace import Workspace
from plantwin_evals.workspace import Consent

LARGEST: Final = 500_000
SKIPPED: Final = frozenset({".git", "__pycache__", ".cache"})


class Goal(NamedTuple):
    """A goal that speaks of a whole sort of files, which those are by their names, and what answers it."""

    word: str
    text: str
    relevant: tuple[str, ...]
    """Patterns of names; with a slash, of paths."""
    by: tuple[str, ...]
    """Capabilities whose looking at a file counts."""


CODE: Final = ("security_audit", "lint")
DEPLOYED: Final = ("audit_infrastructure", "security_audit", "validate_config")
GOALS: Final = (
    Goal("terraform", "Review all the Terraform for insecure settings.", ("*.tf",), DEPLOYED),
    Goal("python", "Audit all of the Python code for security problems.", ("*.py",), CODE),
    Goal("workflows", "Check the CI pipelines for security problems.", ("*.github/workflows/*.y*ml",), DEPLOYED),
    Goal("docker", "Are our Dockerfiles and compose files safe?",
         ("*Dockerfile*", "compose.*", "compose-*.y*ml", "docker-compose*.y*ml"), DEPLOYED),
    Goal("secrets", "Look for secrets in every file here.", ("*",), ("secret_scan",)),
    Goal("scripts", "Lint all JavaScript and TypeScript code.", ("*.js", "*.[mc]js", "*.ts", "*.[jt]sx"), CODE),
    Goal("shell", "Review the shell scripts for dangerous commands.", ("*.sh", "*.bash"), CODE),
    Goal("dependencies", "Which dependencies are risky or out of date?",
         ("package.json", "requirements*.txt", "pyproject.toml", "package-lock.json"), ("audit_dependencies",)),
    Goal("documents", "What do all the documents require of us?", ("*.md", "*.rst"), ("extract_constraints",)),
    Goal("sql", "Review every SQL query for mistakes.", ("*.sql",), ("review_queries", "review_migrations", "lint")),
)  # fmt: skip


class Coverage(NamedTuple):
    """One session."""

    relevant: int
    examined: int
    """Of the relevant files."""
    looked: int
    """At how many files steps looked, each step by itself."""
    wall: float
    cpu: float
    error: str


class Observed(Workspace):
    """A workspace that notes which files steps examined. Every approval is given."""

    def __init__(self, root: Path, settings: Settings, state: Path) -> None:
        super().__init__(root, settings=settings, state=state, approver=Consent())
        self.examined: dict[str, set[str]] = {}
        """Paths, by capability."""

    def open_session(self, *arguments: Any, **options: Any) -> SessionContext:
        """As a workspace's, watched."""
        context = super().open_session(*arguments, **options)
        executor: Any = context.executor
        carry_out = executor.run

        def watched(task: Task) -> Executed:
            executed: Executed = carry_out(task)
            found = self.examined.setdefault(task.capability.word, set())
            parts = executor._members.parts(task.step)
            for part in (Part.AFFECTED, Part.CLEAN):
                found |= {record.path for record in parts.get(part, ())}
            return executed

        executor.run = watched
        return context


def covered(root: Path, state: Path, goal: Goal, twin: str) -> Coverage:
    """One session about one goal."""
    shipped: Any = Settings()
    settings = msgspec.structs.replace(shipped, twin=msgspec.structs.replace(shipped.twin, mode=twin))
    with closing(Observed(root, settings, state)) as workspace:
        began, before = time.perf_counter(), _processor()
        done: Run = run(goal.text, workspace, Offline(workspace.catalog))
        wall, cpu = time.perf_counter() - began, _processor() - before
        relevant = set(matching(root, goal.relevant))
        right = set().union(*(workspace.examined.get(word, ()) for word in goal.by))
        looked = sum(map(len, workspace.examined.values()))
        return Coverage(len(relevant), len(relevant & right), looked, wall, cpu, done.error)


def matching(root: Path, patterns: Sequence[str]) -> Iterable[str]:
    """Text files below a folder whose path fits one of the patterns."""
    for path in texts(root):
        name = path.relative_to(root).as_posix()
        if any(fnmatchcase(name if "/" in pattern else path.name, pattern) for pattern in patterns):
            yield name


def texts(root: Path) -> Iterable[Path]:
    """Text files of ordinary size, in a fixed order."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in SKIPPED)
        for name in sorted(names):
            path = Path(folder, name)
            if path.is_symlink() or not path.is_file() or not 0 < path.stat().st_size < LARGEST:
                continue
            with path.open("rb") as file:
                if b"\0" not in file.read(2048):
                    yield path


def _processor() -> float:
    """Processor seconds of this process and of all that have ended below it."""
    return sum(os.times()[:4])


def copied(sources: Sequence[Path], target: Path, files: int) -> int:
    """Copy so many text files at random; their number. No folder has a name that a goal could mean."""
    found = [
        (path, Path(f"part{number}" if len(sources) > 1 else "", _plain(path.relative_to(source))))
        for number, source in enumerate(sources)
        if source.is_dir()
        for path in texts(source)
    ]
    random.Random(5).shuffle(found)
    for path, relative in found[:files]:
        copy = target / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return min(files, len(found))


def _plain(path: Path) -> Path:
    """A path without folders that scans leave out: installed packages stand for a project's own files here."""
    return Path(*("packages" if part == "node_modules" else part for part in path.parts))


TREES: Final[dict[str, Callable[[], list[Path]]]] = {
    "python": lambda: [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))],
    "node": lambda: [Path("/usr/lib/node_modules"), Path("/usr/local/lib/node_modules")],
    "documentation": lambda: [Path("/usr/share/doc"), *Path("/usr/share").glob("cmake-*/Help")],
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=2000, help="files of each tree that the machine has")
    parser.add_argument("--tree", type=Path, action="append", default=[], help="another folder (repeatable)")
    parser.add_argument(
        "--only", action="append", default=[], choices=sorted(TREES), help="only these of the machine's"
    )
    parser.add_argument("--goal", action="append", default=[], choices=[goal.word for goal in GOALS])
    parser.add_argument("--twin", choices=("sets", "objects", "both"), default="both")
    options = parser.parse_args()
    twins = ("objects", "sets") if options.twin == "both" else (options.twin,)
    goals = [goal for goal in GOALS if not options.goal or goal.word in options.goal]
    with scratch() as place:
        roots = {}
        for name in options.only or TREES:
            if copied(TREES[name](), place / name, options.files):
                roots[name] = place / name
        for tree in options.tree:
            copied([tree], place / tree.name, options.files)
            roots[tree.name] = place / tree.name
        time.sleep(2)  # so that files count as settled, and results of theirs are kept
        print("| tree | goal | relevant | " + " | ".join(
            f"{twin}: examined | share | cold s/1,000 (processor) | again s/1,000 (processor)" for twin in twins
        ) + " |")  # fmt: skip
        print("|---|---|---:|" + "---:|---:|---:|---:|" * len(twins))
        for name, root in roots.items():
            for goal in goals:
                if any(True for _ in matching(root, goal.relevant)):
                    print(_line(name, root, place / "state", goal, twins), flush=True)


def _line(name: str, root: Path, state: Path, goal: Goal, twins: Sequence[str]) -> str:
    cells, relevant = [], 0
    for twin in twins:
        folder = state / f"{name}-{goal.word}-{twin}"
        cold = covered(root, folder, goal, twin)
        again = covered(root, folder, goal, twin)
        shutil.rmtree(folder)
        relevant = cold.relevant
        share = cold.examined / cold.relevant
        cells += [str(cold.examined), f"{share:.2f}", _per_thousand(cold), _per_thousand(again)]
    return f"| {name} | {goal.word} | {relevant} | " + " | ".join(cells) + " |"


def _per_thousand(found: Coverage) -> str:
    if not found.looked:
        return f"– {found.error}".strip()
    times = 1000 / found.looked
    return f"{found.wall * times:.0f} ({found.cpu * times:.0f})"


if __name__ == "__main__":
    main()
