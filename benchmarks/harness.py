"""Shared by all benchmarks: trees, timing of whole commands with their peak memory, and ratios."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PLANTWIN = [sys.executable, "-m", "plantwin"]


class Run(NamedTuple):
    """One run of a command: wall seconds, processor seconds, peak of proportional memory in MB."""

    wall: float
    cpu: float
    memory: float


@contextmanager
def scratch() -> Iterator[Path]:
    """A temporary folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="plantwin-bench-") as name:
        yield Path(name)


def source_tree(target: Path, files: int) -> tuple[int, int]:
    """Copy text files of the standard library and installed packages; their number and bytes."""
    paths = sysconfig.get_paths()
    wanted = (".py", ".pyi", ".c", ".h", ".js", ".ts", ".json", ".md", ".rst", ".txt", ".yml", ".yaml", ".toml", ".cfg",
              ".html", ".css", ".sh", ".xml", ".csv")  # fmt: skip
    found: list[tuple[Path, Path]] = []
    roots = list(dict.fromkeys((paths["stdlib"], paths["purelib"])))
    for position, root in enumerate(roots):
        for folder, folders, names in os.walk(root):
            folders[:] = [each for each in folders if each not in ("__pycache__", "node_modules")]
            if position == 0 and "site-packages" in folder and len(roots) > 1 and roots[1] in folder:
                continue
            for name in names:
                path = Path(folder, name)
                if path.suffix in wanted and not path.is_symlink() and path.stat().st_size < 2_000_000:
                    found.append((path, Path(f"root{position}") / path.relative_to(root)))
    random.Random(1).shuffle(found)
    size = 0
    for path, relative in found[:files]:
        copy = target / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        size += copy.stat().st_size
    time.sleep(0.2)
    return min(files, len(found)), size


def small_tree(target: Path, files: int) -> None:
    """A generated tree of small files: code, configs, documents, data, a hundred to a folder."""
    choose = random.Random(2)
    for number in range(files):
        folder = target / f"part{number // 10_000:02d}" / f"unit{number // 100:05d}"
        if number % 100 == 0:
            folder.mkdir(parents=True)
        word = f"item{choose.randrange(10**6)}"
        shape = number % 10
        if shape < 6:
            other = number - number % 100 + choose.randrange(100)
            text = (
                f"import json\nfrom . import module{other}\n\n\ndef load_{word}(path):\n"
                f"    with open(path) as file:\n        return json.load(file)\n\n\n"
                f"class {word.title()}:\n    limit = {number}\n\n    def run(self, value):\n"
                f"        return load_{word}(value)[{number}]\n"
            )
            name = f"module{number}.py"
        elif shape == 6:
            text, name = f"service:\n  name: {word}\n  port: {number % 60000}\n  workers: 4\n", f"settings{number}.yaml"
        elif shape == 7:
            text, name = f"# {word}\n\nHow unit {number} works.\n\n- start it\n- stop it\n", f"notes{number}.md"
        elif shape == 8:
            text, name = f'{{"id": {number}, "name": "{word}", "tags": ["a", "b"]}}\n', f"record{number}.json"
        else:
            text, name = f"id,name,amount\n{number},{word},{number % 97}.50\n", f"table{number}.csv"
        (folder / name).write_text(text)


def big_log(path: Path, size: int) -> None:
    """An application log of about so many bytes."""
    choose = random.Random(3)
    levels = ["INFO"] * 40 + ["WARN"] * 4 + ["ERROR"]
    lines = "".join(
        f"2026-03-{1 + n % 28:02d}T{n % 24:02d}:{n % 60:02d}:{(n * 7) % 60:02d}Z {choose.choice(levels)} "
        f"worker-{n % 16} request {choose.randrange(10**9)} from 10.0.{n % 256}.{n % 250} "
        f"took {choose.randrange(900)} ms\n"
        for n in range(100_000)
    ).encode()
    with path.open("wb") as file:
        for _ in range(size // len(lines) + 1):
            file.write(lines)


def run(command: list[str], *, folder: Path | None = None, env: dict[str, str] | None = None) -> Run:
    """Run a command to its end and measure it with its children."""
    import psutil

    before = os.times()
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **(env or {})}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    peak = 0.0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.05):
            total = 0
            try:
                root = psutil.Process(process.pid)
                for each in (root, *root.children(recursive=True)):
                    total += each.memory_full_info().pss
            except psutil.Error:
                continue
            peak = max(peak, total / 1e6)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, errors = process.communicate()
    wall = time.perf_counter() - start
    done.set()
    watcher.join()
    after = os.times()
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} failed: {errors.decode(errors='replace')[-800:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(wall, cpu, peak)


def best(runs: list[Run]) -> Run:
    """The fastest of several runs, with the largest memory of any."""
    fastest = min(runs, key=lambda each: each.wall)
    return Run(fastest.wall, fastest.cpu, max(each.memory for each in runs))


def scan(root: Path, state: Path, *arguments: str) -> Run:
    """One `plantwin scan` with its own state folder."""
    return run([*PLANTWIN, "scan", str(root), "--json", *arguments], env={"PLANTWIN_STATE": str(state)})


def say(name: str, value: float, unit: str, note: str = "") -> None:
    """One line of a report."""
    print(f"{name:<58} {value:>10.3f} {unit:<8} {note}")
