"""The answer to a request in a sentence or two, made from results. It stands first, on the screen and in the report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from plantwin.private.report.focus import best, hits, on_point, spelled, subject
from plantwin.private.report.model import WORST_FIRST, Overview, Reported, Taken, folded, rank
from plantwin.private.report.wording import called
from plantwin.text import plural
from plantwin.types.capability import TELLING
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from plantwin.run import Run

LONG: Final = 100
"""Characters of a name or a message in a sentence."""
MOST: Final = 4
"""Sentences of an answer."""
NONE: Final = "None of "
LINED: Final = (
    Can.EXPLAIN_PROJECT, Can.MEASURE_SIZE, Can.LIST_LICENSES, Can.LIST_ENVIRONMENT_VARIABLES, Can.CHANGES_SINCE,
)  # fmt: skip
"""What answers in many lines, one of which may be what was asked."""
NAMED: Final = 3
"""Files that a sentence names."""
RULED: Final = 2
"""Lines above the first row of a table."""
LEAST_LINE: Final = 8
LONG_LINE: Final = 300
"""Characters of a line that is told by itself."""
FOUND: Final[dict[str, str]] = {
    Can.SECRET_SCAN: "secret", Can.SECURITY_AUDIT: "security problem", Can.LINT: "code problem",
    Can.VALIDATE_CONFIG: "configuration problem", Can.AUDIT_INFRASTRUCTURE: "infrastructure problem",
    Can.CHECK_DATA_QUALITY: "data problem", Can.VALIDATE_SCHEMA: "schema problem", Can.REVIEW_QUERIES: "query problem",
    Can.REVIEW_MIGRATIONS: "migration problem", Can.CHECK_API_CONTRACT: "contract problem",
    Can.CHECK_ACCESSIBILITY: "accessibility problem", Can.AUDIT_DEPENDENCIES: "dependency problem",
    Can.TRACE_ERRORS: "error", Can.ANALYZE_LOGS: "problem in logs", Can.ASSESS_EXPOSURE: "exposed credential",
    Can.CORRELATE_EVENTS: "finding",
}  # fmt: skip
"""What a capability finds, one of it."""
LISTED: Final[dict[str, str]] = {
    Can.LIST_TODOS: "to-do", Can.LIST_EXPOSED_PORTS: "open port", Can.FIND_PERSONAL_DATA: "kind of personal data",
    Can.FIND_DUPLICATES: "duplicate", Can.FIND_DEAD_CODE: "unused definition",
}  # fmt: skip
"""The same for what is listed rather than judged."""
_there = re.compile(
    r"(?i)\W*(?:so |and )?(?:(?:is|are) (?:there|any|our)|do(?:es)? (?:we|i|it|any)|did|has|have|any)\b"
)
_whether = re.compile(r"(?i)\W*(?:is|are|am|was|were|can|could|does|do|did|has|have|will|would|should)\b")
_good = re.compile(
    r"(?i)\W*(?:is|are|am|can|does|do|will)\b.*\b(?:safe|secure|ok|okay|good|fine|clean|valid|ready|correct|compliant|accessible|sane"
    r"|match|matches|follow|agree|comply|conform|publish|share|go live)\b"
)
_property = re.compile(
    r"(?i)\b(?:encrypted|hashed|salted|protected|validated|escaped|sanitized|checked|verified|signed|tested|documented"
    r"|pinned|up to date|current|limited|private|authenticated|authorized|covered|restricted|enabled|configured|used"
    r"|logged|backed up|parameterized|supported|handled|correctly|properly|enough)\b"
)
"""Words for what ought to be so: that there are findings answers such a question neither way."""
_boiler = re.compile(
    r"[\d,]+ of [\d,]+ (?:files )?examined\b|[\d,]+ examined: (?:[\d,]+ (?:critical|high|medium|low|none)|nothing)"
    r"|Rules: |Found: |\| object \||Not examined:|\*\*(?:Critical|High|Medium|Low|None)\*\*"
)
_plain = re.compile(r"[^|#`*>\-+\s]|`[^`]+`[^|]*$|\*\*[^*]+\*\*\S*\s+\S")
_sureness = re.compile(r" \((?:low|medium|high) confidence\)$")
_marks = re.compile(r"[`*]|\\(?=[^a-zA-Z0-9\s])")
_section = re.compile(r"(?:\*\*([A-Z][^*\n]{2,60})\*\*|([A-Z][\w ,]{2,60}):$)")
LONG_TITLE: Final = 80
"""Characters of a heading above which it only lists what was worked on."""
_caveat = re.compile(r"^[^|\n]*\bnot (?:checked|compared|looked up)\b[^|\n]*$", re.MULTILINE)
"""A line of a result that says what it leaves open."""


class Answer(NamedTuple):
    """What is said first, and the texts of steps that say more."""

    sentences: tuple[str, ...]
    texts: tuple[tuple[Taken, str], ...]
    """Steps whose result is a text, each with what is left of it to show: Markdown."""

    def __repr__(self) -> str:
        return "<Answer private>"


def answer(run: Run, overview: Overview) -> Answer:
    """Put together what the steps that were carried out found."""
    steps = [step for step in overview.steps if step.done and step.result is not None]
    steps = [step for step in steps if step.step.capability not in TELLING]
    own = [step for step in steps if step.step.capability != Can.REPORT] or steps
    groups: dict[str, list[Taken]] = {}
    for step in own:
        groups.setdefault(step.step.capability, []).append(step)
    sentences, texts = [], []
    places: set[str] = set()
    for capability, mine in groups.items():
        if capability in FOUND or capability in LISTED:
            found = folded(mine)
            new = [one for one in found if one.place not in places]
            places |= {one.place for one in found}
            # What stands at places that were told already is not told again.
            sentences += [_found(run, capability, mine, new, more=len(new) < len(found))] if new or not found else []
            continue
        for step in mine:
            sentence, text = _said(run, step)
            sentences += [sentence] * bool(sentence)
            texts += [(step, text)] * bool(text)
    if any(" speak" in sentence and not sentence.startswith(NONE) for sentence in sentences):
        sentences = [sentence for sentence in sentences if not sentence.startswith(NONE)]
    # What was found comes before what was not; yes or no is said once.
    sentences.sort(key=lambda sentence: sentence.startswith("No ") and not sentence.startswith("No: "))
    sentences = [*sentences[:1], *(re.sub("^(?:Yes|No): ", "", sentence) for sentence in sentences[1:])]
    if len(sentences) > MOST:
        sentences = [*sentences[: MOST - 1], f"{plural(len(sentences) - MOST + 1, 'more answer')} in the report."]
    return Answer(tuple(sentences), tuple(texts))


def _found(run: Run, capability: str, steps: Sequence[Taken], found: list[Reported], *, more: bool) -> str:
    """`Yes: 9 secrets in 6 files, the worst high: a private key in the open, in keys.ts:21.`"""
    goal = run.question
    noun, besides = FOUND.get(capability) or LISTED[capability], ""
    if capability == Can.SECRET_SCAN:
        personal = [one for one in found if one.finding.tag == OutcomeTag.PERSONAL_DATA]
        found = [one for one in found if one.finding.tag != OutcomeTag.PERSONAL_DATA]
        likely = [one for one in found if one.finding.severity != Severity.LOW]
        if likely and len(likely) < len(found) and not on_point(goal, found, capability)[1]:
            besides = (
                f" {len(found) - len(likely):,} more are less likely real: low confidence, well-known defaults, hashes."
            )
            found = likely
        if personal:
            besides += f" Personal data in {plural(len({one.finding.name for one in personal}), 'file')}."
    open_points = "".join(f" {_short(line.strip().rstrip('.'))}." for step in steps for line in _open(step)[:2])
    if not found:
        extent = _extent(run, capability, steps)
        if not extent:
            return f"Nothing was examined: there is no file here that {called(capability, run.names)} reads."
        clear = f"No {_several(noun)} found in {extent}.{besides}"
        # What was not looked up comes first: no findings would read as good news.
        return f"{open_points.strip()} {clear}".strip() if open_points else clear
    words, point = on_point(goal, found, capability)
    some = point if 0 < len(point) < len(found) else found
    counted = _counted(capability, some, besides=more)
    if some is point:
        told = [word for word in words if any(hits(_text(one), [word]) for one in point)]
        all_of = f" {len(found):,} in all, in {plural(len({one.finding.name for one in found}), 'file')}."
        speak = f"speak{'s' if len(point) == 1 else ''} of {spelled(told)}"
        return f"{_verdict(run, point)}{counted} {speak}, {_worst(point, capability)}.{all_of}{besides}"
    if words and not point and _asked_whether(goal):
        none = f"{NONE}{counted} speaks of {spelled(words)}, which does not rule it out"
        return f"{none}; of all, {_worst(found, capability)}.{besides}{open_points}"
    return f"{_verdict(run, found)}{counted}, {_worst(found, capability)}.{besides}{open_points}"


def _text(one: Reported) -> str:
    return f"{one.finding.message} {one.finding.rule} {one.finding.name}"


def _counted(capability: str, found: Sequence[Reported], *, besides: bool) -> str:
    """`9 secrets in 6 files (1 high, 8 low)`."""
    noun = FOUND.get(capability) or LISTED[capability]
    count = f"{len(found):,} {noun if len(found) == 1 else _several(noun)}"
    counts = Counter(one.finding.severity for one in found)
    listed = ", ".join(f"{counts[word]:,} {word}" for word in WORST_FIRST if counts[word])
    shares = f" ({listed})" if capability in FOUND and len(found) > 1 else ""
    files = plural(len({one.finding.name for one in found}), "file")
    return f"{count}{' besides' if besides else ''} in {files}{shares}"


def _asked_whether(goal: str) -> bool:
    """Whether yes or no would be an answer."""
    return bool(_there.match(goal) or _good.match(goal) or _whether.match(goal))


def _open(step: Taken) -> list[str]:
    """What an audit says that it could not check: without it, few findings would read as good news."""
    if step.step.capability != Can.AUDIT_DEPENDENCIES:
        return []
    lines = [_marks.sub("", line) for line in _caveat.findall(step.result.text)]
    return [re.sub(r" \([^()]*\)", "", line) for line in lines]


def _several(noun: str) -> str:
    first, word, rest = re.split(r"( in | of |$)", noun, maxsplit=1)
    return f"{first}s{word}{rest}"


def _worst(found: Sequence[Reported], capability: str) -> str:
    one = found[0]
    message = _short(_sureness.sub("", one.finding.message).rstrip("."))
    if re.match(r"[A-Z][a-z]* |A |An ", message):
        message = message[0].lower() + message[1:]
    if capability in LISTED:
        return f"{'such as' if len(found) > 1 else 'at'} {_short(one.place)}: {message}"
    if len(found) > 1:
        return f"the worst in {_short(one.place)}: {message}"
    return f"at {_short(one.place)} ({one.finding.severity}): {message}"


def _short(text: str) -> str:
    """A name or a message, cut where it is too long for a sentence."""
    return text if len(text) <= LONG else f"{text[:LONG]}…"


def _verdict(run: Run, found: Sequence[Reported]) -> str:
    """`Yes: ` or `No: ` where that is what was asked; nothing is called good for want of findings."""
    goal = run.question
    worst = max(rank(one.finding.severity) for one in found)
    if _good.match(goal):
        return "No: " if worst >= rank(Severity.MEDIUM) else ""
    return "Yes: " if (_whether.match(goal) or _there.match(goal)) and not _property.search(goal) else ""


def _extent(run: Run, capability: str, steps: Sequence[Taken]) -> str:
    """`37 of 37 files`: how much was examined of what the capability could have been put to in this folder."""
    covered = [step.coverage for step in steps if step.coverage is not None]
    single = list(dict.fromkeys(str(name) for step in steps if step.coverage is None for name in step.step.inputs))
    examined = sum(each.examined for each in covered) + len(single)
    given = max(sum(each.given for each in covered) + len(single), run.applicable.get(capability, 0))
    if not examined:
        return ""
    partial = ", some of them in part" if any(step.partial for step in steps) and examined >= given else ""
    named = [run.names[id_][0] for id_ in single if id_ in run.names] if not covered and len(single) <= NAMED else []
    if named and len(named) == len(single):
        others = f" ({examined:,} of {plural(given, 'file')} that it can read)" if given > examined else ""
        return f"{' and '.join(named)}{others}{partial}"
    return f"{examined:,} of {plural(given, 'file')} that it can read{partial}"


def _said(run: Run, step: Taken) -> tuple[str, str]:
    """The first sentence of a text, and the rest of it without what is said elsewhere."""
    goal, capability = run.question, step.step.capability
    blocks = list(_blocks(step.result.text))
    if not blocks:
        title = step.result.title or called(capability, run.names)
        covered = step.coverage
        if covered is None or covered.examined:
            return f"{title}: nothing to tell.", ""
        why = f": {covered.left_out[0].reason}" if covered.left_out else ""
        return f"{title}: nothing was examined{why}.", ""
    if capability == Can.COMPARE_ENVIRONMENTS and (sentence := _differences(step)):
        return sentence, "\n\n".join(block for block in blocks if "|" in block)
    words = subject(goal, capability)
    own = _tests(step, words, goal) if capability == Can.FIND_TESTS else ""
    if capability in LINED:
        own = _line(blocks, words, rows=capability != Can.EXPLAIN_PROJECT)
        blocks = _led(blocks, goal)
        own = own or _section_row(blocks, subject(goal, ""))
    title = blocks.pop(0).lstrip("# ") + ": " if blocks[0].startswith("#") and len(blocks) > 1 else ""
    title = title if len(title) <= LONG_TITLE else ""
    first, _, rest = blocks[0].partition("\n")
    if blocks[0].startswith("|") and not own:
        rows = [_cells(row) for row in blocks[0].split("\n")]
        own = " ".join(_row(rows[0], row) for row in rows[RULED : RULED + NAMED])
    if own:
        return _marks.sub("", own), "\n\n".join(blocks)
    if not _plain.match(first):
        return f"{_marks.sub('', title).rstrip()}", "\n\n".join(blocks)
    return _marks.sub("", title + first), "\n\n".join([rest] * bool(rest) + blocks[1:])


def _tests(step: Taken, words: Sequence[str], goal: str) -> str:
    """`Yes: 3 test files for login: …`: the tests that a question asks about, by the names of tests and modules."""
    facts = step.result.facts
    modules: dict[str, list[str]] = facts.get("modules", {})
    tests = list(map(str, facts.get("objects", ())))
    whether = bool(_whether.match(goal) or _there.match(goal))
    if not words:
        if not tests:
            return f"{'No: ' if whether else ''}No test files were found."
        return f"{'Yes: ' if whether else ''}{plural(len(tests), 'test file')}, such as {_names(tests)}."
    names = [*tests, *modules]
    most, places = best(names, words)
    # A feed parser is a parser: where no name has all of the words, the last one decides.
    places = [place for place in places if hits(names[place], words[-1:])] or places
    told = [word for word in words if any(hits(names[place], [word]) for place in places)]
    if not most:
        return f"No test file and no module is called after {spelled(words)}; {plural(len(tests), 'test file')} in all."
    chosen = [names[place] for place in places]
    own = list(dict.fromkeys([*(name for name in chosen if name in tests), *_of(chosen, modules)]))
    bare = [name for name in chosen if name in modules and not modules[name] and name not in tests]
    if not own:
        return f"{'No: ' if whether else ''}No test was found of {_names(bare)}, by imports and names."
    without = f" Without tests: {_names(bare)}." if bare else ""
    return f"{'Yes: ' if whether else ''}{plural(len(own), 'test file')} for {spelled(told)}: {_names(own)}.{without}"


def _of(chosen: Sequence[str], modules: dict[str, list[str]]) -> list[str]:
    return [test for name in chosen for test in modules.get(name, ())]


def _names(names: Sequence[str]) -> str:
    """`a, b, c and 4 more`."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _section_row(blocks: Sequence[str], words: Sequence[str]) -> str:
    """`Largest files: a.py: Lines 900; b.py: Lines 800.`, where the section that was asked for begins with a table."""
    for block, after in pairwise(blocks[1:3]):
        section = _section.match(block)
        if section and after.startswith("|") and hits("".join(section.groups("")), words):
            rows = [_cells(row) for row in after.split("\n")]
            told = "; ".join(_row(rows[0], row).rstrip(".") for row in rows[RULED : RULED + NAMED])
            return f"{''.join(section.groups(''))}: {told}."
    return ""


