"""A suite over real folders: `tasks.toml` and `folders.toml` in one place, the folders themselves in another.

The folders are public repositories that are no part of this project; whoever measures brings them. A goal is asked of
several folders, and only the goals of one half are read at a time, so that the other half stays unseen.
"""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from plantwin.errors import InputError
from plantwin.vocabulary import CapabilityName

FOLDERS: Final = "PLANTWIN_TASK_FOLDERS"
HALF: Final = "PLANTWIN_TASK_HALF"
"""Name the place of the folders and the half that is asked, here and in the processes that are started."""


class FolderTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one goal requires in one folder."""

    folder: str
    required: dict[CapabilityName, tuple[str, ...]]
    """Capabilities, each with globs of the files that it should run on."""
    acceptable: tuple[CapabilityName, ...] = ()
    reason: str = ""


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One goal over several folders."""

    id: str
    half: Literal["open", "kept"]
    goal: str
    task: tuple[FolderTask, ...]


class _Tasks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: tuple[Goal, ...]
    acceptable_everywhere: tuple[CapabilityName, ...] = ()


def is_folder_suite(suite: Path) -> bool:
    """Whether a suite is one over real folders."""
    return (suite / "folders.toml").is_file()


@cache
def goals(suite: Path) -> tuple[Goal, ...]:
    """Return the goals of the half that is asked: the open one unless the environment says otherwise."""
    half = os.environ.get(HALF, "open")
    try:
        read = msgspec.convert(tomllib.loads((suite / "tasks.toml").read_text("utf-8")), _Tasks)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"the tasks of '{suite.name}' cannot be read: {error}") from None
    free = read.acceptable_everywhere
    return tuple(
        replace(goal, task=tuple(replace(task, acceptable=(*task.acceptable, *free)) for task in goal.task))
        for goal in read.goal
        if half in ("both", goal.half)
    )


def names(suite: Path) -> tuple[str, ...]:
    """Return the folders that goals of this half are asked of."""
    return tuple(sorted({task.folder for goal in goals(suite) for task in goal.task}))


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
    root = place(name)
    made = []
    for goal in goals(suite):
        for task in goal.task:
            if task.folder != name:
                continue
            files = {
                path.relative_to(root).as_posix()
                for globs in task.required.values()
                for glob in globs
                for path in root.glob(glob)
                if path.is_file()
            }
            made.append(
                {
                    "id": f"{name}-{goal.id}",
                    "goal": goal.goal,
                    "group": "environment",
                    "expected": tuple(task.required),
                    "optional": task.acceptable,
                    "objects": tuple(sorted(files)),
                }
            )
    return made
