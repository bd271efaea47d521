"""The goal's words: clauses, stems, negation, and phrases found in them. Linear in a text of bounded length."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from plantwin.types.twin import object_id_like

MOST_TOKENS = 400
"""Tokens of a goal that are looked at."""
GAP = 3
"""Words that may stand between two words of a phrase."""
ENDS = frozenset(".?!;:")
COMMA = frozenset(",")
SMALL = frozenset(["a", "an", "the", "this", "that", "these", "those", "our", "my", "your", "its", "their", "of"])
"""Words that no phrase counts."""
TAKEN_BACK = (
    "do not", "don", "dont", "never", "without", "skip", "ignore", "no need", "leave out", "leave aside",
    "rather than", "instead of", "except", "exclude", "omit",
)  # fmt: skip
"""What takes back the words that follow it, until its clause ends."""
WHETHER = frozenset(["whether"])
IF = frozenset(["if"])
WONDERS = frozenset(["check", "see", "tell", "know", "say", "verify", "confirm", "wonder", "out"])
"""Words after which `if` means `whether`: what follows is a part of its own, and `check` asks for no check."""
_NONE: frozenset[str] = frozenset()
LEFT_OUT = frozenset(
    [
        "name", "names", "number", "numbers", "personal", "private", "detail", "details", "address", "addresses",
        "people", "person", "customer", "customers", "identifier", "identifiers", "secret", "secrets", "sensitive",
        "tests", "order", "orders", "purchase", "purchases", "partner", "match", "matching", "value", "values",
    ]
)  # fmt: skip
"""What a copy is asked for without, and what modules may lack: that takes nothing back."""
NEVER = frozenset(
    [
        "used", "called", "imported", "referenced", "tested", "run", "closed", "reached", "executed", "sold", "ordered",
        "bought", "purchased", "paid", "shipped", "delivered", "answered",
    ]
)  # fmt: skip
"""What is asked for that never happens: `which files are never used`."""
TOLD = "<health>"
"""A blank that phrases speak of: pages that people with an impairment can use."""
PATH = "<path>"
"""A blank for a path or a file name that is not in the folder."""
ODD = frozenset(["<term>", "<date>"])
"""Blanks for a word that is in no lexicon, and for a day: neither names what a goal is about."""
ABSENT = frozenset(["exist", "exists", "appear", "appears", "match", "matches", "belong"])
"""What is asked for that is missing: `orders of customers that do not exist`."""
TELLS = {"without": LEFT_OUT, "never": NEVER, "do": ABSENT, "does": ABSENT, "dont": ABSENT, "don": ABSENT}
POINTING = frozenset(["that", "those", "these"])
POINTED = frozenset(["code", "function", "functions", "module", "modules", "part", "parts", "place", "places"])
"""`That code`: what an earlier clause asks to be found."""
JOINS = frozenset(["and", "then", "but", "also", "or", "please", "plus"])
STARTS = frozenset(
    [
        "add", "analyze", "ask", "assess", "audit", "build", "can", "capture", "check", "classify", "clean", "collect",
        "combine", "compare", "confirm", "correlate", "could", "count", "create", "debug", "decide", "describe",
        "detect", "determine", "diff", "do", "document", "draft", "estimate", "evaluate", "examine", "explain",
        "explore", "extract", "figure", "find", "fix", "flag", "follow", "gather", "generate", "get", "give", "go",
        "group", "has", "have", "highlight", "how", "identify", "if", "inspect", "is", "investigate", "join", "judge",
        "lint", "list", "locate", "look", "make", "map", "mark", "mask", "match", "measure", "note", "open", "order",
        "outline", "pinpoint", "point", "prepare", "produce", "profile", "prove", "pull", "put", "rank", "rate", "read",
        "reconstruct", "redact", "remove", "replace", "report", "review", "run", "say", "scan", "score", "search",
        "see", "send", "set", "should", "show", "sort", "spot", "start", "study", "suggest", "sum", "summarize", "tell",
        "test", "then", "tidy", "trace", "track", "triage", "turn", "use", "validate", "verify", "warn", "was", "were",
        "what", "when", "where", "whether", "which", "who", "why", "will", "with", "without", "work", "would", "write",
        "anything", "i", "it", "one", "there", "they", "we", "while",
    ]
)  # fmt: skip
"""Words with which something new to do begins after a comma or a conjunction."""
RESUMES = frozenset(["but", "just", "only", "instead"])
"""Words after which a negation no longer holds; others where something new to do begins."""
_IRREGULAR = {
    "broke": "break", "broken": "break", "went": "go", "gone": "go", "goes": "go", "ran": "run", "lost": "lose",
    "analysis": "analyz", "analyses": "analyz", "analytics": "analyz", "comparison": "compar", "differs": "differ",
    "differences": "difference", "different": "differ", "criteria": "criterion", "indices": "index", "data": "data",
    "fell": "fall", "failed": "fail", "failure": "fail", "failures": "fail", "queries": "query", "told": "tell",
    "worst": "worse", "slower": "slow", "slowly": "slow", "stolen": "steal", "leaked": "leak", "leakage": "leak",
    "validity": "valid", "licence": "licens", "licences": "licens", "wrote": "write", "written": "write",
    "shown": "show", "got": "get", "gotten": "get", "done": "do", "did": "do", "does": "do",
    "redaction": "redact", "classification": "classify", "summary": "summariz", "summaries": "summariz",
    "happens": "happens",
    "deployment": "deploy", "deployments": "deploy", "correlation": "correlat", "exposure": "expos",
}  # fmt: skip
_SUFFIXES = (
    ("ations", "at"), ("ation", "at"), ("ities", "ity"), ("ings", ""), ("ies", "y"), ("ied", "y"), ("ing", ""),
    ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ers", ""), ("ed", ""), ("es", "e"), ("er", ""),
)  # fmt: skip


@cache
def stem(word: str) -> str:
    """What the forms of a word share. It need not be a word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for suffix, ending in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)] + ending
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
            word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith(("is", "ys")) and len(word) > 4:  # -ise and -ize, -yse and -yze
        word = word[:-1] + "z"
    return word


