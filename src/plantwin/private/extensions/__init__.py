"""Capabilities of the person's own: Python functions and command lines.

They are named in the person's configuration or come with an installed package, never from an observed folder: that is
content, and content runs nothing. All of them run in the same sandboxed worker as the built-in ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plantwin.private.extensions.registry import Registered
    from plantwin.types.capability import Capability
    from plantwin.types.identity import Issuer

GROUP = "plantwin.capabilities"
"""The group of entry points in which an installed package names its modules."""


def registered(table: Mapping[str, Any], root: Path, state: Path) -> tuple[Registered, ...]:
    """Everything of the person's own, checked. `table`: the section `[capabilities]` of their configuration."""
    if not table and not installed():
        return ()
    # Most people have none, and a worker that imports this package needs none of the rest.
    from plantwin.private.extensions.registry import register

    return register(table, root, state)


@cache
def installed() -> tuple[EntryPoint, ...]:
    """What packages register. They are looked for once: reading every package's metadata takes a while."""
    return tuple(sorted(set(entry_points(group=GROUP)), key=lambda entry: entry.value))


def issued(own: Iterable[Registered], issuer: Issuer) -> Iterator[Capability]:
    """The same under fresh names, for one session."""
    from msgspec.structs import replace

    for registration in own:
        yield replace(registration.capability, wire=issuer.capability_id())
