"""Relations after edits are kept up to date locally, and are exactly those that all facts together give."""

from __future__ import annotations

import random
import time

import pytest

from plantwin import Environment
from plantwin.private import catalogue
from plantwin.private.scan import Scan

LINES = [f"    total_{number} = order.part_{number} * rate_{number}\n" for number in range(90)]


def write(path, lines):
    path.write_text("import json\n\n\ndef work(order):\n" + "".join(lines) + "    return total_1\n")


@pytest.fixture
def tree(tmp_path):
    """Files that share much of their text with others, in several folders."""
    choose = random.Random(7)
    for number in range(48):
        folder = tmp_path / "tree" / f"part{number % 4}"
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / f"module{number}.py", sorted(choose.sample(LINES, choose.choice((30, 80, 84)))))
    return tmp_path / "tree"


@pytest.mark.parametrize("seed", range(4))
def test_edits_of_lines_change_what_is_alike_and_nothing_is_made_anew(tree, tmp_path, seed, monkeypatch):
    choose = random.Random(seed)
    environment = Environment(tree, state=tmp_path / "state")
    environment.scan(jobs=1)
    anew: list[int] = []
    original = Scan.relate
    monkeypatch.setattr(Scan, "relate", lambda self: (anew.append(1), original(self)))
    changed = 0
    before = list(environment._index.relations())
    for _ in range(10):
        for path in choose.sample(sorted(tree.rglob("*.py")), choose.choice((1, 1, 2))):
            lines = [line for line in LINES if line in path.read_text()]
            for _ in range(choose.choice((1, 4))):
                lines.remove(choose.choice(lines))
                lines.append(choose.choice([*LINES, f"    audit_{choose.randrange(1000)}(order)\n"]))
            write(path, sorted(set(lines)))
        time.sleep(0.06)
        scan = environment.scan(jobs=1)
        kept, counts = list(environment._index.relations()), catalogue.counted(environment._index.summary())
        wanted, recounted = scan._made
        assert kept == sorted(wanted)
        assert counts == recounted
        changed += kept != before
        before = kept
    assert changed > 1, "the edits must matter"
    assert len(anew) < 5, "most of them are local"
    environment.close()
