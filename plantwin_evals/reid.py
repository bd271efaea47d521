"""Re-identification on template files and on real trees, without and with the budget.

What an audience may have been told of an object:

everything        all fields of its twin, as the paper's adversary has it: no budget at all
described         all that its own budget lets through, had every object been shown and described
session           what sessions about everyday goals told of it, by itself or through its sets, where they told anything
greedy            the same with a planner that only asks for more: every set split, every object described
session, any file   of any file of the tree, told of or not
greedy, any file    the same

The twin tells sets, or objects one by one as in the paper.
"""

from __future__ import annotations

import shutil
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import msgspec

from plantwin.boundary.budget import Accounts
from plantwin.boundary.disclosure import disclose
from plantwin.cloud.planner import Planner
from plantwin.config.settings import Settings
from plantwin.errors import InputError
from plantwin.session import run as session
from plantwin.types.accounting import Accountant
from plantwin.types.capability import FIELDS
from plantwin.types.execution import Executed
from plantwin.types.ledger import Known
from plantwin.types.local import LocalObject
from plantwin.types.prices import statement_of
from plantwin_evals.configurations import Configuration
from plantwin_evals.fingerprints import fingerprints, plain
from plantwin_evals.greedy import Greedy
from plantwin_evals.planners import Asking, Subject, subjects
from plantwin_evals.reidentification import (
    SET,
    STRATEGIES,
    Case,
    Result,
    Units,
    linked,
    paper_units,
    play,
    structure_of,
)
from plantwin_evals.reidentification import units_of as truth_of
from plantwin_evals.running import memory
from plantwin_evals.workspace import Done, EvaluationWorkspace

GOALS: Final = (
    "Review the code for security issues and tell me what to fix first.",
    "Tell me what state this is in.",
    "Find out which configuration and dependencies are out of date.",
)
"""Everyday goals, one session each, on one ledger."""
POOL: Final = 15
POOLS: Final = (5, 10, 15, 20, 25, 30)
TRIALS: Final = 500
SCALING_TRIALS: Final = 300
KNOWLEDGE: Final = ("everything", "described", "session", "greedy", "session, any file", "greedy, any file")
MOST_TAGS: Final = 6
TWINS: Final = ("twin", "objects")
"""Modes whose sessions are played with."""
ROWS: Final = "reid.json"
MOST: Final = 3000
"""Objects of a tree that are looked at."""


class Tree(NamedTuple):
    """One environment with what its objects are and what was told of them."""

    name: str
    twin: str
    """Whether it was told as sets or as objects."""
    files: int
    cases: Mapping[str, Sequence[Case]]
    """By knowledge."""
    structure: Sequence[Case]
    """By edges alone: all edges true, those told by a session told."""
    linkage: Mapping[str, tuple[Sequence[Units], Sequence[Units]]]
    """Two sessions on the same objects, by knowledge."""


class Row(NamedTuple):
    """One figure of the study."""

    tree: str
    knowledge: str
    twin: str
    strategy: str
    pool: int
    trials: int
    result: Result

    @property
    def label(self) -> str:
        """The tree, and how it was told."""
        return f"{self.tree}, as {self.twin}"


def observe(name: str, root: Path, state: Path, subject: Subject, settings: Settings) -> Tree:
    """Hold sessions about a tree, and note what they told."""
    with closing(EvaluationWorkspace(root, settings, state, _Undone())) as room:
        for goal in GOALS:
            session(goal, room, _playing(subject, room, "first"))
        # Someone who shares nothing with the first is told of the same files anew, under other ids.
        session(GOALS[1], room, _playing(subject, room, "second"))
        for goal in GOALS:
            session(goal, room, Greedy())
        objects = room.everything(MOST)
        first, second, greedy = (
            fingerprints(room, objects, audience) for audience in ("first", "second", Greedy.audience)
        )
        told = room.ledger.known(settings.audience("first"), [known.held.key for known in objects])
        degrees = [_degrees(frozenset(map(statement_of, told[known.held.key].units))) for known in objects]
        accountant = settings.accountant(folder=[(known.held.object, known.held.cell) for known in objects])
        edges = [edge for known in objects for edge in known.held.edges]
        truths = [truth_of(known.held.object) for known in objects]
        cases = {
            "everything": [Case(truth, truth) for truth in truths],
            "described": [
                Case(truth, plain(_described(known.held, accountant)))
                for truth, known in zip(truths, objects, strict=True)
            ],
            "session": [case for case in first if case.told],
            "greedy": [case for case in greedy if case.told],
            "session, any file": first,
            "greedy, any file": greedy,
        }
        structure = [
            Case(structure_of(known.held.id, edges), frozenset(found))
            for known, found in zip(objects, degrees, strict=True)
        ]
        shown = [(_linkable(one), _linkable(two)) for one, two in zip(first, second, strict=True) if one.told]
        linkage = {"everything": (truths, truths), "session": ([one for one, _ in shown], [two for _, two in shown])}
        return Tree(name, settings.twin.mode, len(objects), cases, structure, linkage)


def _linkable(case: Case) -> Units:
    """What was told, without the names of sets, which are new in every session."""
    return frozenset(unit for unit in case.told if not unit.startswith(SET))


class _Undone(dict[Any, Any]):
    """Stands for what every step came to: nothing is carried out, since results never leave."""

    def get(self, key: Any, default: Any = None) -> Any:
        """The same of each."""
        return Done(Executed({"status": "ok"}))


def _playing(subject: Subject, room: EvaluationWorkspace, audience: str) -> Planner:
    planner = subject.planner(room.catalog)
    planner.audience = audience
    return planner


