"""Which capabilities a goal calls for: those its words ask for, else those its worry and the twin suggest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from plantwin.cloud.offline.folders import answers, question, worried
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
from plantwin.cloud.offline.sight import Sight, weighed
from plantwin.cloud.offline.strength import strength
from plantwin.cloud.offline.tables import HELPS, JUDGES, MATERIAL, Concern
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
    titled,
)
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, SemanticClass

BREACHED: Final = (
    SemanticClass.AUDIT_LOG, SemanticClass.INCIDENT_RECORD, SemanticClass.SECURITY_REPORT, SemanticClass.PRIVATE_KEY,
)  # fmt: skip
"""What lies about after a breach."""
UNSAFE: Final = (
    "any|is|are|there|find|show|list unsafe code|block|function",
    "use|call|invoke|run eval|exec|subprocess|shell|pickle|system",
    "eval|exec|subprocess|shell|pickle use|used|call|called|invoked",
)
"""Words of languages that are worries as well: the lines that have them are looked for, and what is wrong with them."""
ABLE: Final = ("can|could|may i|we|you|one", "do|must i|we|you need|have", "do|does it|this work|run|support")
"""How questions begin that ask what can be done with it, or what that needs."""
SHOWING: Final = frozenset(stem(word) for word in ("show", "open", "display", "print", "see", "view", "give"))
POINTER: Final = SHOWING | {
    stem(word)
    for word in ("me", "us", "please", "more", "of", "that", "this", "the", "one", "what", "which", "is", "are")
}
"""Stems of `show me that one` and `what is that`."""
SAID: Final = 0.65
"""From here on a phrase says what one of two questions asks for."""
CLOSE: Final = 0.75
"""Part of the likeliest from which on others are likely too."""
HINT: Final = 0.3
"""What a cue that is too weak to ask by itself adds to a suggestion."""
SUGGESTED: Final = 0.42
"""From here on a capability is suggested,"""
RELATIVE: Final = 0.6
"""and from this share of the best suggestion on."""
MOST: Final = 5
COMPARISONS: Final = (Can.COMPARE_ENVIRONMENTS, Can.COMPARE_METRICS, Can.DETECT_DRIFT)
JUDGING: Final = frozenset(
    [
        Can.SECURITY_AUDIT, Can.LINT, Can.VALIDATE_CONFIG, Can.AUDIT_INFRASTRUCTURE, Can.CHECK_DATA_QUALITY,
        Can.VALIDATE_SCHEMA, Can.REVIEW_QUERIES, Can.REVIEW_MIGRATIONS, Can.CHECK_API_CONTRACT,
        Can.CHECK_ACCESSIBILITY, Can.AUDIT_DEPENDENCIES, Can.ASSESS_EXPOSURE,
    ]
)  # fmt: skip
"""What finds faults: no answer to a question for facts."""
SEVERAL: Final = 3
MOST_SUGGESTED: Final = 4
THIRD: Final = 0.5
STRONG: Final = 0.82
"""So many are suggested; more only from this share of the best on."""
FEW: Final = 2
SECOND: Final = 0.3
"""A plan of one step is seldom meant: so much suffices for a second."""
DOUBT: Final = 0.1
ENOUGH: Final = 0.6
"""How much less likely a thing is asked for that there is nothing to work on for; and when there is enough."""
WORRIED: Final = 0.3
"""From here on a worry is heard."""
VOICED: Final = 0.6
"""From here on a question worries in so many words."""
WHOLE: Final = 2
"""Questions about the whole folder that one goal asks at most."""
BLIND: Final = 3
"""Capabilities of a plan that is made without any view."""


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
    if not sentence.objects and {Can.FIND_CODE, Can.SECURITY_AUDIT} <= possible and find(sentence, UNSAFE):
        return Choice(
            tuple(Wanted(can, 1.0, frozenset([0])) for can in (Can.FIND_CODE, Can.SECURITY_AUDIT)), vague=False
        )
    words = [word.stem for word in sentence.words]
    if (
        sentence.objects
        and Can.SUMMARIZE in possible
        and words[:1]
        and (words[0] in SHOWING or words[0] in NAMING)
        and POINTER.issuperset(words)
    ):
        return Choice((Wanted(Can.SUMMARIZE, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    if Can.QUERY_DATA in possible and counted(sentence, sight, intents):
        return Choice((Wanted(Can.QUERY_DATA, 1.0, frozenset(range(sentence.clauses))),), vague=False)
    if apart := _apart(sentence, possible, sight):
        return Choice(apart, vague=False)
    whole = [each for can, each in asked_of_folder(sentence, intents).items() if can in possible]
    if whole:
        return Choice(tuple(whole[:WHOLE]), vague=False)
    if (asked_here := question(sentence)) and (together := answers(asked_here, sight, possible)):
        return _together(together, sentence)
    told = narrowed(intended(heard(sentence, sight), sentence, intents, families, sight), sentence, sight)
    phrases = cued(sentence, sight)
    # Nothing is compared unless a phrase says so: the table of meanings hears `production` and compares environments.
    unsaid = {
        can for can in COMPARISONS if asks(sentence) and can not in phrases and not (sentence.blanks and can in intents)
    }
    compares = phrases.get(Can.COMPARE, Wanted(Can.COMPARE, 0.0)).weight >= PLAIN and not find(sentence, JUDGES)
    unsaid |= JUDGING if factual(sentence) or compares else set()
    asked = {can: each for can, each in _weighed(told, sight).items() if can in possible and can not in unsaid}
    plain = [each for each in asked.values() if each.weight >= ASKED]
    concerns = implied(worries(sentence), sight)
    # How surely the goal only worries: what its clauses say, or a phrase.
    worry = max(vague(sentence), *voiced(sentence).values(), 0.0)
    hidden = sentence.blanks and any(can is not Can.SUMMARIZE for can in intents)  # every `what is` may ask for that
    if Can.FIND_CODE in possible and not hidden and _sought(sentence, asked, sight):
        instead = worried(sentence, concerns, sought=True)
        if instead and (together := answers(instead, sight, possible)):
            return _together(together, sentence, concerns)
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
    worried_about = worried(sentence, concerns, sought=False)
    if worried_about and (together := answers(worried_about, sight, possible)):
        return _together(together, sentence, concerns)
    return Choice(tuple(_suggested(concerns, asked, sight, possible)), vague=True, concerns=concerns)


def _together(cans: Sequence[Can], sentence: Sentence, concerns: Mapping[Concern, float] | None = None) -> Choice:
    """What answers one question in a folder of this sort."""
    concerns = implied(worries(sentence), Sight()) if concerns is None else concerns
    return Choice(tuple(Wanted(can, 1.0) for can in cans), vague=True, concerns=concerns)


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
    judged = JUDGING if factual(sentence) else frozenset()
    sure = max((each.weight for can, each in cued(sentence, sight).items() if can not in judged), default=0.0)
    worry = max(voiced(sentence).values(), default=0.0)
    # The table of meanings was learned from requests: what it calls vague may ask what one can do with a thing.
    if vague(sentence) >= FOR_SURE and not (concrete(sentence) and find(sentence, ABLE)):
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


def implied(concerns: dict[Concern, float], sight: Sight) -> dict[Concern, float]:
    """Trouble among audit trails, case files and loose credentials is a breach until shown otherwise."""
    telling = weighed(each for each in sight.things.values() if each.leaf in BREACHED or "auth_failures" in each.tags)
    trouble = max(concerns.get(each, 0.0) for each in (Concern.INCIDENT, Concern.STATE, Concern.PREPARE))
    if trouble and telling >= max(3, 0.15 * sight.weight):
        return {**concerns, Concern.BREACH: max(concerns.get(Concern.BREACH, 0.0), trouble)}
    return concerns


def _suggested(
    concerns: Mapping[Concern, float], asked: Mapping[Can, Wanted], sight: Sight, possible: set[Can]
) -> list[Wanted]:
    """What helps with the worry and has something to work on."""
    wanted = {can: sum(share * HELPS[concern].get(can, 0.0) for concern, share in concerns.items()) for can in Can}
    top = max(wanted.values())
    found = []
    for can in Can:
        if can not in possible:
            continue
        helps = wanted[can] / top
        there = strength(can, sight) if sight.things else 1.0
        hint = asked[can].weight if can in asked else 0.0
        weight = helps * there + HINT * hint * (there > 0)
        found.append(Wanted(can, weight, asked[can].clauses if can in asked else frozenset()))
    found.sort(key=lambda each: -each.weight)
    if not sight.things:
        return found[:BLIND]
    floor = max(SUGGESTED, RELATIVE * found[0].weight) if found else 0.0
    chosen = [each for each in found if each.weight >= floor]
    chosen = [
        *chosen[:SEVERAL],
        *(each for each in chosen[SEVERAL:MOST_SUGGESTED] if each.weight >= STRONG * chosen[0].weight),
    ]
    if len(chosen) < SEVERAL:
        chosen = [each for each in found if each.weight >= max(THIRD * found[0].weight, SECOND)][:SEVERAL]
    return chosen if len(chosen) >= FEW else [each for each in found if each.weight >= SECOND][:FEW] or found[:1]
