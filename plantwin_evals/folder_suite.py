"""A suite over real folders: `tasks.toml` and `folders.toml` in one place, the folders themselves in another.

The folders are public repositories that are no part of this project; whoever measures brings them. A goal is asked of
several folders, and only the goals of one half are read at a time, so that the other half stays unseen.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from plantwin.errors import InputError
from plantwin.vocabulary import CapabilityName

FOLDERS: Final = "PLANTWIN_TASK_FOLDERS"
HALF: Final = "PLANTWIN_TASK_HALF"
"""Name the place of the folders and the half that is asked, here and in the processes that are started."""


class FolderTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one goal requires in one folder."""

    folder: str
    required: Annotated[dict[CapabilityName, Annotated[tuple[str, ...], Meta(min_length=1)]], Meta(min_length=1)]
    """Capabilities, each with globs of the files that it should run on."""
    acceptable: tuple[CapabilityName, ...] = ()
    reason: str = ""

    def pairs(self, root: Path) -> Iterator[tuple[CapabilityName, str]]:
        """Name each required capability with each of its files. A clone's history is no part of the folder."""
        for capability, globs in self.required.items():
            for path in sorted({path for glob in globs for path in root.glob(glob)}):
                if path.is_file() and root / ".git" not in path.parents:
                    yield capability, path.relative_to(root).as_posix()


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One goal over several folders."""

    id: str
    half: Literal["open", "kept"]
    goal: str
    task: Annotated[tuple[FolderTask, ...], Meta(min_length=2)]


class Folder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a folder comes from."""

    id: str
    repository: Annotated[str, Meta(pattern=r"^[\w.-]+/[\w.-]+\Z")]
    commit: Annotated[str, Meta(pattern=r"^[0-9a-f]{40}\Z")]
    licence: str
    subfolder: str = ""


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All goals, the folders that they are asked of, and what is acceptable whatever was asked."""

    goal: tuple[Goal, ...]
    folder: tuple[Folder, ...]
    acceptable_everywhere: tuple[CapabilityName, ...] = ()

    def faults(self) -> Iterator[str]:
        """Tell what is wrong with the labels, in themselves."""
        folders = {folder.id for folder in self.folder}
        for goal in self.goal:
            if len({frozenset(task.required) for task in goal.task}) < len(goal.task):
                yield f"{goal.id}: the same answer twice"
            for task in goal.task:
                if task.folder not in folders:
                    yield f"{goal.id}: no folder {task.folder}"
                if set(task.required) & {*task.acceptable, *self.acceptable_everywhere}:
                    yield f"{goal.id}, {task.folder}: a capability both required and acceptable"


def is_folder_suite(suite: Path) -> bool:
    """Whether a suite is one over real folders."""
    return (suite / "folders.toml").is_file()


@cache
def load(suite: Path) -> Suite:
    """Read a suite, and refuse labels that contradict themselves."""
    try:
        read = [tomllib.loads((suite / name).read_text("utf-8")) for name in ("tasks.toml", "folders.toml")]
        made = msgspec.convert(read[0] | read[1], Suite)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"the tasks of '{suite.name}' cannot be read: {error}") from None
    if wrong := next(made.faults(), None):
        raise InputError(f"the tasks of '{suite.name}': {wrong}")
    return made


def names(suite: Path) -> tuple[str, ...]:
    """Return the folders that goals of this half are asked of."""
    return tuple(sorted({task.folder for _, task in _asked(suite)}))


def place(name: str) -> Path:
    """Return where a folder lies."""
    root = os.environ.get(FOLDERS)
    if not root:
        raise InputError("this suite is about folders that are not part of it: name their place with --folders")
    found = Path(root) / name
    if not found.is_dir():
        raise InputError(f"no folder '{name}' in {root}: README.md of the suite says which repository it is")
    return found


def tasks(suite: Path, name: str) -> list[dict[str, Any]]:
    """Return what goals require of one folder, as rows of a task. A named file that the copy lacks is left out."""
    root, made = place(name), []
    for goal, task in _asked(suite):
        if task.folder == name:
            pairs = tuple(task.pairs(root))
            made.append(
                {
                    "id": f"{name}-{goal.id}",
                    "goal": goal.goal,
                    "group": "environment",
                    "expected": tuple(task.required),
                    "optional": (*task.acceptable, *load(suite).acceptable_everywhere),
                    "objects": tuple(sorted({path for _, path in pairs})),
                    "pairs": pairs,
                }
            )
    return made


def _asked(suite: Path) -> Iterator[tuple[Goal, FolderTask]]:
    """Name each goal of the half that is asked with each of its folders; the open half unless told otherwise."""
    half = os.environ.get(HALF, "open")
    return ((goal, task) for goal in load(suite).goal if half in ("both", goal.half) for task in goal.task)