def _line(blocks: Sequence[str], words: Sequence[str], *, rows: bool) -> str:
    """The line or row of a text that speaks most of what is asked, where its first lines do not."""
    if not words:
        return ""
    lines: list[str] = []
    for block in blocks:
        parts = block.split("\n")
        if block.startswith("|"):
            cells = [_cells(part) for part in parts[RULED:]] if rows else []
            named = [row for row in cells if _marks.sub("", row[0]).lower() in words]
            if named:
                return " ".join(_row(_cells(parts[0]), row) for row in named[:NAMED])
            lines += [_row(_cells(parts[0]), row) for row in cells]
        elif not block.startswith(("#", "```")):
            lines += [part for part in parts if len(part) > LEAST_LINE and part[-1:] != ":"]
    most, places = best(lines, words)
    if most < max(1, min(len(words), 2), len(words) - 1) or hits(blocks[0], words) >= most:
        return ""
    line = lines[places[0]].lstrip("-* ").rstrip()
    return line if len(line) <= LONG_LINE and line[:1] != "|" else ""


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _row(titles: Sequence[str], cells: Sequence[str]) -> str:
    """`javascript: Files 44, Lines 3,568.`"""
    pairs = [f"{title} {cell}" for title, cell in zip(titles[1:], cells[1:], strict=False) if cell]
    return f"{cells[0]}: {', '.join(pairs)}."


