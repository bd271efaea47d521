"""A figure out of the table or log that a question is about; its words are matched to columns and values here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, plain, told
from plantwin.private.capabilities.engine.results import Mask
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.logs.as_table import STORAGE, log_table
from plantwin.private.capabilities.query_data import whole
from plantwin.private.capabilities.query_data.figures import UndecidedError, compute
from plantwin.private.capabilities.query_data.mentions import COLUMN, ROWS, TEXT, VALUE, at_file, mentions
from plantwin.private.capabilities.query_data.reading import OPERATION, Question, parts, read
from plantwin.private.capabilities.query_data.unmatched import NONE, fitted, unmatched
from plantwin.private.capabilities.query_data.wording import Teller
from plantwin.private.capabilities.tables.cells import Cell
from plantwin.private.capabilities.tables.column import gathered
from plantwin.private.capabilities.tables.profiled import Profiled, Shown, sensitive
from plantwin.private.capabilities.tables.reader import tables_of
from plantwin.private.capabilities.tables.table import READ, Table
from plantwin.private.classify.identify import identify
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag

TITLE = "Figures"
MOST = 48
"""Tables that are read for one question; those whose names and columns it speaks of first."""
ANSWERED = 6
"""Tables that are answered for where a question fits several."""
LOGS = 48 << 20
"""Bytes of one log that are counted: of a longer one the last."""
_LOG = re.compile(r"(?i)\.log(?:\.\d{1,4})?$")
_REFERS = re.compile(r"(?i)\b(?:they|them|their|that|those|these|this|it|its|he|she|his|her|same|ones?)\b")
OTHER = "the question names another file"


def run(job: Job) -> Result:
    """Answer the question of a job over its inputs."""
    request = str(job.options.get("request", ""))
    if not request.strip():
        return failed(TITLE, 'Say what is asked, as in "the average price per category".')
    question = read(request)
    inputs = [given for given in job.inputs if not given.is_result]
    named = _named(question, inputs)
    given, unread = _opened(named)
    problems = list(unread.values())
    if not given:
        return failed(TITLE, " ".join(problems[:5]) or "There is no table and no log.", [OutcomeTag.UNPARSABLE])
    order = sorted(given, key=lambda one: -_speaks(question, one[1]))
    detector = detector_of(job)
    profiles = [
        Profiled(one, table, gathered(table), Shown(detector, sensitive(detector, table)))
        for one, table in order[:MOST]
    ]
    unread |= {one.label: OTHER for one in inputs if one not in named}
    for one, _ in order[MOST:]:
        unread.setdefault(one.label, "more tables than are read for one question")
    if len(order) > MOST:
        problems.append(f"{plural(len(order) - MOST, 'table')} of {len(order)} were not read.")
    mask = Mask(job)
    lines, answered = whole.answered(question, profiles, _shower(mask)) if question.about else ([], [])
    if not lines:
        lines, answered = _figures(question, profiles, mask)
        if len(asked := parts(request)) > 1:
            lines, answered = _parted(asked, profiles, mask, (lines, answered))
    notes = [*_flaws(profiles, answered), *problems[:10]]
    state = [OutcomeTag.TRUNCATED] if any(one.table.truncated for one in profiles) or len(order) > MOST else []
    state += [OutcomeTag.UNPARSABLE] if problems else []
    text = "\n".join([*lines, "", *(f"{plain(note, 300)}\n" for note in notes)]).strip() + "\n"
    return Result(
        outcome={**told(len(answered), state, partial=state), "count": str(bucket(len(answered)))},
        title=TITLE,
        facts={
            "on_point": bool(answered), "objects": [one.table.label for one in answered],
            "affected": [one.input.label for one in answered], "unread": unread,
            "examined": list(dict.fromkeys(one.input.label for one in profiles)),
            "rows": {one.table.label: one.rows for one in profiles}, "notes": notes,
        },
        text=text,
    )  # fmt: skip


def _opened(inputs: Sequence[Input]) -> tuple[list[tuple[Input, Table]], dict[str, str]]:
    """Return the tables and logs of the inputs, and what could not be read."""
    found: list[tuple[Input, Table]] = []
    problems: dict[str, str] = {}
    for given in inputs:
        try:
            log = log_table(given, LOGS) if _is_log(given) else None
        except OSError:
            problems[given.label] = f"{given.label} cannot be read."
            continue
        opened = tables_of(given) if log is None else None
        tables = opened.tables if opened is not None else [log] if log is not None else []
        found += [(given, table) for table in tables if table.columns]
        if opened is not None and opened.problem:
            problems[given.label] = opened.problem
    return found, problems


def _is_log(given: Input) -> bool:
    """Whether an input is a log of lines: records in JSON are tables by themselves."""
    if given.part:
        return False
    format = identify(given.name, given.read(1 << 16))
    named = given.kind == "log_stream" or _LOG.search(given.name) is not None
    return format == "log" or (named and format not in ("json", "jsonl", "csv", "tsv", "sqlite"))


def _named(question: Question, inputs: list[Input]) -> list[Input]:
    """Return the files that a question names; all where it names none."""
    named = [given for given in inputs if any(at_file(token, given.label) for token in question.tokens)]
    return named or inputs


def _speaks(question: Question, table: Table, *kinds: str) -> int:
    return sum(item.kind in (kinds or (COLUMN, ROWS)) for item in mentions(question, table, None))


def _shower(mask: Mask) -> whole.Shower:
    """Return how values are shown: what is asked for as it is, but secrets masked."""

    def of(profile: Profiled, column: str, cell: Cell) -> str:
        group = profile.shown.hidden.get(column, ("", ""))[0]
        if group == "secret":
            return profile.shown.value(column, cell)
        text = "" if cell is None else str(cell)
        return mask(text) if column == "message" and profile.table.storage == STORAGE else text

    return of


def _parted(asked: Sequence[str], profiles: Sequence[Profiled], mask: Mask, together: whole.Told) -> whole.Told:
    """Answer those of several questions that can be, and name the others; `together`: the answer to all as one."""
    sought = [{token.text for token in read(part).tokens if token.kind == OPERATION} for part in asked]
    # The same figure twice is of other rows: `how many were sent and how many returned`.
    twice = len(set().union(*sought)) < sum(map(len, sought))
    if together[1] and not twice:
        lines, answered = together
        silent = [part for part, figures in zip(asked, sought, strict=True) if not figures]
        return [" ".join([lines[0], *(f"Not answered: {code(part)}." for part in silent)]), *lines[1:]], answered
    answered = []
    told: list[str] = []
    missed: list[str] = []
    rest: list[str] = []
    for place, part in enumerate(asked):
        question = read(part)
        # What refers to the rows of the question before it is not answered over all rows.
        alone = not place or (not _REFERS.search(part) and any(_speaks(question, one.table, ROWS) for one in profiles))
        (first, *more), found = _figures(question, profiles, mask)
        if found and alone:
            told.append(first)
            rest += more
            answered = [*answered, *(one for one in found if one not in answered)]
        else:
            reason = "" if found else first.removeprefix(NONE)
            missed.append(f"Not answered: {code(part)}{f':{reason}' if reason else '.'}")
    if not told and not together[1]:
        return together
    return [" ".join([*(told or [NONE]), *missed]), *rest], answered


def _figures(question: Question, profiles: Sequence[Profiled], mask: Mask) -> tuple[list[str], list[Profiled]]:
    """Return the figures of the tables that the question is about."""
    fits = [fitted(question, profile) for profile in profiles]
    known = {item.token.raw for fit in fits for item in fit.items if item.kind in (COLUMN, ROWS, VALUE)}
    # What is a table's own is not looked for in the messages of logs.
    fits = [fit for fit in fits if not known & {item.token.raw for item in fit.items if item.kind == TEXT}] or fits
    whole_fits = [fit for fit in fits if not fit.query.unknown and not fit.query.problems]
    undecided: list[str] = []
    sentences: list[str] = []
    lines: list[str] = []
    answered: list[Profiled] = []
    best = max((fit.rank for fit in whole_fits), default=(0, 0))
    chosen = sorted((fit for fit in whole_fits if fit.rank == best), key=lambda fit: -fit.profile.rows)
    show = _shower(mask)
    for fit in chosen[:ANSWERED]:
        profile = fit.profile
        try:
            made = compute(fit.query, profile.table, profile.columns)
        except UndecidedError as reason:
            undecided.append(f"No figure for {plain(profile.table.label)}: {reason}")
            continue
        teller = Teller(fit.query, profile.table, profile.columns, made, partial(show, profile))
        first, *rest = teller.told()
        sentences.append(first)
        lines += [*rest, ""]
        answered.append(profile)
    if len(chosen) > ANSWERED:
        lines.append(f"{plural(len(chosen) - ANSWERED, 'more table')} would fit: name the file that is meant.")
    if answered or undecided:
        return [" ".join([*sentences, *undecided]), "", *lines], answered
    return unmatched(fits), []


def _flaws(profiles: Sequence[Profiled], answered: Sequence[Profiled]) -> list[str]:
    """Say what makes figures uncertain: a part that was not read, rows of another width, damage."""
    found = []
    for profile in answered:
        table = profile.table
        if table.truncated:
            part = f"the last {LOGS >> 20}" if table.storage == STORAGE else f"at most {READ >> 20}"
            found.append(f"Not all of {table.label} was read: {part} MiB are, and figures are of that part.")
        rules = [flaw.rule for flaw in table.flaws]
        if any("RAGGED" in rule for rule in rules):
            found.append(f"Rows of {table.label} have more or fewer cells than there are columns: check its quality.")
        if any("ENCODING" in rule or "DAMAGED" in rule or "CUT-OFF" in rule for rule in rules):
            found.append(f"{table.label} is damaged or mixes encodings: check its quality.")
    return found
