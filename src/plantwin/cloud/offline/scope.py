"""Whether a goal asks for something that there is a capability for, and whether documents answer it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plantwin.cloud.offline.hearing import cued, heard, vague, voiced
from plantwin.cloud.offline.language import Sentence, find, stem
from plantwin.cloud.offline.sight import Sight, weighed
from plantwin.cloud.offline.tables import ANSWERS, CUES, LIGHT, NOUNS, OUTSIDE, PHRASES
from plantwin.cloud.offline.understanding import (
    DEEDS,
    ELSE,
    FACTS,
    FOR_SURE,
    HINTED,
    LEARNED,
    OF_ALL,
    WHY,
    asked_of_folder,
    asks,
    content,
    counted,
    data_in,
    opening,
    titled,
)
from plantwin.lexicon import act, acts
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, Kind

VERY_SURE: Final = 0.9
"""From here on a goal that names nothing asks for whatever is worth it, where words did not cross."""
WORRIED: Final = 0.6
"""From here on a question of several clauses worries about something: `what changed, and does it matter`."""
SERVED: Final = 0.7
"""From here on a phrase asks for something that is made here, as a report is."""
DOCUMENTS: Final = 0.6
SOME: Final = 0.2
FACTUAL: Final = frozenset([Can.QUERY_DATA, Can.LIST_INVENTORY, Can.FIND_CODE])
"""What answers questions for facts."""
DECLARED: Final = 0.35
"""Share from which on it is largely settings."""
SETTINGS: Final = (Family.CONFIGURATION, Family.DELIVERY, Family.INFRASTRUCTURE)
LITTLE_CODE: Final = 0.2
"""Share of a folder from which on it is documents, and has some; and of code in it at most."""


DOING: Final = ("how_do|how_can|how_to|how_could|how_should|how_would",)
"""How a question begins that asks what one does, which no setting says."""


def told_by_documents(sentence: Sentence, sight: Sight, unasked: frozenset[Can]) -> bool:
    """Whether a question is for a fact that the text of documents tells, in a folder of little else.

    `unasked`: what finds faults in code and settings, which no question for a fact asks for.
    """
    if sentence.objects:
        return False
    papers = weighed(
        each
        for each in sight.things.values()
        if each.family in (Family.AGREEMENTS, Family.GUIDES) or each.kind is Kind.DOCUMENT
    )
    if not papers or papers < SOME * sight.weight or not _little_code(sight):
        return False
    mostly = papers >= DOCUMENTS * sight.weight
    if not mostly and not (asks(sentence) or titled(sentence)):
        return False
    return _fact(sentence, sight, unasked if mostly else frozenset())


def _little_code(sight: Sight) -> bool:
    code = weighed(each for each in sight.things.values() if each.kind is Kind.CODE_FILE)
    return code <= LITTLE_CODE * sight.weight


def beside_data(sentence: Sentence, sight: Sight) -> bool:
    """Whether tables or logs that lie beside other things, and little code, may tell what a question asks for."""
    return bool(data_in(sight)[0]) and (asks(sentence) or titled(sentence)) and _little_code(sight)


def told_by_data(sentence: Sentence, sight: Sight) -> bool:
    """Whether a question is for a fact that tables or logs tell, in a folder of little else."""
    asked = opening(sentence) in FACTS or titled(sentence)
    if not asked or not data_in(sight)[1] or not _fact(sentence, sight, frozenset()):
        return False
    rows = (each for can, rows in ANSWERS.items() if can not in FACTUAL for each in find(sentence, rows))
    return not any(each.text not in OF_ALL for each in rows)


def _fact(sentence: Sentence, sight: Sight, unasked: frozenset[Can]) -> bool:
    """Whether a question has a topic of its own, and no phrase says what else to do; but for what is `unasked`."""
    if not content(sentence) or (opening(sentence) in DEEDS and not asks(sentence)):
        return False
    said = [each.places for each in find(sentence, (*(row for rows in PHRASES.values() for row in rows), *NOUNS))]
    topic = any(
        word.stem not in LIGHT and not any(place in places for places in said)
        for place, word in enumerate(sentence.words)
    )
    worried = sentence.clauses > 1 and max(voiced(sentence).values(), default=0.0) >= WORRIED
    if worried or vague(sentence) >= VERY_SURE or not (topic or sentence.blanks or titled(sentence)):
        return False
    others = {can: each.weight for can, each in cued(sentence, sight).items() if can not in unasked}
    # Several things in one sentence are work that is wanted more often than one fact.
    if sentence.clauses > 1:
        others |= {can: each.weight for can, each in heard(sentence, sight).items() if can not in unasked}
    return max(others.values(), default=0.0) < (ELSE if sentence.clauses == 1 else SERVED)


def told_by_settings(sentence: Sentence, sight: Sight) -> bool:
    """Whether a question may be for what declared things set, in a folder that is largely settings."""
    settings = [each for each in sight.things.values() if each.family in SETTINGS or each.kind is Kind.CONFIG]
    if not settings or weighed(settings) < DECLARED * sight.weight or sentence.clauses > 1:
        return False
    plain = opening(sentence) != WHY and not find(sentence, DOING)
    return not sentence.objects and asks(sentence) and plain and content(sentence)


def understood(sentence: Sentence, sight: Sight) -> bool:
    """Whether a goal says anything that this planner knows: a phrase, a worry, an object, or clearly nothing special.

    The table of meanings always has a likeliest one; where words did not cross, it says little by itself.
    """
    if sentence.objects or any(each.named for each in sight.things.values()) or content(sentence):
        return True
    if asked_of_folder(sentence):
        return True
    phrases = [each.weight for each in cued(sentence, sight).values()]
    if max([*phrases, *voiced(sentence).values()], default=0.0) >= HINTED:
        return True
    likely = max((each.weight for each in heard(sentence, sight).values()), default=0.0)
    return likely >= LEARNED or vague(sentence) >= (VERY_SURE if sentence.blanks else FOR_SURE)


def unserved(tokens: Sequence[str], sentence: Sentence, sight: Sight) -> bool:
    """Whether a goal asks for what no capability does: `fix the bug`, `write unit tests`, `what does it cost`."""
    deed = act(" ".join(tokens)) if len(tokens) > 1 else None  # `rollback` asks where that is
    outside = frozenset(place for each in find(sentence, OUTSIDE) for place in each.places)
    if deed is None and (not outside or counted(sentence, sight)):
        return False
    hints = [(each, rows[each.text]) for rows in CUES.values() for each in find(sentence, rows)]
    if deed is None:
        return not any(weight >= SERVED and not each.places & outside for each, weight in hints)
    if any(each.clause > 0 and weight >= HINTED for each, weight in hints):
        return False  # it asks for something else too
    cues = [each for each, weight in hints if weight >= SERVED]
    if acts()[deed]:
        return not cues
    place = next(at for at, word in enumerate(sentence.words) if word.stem == stem(deed))
    # `set this against that`: within a phrase, however weak, the verb means something else.
    return not any(place in each.places and len(each.places) > 1 for each, _ in hints)