def _led(blocks: list[str], goal: str) -> list[str]:
    """A text with the section first, behind its opening, whose title says what was asked for."""
    starts = [place for place, block in enumerate(blocks) if place and _section.match(block)]
    titles = ["".join(match.groups("")) if (match := _section.match(blocks[place])) else "" for place in starts]
    _, found = best(titles, subject(goal, ""))
    if not found:
        return blocks
    first = starts[found[0]]
    bold = blocks[first].startswith("*")
    ends = [place for place in starts if place > first and (not bold or blocks[place].startswith("*"))]
    end = ends[0] if ends else len(blocks)
    opening = 2 if blocks[0].startswith("#") else 1
    return [*blocks[:opening], *blocks[first:end], *blocks[opening:first], *blocks[end:]]


def _differences(step: Taken) -> str:
    """`Staging and production differ in 10 of 12 settings.`"""
    facts = step.result.facts
    differs, missing, settings = facts.get("differs", ()), facts.get("missing", {}), facts.get("settings", 0)
    names = list(dict.fromkeys(name or label for label, name in facts.get("environments", {}).items()))
    if not settings:
        return ""
    who = " and ".join(map(str, names)) if len(names) == 2 else "The environments"
    number = len({*differs, *missing})
    if not number:
        return f"{who} have the same value in all of {settings:,} settings that were compared."
    who = who if "/" in names[0] else f"{who[0].upper()}{who[1:]}"
    return f"{who} differ in {number:,} of {plural(settings, 'setting')}."


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs of a text, without how much was examined and without findings, which are told by themselves."""
    skipping = False
    for block in re.split(r"\n\s*\n", text.strip()):
        if _boiler.match(block):
            skipping = block.startswith(("Not examined", "**"))
        elif skipping and block.lstrip().startswith("- "):
            continue
        else:
            skipping = False
            yield block.strip("\n")
