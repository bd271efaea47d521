"""What the small model adds to text work: below the deterministic result, marked as its own, for the person alone.

The outcome stays what it was: no word of a model decides what a planner hears. Lines that hold a secret are left out
before it reads anything. Where it is missing, fails or takes too long, the result says so and is otherwise the same.
"""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from plantwin.errors import StageError
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import plain
from plantwin.private.capabilities.engine.secrets import detector_of, secret_lines
from plantwin.private.capabilities.engine.source import source
from plantwin.private.model.model import Model
from plantwin.private.model.naming import Namer

SECONDS = 20.0
"""For all inputs together; what is left then is left out."""
CONTEXT = 1024
READ = 4000
TOKENS = 320
WORDS = 48
"""Tokens of a sentence that it writes."""
SENTENCES = 6
CLASSES = 3
LEAST = 0.5
"""How much likelier `yes` has to become."""
MEMORY = 700 << 20
"""Bytes that a step has to be allowed besides twice the weights."""
TITLE = "The local model's view"
CAUTION = "*Written by a small language model on this machine, unchecked: take it as a hint. Nothing of it was sent.*"
CODES = {
    "model_out_of_time": "it took too long",
    "model_text_too_long": "the text is too long for it",
    "model_no_room": "sandbox.memory_mb leaves too little memory for it",
}

_sentence = re.compile(r"[^.!?\n]{20,240}[.!?]")
_stated = re.compile(r"\b(?:must|shall|should|may|required?|requires|prohibit\w*|forbidden|permitted|allowed)\b", re.I)
_marks = ("<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n")

View = Callable[[Model, Input, str], str]


def comment_summary(model: Model, given: Input, text: str) -> str:
    """One sentence of the model's own."""
    ask = "\n\nSay in one plain sentence what this text is about."
    prompt = (
        *model.tokens(f"{_marks[0]}Here is a text:\n\n", marks=True),
        *model.tokens(text)[:TOKENS],
        *model.tokens(f"{ask}{_marks[1]}This text is about", marks=True),
    )
    return f"About{model.write(prompt, WORDS)}"


def comment_constraints(model: Model, given: Input, text: str) -> str:
    """Sentences without a word of duty that may state one all the same."""
    yes, no = model.tokens(" Yes"), model.tokens(" No")

    def leaning(sentence: str) -> float:
        prompt = (
            *model.tokens(f"{_marks[0]}Does this sentence state a rule that somebody has to keep?\n\n", marks=True),
            *model.tokens(sentence)[:TOKENS],
            *model.tokens(f"{_marks[1]}", marks=True),
        )
        agreeing, denying = model.weigh(prompt, [yes, no])
        return agreeing - denying

    usual = leaning("It is a day.")
    sentences = [match[0].strip() for match in _sentence.finditer(text) if not _stated.search(match[0])]
    found = [sentence for sentence in sentences[:SENTENCES] if leaning(sentence) - usual > LEAST]
    return (
        "May state a rule without a word for it: " + "; ".join(f"“{sentence}”" for sentence in found) if found else ""
    )


def comment_class(model: Model, given: Input, text: str) -> str:
    """What the model would call the whole."""
    ranking = Namer(model).opinion(given.kind, text.encode("utf-8", "replace"), (given.semantic_class,)).ranking
    return "Would call it: " + ", ".join(name.replace("_", " ") for name, _ in ranking[:CLASSES]) if ranking else ""


VIEWS: dict[str, View] = {
    "summarize": comment_summary,
    "extract_constraints": comment_constraints,
    "classify": comment_class,
}


def with_commentary(job: Job, result: Result) -> Result:
    """The result with the model's view below it, where the job names a model; else the result itself."""
    weights, runtime = job.options.get("weights"), job.options.get("runtime")
    if not isinstance(weights, str) or not isinstance(runtime, str):
        return result
    objects = [given for given in job.inputs if not given.is_result]
    lines: dict[str, str] = {}
    note = ""
    try:
        _need_room(Path(weights))
        with Model(Path(weights), Path(runtime), context=CONTEXT) as model:
            model.deadline = time.monotonic() + SECONDS
            for given in objects:
                text = _readable(job, given)
                said = plain(VIEWS[job.capability](model, given, text), 400) if text.strip() else ""
                if said:
                    lines[given.label] = said
    except (StageError, OSError, MemoryError) as error:
        note = CODES.get(str(error), "it failed") if isinstance(error, StageError) else "it failed"
    return _with(result, lines, note)


def _need_room(weights: Path) -> None:
    """Where the library runs out of memory it ends the whole process, and the result with it: so it is not tried."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < MEMORY + 2 * weights.stat().st_size:
        raise StageError("model_no_room")


def _readable(job: Job, given: Input) -> str:
    """The first part of a text without the lines on which a secret stands."""
    read = source(given, READ)
    if read.binary:
        return ""
    hidden = secret_lines(detector_of(job), read.data, given.name)
    return "\n".join(line for number, line in enumerate(read.text.split("\n"), start=1) if number not in hidden)


def _with(result: Result, lines: dict[str, str], note: str) -> Result:
    if not lines and not note:
        return result
    text = [result.text.rstrip(), "", f"### {TITLE}", "", CAUTION, ""]
    text += [f"- {plain(label)}: {said}" for label, said in lines.items()]
    if note:
        text += [f"- The local model was not heard to the end: {note}. What stands above does not depend on it."]
    return msgspec.structs.replace(result, text="\n".join(text) + "\n")
