"""The approval queue: answered once, taken once, never late; several processes; survives a kill."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plantwin.boundary.approval import LONGEST, Approvals
from plantwin.errors import InputError, StateError
from plantwin.private import queue as module
from plantwin.private.queue import MOST, ApprovalQueue, QueueApprover, described
from plantwin.types.approval import Answer, Cause, Question
from plantwin.types.local import LocalObject
from plantwin.types.plan import Step
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Kind, SemanticClass

STEP = Step(id="s1", capability="security_audit", inputs=("artifact_aaaaaaaa",), output="findings")
HELD = (
    LocalObject(
        TwinObject(
            object_id="artifact_aaaaaaaa", kind=Kind.CODE_FILE, semantic_class=SemanticClass.AUTHENTICATION_MODULE
        ),
        b"k" * 32,
    ),
)
NAMES = {"artifact_aaaaaaaa": "src/auth.py"}


def question(digest: str = "d1", expires: float = 0.0) -> Question:
    return Question(
        nonce="n",
        digest=digest,
        step=STEP,
        objects=("artifact_aaaaaaaa", "artifact_bbbbbbbb"),
        causes=(Cause.POLICY, Cause.UNSURE),
        policy="ask",
        price=1500,
        expires=expires or time.time() + 60,
    )


class Clock:
    """A clock that can be set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "queue.db"


@pytest.fixture
def queue(path: Path) -> Iterator[ApprovalQueue]:
    made = ApprovalQueue(path)
    yield made
    made.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(path: Path, clock: Clock) -> Iterator[ApprovalQueue]:
    made = ApprovalQueue(path, clock=clock)
    yield made
    made.close()


@pytest.mark.parametrize("approved", [True, False])
def test_a_question_is_answered_once_and_the_answer_taken_once(queue: ApprovalQueue, approved: bool) -> None:
    asked = question()
    id_ = queue.put(asked, described(asked, NAMES))
    (waiting,) = queue.pending()
    assert (waiting.id, waiting.expires) == (id_, asked.expires)
    assert waiting.description == {
        "step": "s1",
        "capability": "security_audit",
        "objects": ["src/auth.py", "artifact_bbbbbbbb"],
        "causes": ["policy", "unsure"],
        "policy": "ask",
        "price": 1.5,
    }
    assert queue.wait("d1", time.time()) is None
    assert queue.answer(id_, approved) == waiting
    assert queue.pending() == ()
    with pytest.raises(InputError, match="no such question"):
        queue.answer(id_, True)
    assert queue.wait("d1", time.time()) == Answer("d1", approved)
    assert queue.wait("d1", time.time() + 60) is None
    with pytest.raises(InputError):
        queue.answer(id_, True)


@pytest.mark.parametrize("truthy", [1, "yes", object()])
def test_only_true_approves(queue: ApprovalQueue, truthy: bool) -> None:
    queue.answer(queue.put(question(), {}), truthy)
    assert queue.wait("d1", time.time()) == Answer("d1", False)


def test_an_answer_goes_to_its_own_question(queue: ApprovalQueue) -> None:
    first, second = queue.put(question("d1"), {}), queue.put(question("d2"), {})
    assert first != second and [each.id for each in queue.pending()] == [first, second]
    queue.answer(second, True)
    assert queue.wait("d1", time.time()) is None
    assert queue.wait("d2", time.time()) == Answer("d2", True)
    assert queue.wait("d3", time.time() + 60) is None
    for nonsense in ("", "d1", "' or 1=1 --", first.upper() + "x"):
        with pytest.raises(InputError):
            queue.answer(nonsense, True)


def test_a_question_is_asked_once(queue: ApprovalQueue) -> None:
    queue.put(question(), {})
    with pytest.raises(InputError, match="asked before"):
        queue.put(question(), {})
    assert len(queue.pending()) == 1


def test_what_has_expired_cannot_be_answered(timed: ApprovalQueue, clock: Clock) -> None:
    id_ = timed.put(question(expires=1010.0), {})
    clock.now = 1010.0
    assert timed.pending() == ()
    with pytest.raises(InputError, match="expired"):
        timed.answer(id_, True)
    clock.now = 1011.0
    assert timed.wait("d1", 2000.0) is None


def test_an_answer_that_is_not_taken_in_time_is_lost(timed: ApprovalQueue, clock: Clock) -> None:
    timed.answer(timed.put(question(expires=1010.0), {}), True)
    clock.now = 1010.5
    assert timed.wait("d1", 2000.0) is None


def test_setting_the_date_back_revives_nothing(timed: ApprovalQueue, clock: Clock) -> None:
    id_ = timed.put(question(expires=1010.0), {})
    clock.now = 999.0
    assert timed.pending() == ()
    with pytest.raises(InputError):
        timed.answer(id_, True)
    assert timed.wait("d1", 2000.0) is None


def test_old_rows_do_not_stay(timed: ApprovalQueue, clock: Clock, path: Path) -> None:
    timed.put(question(expires=1010.0), {"objects": ["src/very-secret-name.py"]})
    clock.now = 1020.0
    timed.put(question("d2", expires=1030.0), {})
    with sqlite3.connect(path) as database:
        assert database.execute("select digest from question").fetchall() == [("d2",)]
    database.close()


@pytest.mark.parametrize("expires", [1000.0, 999.0, 1000.0 + LONGEST + 1, float("nan"), float("inf")])
def test_a_question_lives_for_a_bounded_time(timed: ApprovalQueue, expires: float) -> None:
    with pytest.raises(InputError, match="cannot be asked"):
        timed.put(question(expires=expires), {})


