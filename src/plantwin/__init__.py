"""PlanTwin: plan work over a private folder that the planner never sees.

    from plantwin import Environment, Session, project
    scan = Environment("~/projects/shop").scan()
    twin = project(scan)
    with Session("~/projects/shop") as session:
        session.run("Review the authentication module for security issues")

Names load when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from plantwin.private.environment import Environment
    from plantwin.private.extensions.declaration import capability
    from plantwin.private.project import Projection, project, projection
    from plantwin.private.scan import Scan
    from plantwin.session import Session
    from plantwin.types.twin import Twin

__all__ = ["Environment", "Projection", "Scan", "Session", "Twin", "__version__", "capability", "project", "projection"]

_HOMES = {
    "Environment": "plantwin.private.environment",
    "Scan": "plantwin.private.scan",
    "Projection": "plantwin.private.project",
    "project": "plantwin.private.project",
    "projection": "plantwin.private.project",
    "Session": "plantwin.session",
    "Twin": "plantwin.types.twin",
    "capability": "plantwin.private.extensions.declaration",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'plantwin' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
