"""Runs: every report, the newest first; its findings, and the report itself."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from plantwin.private.report.model import WORST_FIRST
from plantwin.surfaces.console.access import Refused
from plantwin.surfaces.console.ask import rendered
from plantwin.surfaces.console.page import Console, Paging, number_of

MOST: Final = 20
"""Runs of a page."""
MOST_FINDINGS: Final = 50
LARGEST: Final = 1 << 20
"""Bytes of a report that are shown; the file has all."""
_session = re.compile(r"[0-9a-f]{16}")
_name = re.compile(r"(\d{8}-\d{6})-([0-9a-f]{16})\.md")


def _page(console: Console, request: Request) -> Response:
    folder = console.folder.state.subfolder("reports")
    names = sorted((path.name for path in folder.glob("*.md") if _name.fullmatch(path.name)), reverse=True)
    start = number_of(request.query_params.get("from"))
    rows = [_row(console, folder / name) for name in names[start : start + MOST]]
    return console.page(request, "runs.html", "runs", rows=rows, paging=Paging(start, MOST, len(names), {}))


def _row(console: Console, path: Path) -> dict[str, Any]:
    """A run in short; what a file says is read once, as long as it stays the same."""
    stat = path.with_suffix(".json").stat() if path.with_suffix(".json").exists() else path.stat()
    kept = console.kept.setdefault("runs", {})
    key = path.name, stat.st_mtime_ns
    if key not in kept:
        told = _told(path)
        sessions = told.get("sessions") or [{}]
        kept[key] = {
            "session": path.stem.rpartition("-")[2],
            "at": stat.st_mtime,
            "goal": str(told.get("goal", "")),
            "root": str(told.get("root", "")),
            "planner": str(sessions[0].get("planner", "")),
            "headline": str((told.get("summary") or {}).get("headline", "")),
            "severities": (told.get("summary") or {}).get("severities", {}),
            "ending": str(told.get("ending", "")),
            "undone": len(told.get("not_done") or ()),
        }
    found: dict[str, Any] = kept[key]
    return found


def _told(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(path.with_suffix(".json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _found(console: Console, request: Request) -> Path:
    """The report of a session, by its id alone: no part of an address is ever a path."""
    session = request.path_params["session"]
    if _session.fullmatch(session):
        for path in console.folder.state.subfolder("reports").glob(f"*-{session}.md"):
            if _name.fullmatch(path.name) and path.is_file() and not path.is_symlink():
                return path
    raise Refused(404, "there is no such run")


def _one(console: Console, request: Request) -> Response:
    path = _found(console, request)
    told = _told(path)
    severity = request.query_params.get("severity", "")
    found = [one for one in told.get("findings", []) if severity in ("", one.get("severity"))]
    start = number_of(request.query_params.get("from"))
    text = path.read_bytes()[:LARGEST].decode("utf-8", "replace")
    return console.page(
        request, "run.html", "runs",
        run=_row(console, path), told=told, findings=found[start : start + MOST_FINDINGS],
        paging=Paging(start, MOST_FINDINGS, len(found), dict(request.query_params)), severity=severity,
        severities=WORST_FIRST, report=rendered(text), cut=path.stat().st_size > LARGEST,
    )  # fmt: skip


def _file(console: Console, request: Request) -> Response:
    """The report as a file."""
    path = _found(console, request)
    if request.path_params["form"] == "json":
        return FileResponse(path.with_suffix(".json"), media_type="application/json", filename=path.stem + ".json")
    return FileResponse(path, media_type="text/markdown; charset=utf-8", filename=path.name)


PAGES = {"/runs": _page, "/runs/{session}": _one, "/runs/{session}/file.{form}": _file}
