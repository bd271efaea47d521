"""What a step over a whole folder costs: beside the same function called directly, in one process for each core.

    python -m benchmarks.fanout [--files N] [--capability NAME ...]

The files are Python modules of the standard library and, spread over all of them, of the installed packages. Fewer
than were asked for is an error. Three times, by the clock:

    direct   the function on every file, in as many processes as there are cores, each of which has loaded everything
    cold     the step, with sandboxed workers that start, and nothing known
    again    the step once more, by another executor: all files are unchanged

Wanted are at most three times `direct` cold, and a tenth of `cold` again. Beside the seconds by the clock stand
processor seconds, of `direct` in all processes and of `again` in the one that does all of it: on a busy machine these
are what to compare. Those of sandboxed workers cannot be seen from outside.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sysconfig
import time
from pathlib import Path

import msgspec

from benchmarks.harness import scratch
from plantwin.private.capabilities import catalog, function
from plantwin.private.capabilities.engine.job import Input, Job
from plantwin.private.execution.calls import FolderView
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher, compiled_rules
from plantwin.private.facts import Record

COLD, AGAIN = 3.0, 0.1
"""Ratios that are wanted at most."""
NAMES = ("security_audit", "secret_scan")
SET = "set_aaaaaaaa"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--capability", action="append", choices=sorted(catalog()))
    options = parser.parse_args()
    with scratch() as folder:
        root = folder / "tree"
        records = _copied(root, options.files)
        time.sleep(0.2)
        cores = os.cpu_count() or 1
        size = sum((root / each.path).stat().st_size for each in records)
        print(f"{len(records)} files, {size / 1e6:.1f} MB, {cores} cores")
        columns = ("seconds (processor)", "direct", "cold", "again", "cold/direct", "again/cold")
        print("{:<20}{:>18}{:>10}{:>16}{:>14}{:>12}".format(*columns))
        for name in options.capability or NAMES:
            before = _direct(root, records, name, cores)
            state = folder / f"{name}.db"
            (cold, _), (again, reread) = _step(root, records, name, state), _step(root, records, name, state)
            # Before and after, and the less of both: what else the machine does must not flatter the step.
            direct, called = min(before, _direct(root, records, name, cores))
            told = "" if cold / direct <= COLD and again / cold <= AGAIN else "  more than wanted"
            figures = f"{direct:.1f} ({called:.1f})", f"{cold:.1f}", f"{again:.1f} ({reread:.2f})"
            ratios = f"{cold / direct:>14.2f}{again / cold:>12.3f}{told}"
            print("{:<20}{:>18}{:>10}{:>16}".format(name, *figures) + ratios, flush=True)
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")


def _copied(root: Path, most: int) -> list[Record]:
    """Copies of installed modules, as a scan would list them."""
    library, packages = Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
    standard = [each for each in sorted(library.rglob("*.py")) if "site-packages" not in each.parts and each.is_file()]
    installed = [each for each in sorted(packages.rglob("*.py")) if each.is_file()]
    if len(standard) + len(installed) < most:
        raise SystemExit(f"only {len(standard) + len(installed)} modules are installed here: give a lower --files")
    room = max(most - len(standard), 0)
    spread = [installed[position * len(installed) // room] for position in range(room)]
    records = []
    for number, file in enumerate([*standard[:most], *spread]):
        inside = packages if file.is_relative_to(packages) else library
        path = Path("packages" if inside is packages else "library", file.relative_to(inside))
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, root / path)
        records.append(
            Record(
                number=number,
                path=str(path),
                kind="code_file",
                semantic_class="utility_library",
                family="library",
                role="production",
                sensitivity="low",
                freshness="stale",
                size_bucket="small",
                confidence="high",
            )
        )
    return records


def _step(root: Path, records: list[Record], name: str, state: Path) -> tuple[float, float]:
    executor = SandboxExecutor(
        Launcher(root), {}, scanned_ns=time.time_ns(), view=FolderView(members=lambda _: records), cache=state
    )
    if not executor.sandboxed:
        raise SystemExit("no sandbox here: nothing to measure")
    began, before = time.perf_counter(), time.process_time()
    executor.execute("s1", catalog()[name], [SET])
    executor.close()
    took = time.perf_counter() - began, time.process_time() - before
    coverage = executor.results["s1"].coverage
    if coverage is None or coverage.examined < len(records):
        raise SystemExit(f"{name}: not everything was examined: {msgspec.to_builtins(coverage)}")
    return took


def _direct(root: Path, records: list[Record], name: str, cores: int) -> tuple[float, float]:
    """The function itself, on every file, in one process for each core."""
    context = multiprocessing.get_context("fork")
    with context.Pool(cores) as pool:
        call = _Call(str(root), name)
        pool.map(call, [records[0].path] * cores * 4, chunksize=1)  # what it loads once is loaded
        began, before = time.perf_counter(), sum(os.times()[2:4])
        pool.map(call, [each.path for each in records], chunksize=8)
        took = time.perf_counter() - began
        pool.close()
        pool.join()  # only then is their processor time known
        return took, sum(os.times()[2:4]) - before


class _Call:
    """One call of a capability's function on one file; what it gives is encoded, as a worker's reply is."""

    def __init__(self, root: str, name: str) -> None:
        self._root = root
        self._name = name

    def __call__(self, path: str) -> int:
        given = Input(
            name=path,
            kind="code_file",
            semantic_class="utility_library",
            file=os.path.join(self._root, path),  # noqa: PTH118
        )
        options: dict[str, object] = {"rules": str(compiled_rules())}
        result = function(self._name)(Job(capability=self._name, inputs=(given,), options=options))
        return len(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
