"""What the words of a goal ask for or worry about, each with how surely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plantwin.cloud.offline.associations import NOTHING, VAGUE, WORRIES, features, meanings, surroundings
from plantwin.cloud.offline.language import Found, Sentence, find, stem
from plantwin.cloud.offline.sight import Sight, Thing
from plantwin.cloud.offline.strength import made_for, may_suit, strength
from plantwin.cloud.offline.tables import ALSO, CHECKS, CUES, GLANCES, MEANT, NARROWER, NEUTRAL, NOUNS, PHRASES, Concern
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, SemanticClass, member

ASKED: Final = 0.5
"""From here on a capability is asked for."""
LIKELY: Final = 0.4
"""From here on it is likely, where nothing else in the goal says more."""
LEAST: Final = 0.2
"""The share from which on a meaning of a clause is asked for."""
MOST: Final = 0.6
"""The share from which on a clause says plainly what it asks for."""
BETTER: Final = 0.3
"""The share from which on a meaning is better than what single words say."""
WORDED: Final = 0.8
"""From here on words say by themselves what is wanted."""
CERTAIN: Final = 0.96
"""From here on a phrase asks for its capability whatever else the words may mean."""
CHECKED: Final = 0.85
"""How surely `check this` asks for what is usual for its class."""
UNSAID: Final = (NOTHING, VAGUE)
MEANINGS: Final = 2
"""Meanings of one clause that are looked at."""
NOWHERE: Final = -1
"""The clause of what no clause asks for."""
AGAINST: Final = (Can.CHECK_API_CONTRACT, Can.VALIDATE_SCHEMA)
PLAIN: Final = 0.65
"""From here on a goal names its steps."""
THERE: Final = 0.5
"""From this strength on there is something to work on for what only an intent asks for."""
LISTING: Final = frozenset(["or", "and"])
"""Stems between two things that are asked for."""
COUNTED: Final = frozenset(["which", "what", "how", "many", "any", "no", "mor", "oth", "whos"])
"""Stems before a noun."""
WHETHER: Final = frozenset(map(stem, ("can", "could", "may", "might", "do", "does", "did", "will", "would")))
ASKERS: Final = frozenset(map(stem, ("you", "i", "we", "me", "us", "please", "someone")))
"""Stems that questions whether something can be or is done begin with, and of those who ask for it to be done."""
CONSEQUENCES: Final = (
    "consequence|impact|repercussion|fallout", "blast radius", "how bad|serious|severe|far|urgent|exposed",
    "what|which|where first", "fix|do|change|address|tackle|start|begin first", "in|by|what order",
    "priority|prioritize|rank",
    "most urgent|serious|severe|important|critical", "worst|urgent|urgency", "what|who|which depend|affected|touch",
    "matter most", "how wide|widely",
)  # fmt: skip
"""What a goal says that asks what follows from findings, or which of them come first."""


@dataclass(frozen=True)
class Wanted:
    """A capability, how surely it is wanted, and where in the goal it is asked for."""

    can: Can
    weight: float
    clauses: frozenset[int] = frozenset()


def heard(sentence: Sentence, sight: Sight) -> dict[Can, Wanted]:
    """What the words ask for, with how surely: each clause by its likeliest meanings."""
    wanted: dict[Can, Wanted] = {}
    parts = _leading(spoken(sentence, sight), sentence)
    around = surroundings(parts)
    for number, (stems, sorts, cues) in enumerate(parts):
        if not stems:
            continue
        shares = meanings(features(stems, sorts) | around, cues)
        order = sorted(shares, key=lambda each: -shares[each])
        for word in order[: 1 if cues.get(order[0], 0.0) >= CHECKED else MEANINGS]:
            if word in UNSAID:
                continue
            can = member(Can, word)
            before = wanted.get(can, Wanted(can, 0.0))
            weight = max(before.weight, sureness(shares[word]))
            clauses = before.clauses | {number} if shares[word] >= LEAST else before.clauses
            wanted[can] = Wanted(can, weight, clauses)
        for can, weight in _plainly(shares, cues, bool(sentence.ids([number]))):
            before = wanted.get(can, Wanted(can, 0.0))
            wanted[can] = Wanted(can, max(before.weight, weight), before.clauses | {number})
    certain = {
        (can, each.clause) for can, rows in CUES.items() for each in find(sentence, rows) if rows[each.text] >= CERTAIN
    }
    for can, clause in _listed(sentence) | certain:
        before = wanted.get(can, Wanted(can, 0.0))
        wanted[can] = Wanted(can, max(before.weight, WORDED), before.clauses | {clause})
    return wanted


def _listed(sentence: Sentence) -> set[tuple[Can, int]]:
    """`Any secrets or security holes`: two things that are asked for in one clause, each in plain words."""
    sure = [(can, each) for can, cues in CUES.items() for each in find(sentence, cues) if cues[each.text] >= WORDED]
    joins = [place for place, word in enumerate(sentence.words) if word.stem in LISTING]
    return {
        pair
        for place in joins
        for can, each in sure
        for other, beside in sure
        if can is not other and max(each.places) + 1 == place == min(beside.places) - 1 and each.clause == beside.clause
        for pair in ((can, each.clause), (other, each.clause))
    }


def _leading(parts: list[Clause], sentence: Sentence) -> list[Clause]:
    """Without `and tell me what to fix first`: beside a clause that says what to do, its findings answer that."""
    if not any(weight >= CHECKED for _, _, cues in parts for weight in cues.values()):
        return parts
    following = {each.clause for each in find(sentence, CONSEQUENCES)}
    return [([], set(), {}) if at in following and not part[2] else part for at, part in enumerate(parts)]


def vague(sentence: Sentence) -> float:
    """How surely a clause asks without saying what for."""
    clauses = spoken(sentence, Sight())
    around = surroundings(clauses)
    shares = [meanings(features(stems, sorts) | around, cues)[VAGUE] for stems, sorts, cues in clauses if stems]
    return max(shares, default=0.0)


def _plainly(shares: Mapping[str, float], cues: Mapping[str, float], aimed: bool) -> list[tuple[Can, float]]:
    """What a clause says in so many words, where the table sees nothing better in it or an object is named."""
    best = max(share for word, share in shares.items() if word not in UNSAID)
    if not aimed and (best >= BETTER or shares[NOTHING] >= ASKED):
        return []
    least = CHECKED if aimed else WORDED
    return [(member(Can, word), weight) for word, weight in cues.items() if weight >= least]


def sureness(share: float) -> float:
    """How surely a capability is wanted that is a meaning of a clause with this share."""
    for low, high, under, over in ((0.0, LEAST, 0.0, ASKED), (LEAST, MOST, ASKED, PLAIN), (MOST, 1.0, PLAIN, 1.0)):
        if share <= high:
            return under + (over - under) * (share - low) / (high - low)
    return 1.0


Clause = tuple[list[str], set[str], dict[str, float]]
"""Its stems, the sorts of object that it names, and its cues."""


def spoken(sentence: Sentence, sight: Sight) -> list[Clause]:
    """Each clause as its stems, the sorts of object that it names, and its cues."""
    cues = cued(sentence, sight)
    nouns = find(sentence, NOUNS)
    made: list[Clause] = []
    for clause in range(sentence.clauses):
        stems = [each.stem for each in sentence.words if each.clause == clause and not each.negated]
        sorts = {_sort(word) for each in nouns if each.clause == clause for word in NOUNS[each.text].split()}
        things = [sight.things[each] for each in sentence.ids([clause]) if each in sight.things]
        sorts |= {each.family.value for each in things if each.family is not None}
        made.append((stems, sorts, {can.value: each.weight for can, each in cues.items() if clause in each.clauses}))
    return made


def _sort(word: str) -> str:
    """The family of a class, else the family itself."""
    return member(SemanticClass, word).family.value if word in SemanticClass._value2member_map_ else word


def cued(sentence: Sentence, sight: Sight) -> dict[Can, Wanted]:
    """What phrases ask for, with how surely."""
    matches = [(can, found, cues[found.text]) for can, cues in CUES.items() for found in find(sentence, cues)]
    neutral = [each.places for each in find(sentence, NEUTRAL)]
    kept = [
        (can, found, weight)
        for can, found, weight in matches
        if not any(found.places <= each for each in neutral)
        and not any(can is not asks and _covers(found, weight, other, sure) for asks, other, sure in matches)
    ]
    kept += _checks(sentence, sight, kept)
    wanted: dict[Can, Wanted] = {}
    for can in {can: None for can, _, _ in kept}:
        mine = [(found, weight) for of, found, weight in kept if of is can]
        wanted[can] = Wanted(can, joined(mine), frozenset(found.clause for found, _ in mine))
    return wanted


def _covers(found: Found, weight: float, other: Found, sure: float) -> bool:
    """Whether another phrase says better what these words mean."""
    if found.places == other.places:
        return sure > weight
    return found.places < other.places and sure >= max(ASKED, weight - 0.1)


def joined(found: Sequence[tuple[Found, float]]) -> float:
    """Several phrases are surer than one; the same words count once."""
    best: dict[frozenset[int], float] = {}
    for each, weight in found:
        best[each.places] = max(weight, best.get(each.places, 0.0))
    doubt = 1.0
    for weight in best.values():
        doubt *= 1.0 - weight
    return 1.0 - doubt


def _checks(
    sentence: Sentence, sight: Sight, heard_already: Sequence[tuple[Can, Found, float]]
) -> list[tuple[Can, Found, float]]:
    """`Check the migrations`: where a clause says to look and not what for, the object says it."""
    busy = {found.clause for _, found, weight in heard_already if weight >= ASKED}
    usual: list[tuple[Can, Found, float]] = []
    for verb in find(sentence, (CHECKS if busy else GLANCES,)):
        if verb.clause in busy or _counted(sentence, verb):
            continue
        things = [sight.things[each] for each in sentence.ids([verb.clause]) if each in sight.things]
        cans = [meant(each.leaf, each.family) for each in things]
        if not cans:
            for text in named(sentence, [verb.clause]):
                cans += _default(text, sight)
        cans = [each for each in cans if each in AGAINST] or cans  # a contract against its handlers is one check
        usual += [(can, verb, CHECKED) for can in dict.fromkeys(cans) if can is not None]
    return usual


def _counted(sentence: Sentence, verb: Found) -> bool:
    """Whether it asks for no look here: `which tests cover this`."""
    before = min(verb.places) - 1
    if before >= 0 and sentence.words[before].stem in COUNTED:
        return True
    # `Does anyone see the invoices`: who looks is somebody else.
    return sentence.words[0].stem in WHETHER and before > 0 and not sentence.says([verb.clause], ASKERS)


def _default(classes: str, sight: Sight) -> list[Can | None]:
    """What it means to check what a noun names: of the classes that are there, else of the first."""
    words = classes.split()
    if not words:
        return []
    there = [word for word in words if any(word in (each.leaf, each.family) for each in sight.things.values())]
    word = (there or words)[0]
    if word in SemanticClass._value2member_map_:
        leaf = member(SemanticClass, word)
        return [meant(leaf, leaf.family)]
    return [meant(None, member(Family, word))]


def meant(leaf: SemanticClass | None, family: Family | None) -> Can | None:
    """What to check an object of this class usually means."""
    if leaf is not None and leaf in MEANT:
        return MEANT[leaf]
    return MEANT.get(family) if family is not None else None


def named(sentence: Sentence, clauses: Iterable[int]) -> list[str]:
    """Classes and families that nouns of these clauses name; where one noun covers another, the longer."""
    wanted = set(clauses)
    found = [each for each in find(sentence, NOUNS) if each.clause in wanted]
    longest = [each for each in found if not any(each.places < other.places for other in found)]
    return [f"{NOUNS[each.text]} {ALSO.get(each.text, '')}".strip() for each in longest]


def intended(
    asked: dict[Can, Wanted], sentence: Sentence, intents: Sequence[Can], families: Iterable[Family], sight: Sight
) -> dict[Can, Wanted]:
    """What the words ask for, and what the goal's intents say of words that did not cross."""
    if not sentence.words:  # a goal without words: its intents are all there is
        return asked | {can: Wanted(can, PLAIN) for can in intents}
    told = dict(asked)
    for id_, clause in sentence.objects.items():
        thing = sight.things.get(id_)
        can = meant(thing.leaf, thing.family) if thing else None
        if thing is None or can is None or can not in intents or id_ in sentence.negated:
            continue
        # `What does {this} say`: where the clause says no more, a word that stands for what is wanted became an id.
        said = {other for other, each in told.items() if each.weight >= ASKED and clause in each.clauses}
        misheard = {other for other in said if other not in intents and told[other].weight < PLAIN}
        misheard = {other for other in misheard if told[other].clauses == {clause} and not may_suit(other, thing)}
        if said <= misheard:
            told = {other: each for other, each in told.items() if other not in misheard}
            clauses = told[can].clauses if can in told else frozenset()
            told[can] = Wanted(can, PLAIN, clauses | {clause})
    if sentence.blanks and all(each.weight < LIKELY for each in told.values()):
        return told | {can: Wanted(can, ASKED, told[can].clauses if can in told else frozenset()) for can in intents}
    if sentence.blanks or sentence.objects:
        for can, family in list(_unheard(told, intents, families, sight)):
            # To look infrastructure through for weaknesses is to audit it: then both are one thing.
            wider = [other for other in told if NARROWER.get(other, {}).get(family) is can]
            clauses = frozenset(clause for other in wider for clause in told.pop(other).clauses)
            told[can] = Wanted(can, PLAIN, clauses)
    return told


