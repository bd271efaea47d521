"""`plantwin bench`: how good plans are, what leaks and what it costs; and how well detection works."""

from __future__ import annotations

import argparse
import os

from plantwin.errors import InputError

EXAMPLE = "plantwin bench run --planner offline --out results && plantwin bench report results"
SENDS = (
    "Nothing is sent with the planners offline, heuristic and local. Others are sent the tasks, which are synthetic;\n"
    "the modes raw and redacted send whole files of the tasks, on purpose."
)
ACTIONS = {
    "run": "plan the tasks with planners and modes, into a folder of results that a later run goes on with",
    "all": "everything below but overhead and detect, in one go, with the report",
    "report": "tables of a folder of results, and a page with figures beside them",
    "reid": "the re-identification game on the tasks' files and on real trees, without and with budgets",
    "theory": "anonymity sets, calibration, what is learned for what is charged, and linking, on real folders",
    "attacks": "what a planner for information finds out, with every accountant and without a budget",
    "approval": "approvals given, nobody to ask, and nobody for a remote planner",
    "ablation": "leave stages of the projection out",
    "budget": "scale budgets from 0.25 to 1.5",
    "privacy": "plan quality against re-identification for each accountant",
    "multiturn": "all tasks of all domains on one ledger, until nothing more is told",
    "granularity": "coarse, orchestration and fine catalogs",
    "goals": "goals as intents, in the lexicon, and verbatim",
    "smallest": "sets of at least 2 to 10 members",
    "ask": "questions as people type them, over real trees: answered, partly, said that it cannot, wrong",
    "transfer": "made-up folders: how their twins come back, and whether steps go as on the real ones",
    "overhead": "what a session costs by phase, beside peers in the same run and the paper's figures",
    "export": "one prompt file per task, for models that cannot be called from here",
    "score": "score plans that came back as files",
    "detect": "measure detection on labelled rows and source trees, next to other scanners",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    from plantwin.surfaces.cli.bench import ask, detect, evaluation, transfer

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, purpose in ACTIONS.items():
        added = actions.add_parser(name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}.")
        own = {"ask": ask.arguments, "detect": detect.arguments, "transfer": transfer.arguments}.get(name)
        own(added) if own else evaluation.arguments(added, name)


def run(options: argparse.Namespace) -> int:
    """Do one of them."""
    from plantwin.surfaces.cli.bench import ask, detect, evaluation, transfer

    if getattr(options, "suite", None) is not None:
        # Before anything reads the tasks: processes that are started inherit it.
        if not options.suite.is_dir():
            raise InputError(f"no such folder: '{options.suite}'")
        os.environ["PLANTWIN_TASKS"] = str(options.suite.resolve())
        os.environ["PLANTWIN_TASK_HALF"] = options.half
        if options.folders is not None:
            os.environ["PLANTWIN_TASK_FOLDERS"] = str(options.folders.resolve())
    elif getattr(options, "folders", None) is not None:
        raise InputError("--folders is where the folders of a suite are: name the suite with --suite")
    own = {"ask": ask.run, "detect": detect.run, "transfer": transfer.run}
    return own.get(options.action, evaluation.run)(options)
