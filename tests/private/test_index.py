"""The index: what is unchanged is not opened again, and what changed is never missed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.errors import StateError
from plantwin.private import catalogue, reading
from plantwin.private.index import Index
from plantwin.private.scan import Scan

CODE = "import json\n\n\ndef load(path):\n    return json.loads(path)\n"


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    (root / "app").mkdir(parents=True)
    for number in range(6):
        (root / "app" / f"module{number}.py").write_text(CODE + f"LIMIT = {number}\n")
    (root / "settings.yaml").write_text("service:\n  port: 80\n")
    settle(root)
    return root


def settle(root):
    """Let the clock move past the files' times, so that they count as settled."""
    past = time.time() - 10
    for path in root.rglob("*"):
        os.utime(path, (past, past))
    time.sleep(0.06)


def scan(root, tmp_path, **options):
    environment = Environment(root, state=tmp_path / "state")
    try:
        result = environment.scan(jobs=1, **options)
        return result.summary, {record.path: record for record in result.records()}
    finally:
        environment.close()


def test_unchanged_files_are_not_opened_again(tree, tmp_path, monkeypatch):
    first, _ = scan(tree, tmp_path)
    assert (first.read, first.reused) == (7, 0)
    opened = []
    original = reading.Reader.row
    monkeypatch.setattr(reading.Reader, "row", lambda self, path: (opened.append(path), original(self, path))[1])
    second, _ = scan(tree, tmp_path)
    assert (second.read, second.reused, opened) == (0, 7, [])
    assert (second.objects, second.kinds, second.edges) == (first.objects, first.kinds, first.edges)


def test_one_edit_opens_one_file(tree, tmp_path):
    scan(tree, tmp_path)
    (tree / "app" / "module3.py").write_text("def login(user, password):\n    return check(password)\n")
    time.sleep(0.06)
    summary, _ = scan(tree, tmp_path)
    assert (summary.read, summary.reused) == (1, 6)


