"""Parts of the work that other machines do: the same comes out, whatever they answer."""

from __future__ import annotations

import time

import msgspec
import pytest

from benchmarks.harness import small_tree
from plantwin import Environment
from plantwin.config.settings import Settings
from plantwin.direct import Direct, Side
from plantwin.private import cluster as parts
from plantwin.private.capabilities import catalog
from plantwin.private.execution import elsewhere
from plantwin.private.node import reply_to
from plantwin.private.reading import SETTLED_NS
from plantwin.private.state import State
from plantwin.vocabulary import CapabilityName

FILES = 160


class Machines:
    """Machines in this process; `answer` may change a part, or its reply."""

    def __init__(self, answer=lambda number, part: reply_to(part), root=""):
        self.answer, self.root, self.parts = answer, root, []

    def spread(self, given):
        numbered = list(enumerate(given))
        self.parts += [part for _, part in numbered]
        for number, part in reversed(numbered):  # whoever is last may answer first
            yield number, self.answer(number, part)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(parts, "PART_FILES", 50)
    monkeypatch.setattr(elsewhere, "PART_MEMBERS", 40)


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    small_tree(root, FILES)
    (root / "keys.env").write_text("DATABASE_URL=postgres://shop:Tr0ub4dor-and-3@db.internal/shop\n")
    (root / b"na\xffme.py".decode("utf-8", "surrogateescape")).write_text("password = 'Zy8kQw2Lp0vXn4'\n")
    time.sleep(2 * SETTLED_NS / 1e9)  # what was written just now is read again next time
    return root


def observed(tree, state, machines=None):
    """Everything that a scan knows, by path; numbers are this index's own."""
    environment = Environment(tree, state=state, cluster=machines)
    try:
        scan = environment.scan()
        records = list(scan.records())
        names = {record.number: record.path for record in records}
        edges = sorted(
            (names[edge.source], edge.edge, edge.reason, names.get(edge.target, "")) for edge in scan.relations()
        )
        found = {record.path: msgspec.structs.replace(record, number=0) for record in records}
        return found, edges, environment.scan().summary.read
    finally:
        environment.close()


def done(tree, state, name, machines=None):
    """The full result of a capability over the whole folder."""
    environment = Environment(tree, state=state, cluster=machines)
    try:
        scan = environment.scan()
        settings = Settings()
        direct = Direct(environment, scan, 1 << 62, settings=settings, state=State(state))
        try:
            run = direct.run(name, catalog()[CapabilityName(name)], [Side("all", list(scan.records()))])
        finally:
            direct.close()
    finally:
        environment.close()
    return run.results[1, "s1"]


def test_a_folder_read_elsewhere_is_the_same_and_unchanged_next_time(tree, tmp_path):
    machines = Machines()
    mine = observed(tree, tmp_path / "here")
    theirs = observed(tree, tmp_path / "there", machines)
    assert len(machines.parts) == 4
    assert theirs == mine


@pytest.mark.parametrize(
    "answer",
    [
        lambda number, part: b"",
        lambda number, part: b"\xc1",
        lambda number, part: msgspec.msgpack.encode([None]),
        lambda number, part: msgspec.msgpack.encode(
            [(b"../../etc/passwd", (1, 1, 1, 1, 1), 1, b"", b"\x90", b"")] * 50
        ),
        lambda number, part: reply_to(part) if number % 2 else b"",
    ],
    ids=["lost", "garbage", "too few", "of other files", "every other lost"],
)
def test_what_machines_cannot_or_will_not_read_is_read_here(tree, tmp_path, answer):
    assert observed(tree, tmp_path / "there", Machines(answer)) == observed(tree, tmp_path / "here")


@pytest.mark.parametrize("name", ["secret_scan", "measure_complexity", "list_todos"])
def test_a_step_carried_out_elsewhere_gives_the_same_result(tree, tmp_path, name):
    machines = Machines()
    here = done(tree, tmp_path / "state", name)
    before = len(machines.parts)
    there = done(tree, tmp_path / "other", name, machines)
    steps = [part for part in machines.parts[before:] if b"step" in part[:20]]
    assert steps, "nothing was asked of the machines"
    assert there == here
    assert b"Tr0ub4dor" not in b"".join(machines.parts)


def test_another_program_sandbox_or_file_is_not_used(tree, tmp_path):
    asked = Machines()
    here = done(tree, tmp_path / "state", "secret_scan")
    done(tree, tmp_path / "other", "secret_scan", asked)
    part = next(part for part in asked.parts if b"step" in part[:20])
    step = msgspec.msgpack.decode(part, type=elsewhere.StepPart)
    for changed in ({"version": "another/"}, {"told": b"{}"}):
        assert reply_to(msgspec.msgpack.encode(msgspec.structs.replace(step, **changed))) == b""
    moved = msgspec.structs.replace(step, times=dict.fromkeys(step.times, (1, 1)))
    assert msgspec.msgpack.decode(reply_to(msgspec.msgpack.encode(moved))) == []
    lost = Machines(lambda number, part: reply_to(part) if number else b"")
    assert done(tree, tmp_path / "third", "secret_scan", lost) == here


def test_a_missing_sandbox_there_is_no_reason_to_do_without(tree, tmp_path, monkeypatch):
    asked = Machines()
    done(tree, tmp_path / "state", "secret_scan", asked)
    step = next(part for part in asked.parts if b"step" in part[:20])
    assert reply_to(step) != b""
    monkeypatch.setattr("plantwin.private.execution.sandbox.bubblewrap", lambda: None)
    assert reply_to(step) == b""


def test_the_folder_may_lie_elsewhere_there(tree, tmp_path):
    (tmp_path / "mounted").symlink_to(tree)
    machines = Machines(root=str(tmp_path / "mounted"))
    assert observed(tree, tmp_path / "there", machines) == observed(tree, tmp_path / "here")
    assert str(tmp_path / "mounted").encode() in machines.parts[0]


def test_machines_never_get_the_local_key(tree, tmp_path):
    machines = Machines()
    observed(tree, tmp_path / "state", machines)
    assert State(tmp_path / "state").key not in b"".join(machines.parts)
    assert State(tmp_path / "state").value_key in machines.parts[0]
