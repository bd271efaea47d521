"""Detection measured next to other scanners: the same as `plantwin bench detect`, which does the work.

python benchmarks/detection.py --corpora DIR --tree DIR
"""

from __future__ import annotations

import sys

from plantwin.surfaces.cli import main

if __name__ == "__main__":
    sys.exit(main(["bench", "detect", *sys.argv[1:]]))
