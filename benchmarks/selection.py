"""Recall of planted files among the 40 objects that are shown, and how long choosing takes, beside other ways to look.

    python -m benchmarks.selection [--files 10000] [--trees source,share] [--sets first,second,third,fourth,present]
                                   [--alone]

Realistic files are put into copies of real trees, one set at a time; each goal speaks of one of them by content or
meaning, and has no file's name in it. Words and weights were fitted to the first set; the second was written before
they were last changed, the third after. The last plants nothing: its goals speak of files, drawn at random, that are
in the trees anyway, among many of their like; those that a machine does not have are left out. Peers: words of the
goal in paths, and words of the goal in contents by ripgrep, ranked by how rare they are.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import statistics
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import log
from pathlib import Path
from typing import Any

from benchmarks.harness import say, scratch, source_tree

MOST = 40
SETS = {
    "first": "planted.toml",
    "second": "planted_second.toml",
    "third": "planted_third.toml",
    "fourth": "planted_fourth.toml",
    "present": "present.toml",
}
_ASKING = """
a all any anything are at by can check compare did do does find for from get has have how in into is it its look of on
or our out review set should summarize that the they this to up was we what when where which who why will with
"""
ASKING = frozenset(_ASKING.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--trees", default="source,share")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--alone", action="store_true", help="without the peers")
    parser.add_argument("--misses", action="store_true", help="name the goals that were missed")
    options = parser.parse_args()
    for name in options.trees.split(","):
        with scratch() as folder:
            tree = folder / "tree"
            tree.mkdir()
            files = TREES[name](tree, options.files)
            for set_ in options.sets.split(","):
                targets = tomllib.loads(Path(__file__).with_name(SETS[set_]).read_text())["target"]
                there = [each for each in targets if "text" in each or (tree / each["path"]).is_file()]
                with planted(tree, [each for each in there if "text" in each]):
                    print(f"\n{name}: {files} real files, {len(there)} wanted of the {set_} set")
                    measured(tree, folder / "state", there, options)


@contextmanager
def planted(tree: Path, targets: Sequence[dict[str, Any]]) -> Iterator[None]:
    """The files of one set among the others, as long as they are looked for."""
    places = [tree / target["path"] for target in targets]
    for path, target in zip(places, targets, strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(target["text"].lstrip("\n"))
    yield
    for path in places:
        path.unlink()


def share_tree(target: Path, files: int) -> int:
    """Text files of the system's shared data and documentation."""
    found: list[Path] = []
    for root in ("/usr/share", "/usr/lib/python3", "/etc", "/usr/include"):
        for folder, folders, names in os.walk(root):
            folders[:] = [each for each in folders if each not in ("locale", "icons", "zoneinfo", "man")]
            for name in names:
                path = Path(folder, name)
                if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size < 500_000:
                    found.append(path)
    random.Random(1).shuffle(found)
    copied = 0
    for path in found:
        try:
            head = path.open("rb").read(2048)
        except OSError:
            continue
        if b"\0" in head or path.suffix in (".gz", ".png", ".xz"):
            continue
        copy = target / path.relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        copied += 1
        if copied == files:
            break
    return copied


TREES: dict[str, Callable[[Path, int], int]] = {
    "source": lambda target, files: source_tree(target, files)[0],
    "share": share_tree,
}


def measured(tree: Path, state: Path, targets: Sequence[dict[str, Any]], options: argparse.Namespace) -> None:
    """Recall and time of each way to look."""
    from plantwin.private.capabilities import catalog
    from plantwin.private.environment import Environment
    from plantwin.private.selection.choice import select
    from plantwin.private.selection.intents import families, intents
    from plantwin.private.selection.mentions import mentions

    environment = Environment(tree, state=state, ignore=False)
    scan = environment.scan()
    records, relations = list(scan.records()), tuple(scan.relations())
    capabilities = catalog()
    able = frozenset(each.name for each in capabilities.values())

    def ours(goal: str) -> list[str]:
        named = mentions(goal, records)
        wanted, kinds = intents(goal, able), families(goal)
        ranked = select(goal, records, relations, scan.words(), named, wanted, kinds, capabilities, MOST)
        return [each.path for each in ranked.shown]

    paths = [each.path for each in records]
    ways: dict[str, Callable[[str], list[str]]] = {
        "plantwin": ours,
    }
    if not options.alone:
        ways["words in paths"] = lambda goal: by_path(goal, paths)
    if shutil.which("rg") and not options.alone:
        ways["ripgrep"] = lambda goal: by_content(goal, tree, len(paths))
    say("objects", len(records), "")
    for name, way in ways.items():
        hits: list[bool] = []
        took, processor = [], []
        for target in targets:
            for goal in target["goals"]:
                started, cpu = time.perf_counter(), time.process_time()
                shown = way(goal)
                took.append(time.perf_counter() - started)
                processor.append(time.process_time() - cpu)
                hit = target["path"] in shown[:MOST]
                hits.append(hit)
                if not hit and options.misses and name == "plantwin":
                    print(f"    missed {target['path']}: {goal}")
        wanted = "at least 0.95" if name == "plantwin" else ""
        say(f"{name}: recall at {MOST}", sum(hits) / len(hits), "", wanted)
        say(f"{name}: median per goal, wall", 1000 * statistics.median(took), "ms")
        say(f"{name}: median per goal, processor", 1000 * statistics.median(processor), "ms")
    environment.close()


def _words(goal: str) -> list[str]:
    return [each for each in re.findall(r"[a-z]{3,}", goal.lower()) if each not in ASKING]


def by_path(goal: str, paths: Sequence[str]) -> list[str]:
    """Paths with most words of the goal."""
    words = _words(goal)
    order = sorted(paths, key=lambda path: (-sum(word in path.lower() for word in words), path))
    return order[:MOST]


def by_content(goal: str, tree: Path, total: int) -> list[str]:
    """Files with most words of the goal, the rarer the better."""
    scores: dict[str, float] = {}
    for word in dict.fromkeys(_words(goal)):
        command = ["rg", "--files-with-matches", "--ignore-case", "--no-ignore", "--hidden", word, "."]
        found = subprocess.run(command, cwd=tree, capture_output=True, text=True).stdout.splitlines()
        for path in found:
            scores[path[2:]] = scores.get(path[2:], 0.0) + log(1 + total / len(found))
    return sorted(scores, key=lambda path: (-scores[path], path))[:MOST]


if __name__ == "__main__":
    main()