def test_the_queue_is_bounded(queue: ApprovalQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST == 1000
    monkeypatch.setattr(module, "MOST", 2)
    queue.put(question("d1"), {})
    queue.put(question("d2"), {})
    with pytest.raises(StateError, match="2 approvals are waiting"):
        queue.put(question("d3"), {})
    queue.withdraw("d1")
    queue.put(question("d3"), {})


def test_ids_are_never_given_twice(queue: ApprovalQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter(["aaaaaaaa", "aaaaaaaa", "bbbbbbbb"])
    monkeypatch.setattr(module, "_fresh", lambda: next(names))
    assert [queue.put(question("d1"), {}), queue.put(question("d2"), {})] == ["aaaaaaaa", "bbbbbbbb"]


# The approver


def test_the_approver_waits_for_another_process(queue: ApprovalQueue, path: Path) -> None:
    told: list[str] = []

    def person(id_: str) -> None:
        told.append(id_)
        other = ApprovalQueue(path)
        assert other.pending()[0].description["objects"] == ["src/auth.py"]
        other.answer(id_, True)
        other.close()

    approvals = Approvals(QueueApprover(queue, NAMES, told=person))
    word, asked = approvals.decide(STEP, HELD, (Cause.RISK,), "", "v", 500)
    assert (word, len(told)) == ("approved", 1)
    assert queue.wait(asked.digest, time.time() + 60) is None


def test_nobody_answers(queue: ApprovalQueue) -> None:
    approvals = Approvals(QueueApprover(queue, NAMES), lifetime=0.3)
    started = time.monotonic()
    assert approvals.decide(STEP, HELD, (Cause.RISK,), "", "v", 500)[0] == "expired"
    assert 0.25 < time.monotonic() - started < 10


def test_an_interrupted_question_is_withdrawn(queue: ApprovalQueue) -> None:
    def interrupted(id_: str) -> None:
        assert [each.id for each in queue.pending()] == [id_]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        QueueApprover(queue, NAMES, told=interrupted).ask(question())
    assert queue.pending() == ()


def test_a_late_answer_from_a_thread(queue: ApprovalQueue, path: Path) -> None:
    def answer() -> None:
        other = ApprovalQueue(path)
        while not other.pending():
            time.sleep(0.01)
        other.answer(other.pending()[0].id, False)
        other.close()

    thread = threading.Thread(target=answer)
    thread.start()
    assert QueueApprover(queue, NAMES).ask(question()) == Answer("d1", False)
    thread.join(10)


# Several processes, crashes, damage


def _race(path: Path, id_: str, results: multiprocessing.Queue[str]) -> None:
    queue = ApprovalQueue(path)
    try:
        queue.answer(id_, True)
        results.put("answered")
    except InputError:
        results.put("refused")
    results.put("taken" if queue.wait("d1", time.time()) else "nothing")
    queue.close()


def test_of_several_processes_one_answers_and_one_takes(queue: ApprovalQueue, path: Path) -> None:
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    results = context.Queue()
    id_ = queue.put(question(), {})
    processes = [context.Process(target=_race, args=(path, id_, results)) for _ in range(4)]
    for each in processes:
        each.start()
    words = [results.get(timeout=30) for _ in range(8)]
    for each in processes:
        each.join(30)
    results.close()
    results.join_thread()
    assert (words.count("answered"), words.count("taken")) == (1, 1)


def test_a_question_and_an_answer_survive_a_kill(queue: ApprovalQueue, path: Path) -> None:
    id_ = queue.put(question(), {})
    script = (
        "import os, signal, sys; from pathlib import Path; from plantwin.private.queue import ApprovalQueue\n"
        "ApprovalQueue(Path(sys.argv[1])).answer(sys.argv[2], True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ran = subprocess.run([sys.executable, "-c", script, str(path), id_], timeout=60, check=False)
    assert ran.returncode == -signal.SIGKILL
    again = ApprovalQueue(path)
    assert again.wait("d1", time.time()) == Answer("d1", True)
    again.close()


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    path.touch(0o644)
    path.chmod(0o644)
    before = os.umask(0)
    try:
        queue = ApprovalQueue(path)
        queue.put(question(), {"objects": ["x"]})
        modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
        queue.close()
    finally:
        os.umask(before)
    assert "queue.db" in modes and set(modes.values()) == {0o600}


def test_a_damaged_queue_is_told_and_kept(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StateError, match="damaged"):
        ApprovalQueue(path)
    assert path.read_bytes().startswith(b"not a database")
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError, match="cannot be used"):
        ApprovalQueue(link)
    assert not (tmp_path / "elsewhere").exists()
    with pytest.raises(StateError, match="cannot be used"):
        ApprovalQueue(tmp_path / "missing" / "queue.db")
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(StateError, match="not a regular file"):
        ApprovalQueue(tmp_path / "fifo")


@pytest.mark.parametrize("text", ["{", "[]", "1"])
def test_a_damaged_row_is_told(queue: ApprovalQueue, path: Path, text: str) -> None:
    queue.put(question(), {})
    with sqlite3.connect(path) as database:
        database.execute("update question set description = ?", (text,))
    database.close()
    with pytest.raises(StateError, match="damaged"):
        queue.pending()


def test_a_locked_queue_is_told(queue: ApprovalQueue, path: Path) -> None:
    queue._database.execute("pragma busy_timeout = 50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(StateError, match="try again"):
        queue.put(question(), {})
    other.execute("rollback")
    other.close()
    queue.put(question(), {})


def test_nothing_private_is_printed(queue: ApprovalQueue) -> None:
    queue.put(question(), {"objects": ["src/auth.py"]})
    shown = repr([queue, queue.pending(), QueueApprover(queue, NAMES)])
    assert "auth" not in shown and "private" in shown
