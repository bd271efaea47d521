"""Prompts as files, and plans that come back as files: for models that cannot be called from here.

    prompts/TASK.1.txt     what a planner is sent for a task, in full
    plans/TASK.1.json      the answer, as it came back (.txt and .md will do)

A plan for turn 1 makes the next export write the prompt of turn 2, with what became of the steps. Ids are new in every
export. What they stand for is kept in the state folder, and in prompts/.ids for plans that are scored on another
machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from plantwin.boundary.release import Released
from plantwin.cloud.conversation import Conversation
from plantwin.errors import InputError
from plantwin.types.capability import Catalog
from plantwin_evals.planners import Subject
from plantwin_evals.suite import Task

SUFFIXES: Final = (".json", ".txt", ".md")
LARGEST: Final = 1 << 20
REMEMBERED: Final = 10_000
"""Ids of one task that are remembered; older ones are forgotten first."""
_id = re.compile(r"\b(?:artifact|set)_[a-z2-7]{4,8}\b")


class Desk(NamedTuple):
    """Folders of one exchange."""

    prompts: Path | None
    plans: Path | None
    kept: Path
    """Where what ids stand for is kept."""
    mode: str

    def plan(self, task: str, turn: int) -> bytes | None:
        """The answer to a prompt, where it has come back."""
        if self.plans is None:
            return None
        for name in (f"{task}.{turn}", *([task] if turn == 1 else [])):
            for suffix in SUFFIXES:
                path = self.plans / f"{name}{suffix}"
                if path.is_file():
                    with path.open("rb") as file:
                        return file.read(LARGEST)
        return None

    def names(self, task: str) -> dict[str, str]:
        """What every id that prompts of this task had stands for."""
        for folder in self._folders():
            found = _read(folder / self._file(task))
            if found is not None:
                return found
        raise InputError(
            f"no prompt of {task} was exported here in the mode {self.mode}: `plantwin bench export --mode {self.mode} "
            "--out DIR` writes it; for prompts from another machine give their folder with --prompts"
        )

    def write(self, task: str, turn: int, names: Mapping[str, str], text: str) -> None:
        """Keep a prompt and what its ids stand for."""
        if self.prompts is None:
            return
        for folder in self._folders():
            folder.mkdir(parents=True, exist_ok=True)
            place = folder / self._file(task)
            known = list({**(_read(place) or {}), **names}.items())[-REMEMBERED:]
            place.write_bytes(msgspec.json.encode(dict(known)))
        (self.prompts / f"{task}.{turn}.txt").write_text(text, encoding="utf-8")

    def _folders(self) -> list[Path]:
        return [*([self.prompts / ".ids"] if self.prompts is not None else []), self.kept]

    def _file(self, task: str) -> str:
        return f"{self.mode}-{task}.json"


def _read(path: Path) -> dict[str, str] | None:
    """What ids stand for; None where nothing is kept."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError):
        raise InputError(f"{path.name} cannot be read: remove it, and export the prompt again") from None


class Replaying:
    """A planner that answers from files, and writes the prompt of the first turn that has no answer yet."""

    audience = "exchange"
    locality = "remote"

    def __init__(self, task: str, desk: Desk, catalog: Catalog, *, export: bool) -> None:
        self.name = "files"
        self.ids: Callable[[], Mapping[str, str]] = dict
        """What ids of this session stand for; whoever holds the session sets it."""
        self._task, self._desk = task, desk
        self._conversation = Conversation(catalog)
        self._turn = 0
        self._export = export

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """The plan of this turn, with the ids of this session."""
        self._turn += 1
        talk = self._conversation.hear(envelopes)
        answer = self._desk.plan(self._task, self._turn)
        if answer is None:
            if self._export:
                said = "\n\n".join(f"## {each.role}\n{each.text}" for each in talk.said)
                self._desk.write(self._task, self._turn, self.ids(), f"{talk.system}\n\n{said}\n")
            return b'{"steps":[]}'
        here = {meaning: id_ for id_, meaning in self.ids().items()}
        answer = renamed(answer, self._desk.names(self._task), here)
        self._conversation.answered(answer.decode("utf-8", "replace"))
        return answer


def subject(task: Task, desk: Desk, *, export: bool = False) -> Subject:
    """The planner of one task whose answers are files."""
    return Subject("files", lambda catalog: Replaying(task.id, desk, catalog, export=export))


def renamed(answer: bytes, there: Mapping[str, str], here: Mapping[str, str]) -> bytes:
    """An answer with the ids of this session. An id that means nothing stays, and is refused like any other."""
    text = answer.decode("utf-8", "replace")
    return _id.sub(lambda match: here.get(there.get(match[0], ""), match[0]), text).encode()