BEGINNINGS = frozenset(stem(word) for word in STARTS)
_TAKEN_BACK = tuple(tuple(stem(word) for word in each.split()) for each in TAKEN_BACK)


@dataclass(frozen=True)
class Word:
    """One word that counts, where it stands, and whether it is taken back."""

    stem: str
    clause: int
    """What is between two conjunctions or marks."""
    part: int
    """What is between two marks: no phrase reaches beyond it."""
    negated: bool


@dataclass(frozen=True)
class Sentence:
    """A goal, read."""

    words: tuple[Word, ...] = ()
    objects: Mapping[str, int] = field(default_factory=dict)
    """Ids in the text, each with the clause in which it stands."""
    negated: frozenset[str] = frozenset()
    """Ids that are taken back."""
    blanks: int = 0
    """Words that did not cross."""
    blanked: frozenset[int] = frozenset()
    """Clauses that hold one."""
    elsewhere: frozenset[int] = frozenset()
    """Clauses with a path or file name that is not in the folder."""
    back: frozenset[int] = frozenset()
    """Clauses that speak of code which an earlier one asks to be found."""
    odd: int = 0
    """Of the words that did not cross, those that are merely in no lexicon, and days."""

    @property
    def clauses(self) -> int:
        """How many there are."""
        return 1 + max([each.clause for each in self.words] + list(self.objects.values()), default=-1)

    def says(self, clauses: Iterable[int], stems: Collection[str]) -> bool:
        """Whether one of these stems stands in these clauses."""
        wanted = set(clauses)
        return any(each.clause in wanted and each.stem in stems for each in self.words)

    def ids(self, clauses: Iterable[int]) -> list[str]:
        """Ids that stand in these clauses."""
        wanted = set(clauses)
        return [each for each, clause in self.objects.items() if clause in wanted and each not in self.negated]


