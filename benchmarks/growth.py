"""How time and memory grow: 1,000 to 100,000 small files, and one 2 GB log.

    python -m benchmarks.growth [--largest 100000] [--log-gb 2]

The peer is the same work at a smaller size: time per file must stay the same.
"""

from __future__ import annotations

import argparse

from benchmarks.harness import big_log, say, scan, scratch, small_tree


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--log-gb", type=float, default=2.0)
    options = parser.parse_args()
    sizes = [size for size in (1_000, 10_000, 100_000) if size <= options.largest]
    with scratch() as folder:
        first = None
        for size in sizes:
            tree = folder / f"tree{size}"
            small_tree(tree, size)
            cold = scan(tree, folder / f"state{size}")
            each = cold.wall / size * 1e6
            first = first or each
            say(f"{size} files: microseconds per file", each, "us", f"{each / first:.2f} of the smallest tree's")
            say(f"{size} files: peak memory", cold.memory, "MB", "at most 600")
            warm = scan(tree, folder / f"state{size}")
            say(f"{size} files: nothing changed / cold", 100 * warm.wall / cold.wall, "%", "at most 5")
        if options.log_gb:
            tree = folder / "log"
            tree.mkdir()
            (tree / "notes.txt").write_text("nothing\n")
            alone = scan(tree, folder / "state-log")
            big_log(tree / "server.log", int(options.log_gb * 1e9))
            with_log = scan(tree, folder / "state-log")
            say(f"{options.log_gb} GB log: added memory", with_log.memory - alone.memory, "MB", "at most 150")
            say(f"{options.log_gb} GB log: rate", options.log_gb * 1e3 / with_log.wall, "MB/s")


if __name__ == "__main__":
    main()
