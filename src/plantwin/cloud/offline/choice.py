"""Which capabilities a goal calls for: those its words ask for, else those its worry and the twin suggest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from plantwin.cloud.offline.folders import answers, open_ended
from plantwin.cloud.offline.hearing import (
    ASKED,
    LIKELY,
    PLAIN,
    Wanted,
    cued,
    heard,
    intended,
    meant,
    named,
    narrowed,
    vague,
    voiced,
    worries,
)
from plantwin.cloud.offline.language import Sentence, find, stem
from plantwin.cloud.offline.scope import beside_data, told_by_data, told_by_documents, told_by_settings
from plantwin.cloud.offline.sight import Sight, weighed
from plantwin.cloud.offline.strength import strength
from plantwin.cloud.offline.tables import CUES, JUDGES, LIGHT, MATERIAL, NOUNS, Concern
from plantwin.cloud.offline.understanding import (
    FOR_SURE,
    HINTED,
    LEARNED,
    NAMING,
    WORDY,
    asked_of_folder,
    asks,
    concrete,
    content,
    counted,
    detailed,
    factual,
    figured,
    lists,
    questions,
    requested,
    specific,
    titled,
)
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family

UNSAFE: Final = (
    "any|is|are|there|find|show|list unsafe code|block|function",
    "use|call|invoke|run eval|exec|subprocess|shell|pickle|system",
    "eval|exec|subprocess|shell|pickle use|used|call|called|invoked",
)
"""Words of languages that are worries as well: the lines that have them are looked for, and what is wrong with them."""
SENSITIVE: Final = (
    "anything|something|what|which|any|contain|hold sensitive|confidential",
    "sensitive|confidential data|information|stuff|publish|share|leave",
)
PRIVATE: Final = (Can.FIND_PERSONAL_DATA, Can.SECRET_SCAN)
"""What nobody else is to see, and what finds it."""
ABLE: Final = ("can|could|may i|we|you|one", "do|must i|we|you need|have", "do|does it|this work|run|support")
"""How questions begin that ask what can be done with it, or what that needs."""
_SHOWING: Final = "show open display print see view give explain describe summarize"
SHOWING: Final = frozenset(map(stem, _SHOWING.split()))
_POINTING: Final = (
    "me us please more of that this the one what which is are does do for how works in to file module script"
)
POINTER: Final = SHOWING | frozenset(map(stem, _POINTING.split()))
"""Stems of `show me that one` and `what is that`."""
SAID: Final = 0.65
"""From here on a phrase says what one of two questions asks for."""
CLOSE: Final = 0.75
"""Part of the likeliest from which on others are likely too."""
MOST: Final = 5
COMPARISONS: Final = (Can.COMPARE_ENVIRONMENTS, Can.COMPARE_METRICS, Can.DETECT_DRIFT)
RELATING: Final = (Can.COMPARE, Can.FIND_IMPACT, Can.MAP_DEPENDENCIES, Can.SEARCH_SIMILAR)
"""What is put to files that a goal names, or to all of a sort."""
_PLURAL = (
    "version match each other another between thing two both pair copy copies same like side own much far else still"
)
PLURAL: Final = frozenset(map(stem, _PLURAL.split()))
"""Stems that say of files how they belong together, and name none."""
JUDGING: Final = frozenset(
    [
        Can.SECURITY_AUDIT, Can.LINT, Can.VALIDATE_CONFIG, Can.AUDIT_INFRASTRUCTURE, Can.CHECK_DATA_QUALITY,
        Can.VALIDATE_SCHEMA, Can.REVIEW_QUERIES, Can.REVIEW_MIGRATIONS, Can.CHECK_API_CONTRACT,
        Can.CHECK_ACCESSIBILITY, Can.AUDIT_DEPENDENCIES, Can.ASSESS_EXPOSURE,
    ]
)  # fmt: skip
"""What finds faults: no answer to a question for facts."""
UNASKED: Final = JUDGING | {Can.FIND_IMPACT, Can.MAP_DEPENDENCIES, Can.FIND_TESTS}
"""What no question among documents asks for: it is about code and settings."""
DIFFER: Final = ("difference|distinction|differ between|from|to", "how|what different from|to|than")
ACTING: Final = {Can.REDACT_DOCUMENT: (), Can.RUN_TESTS: ("pass|fail|succeed|green|red|broken|work|coverage|slow",)}
"""What runs code or writes copies, and what only that tells: `does it anonymize addresses` asks for neither."""
DOUBT: Final = 0.1
ENOUGH: Final = 0.6
"""How much less likely a thing is asked for that there is nothing to work on for; and when there is enough."""
DO: Final = stem("does")
_ABLE = ("can", "could", "may", "might", "must")
ACTS: Final = frozenset(
    [
        ("how", DO),
        ("when", DO),
        ("when", "is"),
        ("when", "are"),
        *(("who", verb) for verb in map(stem, _ABLE)),
        (DO, "it"),
        ("can", "it"),
    ]
)
"""How questions begin that ask what code does."""
PERSONS: Final = frozenset(map(stem, ("i", "we", "you", "us")))
_FILLING = (
    "it this that they them there here what the all thing things see access get in work look fit hold up run go well"
)
FILLING: Final = frozenset(map(stem, _FILLING.split()))
"""Stems that say nothing of what is done: `how does it work`, `who can see what`."""
GUESSED: Final = 0.46
"""Below this share what answers a vague goal is a guess."""
WORRIED: Final = 0.3
"""From here on a worry is heard."""
VOICED: Final = 0.6
"""From here on a question worries in so many words."""
SPOKEN: Final = frozenset([Can.FIND_CODE, Can.LIST_INVENTORY])
"""What tells of words in files, but not in tables."""
NEAR: Final = frozenset(
    [
        Can.LIST_INVENTORY, Can.FIND_CODE, Can.EXPLAIN_PROJECT, Can.MEASURE_SIZE, Can.MAP_DEPENDENCIES, Can.SUMMARIZE,
        Can.AUDIT_INFRASTRUCTURE, Can.VALIDATE_CONFIG, Can.LIST_ENVIRONMENT_VARIABLES, Can.LINT, Can.QUERY_DATA,
    ]
)  # fmt: skip
"""What may be chosen for a question that declared things answer by what they set."""
WHOLE: Final = 2
"""Questions about the whole folder that one goal asks at most."""


@dataclass(frozen=True)
class Choice:
    """What a goal calls for, in no order yet."""

    wanted: tuple[Wanted, ...]
    vague: bool
    concerns: Mapping[Concern, float] = field(default_factory=dict)


def choose(
    sentence: Sentence, intents: Sequence[Can], families: Sequence[Family], sight: Sight, feasible: Iterable[Can]
) -> Choice:
    """The capabilities for a goal among those that can be done here."""
    possible = set(feasible)
    choice = _chosen(sentence, intents, families, sight, possible)
    whole = not choice.vague and {each.can for each in choice.wanted} <= {Can.EXPLAIN_PROJECT, Can.CHANGES_SINCE}
    if whole and Can.FIND_CODE in possible and detailed(sentence) and told_by_documents(sentence, sight, UNASKED):
        # `Who owns what I write at home` asks for no maintainer.
        return Choice((Wanted(Can.FIND_CODE, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    every = frozenset(range(sentence.clauses))
    passages = [each.can for each in choice.wanted] == [Can.FIND_CODE]
    documents = passages and (lists(sentence) or bool(find(sentence, ("how_many",))))
    documents = documents and told_by_documents(sentence, sight, UNASKED)
    worried = choice.vague and max(voiced(sentence).values(), default=0.0) >= VOICED
    if Can.LIST_INVENTORY in possible and not worried and (documents or told_by_settings(sentence, sight)):
        # Which of the declared things set it is known where files are read; where none does, the others answer.
        near = all(each.can in NEAR for each in choice.wanted)
        others = choice.wanted if near and not (choice.vague and factual(sentence)) else ()
        others = tuple(each for each in others if each.can is not Can.LIST_INVENTORY)
        beside = () if others or Can.FIND_CODE not in possible else (Wanted(Can.FIND_CODE, 1.0, every),)
        if near or (factual(sentence) and not any(each.weight >= SAID for each in cued(sentence, sight).values())):
            return replace(choice, wanted=(Wanted(Can.LIST_INVENTORY, 1.0, every), *others, *beside), vague=False)
    wanted = {each.can for each in choice.wanted}
    if {Can.FIND_CODE} <= wanted <= SPOKEN and Can.QUERY_DATA in possible and beside_data(sentence, sight):
        return replace(choice, wanted=(Wanted(Can.QUERY_DATA, 1.0, every), *choice.wanted))
    aimless = [each.can for each in choice.wanted] == [Can.FIND_IMPACT] and not sentence.objects
    if aimless and sentence.blanks and Can.FIND_CODE in possible:
        # What it would touch has a name that is no file: places that speak of it tell.
        return replace(choice, wanted=(Wanted(Can.FIND_CODE, 1.0, every),))
    return choice


def _chosen(
    sentence: Sentence, intents: Sequence[Can], families: Sequence[Family], sight: Sight, possible: set[Can]
) -> Choice:
    """The capabilities that its words and the folder speak for."""
    for said, cans in ((UNSAFE, (Can.FIND_CODE, Can.SECURITY_AUDIT)), (SENSITIVE, PRIVATE)):
        if not sentence.objects and possible.issuperset(cans) and find(sentence, said):
            return Choice(tuple(Wanted(can, 1.0, frozenset([0])) for can in cans), vague=False)
    words = [word.stem for word in sentence.words]
    if (
        sentence.objects
        and Can.SUMMARIZE in possible
        and words[:1]
        and (words[0] in SHOWING or words[0] in NAMING)
        and POINTER.issuperset(words)
    ):
        return Choice((Wanted(Can.SUMMARIZE, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    if Can.QUERY_DATA in possible and (counted(sentence, sight, intents) or told_by_data(sentence, sight)):
        # A figure, else what is said of the data beside it, or what stands out in logs.
        logs = any(each.family is Family.LOGS for each in sight.things.values())
        beside = Can.ANALYZE_LOGS if logs else Can.FIND_CODE
        both = beside in possible and told_by_data(sentence, sight)
        data = (Can.QUERY_DATA, beside) if both else (Can.QUERY_DATA,)
        return Choice(tuple(Wanted(can, 1.0, frozenset(range(sentence.clauses))) for can in data), vague=False)
    if apart := _apart(sentence, possible, sight):
        return Choice(apart, vague=False)
    whole = [each for can, each in asked_of_folder(sentence, intents).items() if can in possible]
    unclear = open_ended(sentence) and not specific(sentence) and not _mechanical(sentence)
    sought = [each.can for each in whole] == [Can.FIND_CODE]
    if whole and not (sought and (unclear or _worked_on(sentence, sight))):
        return Choice(tuple(whole[:WHOLE]), vague=False)
    documents = told_by_documents(sentence, sight, UNASKED)
    if unclear and not documents:
        return _together(sentence, sight, possible)
    fact = documents or _differing(sentence) or _mechanical(sentence) or _relating(sentence, sight)
    if Can.FIND_CODE in possible and fact:
        return Choice((Wanted(Can.FIND_CODE, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    told = narrowed(intended(heard(sentence, sight), sentence, intents, families, sight), sentence, sight)
    phrases = cued(sentence, sight)
    # Nothing is compared unless a phrase says so: the table of meanings hears `production` and compares environments.
    unsaid = {
        can for can in COMPARISONS if asks(sentence) and can not in phrases and not (sentence.blanks and can in intents)
    }
    compares = phrases.get(Can.COMPARE, Wanted(Can.COMPARE, 0.0)).weight >= PLAIN and not find(sentence, JUDGES)
    unsaid |= JUDGING if factual(sentence) or compares or _able(sentence) else set()
    unsaid |= {can for can, outcome in ACTING.items() if _answered_unrun(sentence, outcome)}
    asked = {can: each for can, each in _weighed(told, sight).items() if can in possible and can not in unsaid}
    plain = [each for each in asked.values() if each.weight >= ASKED]
    # How surely the goal only worries: what its clauses say, or a phrase.
    worry = max(vague(sentence), *voiced(sentence).values(), 0.0)
    hidden = sentence.blanks and any(can is not Can.SUMMARIZE for can in intents)  # every `what is` may ask for that
    if Can.FIND_CODE in possible and not hidden and _sought(sentence, asked, sight):
        places = frozenset(range(sentence.clauses))
        # What is called so, or has such a value, is told by what files declare; else by the places that speak of it.
        called = Can.LIST_INVENTORY in possible and (lists(sentence) or titled(sentence))
        named = [Can.LIST_INVENTORY] if called else []
        named += [Can.QUERY_DATA] if Can.QUERY_DATA in possible and figured(sentence, sight) else []
        return Choice(tuple(Wanted(can, 1.0, places) for can in (*named, Can.FIND_CODE)), vague=False)
    if any(each.weight >= PLAIN for each in plain) and not _open(plain, worry, sentence):
        return Choice(_specific(plain), vague=False)
    likely = max((each.weight for each in asked.values()), default=0.0)
    if likely >= LIKELY and likely >= worry:
        near = [each for each in asked.values() if each.weight >= max(LIKELY, CLOSE * likely)]
        return Choice(_specific(near), vague=False)
    if worry < WORRIED and any(each.weight >= PLAIN for each in told.values()):
        return Choice((), vague=False)  # what is asked for cannot be done here, and nothing else is asked for
    if worry < WORRIED and (pointed := _pointed(sentence, sight, possible)):
        return Choice(pointed, vague=False)
    if sentence.blanks and factual(sentence) and Can.FIND_CODE in possible and Can.LIST_INVENTORY in possible:
        # What it asks about has a name of its own, which is known where files are read.
        everywhere = frozenset(range(sentence.clauses))
        return Choice(tuple(Wanted(can, 1.0, everywhere) for can in (Can.LIST_INVENTORY, Can.FIND_CODE)), vague=False)
    if specific(sentence) and content(sentence) and Can.FIND_CODE in possible:
        return Choice((Wanted(Can.FIND_CODE, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    return _together(sentence, sight, possible)


def _able(sentence: Sentence) -> bool:
    """Whether it asks what one can do with it: `can I protect it with a password` asks for no audit."""
    return any(0 in each.places for each in find(sentence, ABLE[:1]))


def _answered_unrun(sentence: Sentence, outcome: tuple[str, ...]) -> bool:
    """Whether it asks how something is, or names it in a word, and not for it to be done nor for what comes of it."""
    asked = asks(sentence) or (titled(sentence) and len(sentence.words) == 1)
    return asked and not requested(sentence) and not find(sentence, outcome)


def _differing(sentence: Sentence) -> bool:
    """Whether it asks how two things differ that are no files: places that speak of both tell."""
    plainly = not sentence.objects and not sentence.elsewhere and not named(sentence, range(sentence.clauses))
    return bool(sentence.blanks) and plainly and bool(find(sentence, DIFFER))


def _mechanical(sentence: Sentence) -> bool:
    """Whether it asks how, when or for whom something is done, and not how things are: `who can remove a project`."""
    stems = [word.stem for word in sentence.words]
    begun, rest = tuple(stems[:2]), [each for each in stems[2:] if each not in FILLING]
    asked = begun in ACTS and sentence.clauses == 1 and not sentence.objects
    told = bool(rest) and rest[0] not in PERSONS and (len(rest) > 1 or begun[0] == DO)
    worried = max(voiced(sentence).values(), default=0.0) >= VOICED and not sentence.blanks
    return asked and told and not worried


def _relating(sentence: Sentence, sight: Sight) -> bool:
    """Whether it relates what is no file to others: `what depends on the logger`, `compare version 1 and version 3`."""
    asked = {each.weight: each.can for each in heard(sentence, sight).values() if each.weight >= LIKELY}
    likely = asked[max(asked)] if asked else Can.FIND_CODE
    aimed = sentence.objects or sentence.elsewhere or sentence.clauses > 1
    if aimed or not sight.things or likely not in RELATING:
        return False
    there = {str(each) for thing in sight.things.values() for each in (thing.leaf, thing.family)}
    nouns = [each for each in find(sentence, NOUNS) if not there.isdisjoint(NOUNS[each.text].split())]
    said = {place for each in (*nouns, *find(sentence, CUES[likely]), *find(sentence, JUDGES)) for place in each.places}
    return bool(sentence.blanks) or (
        asks(sentence)
        and any(place not in said and word.stem not in LIGHT | PLURAL for place, word in enumerate(sentence.words))
    )


def _worked_on(sentence: Sentence, sight: Sight) -> bool:
    """Whether several clauses about named objects each say what to do with them: that is no question for a place."""
    asked = [each for each in heard(sentence, sight).values() if each.weight >= ASKED]
    clauses = frozenset(clause for each in asked for clause in each.clauses)
    return bool(sentence.objects) and len(asked) > 1 and len(clauses) > 1


def _together(sentence: Sentence, sight: Sight, possible: set[Can]) -> Choice:
    """What answers one question in this folder; places that speak of it, where that is a guess and it names a thing."""
    wanted = tuple(Wanted(can, share) for can, share in answers(sentence, sight, possible).items())
    known = weighed(each for each in sight.things.values() if each.leaf is not None)
    telling = sum(word.stem not in LIGHT for word in sentence.words)
    guessed = max((each.weight for each in wanted), default=1.0) < GUESSED and 0 < sight.weight <= 2 * known
    if (
        guessed
        and Can.FIND_CODE in possible
        and (asks(sentence) or titled(sentence))
        and (concrete(sentence) or telling > 1 or (telling and _able(sentence)))
    ):
        return Choice((Wanted(Can.FIND_CODE, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    return Choice(wanted, vague=True, concerns=worries(sentence))


def _apart(sentence: Sentence, possible: set[Can], sight: Sight) -> tuple[Wanted, ...]:
    """What two questions in one sentence ask for, where one is about the folder and the other says what it wants."""
    found: dict[Can, Wanted] = {}
    whole = 0
    for part in questions(sentence):
        asked = [each for can, each in asked_of_folder(part).items() if can in possible]
        whole += bool(asked)
        asked = asked or [each for each in cued(part, sight).values() if each.weight >= SAID and each.can in possible]
        if not asked:
            return ()
        found |= {each.can: each for each in asked[:WHOLE] if each.can not in found}
    return tuple(found.values())[:MOST] if whole and len(found) > 1 else ()


def _sought(sentence: Sentence, asked: Mapping[Can, Wanted], sight: Sight) -> bool:
    """Whether only places that speak of it can answer: no phrase says what to do, nor what worries."""
    if not content(sentence) or (sentence.objects and not detailed(sentence)):
        return False
    judged = JUDGING if factual(sentence) or _able(sentence) else frozenset()
    judged |= {can for can, outcome in ACTING.items() if _answered_unrun(sentence, outcome)}
    sure = max((each.weight for can, each in cued(sentence, sight).items() if can not in judged), default=0.0)
    worry = max(voiced(sentence).values(), default=0.0)
    # The table of meanings was learned from requests: what it calls vague may ask what one can do with a thing.
    told = specific(sentence) or (concrete(sentence) and find(sentence, ABLE))
    if vague(sentence) >= FOR_SURE and not told:
        return False
    likely = max((wanted.weight for wanted in asked.values()), default=0.0)
    if asks(sentence):
        # Several things in one sentence are work that is wanted more often than words that are looked for.
        return sure < WORDY and worry < VOICED and not (sentence.clauses > 1 and likely >= LIKELY)
    return sure < HINTED and likely < LEARNED and worry < (VOICED if titled(sentence) else WORRIED)


def _weighed(told: Mapping[Can, Wanted], sight: Sight) -> dict[Can, Wanted]:
    """Of two things that words may ask for, the one that there is more to work on is likelier."""
    if not sight.things:
        return dict(told)
    made = {}
    for can, each in told.items():
        there = min(1.0, strength(can, sight) / ENOUGH) if can in MATERIAL else 1.0
        made[can] = replace(each, weight=each.weight * (1.0 - DOUBT + DOUBT * there))
    return made


def _pointed(sentence: Sentence, sight: Sight, possible: set[Can]) -> tuple[Wanted, ...]:
    """Where a goal only names objects: what is usual for them."""
    clauses: dict[Can, frozenset[int]] = {}
    for id_, clause in sentence.objects.items():
        thing = sight.things.get(id_)
        # A name and no other word asks what it is.
        can = Can.SUMMARIZE if not sentence.words else meant(thing.leaf, thing.family) if thing else None
        if can is not None and can in possible:
            clauses[can] = clauses.get(can, frozenset()) | {clause}
    return tuple(Wanted(can, LIKELY, where) for can, where in clauses.items())[:MOST]


def _specific(wanted: Sequence[Wanted]) -> tuple[Wanted, ...]:
    """The surest first; a plain comparison is not meant where a more specific one is."""
    special = frozenset(clause for each in wanted if each.can in COMPARISONS for clause in each.clauses)
    kept = [each for each in wanted if each.can is not Can.COMPARE or not each.clauses or each.clauses - special]
    return tuple(sorted(kept, key=lambda each: -each.weight)[:MOST])


def _open(plain: Sequence[Wanted], worry: float, sentence: Sentence) -> bool:
    """Whether a goal with one thing to do is a worry about everything: `Is anything here a security risk?`"""
    aimed = sentence.objects or named(sentence, range(sentence.clauses))
    return len(plain) == 1 and worry >= 0.5 and not aimed
