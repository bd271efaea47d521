"""One task under one configuration: what came of it, as one line of a journal that a later run goes on with."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from plantwin.errors import InputError
from plantwin_evals import metrics
from plantwin_evals.suite import Task

JOURNAL = "attempts.jsonl"


class Attempt(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a planner proposed, what was approved, what it saw and what it cost."""

    configuration: str
    planner: str
    mode: str
    study: str = "main"
    domain: str
    task: str
    group: str
    proposed: list[str] = []
    """Capabilities of the plans as they came back."""
    approved: list[str] = []
    objects: list[str] = []
    """Files that approved steps worked on."""
    valid: bool = True
    """Whether every answer of the planner was a plan."""
    error: str = ""
    failed: bool = False
    """Whether the planner could not be asked: nothing is known of its plan, so it is missing, not wrong."""
    questions: int = 0
    """How often a person was asked."""
    capability: tuple[float, float] = (0.0, 0.0)
    """Precision and recall over capabilities: approved ones against expected ones."""
    lenient: tuple[float, float] = (0.0, 0.0)
    """The same where an alternative stands for what it replaces and optional ones are free."""
    object: tuple[float, float] = (0.0, 0.0)
    """Precision and recall over files."""
    pairs: tuple[float, float] | None = None
    """The same over pairs of a capability and a file it worked on; None where a suite does not say which."""
    sensitive: int = 0
    seen: list[str] = []
    """Ids of sensitive items that the planner could read."""
    leakage: float = 0.0
    worst: float = 0.0
    """The largest share of its threshold that was told of any one object, by itself and through its cell."""
    reidentified: tuple[float, float] = (0.0, 0.0)
    """Share of the objects that were told of which an adversary picks out of the folder: one who knows what is true of
    every file, and one who knows besides which files make up every set."""
    excluded: list[str] = []
    """Objects and sets that were not shown because their budget is used up."""
    calls: int = 0
    """Steps that were carried out, without those that only look."""
    told: float = 0.0
    """Weighted fields that the outcomes of these steps tell; over their number, the measured grain."""
    round: int = 1
    """Which time the tasks went over one ledger."""
    expected_findings: int = 0
    findings: int = 0
    """How many of the expected findings the local results of the named capability hold."""
    work: int = 0
    """How many of them the results of any step hold: what compares catalogs, whose capabilities differ."""
    executed: bool = False
    turns: int = 0
    sent: int = 0
    """Bytes that the planner was sent."""
    tokens: tuple[int, int] = (0, 0)
    """In and out, where the planner counts them."""
    seconds: dict[str, float] = {}
    redactor: str = ""
    """What took sensitive items out of the files, where a mode has something for that."""

    @property
    def quality(self) -> float:
        """PQS: F1 over capabilities."""
        return metrics.Score(*self.capability).f1

    @property
    def lenient_quality(self) -> float:
        """F1 over capabilities, with alternatives and optional ones."""
        return metrics.Score(*self.lenient).f1

    @property
    def aim(self) -> float:
        """F1 over files."""
        return metrics.Score(*self.object).f1

    @property
    def non_disclosure(self) -> float:
        """SND of this task."""
        return metrics.non_disclosure(self.sensitive, len(self.seen))

    @property
    def key(self) -> tuple[str, str, str]:
        """What is tried."""
        return self.study, self.configuration, self.task

    def judge(self, task: Task, worked: Collection[tuple[str, str]] | None) -> None:
        """Set the scores from what was approved, and from each capability with each file that it worked on."""
        self.capability = metrics.score(self.approved, task.expected)
        self.lenient = metrics.lenient_score(self.approved, task.expected, task.alternatives, task.optional)
        if worked is not None:
            self.objects = list(dict.fromkeys(path for _, path in worked))
            self.object = metrics.score(self.objects, task.objects)
            self.pairs = metrics.score(worked, task.pairs) if task.pairs else None


class Journal:
    """Attempts in a folder, one per line; what is there is not done again."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the folder for results cannot be made ({error.strerror}): name another") from None

    def read(self) -> list[Attempt]:
        """Every attempt so far, the last of each kind. A line that was cut off is left out.

        A first round begins a sequence anew: later rounds of an earlier one are no part of it.
        """
        found: dict[tuple[object, ...], Attempt] = {}
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"the results cannot be read ({error.strerror})") from None
        for line in data.splitlines():
            try:
                attempt = msgspec.json.decode(line, type=Attempt)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            later = 2 if attempt.round == 1 else attempt.round
            while found.pop((*attempt.key, later), None):
                later += 1
            found[*attempt.key, attempt.round] = attempt
        return list(found.values())

    def append(self, attempts: Iterable[Attempt]) -> None:
        """Write attempts down at once."""
        data = b"".join(msgspec.json.encode(each) + b"\n" for each in attempts)
        with self.path.open("ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def by_configuration(attempts: Iterable[Attempt]) -> Iterator[tuple[str, list[Attempt]]]:
    """Attempts of each configuration whose planner answered: numbers in their order, else as they first appear."""
    groups: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        group = groups.setdefault(attempt.configuration, [])
        if not attempt.failed:
            group.append(attempt)
    yield from sorted(groups.items(), key=_number)


def _number(group: tuple[str, object]) -> float:
    try:
        return float(group[0])
    except ValueError:
        return 0.0
