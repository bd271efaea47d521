"""What a hostile reader of the code tried: each of these once worked, or was not noticed."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plantwin import Environment, project
from plantwin.errors import GateError, InputError, StateError
from plantwin.private import index as index_module
from plantwin.private import pool, reading
from plantwin.private.index import Index
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Kind
from tables import cases, value_of

CODE = "import json\n\n\ndef load(path):\n    return json.loads(path)\n"
OBJECT = TwinObject(object_id="artifact_aaaaaaaa", kind=Kind.CODE_FILE)


def settle(root):
    past = time.time() - 100
    for path in root.rglob("*"):
        os.utime(path, (past, past))
    time.sleep(0.06)


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(200):
        (root / f"module{number:03d}.py").write_text(CODE + f"LIMIT = {number}\n")
    settle(root)
    return root


def scanned(root, state, **options):
    environment = Environment(root, state=state)
    try:
        scan = environment.scan(**options)
        return scan.summary, {record.path: record for record in scan.records()}
    finally:
        environment.close()


def database(state):
    (found,) = (state / "index").glob("*.db")
    return found


def test_the_order_of_names_gives_mutual_relations_no_direction(tmp_path):
    text = "".join(f"Paragraph {number} of the same long text, told again.\n\n" for number in range(40))
    directions = []
    for code_first in (True, False):
        root = tmp_path / f"tree{code_first}"
        root.mkdir()
        names = ("a.md", "b.txt") if code_first else ("b.md", "a.txt")
        (root / names[0]).write_text("# Guide\n\n" + text)
        (root / names[1]).write_text("# Guide\n\n" + text)
        os.utime(root / names[1], (1e9, 1e9))
        twin = project(Environment(root, keep=False))
        fresh = {each.object_id: each.freshness for each in twin.objects}
        (edge,) = [each for each in twin.edges if each.edge == "similar_to"]
        directions.append((fresh[edge.source], fresh[edge.target]))
    assert directions[0] == directions[1]


def test_the_order_of_names_does_not_choose_which_copy_others_are_joined_to(tmp_path):
    text = "# Guide\n\n" + "".join(f"Paragraph {number} of the same long text.\n\n" for number in range(40))
    found = []
    for stale in ("a.md", "d.md"):
        root = tmp_path / f"tree_{stale}"
        root.mkdir()
        for name in ("a.md", "b.md", "c.md", "d.md"):
            (root / name).write_text(text)
        os.utime(root / stale, (1e9, 1e9))
        twin = project(Environment(root, keep=False))
        fresh = {each.object_id: each.freshness for each in twin.objects}
        found.append(sorted((fresh[edge.source], fresh[edge.target]) for edge in twin.edges if edge.target in fresh))
    assert found[0] == found[1]
    assert len(found[0]) == 3


# workers


def test_a_worker_that_dies_while_nobody_listens_costs_one_file(tree, tmp_path, monkeypatch):
    original = reading.Reader.row

    def row(self, path):
        if path == "module070.py":
            os.kill(os.getpid(), signal.SIGKILL)
        return original(self, path)

    monkeypatch.setattr(reading.Reader, "row", row)
    for number in range(200, 600):
        (tree / f"module{number}.py").write_text(CODE)
    # Each report takes so long that the worker is dead before it is given its next batch.
    _, records = scanned(tree, tmp_path / "state", jobs=2, progress=lambda *_: time.sleep(0.2))
    assert len(records) == 600
    assert [path for path, each in records.items() if each.readiness_cause == "unreadable"] == ["module070.py"]


def test_a_limit_on_memory_that_is_already_there_is_respected(tree, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_AS)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
            summary, _ = scanned(tree, tmp_path / "state", jobs=2)
            code = 0 if summary.sensitivities == {"low": 200} else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert resource.getrlimit(resource.RLIMIT_AS) == limits


def test_a_large_process_around_us_leaves_workers_their_memory(tree, tmp_path):
    for number in range(12):
        (tree / f"module{number:03d}.py").write_text(CODE * 3000)
    settle(tree)
    with mmap.mmap(-1, pool.MEMORY + 1, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ):
        summary, _ = scanned(tree, tmp_path / "state", jobs=2)
    assert summary.sensitivities == {"low": 200}


def test_workers_that_never_start_stop_the_scan_and_blame_no_file(tree, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_limit_memory", lambda: os._exit(3))
    with pytest.raises(GateError, match="workers cannot be started"):
        scanned(tree, tmp_path / "state", jobs=2)


def test_no_more_workers_than_make_sense(tree, tmp_path, monkeypatch):
    started = []
    original = pool._Worker.__init__
    monkeypatch.setattr(pool, "MOST_WORKERS", 3)
    monkeypatch.setattr(pool._Worker, "__init__", lambda self, *a: (started.append(1), original(self, *a))[1])
    summary, _ = scanned(tree, tmp_path / "state", jobs=1_000_000)
    assert (summary.objects, len(started)) == (200, 3)


def test_fewer_workers_than_wished_for_do_the_work(tree, tmp_path, monkeypatch):
    original = pool._Worker.__init__

    def limited(self, context, shared, crew):
        if crew:
            raise BlockingIOError
        original(self, context, shared, crew)

    monkeypatch.setattr(pool._Worker, "__init__", limited)
    assert scanned(tree, tmp_path / "state", jobs=8)[0].objects == 200


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_missing_part_of_the_program_is_not_the_fault_of_every_file(tree, tmp_path, monkeypatch, jobs):
    import plantwin.private.classify as package

    monkeypatch.delattr(package, "extraction", raising=False)
    monkeypatch.setitem(__import__("sys").modules, "plantwin.private.classify.extraction", None)
    with pytest.raises(ImportError):
        scanned(tree, tmp_path / "state", jobs=jobs)


def test_a_scan_inside_a_pool_of_processes_reads_by_itself(tree, tmp_path):
    with multiprocessing.get_context("fork").Pool(1) as processes:
        summary, records = processes.apply(scanned, (tree, tmp_path / "state"))
    assert (summary.objects, len(records)) == (200, 200)


def test_one_job_tells_its_progress_and_keeps_what_it_read(tree, tmp_path):
    told = []
    scanned(tree, tmp_path / "state", jobs=1, progress=lambda done, total, phase: told.append((done, phase)))
    assert [done for done, phase in told if phase == "read"] == [64, 128, 192, 200]


# the index


def test_the_number_of_a_file_that_is_gone_is_never_given_to_another(tree, tmp_path):
    environment = Environment(tree, state=tmp_path / "state")
    number, path = max((each.number, each.path) for each in environment.scan().records())
    (tree / path).unlink()
    environment.scan()
    (tree / "other.py").write_text(CODE)
    assert number not in {each.number for each in environment.scan().records()}
    with pytest.raises(InputError):
        environment.correct(number, "cli_tool")
    environment.close()


def test_what_could_not_be_read_is_told(tree, tmp_path, monkeypatch):
    original = reading.Reader.row

    def row(self, path):
        if path < "module003":
            raise ValueError("private content")
        return original(self, path)

    monkeypatch.setattr(reading.Reader, "row", row)
    summary, _ = scanned(tree, tmp_path / "state", jobs=1)
    assert summary.warnings == ("stage_valueerror: 3 objects",)
    monkeypatch.undo()
    assert scanned(tree, tmp_path / "state", jobs=1)[0].warnings == ()


@cases("statement")
def test_damaged_rows_are_made_anew_and_corrections_survive(tree, tmp_path, statement):
    state = tmp_path / "state"
    environment = Environment(tree, state=state)
    number = next(each.number for each in environment.scan().records() if each.path == "module007.py")
    environment.correct(number, "cli_tool")
    environment.scan()
    environment.close()
    with sqlite3.connect(database(state)) as connection:
        connection.execute(statement)
    connection.close()
    try:
        records = scanned(tree, state)[1]
    except StateError as error:
        assert "run the command again" in str(error)
        records = scanned(tree, state)[1]
    assert len(records) == 200
    assert records["module007.py"].semantic_class == "cli_tool"


def test_damaged_pages_are_noticed_while_reading(tree, tmp_path):
    scanned(tree, tmp_path / "state")
    path = database(tmp_path / "state")
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\x5a" * (len(data) - 8192))
    summary, records = scanned(tree, tmp_path / "state")
    assert (summary.read, len(records)) == (200, 200)


def test_a_lock_or_a_missing_permission_does_not_cost_a_sound_index(tree, tmp_path, monkeypatch):
    monkeypatch.setattr(index_module, "PATIENCE", 0.2)
    scanned(tree, tmp_path / "state")
    path = database(tmp_path / "state")
    for code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):

        def refuse(self, version, code=code):
            error = sqlite3.OperationalError("refused")
            error.sqlite_errorcode = code
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(Index, "_open", refuse)
            with pytest.raises(StateError):
                Environment(tree, state=tmp_path / "state")
        assert [each.name for each in path.parent.glob("*.damaged*")] == []
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", lambda *_, **__: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
        with pytest.raises(StateError, match="Permission denied"):
            Index(path, "1")
    assert scanned(tree, tmp_path / "state")[0].reused == 200


def test_another_version_that_took_the_index_over_is_not_written_to(tmp_path):
    path = tmp_path / "index.db"
    old, new = Index(path, "1"), Index(path, "2")
    with pytest.raises(StateError, match="another version"):
        old.keep([])
    with pytest.raises(StateError, match="another version"):
        old.renew()
    new.keep([])
    assert new.generation() == 1
    old.close()
    new.close()


def test_files_that_become_alike_in_one_scan_are_found_alike(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()

    def text(word):
        return "".join(f"The {word} paragraph number {number} of this long text.\n\n" for number in range(30))

    for name, word in (("a.md", "first"), ("b.md", "other"), ("c.md", "third")):
        (root / name).write_text(f"# Guide\n\n{text(word)}")
    settle(root)
    environment = Environment(root, state=tmp_path / "state")
    assert "similar_to" not in environment.scan().summary.edges
    for name in ("a.md", "b.md"):
        (root / name).write_text(f"# Guide\n\n{text('equal')}")
    settle(root)
    assert environment.scan().summary.edges["similar_to"] == 1
    environment.close()


def test_a_new_file_with_the_inode_of_a_deleted_one_is_not_its_heir(tree, tmp_path, monkeypatch):
    environment = Environment(tree, state=tmp_path / "state")
    number = next(each.number for each in environment.scan().records() if each.path == "module007.py")
    environment.correct(number, "cli_tool")
    environment.scan()
    # An inode that is used again looks like a rename with another content.
    (tree / "module007.py").rename(tree / "fresh.py")
    (tree / "fresh.py").write_text(CODE + CODE)
    found = {each.path: each.why for each in environment.scan().records()}
    assert found["fresh.py"] != ("corrected by you",)
    assert ("module007.py", "") in environment.corrections()
    environment.close()


def test_a_file_that_vanishes_before_it_is_read_is_gone_at_once(tree, tmp_path, monkeypatch):
    state = tmp_path / "state"
    scanned(tree, state)
    (tree / "module007.py").write_text(CODE * 2)
    original = reading.Reader.row

    def row(self, path):
        (tree / path).unlink()
        return original(self, path)

    monkeypatch.setattr(reading.Reader, "row", row)
    summary, records = scanned(tree, state)
    assert (summary.files, summary.objects, summary.opaque, summary.removed) == (199, 199, 0, 1)
    assert "module007.py" not in records


INTERRUPTED = value_of(__file__, "interrupted")


def test_an_interrupt_waits_until_extensions_are_loaded():
    # In a process of its own: a signal belongs to the main thread, which a test need not run in.
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["loaded", "interrupted"]


# the state folder


def test_our_own_state_is_never_observed(tree, tmp_path):
    link = tmp_path / "link"
    (tree / "kept").mkdir()
    link.symlink_to(tree / "kept")
    for state in (tree, tree / "kept", link / "deep"):
        for _ in range(2):
            summary, _ = scanned(tree, state)
            assert summary.files == 200
        for own in state.iterdir():
            if own.name in ("index", "keys"):
                shutil.rmtree(own)


def test_the_mode_of_a_folder_that_was_there_is_left_alone(tree, tmp_path):
    chosen = tmp_path / "mine"
    chosen.mkdir()
    chosen.chmod(0o755)
    scanned(tree, chosen)
    assert chosen.stat().st_mode & 0o7777 == 0o755
    for path in [*chosen.glob("*"), *Path(chosen).rglob("*.*")]:
        assert path.stat().st_mode & 0o077 == 0


def test_a_state_folder_that_others_may_write_is_refused_and_left_alone(tree, tmp_path):
    chosen = tmp_path / "shared"
    chosen.mkdir()
    chosen.chmod(0o1777)
    with pytest.raises(StateError, match="others own or may write"):
        scanned(tree, chosen)
    assert chosen.stat().st_mode & 0o7777 == 0o1777
    assert list(chosen.iterdir()) == []
