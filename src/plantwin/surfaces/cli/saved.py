"""Plans on disk: as `plantwin plan` saves them, or as a person writes them, with real paths for inputs."""

from __future__ import annotations

import base64
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.errors import InputError
from plantwin.surfaces.cli.files import new_private, reason
from plantwin.surfaces.cli.output import FORMAT
from plantwin.surfaces.render.text import path_fields, well_formed

if TYPE_CHECKING:
    from plantwin.run import Run

LIMIT = 1 << 20
"""Bytes of a saved plan at most."""


class Saved(NamedTuple):
    """A plan as it was read: steps unchecked, with what each id stands for."""

    steps: list[Any]
    objects: dict[str, tuple[str, str]]
    """Path and part by id; empty for a plan whose inputs are real paths."""
    root: str | None
    goal: str
    planner: str
    audience: str
    locality: str
    bare: bool
    rationed: bool
    """Whether budgets refuse: where the planner may send, or did not say."""

    def __repr__(self) -> str:
        return "<Saved private>"


def save(run: Run, folder: Path) -> Path:
    """Write the run's plan with what its ids stand for, readable by its owner alone."""
    import msgspec

    day = time.strftime("%Y%m%d-%H%M%S", time.localtime(run.started))
    path = folder / f"{day}-{run.session}.json"
    document = {
        "format": FORMAT,
        "saved": run.started,
        "session": run.session,
        "goal": well_formed(run.goal),
        **path_fields(os.fspath(run.root or ""), "root"),
        "planner": {"name": well_formed(run.planner), "audience": run.audience, "locality": run.locality},
        "rationed": run.rationed,
        "plan": msgspec.to_builtins(run.turns[0].plan),
        "objects": {
            id_: {**path_fields(name), **({"part": part} if part else {})} for id_, (name, part) in run.names.items()
        },
    }
    with os.fdopen(new_private(str(path)), "w", encoding="ascii") as file:
        file.write(json.dumps(document, indent=2) + "\n")
    return path


def read(path: str) -> Saved:
    """A saved plan, or a bare one; anything else is bad input."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{path}': {reason(error)}") from None
    if len(data) > LIMIT:
        raise InputError(f"'{path}' is larger than a plan: {LIMIT >> 20} MiB at most")
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError(f"'{path}' is not JSON: give a plan that `plantwin plan` saved, or write its steps") from None
    if isinstance(tree, dict) and isinstance(tree.get("steps"), list):
        return Saved(tree["steps"], {}, None, "", "offline", "offline", "local", True, False)
    try:
        return _saved(tree)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"'{path}' is not a plan: it needs a list `steps`, or what `plantwin plan` saved") from None


def _saved(tree: Any) -> Saved:
    planner = tree["planner"]
    texts = (tree["goal"], planner["name"], planner["audience"], planner["locality"])
    steps = tree["plan"]["steps"]
    if not all(isinstance(text, str) for text in texts) or not isinstance(steps, list):
        raise TypeError("not text")
    if planner["locality"] not in ("local", "remote"):
        raise ValueError("not a locality")
    objects = {str(id_): (_path(each), str(each.get("part", ""))) for id_, each in tree["objects"].items()}
    return Saved(steps, objects, _path(tree, "root"), *texts, False, tree.get("rationed") is not False)


def _path(tree: dict[str, Any], name: str = "path") -> str:
    """A path exactly as it was, also where it is no valid Unicode."""
    if f"{name}_bytes" in tree:
        return os.fsdecode(base64.b64decode(tree[f"{name}_bytes"], validate=True))
    text = tree[name]
    if not isinstance(text, str):
        raise TypeError("not a path")
    return text
