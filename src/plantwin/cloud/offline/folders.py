"""What a goal that names no step asks in this folder: a sum of learned weights, made by `scripts/associations`.

A capability counts for what the goal worries about and its words, for what the folder holds, and for both together;
for what there is to work on; for what single words mean; and for what `folders.toml` says answers such a worry in a
folder of this sort.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from plantwin.cloud.offline.associations import OPEN, features, meanings, surroundings
from plantwin.cloud.offline.hearing import ASKED, spoken, vague, worded, worries
from plantwin.cloud.offline.language import Sentence, find
from plantwin.cloud.offline.sight import Sight, Thing
from plantwin.cloud.offline.strength import strength
from plantwin.cloud.offline.tables import CUES, MATERIAL, NOUNS, Concern
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import member

ABOUT: Final = ("is|are there anything|something about|regarding|concerning",)
"""What asks for places, however little it says."""
SHORT: Final = 14
"""Words of a goal that names no step at most."""
VAGUE: Final = 0.1
NAMED: Final = 0.8
FACTUAL: Final = 0.2
"""How surely it says nothing of what for, at least; where it names a thing; and asks for a fact, at most."""
WORDS: Final = 0.5
CLASSES: Final = 0.5
TOGETHER: Final = 2.0
"""What words, classes, and a worry in a folder of one family count beside worries and families."""
HINTS: Final = 0.5
ANSWERS: Final = 3.0
"""What words count that ask for a capability, and what the table of answers says, beside what there is to work on."""
FAINT: Final = 0.001
ALWAYS: Final = 0.5
"""What there is to work on for a capability that takes whatever a folder holds."""
THERE: Final = 0.1
NEVER: Final = -9.0
"""Strength from which on there is something to work on; and what counts where there is not."""
CLEAR: Final = 1.25
"""How much more must speak for a sort of folder than for the next: a mixed folder is of none."""
LEAST: Final = 2
MOST: Final = 4
CLOSE: Final = 0.25
"""Capabilities that are taken; and the part of the best's share from which on a third is."""


class _Folders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sorts: dict[str, dict[str, float]]
    answers: dict[str, dict[str, tuple[str, ...]]]
    worries: dict[Concern, str]
    always: dict[str, tuple[str, ...]]


TABLE: Final[_Folders] = msgspec.convert(
    tomllib.loads(Path(__file__).with_name("folders.toml").read_text("utf-8")), _Folders
)


def open_ended(sentence: Sentence) -> bool:
    """Whether a short goal says neither what to do nor what it wants to know; a name that did not cross may say it."""
    if not sentence.words or len(sentence.words) > SHORT or sentence.objects or sentence.blanks:
        return False
    if find(sentence, ABOUT) or any(
        cues[each.text] >= ASKED for cues in CUES.values() for each in find(sentence, cues)
    ):
        return False
    least = NAMED if find(sentence, NOUNS) else VAGUE
    return vague(sentence) >= least and worries(sentence).get(Concern.FACT, 0.0) < FACTUAL


def answers(sentence: Sentence, sight: Sight, possible: Collection[Can]) -> dict[Can, float]:
    """Return the capabilities that together answer a goal in this folder, each with its share, the surest first."""
    there = work(sight)
    shares = meanings(situation(sentence, sight, there), leanings(sentence, sight, there), OPEN)
    learned = chosen({member(Can, word): share for word, share in shares.items() if word in possible})
    told = _told_of(sight)
    rows = [row for found in find(sentence, TABLE.always) for row in TABLE.always[found.text]]
    always = dict.fromkeys((can for can in _done(rows, told, there) if can in possible), 1.0)
    return dict(list((always | learned).items())[: max(LEAST + 1, len(always))]) if always else learned


def chosen(shares: Mapping[Can, float]) -> dict[Can, float]:
    """Return the two that have the largest shares, and the next two where theirs are not much smaller."""
    order = sorted((-share, can) for can, share in shares.items())
    found = {can: -share for share, can in order[:MOST]}
    best = max(found.values(), default=0.0)
    return {can: share for at, (can, share) in enumerate(found.items()) if at < LEAST or share >= CLOSE * best}


