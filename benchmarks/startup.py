"""What a command costs before it does anything, and what ten small files cost in a warm process.

python -m benchmarks.startup
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
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
    """Project a folder of ten small files again and again, nothing cached: the paper's millisecond."""
    from plantwin import Environment, project

    with scratch() as folder:
        tree = folder / "tree"
        small_tree(tree, 10)
        project(Environment(tree, keep=False))
        times = []
        for _ in range(200):
            start = time.perf_counter()
            twin = project(Environment(tree, keep=False))
            times.append(time.perf_counter() - start)
        read = []
        for _ in range(200):
            start = time.perf_counter()
            for path in tree.rglob("*.*"):
                path.read_bytes()
            read.append(time.perf_counter() - start)
        say(f"project {len(twin.objects)} small files, warm: median", sorted(times)[100] * 1e3, "ms")
        say("project / listing and reading the same files with pathlib", sorted(times)[100] / sorted(read)[100], "x")


if __name__ == "__main__":
    main()
