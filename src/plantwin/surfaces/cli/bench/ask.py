"""`plantwin bench ask`: how well questions are answered that people type."""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from plantwin.surfaces.cli.output import note, write_json, write_line
from plantwin.surfaces.render.text import plural, printable

if TYPE_CHECKING:
    from plantwin_evals.ask.asking import Answer
    from plantwin_evals.ask.questions import Question
    from plantwin_evals.ask.scoring import Score

Row = tuple["Question", "Answer", "Score"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    parser.add_argument("--planner", metavar="P", help="who plans (default: offline)")
    parser.add_argument("--open", action="store_true", help="only the half of the questions that is not kept apart")
    parser.add_argument("--sort", metavar="S", help="only questions of this sort: plain, typo, language, cannot, …")
    parser.add_argument(
        "--only", metavar="TEXT", help="only questions of that half that contain this, with their answers"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Ask everything and print how it went: 1 where an answer is a false all-clear."""
    from plantwin_evals.ask.asking import ask
    from plantwin_evals.ask.questions import questions
    from plantwin_evals.ask.scoring import Worth, score
    from plantwin_evals.ask.trees import Trees

    chosen = [each for each in questions() if _wanted(each, options)]
    planner = ("--planner", options.planner) if options.planner else ()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="plantwin-ask-") as folder:
        trees = Trees(Path(folder, "trees"))
        for question in chosen:
            answer = ask(question, trees[question.tree], Path(folder, "state"), planner)
            rows.append((question, answer, score(question, answer)))
            if options.only:
                write_line(f"> {printable(question.ask)}\n{answer.text}")
    if options.json:
        write_json("bench", _members(rows))
    else:
        _show(rows)
    return int(any(result.worth is Worth.FALSE_CLEAR for _, _, result in rows))


def _wanted(question: Question, options: argparse.Namespace) -> bool:
    if (options.open or options.only) and question.kept:
        return False
    if options.sort and question.sort != options.sort:
        return False
    return not options.only or options.only.lower() in question.ask.lower()


def _members(rows: list[Row]) -> dict[str, Any]:
    """Totals, and every question that is not kept apart."""
    return {
        "questions": len(rows),
        "worth": _counts(rows),
        "by_sort": {sort: _counts([row for row in rows if row[0].sort == sort]) for sort in _sorts(rows)},
        "lines": median(answer.lines for _, answer, _ in rows) if rows else 0,
        "seconds": round(median(answer.seconds for _, answer, _ in rows), 2) if rows else 0,
        "answers": [
            {
                "tree": question.tree,
                "ask": question.ask,
                "worth": result.worth.value,
                "missing": list(result.missing),
                "ran": [step.capability for step in answer.steps if step.done],
                "lines": answer.lines,
                "seconds": round(answer.seconds, 2),
            }
            for question, answer, result in rows
            if not question.kept
        ],
    }


def _counts(rows: list[Row]) -> dict[str, int]:
    from plantwin_evals.ask.scoring import Worth

    counted = Counter(result.worth for _, _, result in rows)
    return {worth.value: counted[worth] for worth in Worth}


def _sorts(rows: list[Row]) -> list[str]:
    return list(dict.fromkeys(question.sort for question, _, _ in rows))


def _show(rows: list[Row]) -> None:
    from plantwin_evals.ask.scoring import Worth

    if not rows:
        note("No question is like that.")
        return
    for question, answer, result in rows:
        if result.worth is not Worth.ANSWERED and not question.kept:
            ran = ", ".join(step.capability for step in answer.steps if step.done) or "nothing"
            write_line(f"{result.worth.value}: {printable(question.ask)}  [{question.tree}; ran {ran}]")
            for why in result.missing:
                write_line(f"    {printable(why)}")
    write_line()
    parts = {"kept apart": [row for row in rows if row[0].kept], "others": [row for row in rows if not row[0].kept]}
    parts |= {sort: [row for row in rows if row[0].sort == sort] for sort in _sorts(rows)}
    for name, some in {"all": rows, **parts}.items():
        counts = ", ".join(f"{worth} {count}" for worth, count in _counts(some).items() if count)
        good = sum(result.worth is Worth.ANSWERED for _, _, result in some) / max(1, len(some))
        write_line(f"{name:<11}{plural(len(some), 'question'):>14}  {good:>4.0%} answered: {counts}")
    members = _members(rows)
    write_line(f"Median: {members['lines']} lines, {members['seconds']} s.")
