"""Attempts, many at once: one process per workspace at a time, a journal that a later run goes on with."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path

import msgspec

from plantwin_evals.attempts import Attempt, Journal
from plantwin_evals.configurations import Configuration
from plantwin_evals.suite import domain as domain_of

Progress = Callable[[int, int], None]
POLL = 0.3
MAIN = "main"
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

    `most`: so many tasks of each domain at most. `direct`: steps are calls, without workers, where that is possible;
    in studies they always are. Returns the attempts of these configurations.
    """
    journal = Journal(folder)
    before = journal.read()
    have = known(before)
    wanted = {
        (each.study, each.name, task.id)
        for each in configurations
        for name in domains
        for task in domain_of(name).tasks[:most]
    }
    missing = wanted - have
    total, done = len(wanted), len(wanted) - len(missing)
    if progress:
        progress(done, total)
    busy = [name for name in domains if any(task.id in {key[2] for key in missing} for task in domain_of(name).tasks)]
    workers = min(jobs or len(os.sched_getaffinity(0)), len(busy))
    if workers:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            left: set[Future[int]] = {
                pool.submit(work, name, tuple(configurations), frozenset(have), str(folder), most, direct)
                for name in busy
            }
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


def known(attempts: Iterable[Attempt]) -> set[tuple[str, str, str]]:
    """Return what is not tried again. An attempt whose planner could not be asked is missing."""
    return {attempt.key for attempt in attempts if not attempt.failed}


def work(
    name: str,
    configurations: Iterable[Configuration],
    known: frozenset[tuple[str, str, str]],
    folder: str,
    most: int | None,
    direct: bool = False,
) -> int:
    """Everything that is missing for one domain. Each attempt is written down at once. Returns their number."""
    from plantwin_evals.modes import attempt
    from plantwin_evals.planners import Asking, subjects
    from plantwin_evals.task_folder import TaskFolder

    journal = Journal(Path(folder))
    domain = domain_of(name)
    made = 0
    tried: dict[tuple[Configuration, str], Attempt] = {}
    """What was tried in this run, whatever it was called."""
    asking = next((Asking(each.effort, each.seconds) for each in configurations), Asking())
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as place, subjects(asking) as subject:
        task_folder = TaskFolder(domain, Path(place))
        for each in configurations:
            tasks = domain.tasks[:most]
            missing = [task for task in tasks if (each.study, each.name, task.id) not in known]
            if not missing:
                continue
            state = task_folder.fresh() if each.shared else None
            # A ledger that is shared needs everything that was told before: then all are tried again.
            for task in tasks if each.shared else missing:
                key = (each.unnamed(), task.id)
                if key in tried:
                    done = msgspec.structs.replace(tried[key], configuration=each.name, study=each.study)
                else:
                    done = tried[key] = attempt(
                        task,
                        task_folder,
                        subject(each.planner),
                        each.mode,
                        each.settings(),
                        state=state,
                        configuration=each.name,
                        study=each.study,
                        change=each.change,
                        direct=direct or each.study != MAIN,
                        approver=each.approver,
                    )
                journal.append([done])
                made += 1
    return made


def memory() -> str | None:
    """Where folders for a moment are best: in memory, where waiting for a disk measures nothing. None: anywhere."""
    place = Path("/dev/shm")  # noqa: S108 - only a parent: what is made in it has a random name and one owner
    try:
        free = shutil.disk_usage(place).free
    except OSError:
        return None
    return str(place) if free > ROOM and os.access(place, os.W_OK | os.X_OK) else None
