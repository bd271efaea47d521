"""What an answer is worth. The worst is to say that all is well where it is not, or was not looked at."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from plantwin_evals.ask.asking import Answer, Step
from plantwin_evals.ask.questions import Question

HEAD: Final = 12
"""Lines among which the answer must begin."""
BESIDES: Final = 1
"""Capabilities that may be run besides, unless the question is vague."""
SCREEN: Final = 40
"""Lines that an answer may take at most to count as one."""
SAID_SO: Final = re.compile(
    r"(?i)no capability|not understood|did not understand|cannot (?:do|answer|change|write|run)|nothing here to do"
)
CLEAR: Final = re.compile(
    r"(?i)\bno (?:findings|problems|secrets|issues|personal data|errors|vulnerabilities|differences|duplicates)\b"
    r"|\bnothing (?:was )?(?:found|to report)|\bnone (?:was |were )?found"
)


class Worth(StrEnum):
    """From the best to the worst."""

    ANSWERED = "answered"
    PARTLY = "partly"
    SAID_SO = "not understood, and said so"
    WRONG = "wrong"
    FALSE_CLEAR = "false all-clear"


class Score(NamedTuple):
    """What an answer is worth, and what it misses."""

    worth: Worth
    missing: tuple[str, ...] = ()


def score(question: Question, answer: Answer) -> Score:
    """Compare an answer with what a good one has."""
    if why := _false_clear(question, answer):
        return Score(Worth.FALSE_CLEAR, (why,))
    said_so = bool(SAID_SO.search(answer.text)) and not any(step.done for step in answer.steps)
    missing = _missing(question, answer)
    if question.cannot:
        chat = bool(question.after) and not answer.steps
        if answer.steps or not (said_so or chat):
            return Score(Worth.WRONG, ("it worked on something instead of saying that it cannot",))
        return Score(Worth.PARTLY if missing else Worth.ANSWERED, missing)
    if said_so:
        return Score(Worth.SAID_SO)
    if not missing:
        return Score(Worth.ANSWERED)
    ran = [each for each in question.runs if _ran(each, answer)]
    return Score(Worth.PARTLY if ran else Worth.WRONG, missing)


def _ran(alternatives: str, answer: Answer) -> list[Step]:
    names = alternatives.split("|")
    return [step for step in answer.steps if step.done and step.capability in names]


def _missing(question: Question, answer: Answer) -> tuple[str, ...]:
    missing = [f"did not run {each}" for each in question.runs if not _ran(each, answer)]
    examined = max((step.examined for each in question.runs for step in _ran(each, answer)), default=0)
    if not missing and examined < question.least:
        missing.append(f"examined {examined} of at least {question.least}")
    missing += [f"does not say {each!r}" for each in question.says if not re.search(each, answer.text, re.IGNORECASE)]
    missing += [f"says {each!r}" for each in question.never if re.search(each, answer.text, re.IGNORECASE)]
    asked = {name for each in question.runs for name in each.split("|")}
    besides = {step.capability for step in answer.steps if step.done} - asked - {"describe", "split", "report"}
    if question.sort != "vague" and len(besides) > BESIDES:
        missing.append(f"also ran {', '.join(sorted(besides))}")
    if answer.lines > SCREEN:
        missing.append(f"takes {answer.lines} lines")
    return tuple(missing)


def _false_clear(question: Question, answer: Answer) -> str:
    """Why it is wrong that nothing was found, where that is said."""
    clear = CLEAR.search("\n".join(answer.text.splitlines()[:HEAD]))
    if clear is None:
        return ""
    done = [step for step in answer.steps if step.done]
    if question.problems:
        return f"says {clear[0]!r} where there is something"
    if not done:
        return f"says {clear[0]!r} where nothing was examined"
    if question.least and max(step.examined for step in done) < question.least:
        return f"says {clear[0]!r} of too few files"
    if not re.search(r"(?i)\bof [\d,]+|[\d,]+ (?:files?|objects?)", answer.text):
        return f"says {clear[0]!r} without how much was examined"
    return ""
