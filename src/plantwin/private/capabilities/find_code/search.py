"""Find the passages that answer a question, by its words: they stay here, and the planner never chooses them."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile
from typing import Final

from plantwin import lexicon
from plantwin.private.capabilities.engine.job import Input, Job, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, outcome, plain
from plantwin.private.capabilities.engine.results import Mask
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.find_code.passages import SHOWN, Sort, is_manual, rendered, sort_of
from plantwin.private.capabilities.find_code.question import Expected, Half, Wanted, halves
from plantwin.private.capabilities.find_code.ranking import FILES, File, Passage, Ranking, cut, likely
from plantwin.private.capabilities.find_code.usage import Usage
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.capabilities.graph import Network
from plantwin.private.capabilities.list_inventory.inventory import stated
from plantwin.private.formats.documents import is_prose, sentences
from plantwin.private.selection.words import stem
from plantwin.text import letters_apart, plural
from plantwin.vocabulary import OutcomeTag, SemanticClass

TITLE = "Passages that speak of it"
TOOL = "sections, definitions and settings, ranked by the words of the request (BM25)"
READ = 512 << 10
"""Bytes of one file that are searched."""
LISTED: Final = 12
ANSWERS: Final = 3
"""Passages that are shown."""
FEWER: Final = 6
"""Lines that are shown of all but the first."""
WIDTH: Final = 78
FLOOR: Final = 0.42
"""Share of what a question asks below which a passage speaks of something else."""
LONGEST: Final = 200
"""Characters of the sentence that answers."""
_COMMENT = re.compile(r"\s*(?:///?!?|#+!?|/?\*+|--|;+|\"\"\"|''')\s?(.*?)(?:\*/|\"\"\"|''')?\s*$")
_WHETHER = re.compile(r"(?i)\W*(?:is|are|was|were|can|could|may|do|does|did|has|have|will|would|should)\b")
_SETS = re.compile(
    r"(?i)\b(?:set|change|adjust|configur\w*|enabl\w*|disabl\w*|(?:de)?activat\w*|turn|switch|limit|increas\w*|rais\w*|lower"
    r"|reduc\w*|restrict|allow|block|hide|override)\b"
)
"""What a setting does, where it is asked how one does something: none says how to make a key or run a program."""
_DENIES = re.compile(r"(?i)\b(?:no|not|never|without|cannot|\w+n't|unsupported|removed|deprecated)\b")
SURE: Final = 0.7
"""Share from which on a passage speaks of it."""
SLIP: Final = 6
"""Letters of a word from which on one may be wrong."""
COMMON: Final = 3
"""Files from which on a word is the folder's own, and others of its meaning say less."""
BARE: Final = 3
"""Lines of a class above its first method that say little of it."""
FAINT: Final = 0.15
"""The same below which it is not even told as the nearest."""
NEAR: Final = 0.3
"""Part of the best score below which a passage is not told."""


