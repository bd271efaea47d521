"""What hardening costs: a decision, a durable reservation and a session now, beside an earlier version of this project.

    python -m benchmarks.before [--peer REVISION] [--rounds 7] [--steps 300]
    python -m benchmarks.before --instructions

The peer is checked out into a temporary worktree and run in turns with this version, each in a process of its own.
Figures are processor time, the least of all rounds, so that a busy machine is no reason; a reservation mostly waits for
the disk, so that it is measured by the clock as well. By default the peer is the version before the ledger, accounts
and verdicts were hardened. A session there showed single objects, so both show objects (`twin.mode = "objects"` here),
and a scripted planner asks the same of the same named files in both; its steps run in workers, whose time counts.
`--instructions` counts what the processor executes for a decision with its reservation instead, under valgrind: that
does not depend on what else the machine does, and knows nothing of the disk.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness import say, scratch

BEFORE = "58a5f67"
"""The parent of the first change that hardened the core."""
HERE = Path(__file__).resolve().parents[1]
MEASURE = """
import json, sys, time
from pathlib import Path

import benchmarks.gatekeeper as bench
from plantwin.types.plan import Plan, Step

folder, steps = Path(sys.argv[1]), int(sys.argv[2])
shown = bench.objects(steps)
gatekeeper, ledger = bench.keeper(folder, shown)
plans = [Plan(steps=(Step(id="s1", capability="security_audit", inputs=(each,)),)) for each in shown]


def least(work, clock=time.process_time_ns):
    taken = []
    for plan in plans:
        began = clock()
        work(plan)
        taken.append(clock() - began)
    taken.sort()
    return taken[len(taken) // 10] / 1e3


found = {"admission": least(gatekeeper.admit)}
half = plans[::2]
plans = plans[1::2]
found["reservation"] = least(lambda plan: gatekeeper.gate(plan, 0, frozenset()))
plans = half
found["reservation by the clock"] = least(lambda plan: gatekeeper.gate(plan, 0, frozenset()), time.perf_counter_ns)
ledger.close()
print(json.dumps(found))
"""
SESSION = """
import json, os, sys
from plantwin.cloud.scripted import Scripted
from plantwin.session import Session
try:
    from plantwin.types.approval import Answer
except ImportError:
    from plantwin.boundary.approval import Answer


class Yes:
    # The peer asks about files whose class it is unsure of.
    def ask(self, question):
        return Answer(question.digest, True)


work = [("security_audit", "@object=1"), ("summarize", "@object=1"), ("security_audit", "@object=2")]
steps = [{"id": f"s{n}", "capability": name, "inputs": [which]} for n, (name, which) in enumerate(work, start=1)]
planner = Scripted([{"steps": steps}], audience="bench", locality="remote")
with Session(sys.argv[1], planner, approver=Yes()) as session:
    done = session.run("Review app/auth.py and app/payments.py for security issues")
told = [verdict.outcome.status for turn in done.turns for verdict in turn.verdicts]
if told != ["done"] * len(work):
    raise SystemExit(f"not the same work: {told} {done.error}")
print(json.dumps({"session": sum(os.times()[:4]) * 1e6}))
"""
COUNTED = """
import sys
from pathlib import Path

import benchmarks.gatekeeper as bench
from plantwin.types.plan import Plan, Step

shown = bench.objects(1000)
gatekeeper, ledger = bench.keeper(Path(sys.argv[1]), shown)
plans = [Plan(steps=(Step(id="s1", capability="security_audit", inputs=(each,)),)) for each in shown]
for plan in plans[: int(sys.argv[2])]:
    gatekeeper.gate(plan, 0, frozenset())
"""
FEW, MANY = 60, 260
"""Decisions of two runs, whose difference is the decisions alone."""
LIMITS = {"admission": 1.3, "reservation": 1.3, "reservation by the clock": 1.3, "session": 1.1}
FILES = 200
VALGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")


def folder(root: Path) -> None:
    """A small project, with two files that the request names."""
    for number in range(FILES):
        name = ("auth", "payments")[number] if number < 2 else f"module{number}"
        text = f"import hashlib\n\n\ndef {name}(value):\n    return hashlib.md5(value + b'{number}').hexdigest()\n"
        file = root / "app" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def measured(tree: Path, code: str, *arguments: str, state: Path) -> dict[str, float]:
    """What one run in a version's own process says."""
    found: dict[str, float] = json.loads(_ran(tree, code, *arguments, state=state).stdout.splitlines()[-1])
    return found


def instructions(tree: Path, decisions: int, state: Path) -> int:
    """Instructions of a process that makes so many decisions."""
    state.mkdir(mode=0o700)
    done = _ran(tree, COUNTED, str(state), str(decisions), state=state, under=VALGRIND)
    return int(done.stderr.rpartition("Collected : ")[2].split()[0])


def _ran(
    tree: Path, code: str, *arguments: str, state: Path, under: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    config = state / "config" / "plantwin"
    config.mkdir(parents=True, exist_ok=True)
    if (tree / "src/plantwin/config").is_dir():  # what came later can also tell of sets
        (config / "config.toml").write_text('[twin]\nmode = "objects"\n')
    paths = {"XDG_STATE_HOME": str(state), "XDG_CONFIG_HOME": str(config.parent), "XDG_CACHE_HOME": str(state)}
    environment = {**os.environ, **paths, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "PYTHONSAFEPATH": "1"}
    environment["PYTHONHASHSEED"] = "0"
    done = subprocess.run(
        [*under, sys.executable, "-c", code, *arguments],
        env=environment,
        cwd=state,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{tree.name}: {done.stderr[-1500:]}")
    return done


def count(trees: dict[str, Path], base: Path) -> None:
    """Print the instructions of one decision in both versions, and the ratio."""
    found = {}
    for name, tree in trees.items():
        few, many = (instructions(tree, number, base / f"{name}{number}") for number in (FEW, MANY))
        found[name] = (many - few) / (MANY - FEW) / 1000
        say(f"a decision with its reservation: {name}", found[name], "thousand instructions")
    say("a decision with its reservation: now / before", found["now"] / found["before"], "x", "at most 1.3")


def main() -> None:
    """Measure in turns and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", default=BEFORE, help="a revision of this repository")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--instructions", action="store_true", help="count instructions, with valgrind")
    options = parser.parse_args()
    with scratch() as base:
        peer, root = base / "peer", base / "project"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "-q", "--detach", peer, options.peer], check=True)
        try:
            if options.instructions:
                count({"before": peer, "now": HERE}, base)
                return
            folder(root)
            found: dict[str, dict[str, list[float]]] = {"before": {}, "now": {}}
            for number in range(options.rounds):
                turns = [("before", peer), ("now", HERE)]
                for name, tree in turns if number % 2 else reversed(turns):
                    state = base / f"{name}{number}"
                    state.mkdir(mode=0o700)
                    told = measured(tree, MEASURE, str(state), str(options.steps), state=state)
                    told |= measured(tree, SESSION, str(root), state=state)
                    for what, taken in told.items():
                        found[name].setdefault(what, []).append(taken)
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", peer], check=True)
    for what, most in LIMITS.items():
        before, now = min(found["before"][what]), min(found["now"][what])
        say(f"{what}: before", before, "us")
        say(f"{what}: now", now, "us")
        say(f"{what}: now / before", now / before, "x", f"at most {most}")


if __name__ == "__main__":
    main()
