"""What a goal that names no step asks in a folder of one sort: rows of `folders.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import msgspec

from plantwin.cloud.offline.hearing import ASKED, joined, vague
from plantwin.cloud.offline.language import Found, Sentence, find
from plantwin.cloud.offline.sight import Sight, Thing
from plantwin.cloud.offline.strength import strength
from plantwin.cloud.offline.tables import CUES, MATERIAL, NOUNS, Concern
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import member

SOUNDS: Final = 0.8
"""From here on phrases say which question it is."""
LEANS: Final = 0.45
"""Share of a worry from which on it says so."""
HINTED: Final = 0.3
"""Share of a worry, and how surely a goal is vague, from which on it is one at all."""
SHORT: Final = 14
"""Words of a goal that names no step at most."""
THERE: Final = 0.15
"""Strength from which on there is something to work on."""
MOST: Final = 3
CLEAR: Final = 1.25
"""How much more must speak for a sort of folder than for the next: a mixed folder is of none."""


class _Folders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sorts: dict[str, dict[str, float]]
    asks: dict[str, dict[str, float]]
    answers: dict[str, dict[str, tuple[str, ...]]]
    worries: dict[Concern, str]
    weighed: tuple[Concern, ...]


TABLE: Final[_Folders] = msgspec.convert(
    tomllib.loads(Path(__file__).with_name("folders.toml").read_text("utf-8")), _Folders
)


def sort_of(sight: Sight) -> str | None:
    """Return what sort of folder this is: the one that most of what was shown speaks for, where it is clear."""
    scores = {
        sort: sum(_says(thing, words) * thing.weight for thing in sight.things.values())
        for sort, words in TABLE.sorts.items()
    }
    first, second = sorted(scores, key=lambda sort: -scores[sort])[:2]
    return first if scores[first] > CLEAR * scores[second] else None


def _says(thing: Thing, words: Mapping[str, float]) -> float:
    return next((words[key] for key in (thing.leaf, thing.family) if key is not None and key in words), 0.0)


def question(sentence: Sentence) -> str | None:
    """Return the question that the phrases of a short goal ask, where nothing else in it says what is meant."""
    if not sentence.words or len(sentence.words) > SHORT or sentence.objects:
        return None
    heard = {asked: find(sentence, phrases) for asked, phrases in TABLE.asks.items()}
    sounds = {asked: joined([(each, TABLE.asks[asked][each.text]) for each in found]) for asked, found in heard.items()}
    best = max(sounds, key=lambda asked: sounds[asked])
    if sounds[best] < SOUNDS:
        return None
    said = {place for each in heard[best] for place in each.places}
    return best if all(each.places <= said for each in _meant(sentence)) else None


def _meant(sentence: Sentence) -> list[Found]:
    """Return what in a goal says what it is about or what to do."""
    steps = (each for cues in CUES.values() for each in find(sentence, cues) if cues[each.text] >= ASKED)
    return [*find(sentence, NOUNS), *steps]


def worried(sentence: Sentence, concerns: Mapping[Concern, float], *, sought: bool) -> str | None:
    """Return the question that the likeliest worry of a goal asks, if any.

    `sought`: the goal would be searched for by its words instead. That is no use where it is short and names nothing.
    """
    concern = max(concerns, key=lambda each: concerns[each], default=None)
    if concern is None or sentence.objects:
        return None
    if sought:
        named = len(sentence.words) > SHORT or sentence.blanks or _meant(sentence)
        return None if named or min(concerns[concern], vague(sentence)) < HINTED else TABLE.worries[concern]
    return TABLE.worries[concern] if concerns[concern] >= LEANS and concern not in TABLE.weighed else None


def answers(asked: str, sight: Sight, possible: Collection[Can]) -> list[Can]:
    """Return the capabilities that together answer a question in this folder; nothing where its sort is unknown."""
    sort = sort_of(sight)
    told = {str(value) for thing in sight.things.values() for value in _told(thing)}
    found = []
    for row in TABLE.answers.get(asked, {}).get(sort, ()) if sort else ():
        word, _, condition = row.partition(" ")
        can = member(Can, word)
        if can not in possible or (condition and not _holds(condition, told)):
            continue
        if can not in MATERIAL or not MATERIAL[can].suits or strength(can, sight) >= THERE:
            found.append(can)
    return found[:MOST]


def _holds(condition: str, told: Collection[str]) -> bool:
    word, _, value = condition.partition(" ")
    return (value in told) is (word == "if")


def _told(thing: Thing) -> list[object]:
    return [thing.leaf, thing.family, thing.kind, *thing.tags, *(f"-{absence}" for absence in thing.lacks)]