def run(job: Job) -> Result:
    """Rank the passages of a job's files by how much they speak of what the request asks for."""
    request = str(job.options.get("request", ""))
    asked = halves(request)
    if not asked:
        return failed(TITLE, 'Say what to look for, as in "Where is the checkout logic?".')
    named = [each for each in job.inputs if not each.is_result and not each.part]
    given = {each.name: each for each in named if each.file or each.data is not None}
    classes = {held.name: held.semantic_class for held in job.surroundings.objects}
    sources = [source(file, READ) for file in given.values()]
    unread, truncated = sum(read.binary for read in sources), sum(read.truncated for read in sources)
    texts = [read for read in sources if not read.binary]
    # A yes or no about `strcpy` is not told of `strlcpy`.
    slips = {} if _WHETHER.match(request) else _slips(texts, asked)
    if slips:
        request = re.sub("|".join(map(re.escape, slips)), lambda match: slips[match[0].lower()], request, flags=re.I)
        asked = halves(request)
    usage = Usage(request)
    files = []
    literal: Counter[str] = Counter()
    for read in texts:
        usage.take(read.name, read.format, read.text)
        seen = _seen(f"{read.name}\n{read.text}".lower(), asked)
        if seen:
            lowered = read.text.lower()
            literal.update({word for half in asked for word in half.wanted.words if word in lowered})
            called = _seen(read.name.rpartition("/")[2].lower(), asked)
            files.append(File(read.name, read.format, classes.get(read.name, ""), seen, called))
    for half in asked:
        half.wanted.prefer({word for word, count in literal.items() if count >= COMMON})
    rankings = [Ranking(half, request) for half in asked]
    for chosen in likely(files, len(given)):
        text = source(given[chosen.name], READ).text
        parts = cut(chosen, text)
        for ranking in rankings:
            ranking.take(chosen, text, parts)
    orders = [ranking.best() for ranking in rankings]
    shown = [_widened(passage, source(given[passage.name], READ)) for passage in _chosen(orders)]
    listed = list(dict.fromkeys(each.name for each in [*shown, *_by_score(orders)]))
    notes = [f"Of {plural(truncated, 'file')} only the first {READ >> 10} KiB were searched."] if truncated else []
    notes += [f"{plural(unread, 'file')} are not text and were not searched."] if unread else []
    if len(named) > len(given):
        notes.append(
            f"{plural(len(named) - len(given), 'file')} more are too many to read at once and were not searched."
        )
    if len(files) > FILES:
        notes.append(
            f"Of {len(files):,} files with some of the words, the {FILES} with the most were read by passages."
        )
    told = outcome(
        (), total=len(listed), state=[OutcomeTag.TRUNCATED.value] if truncated else [],
        partial=bool(truncated) or not given,
    )  # fmt: skip
    del told["severity"]
    mask = Mask(job)
    missing = [word for ranking in rankings for word in ranking.nowhere]
    used = [*usage.told(len(given) - unread)]
    by_name = asked[0].expected is Expected.CODE  # `which storage class`: what is done is in code
    valued = not _WHETHER.match(request) and (asked[0].expected is not Expected.DOCUMENT or _SETS.search(request))
    setting, places = _stated(request, files, given, mask, by_name) if valued else ("", [])
    used += [setting, ""] if setting else []
    listed = list(dict.fromkeys([*places, *listed]))
    notes += [f"Read {code(raw)} as {code(word)}." for raw, word in slips.items()]
    lines = [*used, *_text(shown, asked, missing, len(given), given, mask, "" if used else request)]
    lines += _also(listed, shown, job) if shown else ()
    return Result(
        outcome={**told, "count": str(bucket(len(listed)))},
        title=TITLE,
        facts={
            "tool": TOOL,
            "words": [word for half in asked for word in half.wanted.shown],
            "questions": len(asked),
            "vain": not setting and (not shown or shown[0].share < FLOOR),
            "objects": listed[:LISTED],
            "places": [
                {"name": each.name, "line": each.first, "last": each.last, "what": mask(each.part.title)}
                for each in shown
            ],
            "notes": notes,
        },
        text="\n".join([*lines, *notes]).strip() + "\n",
    )


def _stated(
    request: str, files: Sequence[File], given: Mapping[str, Input], mask: Mask, by_name: bool
) -> tuple[str, list[str]]:
    """Return the settings that answer, of the files that have most of the words; texts of pages are no settings."""
    most = max((len(file.seen) for file in files), default=0)
    near = [given[file.name] for file in files if 2 * len(file.seen) >= most]
    near = [one for one in near if one.semantic_class != SemanticClass.LOCALIZATION]
    return stated(request, near, mask, by_name=by_name)


def _slips(texts: Sequence[Source], asked: Sequence[Half]) -> dict[str, str]:
    """Return words that stand nowhere and are known nowhere, but are a slip away from one that does."""
    wanted = {word: half.wanted.stems[word] for half in asked for word in half.wanted.words}
    spelled = {word: half.wanted.spelled.get(word, word) for half in asked for word in half.wanted.words}
    strange = {
        spelled[word] for word, stems in wanted.items()
        if len(spelled[word]) >= SLIP and spelled[word] not in lexicon.words()
    }  # fmt: skip
    lowered = [f"{read.name}\n{read.text}".lower() for read in texts] if strange else []
    found: dict[str, str] = {}
    for word in strange:
        if not any(each in text for each in wanted[stem(word)] for text in lowered):
            near = re.compile(rf"\b{re.escape(word[0])}[a-z]{{{len(word) - 2},{len(word)}}}\b")
            others = Counter(other for text in lowered for other in near.findall(text) if _slip(word, other))
            found |= {word: others.most_common(1)[0][0]} if others else {}
    return found


def _slip(word: str, other: str) -> bool:
    """Whether two letters are swapped, or one is missing or doubled before the last: endings make another word."""
    swapped = len(word) == len(other) and sorted(word) == sorted(other)
    return (swapped or (len(word) != len(other) and word[-1] == other[-1])) and letters_apart(word, other, 1) == 1


