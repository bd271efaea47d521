"""Runs capabilities on real objects, each in a worker process of its own that sees its inputs and nothing else."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plantwin.private.execution.calls import FolderView
    from plantwin.private.execution.executor import SandboxExecutor
    from plantwin.private.execution.launcher import Launcher, launcher_for
    from plantwin.private.execution.protocol import Limits

__all__ = ("FolderView", "Launcher", "Limits", "SandboxExecutor", "launcher_for")

_PLACES = {
    "FolderView": "calls",
    "SandboxExecutor": "executor",
    "Launcher": "launcher",
    "launcher_for": "launcher",
    "Limits": "protocol",
}


def __getattr__(name: str) -> object:
    # Loaded when asked for: a worker imports this package too, and needs neither.
    if name not in _PLACES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
