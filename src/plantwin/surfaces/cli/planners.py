"""Which planner a name stands for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from plantwin.errors import InputError

if TYPE_CHECKING:
    from plantwin.cloud.planner import Planner
    from plantwin.types.capability import Catalog

LOCAL = ("offline", "scripted")
"""Planners that send nothing anywhere."""


def planner_of(name: str, catalog: Catalog) -> Planner:
    """`offline`, or `scripted:FILE`."""
    sort, colon, argument = name.partition(":")
    if sort == "offline" and not colon:
        from plantwin.cloud.offline import Offline

        return Offline(catalog)
    if sort == "scripted" and argument:
        from plantwin.cloud.scripted import Scripted

        return Scripted.from_file(Path(argument).expanduser())
    raise InputError(f"no planner is named '{name}': there are offline and scripted:FILE")
