"""A figure out of the table or log that a question is about; its words are matched to columns and values here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, plain, told
from plantwin.private.capabilities.engine.results import Mask
from plantwin.private.capabilities.engine.secrets import detector_of
from plantwin.private.capabilities.logs.as_table import STORAGE, log_table
from plantwin.private.capabilities.query_data import whole
from plantwin.private.capabilities.query_data.everyday import spelled
from plantwin.private.capabilities.query_data.figures import UndecidedError, compute
from plantwin.private.capabilities.query_data.joining import links
from plantwin.private.capabilities.query_data.mentions import (
    COLUMN,
    FEW,
    NOTHING,
    ROWS,
    TEXT,
    UNKNOWN,
    VALUE,
    at_file,
    mentions,
)
from plantwin.private.capabilities.query_data.model import Filter, Group, Query
from plantwin.private.capabilities.query_data.reading import OPERATION, Question, parts, pieces, read
from plantwin.private.capabilities.query_data.unmatched import NONE, Fit, fitted, named_rows, over_two, unmatched
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
_WORTH = re.compile(
    r"(?i)how much (?:money|revenue|value|turnover)?\W*(?:is|was|were|are|did) (?:that|it|this|they|those|these)\b"
)
_OR = re.compile(r"(?i),? {1,4}(?:or|and|oder|und|ou|et|o|y) {1,4}(?:also {1,4})?(?:are there {1,4})?(?:any {1,4})?")
_SAID = re.compile(
    r"(?i)what (?:was|were|is|are) (?:the |those |these |that )?(?:errors?|messages?|problems?|causes?|reasons?)\W*$"
)
"""`And what was the error`: what the log says in the day that was asked for."""
_COUNTS = re.compile(r"(?i)\b(?:how many|(?:the )?number of)\b")
"""`How many were returned, and how much money is that`: the same rows, added up."""
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
    own = frozenset(piece for _, table in given for name in table.columns for piece in pieces(name))
    question = read(request, own)
    order = sorted(given, key=lambda one: -_speaks(question, one[1]))
    detector = detector_of(job)
    profiles = [
        Profiled(one, table, gathered(table), Shown(detector, sensitive(detector, table)))
        for one, table in order[:MOST]
    ]
    slips = spelled(question, profiles, _strange(question, profiles), FEW)
    for raw, word in slips.items():
        request = re.sub(rf"\b{re.escape(raw)}\b", word, request)
    question = read(request, own) if slips else question
    unread |= {one.label: OTHER for one in inputs if one not in named}
    for one, _ in order[MOST:]:
        unread.setdefault(one.label, "more tables than are read for one question")
    if len(order) > MOST:
        problems.append(f"{plural(len(order) - MOST, 'table')} of {len(order)} were not read.")
    mask = Mask(job)
    lines, answered = _of_whole(question, request, profiles, mask)
    if not answered:
        refused = lines
        lines, answered = _figures(question, profiles, mask)
        if len(asked := parts(request)) > 1:
            lines, answered = _parted(asked, profiles, mask, (lines, answered))
        lines = lines if answered else refused or lines
    if slips and answered:
        lines[0] += f" Read {', '.join(f'{code(raw)} as {code(word)}' for raw, word in slips.items())}."
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


def _of_whole(question: Question, request: str, profiles: Sequence[Profiled], mask: Mask) -> whole.Told:
    """Answer what is asked of tables as a whole: `orders without a customer, or returns without an order` is two."""
    if not question.about:
        return [], []
    asked = [read(part) for part in _OR.split(request)]
    if len(asked) > 1 and all(part.about == question.about == "orphans" for part in asked):
        told = [whole.answered(part, profiles, _shower(mask)) for part in asked]
        if all(found for _, found in told):
            used = {id(one): one for _, found in told for one in found}
            return [" ".join(lines[0] for lines, _ in told)], list(used.values())
    return whole.answered(question, profiles, _shower(mask))


def _strange(question: Question, profiles: Sequence[Profiled]) -> frozenset[str]:
    """Return the words of a question that no table and no log has."""
    unknown = (
        {item.token.raw for item in mentions(question, one.table, one.columns) if item.kind == UNKNOWN}
        for one in profiles
    )
    return frozenset(set.intersection(*unknown))


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
        more = [
            (_SAID.match(part) and _messages(asked[0], profiles, mask)) or f"Not answered: {code(part)}."
            for part in silent
        ]
        return [" ".join([lines[0], *more]), *lines[1:]], answered
    answered = []
    told: list[str] = []
    missed: list[str] = []
    rest: list[str] = []
    for place, part in enumerate(asked):
        worth = place and _WORTH.match(part)
        question = read(_COUNTS.sub("total revenue of", asked[0], count=1) if worth else part)
        # What refers to the rows of the question before it is not answered over all rows.
        alone = (
            not place
            or bool(worth)
            or (not _REFERS.search(part) and any(_speaks(question, one.table, ROWS) for one in profiles))
        )
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
    fits, chosen = _fitting(question, profiles)
    undecided: list[str] = []
    sentences: list[str] = []
    lines: list[str] = []
    answered: list[Profiled] = []
    for one in chosen[:ANSWERED]:
        fit = one if one.note else named_rows(question, one, fits)
        try:
            first, *rest = _told(fit, mask)
        except UndecidedError as reason:
            undecided.append(f"No figure for {plain(fit.profile.table.label)}: {reason}")
            continue
        sentences += filter(None, [first, fit.note, fit.read_as])
        lines += [*rest, ""]
        answered.append(one.profile)
    if len(chosen) > ANSWERED:
        lines.append(f"{plural(len(chosen) - ANSWERED, 'more table')} would fit: name the file that is meant.")
    if answered or undecided:
        return [" ".join([*sentences, *undecided]), "", *lines], answered
    return unmatched(fits), []


def _told(fit: Fit, mask: Mask) -> list[str]:
    profile = fit.profile
    made = compute(fit.query, profile.table, profile.columns)
    return Teller(fit.query, profile.table, profile.columns, made, partial(_shower(mask), profile)).told()


def _messages(asked: str, profiles: Sequence[Profiled], mask: Mask) -> str:
    """Return what a log says most often in the hour, day or program that a question before this one asked for."""
    _, chosen = _fitting(read(asked), profiles)
    fit = chosen[0] if len(chosen) == 1 else None
    if fit is None or fit.profile.table.storage != STORAGE or len(fit.query.groups) != 1 or not fit.query.order:
        return ""
    table, group = fit.profile.table, fit.query.groups[0]
    show = partial(_shower(mask), fit.profile)
    rows = Teller(fit.query, table, fit.profile.columns, compute(fit.query, table, fit.profile.columns), show).ordered()
    if not rows or "message" not in table.columns:
        return ""
    key = rows[0][0][0]
    where = Filter(group.place, "in", text=key) if group.unit == "day" else Filter(group.place, "is", frozenset([key]))
    if group.unit not in ("", "day"):
        return ""
    query = Query(["count"], groups=[Group(table.columns.index("message"))], filters=[*fit.query.filters, where])
    query.order, query.limit = "most", 3
    return _told(fit._replace(query=query), mask)[0]


def _fitting(question: Question, profiles: Sequence[Profiled]) -> tuple[list[Fit], list[Fit]]:
    """Return what a question computes over every table, and those of them that fit it best."""
    fits = [fitted(question, profile) for profile in profiles]
    known = {item.token.raw for fit in fits for item in fit.items if item.kind in (COLUMN, ROWS, VALUE)}
    # What is a table's own is not looked for in the messages of logs.
    fits = [fit for fit in fits if not known & {item.token.raw for item in fit.items if item.kind == TEXT}] or fits
    # `customers who ordered in May` are not only of the table of customers.
    whole_fits = [fit for fit in fits if _whole(fit) and not _passed_over(fit, fits)]
    if not whole_fits:
        both = over_two(question, fits)
        whole_fits = [fit for fit in both if _whole(fit)]
        fits = [*fits, *both]
    best = max((fit.rank for fit in whole_fits), default=(0, 0))
    chosen = [fit for fit in whole_fits if fit.rank == best]
    # `which country has the largest population`: of countries, not of cities that have one.
    about = [fit for fit in chosen if fit.items and _asked_for(fit)]
    return fits, sorted(about or chosen, key=lambda fit: -fit.profile.rows)


def _asked_for(fit: Fit) -> bool:
    """Whether the rows of a table are what `which` asks for."""
    told = [item for item in fit.items if item.kind != NOTHING]
    return any(one.token.text == "which" and other.kind == ROWS for one, other in pairwise(told))


def _whole(fit: Fit) -> bool:
    return not fit.query.unknown and not fit.query.problems


def _passed_over(fit: Fit, fits: Sequence[Fit]) -> bool:
    """Whether a word says nothing in a table, but names the rows of another that refers to it."""
    light = {item.token.raw for item in fit.items if item.kind == NOTHING}
    others = [one for one in fits if light & {item.token.raw for item in one.items if item.kind == ROWS}]
    return any(link.other is fit.profile for one in others for link in links([one.profile, fit.profile]))


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
