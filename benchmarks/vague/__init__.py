"""Vague goals over public folders: the labels, read and checked, and how a plan is scored against them."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from plantwin.vocabulary import CapabilityName
from plantwin_evals import metrics

HERE = Path(__file__).parent
Half = Literal["open", "kept"]


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One goal in one folder: what answers it, on which files, and what may be done besides."""

    folder: str
    reason: str
    acceptable: tuple[CapabilityName, ...]
    required: Annotated[dict[CapabilityName, Annotated[tuple[str, ...], Meta(min_length=1)]], Meta(min_length=1)]

    def files(self, root: Path) -> dict[str, set[str]]:
        """Name the files of a folder that each required capability should work on."""
        found = {
            capability.value: [path for glob in globs for path in root.glob(glob)]
            for capability, globs in self.required.items()
        }
        # A clone's history is no part of the folder.
        return {
            name: {
                path.relative_to(root).as_posix()
                for path in paths
                if path.is_file() and root / ".git" not in path.parents
            }
            for name, paths in found.items()
        }


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A goal, and the three folders it is asked of."""

    id: str
    half: Half
    goal: str
    task: Annotated[tuple[Task, ...], Meta(min_length=3, max_length=3)]


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All goals, and what is acceptable whatever was asked."""

    acceptable_everywhere: tuple[CapabilityName, ...]
    goal: tuple[Goal, ...]


class Folder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a folder comes from."""

    id: str
    repository: Annotated[str, Meta(pattern=r"^[\w.-]+/[\w.-]+\Z")]
    commit: Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]
    licence: str
    subfolder: str = ""


class Figure(NamedTuple):
    """Precision, recall and F1, of one plan or as means: a mean of F1 is not the F1 of means."""

    precision: float
    recall: float
    f1: float


MEASURES = ("strict", "lenient", "files", "work")
"""Over capabilities, over them with acceptable ones free, over files, and over pairs of a capability and a file."""
Scores = dict[str, Figure]
"""A figure for each measure."""


def load() -> Suite:
    """Read the goals."""
    return msgspec.convert(tomllib.loads((HERE / "tasks.toml").read_text("utf-8")), Suite)


def folders() -> dict[str, Folder]:
    """Read where the folders come from."""
    read = tomllib.loads((HERE / "folders.toml").read_text("utf-8"))["folder"]
    return {folder.id: folder for folder in msgspec.convert(read, list[Folder])}


def faults(suite: Suite) -> Iterator[str]:
    """Tell what is wrong with the labels, in themselves."""
    known = folders()
    for goal in suite.goal:
        if len({frozenset(task.required) for task in goal.task}) < len(goal.task):
            yield f"{goal.id}: the same answer twice"
        for task in goal.task:
            if task.folder not in known:
                yield f"{goal.id}: no folder {task.folder}"
            if set(task.required) & {*task.acceptable, *suite.acceptable_everywhere}:
                yield f"{goal.id}, {task.folder}: a capability both required and acceptable"


def scored(plan: Mapping[str, Collection[str]], task: Task, everywhere: Collection[str], root: Path) -> Scores:
    """Score the capabilities of a plan, each with the files it reaches."""
    wanted = task.files(root)
    scores = (
        metrics.score(plan, wanted),
        metrics.lenient_score(plan, wanted, {}, {*task.acceptable, *everywhere}),
        metrics.score(set().union(*plan.values()), set().union(*wanted.values())),
        metrics.score(_pairs(plan), _pairs(wanted)),
    )
    return {name: Figure(*score, score.f1) for name, score in zip(MEASURES, scores, strict=True)}


def mean(scores: Sequence[Scores]) -> Scores:
    """Take the mean over tasks, of every figure by itself."""
    return {
        name: Figure(*(metrics.mean(column) for column in zip(*(score[name] for score in scores), strict=True)))
        for name in MEASURES
    }


def _pairs(files: Mapping[str, Collection[str]]) -> set[str]:
    return {f"{capability} {path}" for capability, paths in files.items() for path in paths}
