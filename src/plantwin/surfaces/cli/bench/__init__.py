"""`plantwin bench`: how good plans are, what leaks and what it costs; and how well detection works."""

from __future__ import annotations

import argparse
import os
from importlib import import_module

from plantwin.errors import InputError

EXAMPLE = "plantwin bench run --planner offline --out results && plantwin bench report results"
SENDS = (
    "Nothing is sent with the planners offline, heuristic and local. Others are sent the tasks, which are synthetic;\n"
    "the modes raw and redacted send whole files of the tasks, on purpose."
)
ACTIONS = {
    "run": (
        "running",
        "plan the tasks with planners and modes, into a folder of results that a later run goes on with",
    ),
    "all": ("whole", "everything below but overhead and detect, in one go, with the report"),
    "report": ("reporting", "tables of a folder of results, and a page with figures beside them"),
    "reid": ("identity", "the re-identification game on the tasks' files and on real trees, without and with budgets"),
    "ablation": ("running", "leave stages of the projection out"),
    "budget": ("running", "scale budgets from 0.25 to 1.5"),
    "multiturn": ("running", "all tasks of a workspace on one ledger"),
    "granularity": ("running", "coarse, orchestration and fine catalogs"),
    "goals": ("running", "goals as intents, in the lexicon, and verbatim"),
    "shown": ("running", "5 to 80 objects shown"),
    "overhead": ("overhead", "what a session costs by phase, beside peers in the same run and the paper's figures"),
    "export": ("exchange", "one prompt file per task, for models that cannot be called from here"),
    "score": ("exchange", "score plans that came back as files"),
    "detect": ("detect", "measure detection on labelled rows and source trees, next to other scanners"),
}
"""Each action with the module that has it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (module, purpose) in ACTIONS.items():
        added = actions.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        held = import_module(f"{__name__}.{module}")
        (getattr(held, f"{name}_arguments", None) or held.arguments)(added)


def run(options: argparse.Namespace) -> int:
    """Do one of them."""
    if getattr(options, "suite", None) is not None:
        # Before anything reads the tasks: processes that are started inherit it.
        if not options.suite.is_dir():
            raise InputError(f"no such folder: '{options.suite}'")
        os.environ["PLANTWIN_TASKS"] = str(options.suite.resolve())
    module, _ = ACTIONS[options.action]
    held = import_module(f"{__name__}.{module}")
    code: int = (getattr(held, f"run_{options.action}", None) or held.run)(options)
    return code