def _seen(lowered: str, asked: Sequence[Half]) -> frozenset[str]:
    """Return the words of the request, or those that mean the same, that a text has."""
    return frozenset(
        word
        for half in asked
        for word, stems in (*half.wanted.stems.items(), *((name, [name.lower()]) for name in half.wanted.exact))
        if any(each in lowered for each in stems)
    )


def _chosen(orders: Sequence[Sequence[Passage]]) -> list[Passage]:
    """Return the passages to show: the best of each question, and then of another sort, or the next."""
    near = [[each for each in order if each.score >= NEAR * order[0].score] for order in orders]
    least = FLOOR if any(each.share >= FLOOR for order in near for each in order) else FAINT
    good = [[each for each in order if each.share >= least] for order in near]
    chosen: list[Passage] = []
    for order in good:
        chosen += [each for each in order if _new(each, chosen)][:1]
    rest = _by_score(good)
    for other_sort in (True, False):
        for each in rest:
            if len(chosen) >= ANSWERS or (other_sort and len(chosen) > len(orders)):
                break
            if _new(each, chosen) and (not other_sort or each.sort not in {one.sort for one in chosen}):
                chosen.append(each)
    return chosen


def _widened(passage: Passage, read: Source) -> Passage:
    """Return a class that is only a line above its first method with what follows."""
    if passage.sort is not Sort.CODE or passage.last - passage.first >= BARE or not passage.part.title:
        return passage
    lines = read.text.split("\n")[passage.first - 1 :][:SHOWN]
    begun = len(lines[0]) - len(lines[0].lstrip())
    deeper = (len(line) - len(line.lstrip()) > begun or not line.strip() for line in lines[1:])
    inside = sum(1 for _ in takewhile(bool, deeper))
    while inside and not lines[inside].strip():
        inside -= 1
    return passage._replace(last=max(passage.last, passage.first + inside))


def _by_score(orders: Iterable[Iterable[Passage]]) -> list[Passage]:
    return sorted(chain.from_iterable(orders), key=lambda each: -each.score)


def _new(passage: Passage, chosen: Iterable[Passage]) -> bool:
    near = [one for one in chosen if one.name == passage.name]
    twins = [one for one in chosen if one.part.title and one.part[2:] == passage.part[2:] and one.sort is passage.sort]
    return (
        len(near) < 2
        and not (twins and not near)
        and all(passage.first > one.last or passage.last < one.first for one in near)
    )


def _text(
    shown: Sequence[Passage],
    asked: Sequence[Half],
    missing: Sequence[str],
    files: int,
    given: dict[str, Input],
    mask: Mask,
    request: str,
) -> Iterator[str]:
    looked = ", ".join(map(code, dict.fromkeys(word for half in asked for word in half.wanted.told)))
    if not shown:
        none = f"Nothing in {plural(files, 'file')} speaks of it, by the words {looked}"
        yield f"{none}: it may be there in other words; try those of the code or documents."
        return
    lacking = ", ".join(map(code, dict.fromkeys(missing)))
    first = shown[0]
    expected = asked[0].expected
    remark = f"Nothing names {lacking}." if lacking else ""
    read = source(given[first.name], READ)
    place = f"{_place(first, mask)}:"
    sentence = mask(_sentence(read, first, asked[0].wanted))
    if first.share < FLOOR:
        yield f"Nothing in {plural(files, 'file')} speaks of it, by the words {looked}; the nearest is {place}"
        remark = ""
    elif not first.most:
        yield f"{remark.rstrip('.') or 'No passage was found that plainly says this'}; the nearest is {place}"
        remark = ""
    elif (
        expected is Expected.CODE
        and all(each.sort is not Sort.CODE for each in shown)
        and first.share >= SURE
        and any(sort_of(source(each, READ).format) is Sort.CODE for each in given.values())
    ):
        yield f"No code of its own was found; it is mentioned in {place} {sentence}".strip()
    elif expected is Expected.DOCUMENT and all(each.sort is Sort.CODE for each in shown) and not remark:
        yield f"No guide speaks of it; nearest is {place} {sentence}".strip()
    elif _WHETHER.match(request) and _is_called(first, asked[0].wanted) and not _DENIES.search(sentence):
        yield f"Probably yes, by what is called so: {place} {sentence}".strip()
    elif not sentence and _WHETHER.match(request):
        yield f"No check answers this with yes or no; the nearest is {place}"
    else:
        yield f"{place} {sentence}".strip()
    for number, passage in enumerate(shown):
        if number:
            yield from ("", f"{_place(passage, mask)}:")
        lines = _lines(source(given[passage.name], READ), passage, FEWER if number else SHOWN)
        yield from ("", "```text", *map(mask, lines), "```")
        yield from ("", remark) if remark and not number else ()
    yield ""


