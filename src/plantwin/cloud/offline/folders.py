"""What a goal that names no step asks in this folder: a sum of learned weights, made by `scripts/associations`.

A capability counts for what the goal worries about and its words, for what the folder holds, and for both together;
for what there is to work on; for what single words mean; and for what `folders.toml` says answers such a worry in a
folder of this sort. The sum says how likely it answers; so many are taken as are expected to agree best with what does.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from plantwin.cloud.offline.associations import OPEN, features, meanings, sums, surroundings
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
"""How surely it says nothing of what for, at least; where it names a thing, or a word did not cross; and asks for a
fact, at most."""
APART: Final = 0.55
CLASSES: Final = 0.42
TOGETHER: Final = 1.4
"""What worries and families count by themselves, classes, and a worry in a folder of one family, beside words."""
HINTS: Final = 0.1
ANSWERS: Final = 1.1
"""What words count that ask for a capability, and what the table of answers says, beside what there is to work on."""
FAINT: Final = 0.001
ALWAYS: Final = 0.5
"""What there is to work on for a capability that takes whatever a folder holds."""
THERE: Final = 0.1
NEVER: Final = -9.0
"""Strength from which on there is something to work on; and what counts where there is not."""
RANKS: Final = (1.0, 0.8, 0.6)
"""What the first answers to a question count."""
CLEAR: Final = 3
SLIGHT: Final = 0.05
"""To which power what speaks for a sort of folder counts beside other sorts; and the part that a sort has at least."""
LEAST: Final = 2
MOST: Final = 4
"""Capabilities that the table of answers gives at least, and that are taken at most."""
FEWEST: Final = 1.6
LARGEST: Final = 3.2
"""How many capabilities answer a goal, at least and at most, when all shares together say how many."""


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
    if not sentence.words or len(sentence.words) > SHORT or sentence.objects or sentence.blanks > min(1, sentence.odd):
        return False
    if find(sentence, ABOUT) or any(
        cues[each.text] >= ASKED for cues in CUES.values() for each in find(sentence, cues)
    ):
        return False
    least = NAMED if sentence.blanks or find(sentence, NOUNS) else VAGUE
    return vague(sentence) >= least and worries(sentence).get(Concern.FACT, 0.0) < FACTUAL


class Heard(NamedTuple):
    """What a goal says: its words, its worries, and how surely its clauses ask for each capability (a logarithm)."""

    words: tuple[str, ...]
    worries: Mapping[Concern, float]
    hints: Mapping[Can, float]


def listen(sentence: Sentence) -> Heard:
    """Return what a goal says, whatever folder it is asked of."""
    clauses = spoken(sentence, Sight())
    around = surroundings(clauses)
    asked = [meanings(features(stems, sorts) | around, cues) for stems, sorts, cues in clauses if stems]
    hints = {can: math.log(max((shares.get(can, 0.0) for shares in asked), default=0.0) + FAINT) for can in Can}
    return Heard(tuple(sorted(word for word in worded(clauses) if " " not in word)), worries(sentence), hints)


def answers(sentence: Sentence, sight: Sight, possible: Collection[Can]) -> dict[Can, float]:
    """Return the capabilities that together answer a goal in this folder, each with its share, the surest first."""
    there, heard = work(sight), listen(sentence)
    found = sums(situation(heard, sight), leanings(heard, sight, there), OPEN)
    learned = chosen({can: likely(found[can]) for can in possible if can in found})
    told = _told_of(sight)
    rows = [row for found in find(sentence, TABLE.always) for row in TABLE.always[found.text]]
    always = dict.fromkeys((can for can in _done(rows, told, there) if can in possible), 1.0)
    return dict(list((always | learned).items())[: max(LEAST + 1, len(always))]) if always else learned


def likely(total: float) -> float:
    """Return how likely a capability answers a goal for which so much speaks."""
    return 1.0 / (1.0 + math.exp(-total)) if total > NEVER else 0.0


def chosen(shares: Mapping[Can, float]) -> dict[Can, float]:
    """Return so many of the likeliest as agree best with what is right, as far as their shares are."""
    order = sorted((-share, can) for can, share in shares.items())[:MOST]
    size = min(LARGEST, max(FEWEST, sum(shares.values())))
    right, best, many = 0.0, 0.0, 0
    for number, (share, _) in enumerate(order, start=1):
        right -= share
        if 2 * right / (number + size) > best:
            best, many = 2 * right / (number + size), number
    return {can: -share for share, can in order[:many]}


def work(sight: Sight) -> dict[Can, float]:
    """Return how much there is for each capability to work on."""
    bound = [can for can in Can if can in MATERIAL and can is not Can.REPORT and sight.things]
    return dict.fromkeys(Can, ALWAYS) | {can: strength(can, sight) for can in bound}


def situation(heard: Heard, sight: Sight) -> dict[str, float]:
    """Return what a goal says, what the folder holds, and both together, as the table knows them."""
    families: dict[str, float] = {}
    classes: dict[str, float] = {}
    for thing in sight.things.values():
        if thing.family is not None:
            families[f"@{thing.family}"] = families.get(f"@{thing.family}", 0.0) + thing.weight
        if thing.leaf is not None:
            classes[f"@@{thing.leaf}"] = classes.get(f"@@{thing.leaf}", 0.0) + thing.weight
    worry = _unit({f"?{concern}": share for concern, share in heard.worries.items()}, 1.0)
    families = _unit(families, 1.0)
    together = {
        f"{one}{other}": TOGETHER * share * part for one, share in worry.items() for other, part in families.items()
    }
    apart = {word: APART * part for word, part in (worry | families).items()}
    return _unit(dict.fromkeys(heard.words, 1.0), 1.0) | apart | _unit(classes, CLASSES) | together


def _unit(parts: Mapping[str, float], length: float) -> dict[str, float]:
    """Return these parts, scaled to a length."""
    whole = math.sqrt(sum(part * part for part in parts.values())) or 1.0
    return {word: length * part / whole for word, part in parts.items()}


def leanings(heard: Heard, sight: Sight, there: Mapping[Can, float]) -> dict[str, float]:
    """Return what speaks for each capability by itself: what there is to work on, words, and worries."""
    answered = dict.fromkeys(Can, 0.0)
    sorts, told = _sorts(sight), _told_of(sight)
    for concern, share in heard.worries.items():
        rows = TABLE.answers.get(TABLE.worries.get(concern, ""), {})
        for sort, part in sorts.items():
            for can, rank in zip(_done(rows.get(sort, ()), told, there), RANKS, strict=False):
                answered[can] += share * part * rank
    return {
        can.value: weight + HINTS * heard.hints[can] + ANSWERS * math.sqrt(answered[can])
        if weight > THERE
        else 2 * NEVER
        for can, weight in there.items()
    }


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


def _sorts(sight: Sight) -> dict[str, float]:
    """Return of what sorts this folder is, and how far: most of what was shown speaks for the first."""
    scores = {
        sort: sum(_says(thing, words) * thing.weight for thing in sight.things.values()) ** CLEAR
        for sort, words in TABLE.sorts.items()
    }
    whole = sum(scores.values()) or 1.0
    return {sort: score / whole for sort, score in scores.items() if score >= SLIGHT * whole}


def _says(thing: Thing, words: Mapping[str, float]) -> float:
    return next((words[key] for key in (thing.leaf, thing.family) if key is not None and key in words), 0.0)


def _holds(condition: str, told: Collection[str]) -> bool:
    word, _, value = condition.partition(" ")
    return (value in told) is (word == "if")


def _told(thing: Thing) -> list[object]:
    return [thing.leaf, thing.family, thing.kind, *thing.tags, *(f"-{absence}" for absence in thing.lacks)]
