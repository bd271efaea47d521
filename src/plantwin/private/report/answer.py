"""The answer to a request in a sentence or two, made from results. It stands first, on the screen and in the report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from plantwin import lexicon
from plantwin.private.execution.members import NOT_FOR_IT
from plantwin.private.report.focus import asked_whether, hits, on_point, sorts_asked, spelled
from plantwin.private.report.model import WORST_FIRST, Overview, Reported, Taken, folded, rank
from plantwin.private.report.said import NAMED, said, unmarked
from plantwin.private.report.wording import called
from plantwin.text import plural
from plantwin.types.capability import TELLING
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Coverage
    from plantwin.run import Run

LONG: Final = 100
"""Characters of a name or a message in a sentence."""
MOST: Final = 4
"""Sentences of an answer."""
NONE: Final = "none of which names"
"""Before the words of the question that no finding has."""
LIMITS: Final[dict[str, str]] = {
    Can.SECRET_SCAN: "What looks like a placeholder (`changeme`, `example`) is not counted.",
    Can.LIST_EXPOSED_PORTS: "Ports may be opened in ways that are not known here, such as gateways and charts.",
    OutcomeTag.MISSING_INDEX: "Indexes are known from SQL definitions alone, not from the models of an ORM.",
}
"""What none of a sort does not say."""
FOUND: Final[dict[str, str]] = {
    Can.SECRET_SCAN: "secret", Can.SECURITY_AUDIT: "security problem", Can.LINT: "code problem",
    Can.VALIDATE_CONFIG: "configuration problem", Can.AUDIT_INFRASTRUCTURE: "infrastructure problem",
    Can.CHECK_DATA_QUALITY: "data problem", Can.VALIDATE_SCHEMA: "schema problem", Can.REVIEW_QUERIES: "query problem",
    Can.REVIEW_MIGRATIONS: "migration problem", Can.CHECK_API_CONTRACT: "contract problem",
    Can.CHECK_ACCESSIBILITY: "accessibility problem", Can.AUDIT_DEPENDENCIES: "dependency problem",
    Can.TRACE_ERRORS: "stack trace", Can.ANALYZE_LOGS: "problem in logs", Can.ASSESS_EXPOSURE: "exposed credential",
    Can.CORRELATE_EVENTS: "finding",
}  # fmt: skip
"""What a capability finds, one of it."""
LISTED: Final[dict[str, str]] = {
    Can.LIST_TODOS: "to-do", Can.LIST_EXPOSED_PORTS: "open port", Can.FIND_PERSONAL_DATA: "kind of personal data",
    Can.FIND_DUPLICATES: "duplicate", Can.FIND_DEAD_CODE: "unused definition",
}  # fmt: skip
"""The same for what is listed rather than judged."""
_good = re.compile(
    r"(?i)\W*(?:is|are|am|can|does|do|will)\b.*\b(?:safe|secure|ok|okay|good|fine|clean|valid|ready|correct|compliant|accessible|sane"
    r"|match|matches|follow|agree|comply|conform|publish|share|go live)\b"
)
_whole = re.compile(
    r"(?i)\W*(?:is|are|can|does|do|will)\W+"
    r"(?:this|it|everything|all(?: of (?:this|it))?|we|i|(?:this|the|my|our|all|your)"
    r"(?: (?:code|folder|project|repo|repository|codebase|app|application|stuff)\b)+)"
    r"\W+(?:(?:be|all|really|actually|at all|too|still|even)\W+)*"
    r"(?:safe|secure|ok|okay|good|fine|clean|valid|ready|publish|share|go live)\b"
)
"""A question about the whole folder: where it is to go, or when, is no topic of a finding."""
_property = re.compile(
    r"(?i)\b(?:encrypted|hashed|salted|protected|validated|escaped|sanitized|checked|verified|signed|tested|documented"
    r"|pinned|up to date|current|limited|private|authenticated|authorized|covered|restricted|enabled|configured|used"
    r"|logged|backed up|parameterized|supported|handled|correctly|properly|enough)\b"
)
"""Words for what ought to be so: that there are findings answers such a question neither way."""
_having = re.compile(
    r"(?i)\W*(?:do|does|has|have|are|is)\b.*\b(?:have|has|use|uses|set|sets|define|declare|specify|with)\b"
)
_future = re.compile(r"(?i)\W*(?:so |and )?(?:will|would|could|should|might)\b")
"""What is not yet so, or ought to be: findings are reasons, and no yes."""
_denies = re.compile(r"(?i)\b(?:no|not|without|lacks?|missing|never|cannot)\b")
"""Findings of what is missing are no yes to whether it is there."""
_anyone = re.compile(r"(?i)\b(?:internet|public|publicly|world|everyone|anyone|everybody|outside)\b")
_everywhere = re.compile(r"(?i)everywhere|anywhere|internet|0\.0\.0\.0/0|::/0")
"""Who is asked about among those who can reach a port, and how a finding says it."""
PORTS: Final = 12
"""Ports that a sentence names."""
_port = re.compile(r"Port (\d+(?: \([^)]*\))?)")
_sureness = re.compile(r" \((?:low|medium|high) confidence\)$")
_two = re.compile(r"(?i)[,;?]?\s(?:and|but)\s(?=(?:where|how|what|which|who|when|why|is|are|do|does|can)\b)|[?;]\s+\w")
"""Between two questions in one request: what answers one does not answer the other."""
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
    if run.parts:
        return _of_parts(run.parts)
    steps = [step for step in overview.steps if step.done and step.result is not None]
    steps = [step for step in steps if step.step.capability not in TELLING]
    own = [step for step in steps if step.step.capability != Can.REPORT] or steps
    # What examined nothing, and was followed by something that did, says nothing.
    last = max((step.turn for step in own if step.coverage is None or step.coverage.examined), default=0)
    own = [step for step in own if step.turn >= last or step.coverage is None or step.coverage.examined]
    own = own if _two.search(run.question) else _pointed(own)
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
            sentence, text = said(run, step)
            sentences += [sentence] * bool(sentence)
            texts += [(step, text)] * bool(text)
    if any(" speak" in sentence and NONE not in sentence for sentence in sentences):
        sentences = [sentence for sentence in sentences if NONE not in sentence]
    worst = max((rank(one.finding.severity) for step in own for one in folded([step])), default=0)
    if _good.match(run.question) and worst >= rank(Severity.MEDIUM):
        sentences = [
            sentence if NONE in sentence else re.sub("^(?:No: |Yes: )?(?!No |None |Nothing )", "No: ", sentence)
            for sentence in sentences
        ]
    # What was found comes before what was not; yes or no is said once.
    sentences.sort(key=lambda sentence: sentence.startswith("No ") and not sentence.startswith("No: "))
    sentences = [*sentences[:1], *(re.sub("^(?:Yes|No): ", "", sentence) for sentence in sentences[1:])]
    if len(sentences) > MOST:
        sentences = [*sentences[: MOST - 1], f"{plural(len(sentences) - MOST + 1, 'more answer')} in the report."]
    return Answer(tuple(sentences), tuple(texts))


def _of_parts(parts: Sequence[Run]) -> Answer:
    """The answer to each question in turn; one that nothing was done for is named."""
    sentences: list[str] = []
    texts: list[tuple[Taken, str]] = []
    for part in parts:
        said = answer(part, Overview.of(part))
        sentences += said.sentences[: max(1, MOST // len(parts))] or (
            [] if said.texts else [f'Not answered: "{part.goal}". No capability was found for it.']
        )
        texts += said.texts
    return Answer(tuple(sentences), tuple(texts))


def _pointed(steps: list[Taken]) -> list[Taken]:
    """Of figures, of what is declared and of places that speak of it, what answers: a figure, or what is called so."""
    figures = [step for step in steps if step.step.capability == Can.QUERY_DATA and step.result is not None]
    if figures and len(figures) < len(steps):
        told = [step for step in figures if step.result.facts.get("on_point")]
        others = _pointed([step for step in steps if step not in figures])
        vain = all(step.result is not None and step.result.facts.get("vain") for step in others)
        return told or (figures if vain else others)
    listed = [step for step in steps if step.step.capability == Can.LIST_INVENTORY and step.result is not None]
    if held := [step for step in listed if step.result is not None and step.result.facts.get("held")]:
        return held
    if not listed or len(steps) == len(listed):
        return steps
    if any(step.result is not None and step.result.facts.get("questions", 1) > 1 for step in steps):
        return steps  # `which databases does it use, and how do I switch`: each answers its half
    dropped = Can.FIND_CODE if any(step.result.facts.get("on_point") for step in listed) else Can.LIST_INVENTORY
    return [step for step in steps if step.step.capability != dropped] or steps


def _found(run: Run, capability: str, steps: Sequence[Taken], found: list[Reported], *, more: bool) -> str:
    """`Yes: 9 secrets in 6 files, the worst high: a private key in the open, in keys.ts:21.`"""
    goal = run.question
    noun, besides = FOUND.get(capability) or LISTED[capability], ""
    if capability == Can.SECRET_SCAN:
        personal = [one for one in found if one.finding.tag == OutcomeTag.PERSONAL_DATA]
        found = [one for one in found if one.finding.tag != OutcomeTag.PERSONAL_DATA]
        likely = [one for one in found if one.finding.severity != Severity.LOW]
        if (
            likely
            and len(likely) < len(found)
            and not (not _whole.match(goal) and on_point(goal, found, capability)[1])
        ):
            besides = (
                f" {len(found) - len(likely):,} more are less likely real: low confidence, well-known defaults, hashes."
            )
            found = likely
        if personal:
            besides += f" Personal data in {plural(len({one.finding.name for one in personal}), 'file')}."
    sorts = sorts_asked(goal, capability)
    if sorts:
        rest = [one for one in found if one.finding.tag not in sorts]
        found = [one for one in found if one.finding.tag in sorts]
        besides += f" Besides, of other sorts: {_counted(capability, rest)}." if rest else ""
        # What is named is what was found; where nothing was, all that was asked for.
        lacking = {tag: one for tag, one in sorts.items() if all(each.finding.tag != tag for each in found)}
        present = {tag: one for tag, one in sorts.items() if tag not in lacking} or sorts
        noun = " or ".join(present.values())
        besides = "".join(f" No {_several(one)} found." for one in lacking.values() if found) + besides
        besides += "".join(f" {LIMITS[tag]}" for tag in lacking if tag in LIMITS)
    open_points = "".join(f" {_short(line.strip().rstrip('.'))}." for step in steps for line in _open(step)[:2])
    if not found:
        extent = _extent(run, capability, steps)
        if not extent:
            named, others = called(capability, run.names), run.applicable.get(capability, 0)
            none = f"{named} was given none of the {plural(others, 'file')} here that it reads"
            return f"Nothing was examined: {none if others else f'there is no file here that {named} reads'}."
        if sorts and open_points:
            return f"No {_several(noun)} found among what could be compared:{open_points}{besides}"
        limits = f" {LIMITS[capability]}" if capability in LIMITS else ""
        clear = f"No {_several(noun)} found in {extent}.{limits}{besides}"
        # What was not looked up comes first: no findings would read as good news.
        return f"{open_points.strip()} {clear}".strip()
    if capability == Can.LIST_EXPOSED_PORTS and _anyone.search(goal):
        wide = [one for one in found if _everywhere.search(one.finding.message)]
        if not wide:
            least = _counted(capability, found, noun, besides=more)
            return f"None of {least} is reachable from everywhere; {_worst(found, capability)}."
        found = wide
    words, point = ((), []) if sorts or _whole.match(goal) else on_point(goal, found, capability)
    words = tuple(word for word in words if not run.read_as or word in lexicon.words())
    some = point if 0 < len(point) < len(found) else found
    counted = _counted(capability, some, noun, besides=more)
    if some is point:
        told = [word for word in words if any(hits(_text(one), [word]) for one in point)]
        all_of = f" {len(found):,} in all, in {plural(len({one.finding.name for one in found}), 'file')}."
        speak = f"speak{'s' if len(point) == 1 else ''} of {spelled(told)}"
        return f"{_verdict(run, point)}{counted} {speak}, {_worst(point, capability)}.{all_of}{besides}"
    if words and not point and (asked_whether(goal) or _good.match(goal)):
        about = f"{NONE} {spelled(words, goal)}"
        return f"{counted}, {about}; {_worst(found, capability)}.{besides}{open_points}"
    return f"{_verdict(run, found)}{counted}, {_worst(found, capability)}.{besides}{open_points}"


def _text(one: Reported) -> str:
    return f"{one.finding.message} {one.finding.rule} {one.finding.name}"


def _counted(capability: str, found: Sequence[Reported], noun: str = "", *, besides: bool = False) -> str:
    """`9 secrets in 6 files (1 high, 8 low)`."""
    noun = noun or FOUND.get(capability) or LISTED[capability]
    count = f"{len(found):,} {noun if len(found) == 1 else _several(noun)}"
    counts = Counter(one.finding.severity for one in found)
    listed = ", ".join(f"{counts[word]:,} {word}" for word in WORST_FIRST if counts[word])
    shares = f" ({listed})" if capability in FOUND and len(found) > 1 else ""
    files = plural(len({one.finding.name for one in found}), "file")
    return f"{count}{' besides' if besides else ''} in {files}{shares}"


def _open(step: Taken) -> list[str]:
    """What an audit says that it could not check: without it, few findings would read as good news."""
    if step.step.capability != Can.AUDIT_DEPENDENCIES:
        return []
    lines = [unmarked(line) for line in _caveat.findall(step.result.text)]
    return [re.sub(r" \([^()]*\)", "", line).split(". ")[0] for line in lines]


def _several(noun: str) -> str:
    parts = [re.split(r"( in | of | past | without | open |$)", one, maxsplit=1) for one in noun.split(" or ")]
    return " or ".join(f"{re.sub('y$', 'ie', first)}s{word}{rest}" for first, word, rest in parts)


def _ports(found: Sequence[Reported]) -> str:
    """`80 (HTTP, in 3 places such as Dockerfile:4), 5432 (PostgreSQL) and 8080`: each port once, the usual first."""
    places: dict[str, list[str]] = {}
    for one in found:
        if match := _port.match(one.finding.message):
            places.setdefault(match[1], []).append(one.place)
    several = sorted(places, key=lambda name: (-len(places[name]), int(name.partition(" ")[0])))
    if len(places[several[0]]) > 1:
        often = f"in {len(places[several[0]])} places such as {_short(places[several[0]][0])}"
        several[0] = f"{several[0][:-1]}, {often})" if several[0][-1] == ")" else f"{several[0]} ({often})"
    more = [f"{len(several) - PORTS} more"] if len(several) > PORTS else []
    return " and ".join(filter(None, [", ".join([*several[:PORTS], *more][:-1]), [*several[:PORTS], *more][-1]]))


def _worst(found: Sequence[Reported], capability: str) -> str:
    one = found[0]
    if capability == Can.LIST_EXPOSED_PORTS and len(found) > 1 and _port.match(one.finding.message):
        return f"ports {_ports(found)}"
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
    if not asked_whether(goal) or _property.search(goal) or _future.match(goal):
        return ""
    lacking = all(_denies.search(one.finding.message) for one in found) and not _denies.search(goal)
    return "Not everywhere: " if lacking and _having.match(goal) else "Yes: "


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
    return f"{examined:,} of {plural(given, 'file')} that it can read{partial}{_unseen(covered)}"


def _unseen(covered: Sequence[Coverage]) -> str:
    """`; not examined: .env (not permitted by the policy)`: what could hide something, though nothing was found."""
    out = [each for one in covered for each in one.left_out if each.reason not in NOT_FOR_IT]
    said = [
        f"{', '.join(map(_short, each.names[:NAMED])) or f'{each.count:,}'} ({each.reason})" for each in out[:NAMED]
    ]
    return f"; not examined: {'; '.join(said)}" if said else ""
