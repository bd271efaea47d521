"""Which objects a goal speaks of: by path, by name, by what they define, by what they are. Local: only ids cross."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from plantwin.lexicon import words
from plantwin.private.facts import Record, private
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.selection.counterparts import counterparts
from plantwin.private.selection.intents import intents
from plantwin.private.selection.phrases import LANGUAGES, Directory, Phrase, alike, phrases, same
from plantwin.private.selection.words import STOP
from plantwin.vocabulary import CapabilityName, SemanticClass, member

_LEXICON = Lexicon(__file__)

MAX_GOAL = 4000
"""Characters of a goal that are looked at."""
MAX_NAMES = 64
"""Words of a goal that are looked up as definitions."""
MAX_PATHS = 16
"""Words of a goal that are looked up as paths or patterns."""
MAX_FOUND = 4
"""So many objects at most stand for one stretch of the goal; beyond, its words stay."""
GENERIC = _LEXICON.words("generic")
"""Words of class names that say too little by themselves to mean a class."""
COMMON = _LEXICON.words("common")
"""File stems that are ordinary words: they name a file only together with its suffix."""
FILES = frozenset(["file", "document", "sheet", "list", "table", "page", "csv", "json", "yaml"])
"""Words that say that the word before them is the name of a file."""
TITLE = 4
"""Words of a title that are looked up together."""
PAPERS = frozenset(["spec", "document"])
"""Words of class names that people leave out: the requirements are their document."""
LOOSE = 20
"""The weight of what a goal may have to do with, and does not name."""
NEIGHBOURS = _LEXICON.words("beside")
"""Words beside which a plain word is the name of a file: `train` alone is no `train.py`, `the train script` is."""
ASKED_ABOUT = frozenset(["license", "licence", "licenses", "licences", "version", "versions"])
"""Words that ask what is so, although files are called after them: `does it have a license`."""
NO_NAMES = STOP | {"", "each", "every"}
"""Words that are no names beside those: `every file`, `this script`."""
SIGNS, WAYS = frozenset(["log", "logs", "sign", "signs"]), frozenset(["in", "out", "on", "off", "up"])
"""What people do at a door: no log stands beside the word before."""
LISTING = frozenset(["which", "what", "list", "any", "are", "how"])
"""Words that a question for all of a sort begins with."""
PREFIX = 4
"""Letters of a file's stem from which on it names the file."""

PLACES = _LEXICON.words("placed")
"""Words after the name of a folder: `the karpenter example`."""
POINTING = frozenset(
    ["and", "for", "from", "in", "inside", "my", "of", "our", "the", "under", "versus", "vs", "within"]
)
"""Words before the name of a folder."""
INSIDE = frozenset(["in", "inside", "under", "within"])
"""Those of them that say so also in a question: `how are teams and users related` speaks of no folder."""
SORTS = _LEXICON.words("sorts")
"""Names of folders that mean all files of a sort, unless `folder` stands behind them."""
EVERYWHERE = frozenset((CapabilityName.FIND_PERSONAL_DATA, CapabilityName.SECRET_SCAN))
"""What is looked for in all files, unless some are named."""
OF_A_SORT = frozenset(["which", "what", "many", "any", "no", "every", "all"])
"""Words before a sort of things, not before the name of one."""
WHOLE = 0.8
"""The share of all objects from which on a folder is no part of them."""

QUOTES = frozenset("\"'`“”‘’")
_token = re.compile(r"[\w./*@+-]+")
_marked = re.compile(r"[/*]")
_written = re.compile(r"[/.]")
_question = re.compile(r"what|where|how|who|which|when|why|is|are|do|does|did|can")
ASKED = 5
"""Words of a question from which on its plain words are what it speaks of, and name no file."""
_identifier = re.compile(r"\w*(?:_\w|[a-z][A-Z])\w*")

Defined = Callable[[frozenset[str]], Mapping[str, Collection[int]]]
"""Which objects (by number) define a name, for those of the names that any defines."""
Choose = Callable[[str, Sequence[Record]], Record | None]
"""Asks a person which of several is meant; None when they do not say."""
Recall = Callable[[str, Sequence[Record], Sequence[Phrase]], Iterable[Phrase]]
"""What a goal means by words for what was spoken of before, such as `them`; it is given what the goal itself names."""


@private
class Mentioned(NamedTuple):
    """How much a goal speaks of each object (by number), which of them it may not have meant, and where."""

    weights: dict[int, int]
    ambiguous: frozenset[int]
    references: tuple[Phrase, ...] = ()
    """Stretches of the goal that name objects, in their order, the surest last."""


NOTHING = Mentioned({}, frozenset())
"""Of a goal whose words name no object."""


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    called: bool
    """Whether a bracket follows: the name of a function."""
    quoted: bool

    @property
    def low(self) -> str:
        return self.text.lower().rstrip("/")


