"""Whether a goal asks for something that there is a capability for, and what questions about the folder ask for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final

from plantwin.cloud.offline.associations import WORRIES as VAGUE_GOALS
from plantwin.cloud.offline.associations import table
from plantwin.cloud.offline.hearing import ASKERS, WHETHER, Wanted, cued, voiced, worries
from plantwin.cloud.offline.language import BEGINNINGS, JOINS, Found, Sentence, find, stem
from plantwin.cloud.offline.sight import Sight, Thing, weighed
from plantwin.cloud.offline.tables import ANSWERS, CUES, HOLDS, JUDGES, LIGHT, PLAINLY, SEEKS, SPILLED, Concern
from plantwin.lexicon import act, terms
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, Kind, SemanticClass

WHOLE: Final = 0.85
LITTLE: Final = 0.8
FEW: Final = 5
BARE: Final = 0.7
"""From here on a phrase asks about the folder as a whole; in a goal of a few words; where it is all of the goal."""
ELSE: Final = 0.8
"""From here on a phrase asks for something else beside it."""
SURELY: Final = 0.9
"""From here on one word says what is to be listed."""
WORDY: Final = 0.55
"""From here on a phrase says by itself what a question asks for; the table of meanings was learned from other goals."""
_QUESTIONS: Final = (
    "where how which what who why when is are do does did has have can could should will would any am may must"
)
QUESTIONS: Final = frozenset(map(stem, _QUESTIONS.split()))
"""Stems that questions begin with."""
NAMING: Final = frozenset(map(stem, ("what", "which", "list", "name", "show")))
"""Stems that ask for things by their names."""
_BEFORE: Final = "in on at by for from to since until of with under and so but or"
BEFORE: Final = frozenset(map(stem, _BEFORE.split()))
FRONT: Final = 3
"""Stems that stand before the word that asks, and among how many words it is looked for."""
FACTS: Final = frozenset(map(stem, ("what", "which", "where", "how", "who", "when", "whose")))
"""Stems that questions for facts begin with."""
HINTED: Final = 0.4
"""From here on a phrase says what a goal may be about."""
HOW_TO: Final = ("how do|can|to", "how to")
"""How rows begin that ask how to do something with the whole: with a part of it, passages tell."""
MEANS: Final = "what do|does do|mean"
PLACING: Final = frozenset([stem("where")])
"""Stems of questions for a place: what is there is what they ask about."""
WHY: Final = stem("why")
DETAILED: Final = 2
"""Words that say what a question about an object asks for."""
TITLE: Final = 8
"""Words of a request that only names a thing, at most."""
SENTENCES: Final = QUESTIONS | frozenset(
    map(stem, ("was", "were", "i", "we", "you", "it", "they", "please", "me", "us"))
)
"""Stems of sentences."""
HEADED: Final = 3
"""Words of a request that is no sentence; and behind one that says of what sort they are."""
ABOUT: Final = frozenset(map(stem, ("for", "about", "on", "around", "regarding")))
"""Stems after which the topic of a question stands."""
WORRIED: Final = 0.6
"""From here on a question that names a thing is a worry all the same: `can blind people use it`."""
WORRIES: Final = 0.7
"""From here on a question is a worry: `where would an attacker start`."""
DATA: Final = (Family.DATASET, Family.LOGS)
TELLS_OF_DATA: Final = (SemanticClass.README, SemanticClass.DATASET_CARD)
DATA_KINDS: Final = (Kind.STRUCTURED_RECORD, Kind.LOG_STREAM)
MOSTLY: Final = 0.5
LITTLE_CODE: Final = 0.3
"""Share of a folder from which on it is data, and questions for figures are about that; and of code in it."""
WEAKEST: Final = 0.5
FRAME: Final = 2
DEEDS: Final = BEGINNINGS - {stem("order")}
"""Stems that a request for something to be done begins with; `orders without an amount` is none."""
_FIGURES: Final = "average median mean sum total count number top max min maximum minimum show list tell highest lowest"
FIGURES: Final = frozenset(map(stem, _FIGURES.split()))
"""Stems that requests for figures begin with."""
JOINED: Final = ("of|in|with|by|from|at|to|for|about|on|and|or|that",)
JOINING: Final = frozenset(map(stem, JOINS))
BACK: Final = frozenset(
    map(stem, ("it", "they", "them", "that", "this", "those", "these", "there", "so", "one", "ones"))
)
"""Stems that speak of what was named before."""
OF_ALL: Final = frozenset(
    text
    for can in (Can.EXPLAIN_PROJECT, Can.MEASURE_SIZE)
    for text in ANSWERS[can]
    if text.startswith("what|who is|does") or text == "which|what language|languages"
)
"""Rows that ask about all of it only where no other word says of what."""
SIDES: Final = ("production|staging|live|test than|and|from|versus|to staging|production|live|test",)
UNLIKE: Final = ("differ|different|differently|difference|differences",)
MEASURED: Final = ("how_much", "how_many", "how_often", "how_long")
CAPACITY: Final = ("how many|big|large|long can|may|could",)
"""`How many files can it watch` asks what it can take, not what is here."""
SHORT: Final = 2
"""Clauses of a question about the folder at most."""


def asked_of_folder(sentence: Sentence, intents: Sequence[Can] = ()) -> dict[Can, Wanted]:
    """What answers a question about the folder as a whole, where that is all that the goal asks.

    `intents`: what the goal asks for in words that did not cross.
    """
    if len({word.clause for word in sentence.words}) > SHORT:
        return {}
    found = [(can, each, rows[each.text]) for can, rows in ANSWERS.items() for each in find(sentence, rows)]
    least = LITTLE if len(sentence.words) <= FEW else WHOLE
    bare = len(sentence.words) if not sentence.objects and not sentence.blanks else 0
    found = [
        (can, each, weight)
        for can, each, weight in found
        if weight >= (BARE if len(each.places) == bare or _headed(sentence, each) else least)
        and not any(each.places < other.places and sure >= weight for _, other, sure in found)
        and not (each.text in OF_ALL and _narrower(sentence, each))
        and not (can is Can.MEASURE_SIZE and find(sentence, CAPACITY))
        and not _modifies(sentence, each)
    ]
    sought = sought_in_code(sentence, found)
    if sought is not None:
        return {Can.FIND_CODE: Wanted(Can.FIND_CODE, 1.0, frozenset([sought]))}
    if not found:
        # `Where are TODOs`: the word that says it looked like a name.
        short = sentence.blanks and len(intents) == 1 and len(sentence.words) <= FEW
        told = [can for can in intents if can in ANSWERS] if short else []
        return {can: Wanted(can, 1.0, frozenset([0])) for can in told}
    places = frozenset(place for _, each, _ in found for place in each.places)
    clauses = {word.clause for place, word in enumerate(sentence.words) if word.stem not in LIGHT}
    others = [(each, rows[each.text]) for rows in CUES.values() for each in find(sentence, rows)]
    others = [(each, weight) for each, weight in others if each.clause in clauses]  # `and what do they do`
    others = [(each, weight) for each, weight in others if not _topic(each, places, sentence)]
    if any(weight >= ELSE and not each.places <= places for each, weight in others):
        return {}
    if len(sentence.words) > 1 and any(_headed(sentence, each) for _, each, _ in found):
        found += [(Can.FIND_CODE, each, weight) for can, each, weight in found if can is Can.LIST_INVENTORY]
    wanted: dict[Can, Wanted] = {}
    for clause in sorted({each.clause for _, each, _ in found}):
        own = [(can, each, weight) for can, each, weight in found if each.clause == clause]
        best, size = max((weight, len(each.places)) for _, each, weight in own)
        wanted |= {
            can: Wanted(can, 1.0, frozenset([clause]))
            for can, each, weight in own
            if (weight, len(each.places)) == (best, size) and can not in wanted
        }
    answered = {clause for each in wanted.values() for clause in each.clauses}
    for frame in find(sentence, SEEKS):
        if (
            frame.clause not in answered and Can.LIST_INVENTORY in wanted and frame.text != MEANS
        ):  # `which databases, and how do I switch`
            wanted.setdefault(Can.FIND_CODE, Wanted(Can.FIND_CODE, 1.0, frozenset([frame.clause])))
    return wanted


def _narrower(sentence: Sentence, found: Found) -> bool:
    """Whether a question is about a part: `what does the upload service do`."""
    return found.clause in sentence.blanked or any(
        word.clause == found.clause and place not in found.places and word.stem not in LIGHT
        for place, word in enumerate(sentence.words)
    )


def _headed(sentence: Sentence, found: Found) -> bool:
    """Whether a request is a few words for a thing: `cookie settings`; no verb, and no question."""
    words = sentence.words
    return (
        len(words) <= HEADED and not sentence.objects and found.places == {len(words) - 1}
        and words[0].stem not in BEGINNINGS and words[0].stem not in QUESTIONS
        and not any(
            rows[each.text] >= HINTED and not each.places <= found.places
            for rows in CUES.values() for each in find(sentence, rows)
        )
    )  # fmt: skip


def _modifies(sentence: Sentence, found: Found) -> bool:
    """Whether a word only says of what sort the thing is that is named behind it: `todo item entity fields`."""
    behind = [word.stem for word in sentence.words[max(found.places) + 1 :] if word.stem not in LIGHT]
    return len(found.places) == 1 and len(behind) >= SHORT and titled(sentence) and not find(sentence, JOINED)


def _topic(cue: Found, asked: Collection[int], sentence: Sentence) -> bool:
    """Whether words only say what the things are for that are asked for: `are there tests for the password reset`."""
    between = range(max(asked) + 1, min(cue.places))
    return len(cue.places) == 1 and (
        sentence.words[0].stem in PLACING
        or any(sentence.words[place].stem in ABOUT for place in (*between, max(asked)) if place < min(cue.places))
    )


def data_in(sight: Sight) -> tuple[list[Thing], bool]:
    """Tables and logs, and whether the folder is little else."""
    data = [each for each in sight.things.values() if each.family in DATA or each.kind in DATA_KINDS]
    code = weighed(each for each in sight.things.values() if each.kind is Kind.CODE_FILE)
    # A readme tells of the data beside it; inputs and results of tests lie beside the code that they are for.
    told = weighed(each for each in sight.things.values() if each.leaf in TELLS_OF_DATA and not each.within)
    among = weighed(data) >= MOSTLY * (sight.weight - told) and code <= LITTLE_CODE * sight.weight
    return data, bool(data) and among


def counted(sentence: Sentence, sight: Sight, intents: Sequence[Can] = ()) -> bool:
    """Whether a question asks for a figure out of tables or logs: in so many words, or among little else than data.

    `intents`: what the goal asks for in words that did not cross.
    """
    data, among = data_in(sight)
    mostly = among or any(each.id in sentence.objects for each in data)
    if not data or sentence.clauses > SHORT or not sentence.words:
        return False
    if sentence.blanks and mostly and Can.QUERY_DATA in intents:
        return True
    if opening(sentence) not in QUESTIONS | FIGURES and not (mostly and opening(sentence) not in DEEDS):
        return False
    rows = ANSWERS[Can.QUERY_DATA]
    found = [(each.places, rows[each.text]) for each in find(sentence, rows)]
    found = [(places, weight) for places, weight in found if weight >= (WEAKEST if mostly else WHOLE)]
    if (
        among and not found and sentence.blanks and opening(sentence) in FACTS
    ):  # `who is the head of state of France`: a value by another
        said = ((each, weights[each.text]) for weights in ANSWERS.values() for each in find(sentence, weights))
        return not any(
            sure >= LITTLE and not (each.text in OF_ALL and _narrower(sentence, each)) for each, sure in said
        )
    sure = max((weight for _, weight in found), default=0.0)
    places = frozenset(place for some, _ in found for place in some)
    # Where all is data, nothing is declared: `which section has the most packages`.
    rows_of = [weights for can, weights in ANSWERS.items() if not (among and can is Can.LIST_INVENTORY)]
    others = [(each, weights[each.text]) for weights in rows_of for each in find(sentence, weights)]
    # `how many files`, `which language`: another question, whose words say more.
    better = any(
        weight >= max(sure, WHOLE) and len(each.places) >= FRAME and not each.places <= places
        for each, weight in others
    )
    return bool(found) and (not better or sure >= SURELY)


def figured(sentence: Sentence, sight: Sight) -> bool:
    """Whether a question may ask for a figure out of tables that lie beside other things."""
    data = any(each.family in DATA or each.kind is Kind.STRUCTURED_RECORD for each in sight.things.values())
    return data and asks(sentence) and bool(find(sentence, ANSWERS[Can.QUERY_DATA]))


def questions(sentence: Sentence) -> list[Sentence]:
    """Two questions that stand in one sentence, each by itself; nothing where the second speaks of the first."""
    parts = [tuple(word for word in sentence.words if word.clause == clause) for clause in range(sentence.clauses)]
    parts = [part[1:] if part and part[0].stem in JOINING else part for part in parts]
    parts = [part for part in parts if part]
    if len(parts) != SHORT or sentence.objects:
        return []
    if any(part[0].stem not in QUESTIONS for part in parts) or any(word.stem in BACK for word in parts[1]):
        return []
    return [Sentence(part, blanks=int(part[0].clause in sentence.blanked)) for part in parts]


def sought_in_code(sentence: Sentence, found: Sequence[tuple[Can, Found, float]] = ()) -> int | None:
    """The clause of `where is X done`, whatever X is; none where what is `found` asks for a list of just that.

    `Where is the password checked` looks for code, `where are the passwords` for passwords.
    """
    frames = find(sentence, (*SEEKS, *PLAINLY, *HOLDS))
    if not frames or find(sentence, SPILLED) or (len(sentence.objects) > 1 and find(sentence, UNLIKE)):
        return None  # of two things that differ, both are looked at
    frame = max(frames, key=lambda each: (len(each.places), -min(each.places)))
    if not any(each.text in PLAINLY for each in frames) and max(voiced(sentence).values(), default=0.0) >= WORRIES:
        return None
    rest = {
        place
        for place, word in enumerate(sentence.words)
        if word.clause == frame.clause and place not in frame.places and word.stem not in LIGHT
    } or {place for place in frame.places if sentence.words[place].stem not in LIGHT}
    if not rest and not sentence.blanks and not sentence.objects:
        return None  # `where`: of what it does not say
    lists = [
        (each, weight)
        for can, each, weight in found
        if can is not Can.FIND_CODE and (not each.text.startswith(HOW_TO) or each.places >= rest)
    ]
    lists = [(each, weight) for each, weight in lists if not each.places <= frame.places]
    if any(len(each.places - frame.places) > 1 or weight >= SURELY or each.places >= rest for each, weight in lists):
        return None
    if sentence.objects and any(each.weight >= WORDY for each in cued(sentence, Sight()).values()):
        return None  # what is asked of an object that is named: what it does, what uses it
    phrases = [(each, rows[each.text]) for rows in CUES.values() for each in find(sentence, rows)]
    if any(weight >= ELSE and each.clause < frame.clause for each, weight in phrases):
        return None  # `audit the code, and tell me which files are worst`
    if sentence.words[0].stem == WHY and max((weight for _, weight in phrases), default=0.0) > WORDY:
        return None  # `why are there errors in the log`
    cues = [(each.places - frame.places, weight) for each, weight in phrases]
    if frame.text in HOLDS:  # `are passwords hashed` asks for neither passwords nor hashes
        return None if any(weight >= WORDY and len(places) > 1 for places, weight in cues) else frame.clause
    if frame.text == MEANS and frame.clause in sentence.blanked:  # `what does the <name> column mean`
        return frame.clause
    return None if any(weight >= WORDY and places >= rest for places, weight in cues) else frame.clause


def opening(sentence: Sentence) -> str:
    """The stem that a goal begins with; of `in which country` and `and since when` the word that asks."""
    stems = [word.stem for word in sentence.words[:FRONT]]
    return next((each for each in stems if each not in BEFORE), "")


def content(sentence: Sentence) -> bool:
    """Whether any word may say what is looked for."""
    return any(word.stem not in LIGHT and not word.negated for word in sentence.words)


@cache
def _technical() -> frozenset[str]:
    return frozenset(map(stem, terms()))


def _telling(sentence: Sentence) -> list[str]:
    return [word.stem for word in sentence.words if word.stem not in LIGHT]


def detailed(sentence: Sentence) -> bool:
    """Whether a question asks for a fact beside the objects that it names: `which batch size does {this} use`."""
    return opening(sentence) in FACTS and len(_telling(sentence)) >= DETAILED


def concrete(sentence: Sentence) -> bool:
    """Whether it speaks of a thing: a name that did not cross, or a technical term beside other words."""
    telling = _telling(sentence)
    return bool(sentence.blanks) or (len(telling) > 1 and not _technical().isdisjoint(telling))


def titled(sentence: Sentence) -> bool:
    """Whether it is a few words for a thing, neither a sentence nor a request: `maximum upload size`."""
    stems = [word.stem for word in sentence.words]
    return (
        0 < len(stems) <= TITLE
        and sentence.clauses == 1
        and SENTENCES.isdisjoint(stems)
        and stems[0] not in DEEDS
        and act(stems[0]) is None
    )


def asks(sentence: Sentence) -> bool:
    """Whether it is a question, be it behind what it is about: `validation errors: which status is returned`."""
    if not sentence.words or opening(sentence) in QUESTIONS:
        return bool(sentence.words)
    about = tuple(word for word in sentence.words if word.clause == 0)
    behind = sentence.words[len(about) :]
    return bool(about and behind) and behind[0].stem in FACTS and titled(Sentence(about))


def requested(sentence: Sentence) -> bool:
    """Whether a question asks for something to be done: `can you redact it`, `could we mask the names`."""
    return sentence.says([0], ASKERS) and bool(sentence.words) and sentence.words[0].stem in WHETHER


def specific(sentence: Sentence) -> bool:
    """Whether a question names a thing, and no worry: a word that no goal without a step has, as in `any telemetry`."""
    strange = any(word.stem not in LIGHT | table(VAGUE_GOALS).features.keys() for word in sentence.words)
    if not asks(sentence) or find(sentence, SIDES) or not (strange or sentence.blanks or find(sentence, MEASURED)):
        return False
    worry = [share for concern, share in worries(sentence).items() if concern is not Concern.FACT]
    return max([0.0, *worry, *voiced(sentence).values()]) < WORRIED


def lists(sentence: Sentence) -> bool:
    """Whether it asks for things by what they are called: `which`, `what`."""
    return opening(sentence) in NAMING


def factual(sentence: Sentence) -> bool:
    """Whether a question asks what there is, not what is wrong: `which roles does it create`, `what version of it`."""
    asked = opening(sentence) in FACTS or titled(sentence)
    return asked and not sentence.objects and not find(sentence, JUDGES)


FOR_SURE: Final = 0.85
LEARNED: Final = 0.8
"""From here on a goal that names nothing asks for whatever is worth it, and the table of meanings says by itself what
a goal is about."""
