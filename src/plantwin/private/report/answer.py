"""The answer to a request in a sentence or two, made from results. It stands first, on the screen and in the report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

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
_good = re.compile(
    r"(?i)\W*(?:is|are|am|can|does|do|will)\b.*\b(?:safe|secure|ok|okay|good|fine|clean|valid|ready|correct|compliant|accessible|sane"
    r"|match|matches|follow|agree|comply|conform|publish|share|go live)\b"
)
_boiler = re.compile(
    r"[\d,]+ of [\d,]+ (?:files )?examined\b|[\d,]+ examined: (?:[\d,]+ (?:critical|high|medium|low|none)|nothing)"
    r"|Rules: |Found: |\| object \||Not examined:|\*\*(?:Critical|High|Medium|Low|None)\*\*"
)
_plain = re.compile(r"[^|#`*>\-+\s]|`[^`]+`[^|]*$|\*\*[^*]+\*\*\S*\s+\S")
_sureness = re.compile(r" \((?:low|medium|high) confidence\)$")
_marks = re.compile(r"[`*]|\\(?=[^a-zA-Z0-9\s])")
_section = re.compile(r"(?:\*\*([A-Z][^*\n]{2,60})\*\*|([A-Z][\w ,]{2,60}):$)")
_word = re.compile(r"[a-z]{3,}")
LONG_TITLE: Final = 80
"""Characters of a heading above which it only lists what was worked on."""
SAME: Final[dict[str, str]] = {
    **dict.fromkeys(("biggest", "big", "large", "longest", "huge", "size"), "largest"),
    **dict.fromkeys(("start", "install", "launch", "use", "build", "deploy", "setup", "execute"), "run"),
    **dict.fromkeys(("missing", "null", "empty", "blank", "absent"), "no value"),
}
"""Words of a question that results put in another way."""
_ASKING = """
all and any are can could data does file files find for from has have here how into its list many most much our please
problem problems show tell that the them there these they this was were what when where which who why will with would
you your
"""
ASKING: Final = frozenset(_ASKING.split())
"""Words of a question that say nothing of what it asks about."""
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
    for capability, mine in groups.items():
        if capability in FOUND or capability in LISTED:
            sentences.append(_found(run, capability, mine))
            continue
        for step in mine:
            sentence, text = _said(run, step)
            sentences += [sentence] * bool(sentence)
            texts += [(step, text)] * bool(text)
    # What was found comes before what was not; yes or no is said once.
    sentences.sort(key=lambda sentence: sentence.startswith("No ") and not sentence.startswith("No: "))
    sentences = [*sentences[:1], *(re.sub("^(?:Yes|No): ", "", sentence) for sentence in sentences[1:])]
    if len(sentences) > MOST:
        sentences = [*sentences[: MOST - 1], f"{plural(len(sentences) - MOST + 1, 'more answer')} in the report."]
    return Answer(tuple(sentences), tuple(texts))


def _found(run: Run, capability: str, steps: Sequence[Taken]) -> str:
    """`Yes: 9 secrets in 6 files, the worst high: a private key in the open, in keys.ts:21.`"""
    found = folded(steps)
    noun, besides = FOUND.get(capability) or LISTED[capability], ""
    if capability == Can.SECRET_SCAN:
        personal = [one for one in found if one.finding.tag == OutcomeTag.PERSONAL_DATA]
        found = [one for one in found if one.finding.tag != OutcomeTag.PERSONAL_DATA]
        likely = [one for one in found if one.finding.severity != Severity.LOW]
        if likely and len(likely) < len(found):
            besides = (
                f" {len(found) - len(likely):,} more are less likely real: low confidence, well-known defaults, hashes."
            )
            found = likely
        if personal:
            besides += f" Personal data in {plural(len({one.finding.name for one in personal}), 'file')}."
    besides += "".join(f" {_short(line.strip().rstrip('.'))}." for step in steps for line in _open(step)[:2])
    if not found:
        return f"No {_several(noun)} found in {_extent(run, capability, steps)}.{besides}"
    files = plural(len({one.finding.name for one in found}), "file")
    count = f"{len(found):,} {noun if len(found) == 1 else _several(noun)}"
    counts = Counter(one.finding.severity for one in found)
    listed = ", ".join(f"{counts[word]:,} {word}" for word in WORST_FIRST if counts[word])
    shares = f" ({listed})" if capability in FOUND and len(found) > 1 else ""
    point = on_point(run.question, found)
    if point:
        named = plural(len({one.finding.name for one in point}), "file")
        besides = f" {len(point):,} of them, in {named}, say what you asked for.{besides}"
    told = _worst(point or found, capability, asked=bool(point))
    return f"{_verdict(run, found)}{count} in {files}{shares}, {told}.{besides}"


def _open(step: Taken) -> list[str]:
    """What an audit says that it could not check: without it, few findings would read as good news."""
    if step.step.capability != Can.AUDIT_DEPENDENCIES:
        return []
    lines = [_marks.sub("", line) for line in _caveat.findall(step.result.text)]
    return [re.sub(r" \([^()]*\)", "", line) for line in lines]


def _several(noun: str) -> str:
    first, word, rest = re.split(r"( in | of |$)", noun, maxsplit=1)
    return f"{first}s{word}{rest}"


def _worst(found: Sequence[Reported], capability: str, *, asked: bool = False) -> str:
    one = found[0]
    message = _short(_sureness.sub("", one.finding.message).rstrip("."))
    if re.match(r"[A-Z][a-z]* |A |An ", message):
        message = message[0].lower() + message[1:]
    if capability in LISTED or asked:
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
    return "Yes: " if _there.match(goal) else ""


def _extent(run: Run, capability: str, steps: Sequence[Taken]) -> str:
    """`37 of 37 files`: how much was examined of what the capability could have been put to in this folder."""
    covered = [step.coverage for step in steps if step.coverage is not None]
    single = {name for step in steps if step.coverage is None for name in step.step.inputs}
    examined = sum(each.examined for each in covered) + len(single)
    given = max(sum(each.given for each in covered) + len(single), run.applicable.get(capability, 0))
    partial = ", some of them in part" if any(step.partial for step in steps) and examined >= given else ""
    return f"{examined:,} of {plural(given, 'file')} that it can read{partial}"


def _said(run: Run, step: Taken) -> tuple[str, str]:
    """The first sentence of a text, and the rest of it without what is said elsewhere."""
    blocks = list(_blocks(step.result.text))
    if not blocks:
        title = step.result.title or called(step.step.capability, run.names)
        return (f"{title}: nothing to tell.", "")
    if step.step.capability == Can.COMPARE_ENVIRONMENTS and (sentence := _differences(step)):
        return sentence, "\n\n".join(block for block in blocks if "|" in block)
    blocks = _led(blocks, run.question)
    title = blocks.pop(0).lstrip("# ") + ": " if blocks[0].startswith("#") and len(blocks) > 1 else ""
    title = title if len(title) <= LONG_TITLE else ""
    first, _, rest = blocks[0].partition("\n")
    if not _plain.match(first):
        return f"{_marks.sub('', title).rstrip()}", "\n\n".join(blocks)
    return _marks.sub("", title + first), "\n\n".join([rest] * bool(rest) + blocks[1:])


def asked_words(goal: str) -> set[str]:
    """The words of a question that say what it asks about, as results put them."""
    return {_root(SAME.get(word, word)) for word in _word.findall(goal.lower()) if word not in ASKING}


def _root(word: str) -> str:
    return re.sub("(?:ing|ed|e?s|e)$", "", word) if len(word) > 3 else word


def told_of(text: str, asked: set[str]) -> int:
    """How many of these words a text has."""
    low = text.lower()
    have = {_root(word) for word in _word.findall(low)}
    return sum(word in have or (" " in word and word in low) for word in asked)


def on_point(goal: str, found: Sequence[Reported]) -> list[Reported]:
    """The findings that say what was asked for, where only some do: `which run as root` among all of Dockerfiles."""
    asked = asked_words(goal)
    hits = [(told_of(f"{one.finding.message} {one.finding.rule}", asked), one) for one in found]
    best = max((number for number, _ in hits), default=0)
    chosen = [one for number, one in hits if number == best]
    return chosen if best > 1 and len(chosen) < len(found) else []


def _led(blocks: list[str], goal: str) -> list[str]:
    """A text with the section first, behind its opening, whose title says what was asked for."""
    asked = asked_words(goal)
    starts = [place for place, block in enumerate(blocks) if place and _section.match(block)]
    titles = {place: told_of("".join(_section.match(blocks[place]).groups("")), asked) for place in starts}  # type: ignore[union-attr]
    best = max(starts, key=lambda place: (titles[place], -place), default=0)
    if not best or not titles[best]:
        return blocks
    bold = blocks[best].startswith("*")
    ends = [place for place in starts if place > best and (not bold or blocks[place].startswith("*"))]
    end = ends[0] if ends else len(blocks)
    opening = 2 if blocks[0].startswith("#") else 1
    return [*blocks[:opening], *blocks[best:end], *blocks[opening:best], *blocks[end:]]


def _differences(step: Taken) -> str:
    """`Staging and production differ in 10 of 12 settings.`"""
    facts = step.result.facts
    differs, missing, settings = facts.get("differs", ()), facts.get("missing", {}), facts.get("settings", 0)
    names = list(dict.fromkeys(facts.get("environments", {}).values()))
    if not settings:
        return ""
    who = " and ".join(map(str, names)) if len(names) == 2 else "The environments"
    number = len({*differs, *missing})
    if not number:
        return f"{who} have the same value in all of {settings:,} settings that were compared."
    return f"{who[0].upper()}{who[1:]} differ in {number:,} of {plural(settings, 'setting')}."


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