def mentions(
    goal: str,
    records: Sequence[Record],
    *,
    defined: Defined | None = None,
    choose: Choose | None = None,
    recall: Recall | None = None,
    now: float | None = None,
) -> Mentioned:
    """Objects that the goal names; a name that fits several makes all of them ambiguous, unless a person chooses."""
    goal = goal[:MAX_GOAL]
    tokens = _naming(list(_tokens(goal)))
    here = Directory(records)
    found = [*_by_class(tokens, here)]
    spoken = list(phrases(goal, here, time.time() if now is None else now))
    called = list(_by_title(tokens, here))
    found += [(80, each) for each in spoken]
    found += [(100, each) for each in called]
    # `the gatekeeper log` is a log: what else is called gatekeeper is not meant.
    longer = [each for each in (*spoken, *called) if not each.ambiguous]
    # `Personal data of customers` is looked for everywhere, also where a table or a folder is called so.
    everywhere = bool(intents(" ".join(each.low for each in tokens), EVERYWHERE))
    parts = [*_by_folder(tokens, here, strict=everywhere)]
    longer += parts
    found += [
        (100, each) for each in _by_name(tokens, here, defined, strict=everywhere) if not _within(each, longer, goal)
    ]
    other = [*spoken, *called]
    found += [(80, each) for each in parts if not any(each.start < one.end and one.start < each.end for one in other)]
    found += [(100, each) for each in counterparts(goal, [each for _, each in found], here)]
    if recall is not None:
        found += [(100, each) for each in recall(goal, records, [each for _, each in found])]
    weights: dict[int, int] = {}
    unsure: set[int] = set()
    references = []
    for weight, each in found:
        if each.ambiguous and choose is not None:
            each = _settled(each, goal, records, choose)
        for number in each.numbers:
            weights[number] = max(weights.get(number, 0), weight)
        if each.ambiguous:
            unsure |= set(each.numbers)
        if each.start < each.end:
            references.append(each)
    return Mentioned(weights, frozenset(unsure), tuple(references))


def _settled(phrase: Phrase, goal: str, records: Sequence[Record], choose: Choose) -> Phrase:
    """What a person says that it means; as it was where they do not say."""
    meant = set(phrase.numbers)
    chosen = choose(goal[phrase.start : phrase.end], [each for each in records if each.number in meant])
    return phrase if chosen is None else Phrase(phrase.start, phrase.end, (chosen.number,))


def _tokens(goal: str) -> Iterator[_Token]:
    for match in _token.finditer(goal):
        left = match[0].lstrip(",-")
        text = left.rstrip(".,-")
        start = match.end() - len(left)
        if text:
            end = start + len(text)
            quoted = start > 0 and goal[start - 1] in QUOTES and goal[end : end + 1] in QUOTES
            yield _Token(text, start, end, goal[match.end() : match.end() + 1] == "(", quoted)


def _naming(tokens: Sequence[_Token]) -> list[_Token]:
    """Without words that only ask about what files are called after; `the license file` is one all the same."""
    after = [*(each.low for each in tokens[1:]), ""]
    return [each for place, each in enumerate(tokens) if each.text not in ASKED_ABOUT or after[place] in FILES]


def _within(phrase: Phrase, longer: Sequence[Phrase], goal: str) -> bool:
    """Whether a plain word is only a part of what a longer phrase means."""
    plain = goal[phrase.start : phrase.end].isalpha()
    return plain and any(
        each.start <= phrase.start and phrase.end <= each.end and each.end - each.start > phrase.end - phrase.start
        for each in longer
    )


def _by_title(tokens: Sequence[_Token], here: Directory) -> Iterator[Phrase]:
    """What is named by the words of its file name (`the partner terms`), or by the first of them and `file`."""
    words = [each.text.lower() if each.text.isalpha() else "" for each in tokens]
    wanted: dict[str, list[tuple[int, int]]] = {}
    for first in range(len(words)):
        for last in range(first + 1, min(first + TITLE, len(words))):
            if all(words[first : last + 1]):
                wanted.setdefault(" ".join(words[first : last + 1]), []).append((first, last))
    filed = {word: place for place, word in enumerate(words[:-1]) if word not in NO_NAMES and words[place + 1] in FILES}
    for title, numbers in here.titled(frozenset(wanted), frozenset(filed)).items():
        places = wanted.get(title) or [(filed[title], filed[title] + 1)]
        for first, last in places if len(numbers) <= MAX_FOUND else ():
            if first and words[first - 1] in OF_A_SORT:  # `which background tasks` are no file
                continue
            yield Phrase(tokens[first].start, tokens[last].end, tuple(numbers), len(numbers) > 1)


