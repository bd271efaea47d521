"""What a change costs next to a cold scan of the same tree: edits, a new import, additions, renames, deletes, a switch.

    python -m benchmarks.changes TREE [--switch 2000] [--repeat 3]

TREE is copied first. Each row is whole `plantwin scan` commands: wall and processor time as shares of the cold scan's.
"""

from __future__ import annotations

import argparse
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.harness import best, scan, scratch

IMPORTS = {
    ".py": b"import collections\n",
    ".ts": b'import first from "./index";\n',
    ".go": b'package main\n\nimport "os/exec"\n',
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--switch", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with scratch() as folder:
        tree = folder / "tree"
        shutil.copytree(options.tree, tree, symlinks=True)
        files = sorted(path for path in tree.rglob("*") if path.suffix in IMPORTS and path.stat().st_size > 1000)
        random.Random(1).shuffle(files)
        time.sleep(0.2)
        cold = scan(tree, folder / "state")
        print(f"cold: {cold.wall:.1f} s by the clock, {cold.cpu:.1f} of the processor, {cold.memory:.0f} MB")

        def row(name: str, change: Callable[[Path], object], number: int = 1) -> None:
            runs = []
            for _ in range(options.repeat if number == 1 else 1):
                for _ in range(number):
                    change(files.pop())
                time.sleep(0.1)
                runs.append(scan(tree, folder / "state"))
            run = best(runs)
            print(f"{name:<24} {100 * run.wall / cold.wall:6.1f} % {100 * run.cpu / cold.cpu:6.1f} %  {run.cpu:.2f} s")

        row("nothing changed", lambda path: None)
        row("a line at the end", lambda path: path.write_bytes(path.read_bytes() + b"\n// note\n"))
        row("a line in the middle", _insert)
        row("a new import", lambda path: path.write_bytes(IMPORTS[path.suffix] + path.read_bytes()))
        row("a file more", lambda path: shutil.copyfile(path, path.with_name(f"added_{path.name}")))
        row("a file renamed", lambda path: path.rename(path.with_name(f"renamed_{path.name}")))
        row("a file less", lambda path: path.unlink())
        row(f"a switch of {options.switch} files", _insert, min(options.switch, len(files)))


def _insert(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines.insert(len(lines) // 2, b"some_words(1)\n")
    path.write_bytes(b"".join(lines))


if __name__ == "__main__":
    main()
