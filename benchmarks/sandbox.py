"""What the sandbox costs: a step in a worker of its own, beside the same function called directly.

    python -m benchmarks.sandbox [--rounds N]

By the clock and in processor time, the median over all rounds, for capabilities from light to heavy. The direct call
is made in a process that has loaded everything already, so all of a worker's start counts as overhead, and so does
loading the libraries that the capability needs. Processor time is that of a worker without the sandbox: the system
does not tell it of one that ends inside. Where the machine is busy, it says more than the clock.
The last lines say where a worker's time goes.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.harness import scratch
from plantwin import Environment
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.job import Input, Job
from plantwin.private.execute import SandboxExecutor, sandbox

LIMIT = 0.120
COLUMNS = (("worker ms", 11), ("direct ms", 11), ("overhead", 10), ("worker cpu", 12), ("direct cpu", 12))
STEPS = (("summarize", "notes.md"), ("compare", "notes.md"), ("secret_scan", "app.py"), ("security_audit", "app.py"))
CODE = "import hashlib\n\n\ndef check(word, salt):\n    return hashlib.md5((salt + word).encode()).hexdigest()\n\n\n"
NOTES = "# Notes\n\nHow the shop works.\n\n- The service must answer within 200 ms.\n- To do: rotate the key.\n\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with scratch() as folder:
        root = folder / "shop"
        root.mkdir()
        for name, text in (("app.py", CODE * 40), ("notes.md", NOTES * 40), ("more.md", NOTES * 39)):
            (root / name).write_text(text)
        time.sleep(0.1)
        scanned = time.time_ns()
        environment = Environment(root, state=folder / "state")
        records = {f"artifact_{each.path}": each for each in environment.scan(jobs=1).records()}
        environment.close()
        executor = SandboxExecutor(root, records, scanned_ns=scanned)
        if not executor.sandboxed:
            raise SystemExit("no sandbox here: nothing to measure")
        print(f"{'capability':<16}" + "".join(f"{title:>{width}}" for title, width in COLUMNS))
        overheads = [_measure(executor, root, name, file, rounds) for name, file in STEPS]
        middle = statistics.median(overheads)
        print(f"\nmedian overhead {middle * 1000:.0f} ms by the clock, at most {LIMIT * 1000:.0f} wanted")
    _profile(rounds)


def _measure(executor: SandboxExecutor, root: Path, name: str, file: str, rounds: int) -> float:
    capability = catalog()[name]
    files = [file, "more.md"] if capability.least == 2 else [file]
    inputs = tuple(Input(name=each, kind="document", file=str(root / each)) for each in files)
    job = Job(capability=name, inputs=inputs)
    run = function(name)
    run(job)  # what it loads once is loaded
    worker, bare, direct = [], [], []
    for number in range(rounds):
        worker.append(
            _timed(partial(executor.execute, f"s{number}", capability, [f"artifact_{each}" for each in files]))
        )
        tool, executor._tool = executor._tool, None
        bare.append(_timed(partial(executor.execute, f"b{number}", capability, [f"artifact_{each}" for each in files])))
        executor._tool = tool
        if executor.errors:
            raise SystemExit(f"{name} failed: {executor.errors}")
        direct.append(_timed(partial(run, job)))
    wall, cpu = statistics.median(each[0] for each in worker), statistics.median(each[1] for each in bare)
    own, work = (statistics.median(each[column] for each in direct) for column in (0, 1))
    figures = (wall, own, wall - own, cpu, work)
    cells = (f"{value * 1000:>{width}.1f}" for value, (_, width) in zip(figures, COLUMNS, strict=True))
    print(f"{name:<16}" + "".join(cells))
    return wall - own


def _timed(call: Callable[[], object]) -> tuple[float, float]:
    used, began = _cpu(), time.perf_counter()
    call()
    return time.perf_counter() - began, _cpu() - used


def _cpu() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def _profile(rounds: int) -> None:
    """What a worker does before the capability: the sandbox, the interpreter, our own modules."""
    tool = sandbox.bubblewrap()
    if tool is None:
        return
    start = sandbox.interpreter()
    path = [str(Path(sandbox.package()).parent), *sandbox.dependencies()]
    load = f"import sys; sys.path[:0] = {path!r}; import plantwin.private.execute.worker"
    parts = {
        "interpreter": [*start, "-c", "pass"],
        "interpreter, worker": [*start, "-c", load],
        "sandbox, interpreter": [*sandbox.command(tool, (), 1 << 20), *start, "-c", "pass"],
    }
    print()
    for name, command in parts.items():
        times = [_timed(partial(subprocess.run, command, check=True, env={})) for _ in range(rounds)]
        wall, cpu = (statistics.median(each[column] for each in times) for column in (0, 1))
        print(f"{name:<22}{wall * 1000:>8.1f} ms by the clock{cpu * 1000:>8.1f} ms of processor")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