def _unheard(
    told: Mapping[Can, Wanted], intents: Sequence[Can], families: Iterable[Family], sight: Sight
) -> Iterator[tuple[Can, Family]]:
    """Intents that no word which crossed asks for: those that are usual for what the goal is about, if it is there.

    Others are mostly said in passing: an intent is a word of the sentence, whatever it means in it. What something else
    is asked for that is made for the same family says what that family is there for.
    """
    asked = [can for can, each in told.items() if each.weight >= ASKED]
    for family in families:
        can = meant(None, family)
        if can is None or can not in intents or can in asked or strength(can, sight) < THERE:
            continue
        if not any(made_for(other, family) for other in asked):
            yield can, family


def narrowed(asked: dict[Can, Wanted], sentence: Sentence, sight: Sight) -> dict[Can, Wanted]:
    """To look a log through for attacks is to analyze it: what a step is depends on what it is put to."""
    told: dict[Can, Wanted] = {}
    for can, wanted in asked.items():
        table = NARROWER.get(can, {})
        for clause in sorted(wanted.clauses) or [NOWHERE]:
            things = [sight.things[each] for each in sentence.ids([clause]) if each in sight.things]
            others = {_narrower(table, each) for each in things}
            other = others.pop() if len(others) == 1 else None
            becomes = can if other is None else other
            before = told.get(becomes, Wanted(becomes, 0.0))
            told[becomes] = Wanted(becomes, max(wanted.weight, before.weight), before.clauses | ({clause} - {NOWHERE}))
    return told


