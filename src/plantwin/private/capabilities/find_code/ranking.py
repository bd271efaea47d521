"""Which passages of a folder speak most of what a question asks: BM25 over passages, titles and paths weighing more."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from plantwin.private.capabilities.find_code.meaning import nearness
from plantwin.private.capabilities.find_code.passages import Part, Sort, parts, sort_of
from plantwin.private.capabilities.find_code.question import CLOSE, DOING, HINTED, LIGHT, PAIRED, Expected, Half
from plantwin.private.capabilities.find_tests import is_test_path
from plantwin.private.facts import private
from plantwin.private.formats.values import words
from plantwin.private.selection.words import pieces_of

TITLE, OUTER, PATH, AROUND = 6.0, 1.5, 2.0, 0.25
"""What a word weighs in a title, the titles around it, the path, and the rest of the part, against the lines shown."""
SATURATION: Final = 2.2
USUAL: Final = 420
"""Characters of a usual passage; longer ones have more words by their length alone."""
LENGTH: Final = 0.5
FILES: Final = 400
"""Files that are read passage by passage: those that have the most of the words."""
LINES: Final = 20_000
LEADING: Final = 60
"""Passages with the best scores by words whose titles are compared with the question by their meaning."""
MARKS: Final = 6
"""Lines above a definition that may mark it as a test."""
WIDE: Final = 400
"""Lines of a file that are looked at, and characters of a line."""
WEIGHTS: Final[Mapping[Expected, Mapping[Sort, float]]] = {
    Expected.DOCUMENT: {Sort.DOCUMENT: 1.0, Sort.SETTING: 0.65, Sort.CODE: 0.55},
    Expected.CODE: {Sort.DOCUMENT: 0.75, Sort.SETTING: 0.75, Sort.CODE: 1.0},
    Expected.SETTING: {Sort.DOCUMENT: 1.0, Sort.SETTING: 1.15, Sort.CODE: 0.75},
    Expected.ANYWHERE: {Sort.DOCUMENT: 1.0, Sort.SETTING: 1.0, Sort.CODE: 0.9},
}
ENTITLED: Final = 0.5
"""Share of what is asked that a title with two of the words has at least."""
MOST: Final = 0.6
"""Share from which on a passage may speak of most of what is asked."""
LEAST, STEEP = 1.0, 1.0
"""How much a passage counts that has none of the words, and how much more each further one weighs."""
START: Final = 1.1
"""What a passage gains that shows where its section or definition begins."""
NAMED: Final = 1.5
"""What a passage gains whose title has all of several words: `check_password` is where a password is checked."""
CALLED_SO: Final = 1.3
"""What one gains whose title has no other word (`Vault`, where it is asked what a vault is), or whose path has all."""
PLAIN: Final = 0.6
"""What a setter, a getter or the like weighs."""
DONE: Final = 1.15
"""What a passage gains that has a command or steps, where it is asked how one does something."""
SPELLED: Final = 1.2
"""What a word of a title counts that is spelled as in the question: `authorization`, beside `auth`."""
TOGETHER: Final = 0.6
"""What a passage gains that says all of what is asked in two lines; as much of it as these say."""
CALLED: Final = 0.08
"""What a passage of code gains by each of two lines that call what is asked for."""
ASIDE, MINOR = 0.35, 0.6
"""What a passage of a test, an example, a list of changes or a generated file weighs; and one of a page or workflow."""
_SECONDARY = words("generated_artifact database_migration stylesheet type_declarations test_fixture test_helper")
ASIDE_PATH = re.compile(
    r"(?i)\.gen\.|generated|(?:^|/)(?:locales?|i18n|intl|lang|translations|migrations|vendor|examples?|node_modules|testdata|testing|cypress|e2e|mocks?|bench(?:es|marks?)?|completions?)/(?!.*\.md$)"
    r"|schema\.rb$|\.min\.|\.lock$|-lock\.|(?:^|/)(?:go\.sum|licen[cs]e[^/]*|code_of_conduct\.md)$|\.(?:css|less|s[ac]ss)(?:\.|$)|\.(?:svg|map|po|pot|snap|csv)$"
    r"|/values-[a-z]{2}|(?:^|/)\.(?!git|circleci|devcontainer|env|docker)[\w-]+/"
    r"|(?:^|/)\.(?:editorconfig|\w*ignore|gitattributes|\w+(?:lint|style|fmt|cop)\w*)(?:\.\w+)?$"
)
"""Files that repeat or follow what the code does: their places come later."""
_MINOR = re.compile(
    r"(?i)(?:^|/)\.github/|\.(?:html?|erb|jbuilder|haml|slim|ejs|hbs|twig|cshtml|jsp|html-fragment|svg|xml|jsonl?|log)$"
)
_DECISIONS = re.compile(r"(?i)(?:^|/)(?:adrs?|decisions?|rfcs?|proposals?|design|specs?)/[^/]+\.(?:md|rst|adoc|txt)$")
"""Why it was built as it is: no guide."""
_DELIVERY = re.compile(r"(?i)\b(?:ci|workflow|pipeline|github|actions?|html|page|template|log|logs|build)\b")
"""What shows or delivers rather than does, and questions about just that."""
_CHANGES = re.compile(r"(?i)(?:^|/)change-?logs?/|(?:^|/)(?:change|history|news|release|upgrad|migrat)[^/]*$")
_CHANGED = re.compile(r"(?i)\b(?:chang\w*|upgrad\w*|releas\w*|migrat\w*|breaking)\b")
_PLAIN = re.compile(r"(?:[sg]et|is|has|from|to|as)(?=[A-Z_])|(?:__init__|init|__construct|constructor)$")
_GENERAL = re.compile(
    r"(?i)execute|handle|run|call|perform|(?:__)?(?:invoke|call)(?:__)?|process|apply|do|main|index|serve_?http"
)
"""Names of methods that do what their class is called after."""
_ACCESS = re.compile(r"(?i)\b(?:[sg]et|setters?|getters?|init\w*)\b")
"""What holds or passes on a value rather than does something, and questions about just that."""
_MARKED = re.compile(
    r"(?:\s*(?://|/?\*|#\[|@).*\n)*?\s*(?:#\[(?:\w+::)*(?:test|rstest|bench)\b|@(?:Parameterized)?Test\b)"
)
"""Above a test that stands beside what it tests."""
_BROUGHT_IN = re.compile(
    r"\s*(?:(?:package|import|using|use|from|namespace|module|require\w*|#include)\b|[()]?$|(?:\w+ )?\"[^\"]*\"$)"
)
"""A line that only names the package or what it imports."""
_HOW_TO = re.compile(r"(?i)\bhow\s+(?:to|(?:do|can|could|should|would)\s+(?:i|you|we|one))\b|\bsteps?\s+(?:to|for)\b")
_STEPS = re.compile(
    r"\s*(?:[$>] \w|```\s?(?:ba|z|power)?sh|1[.)] |(?:sudo |\./)?[a-z][\w./-]+ (?:-{1,2}\w|[a-z:-]+ -))"
    r"|.*`[^`\n]+ [^`\n]+`"
)
"""A command, or the first of several steps."""
_TESTING = re.compile(r"(?i)\b(?:tests?|tested|specs?)\b")


@private
class File(NamedTuple):
    """A file that has words of the question."""

    name: str
    format: str
    semantic_class: str
    seen: frozenset[str]
    called: frozenset[str] = frozenset()
    """Those of them that its own name has."""


@private
class Passage(NamedTuple):
    """Lines that speak of what is asked."""

    name: str
    first: int
    last: int
    part: Part
    sort: Sort
    score: float = 0.0
    share: float = 0.0
    """How much of what the question asks it has: one where all of its words are there."""
    most: bool = False
    """Whether it has most of these words, or its title has."""


@private
class Counts(NamedTuple):
    """The words of a question that a passage has, each with how often and how surely, by where they stand."""

    title: Mapping[str, float]
    outer: Mapping[str, float]
    path: Mapping[str, float]
    own: Mapping[str, float]
    around: Mapping[str, float]
    surely: Mapping[str, float]
    """How surely, at best, in any line, title or the path."""
    length: int
    named: int
    """Words of the title."""
    called: int
    """Lines that call what the question names."""
    steps: bool
    """Whether it has a command or steps."""
    near: Sequence[frozenset[str]]
    """Words that stand in one line and the next."""

    def of(self, word: str) -> float:
        """Return how much a passage speaks of a word."""
        return (
            TITLE * self.title.get(word, 0.0) / math.sqrt(self.named)
            + OUTER * self.outer.get(word, 0.0) + PATH * self.path.get(word, 0.0)
            + self.own.get(word, 0.0) / (1 - LENGTH + LENGTH * self.length / USUAL)
            + AROUND * min(2.0, self.around.get(word, 0.0))
        )  # fmt: skip


def likely(files: Sequence[File], texts: int) -> list[File]:
    """Return the files that are worth cutting into passages: those with the most, and the rarest, of the words."""
    spread = Counter(word for file in files for word in file.seen)
    rare = {word: math.log(1 + texts / count) for word, count in spread.items()}

    def weight(file: File) -> tuple[float, str]:
        aside = ASIDE if is_test_path(file.name) or ASIDE_PATH.search(file.name) else 1.0
        return -aside * sum(rare[word] for word in (*file.seen, *file.called)), file.name

    return sorted(files, key=weight)[:FILES]


class Ranking:
    """The passages of some files for one of the questions of a request."""

    def __init__(self, half: Half, request: str) -> None:
        self._half, self._wanted = half, half.wanted
        self._testing = _TESTING.search(request) is not None
        self._delivery = _DELIVERY.search(request) is not None
        self._changed = _CHANGED.search(request) is not None
        self._plain = bool(self._wanted.exact) or _ACCESS.search(request) is not None
        self._how_to = _HOW_TO.search(request) is not None
        self._request = request
        self._number = 0
        self._spread: Counter[str] = Counter()
        self._surest: dict[str, float] = {}
        self._found: list[tuple[Passage, Counts]] = []

    def take(self, file: File, text: str, cut: Sequence[Part]) -> None:
        """Look at the passages of a file."""
        lines = text.split("\n")[:LINES]
        wanted = self._wanted
        said = {
            number: shares for number in wanted.lines(text) if number <= len(lines)
            if (shares := wanted.of(lines[number - 1][:WIDE]))
        }  # fmt: skip
        path = wanted.of(file.name)
        sort, prior = sort_of(file.format), self._aside(file)
        for part in cut:
            self._number += 1
            title, outer = self._called(self._title(part, lines)), wanted.of(part.outer)
            whole = _summed(said, part.first, part.last)
            self._spread.update({*whole, *title})
            if not whole and not title:
                continue
            begin = "\n".join(lines[part.first - 1 : part.first - 1 + MARKS])
            aside = ASIDE if sort is Sort.CODE and not self._testing and _MARKED.match(begin) else 1.0
            named = len(pieces_of(part.title.encode("ascii", "replace"))) or 1
            for first, last in part.pieces(lines):
                own = _summed(said, first, last)
                if first != part.first and not any(number in said for number in range(first, first + 3)):
                    continue
                if not own and not title:
                    continue
                surely = dict(path)
                for shares in (outer, title, *(said.get(number, {}) for number in range(first, last + 1))):
                    surely.update({word: share for word, share in shares.items() if share > surely.get(word, 0.0)})
                length = sum(len(lines[number - 1]) for number in range(first, last + 1))
                for word in surely:
                    self._surest[word] = max(surely[word], self._surest.get(word, 0.0))
                inner = [
                    lines[number - 1] for number in range(first, last + 1) if number > part.first and number in said
                ]
                calls = sum(wanted.call.search(line, 0, WIDE) is not None for line in inner)
                if sort is Sort.CODE and not part.title and all(map(_BROUGHT_IN.match, lines[first - 1 : last])):
                    continue
                near = [
                    frozenset(
                        word for line in (number, number + 1) for word, share in said.get(line, {}).items()
                        if share >= CLOSE
                    )
                    for number in range(first, last + 1) if number in said
                ]  # fmt: skip
                steps = self._how_to and any(_STEPS.match(line[:WIDE]) for line in lines[first - 1 : last])
                counts = Counts(title, outer, path, own, whole - own, surely, length, named, calls, steps, near)
                self._found.append((Passage(file.name, first, last, part, sort, prior * aside), counts))

    def _title(self, part: Part, lines: Sequence[str]) -> str:
        """Return the title of a part: with its class where it says nothing; else the line where a macro hides it."""
        if _GENERAL.fullmatch(part.title) and part.outer:
            return f"{part.outer.rpartition('.')[2]} {part.title}"
        begun = self._wanted.begun
        line = lines[part.first - 1] if begun is not None and part.first <= len(lines) else ""
        return f"{part.title} {line}" if begun is not None and begun.search(line) else part.title

    def _called(self, title: str) -> dict[str, float]:
        """Return the words of the question that a title has: as they are spelled, or as others of one stem."""
        lowered, spelled = title.lower(), self._wanted.spelled
        return {
            word: share * (SPELLED if spelled.get(word, word).removesuffix("s") in lowered else 1.0)
            for word, share in self._wanted.of(title).items()
        }

    def _aside(self, file: File) -> float:
        later = ASIDE_PATH.search(file.name) is not None or file.semantic_class in _SECONDARY
        later |= is_test_path(file.name) and not self._testing
        later |= _CHANGES.search(file.name) is not None and not self._changed
        minor = _MINOR.search(file.name) is not None and not self._delivery
        minor |= self._how_to and _DECISIONS.search(file.name) is not None
        return ASIDE if later else MINOR if minor else 1.0

    def best(self) -> list[Passage]:
        """Return the passages in order, one of each part."""
        wanted = self._wanted
        factors = {
            **dict.fromkeys(wanted.hints, HINTED), **dict.fromkeys(wanted.does, DOING),
            **dict.fromkeys(wanted.light, LIGHT), **dict.fromkeys(wanted.pairs, PAIRED),
            **dict.fromkeys((*wanted.words, *wanted.exact), 1.0),
        }  # fmt: skip
        rare = {
            word: factor * math.log(1 + (self._number - self._spread[word] + 0.5) / (self._spread[word] + 0.5))
            for word, factor in factors.items()
        }
        # A word that stands nowhere is as telling as the others: it may be the person's own for what is there.
        usual = [rare[word] for word in wanted.words if self._spread[word]]
        rare.update({word: sum(usual) / len(usual) for word in wanted.words if usual and not self._spread[word]})
        told = self._told()
        every = sum(rare[word] for word in told) or 1.0
        named = [*wanted.words, *wanted.light]
        ranked: dict[tuple[str, int], Passage] = {}
        for passage, counts in self._found:
            found = {word: counts.of(word) for word in rare}
            points = sum(rare[word] * count / (SATURATION + count) for word, count in found.items())
            share = sum(rare[word] * min(1.0, counts.surely.get(word, 0.0)) for word in told) / every
            expected = WEIGHTS[self._half.expected][passage.sort]
            weight = passage.score * expected
            if passage.sort is Sort.CODE and self._half.expected is Expected.CODE:
                weight *= 1 + CALLED * min(2, counts.called)
            if passage.sort is Sort.CODE and not self._plain and _PLAIN.match(passage.part.title):
                weight *= PLAIN
            elif len(named) > 1 and all(counts.title.get(word, 0.0) >= CLOSE for word in named):
                weight *= NAMED
            elif (len(named) > 1 and all(counts.path.get(word, 0.0) >= 1.0 for word in named)) or (
                not passage.part.outer and counts.named == sum(counts.title.get(word, 0.0) >= 1.0 for word in named)
            ):
                weight *= CALLED_SO
            weight *= DONE if counts.steps and passage.sort is Sort.DOCUMENT else 1.0
            weight *= START if passage.first == passage.part.first else 1.0
            close = max((sum(rare[word] for word in told if word in each) for each in counts.near), default=0.0) / every
            score = weight * points * (LEAST + share**STEEP) * (1 + TOGETHER * (expected * close) ** 2)
            key = passage.name, passage.part.first
            if key not in ranked or ranked[key].score < score:
                title = sum(counts.title.get(word, 0.0) >= CLOSE for word in told)
                own = sum(counts.surely.get(word, 0.0) >= CLOSE for word in told) if share >= MOST else 0
                most = 2 * max(title, own) > len(told)
                enough = ENTITLED if title > 1 else 0.0
                ranked[key] = passage._replace(score=score, share=max(share, enough), most=most)
        ordered = _sorted(ranked.values())
        leading = ordered[:LEADING]
        nearby = nearness(self._request, [_entitled(passage) for passage in leading])
        near = [passage._replace(score=passage.score * factor) for passage, factor in zip(leading, nearby, strict=True)]
        return [*_sorted(near), *ordered[LEADING:]]

    def _told(self) -> list[str]:
        """The words that an answer ought to have."""
        names = " ".join(self._wanted.exact).lower()
        return [*self._wanted.exact, *(word for word in self._wanted.words if word not in names)]

    @property
    def nowhere(self) -> list[str]:
        """The words of the question that stand in no passage."""
        lacking = [word for word in self._told() if self._surest.get(word, 0.0) < CLOSE]
        return [self._wanted.spelled.get(word, word) for word in lacking]


def _sorted(passages: Iterable[Passage]) -> list[Passage]:
    return sorted(passages, key=lambda passage: (-passage.score, passage.name, passage.first))


def _entitled(passage: Passage) -> str:
    """Return what stands over a passage: its title and the one around it, or the path where it has none."""
    part = passage.part
    return f"{part.outer.split(' › ')[-1]} {part.title}" if part.title else passage.name


def _summed(said: Mapping[int, Mapping[str, float]], first: int, last: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in range(first, last + 1):
        if number in said:
            found.update(said[number])
    return found


def cut(file: File, text: str) -> list[Part]:
    """Return the parts of a file."""
    return parts(file.format, text)
