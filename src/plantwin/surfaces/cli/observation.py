"""Opening the environment and scanning it, with a progress bar."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.progress import Bar

if TYPE_CHECKING:
    from plantwin import Environment, Scan


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits: inside an extension that is just being loaded it could crash the interpreter."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def observation(options: argparse.Namespace) -> Iterator[tuple[Environment, Scan]]:
    """The environment that ROOT names, scanned; what is unchanged comes from the index."""
    with uninterrupted():
        from plantwin import Environment
        from plantwin.config.settings import load_settings
        from plantwin.private.model.choice import for_extraction

    model = for_extraction(load_settings())
    state = Path(options.state) if options.state else None
    environment = Environment(options.root, state=state, ignore=not options.no_ignore, model=model)
    try:
        with Bar() as bar:
            scan = environment.scan(jobs=options.jobs, progress=bar)
        yield environment, scan
    finally:
        environment.close()
