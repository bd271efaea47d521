"""The first sentence of a result that is a text: the line, row, section or commands that were asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from plantwin.private.report.focus import asked_whether, best, hits, spelled, subject
from plantwin.private.report.model import Taken
from plantwin.private.report.wording import called
from plantwin.private.selection.words import STOP
from plantwin.text import plural
from plantwin.vocabulary import CapabilityName as Can

if TYPE_CHECKING:
    from plantwin.run import Run

LINED: Final = (
    Can.EXPLAIN_PROJECT, Can.MEASURE_SIZE, Can.LIST_LICENSES, Can.LIST_ENVIRONMENT_VARIABLES, Can.CHANGES_SINCE,
)  # fmt: skip
"""What answers in many lines, one of which may be what was asked."""
TABLES: Final = 8
"""Tables whose size a sentence tells."""
_rows = re.compile(r"[\d,]+ rows?\b[^;\n]*")
NAMED: Final = 3
"""Files that a sentence names."""
LACKING: Final = 8
"""The same where they are the answer."""
RULED: Final = 2
"""Lines above the first row of a table."""
LEAST_LINE: Final = 8
LONG_LINE: Final = 300
"""Characters of a line that is told by itself."""
_boiler = re.compile(
    r"[\d,]+ of [\d,]+ (?:files )?examined\b|[\d,]+ examined: (?:[\d,]+ (?:critical|high|medium|low|none)|nothing)"
    r"|Rules: |Found: |\| object \||Not examined:|\*\*(?:Critical|High|Medium|Low|None)\*\*"
)
_plain = re.compile(r"[^|#`*>\-+\s]|`[^`]+`[^|]*$|\*\*[^*]+\*\*\S*\s+\S")
_marks = re.compile(r"`([^`\n]*)`|\\([^a-zA-Z0-9\s])|[`*]")
_section = re.compile(r"(?:\*\*([A-Z][^*\n]{2,60})\*\*|([A-Z][\w ,]{2,60}):$)")
_how_to = re.compile(r"\*\*(How to run [\w ]+)\*\*")
_one_line = re.compile(r"\*\*([A-Z][^*\n]{2,60})\*\*: (.+)$")
_lacking = re.compile(r"(?i)\b(?:no|without|lacks?|lacking|miss(?:ing|es)?|untested|not|never|aren't|isn't|don't)\b")
_passing = re.compile(r"(?i)\b(?:pass(?:es|ing)?|fail(?:s|ing|ed)?|green|broken)\b")
RUNNING: Final = ("run", "test", "tests", "start")
"""Words that every command may have."""
FENCE: Final = "```"
LONG_TITLE: Final = 80
"""Characters of a heading above which it only lists what was worked on."""


def said(run: Run, step: Taken) -> tuple[str, str]:
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
    if own and words:  # what has no tests elsewhere was not asked
        return unmarked(own), ""
    if capability == Can.PROFILE_DATA:
        own = _sizes(blocks)
    if capability in LINED:
        lines = blocks
        # What changed is told by its first lines, whatever section is called so.
        about = words if capability == Can.CHANGES_SINCE else subject(goal, "")
        blocks = _led(blocks, about)
        own = _commands(blocks, goal) or _line(lines, words, rows=capability != Can.EXPLAIN_PROJECT)
        own = own or _section_row(blocks, about) or _stated(blocks)
    title = blocks.pop(0).lstrip("# ") + ": " if blocks[0].startswith("#") and len(blocks) > 1 else ""
    title = title if len(title) <= LONG_TITLE else ""
    first, _, rest = blocks[0].partition("\n")
    if blocks[0].startswith("|") and not own:
        rows = [_cells(row) for row in blocks[0].split("\n")]
        own = " ".join(_row(rows[0], row) for row in rows[RULED : RULED + NAMED])
    if own:
        return unmarked(own), "\n\n".join(blocks)
    if not _plain.match(first):
        return f"{unmarked(title).rstrip()}", "\n\n".join(blocks)
    return unmarked(title + first), "\n\n".join([rest] * bool(rest) + blocks[1:])


def unmarked(text: str) -> str:
    """A text without marks: what they stand around, and what is written in spite of them, stays."""
    return _marks.sub(lambda match: match[1] or match[2] or "", text)


def _sizes(blocks: Sequence[str]) -> str:
    """`a.csv: 300 rows, 6 columns; b.csv: 800 rows, 5 columns.`, where there are several tables."""
    told = [
        f"{block.lstrip('# ')}: {size[0]}"
        for block, after in pairwise(blocks)
        if block.startswith("#") and (size := _rows.match(after))
    ]
    more = f"; {plural(len(told) - TABLES, 'more table')}" if len(told) > TABLES else ""
    return f"{'; '.join(told[:TABLES])}{more}." if len(told) > 1 else ""


def _tests(step: Taken, words: Sequence[str], goal: str) -> str:
    """`Yes: 3 test files for login: …`: the tests that a question asks about, by the names of tests and modules."""
    facts = step.result.facts
    modules: dict[str, list[str]] = facts.get("modules", {})
    tests = list(map(str, facts.get("objects", ())))
    whether = asked_whether(goal)
    passing = " Whether they pass only a run tells: ask to run the tests." if _passing.search(goal) else ""
    words = [word for word in words if not _passing.search(word)]
    untested = [name for name, own in modules.items() if not own]
    if untested and not words and _lacking.search(goal):
        return _untested(untested, len(modules), ())
    if not words:
        if not tests:
            return f"{'No: ' if whether else ''}No test files were found."
        return f"{'Yes: ' if whether else ''}{plural(len(tests), 'test file')}: {_names(tests)}.{passing}"
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
    if bare and _lacking.search(goal):
        return _untested(bare, sum(name in modules for name in chosen), told)
    if not own:
        # A test may go through it from outside: no import says so.
        near = [name for name in tests if hits(name, words)]
        named = f"; {plural(len(near), 'test file')} named alike: {_names(near)}" if near else ""
        return f"No test imports or is named after {_names(bare)}{named}.{passing}"
    without = f" Without tests: {_names(bare)}." if bare else ""
    yes = "Yes: " if whether else ""
    return f"{yes}{plural(len(own), 'test file')} for {spelled(told)}: {_names(own)}.{without}{passing}"


def _untested(names: Sequence[str], modules: int, words: Sequence[str]) -> str:
    """`3 of 8 modules for parsers have no test: …`."""
    about = f" for {spelled(words)}" if words else ""
    which = f"have no test that imports them or is named after them: {_names(names, LACKING)}"
    return f"{len(names):,} of {plural(modules, 'module')}{about} {which}."


def _of(chosen: Sequence[str], modules: dict[str, list[str]]) -> list[str]:
    return [test for name in chosen for test in modules.get(name, ())]


def _names(names: Sequence[str], most: int = NAMED) -> str:
    """`a, b, c and 4 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _section_row(blocks: Sequence[str], words: Sequence[str]) -> str:
    """`Largest files: a.py: Lines 900; b.py: Lines 800.`, where the section that was asked for begins with a table."""
    for block, after in pairwise(blocks[1:3]):
        section = _section.match(block)
        if section and after.startswith("|") and hits("".join(section.groups("")), words):
            rows = [_cells(row) for row in after.split("\n")]
            told = "; ".join(_row(rows[0], row).rstrip(".") for row in rows[RULED : RULED + NAMED])
            return f"{''.join(section.groups(''))}: {told}."
    return ""


def _commands(blocks: Sequence[str], goal: str) -> str:
    """`How to run it: docker compose up.`, where that section was asked for and so comes first."""
    opening = 2 if blocks[0].startswith("#") else 1
    title = _how_to.match(blocks[opening]) if blocks[opening:] else None
    if title is None:
        return ""
    own = next((at for at in range(opening + 1, len(blocks)) if _section.match(blocks[at])), len(blocks))
    starts = [at for at in range(opening + 1, own) if blocks[at].startswith("```") and len(blocks[at]) > len(FENCE)]
    about = [f"{blocks[at - 1]} {blocks[at]}" for at in starts]
    meant = best(about, [word for word in subject(goal, "") if " " not in word])[1][:1]  # `with docker`, of several
    begun = starts[meant[0]] if meant else starts[0] if starts else 0
    ended = next((at for at in range(begun, len(blocks)) if blocks[at].endswith("\n```")), begun)
    fenced = "\n".join(blocks[begun : ended + 1]) if begun else ""  # one with an empty line in it is several blocks
    listed = next((block for block in blocks[opening + 1 :][:3] if block.startswith("- ")), "")
    lines = [line.strip() for line in fenced.split("\n")[1:-1]] or [line[2:] for line in listed.split("\n")]
    lines = [line.lstrip("$> ") for line in lines if line and not line.startswith("#")]
    asked = [word.replace("built", "build") for word in re.findall(r"[a-z]{3,}", goal.lower()) if word not in STOP]
    if not fenced:  # `npm run dev` where it is asked how to run it in dev mode; what is asked of all is no sign
        telling = [
            word for word in asked if word not in RUNNING and 0 < sum(hits(line, [word]) for line in lines) < len(lines)
        ]
        lines.sort(key=lambda line: -hits(line.partition(" — ")[0], telling))
    return f"{title[1]}: {'; '.join(lines[:4])}{' …' if len(lines) > 4 else '.'}" if lines else ""


