"""The reports that sessions left in the state folder, newest first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.private.facts import private
from plantwin.private.state import State

_name = re.compile(r"\d{8}-\d{6}-[0-9a-f]{16}")


@private
class Kept(NamedTuple):
    """One report."""

    path: Path
    data: Path
    """Every finding as JSON."""
    told: dict[str, Any]

    @property
    def root(self) -> Path:
        """The folder that it is about."""
        return Path(str(self.told.get("root", "")))


def reports(state: State) -> Iterator[Kept]:
    """Every report that can be read."""
    for path in sorted(state.subfolder("reports").glob("*.md"), reverse=True):
        data = path.with_suffix(".json")
        if not _name.fullmatch(path.stem):
            continue
        try:
            told = json.loads(data.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(told, dict):
            yield Kept(path, data, told)
