"""After any sequence of edits, what an incremental scan says is what a fresh one says."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

import pytest

from plantwin import Environment
from plantwin.private.scan import Scan

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