def read(tokens: Sequence[str]) -> Sentence:
    """Clauses end at a mark, and at `and` or `then` before what may be the next thing to do."""
    words: list[Word] = []
    objects: dict[str, int] = {}
    back: set[str] = set()
    blanked: list[int] = []
    elsewhere: set[int] = set()
    pointing: set[int] = set()
    clause, part, negated, stems = 0, 0, False, [_plain(each) for each in tokens[:MOST_TOKENS]]
    for place, token in enumerate(tokens[:MOST_TOKENS]):
        if token in ENDS or (token in COMMA and _begins(tokens, place + 1)):
            clause, part, negated = clause + 1, part + 1, False
            continue
        if object_id_like(token):
            objects.setdefault(token, clause)
            if negated:
                back.add(token)
            continue
        if token.startswith("<"):
            blanked.append(clause)
            elsewhere |= {clause} if token == PATH else set()
        if token in POINTED and place and tokens[place - 1] in POINTING:
            pointing.add(clause)
        if not stems[place] or token in SMALL:
            continue
        if token in JOINS and _begins(tokens, place + 1):
            clause, negated = clause + 1, False
        elif token in RESUMES:
            negated = False
        if any(tuple(stems[place : place + len(each)]) == each for each in _TAKEN_BACK):
            negated = not TELLS.get(token, _NONE).intersection(tokens[place + 1 : place + 1 + GAP])
        if token in WHETHER or (token in IF and place and tokens[place - 1] in WONDERS):
            part += 1
        words.append(Word(stems[place], clause, part, negated))
    blanks, others, backward = map(frozenset, (blanked, elsewhere, pointing))
    odd = sum(token in ODD for token in tokens)
    return Sentence(tuple(words), objects, frozenset(back), len(blanked), blanks, others, backward, odd)


def _begins(tokens: Sequence[str], place: int) -> bool:
    """Whether something new to do begins here, rather than the next member of a list."""
    for token in tokens[place : place + 4]:
        if token not in JOINS and token not in SMALL and token not in COMMA:
            return _plain(token) in BEGINNINGS
    return True


def _plain(token: str) -> str:
    """The stem of a token; marks, ids and blanks but one have none."""
    token = token.removeprefix("+")
    return stem(token) if token.isalnum() or token == TOLD else ""


Alternatives = tuple[tuple[str, ...], ...]
"""Stems, or several in a row, of which any will do."""


@cache
def phrase(text: str) -> tuple[Alternatives, ...]:
    """`check|look_at contract`: parts in this order, a few words between them. Tables hold plain words."""
    parts = []
    for part in text.split():
        several = (tuple(stem(word) for word in each.split("_") if word not in SMALL) for each in part.split("|"))
        parts.append(tuple(each for each in several if each))
    return tuple(each for each in parts if each)


@dataclass(frozen=True)
class Found:
    """A phrase that stands in a sentence."""

    text: str
    places: frozenset[int]
    clause: int


def find(sentence: Sentence, texts: Iterable[str]) -> list[Found]:
    """Every place where one of these phrases stands, and is not taken back."""
    words = sentence.words
    by_stem: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        by_stem.setdefault(word.stem, []).append(position)
    found = []
    for text in texts:
        parts = phrase(text)
        for start in sorted({position for each in parts[0] for position in by_stem.get(each[0], ())}):
            places = _follow(words, start, parts)
            if places and not any(words[each].negated for each in places):
                found.append(Found(text, frozenset(places), words[places[-1]].clause))
    return found


def _follow(words: Sequence[Word], start: int, parts: Sequence[Alternatives]) -> list[int]:
    """Where the parts of a phrase stand from here on; nowhere if one of them is missing."""
    places: list[int] = []
    for number, alternatives in enumerate(parts):
        first = places[-1] + 1 if places else start
        last = first + (GAP if number else 0)
        run = next((run for each in range(first, last + 1) if (run := _run(words, each, alternatives))), None)
        if run is None or words[run[-1]].part != words[start].part or words[run[-1]].clause > words[start].clause + 1:
            return []
        places += run
    return places


def _run(words: Sequence[Word], at: int, alternatives: Alternatives) -> range | None:
    for stems in alternatives:
        here = words[at : at + len(stems)]
        if tuple(each.stem for each in here) == stems and here[-1].part == here[0].part:
            return range(at, at + len(stems))
    return None
