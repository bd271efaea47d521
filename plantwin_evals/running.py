"""Attempts, many at once: one process per workspace at a time, a journal that a later run goes on with."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from plantwin_evals.attempts import Attempt, Journal
from plantwin_evals.configurations import Configuration
from plantwin_evals.modes import attempt
from plantwin_evals.planners import Asking, Subject, subjects
from plantwin_evals.suite import Task
from plantwin_evals.suite import domain as domain_of
from plantwin_evals.task_folder import TaskFolder

Progress = Callable[[int, int], None]
Made = TypeVar("Made")
POLL = 0.3
MAIN = "main"
ROUNDS = 4
"""How often a sequence is repeated at most."""
ROOM = 1 << 30
"""Bytes of memory that have to be free for folders."""


def run(
    configurations: Sequence[Configuration],
    domains: Sequence[str],
    folder: Path,
    *,
    jobs: int = 0,
    most: int | None = None,
    direct: bool = False,
    progress: Progress | None = None,
) -> list[Attempt]:
    """Try every task of these domains under every configuration, as far as the folder's journal lacks it.

    `most`: so many tasks of each domain at most, of both groups. `direct`: steps are calls, without workers, where
    that is possible; in studies they always are. Returns the attempts of these configurations.
    """
    journal = Journal(folder)
    before = journal.read()
    have = known(before)
    wanted = {
        (each.study, each.name, task.id)
        for each in configurations
        for name in domains
        for task in domain_of(name).some(each.tasks or most)
    }
    missing = wanted - have
    total, done = len(wanted), len(wanted) - len(missing)
    if progress:
        progress(done, total)
    shared = [each for each in configurations if each.shared]
    apart = tuple(each for each in configurations if not each.shared)
    together = [each for each in shared if any(key[:2] == (each.study, each.name) for key in missing)]
    alone = {key[2] for key in missing if all(key[:2] != (each.study, each.name) for each in shared)}
    busy = [name for name in domains if alone & {task.id for task in domain_of(name).tasks}]
    workers = min(jobs or len(os.sched_getaffinity(0)), len(busy) + len(together))
    if workers:
        with (
            tempfile.TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as kept,
            ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool,
        ):
            # Sequences first: they take longest.
            left: set[Future[None]] = {
                pool.submit(in_sequence, each, tuple(domains), str(folder), most, kept) for each in together
            }
            left |= {pool.submit(work, name, apart, frozenset(have), str(folder), most, direct, kept) for name in busy}
            try:
                while left:
                    finished, left = wait(left, timeout=POLL, return_when=FIRST_COMPLETED)
                    for each in finished:
                        each.result()
                    if progress:
                        progress(done + len(missing & {each.key for each in journal.read()}), total)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return [each for each in journal.read() if each.key in wanted]


def pooled(
    make: Callable[[str], Made],
    items: Sequence[str],
    progress: Progress | None = None,
    shape: Any = None,
    folder: Path | None = None,
) -> list[Made]:
    """Make something of each of these, in as many processes as there are cores; in the order of the items.

    `folder`: where what is made is kept at once, for a run that goes on where this one stopped. `shape`: its type.
    """
    make = partial(kept, make, shape, folder) if folder is not None else make
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(make, item) for item in items]
        try:
            for number, each in enumerate(as_completed(waiting), start=1):
                each.result()
                if progress:
                    progress(number, len(items))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [each.result() for each in waiting]


def kept(make: Callable[[str], Made], shape: Any, folder: Path, name: str) -> Made:
    """What is made of this name, as an earlier run that stopped left it in a folder of results, else for real."""
    file = folder / f"{make.__name__}-{name}.kept.json"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        whole = file.with_suffix(".draft")
        whole.write_bytes(msgspec.json.encode(make(name)))
        whole.replace(file)
    made: Made = msgspec.json.decode(file.read_bytes(), type=shape)
    return made


def known(attempts: Iterable[Attempt]) -> set[tuple[str, str, str]]:
    """Return what is not tried again. A task whose planner could not be asked, in whichever round, is missing."""
    listed = list(attempts)
    return {attempt.key for attempt in listed} - {attempt.key for attempt in listed if attempt.failed}


def work(
    name: str,
    configurations: Iterable[Configuration],
    known: frozenset[tuple[str, str, str]],
    folder: str,
    most: int | None,
    direct: bool = False,
    kept: str | None = None,
) -> None:
    """Try everything that is missing for one domain. Each attempt is written down at once.

    `kept`: the folder of what workers answered in this run.
    """
    journal = Journal(Path(folder))
    domain = domain_of(name)
    tried: dict[tuple[Configuration, str], Attempt] = {}
    """What was tried in this run, whatever it was called."""
    with _prepared(configurations) as (place, subject):
        task_folder = TaskFolder(domain, place, Path(kept) if kept else None)
        for each in configurations:
            for task in domain.some(each.tasks or most):
                if (each.study, each.name, task.id) in known:
                    continue
                key = (each.unnamed(), task.id)
                if key in tried:
                    done = msgspec.structs.replace(tried[key], configuration=each.name, study=each.study)
                else:
                    done = tried[key] = _tried(each, task, task_folder, subject, direct or each.study != MAIN)
                journal.append([done])


def in_sequence(
    each: Configuration, names: Sequence[str], folder: str, most: int | None, kept: str | None = None
) -> None:
    """Try all tasks of these domains one after another on one ledger, in rounds until a round tells nothing more.

    Written down at the end: a ledger that broke off could not be gone on with.
    """
    made: list[Attempt] = []
    with _prepared([each]) as (place, subject):
        folders = [TaskFolder(domain_of(name), place / name, Path(kept) if kept else None) for name in names]
        state, before = place / "ledger", dict[str, float]()
        for number in range(1, ROUNDS + 1):
            for task_folder in folders:
                for task in task_folder.domain.some(most):
                    made.append(_tried(each, task, task_folder, subject, True, state))
                    made[-1].round = number
            after = {one.domain: one.leakage for one in made}
            if after == before:
                break
            before = after
    Journal(Path(folder)).append(made)


@contextmanager
def _prepared(configurations: Iterable[Configuration]) -> Iterator[tuple[Path, Callable[[str], Subject]]]:
    asking = next((Asking(each.effort, each.seconds) for each in configurations), Asking())
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as place, subjects(asking) as subject:
        yield Path(place), subject


def _tried(
    each: Configuration,
    task: Task,
    task_folder: TaskFolder,
    subject: Callable[[str], Subject],
    direct: bool,
    state: Path | None = None,
) -> Attempt:
    return attempt(
        task,
        task_folder,
        subject(each.planner),
        each.mode,
        each.settings(),
        state=state,
        configuration=each.name,
        study=each.study,
        variant=each.variant,
        direct=direct,
        approver=each.approver,
    )


def memory() -> str | None:
    """Where folders for a moment are best: in memory, where waiting for a disk measures nothing. None: anywhere."""
    place = Path("/dev/shm")  # noqa: S108 - only a parent: what is made in it has a random name and one owner
    try:
        free = shutil.disk_usage(place).free
    except OSError:
        return None
    return str(place) if free > ROOM and os.access(place, os.W_OK | os.X_OK) else None
