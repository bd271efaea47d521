"""The words of a question that are looked for, what each weighs, and where the answer is expected. They stay here."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection
from enum import Enum
from itertools import pairwise
from typing import Final

from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.selection.words import POLITE, STOP, alike, pieces_of, stem

LONG: Final = 4
"""Letters from which a word is looked for inside of longer ones that are written as one: `signin`."""
RELATED: Final = 0.3
"""What a word of much the same meaning weighs against one of the request."""
CLOSE: Final = 0.6
"""The same of one that people say for it: `join` for `register`."""
BESIDE: Final = 0.5
"""How much less both weigh where the folder has the word itself."""
DOING: Final = 0.6
"""What a library weighs that does what is asked for: `bcrypt`, where it is asked how passwords are hashed."""
HINTED: Final = 0.8
"""What a word weighs that answers of this sort have: `minutes`, where it is asked how long."""
INSIDE: Final = 0.7
EXACT: Final = 3.0
LIGHT: Final = 0.25
"""What a word weighs that says little of what is looked for: `old`, `second`, `stored`."""
PAIRED: Final = 0.5
"""What two words weigh besides that follow each other as in the request: `check limit`."""
_LEXICON = Lexicon(__file__)
_NOISE = frozenset(map(stem, _LEXICON.words("noise")))
_LITTLE = frozenset(map(stem, (*_LEXICON.words("little"), *POLITE)))
_SAME = _LEXICON.patterns("same")
_HINTS = _LEXICON.patterns("hints")
_DOES = _LEXICON.patterns("does")
_SHORT = [[stem(word) for word in row.split()] for row in _LEXICON.phrases("short")]
_NEAR = [[stem(word) for word in row.split()] for row in _LEXICON.phrases("near")]
_AND = _LEXICON.pattern("and")
_WHO = _LEXICON.pattern("who")
_QUOTED = re.compile(r"[`\"'“„]([\w.:/#$-]{2,80})[`\"'”“]")
_IDENTIFIER = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+|[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\b\w+=\w+"
    r"|(?<![\w.])\.[a-z]\w+"
)
_THING = re.compile(r"\b(?:an?|another|each|every)\s+(?:new\s+)?([a-z]{3,})\b")
_BARE = _LEXICON.words("bare")
_AMOUNT = re.compile(r"\b(?:first|last|top|only|than|least|most|up to|every)\s+(\d+)\b")
"""`The first 100 bytes`: any number would do."""
_LINE_END = re.compile("\n")
_WORD = re.compile(r"\b[a-z]\d{1,2}[a-z]?\b|[^\W\d_]{2,}|\d+[a-z]{0,3}\b")


class Expected(Enum):
    """Where an answer is expected first."""

    DOCUMENT = "document"
    CODE = "code"
    SETTING = "setting"
    ANYWHERE = "anywhere"


_EXPECTED = [(Expected(name), pattern) for name, pattern in _LEXICON.patterns("expected").items()]


class Wanted(Private):
    """The words that are looked for, with what each weighs."""

    def __init__(self, request: str) -> None:
        self.exact = list(dict.fromkeys([*_QUOTED.findall(request), *_IDENTIFIER.findall(request)]))
        for meaning, pattern in _SAME.items():
            request = pattern.sub(f" {meaning} ", request)
        asked = [word for word in _WORD.findall(request.lower()) if word not in STOP]
        who = {name.lower() for name in _WHO.findall(request)}
        # `Who can remove a project`: what an article makes one of several is a thing of this folder.
        things = {word for word in _THING.findall(request.lower()) if word not in who | _BARE}
        telling = [word for word in asked if word not in who and (stem(word) not in _NOISE or word in things)]
        little = {word for word in telling if stem(word) in _LITTLE and word not in things}
        little |= {*_AMOUNT.findall(request.lower())}
        kept = [word for word in telling if word not in little] or telling or [*who]
        light = [word for word in telling if word not in kept]
        self.words = list(dict.fromkeys(map(stem, kept)))
        self.light = [word for word in dict.fromkeys(map(stem, light)) if word not in self.words]
        self.spelled = {stem(word): word for word in kept}
        self.shown = list(dict.fromkeys([*self.exact, *kept]))
        self._known: dict[str, list[tuple[str, float]]] = {}
        self.weights: dict[str, tuple[str, float]] = {}
        for word in (*self.words, *self.light):
            for other in (other for row in _NEAR if word in row for other in row):
                self.weights.setdefault(other, (word, CLOSE))
        for word in self.words:
            for other in alike().get(word, ()):
                self.weights.setdefault(other, (word, INSIDE if other.startswith(word) else RELATED))
        self.hints = [words for words, pattern in _HINTS.items() if pattern.search(request)]
        self.does = [words for words, pattern in _DOES.items() if pattern.search(request)]
        for words in (*self.hints, *self.does):
            self.weights.update({stem(word): (words, 1.0) for word in words.split()})
        for word in (*self.light, *self.words):
            self.weights.update({other: (word, 1.0) for row in _SHORT if word in row for other in row})
        self.weights.update({word: (word, 1.0) for word in (*self.light, *self.words)})
        follows = [(stem(one), stem(other)) for one, other in pairwise(asked)]
        self.pairs = {
            f"{one} {other}": re.compile(
                rf"{re.escape(one)}[a-z]*(?:[^a-z\n]{{0,3}}|'s ){re.escape(other)}", re.IGNORECASE
            )
            for one, other in follows
            if one in self.words or other in self.words
        }
        spelled = sorted({*self.weights, *map(str.lower, self.exact)}, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, spelled)) or r"(?!)", re.IGNORECASE)
        doing = "|".join(re.escape(each) for each, (own, weight) in self.weights.items() if weight >= CLOSE)
        self.call = re.compile(rf"(?:{doing})\w*(?:\.\w+)*[!?]?\(", re.IGNORECASE) if doing else re.compile(r"(?!)")
        self.stems = {word: [each for each, (own, _) in self.weights.items() if own == word] for word in self.words}
        # `EXPORT(int) parse(char *text)`: begins a line, ends without a semicolon.
        exact = "|".join(re.escape(name) for name in self.exact if name.isidentifier())
        self.begun = re.compile(rf"^\w[^=;{{}}\n]*\b(?:{exact})[ \t]*\([^;]*$") if exact else None

    def prefer(self, words: Collection[str]) -> None:
        """Let other words count less than these, which the folder has: `notification` beside `reminder`."""
        for other, (word, weight) in self.weights.items():
            if word in words and weight < 1.0:
                self.weights[other] = word, weight * BESIDE
        self._known.clear()

    @property
    def told(self) -> list[str]:
        """The words as they were written, without those that are parts of a name among them."""
        return [
            word for word in self.shown if word in self.exact or not any(word in name.lower() for name in self.exact)
        ]

    def lines(self, text: str) -> list[int]:
        """Return the numbers of the lines that may have words of the request, in order."""
        lowered = text.lower()
        begins = [0, *(match.end() for match in _LINE_END.finditer(lowered))]
        found: set[int] = set()
        for word in (*self.weights, *map(str.lower, self.exact)):
            at = lowered.find(word)
            while at >= 0:
                number = bisect_right(begins, at)
                found.add(number)
                at = lowered.find(word, begins[number]) if number < len(begins) else -1
        return sorted(found)

    def of(self, text: str) -> dict[str, float]:
        """Return the words of the request that a text has, each with its weight."""
        if self.pattern.search(text) is None:
            return {}
        found: dict[str, float] = {}
        for word in {*pieces_of(text.encode("ascii", "replace")), *_WORD.findall(text.lower())}:
            if word not in self._known:
                self._known[word] = self._meant(stem(word))
            for own, weight in self._known[word]:
                found[own] = max(found.get(own, 0.0), weight)
        if len(found) > 1:
            found.update({pair: 1.0 for pair, pattern in self.pairs.items() if pattern.search(text)})
        lowered = text.lower()
        found.update({name: EXACT for name in self.exact if name.lower() in lowered})
        return found

    def _meant(self, word: str) -> list[tuple[str, float]]:
        """Return the words of the request that a stem stands for, or that it is made up of, and how surely."""
        if word in self.weights:
            return [self.weights[word]]
        return [(known, INSIDE) for known in self.words if len(word) > len(known) >= LONG and known in word]


class Half(Private):
    """One of the questions that a request asks: what it looks for, and where."""

    def __init__(self, text: str, about: str = "") -> None:
        self.wanted = Wanted(f"{text} {about}")
        self.expected = next((where for where, pattern in _EXPECTED if pattern.search(text)), Expected.ANYWHERE)


def halves(request: str) -> list[Half]:
    """Return the questions of a request; `and where is that` asks for what the first one speaks of."""
    texts = [text for text in _AND.split(request) if text.strip()][:2]
    first = texts[0] if texts else request
    made = [Half(first)]
    for text in texts[1:]:
        own = Half(text)
        made.append(own if own.wanted.words or own.wanted.exact else Half(text, first))
    return [half for half in made if half.wanted.words or half.wanted.exact]