def _by_folder(tokens: Sequence[_Token], here: Directory, *, strict: bool) -> Iterator[Phrase]:
    """What is named by its folder in plain words: `the frontend`, `the karpenter example`, `the config folder`.

    `strict`: only where a word says that it is a folder, or it stands in quotes.
    """
    if not tokens:
        return
    folders: dict[tuple[str, ...], set[str]] = {}
    for path in here.folders:
        folders.setdefault(tuple(re.split(r"[-_. ]+", path.rpartition("/")[2])), set()).add(path)
    lows = [token.low.replace("_", "-") for token in tokens]
    words = [(piece, place) for place, low in enumerate(lows) for piece in low.split("-")]
    for at in range(len(words)):
        for pieces, paths in folders.items():
            spoken = words[at : at + len(pieces)]
            if len(spoken) < len(pieces) or not _spelled([word for word, _ in spoken], pieces):
                continue
            first, last = spoken[0][1], spoken[-1][1]
            behind = lows[last + 1].removesuffix("s") if last + 1 < len(lows) else ""
            behind_place = behind in PLACES
            plain = lows[max(0, first - 1)] in (INSIDE if _asks(tokens) else POINTING) and (
                not strict or behind == "file"
            )
            pointed = behind_place or plain or tokens[first].quoted
            # `The security holes` are in no folder called security.
            sort = len(pieces) == 1 and (pieces[0] in SORTS or bool(intents(pieces[0], frozenset(CapabilityName))))
            if behind not in ("folder", "directory", "dir") and (not pointed or sort):
                continue
            # `The vars files` are those of every such folder, and those that are called so themselves.
            least = 0 if behind == "file" else min(path.count("/") for path in paths)
            inside = [
                here.records[place]
                for path in paths
                if path.count("/") == least or behind == "file"
                for place in here.leading(path)
                if here.paths[place].startswith(f"{path}/")
            ]
            # `The support tickets` are no helpers of tests in `spec/support`.
            if not behind_place and least and all(record.role == "test" for record in inside):
                continue
            numbers = {record.number for record in inside}
            stems = {"-".join(pieces), "_".join(pieces)} if behind == "file" else ()
            numbers |= {here.records[place].number for name, place in here.named(stems) if name in stems}
            if numbers and len(numbers) < WHOLE * len(here.records):
                yield Phrase(tokens[first].start, tokens[last].end, tuple(sorted(numbers)))


def _spelled(words: Sequence[str], pieces: Sequence[str]) -> bool:
    """Whether words are those of a name; of a name of several, each may be cut short: `k8s specs`."""
    if len(pieces) == 1:
        return same(words[0], pieces[0])
    return all(alike(word.rstrip("s"), piece) for word, piece in zip(words, pieces, strict=True))


def _by_name(tokens: Sequence[_Token], here: Directory, defined: Defined | None, *, strict: bool) -> Iterator[Phrase]:
    """What is named by its path or the end of one, its folder, a pattern, its file name or stem, or a definition."""
    paths = list(dict.fromkeys(each.low for each in tokens if _path(each, here)))[:MAX_PATHS]
    names = frozenset(each.low for each in tokens)
    called = _called(tokens)
    asked = _asks(tokens)
    found: dict[str, list[Record]] = {}
    for name, position in (*here.named(names), *here.parts(names & called if strict else names)):
        record = here.records[position]
        short = len(name) < PREFIX or name in COMMON | LANGUAGES or (name not in called and name in words())
        # `Who calls the function that sends campaign messages`: what a question speaks of is no file called after it.
        short |= asked and name.isalpha() and name not in called
        # A file may be called `config` or `jobs` as a whole: said without a suffix, the word is no name of it. One that
        # is called `Makefile` is meant by the word.
        cased = record.path.rpartition("/")[2] != name
        whole = here.names[position] == name and name not in COMMON and (cased or name in called or name not in words())
        # What tests are made with is meant only by those who write it out.
        made_up = record.role == "test" and name.isalpha() and name not in called
        if whole or record.part or not (short or made_up):
            found.setdefault(name, []).append(record)
    for low in paths:
        places = here.matching(low) if "*" in low else here.leading(low)
        found[low] = [here.records[position] for position in places]
    rest = {
        each.text for each in tokens if not found.get(each.low) and (each.called or _identifier.fullmatch(each.text))
    }
    sorts = _sorts(here.records)
    definitions = defined(frozenset(sorted(rest)[:MAX_NAMES])) if rest and defined else {}
    for before, token in zip(["", *(token.low for token in tokens)], tokens, strict=False):
        named = found.get(token.low, [])
        if len(named) > MAX_FOUND and before not in OF_A_SORT:
            # `pyproject.toml`, where every part has one, is that of the project.
            named = [record for record in named if record.path.lower() == token.low] or named
        named = named if _written.search(token.text) else _told_to_do(token.low, named, sorts)
        numbers = tuple(record.number for record in named) or tuple(sorted(definitions.get(token.text, ())))
        if numbers:
            several = len({record.path for record in named}) > 1 or (not named and len(numbers) > 1)
            yield Phrase(token.start, token.end, numbers, several and token.low not in paths)


