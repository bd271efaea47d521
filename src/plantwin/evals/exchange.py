"""Prompts as files, and plans that come back as files: for models that cannot be called from here.

    prompts/TASK.1.txt     what a planner is sent for a task, in full
    prompts/TASK.1.json    which file each id of that prompt stands for: stays here
    plans/TASK.1.json      the answer, as it came back (.txt and .md will do)

A plan for turn 1 makes the next export write the prompt of turn 2, with what became of the steps. Ids are new in every
export; a plan is read with the ids of the prompt that it answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from plantwin.boundary.wire import Encoded
from plantwin.cloud.conversation import Conversation
from plantwin.cloud.planner import Planner
from plantwin.errors import InputError
from plantwin.evals.subjects import Open, Subject
from plantwin.evals.suite import Task
from plantwin.types.capability import Catalog

SUFFIXES: Final = (".json", ".txt", ".md")
LARGEST: Final = 1 << 20
_id = re.compile(r"\b(?:artifact|group)_[a-z2-7]{4,8}\b")


class Key(msgspec.Struct, frozen=True):
    """What the ids of one prompt stand for."""

    task: str
    mode: str
    turn: int
    names: dict[str, str]
    """Path and part by id, as one text."""


class Desk(NamedTuple):
    """Folders of one exchange."""

    prompts: Path
    plans: Path | None

    def plan(self, task: str, turn: int) -> bytes | None:
        """The answer to a prompt, where it has come back."""
        if self.plans is None:
            return None
        for suffix in SUFFIXES:
            path = self.plans / f"{task}.{turn}{suffix}"
            if path.is_file():
                with path.open("rb") as file:
                    return file.read(LARGEST)
        return None

    def key(self, task: str, turn: int) -> Key:
        """What the ids of a prompt stand for."""
        try:
            return msgspec.json.decode((self.prompts / f"{task}.{turn}.json").read_bytes(), type=Key)
        except (OSError, msgspec.MsgspecError):
            raise InputError(
                f"{task}.{turn}.json is missing among the prompts: a plan is read with the ids of its own export"
            ) from None

    def write(self, key: Key, text: str) -> None:
        """Keep a prompt and what its ids stand for."""
        self.prompts.mkdir(parents=True, exist_ok=True)
        (self.prompts / f"{key.task}.{key.turn}.txt").write_text(text, encoding="utf-8")
        (self.prompts / f"{key.task}.{key.turn}.json").write_bytes(msgspec.json.encode(key))


class Replaying:
    """A planner that answers from files, and writes the prompt of the first turn that has no answer yet."""

    audience = "exchange"
    locality = "remote"

    def __init__(self, task: str, mode: str, desk: Desk, catalog: Catalog, *, export: bool) -> None:
        self.name = "files"
        self.names: Mapping[str, tuple[str, str]] = {}
        """Path and part by id of this session; whoever holds the session sets it."""
        self._task, self._mode, self._desk = task, mode, desk
        self._conversation = Conversation(catalog)
        self._turn = 0
        self._export = export
        self.missing = False

    def plan(self, envelopes: Sequence[Encoded]) -> bytes:
        """The plan of this turn, with the ids of this session."""
        self._turn += 1
        talk = self._conversation.hear(envelopes)
        answer = self._desk.plan(self._task, self._turn)
        if answer is None:
            self.missing = self._turn == 1
            if self._export:
                said = "\n\n".join(f"## {each.role}\n{each.text}" for each in talk.said)
                self._keep(f"{talk.system}\n\n{said}\n")
            return b'{"steps":[]}'
        answer = renamed(answer, self._desk.key(self._task, self._turn).names, self._here())
        self._conversation.answered(answer.decode("utf-8", "replace"))
        return answer

    def _here(self) -> dict[str, str]:
        return {"/".join(place): id_ for id_, place in self.names.items()}

    def _keep(self, text: str) -> None:
        names = {id_: "/".join(place) for id_, place in self.names.items()}
        self._desk.write(Key(self._task, self._mode, self._turn, names), text)


class Answered:
    """The same for a mode that sends files: one turn, ids of the open prompt."""

    audience = "exchange"
    locality = "remote"

    def __init__(self, task: str, mode: str, desk: Desk, seen: Open, *, export: bool) -> None:
        self.name = "files"
        self.text = seen.prompt
        self._task, self._mode, self._desk, self._seen, self._export = task, mode, desk, seen, export
        self.missing = False

    def plan(self, envelopes: Sequence[Encoded]) -> bytes:
        """The plan, with the ids of this attempt."""
        answer = self._desk.plan(self._task, 1)
        if answer is None:
            self.missing = True
            if self._export:
                self._desk.write(Key(self._task, self._mode, 1, dict(self._seen.names)), self.text)
            return b'{"steps":[]}'
        here: dict[str, str] = {path: id_ for id_, path in self._seen.names.items()}
        return renamed(answer, self._desk.key(self._task, 1).names, here)


def subject(task: Task, mode: str, desk: Desk, *, export: bool = False) -> Subject:
    """The planner of one task whose answers are files."""

    def planner(catalog: Catalog) -> Planner:
        return Replaying(task.id, mode, desk, catalog, export=export)

    def opened(_: Catalog, seen: Open) -> Planner:
        return Answered(task.id, mode, desk, seen, export=export)

    return Subject("files", planner, opened)


def renamed(answer: bytes, there: Mapping[str, str], here: Mapping[str, str]) -> bytes:
    """An answer with the ids of this session. An id that means nothing stays, and is refused like any other."""
    text = answer.decode("utf-8", "replace")
    return _id.sub(lambda match: here.get(there.get(match[0], ""), match[0]), text).encode()
