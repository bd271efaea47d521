"""The tasks of the evaluation: data, read and checked. `tasks/README.md` says what each key means."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from plantwin.errors import InputError
from plantwin.vocabulary import CapabilityName
from plantwin_evals import folder_suite

PLACE = "PLANTWIN_TASKS"
"""Names another folder of tasks, here and in the processes that are started."""
TASKS = Path(os.environ.get(PLACE) or Path(__file__).parent / "tasks")
DOMAINS = folder_suite.names(TASKS) if folder_suite.is_folder_suite(TASKS) else (
    "coding", "documents", "debugging", "devops", "pipelines", "incident", "mlops", "frontend", "databases", "api",
)  # fmt: skip
"""In the order of the paper's table; of a suite over real folders, these."""

Sort = Literal[
    "api_key", "token", "password", "connection_string", "private_key", "hostname", "person", "email", "phone",
    "address", "customer", "codename", "infrastructure", "identifier", "health", "payment",
]  # fmt: skip
PLACES = ("filename", "folder", "git", "cell", "goal")
"""What a place of a sensitive item may begin with, beside a plain path."""

_secret = re.compile(r"\{\{secret:([A-Za-z0-9_-]+)\}\}")


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that is put together when the workspace is built."""

    prefix: str
    body: str

    @property
    def value(self) -> str:
        """As it stands in the workspace."""
        return self.prefix + self.body


class Sensitive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One item that must not reach a planner."""

    id: str
    sort: Sort
    value: Annotated[str, Meta(min_length=4)]
    where: Annotated[tuple[str, ...], Meta(min_length=1)]


class Finding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that the local result of a capability holds when it ran on the right objects."""

    capability: CapabilityName
    contains: str


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One goal, and what it requires."""

    id: str
    goal: Annotated[str, Meta(min_length=8, max_length=4000)]
    group: Literal["stated", "environment"]
    expected: Annotated[tuple[CapabilityName, ...], Meta(min_length=2, max_length=5)]
    alternatives: dict[CapabilityName, tuple[CapabilityName, ...]] = {}
    optional: tuple[CapabilityName, ...] = ()
    objects: Annotated[tuple[str, ...], Meta(min_length=1)]
    pairs: tuple[tuple[CapabilityName, str], ...] = ()
    """Each expected capability with each file that it should work on, where a suite says so."""
    findings: tuple[Finding, ...] = ()


class Database(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A database that is built from a script."""

    sql: str
    file: str


class Domain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A workspace and its tasks."""

    domain: str
    title: str
    description: str
    modified: dict[str, Annotated[str, Meta(pattern=r"^[0-9]{1,5}[mhd]\Z")]] = {}
    databases: tuple[Database, ...] = ()
    secrets: dict[str, Secret] = {}
    sensitive: tuple[Sensitive, ...] = ()
    task: tuple[Task, ...] = ()

    @property
    def folder(self) -> Path:
        """Where its data lies."""
        return TASKS / self.domain

    @property
    def source(self) -> Path | None:
        """The real folder that it is about, where it is no workspace of the suite."""
        return folder_suite.place(self.domain) if folder_suite.is_folder_suite(TASKS) else None

    def filled(self, text: str) -> str:
        """A text with the values of its secrets in place."""
        return _secret.sub(lambda match: self.secrets[match[1]].value, text)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Its tasks, with goals as a person types them."""
        return tuple(msgspec.structs.replace(each, goal=self.filled(each.goal)) for each in self.task)

    def some(self, most: int | None) -> tuple[Task, ...]:
        """So many of its tasks, from both ends by turns: those that say what to do, the easier ones, stand first."""
        tasks, taken = self.tasks, range(len(self.task) if most is None else min(most, len(self.task)))
        places = sorted(len(tasks) - 1 - turn // 2 if turn % 2 else turn // 2 for turn in taken)
        return tuple(tasks[place] for place in places)

    def items(self) -> Iterator[tuple[Sensitive, str]]:
        """Every sensitive item with its value."""
        for each in self.sensitive:
            yield each, self.filled(each.value)


@cache
def domain(name: str) -> Domain:
    """One domain, checked in itself."""
    if name not in DOMAINS:
        raise InputError(f"no domain '{name}': one of {', '.join(DOMAINS)}")
    if folder_suite.is_folder_suite(TASKS):
        rows = tuple(Task(**row) for row in folder_suite.tasks(TASKS, name))
        return Domain(domain=name, title=name, description="", task=rows)
    try:
        with (TASKS / name / "tasks.toml").open("rb") as file:
            read = msgspec.convert(tomllib.load(file), Domain)
    except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"the tasks of '{name}' cannot be read: {error}") from None
    wrong = next(faults(read), None)
    if wrong is not None:
        raise InputError(f"the tasks of '{name}': {wrong}")
    return read


def domains(names: tuple[str, ...] = ()) -> list[Domain]:
    """These domains, all by default, in the order of the table."""
    for name in names:
        domain(name)
    return [domain(name) for name in DOMAINS if not names or name in names]


def faults(read: Domain) -> Iterator[str]:
    """What is wrong with a domain, in itself; the built workspace is checked by a test."""
    ids = [each.id for each in read.task]
    if ids != [f"{read.domain}-{number}" for number in range(1, len(ids) + 1)] or len(ids) != 6:
        yield "six tasks are needed, numbered from 1"
    if sum(each.group == "environment" for each in read.task) < 2:
        yield "at least two tasks depend on the environment"
    if len({each.id for each in read.sensitive}) != len(read.sensitive):
        yield "a sensitive item twice"
    used = set(
        _secret.findall(" ".join([*(each.value for each in read.sensitive), *(each.goal for each in read.task)]))
    )
    if used - read.secrets.keys():
        yield "a secret that [secrets] does not have"
    for each in read.sensitive:
        for place in each.where:
            head, colon, rest = place.partition(":")
            if colon and head in PLACES and not rest:
                yield f"{each.id}: a place without a name"
            if colon and head == "goal" and rest not in ids:
                yield f"{each.id}: a goal of no task"
    for task in read.task:
        if set(task.alternatives) - set(task.expected):
            yield f"{task.id}: an alternative to what is not expected"
        if len(set(task.expected)) != len(task.expected) or set(task.optional) & set(task.expected):
            yield f"{task.id}: a capability twice"
        allowed = {*task.expected, *task.optional, *(word for words in task.alternatives.values() for word in words)}
        if {each.capability for each in task.findings} - allowed:
            yield f"{task.id}: a finding of a capability that is not expected"