def work(sight: Sight) -> dict[Can, float]:
    """Return how much there is for each capability to work on."""
    bound = [can for can in Can if can in MATERIAL and can is not Can.REPORT and sight.things]
    return dict.fromkeys(Can, ALWAYS) | {can: strength(can, sight) for can in bound}


def situation(sentence: Sentence, sight: Sight, there: Mapping[Can, float]) -> dict[str, float]:
    """Return what a goal says, what the folder holds, and both together, as the table knows them."""
    said = {word: WORDS for word in worded(spoken(sentence, Sight())) if " " not in word}
    worry = {f"?{concern}": share for concern, share in worries(sentence).items()}
    families: dict[str, float] = {}
    classes: dict[str, float] = {}
    for thing in sight.things.values():
        if thing.family is not None:
            families[f"@{thing.family}"] = families.get(f"@{thing.family}", 0.0) + thing.weight
        if thing.leaf is not None:
            classes[f"@@{thing.leaf}"] = classes.get(f"@@{thing.leaf}", 0.0) + thing.weight
    most = max(families.values(), default=1.0)
    families = {word: weight / most for word, weight in families.items()}
    together = {
        f"{one}{other}": TOGETHER * share * part for one, share in worry.items() for other, part in families.items()
    }
    classes = {word: CLASSES * weight / most for word, weight in classes.items()}
    return said | worry | families | classes | together | {f"~{can}": weight for can, weight in there.items() if weight}


def leanings(sentence: Sentence, sight: Sight, there: Mapping[Can, float]) -> dict[str, float]:
    """Return what speaks for each capability by itself: what there is to work on, words, and worries."""
    clauses = spoken(sentence, Sight())
    around = surroundings(clauses)
    heard = [meanings(features(stems, sorts) | around, cues) for stems, sorts, cues in clauses if stems]
    answered = dict.fromkeys(Can, 0.0)
    sort, told = _sort(sight), _told_of(sight)
    for concern, share in worries(sentence).items() if sort else ():
        for can in _rows(TABLE.worries.get(concern, ""), sort, told, there):
            answered[can] += share
    found = {}
    for can, weight in there.items():
        hint = math.log(max((shares.get(can, 0.0) for shares in heard), default=0.0) + FAINT)
        found[can.value] = weight + HINTS * hint + ANSWERS * answered[can] if weight > THERE else NEVER
    return found


def _rows(asked: str, sort: str, told: Collection[str], there: Mapping[Can, float]) -> list[Can]:
    """Return the first three capabilities that answer a question in a folder of one sort and can be done there."""
    return _done(TABLE.answers.get(asked, {}).get(sort, ()), told, there)[: MOST - 1]


def _done(rows: Sequence[str], told: Collection[str], there: Mapping[Can, float]) -> list[Can]:
    """Return the capabilities of these rows that there is something to work on for, and whose condition holds."""
    found = []
    for row in rows:
        word, _, condition = row.partition(" ")
        can = member(Can, word)
        if there[can] > THERE and (not condition or _holds(condition, told)):
            found.append(can)
    return found


def _told_of(sight: Sight) -> set[str]:
    return {str(value) for thing in sight.things.values() for value in _told(thing)}


def _sort(sight: Sight) -> str:
    """Return what sort of folder this is: the one that most of what was shown speaks for, where it is clear."""
    scores = {
        sort: sum(_says(thing, words) * thing.weight for thing in sight.things.values())
        for sort, words in TABLE.sorts.items()
    }
    first, second = sorted(scores, key=lambda sort: -scores[sort])[:2]
    return first if scores[first] > CLEAR * scores[second] else ""


def _says(thing: Thing, words: Mapping[str, float]) -> float:
    return next((words[key] for key in (thing.leaf, thing.family) if key is not None and key in words), 0.0)


def _holds(condition: str, told: Collection[str]) -> bool:
    word, _, value = condition.partition(" ")
    return (value in told) is (word == "if")


def _told(thing: Thing) -> list[object]:
    return [thing.leaf, thing.family, thing.kind, *thing.tags, *(f"-{absence}" for absence in thing.lacks)]
