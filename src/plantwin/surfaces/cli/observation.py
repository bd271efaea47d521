"""Opening the environment and scanning it, with a progress bar."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.progress import Bar

if TYPE_CHECKING:
    from plantwin import Environment, Scan


@contextmanager
def observation(options: argparse.Namespace) -> Iterator[tuple[Environment, Scan]]:
    """The environment that ROOT names, scanned; what is unchanged comes from the index."""
    from plantwin import Environment

    state = Path(options.state) if options.state else None
    environment = Environment(options.root, state=state, ignore=not options.no_ignore)
    try:
        with Bar() as bar:
            scan = environment.scan(jobs=options.jobs, progress=bar)
        yield environment, scan
    finally:
        environment.close()
