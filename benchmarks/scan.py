"""Cold and warm scans next to detect-secrets, repomix and ripgrep on the same files.

    python -m benchmarks.scan [--files 10000] [--repeat 3] [--repomix PATH]

Peers that are not installed are named as not run. detect-secrets reads in one process, so it is
compared per core (its wall time against PlanTwin's processor time) and by wall time.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from benchmarks.harness import PLANTWIN, best, run, say, scan, scratch, source_tree


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--repomix", default=shutil.which("repomix"), help="path of the repomix program")
    parser.add_argument("--skip-slow", action="store_true", help="leave detect-secrets out")
    options = parser.parse_args()
    with scratch() as folder:
        tree = folder / "tree"
        tree.mkdir()
        files, size = source_tree(tree, options.files)
        print(f"{files} files, {size / 1e6:.1f} MB; best of {options.repeat}\n")
        cold = best([scan(tree, folder / f"state{n}") for n in range(options.repeat)])
        say("plantwin scan, cold: wall", cold.wall, "s", f"{files / cold.wall:.0f} files/s")
        say("plantwin scan, cold: processor / wall", cold.cpu / cold.wall, "cores")
        say("plantwin scan, cold: peak memory", cold.memory, "MB")

        state = folder / "state0"
        warm = best([scan(tree, state) for _ in range(max(5, options.repeat))])
        say("nothing changed / cold", 100 * warm.wall / cold.wall, "%", "at most 5")
        changed = []
        victims = sorted(tree.rglob("*.py"))[:: max(1, files // 20)]
        for path in victims[: max(5, options.repeat)]:
            path.write_bytes(path.read_bytes() + b"\nCHANGED = 1\n")
            time.sleep(0.1)
            changed.append(scan(tree, state))
        say("one file changed / cold", 100 * best(changed).wall / cold.wall, "%", "at most 6")
        peers(tree, folder, options, cold)


def peers(tree: Path, folder: Path, options: argparse.Namespace, cold: object) -> None:
    from benchmarks.harness import Run

    if not isinstance(cold, Run):
        raise TypeError
    if options.repomix:
        command = [options.repomix, "--no-gitignore", "--no-default-patterns", "--quiet", "-o", str(folder / "out.xml")]
        peer = best([run([*command, str(tree)], folder=tree) for _ in range(options.repeat)])
        say("repomix / plantwin, wall", peer.wall / cold.wall, "x", "at least 1")
        say("repomix / plantwin, processor", peer.cpu / cold.cpu, "x")
    else:
        print("repomix: not run (not installed)")
    if ripgrep := shutil.which("rg"):
        peer = best([run([ripgrep, "--no-ignore", "-c", "", str(tree)]) for _ in range(options.repeat)])
        say("plantwin / ripgrep counting every line, wall", cold.wall / peer.wall, "x", "distance to the limit")
    else:
        print("ripgrep: not run (not installed)")
    try:
        import detect_secrets  # noqa: F401
    except ImportError:
        print("detect-secrets: not run (not installed)")
        return
    if options.skip_slow:
        print("detect-secrets: not run (left out)")
        return
    peer = run([sys.executable, "-m", "detect_secrets", "scan", "--all-files", "."], folder=tree)
    say("detect-secrets / plantwin, wall", peer.wall / cold.wall, "x", "at least 20")
    say("detect-secrets / plantwin, processor (per core)", peer.cpu / cold.cpu, "x")
    say("detect-secrets: processor / wall", peer.cpu / peer.wall, "cores")


if __name__ == "__main__":
    print(" ".join(PLANTWIN[1:]))
    main()
