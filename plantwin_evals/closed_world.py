"""The closed-world attack: which of these public trees is this twin? Trees are packages that are installed here."""

from __future__ import annotations

import math
import random
import shutil
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from plantwin_evals.attacks import ARMS, TRUTH, Arm, listen
from plantwin_evals.metrics import mean
from plantwin_evals.reid import GOALS
from plantwin_evals.running import memory
from plantwin_evals.tables import Table
from plantwin_evals.task_folder import ScannedFolder

TREES: Final = 20
SIZES: Final = (20, 150)
"""Files of a public tree."""
WORLDS: Final = tuple(arm for arm in ARMS if arm.accountant in ("weighted", "k-anonymity") and arm.k == Arm("").k)
"""Those for which public trees are told apart: no budget, the paper's, and the default."""


def public_trees() -> list[str]:
    """Names of packages that are installed here, of some size: trees that anybody can look up."""
    base = Path(sysconfig.get_path("purelib"))
    found = []
    for path in sorted(base.iterdir()):
        if path.is_dir() and (path / "__init__.py").is_file() and path.name != "plantwin":
            number = sum(1 for each in path.rglob("*") if each.is_file() and "__pycache__" not in each.parts)
            if SIZES[0] <= number <= SIZES[1]:
                found.append(path.name)
    return random.Random(20).sample(found, min(TREES, len(found)))  # noqa: S311 - the same each time


def compared(name: str, arms: Sequence[Arm] = WORLDS) -> list[tuple[frozenset[str], frozenset[str]]]:
    """What is heard of a private copy of a tree with every arm, and of the adversary's own without a budget.

    The private copy lacks a tenth of the files.
    """
    tree = Path(sysconfig.get_path("purelib"), name)
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    with TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as place:
        public, private = (
            ScannedFolder(Path(shutil.copytree(tree, base / tree.name, ignore=ignored)), base / "states")
            for base in (Path(place) / "public", Path(place) / "private")
        )
        for path in sorted(each for each in private.root.rglob("*") if each.is_file())[5::10]:
            path.unlink()
        modes = dict.fromkeys(arm.mode for arm in arms)
        known = {
            mode: listen(public.root, TRUTH._replace(mode=mode), public.fresh(), [GOALS[1]], public.memory).heard
            for mode in modes
        }
        return [
            (listen(private.root, arm, private.fresh(), [GOALS[0]], private.memory).heard, known[arm.mode])
            for arm in arms
        ]


def closed_world(
    heard: Sequence[Sequence[tuple[frozenset[str], frozenset[str]]]], arms: Sequence[Arm] = WORLDS
) -> Table:
    """Which of these public trees is this twin? By the share of words that it has in common with each."""
    rows = []
    for number, arm in enumerate(arms):
        places = []
        for tree in heard:
            words = tree[number][0]
            scores = [len(words & other) / max(1, len(words | other)) for other in (one[number][1] for one in heard)]
            own = len(words & tree[number][1]) / max(1, len(words | tree[number][1]))
            places.append(1 + sum(score > own for score in scores))
        gained = mean(math.log2(len(heard) / place) for place in places)
        rows.append(
            (arm.name, len(heard), mean(p == 1 for p in places), mean(1 / p for p in places), gained, 1 / len(heard))
        )
    note = (
        "One session with another goal on a copy without a tenth of the files; the adversary compares all words with "
        "those of its own copies, by their share. Bits gained: log2 of the trees over the place of the right one."
    )
    columns = ("arm", "trees", "accuracy", "MRR", "bits gained", "chance")
    return Table("closed-world", "Which of these public trees is this twin?", columns, rows, note)