def _asks(tokens: Sequence[_Token]) -> bool:
    """Whether it is a question of so many words that plain ones of them name no file."""
    return len(tokens) >= ASKED and _question.fullmatch(tokens[0].low) is not None


def _path(token: _Token, here: Directory) -> bool:
    """Whether it is written as a path or a pattern, or is a folder whose name is no plain word."""
    return bool(_marked.search(token.text)) or (not token.text.isalnum() and here.has_folder(token.low))


def _sorts(records: Iterable[Record]) -> frozenset[str]:
    """Words that speak of all files of a sort, where there are many: `the database migrations`."""
    many: Counter[str] = Counter()
    for leaf, count in Counter(map(attrgetter("semantic_class"), records)).items():
        for word in (member(SemanticClass, leaf).family.value, f"{leaf.rpartition('_')[2]}s"):
            many[word] += count
    return frozenset(word for word, count in many.items() if count > MAX_FOUND)


def _called(tokens: Sequence[_Token]) -> frozenset[str]:
    """Words beside one that says what they are called after: `the vouchers module`, `class Session`, `login()`."""
    lows = ["", *(token.low for token in tokens), ""]
    lows = [low for low, after in pairwise([*lows, ""]) if not (low in SIGNS and after in WAYS)]  # `a user logs in`
    # In `every file here` neither word is the name of a file, and `file` is not its own neighbour.
    beside = {
        low
        for before, low, after in zip(lows, lows[1:], lows[2:], strict=False)
        if low not in NO_NAMES and not NEIGHBOURS.isdisjoint((before, after))
    }
    first = tokens[0].text if tokens and tokens[0].low in words() else ""
    written = {token.low for token in tokens if token.called or not token.text.islower()}
    # A sentence begins with a capital: `List every endpoint` names no `list.html`.
    return frozenset(beside | (written - {first.lower()} if first == first.capitalize() else written))


def _told_to_do(low: str, found: list[Record], sorts: Collection[str]) -> list[Record]:
    """Where a word says what to do, or names a sort of files, a file is meant only if this is its whole name."""
    if found and (low in sorts or intents(low, frozenset(CapabilityName))):
        return [record for record in found if record.path.lower().rpartition("/")[2] == low]
    return found


def _by_class(tokens: Sequence[_Token], here: Directory) -> Iterator[tuple[int, Phrase]]:
    """What is named by what it is: all objects of a class whose telling words the goal has, with their weight."""
    words = [(token.text.lower(), token) for token in tokens if token.text.isalpha()]
    for leaf in sorted(here.classes):
        telling = [word for word in leaf.split("_") if word not in GENERIC]
        used = [next((token for word, token in words if alike(word, each)), None) for each in telling]
        if telling and all(used):
            members = [each for each in here.records if each.semantic_class == leaf]
            meant = [each for each in members if each.role == "production"]
            if leaf == SemanticClass.README and not any(each and each.low.endswith("s") for each in used):
                # `The README` is the one of the project, not those of its parts.
                top = min((each.path.count("/") for each in meant), default=0)
                meant = [each for each in meant if each.path.count("/") == top]
            numbers = tuple(each.number for each in meant)
            # `The auditor` speaks of no audit log, and `a change` of no changelog: only the whole name stands for it.
            whole = all(any(same(word, each) for word, _ in words) for each in leaf.split("_") if each not in PAPERS)
            listed = len(members) > MAX_FOUND or tokens[0].low in LISTING  # `which background jobs are there`
            ending = [each for each in tokens if same(each.low, leaf.rpartition("_")[2])]
            several = listed and any(each and each.low.endswith("s") for each in (*used[-1:], *ending))
            stretch = _stretch([each for each in used if each], tokens, numbers) if whole and not several else (0, 0)
            yield 60 if whole else LOOSE, Phrase(*stretch, numbers)
            yield LOOSE, Phrase(0, 0, tuple(each.number for each in members if each.role != "production"))


def _stretch(used: Sequence[_Token], tokens: Sequence[_Token], numbers: Sequence[int]) -> tuple[int, int]:
    """From the first word to the last and a general one after it; nothing where they stand apart or mean many."""
    places = sorted({tokens.index(each) for each in used})
    if not 0 < len(numbers) <= MAX_FOUND or places[-1] - places[0] >= len(places):
        return (0, 0)
    last = places[-1]
    if last + 1 < len(tokens) and tokens[last + 1].text.lower().rstrip("s") in GENERIC:
        last += 1
    return tokens[places[0]].start, tokens[last].end
