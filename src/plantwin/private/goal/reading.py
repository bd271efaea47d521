"""How a request is read before anything else looks at it: other languages as English, misspelt words as meant. Local.

Only words of the tables beside this module come out, and only for words that no lexicon knows and that name nothing
in the folder; quotations, paths and names keep their letters.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from plantwin.lexicon import subjects
from plantwin.private.goal.words import FUNCTION, request_rows, spelling_rows
from plantwin.private.goal.words import word as crossing
from plantwin.text import letters_apart

ASKING: Final = frozenset(["which", "what", "how", "where", "who", "why", "when"])
UNSPACED: Final = ("ja", "zh")
"""Languages that are written without spaces."""
COMPOUNDING: Final = {"de": ("", "s", "es", "n", "en"), "nl": ("", "s", "en")}
"""Languages that write two nouns as one, with the letters that join them."""
PART: Final = 4
"""Letters that a part of a compound has at least."""
SHORTEST: Final = 4
"""Letters from which on a word may be misspelt."""
LONG: Final = 8
"""Letters from which on it may be misspelt twice."""

_introduced = re.compile(
    r"(?i)\b(?:project|client|customer|codename|called|named|team|product|vendor|company|partner)s?\s+\Z"
)
"""What a name follows: a word after it is no typing mistake."""
_kept = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|\S*[\w*][/\\.@_*:=+]+[\w*]\S*", re.DOTALL)
"""Quotations, paths, names with marks in them."""
_environment = re.compile(r"(?i)(?<![\w./-])env[ -]?var(?:iable)?s?(?![\w./-])")
"""What is read whatever is called `env` in the folder."""
_elided = re.compile(r"(?i)\b(what|where|who|how|when)s\b(?!')")
"""`whats the port`."""
_word = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_kana = re.compile(r"[\u3040-\u30ff]")
_particles = re.compile(r"[\u3040-\u309f吗呢吧了的]+")
"""What is left of Japanese and Chinese sentences and says nothing."""
_unspaced = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class Translated(NamedTuple):
    """A place in a request, and the English of what stands there."""

    start: int
    end: int
    english: str


def read(text: str, named: Callable[[str], bool]) -> str:
    """The request in the words of the tables, as far as it needs them. `named`: whether a word names something here."""
    text = _elided.sub(r"\1 is", _environment.sub("environment variables", text))
    translated = _translated(text)
    return _corrected(text if translated is None else translated, named)


def _folded(text: str) -> str:
    """Small letters without accents, as many as there were."""
    return "".join(unicodedata.normalize("NFD", letter)[0] for letter in text.lower().replace("ß", "s"))


def _alternatives(keys: str) -> list[str]:
    """The alternatives of a key that stand outside of brackets."""
    made, depth = [""], 0
    for letter in keys:
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and not depth:
            made.append("")
        else:
            made[-1] += letter
    return made


@cache
def _tables() -> dict[str, tuple[re.Pattern[str], dict[str, str]]]:
    """Each language as one expression, phrases and longer keys first, and the English of each of its groups."""
    made = {}
    for language, rows in tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8")).items():
        every = [(key, english) for keys, english in rows.items() for key in _alternatives(keys)]
        keys = sorted(every, key=lambda row: (row[0].count(" "), len(row[0])), reverse=True)
        parts = "|".join(
            f"(?P<k{place}>{key if language in UNSPACED else _folded(key)})" for place, (key, _) in enumerate(keys)
        )
        whole = parts if language in UNSPACED else rf"(?<![^\W_])(?:{parts})(?:(?<=')|(?![^\W_]))"
        made[language] = re.compile(whole), {f"k{place}": english for place, (_, english) in enumerate(keys)}
    return made


def _translated(text: str) -> str | None:
    """The request in English where most of its words are of another language."""
    if _unspaced.search(text):
        language = "ja" if _kana.search(text) else "zh"
        return _particles.sub(" ", _replaced(text, text, language, " "))
    kept = _blanked(text)
    folded = _folded(text.replace("’", "'"))
    total = list(_word.finditer(kept))
    english = sum(_crosses(match[0].lower()) for match in total)
    first = total[0][0].lower() if total else ""
    best, most = "", english
    for language in _tables():
        if language not in UNSPACED:
            matches = list(_matches(folded, kept, language))
            covered = sum(len(_word.findall(folded[match.start : match.end])) or 1 for match in matches)
            # Half of a technical question may be words that every language has: its first word decides then.
            if matches and matches[0].start == total[0].start():
                asks = matches[0].english.partition(" ")[0] in ASKING
                every = (
                    asks and first not in FUNCTION and covered >= len(total)
                )  # `quelles` looks like a form of `quell`
                covered *= 2 if every or not _crosses(first) else 1
            if covered > most:
                best, most = language, covered
    return _replaced(text, folded, best, "") if best else None


def _matches(folded: str, kept: str, language: str) -> list[Translated]:
    """Where words of a language stand outside of what is kept, in their order."""
    pattern, english = _tables()[language]
    made = [
        Translated(match.start(), match.end(), english[match.lastgroup or ""])
        for match in pattern.finditer(folded)
        if not kept[match.start() : match.end()].startswith("\0")
    ]
    if language in COMPOUNDING:
        known = {place for start, end, _ in made for place in range(start, end)}
        for match in _word.finditer(folded):
            if match.start() not in known and not kept.startswith("\0", match.start()):
                meant = _compound(match[0], language)
                made += [Translated(match.start(), match.end(), meant)] if meant else []
    return sorted(made)


@cache
def _compound(word: str, language: str) -> str:
    """The English of a word that is made of two words of the table: `Bestellnummer`, `Serverprotokoll`."""
    pattern, english = _tables()[language]
    if _crosses(word):
        return ""
    for at in range(len(word) - PART, PART - 1, -1):
        second = pattern.fullmatch(word[at:])
        for joint in COMPOUNDING[language] if second is not None else ():
            stem = word[:at].removesuffix(joint) if joint else word[:at]
            first = pattern.fullmatch(stem) if len(stem) >= PART else None
            both = [english[each.lastgroup or ""] for each in (first, second) if each is not None]
            if len(both) == 2 and all(both):
                return " ".join(both)
    return ""


def _blanked(text: str) -> str:
    """The text with quotations and paths blanked out."""
    return _kept.sub(lambda match: "\0" * len(match[0]), text)


def _replaced(text: str, folded: str, language: str, space: str) -> str:
    kept = _blanked(text)
    made, at = [], 0
    for start, end, english in _matches(folded, kept, language):
        # What an elision or a hyphen joins are words of their own: `l'import`, `Mail-Benachrichtigung`.
        between = text[at:start].removesuffix("-") + " " if text[at:start].endswith("-") else text[at:start]
        apart = " " if folded[end - 1] == "'" else space
        made += [between, f"{space}{english}{apart}"]
        at = end
    return re.sub(r"\s+", " ", "".join([*made, text[at:]])).strip(" ¿¡")


@cache
def _known() -> tuple[dict[int, tuple[str, ...]], dict[str, str]]:
    """Words that may be meant, by their number of letters, and what short forms stand for."""
    rows = spelling_rows()
    by_size: dict[int, list[str]] = {}
    for word in rows:
        if "=" not in word:
            by_size.setdefault(len(word), []).append(word)
    short = (each.replace("==", "=").partition("=") for each in rows if "=" in each)
    return {size: tuple(some) for size, some in by_size.items()}, {word: meant for word, _, meant in short}


@cache
def _always() -> frozenset[str]:
    """Short forms that are no names, whatever is called so."""
    return frozenset(each.partition("==")[0] for each in request_rows() if "==" in each)


def _corrected(text: str, named: Callable[[str], bool]) -> str:
    """Words that are misspelt or shortened as those that are meant."""
    kept = _blanked(text)
    made, at = [], 0
    for match in _word.finditer(kept):
        word = match[0].lower()
        loud = sum(map(str.isupper, match[0])) > 1  # `TODOs`, `SECRETS`
        shouted = len(word) >= SHORTEST and loud and word in _known()[0].get(len(word), ())
        capital = match[0] != word and match.start() and not text.isupper()
        beside = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        # Part of a longer name, such as `falcn-tset` or `tset2`: its letters are nobody's typing mistake.
        named_so = any(letter == "-" or letter.isdigit() for letter in beside)
        named_so = named_so or _introduced.search(text[max(0, match.start() - 24) : match.start()]) is not None
        meant = word if shouted else None if capital or named_so else _meant(word)
        if meant and (word in _always() or not named(word)):
            made += [text[at : match.start()], meant]
            at = match.end()
    return "".join([*made, text[at:]])


@cache
def _meant(word: str) -> str | None:
    """What a word stands for that no lexicon knows: the one word of the table that is near it."""
    by_size, short = _known()
    if _crosses(word) or word in subjects():
        return None
    if word in short or len(word) < SHORTEST or not word.isascii():
        return short.get(word)
    for allowed in range(1, 3 if len(word) >= LONG else 2):
        near = [
            other
            for size in range(len(word) - allowed, len(word) + allowed + 1)
            for other in by_size.get(size, ())
            if size >= SHORTEST and other[0] == word[0] and letters_apart(word, other, allowed) <= allowed
        ]
        if near:  # of several the one that ends alike: a plural where a plural is written
            return min(near, key=lambda other: (other[-1] != word[-1], other))
    return None


def _crosses(word: str) -> bool:
    """Whether the lexicon knows a word, or one that it is a form of."""
    return not any(token.startswith("<") for token in crossing(word, start=True).tokens)
