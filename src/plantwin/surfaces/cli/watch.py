"""`plantwin watch`: scans again whenever files change, so that other commands find a fresh index.

Nothing trusts it: every command compares each file with the index itself, so a missed event costs a second, not truth.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import GateError, InputError
from plantwin.surfaces.cli.arguments import add_folder, add_json, state_of
from plantwin.surfaces.cli.output import FORMAT, note, write_line
from plantwin.surfaces.render.text import path_fields, plural, printable

if TYPE_CHECKING:
    from plantwin import Environment
    from plantwin.private.facts import Summary

EXAMPLE = "plantwin watch ~/projects/shop"
MISSING = "watchfiles is not installed: pip install 'plantwin[watch]'"
EVERY = 60_000
"""Milliseconds after which it looks without an event: some file systems tell of none."""
REST = 4.0
"""Times as long as a scan took, nothing is done: a folder that is written all the time must not take the processor."""
LONGEST_REST = 20.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Scan, then again after each change, until interrupted."""
    from plantwin import Environment

    environment = Environment(options.root, state=state_of(options).folder, ignore=not options.no_ignore)
    try:
        if environment.only is not None:
            raise InputError("a folder can be watched, not a file: name its folder")
        changes = _changes(environment)
        _update(environment, options, first=True)
        for _ in changes:
            _update(environment, options)
    except KeyboardInterrupt:
        note("Stopped; the index stays as it is.")
    finally:
        environment.close()
    return 0


def _changes(environment: Environment) -> Iterator[object]:
    """Whenever something below the root changed, or nothing was heard for long."""
    try:
        from watchfiles import watch
    except ModuleNotFoundError as error:
        raise InputError(MISSING) from error
    from plantwin.private.observe.ignore import DEFAULTS, NEVER

    root, own = environment.root, environment.own()
    left_out = NEVER | DEFAULTS if environment.ignore else NEVER

    def observed(_change: object, path: str) -> bool:
        """Whether a scan could look at it: not at our own state, nor into folders that are never entered."""
        relative = Path(path).relative_to(root)
        return left_out.isdisjoint(relative.parts) and not f"{relative}/".startswith(own)

    heard = watch(root, watch_filter=observed, rust_timeout=EVERY, yield_on_timeout=True, ignore_permission_denied=True)
    return _told(heard)


def _told(heard: Iterator[object]) -> Iterator[object]:
    try:
        yield from heard
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else type(error).__name__
        hint = "see fs.inotify.max_user_watches, or go without: every command scans"
        raise GateError(f"the folder cannot be watched ({reason}): {hint}") from None


def _update(environment: Environment, options: argparse.Namespace, *, first: bool = False) -> None:
    started = time.monotonic()
    summary = environment.scan(jobs=options.jobs).summary
    if first or summary.read or summary.removed:
        _say(options, summary)
    if not first:
        time.sleep(min(REST * (time.monotonic() - started), LONGEST_REST))


def _say(options: argparse.Namespace, summary: Summary) -> None:
    if options.json:
        told = {name: getattr(summary, name) for name in ("files", "objects", "read", "removed")}
        members = {**path_fields(options.root, "root"), **told, "seconds": round(summary.seconds, 4)}
        sys.stdout.write(json.dumps({"format": FORMAT, "command": "watch", **members}) + "\n")
    else:
        write_line(
            f"{printable(options.root)}: {plural(summary.files, 'file')}, read {summary.read:,},"
            f" removed {summary.removed:,}, {summary.seconds:.2f} s"
        )
    sys.stdout.flush()