def _is_called(passage: Passage, wanted: Wanted) -> bool:
    """Whether the title of a passage has all of several words of a question."""
    title = wanted.of(passage.part.title)
    return len(wanted.words) > 1 and all(title.get(word, 0.0) >= 1.0 for word in wanted.words)


def _place(passage: Passage, mask: Mask) -> str:
    names = [*filter(None, passage.part.outer.split(" › ")[-2:]), passage.part.title]
    title = (" › " if passage.sort is Sort.DOCUMENT else ".").join(filter(None, names))
    return f"{code(f'{passage.name}:{passage.first}-{passage.last}')}{f' ({plain(mask(title), 80)})' if title else ''}"


def _lines(read: Source, passage: Passage, most: int) -> list[str]:
    """Return the lines of a passage as they are shown: without markup, and prose no wider than a screen."""
    lines = textwrap.dedent("\n".join(read.text.split("\n")[passage.first - 1 : passage.last])).split("\n")
    if passage.sort is Sort.DOCUMENT:
        lines = rendered(read.format, is_manual(read.text), lines)
        lines = [part for line in lines for part in textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]]
    while lines and not lines[0].strip():
        lines.pop(0)
    cut_off = len(lines) > most
    lines = [line[:200].replace("```", "") for line in lines[:most]]
    return [*lines[:-1], f"{lines[-1]} …"] if cut_off else lines


def _sentence(read: Source, passage: Passage, wanted: Wanted) -> str:
    """Return the sentence of a passage that has most of the words: of its prose, or of the comments of code."""
    lines = read.text.split("\n")[passage.first - 1 : passage.last]
    if passage.sort is Sort.DOCUMENT:
        lines = rendered(read.format, is_manual(read.text), lines)
        lines = [
            line for line in lines if not line.lstrip().startswith(("#", "|")) and line.strip() != passage.part.title
        ]
        said = "\n".join(re.sub(r"^\s*(?:[-*+>]|\d+\.)\s+", "\n\n", line) for line in lines)
    else:
        marked = [_COMMENT.match(line[:300]) for line in lines]
        said = "\n".join(match[1] if match is not None else "" for match in marked)
    found = [
        sentence
        for paragraph in re.split(r"\n\s*\n", said)
        for sentence in sentences(" ".join(paragraph.split()))
        if is_prose(sentence) and len(sentence) <= 2 * LONGEST
    ]
    best = max(found, key=lambda sentence: sum(wanted.of(sentence).values()), default="")
    title = wanted.of(passage.part.title)
    if not best or not (title or wanted.of(best)):
        return ""
    return plain(best.strip(), LONGEST)


def _also(listed: Sequence[str], shown: Sequence[Passage], job: Job) -> Iterator[str]:
    """Say which other files speak of it, how those shown belong together, and what uses the first of them."""
    network = Network(job.surroundings)
    position = {network.label(node): node for node in range(len(network.objects))}
    own = list(dict.fromkeys(each.name for each in shown))
    others = [name for name in listed if name not in own]
    if others:
        more = f" and {len(others) - LISTED:,} more" if len(others) > LISTED else ""
        yield f"Also with these words: {', '.join(map(code, others[:LISTED]))}{more}."
    nodes = [position[name] for name in own if name in position]
    pairs = [
        (one, other) for one in nodes for other in sorted(network.outgoing(one)) if other in nodes and other != one
    ]
    if pairs:
        joined = "; ".join(f"{code(network.label(one))} uses {code(network.label(other))}" for one, other in pairs)
        yield f"How they fit together: {joined}."
    if nodes:
        users = [node for node in sorted(network.incoming(nodes[0])) if node not in nodes]
        tests = [node for node in users if is_test_path(network.objects[node].name)]
        for label, group in (("Used by", [node for node in users if node not in tests]), ("Tested by", tests)):
            if group:
                yield f"{label}: {', '.join(code(network.label(node)) for node in group[:8])}."
