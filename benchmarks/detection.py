"""Detection measured next to other scanners, and what it adds to a scan.

python -m benchmarks.detection --corpora DIR --tree DIR     as `plantwin bench detect`, which does the work
python -m benchmarks.detection --share [--files 3000]       a scan with detection and with none, in processor time
python -m benchmarks.detection --line [--megabytes 50]      one long line, listed and counted: speed and memory
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from benchmarks.harness import run, say, scan, scratch, source_tree

WITHOUT = """
import plantwin.private.detect as redact

class Stream:
    def feed(self, chunk): pass
    def finish(self): return []
    def summary(self): return ()

class Nothing:
    rules = ()
    def survey(self, data, *, path=""): return ()
    def scan(self, data, *, path=""): return []
    def columns(self, data, path=""): return []
    def stream(self, path="", **options): return Stream()

redact.detector = lambda *arguments, **options: Nothing()
import sys
from plantwin.surfaces.cli import main
sys.exit(main(["scan", sys.argv[1], "--json"]))
"""
"""A scan whose detector finds nothing at no cost."""


def share(files: int, repeat: int) -> None:
    """What detection adds to a cold scan; runs alternate, so that other work on the machine meets both."""
    with scratch() as folder:
        tree = folder / "tree"
        tree.mkdir()
        count, size = source_tree(tree, files)
        print(f"{count} files, {size / 1e6:.1f} MB; least processor time of {repeat}")
        scan(tree, folder / "first")  # Compiles the rules.
        on, off = [], []
        for number in range(repeat):
            on.append(scan(tree, folder / f"on{number}").cpu)
            state = {"PLANTWIN_STATE": str(folder / f"off{number}")}
            off.append(run([sys.executable, "-c", WITHOUT, str(tree)], env=state).cpu)
        say("scan with detection / without, processor", min(on) / min(off), "x", "at most 1.5")


def line(megabytes: int) -> None:
    """One line of so many megabytes, ordinary and hostile: it takes linear time and bounded memory."""
    from plantwin.private.detect import detector

    found = detector()
    found.scan(b"warm")
    for piece in (b'{"key": "value", "list": [1,2,3]}, ', b"key=", b"aB3dE5fG7"):
        speeds = []
        whole = megabytes if piece[:1] == b"{" else max(5, megabytes // 5)
        for size in (whole // 5, whole):
            data = piece * (size * 1_000_000 // len(piece))
            for read in (found.scan, found.survey):
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                begin = time.process_time()
                read(data, path="line.json")
                speeds.append(len(data) / 1e6 / (time.process_time() - begin))
                grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
                say(f"{piece[:12]!r} {size} MB, {read.__name__}", speeds[-1], "MB/s", f"memory grew by {grown:.0f} MB")
        say("  listed, time per byte: whole / a fifth", speeds[0] / speeds[2], "x", "about 1")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("--share", action="store_true")
    parser.add_argument("--line", action="store_true")
    parser.add_argument("--files", type=int, default=3_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--megabytes", type=int, default=50)
    options, others = parser.parse_known_args()
    if options.share:
        share(options.files, options.repeat)
    elif options.line:
        line(options.megabytes)
    else:
        from plantwin.surfaces.cli import main as plantwin

        return plantwin(["bench", "detect", *others])
    return 0


if __name__ == "__main__":
    sys.exit(main())
