"""The suite of questions; `questions.toml` says what each key means."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal
from zlib import crc32

import msgspec
from msgspec import Meta

Sort = Literal["plain", "typo", "vague", "language", "word", "follow", "cannot"]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is typed over which tree, and what a good answer has."""

    tree: str
    sort: Sort
    ask: Annotated[str, Meta(min_length=2, max_length=400)]
    after: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    least: int = 0
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    problems: bool = False
    cannot: bool = False

    @property
    def kept(self) -> bool:
        """Whether it is kept apart: nobody looks at its result by itself, so that nothing is tuned to it."""
        return crc32(self.ask.encode()) % 2 == 1


def questions() -> tuple[Question, ...]:
    """All of them, in the order of the file."""
    rows = tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))["question"]
    return msgspec.convert(rows, tuple[Question, ...])
