"""Opening the environment and scanning it, with a progress bar."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from plantwin.surfaces.cli.progress import Bar

if TYPE_CHECKING:
    from plantwin import Environment
    from plantwin.private.environment import Scan


def open_environment(options: argparse.Namespace) -> Environment:
    """The environment that ROOT and --state name."""
    from plantwin import Environment

    return Environment(options.root, state=options.state)


def observe(options: argparse.Namespace, environment: Environment | None = None) -> Scan:
    """Scan ROOT: what is unchanged comes from the index."""
    environment = environment or open_environment(options)
    with Bar() as bar:
        return environment.scan(jobs=options.jobs, progress=bar)