def _narrower(table: dict[SemanticClass | Family, Can], thing: Thing) -> Can | None:
    for key in (thing.leaf, thing.family):
        if key is not None and key in table:
            return table[key]
    return None


def thing_named(thing: Thing, classes: str, *, whole: bool = False) -> bool:
    """Whether a noun's classes and families name this object; its kind too, where a goal means all of a sort."""
    fields = (thing.leaf, thing.family, thing.kind) if whole else (thing.leaf, thing.family)
    return any(word in fields for word in classes.split())


LEAST_WORRY: Final = 0.05
"""Shares below this say little."""
FEW_WORRIES: Final = 3
"""So many are looked at all the same."""


def voiced(sentence: Sentence) -> dict[str, float]:
    """What phrases say of each worry."""
    found = {
        concern.value: joined([(each, phrases[each.text]) for each in find(sentence, phrases)])
        for concern, phrases in PHRASES.items()
    }
    return {concern: weight for concern, weight in found.items() if weight}


def worded(clauses: Iterable[tuple[Sequence[str], Iterable[str], Any]]) -> set[str]:
    """A whole goal, as the table knows it."""
    return {feature for stems, sorts, _ in clauses for feature in features(stems, sorts)}


def worries(sentence: Sentence) -> dict[Concern, float]:
    """What a goal worries about with the share of each, the likeliest first."""
    shares = meanings(worded(spoken(sentence, Sight())), voiced(sentence), WORRIES)
    order = sorted(shares.items(), key=lambda each: -each[1])
    return {Concern(word): share for at, (word, share) in enumerate(order) if share >= LEAST_WORRY or at < FEW_WORRIES}