def _stated(blocks: Sequence[str]) -> str:
    """`Maintainers: …`, where a section of one line was asked for and so comes first."""
    opening = 2 if blocks[0].startswith("#") else 1
    line = _one_line.match(blocks[opening]) if blocks[opening:] else None
    return f"{line[1]}: {line[2]}" if line else ""


def _line(blocks: Sequence[str], words: Sequence[str], *, rows: bool) -> str:
    """The line or row of a text that speaks most of what is asked, where its first lines do not."""
    if not words:
        return ""
    lines: list[str] = []
    for block in blocks:
        parts = block.split("\n")
        if block.startswith("|"):
            cells = [_cells(part) for part in parts[RULED:]] if rows else []
            named = [row for row in cells if unmarked(row[0]).lower() in words]
            if named:
                return " ".join(_row(_cells(parts[0]), row) for row in named[:NAMED])
            lines += [_row(_cells(parts[0]), row) for row in cells]
        elif not block.startswith(("#", "```")):
            lines += [
                part for part in parts if len(part) > LEAST_LINE and part[-1:] != ":" and not _section.match(part)
            ]
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


def _led(blocks: list[str], words: Sequence[str]) -> list[str]:
    """A text with the section first, behind its opening, whose title says what was asked for."""
    starts = [place for place, block in enumerate(blocks) if place and _section.match(block)]
    titles = ["".join(match.groups("")) if (match := _section.match(blocks[place])) else "" for place in starts]
    _, found = best(titles, words)
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