def test_an_edit_that_keeps_size_and_times_is_seen(tree, tmp_path):
    scan(tree, tmp_path)
    path = tree / "app" / "module3.py"
    before = path.stat()
    path.write_text(path.read_text().replace("3", "9"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    time.sleep(0.06)
    summary, _ = scan(tree, tmp_path)
    assert summary.read == 1


@pytest.mark.parametrize("shift", [-400 * 86400, 400 * 86400])
def test_a_skewed_clock_changes_nothing_but_freshness(tree, tmp_path, shift):
    _, records = scan(tree, tmp_path)
    os.utime(tree / "app" / "module1.py", (time.time() + shift,) * 2)
    time.sleep(0.06)
    summary, shifted = scan(tree, tmp_path)
    assert summary.read == 1
    assert shifted["app/module1.py"].semantic_class == records["app/module1.py"].semantic_class
    assert shifted["app/module1.py"].freshness == ("stale" if shift < 0 else "today")


def test_freshness_follows_the_clock_without_reading(tree, tmp_path):
    _, records = scan(tree, tmp_path)
    assert records["settings.yaml"].freshness == "today"
    for days, expected in ((2, "recent"), (29, "recent"), (31, "stale")):
        summary, later = scan(tree, tmp_path, clock=lambda days=days: time.time() + days * 86400)
        assert (summary.read, later["settings.yaml"].freshness) == (0, expected)


def test_renames_and_deletes(tree, tmp_path):
    scan(tree, tmp_path)
    (tree / "app" / "module0.py").rename(tree / "app" / "renamed.py")
    (tree / "app" / "module1.py").unlink()
    summary, records = scan(tree, tmp_path)
    assert (summary.read, summary.removed, summary.objects) == (1, 2, 6)
    assert "app/renamed.py" in records
    assert "app/module0.py" not in records


def test_a_file_replaced_by_a_folder_and_back(tree, tmp_path):
    scan(tree, tmp_path)
    path = tree / "settings.yaml"
    path.unlink()
    path.mkdir()
    (path / "inner.py").write_text(CODE)
    _, records = scan(tree, tmp_path)
    assert "settings.yaml" not in records
    assert "settings.yaml/inner.py" in records


def test_a_file_too_fresh_to_trust_is_read_again(tree, tmp_path):
    scan(tree, tmp_path)
    read = []
    # Under load a reading may come later than one tick after the writing; then the file is no longer fresh.
    while not read or (read[-1] == (1, 0, 0) and len(read) < 20):
        (tree / f"fresh{len(read)}.py").write_text(CODE)
        first, _ = scan(tree, tmp_path)
        time.sleep(0.06)
        second, _ = scan(tree, tmp_path)
        third, _ = scan(tree, tmp_path)
        read.append((first.read, second.read, third.read))
    assert read[-1] == (1, 1, 0)


def test_changed_rules_start_over_and_keep_corrections(tree, tmp_path, monkeypatch):
    environment = Environment(tree, state=tmp_path / "state")
    result = environment.scan(jobs=1)
    number = next(record.number for record in result.records() if record.path == "app/module2.py")
    environment.correct(number, "payment_module")
    environment.close()
    monkeypatch.setattr(catalogue, "version", lambda _config="": "another rule set")
    summary, records = scan(tree, tmp_path)
    assert summary.read == 7
    assert records["app/module2.py"].semantic_class == "payment_module"
    assert records["app/module2.py"].confidence == "high"


def test_corrections_win_and_follow_a_rename(tree, tmp_path):
    environment = Environment(tree, state=tmp_path / "state")
    number = next(record.number for record in environment.scan(jobs=1).records() if record.path == "app/module2.py")
    environment.correct(number, "algorithm_module")
    environment.close()
    (tree / "app" / "module2.py").rename(tree / "app" / "sorting.py")
    _, records = scan(tree, tmp_path)
    assert records["app/sorting.py"].semantic_class == "algorithm_module"
    environment = Environment(tree, state=tmp_path / "state")
    moved = next(record.number for record in environment.scan(jobs=1).records() if record.path == "app/sorting.py")
    assert environment.forget(moved) is True
    assert environment.forget(moved) is False
    assert environment.corrections() == {}
    environment.close()


def test_a_damaged_index_is_set_aside(tree, tmp_path):
    scan(tree, tmp_path)
    [path] = (tmp_path / "state" / "index").glob("*.db")
    path.write_bytes(b"this is not a database" * 200)
    summary, _ = scan(tree, tmp_path)
    assert summary.read == 7
    assert list((tmp_path / "state" / "index").glob("*.damaged"))


def test_everything_kept_is_readable_by_its_owner_alone(tree, tmp_path):
    scan(tree, tmp_path)
    for path in (tmp_path / "state").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_state_folder_that_cannot_be_used_is_a_clear_error(tree, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="PLANTWIN_STATE"):
        Environment(tree, state=tmp_path / "file" / "state")


def test_a_damaged_key_is_never_replaced_silently(tree, tmp_path):
    scan(tree, tmp_path)
    key = tmp_path / "state" / "keys" / "local.key"
    key.write_bytes(b"short")
    with pytest.raises(StateError, match="damaged"):
        Environment(tree, state=tmp_path / "state")
    assert key.read_bytes() == b"short"


def test_no_value_of_a_secret_is_kept(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    value = "Zq8" + "vK3nR7wX2mT9pL4s"
    (root / ".env").write_text(f"DB_PASSWORD={value}\nAPI_TOKEN={value[::-1]}\n")
    (root / "app.yaml").write_text(f"database:\n  password: {value}\n")
    (root / "code.py").write_text(f'password = "{value}"\n')
    (root / "keys.json").write_text(f'{{"sk_live_{value * 2}": true}}\n')
    scan(root, tmp_path)
    kept = b"".join(path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file())
    assert value.encode() not in kept
    assert value[::-1].encode() not in kept


SCAN = """
import sys
from pathlib import Path
from plantwin import Environment
environment = Environment(sys.argv[1], state=Path(sys.argv[2]))
summary = environment.scan(jobs=2).summary
print(summary.objects, sum(summary.edges.values()))
"""


def start(root, tmp_path):
    command = [sys.executable, "-c", textwrap.dedent(SCAN), str(root), str(tmp_path / "state")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def many(root, number):
    for position in range(number):
        folder = root / f"part{position // 50}"
        folder.mkdir(exist_ok=True)
        (folder / f"module{position}.py").write_text(CODE + f"LIMIT = {position}\n")


def test_scans_at_once_agree(tree, tmp_path):
    many(tree, 300)
    settle(tree)
    runs = [start(tree, tmp_path) for _ in range(4)]
    said = {run.communicate(timeout=120)[0] for run in runs}
    assert len(said) == 1
    assert said.pop().startswith("307 ")
    summary, _ = scan(tree, tmp_path)
    assert (summary.read, summary.objects) == (0, 307)


def test_a_killed_scan_leaves_a_usable_index(tree, tmp_path, monkeypatch):
    many(tree, 600)
    settle(tree)
    expected, _ = scan(tree, Path(str(tmp_path) + "-other"))
    for delay in (0.05, 0.2, 0.35, 0.5, 0.8, 1.2):
        run = start(tree, tmp_path)
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        run.communicate()
    summary, records = scan(tree, tmp_path)
    assert (summary.objects, summary.edges, len(records)) == (expected.objects, expected.edges, 607)


def test_index_rows_of_two_writers_do_not_clash(tmp_path):
    one, two = Index(tmp_path / "a.db", "1"), Index(tmp_path / "a.db", "1")
    one.correct("p", "", "readme")
    two.correct("p", "", "license")
    assert one.corrections() == {("p", ""): "license"}
    assert one.generation() == 2
    one.close()
    two.close()


def test_the_state_folder_is_not_observed(tmp_path):
    (tmp_path / "code.py").write_text(CODE)
    environment = Environment(tmp_path, state=tmp_path / "state")
    environment.scan(jobs=1)
    again = environment.scan(jobs=1)
    assert [record.path for record in again.records()] == ["code.py"]
    environment.close()


# After any sequence of edits, what an incremental scan says is what a fresh one says

SHOP = Path(__file__).parent.parent.parent / "examples" / "shop"
CLOCK = time.time() + 86_400 * 3


def view(environment):
    """Everything a scan says, by real names."""
    scan = environment.scan(jobs=1, clock=lambda: CLOCK)
    records = {each.number: each for each in scan.records()}
    places = {number: f"{each.path}#{each.part}" for number, each in records.items()}
    fields = sorted(
        (places[number], *(getattr(each, field) for field in each.__struct_fields__ if field != "number"))
        for number, each in records.items()
    )
    edges = sorted(
        (places[each.source], each.edge, each.reason, places.get(each.target, ""), each.evidence)
        for each in scan.relations()
    )
    said = scan.summary
    return fields, edges, (said.objects, said.kinds, said.families, said.sensitivities, said.confidences, said.edges)


def edit(root, choose):
    """One change as a person would make it."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    path = choose.choice(files)
    number = choose.randrange(10**6)
    match choose.randrange(8):
        case 0 | 1:
            path.write_bytes(path.read_bytes() + f"\nvalue_{number} = {number}\n".encode())
        case 2:
            lines = path.read_bytes().splitlines(keepends=True)
            path.write_bytes(b"".join(lines[: len(lines) // 2]))
        case 3:
            (path.parent / f"new_{number}.py").write_text(f"from shop.auth import service\n\nLIMIT = {number}\n")
        case 4:
            path.rename(path.with_name(f"moved_{number}{path.suffix}"))
        case 5:
            path.unlink()
        case 6:
            shutil.copyfile(path, path.with_name(f"copy_{number}{path.suffix}"))
        case 7:
            path.write_bytes(b"import os\nimport stripe\n" + path.read_bytes())


@pytest.mark.parametrize("seed", range(6))
def test_incremental_equals_fresh(tmp_path, seed):
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    kept = Environment(root, state=tmp_path / "state")
    view(kept)
    choose = random.Random(seed)
    for _ in range(12):
        edit(root, choose)
        fresh = Environment(root, keep=False)
        assert view(kept) == view(fresh)
        fresh.close()
    kept.close()


def test_an_edit_that_changes_no_relation_makes_none_anew(tmp_path, monkeypatch):
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    for path in root.rglob("*"):
        os.utime(path, (time.time() - 10,) * 2)
    time.sleep(0.06)
    kept = Environment(root, state=tmp_path / "state")
    view(kept)
    made = []
    original = Scan.relate
    monkeypatch.setattr(Scan, "relate", lambda self: (made.append(1), original(self)))
    target = root / "shop" / "db.py"
    target.write_bytes(target.read_bytes() + b"\n\nPOOL_LIMIT = 7\n")
    time.sleep(0.06)
    changed = view(kept)
    assert made == []
    assert changed == view(Environment(root, keep=False))
    kept.close()
