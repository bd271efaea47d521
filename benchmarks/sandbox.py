"""What the sandbox costs: a step in a worker of its own, beside the same function called directly.

    python -m benchmarks.sandbox [--rounds N]

By the clock, the median over all rounds, for capabilities from light to heavy. The direct call is made in a process
that has loaded everything already, so all of a worker's start counts as overhead, and so does loading the libraries
that the capability needs. Three ways:

    in a plan   steps of one plan, one right after the other: the next workers start while a step runs
    paced       the same with half a second between steps, as where a person or a planner is asked
    alone       a single step of which nobody knew before: everything starts when it is asked for

Processor time is that of a worker alone and without the sandbox: the system does not tell it of one that ends inside.
Where the machine is busy, it says more than the clock. The last lines say where a worker's time goes.
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
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.execution import sandbox
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher

LIMIT = 0.120
PACE = 0.5
TITLES = ("direct", "in a plan", "paced", "alone", "alone cpu")
WIDTH = 11
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
        executor = SandboxExecutor(Launcher(root), records, scanned_ns=scanned)
        if not executor.sandboxed:
            raise SystemExit("no sandbox here: nothing to measure")
        print(f"{'milliseconds':<16}" + "".join(f"{title:>{WIDTH}}" for title in TITLES))
        direct = {name: _direct(root, name, file, rounds) for name, file in STEPS}
        ways = [_planned(executor, rounds, 0.0), _planned(executor, max(1, rounds // 4), PACE)]
        alone = {name: _alone(executor, name, file, rounds) for name, file in STEPS}
        for name, _ in STEPS:
            figures = (direct[name], *(way[name] for way in ways), *alone[name])
            print(f"{name:<16}" + "".join(f"{value * 1000:>{WIDTH}.1f}" for value in figures))
        columns = [*ways, {name: clock for name, (clock, _) in alone.items()}]
        middle = [statistics.median(way[name] - direct[name] for name, _ in STEPS) for way in columns]
        print(f"{'overhead':<16}{'':>{WIDTH}}" + "".join(f"{value * 1000:>{WIDTH}.1f}" for value in middle))
        print(f"\nmedian overhead in a plan {middle[0] * 1000:.0f} ms, at most {LIMIT * 1000:.0f} wanted")
    _profile(rounds)


def _files(name: str, file: str) -> list[str]:
    return [file, "more.md"] if catalog()[name].least == 2 else [file]


def _direct(root: Path, name: str, file: str, rounds: int) -> float:
    inputs = tuple(Input(name=each, kind="document", file=str(root / each)) for each in _files(name, file))
    job = Job(capability=name, inputs=inputs)
    run = function(name)
    run(job)  # what it loads once is loaded
    return statistics.median(_timed(partial(run, job))[0] for _ in range(rounds))


def _planned(executor: SandboxExecutor, rounds: int, pace: float) -> dict[str, float]:
    """Median of each step over plans in which every one of them occurs twice."""
    times: dict[str, list[float]] = {name: [] for name, _ in STEPS}
    for _ in range(rounds):
        executor.forget()
        executor.expect(catalog()[name] for name, _ in STEPS * 2)
        for number, (name, file) in enumerate(STEPS * 2):
            time.sleep(pace)
            times[name].append(_step(executor, f"s{number}", name, file)[0])
    executor.close()
    return {name: statistics.median(each) for name, each in times.items()}


def _alone(executor: SandboxExecutor, name: str, file: str, rounds: int) -> tuple[float, float]:
    """By the clock with the sandbox, and processor time without it."""
    clock, cpu = [], []
    for number in range(rounds):
        clock.append(_step(executor, f"s{number}", name, file)[0])
        launcher = executor._launcher
        tool, launcher.tool = launcher.tool, None
        cpu.append(_step(executor, f"b{number}", name, file)[1])
        launcher.tool = tool
    return statistics.median(clock), statistics.median(cpu)


def _step(executor: SandboxExecutor, step: str, name: str, file: str) -> tuple[float, float]:
    inputs = [f"artifact_{each}" for each in _files(name, file)]
    used = _timed(partial(executor.execute, step, catalog()[name], inputs))
    if step not in executor.results:
        raise SystemExit(f"{name} failed: {executor.errors}")
    return used


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
    load = f"import sys; sys.path[:0] = {path!r}; import plantwin.private.execution.worker"
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