def play_all(trees: Sequence[Tree], *, trials: int = TRIALS) -> list[Row]:
    """Every strategy on every tree with every knowledge, at k = 15."""
    rows = []
    for tree in trees:
        for knowledge, cases in tree.cases.items():
            for strategy in STRATEGIES:
                if (result := play(cases, strategy, pool=POOL, trials=trials)) is not None:
                    rows.append(Row(tree.name, knowledge, tree.twin, strategy, POOL, trials, result))
        if (result := play(_papers(tree.cases["everything"]), "full", pool=POOL, trials=trials)) is not None:
            rows.append(Row(tree.name, "paper's fields", tree.twin, "full", POOL, trials, result))
        if (result := play(tree.structure, "full", pool=POOL, trials=trials)) is not None:
            rows.append(Row(tree.name, "session", tree.twin, "structure", POOL, trials, result))
        for knowledge, (first, second) in tree.linkage.items():
            if (result := linked(first, second, pool=POOL, trials=trials)) is not None:
                rows.append(Row(tree.name, knowledge, tree.twin, "linkage", POOL, trials, result))
    return rows


def scale_all(trees: Sequence[Tree], *, trials: int = SCALING_TRIALS) -> list[Row]:
    """Pools from 5 to 30, without a budget and with it."""
    return [
        Row(tree.name, knowledge, tree.twin, strategy, pool, trials, result)
        for tree in trees
        for knowledge in ("everything", "session")
        for strategy in STRATEGIES
        for pool in POOLS
        if (result := play(tree.cases[knowledge], strategy, pool=pool, trials=trials)) is not None
    ]


def _papers(cases: Sequence[Case]) -> list[Case]:
    return [Case(paper_units(each.truth), paper_units(each.told)) for each in cases]


def _described(held: LocalObject, accountant: Accountant) -> Units:
    """What `describe` tells until the budget ends. Edges are left to the structural adversary."""
    fields = [field for field in FIELDS if field != "edges"]
    accounts = Accounts(accountant, {held.key: Known()})
    disclose(held, fields, accounts, most_tags=MOST_TAGS)
    return frozenset(statement_of(each.unit) for each in accounts.charges)


def _degrees(units: Units) -> set[str]:
    """How many edges of each type were told to leave an object."""
    counts: dict[str, int] = {}
    for unit in units:
        if unit.startswith("edge=") and ":from:" not in unit:
            kind = unit.partition("=")[2].partition(":")[0]
            counts[kind] = counts.get(kind, 0) + 1
    return {f"degree=out.{kind}:{number}" for kind, most in counts.items() for number in range(1, most + 1)}


def trees(
    roots: Sequence[Path],
    planner: str,
    place: Path,
    asking: Asking,
    progress: Callable[[int, int], None] | None = None,
) -> list[Tree]:
    """The tasks' files as a library of templates, and these folders, else Python's standard library."""
    from plantwin_evals.suite import domains
    from plantwin_evals.task_folder import TaskFolder

    real = list(roots) or [library(place / "python-library")]
    made: list[Tree] = []
    total = len(TWINS) * (len(domains()) + len(real))
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(done, total)

    with subjects(asking) as subject:
        folders = [TaskFolder(domain, place / domain.domain) for domain in domains()]
        for twin in TWINS:
            settings = Configuration("reid", planner, twin, seconds=asking.seconds).settings()
            parts = []
            for folder in folders:
                name = folder.domain.domain
                parts.append(observe(name, folder.root, folder.fresh(), subject(planner), settings))
                step()
            made.append(_joined("tasks' files", parts))
            for number, root in enumerate(real):
                made.append(observe(root.name, root, place / f"state-{twin}-{number}", subject(planner), settings))
                step()
    return made


def library(target: Path) -> Path:
    """The standard library's own files: a real tree that every machine has. Installed packages are left out."""
    shutil.copytree(
        sysconfig.get_path("stdlib"),
        target,
        ignore=shutil.ignore_patterns("site-packages", "dist-packages", "__pycache__", "*.so", "*.a"),
        ignore_dangling_symlinks=True,
    )
    return target


def _joined(name: str, parts: Sequence[Tree]) -> Tree:
    """Several environments as one library."""
    return Tree(
        name,
        parts[0].twin,
        sum(each.files for each in parts),
        {known: [case for each in parts for case in each.cases[known]] for known in KNOWLEDGE},
        [case for each in parts for case in each.structure],
        {
            known: (
                [units for each in parts for units in each.linkage[known][0]],
                [units for each in parts for units in each.linkage[known][1]],
            )
            for known in ("everything", "session")
        },
    )


def played(
    planner: str,
    roots: Sequence[Path],
    effort: str | None,
    seconds: float,
    trials: int = TRIALS,
    progress: Callable[[int, int], None] | None = None,
    folder: Path | None = None,
) -> list[Row]:
    """The game on the tasks' files and on real folders; its figures are kept in a folder of results."""
    with TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as place:
        observed = trees(roots, planner, Path(place), Asking(effort, seconds), progress)
        rows = [*play_all(observed, trials=trials), *scale_all(observed, trials=max(1, trials * 3 // 5))]
    if folder is not None:
        write_rows(folder, rows)
    return rows


def write_rows(folder: Path, rows: Sequence[Row]) -> None:
    """Keep the figures of a game in a folder of results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ROWS).write_bytes(msgspec.json.encode(list(rows)))


def read_rows(folder: Path) -> list[Row]:
    """Those that a folder of results holds."""
    try:
        return msgspec.json.decode((folder / ROWS).read_bytes(), type=list[Row])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError):
        raise InputError(f"{ROWS} cannot be read: run `plantwin bench reid` again") from None
