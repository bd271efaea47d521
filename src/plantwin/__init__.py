"""PlanTwin: plan work over a private folder that the planner never sees.

    from plantwin import Environment, Session, project
    scan = Environment("~/projects/shop").scan()
    twin = project(scan)
    with Session("~/projects/shop") as session:
        session.run("Review the authentication module for security issues")

What is listed here is the public interface (docs/embedding.md); other modules may change. Names load when they are
first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from plantwin.boundary.release import Released as Released
    from plantwin.cloud.planner import Planner as Planner
    from plantwin.cloud.planner import outbound as outbound
    from plantwin.config.settings import Settings as Settings
    from plantwin.config.settings import load_settings as load_settings
    from plantwin.errors import PlannerError as PlannerError
    from plantwin.errors import PlanTwinError as PlanTwinError
    from plantwin.events import Began as Began
    from plantwin.events import Decided as Decided
    from plantwin.events import Deciding as Deciding
    from plantwin.events import Ended as Ended
    from plantwin.events import Event as Event
    from plantwin.events import Planned as Planned
    from plantwin.events import Sending as Sending
    from plantwin.events import Silent as Silent
    from plantwin.events import Stopped as Stopped
    from plantwin.events import Watcher as Watcher
    from plantwin.ledgers.sqlite import SqliteLedger as SqliteLedger
    from plantwin.private.environment import Environment as Environment
    from plantwin.private.extensions.declaration import capability as capability
    from plantwin.private.project import Projection as Projection
    from plantwin.private.project import project as project
    from plantwin.private.project import projection as projection
    from plantwin.private.scan import Scan as Scan
    from plantwin.run import Ending as Ending
    from plantwin.run import Run as Run
    from plantwin.run import Spending as Spending
    from plantwin.run import Turn as Turn
    from plantwin.session import Session as Session
    from plantwin.surfaces.awaited import aevents as aevents
    from plantwin.surfaces.awaited import arun as arun
    from plantwin.surfaces.mcp.sessions import AgentSession as AgentSession
    from plantwin.surfaces.mcp.sessions import Folder as Folder
    from plantwin.surfaces.mcp.sessions import Told as Told
    from plantwin.types.approval import Answer as Answer
    from plantwin.types.approval import Approver as Approver
    from plantwin.types.approval import Nobody as Nobody
    from plantwin.types.approval import Question as Question
    from plantwin.types.ledger import Ledger as Ledger
    from plantwin.types.outcome import Outcome as Outcome
    from plantwin.types.plan import Plan as Plan
    from plantwin.types.plan import Step as Step
    from plantwin.types.twin import Twin as Twin
    from plantwin.types.verdict import Admission as Admission
    from plantwin.types.verdict import Allowed as Allowed
    from plantwin.types.verdict import Denied as Denied
    from plantwin.types.verdict import Verdict as Verdict
    from plantwin.workspace import Workspace as Workspace

_HOMES = {
    "boundary.release": ("Released",),
    "cloud.planner": ("Planner", "outbound"),
    "config.settings": ("Settings", "load_settings"),
    "errors": ("PlanTwinError", "PlannerError"),
    "events": (
        "Began",
        "Decided",
        "Deciding",
        "Ended",
        "Event",
        "Planned",
        "Sending",
        "Silent",
        "Stopped",
        "Watcher",
    ),
    "ledgers.sqlite": ("SqliteLedger",),
    "private.environment": ("Environment",),
    "private.extensions.declaration": ("capability",),
    "private.project": ("Projection", "project", "projection"),
    "private.scan": ("Scan",),
    "run": ("Ending", "Run", "Spending", "Turn"),
    "session": ("Session",),
    "surfaces.awaited": ("aevents", "arun"),
    "surfaces.mcp.sessions": ("AgentSession", "Folder", "Told"),
    "types.approval": ("Answer", "Approver", "Nobody", "Question"),
    "types.ledger": ("Ledger",),
    "types.outcome": ("Outcome",),
    "types.plan": ("Plan", "Step"),
    "types.twin": ("Twin",),
    "types.verdict": ("Admission", "Allowed", "Denied", "Verdict"),
    "workspace": ("Workspace",),
}
"""Where each public name lives."""
_HOME_OF = {name: f"plantwin.{home}" for home, names in _HOMES.items() for name in names}
__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'plantwin' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
