"""What a command costs before it does anything, and what ten small files cost in a warm process.

python -m benchmarks.startup
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import say, scratch, small_tree

ROUNDS = 30


def fastest(command: list[str]) -> float:
    """The best of many runs: what the command itself costs."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    program = shutil.which("plantwin", path=str(Path(sys.executable).parent))
    if program is None:
        raise SystemExit("plantwin is not installed beside this Python")
    bare = fastest([sys.executable, "-c", "pass"])
    say("plantwin --help / python -c pass", fastest([program, "--help"]) / bare, "x", "at most 4")
    ten_files()


def ten_files() -> None:
    """Project a folder of ten small files in a warm process: the paper's millisecond.

    Once again and again with one environment (nothing changed: walk, records, projection), and once with
    a new one each time (every file read, parsed, searched for secrets and classified anew).
    """
    from plantwin import Environment, project

    with scratch() as folder:
        tree = folder / "tree"
        small_tree(tree, 10)
        time.sleep(0.1)
        same = Environment(tree, keep=False)
        unchanged = median(lambda: project(same))
        anew = median(lambda: project(Environment(tree, keep=False)))
        bare = median(lambda: [path.read_bytes() for path in tree.rglob("*.*")])
        say("project ten small files again, nothing changed: median", unchanged * 1e3, "ms")
        say("project ten small files, all read anew: median", anew * 1e3, "ms")
        say("nothing changed / listing and reading the same files with pathlib", unchanged / bare, "x")
        say("all read anew / listing and reading the same files with pathlib", anew / bare, "x")


def median(act: Callable[[], object]) -> float:
    """The middle of many runs of a function, after a first that does not count."""
    act()
    times = []
    for _ in range(200):
        start = time.perf_counter()
        act()
        times.append(time.perf_counter() - start)
    return sorted(times)[100]


if __name__ == "__main__":
    main()
