"""Which objects a capability is put to: those that the goal names, else those that suit it best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from plantwin.cloud.offline.hearing import Wanted, named, thing_named
from plantwin.cloud.offline.language import Sentence, stem
from plantwin.cloud.offline.sight import MOST_NARROWED, Sight, Thing, possible
from plantwin.cloud.offline.strength import alike, environments, snapshots, suitability
from plantwin.cloud.offline.tables import ALSO, ANSWERS, NOUNS
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Ecosystem, Family, Kind, SemanticClass

MOST: Final = 4
"""Objects that one capability is put to when the goal names none of them."""
MOST_NAMED: Final = 8
KINDS: Final = frozenset(each.value for each in Kind)
FAMILIES: Final = frozenset(each.value for each in Family)
CLOSE: Final = 0.75
"""Share of the best suitability from which on an object is taken too."""
LOOSE: Final = 0.6
"""The same for what sets sources beside each other."""
NARROW: Final = 0.5
"""The same for the objects of a folder that is named as a whole."""
BACK: Final = frozenset(["it", "them", "that"])
"""`Compare it with …`: words that stand for what was named before."""
THROUGHOUT: Final = frozenset(["all", "every", "everything", "whole", "entir", "rest", "throughout"])
"""Stems that ask for the whole of a sort, and not for what was named before."""
GATHERS: Final = (Can.CORRELATE_EVENTS, Can.BUILD_TIMELINE)
"""What sets sources beside each other: more of them help."""
BY_WORDS: Final = (Can.FIND_CODE, Can.LIST_INVENTORY, Can.FIND_TESTS)
"""What looks for the words of the request by itself."""
OF_ALL: Final = (Can.CHANGES_SINCE, Can.LIST_LICENSES, Can.LIST_INVENTORY, Can.FIND_CODE)
"""What is asked of the folder as a whole, whatever the goal names; the others of what it names."""
ANY_CODE: Final = frozenset(f"{NOUNS[text]} {ALSO[text]}" for text in ("code|codebase", "script|shell"))
"""Nouns that name code of any class."""
OF_CODE: Final = (Can.LINT, Can.SECURITY_AUDIT, Can.MEASURE_COMPLEXITY)
LANGUAGES: Final[dict[str, str]] = {stem(each.value): each.value for each in Ecosystem if each is not Ecosystem.GO} | {
    stem("javascript"): "node", stem("typescript"): "node", stem("bash"): "shell", stem("golang"): "go",
}  # fmt: skip
"""Stems that name a language; `go` is mostly a verb."""
SOUGHT: Final = {
    Can.RUN_TESTS: ("test_suite",),
    Can.SECURITY_AUDIT: (
        "sql_query stored_procedure staging_transform intermediate_transform mart_transform",
        "application library",
        "credentials",
    ),
}
"""Nouns that say what is looked for, and not where."""
FAULTS: Final = {Can.AUDIT_INFRASTRUCTURE: ("configuration model_config",)}
"""Nouns that say what may be wrong where another says where: `the terraform for insecure settings`."""
SWEEPING: Final = frozenset([Can.SECRET_SCAN])
"""What is looked for in every set: it may be anywhere, and nothing found is an answer only where all was looked at."""
WIDE: Final = {Can.CHECK_API_CONTRACT: 6, Can.ANALYZE_LOGS: 3, Can.CORRELATE_EVENTS: 3, Can.BUILD_TIMELINE: 4,
    Can.REVIEW_MIGRATIONS: 6, Can.SUMMARIZE: 3,
               Can.TRACE_ERRORS: 2, Can.RUN_TESTS: 4, Can.MAP_DEPENDENCIES: 2, Can.FIND_IMPACT: 2,
               Can.SEARCH_SIMILAR: 1, Can.REDACT_DOCUMENT: 6,
               Can.CHECK_ACCESSIBILITY: 6, Can.SECRET_SCAN: 5}  # fmt: skip
"""Where another number of objects is usual."""
CONTRACTS: Final = frozenset([SemanticClass.API_CONTRACT])
HANDLERS: Final = frozenset([SemanticClass.API_HANDLER, SemanticClass.API_CLIENT, SemanticClass.APP_ENTRYPOINT])
SCHEMAS: Final = frozenset([SemanticClass.DATA_CONTRACT, SemanticClass.DATA_SOURCE_SPEC, SemanticClass.TABLE_SCHEMA])
DATA: Final[frozenset[SemanticClass]] = frozenset(
    each for each in list(SemanticClass) if each.family is Family.DATASET and each is not SemanticClass.LOOKUP_TABLE
)
PAIRED: Final[dict[Can, Callable[[Sight], list[tuple[Thing, Thing]]]]] = {
    Can.COMPARE: alike,
    Can.COMPARE_ENVIRONMENTS: environments,
    Can.DETECT_DRIFT: snapshots,
}
"""Capabilities that set two of a kind side by side, with how such pairs are found."""
LOGS: Final = (Kind.LOG_STREAM, Family.LOGS)
"""Of logs in a set of several kinds the kind is not told."""
FOCUS: Final[dict[Can, tuple[SemanticClass | Family | Kind, ...]]] = {
    Can.RUN_TESTS: (SemanticClass.TEST_SUITE, Family.APPLICATION, Family.LIBRARY, Family.INTERFACE,
    Family.MACHINE_LEARNING, Family.DATA_PIPELINE),
    Can.ANALYZE_LOGS: LOGS,
    Can.TRACE_ERRORS: (*LOGS, SemanticClass.INCIDENT_RECORD, SemanticClass.POSTMORTEM),
    Can.CORRELATE_EVENTS: LOGS,
    Can.BUILD_TIMELINE: (*LOGS, Family.SECURITY, Kind.DOCUMENT),
    Can.COMPARE_METRICS: (SemanticClass.EXPERIMENT_METRICS, SemanticClass.MEASUREMENT_RECORDS,
    SemanticClass.BENCHMARK_RUNNER, Family.DATASET),
    Can.REVIEW_MIGRATIONS: (SemanticClass.DATABASE_MIGRATION, SemanticClass.TABLE_SCHEMA),
    Can.CHECK_API_CONTRACT: (Family.CONTRACTS, Family.APPLICATION, Family.INTERFACE),
    Can.CHECK_ACCESSIBILITY: (Family.INTERFACE,),
    Can.AUDIT_DEPENDENCIES: (Family.DEPENDENCIES, SemanticClass.CONTAINER_BUILD, SemanticClass.BUILD_MANIFEST,
    SemanticClass.CI_PIPELINE),
    Can.CHECK_DATA_QUALITY: (Family.DATASET, SemanticClass.DATABASE_DUMP, SemanticClass.TEST_FIXTURE),
    Can.PROFILE_DATA: (Family.DATASET, SemanticClass.DATABASE_DUMP, SemanticClass.EXPERIMENT_METRICS,
    SemanticClass.TEST_FIXTURE),
}  # fmt: skip
"""Of what a capability would accept, that which it is meant for."""


@dataclass(frozen=True)
class Aim:
    """What a goal names: ids, of sets those of their parts; and families."""

    named: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    """Families that no word which crossed says: the goal is about them too."""
    families: tuple[str, ...] = ()
    """All of them, for what no clause asks for."""


@dataclass(frozen=True)
class Targets:
    """Inputs of one capability, the most fitting first, and whether the goal itself points at them."""

    ids: tuple[str, ...]
    pointed: bool


def targets(wanted: Wanted, capability: Capability, sentence: Sentence, goal: Aim, sight: Sight) -> Targets:
    """The things for a capability."""
    if wanted.can in ANSWERS:
        return _whole(capability, sentence, goal, sight)
    fitting = [each for each in sight.things.values() if each.fits(capability) and each.id not in sentence.negated]
    here = {each.id: each for each in fitting if _focused(wanted.can, each)} or {each.id: each for each in fitting}
    # A noun must not leave out where else it may be: `any database passwords` may stand in any file.
    sweeping = wanted.can in SWEEPING
    spoken = [] if sweeping else _specific(named(sentence, wanted.clauses), wanted.can, here)
    hidden = goal.hidden if not spoken or wanted.clauses & sentence.blanked else ()
    nouns = [] if sweeping else [*spoken, *(hidden if wanted.clauses else goal.families)]
    nouns = [each for each in nouns if each not in FAULTS.get(wanted.can, ())] or nouns
    whole = sentence.says(wanted.clauses, THROUGHOUT)
    by_noun = [each for each in here.values() if any(thing_named(each, text, whole=whole) for text in nouns)]
    by_noun = by_noun or _hidden(nouns, here, sight)
    if wanted.can in OF_CODE and set(spoken) <= ANY_CODE:
        by_noun = _in_language(sentence, wanted, here, sight) or by_noun
    pointed = [each for each in sentence.ids(wanted.clauses) if each in here]
    if wanted.clauses & sentence.elsewhere and not (pointed or goal.named or spoken):
        return Targets((), True)  # a file is named that is not here: no other one is meant
    others = [each for each in goal.named if each in here and each not in pointed]
    if by_noun and whole:
        others = [each for each in others if here[each].several]
    if pointed and others and wanted.can is Can.COMPARE and sentence.says(wanted.clauses, BACK):
        return Targets((others[0], _narrowed(wanted.can, pointed, here)[0]), True)
    if pointed:
        if members(pointed, here) < capability.least:
            return Targets(tuple(_partnered(pointed, others, by_noun, sight, here)), True)
        chosen = [*_narrowed(wanted.can, pointed, here), *_besides(wanted.can, pointed, nouns, sight, here)]
        return Targets(tuple(_completed(wanted.can, chosen, sight, here)), True)
    meant = [each for each in others if any(thing_named(here[each], text) for text in nouns)]
    if meant or wanted.can in GATHERS:  # the nouns speak of what was named before, or of what belongs beside it
        others = list(dict.fromkeys([*_best(wanted.can, by_noun), *others])) if not meant else meant + others
        by_noun = [] if others else by_noun
        others = others if wanted.can in GATHERS or members(meant, here) < capability.least else meant
    if wanted.can in PAIRED and (by_noun or not others):
        return Targets(tuple(_pair(wanted.can, by_noun, here, sight)), False)
    if by_noun and possible(by_noun) >= capability.least:
        best = _best(wanted.can, by_noun, lenient=bool(spoken))
        return Targets(tuple(_completed(wanted.can, best, sight, here)), True)
    if others and members(others, here) < capability.least:
        return Targets(tuple(_partnered(others, (), by_noun, sight, here)), True)
    if others:
        return Targets(tuple(_completed(wanted.can, _narrowed(wanted.can, others, here), sight, here)), True)
    before = [] if sweeping else _spoken_before(wanted, sentence, here)
    if before and possible(before) >= capability.least:  # `go through the auth log, and give me the order of events`
        return Targets(tuple(_completed(wanted.can, _best(wanted.can, before), sight, here)), True)
    return Targets(tuple(_completed(wanted.can, _best(wanted.can, here.values()), sight, here)), False)


def _specific(nouns: Sequence[str], can: Can, here: Mapping[str, Thing]) -> list[str]:
    """Nouns that say where to look; `the columns of the customer extract` are those of its class, not all data."""
    kept = [text for text in nouns if text not in SOUGHT.get(can, ())]
    classes = {each.family for text in kept for each in here.values() if each.leaf in text.split()}
    return [text for text in kept if text not in FAMILIES or text not in classes]


def _spoken_before(wanted: Wanted, sentence: Sentence, here: Mapping[str, Thing]) -> list[Thing]:
    """What nouns of the clauses before name, the nearest first, where nothing suits the capability better."""
    best = max((suitability(wanted.can, each) for each in here.values()), default=0.0)
    best = 0.0 if wanted.can is Can.SUMMARIZE else best  # `make copies of the letters, and give me the gist`
    for clause in range(min(wanted.clauses, default=0) - 1, -1, -1):
        near = named(sentence, [clause])
        wide = {each.value for each in SemanticClass if each.family in near}
        more = [text for text in named(sentence, range(clause)) if wide & set(text.split())]
        nouns = _specific([*near, *more], wanted.can, here)
        things = [each for each in here.values() if any(thing_named(each, text) for text in nouns)]
        if any(suitability(wanted.can, each) >= best for each in things if suitability(wanted.can, each) > 0):
            return things
    return []


def _whole(capability: Capability, sentence: Sentence, goal: Aim, sight: Sight) -> Targets:
    """What the goal names where that is asked about; else every set, and what is listed beside them."""
    fitting = {each.id: each for each in sight.things.values() if each.fits(capability)}
    pointed = [each for each in goal.named if each in fitting and each not in sentence.negated]
    if capability.name in BY_WORDS:  # a file that is named is where it is looked for only among others
        pointed = [each for each in pointed if fitting[each].several]
    if pointed and capability.name is Can.QUERY_DATA:  # which tables are meant is known by their columns, locally
        pointed += [each.id for each in fitting.values() if each.several and each.id not in pointed]
    if pointed and capability.name not in OF_ALL:
        return Targets(tuple(pointed[:MOST_NAMED]), True)
    return Targets(tuple(each.id for each in fitting.values() if each.several) or tuple(fitting), True)


def _hidden(nouns: Iterable[str], here: dict[str, Thing], sight: Sight) -> list[Thing]:
    """Where no noun names what was shown: members of that class in sets whose classes were not told."""
    found = {}
    for word in dict.fromkeys(word for text in nouns for word in text.split() if word not in KINDS):
        for each in [each for each in here.values() if each.may_be(word)]:
            part = sight.part(each, word)
            found[part.id] = part
    here |= found
    return list(found.values())


def _in_language(sentence: Sentence, wanted: Wanted, here: dict[str, Thing], sight: Sight) -> list[Thing]:
    """Code in the languages that a clause speaks of, whatever its class: settings may be written in them too."""
    languages = {each: None for word, each in LANGUAGES.items() if sentence.says(wanted.clauses, [word])}
    sets = {each.source: each for each in here.values() if each.several}
    found = []
    for language in languages:
        for each in sets.values():
            if each.kind in (None, Kind.CODE_FILE):
                found.append(sight.cut(each, kind=Kind.CODE_FILE, ecosystem=language))
            if each.kind in (None, Kind.CONFIG) and each.family in (None, Family.CONFIGURATION):
                found.append(sight.cut(each, family=Family.CONFIGURATION, ecosystem=language))
    here |= {each.id: each for each in found}
    return found


def members(ids: Iterable[str], here: Mapping[str, Thing]) -> int:
    """How many objects these ids may stand for."""
    return possible(here[each] for each in ids)


def _narrowed(can: Can, ids: Sequence[str], here: dict[str, Thing]) -> list[str]:
    """Of a whole folder that is named, what suits the capability; of a few objects, all."""
    ranked = sorted(ids, key=lambda each: (here[each].order[0], -suitability(can, here[each]), here[each].order))
    if len(ranked) <= MOST:
        return ranked
    top = max(suitability(can, here[each]) for each in ranked)
    return [each for each in ranked if suitability(can, here[each]) >= NARROW * top]


def _besides(can: Can, ids: Sequence[str], nouns: Sequence[str], sight: Sight, here: dict[str, Thing]) -> list[str]:
    """`The logs and {this}`: what nouns name beside the objects that are named one by one.

    `The code` is theirs.
    """
    more: list[str] = []
    for text in nouns:
        if text and text not in ANY_CODE and not any(thing_named(here[each], text) for each in ids):
            fitting = [each for each in here.values() if thing_named(each, text) and each.id not in more]
            best = [each for each in _best(can, fitting) if suitability(can, here[each]) > 0]
            more += _top(best, 3, here, sight)
    return more


def _top(ids: Sequence[str], most: int, here: Mapping[str, Thing], sight: Sight) -> list[str]:
    """The first so many objects; of sets all, since each stands for all of its sort.

    Of a set in which classes may be that were not told of it, so few that it is not taken as a whole.
    """
    guessed: Counter[str] = Counter()
    kept = []
    for each in ids:
        guessed[here[each].source] += each not in sight.things
        if here[each].several and guessed[here[each].source] <= MOST_NARROWED:
            kept.append(each)
    return kept or list(ids[:most])


def _focused(can: Can, thing: Thing) -> bool:
    focus = FOCUS.get(can)
    return focus is None or thing.leaf in focus or thing.family in focus or thing.kind in focus


def _best(can: Can, things: Iterable[Thing], *, lenient: bool = False) -> list[str]:
    """Those that suit it nearly as well as the best: a few objects, and every such set."""
    ranked = sorted(things, key=lambda each: (-suitability(can, each), each.order))
    if not ranked:
        return []
    top = suitability(can, ranked[0])
    floor = 0.0 if lenient else (CLOSE if can not in GATHERS else LOOSE) * top
    single = [each.id for each in ranked if not each.several and suitability(can, each) >= floor][: WIDE.get(can, MOST)]
    floor = 0.0 if lenient or can in SWEEPING else NARROW * top
    sets = [each.id for each in ranked if each.several and suitability(can, each) >= floor]
    # An object that is told of beside its set stands for itself only where the goal points at it.
    return sets or single if all(each.within for each in ranked if not each.several) else [*single, *sets]


def _completed(can: Can, ids: Sequence[str], sight: Sight, here: dict[str, Thing]) -> list[str]:
    """What only makes sense together: a contract with its handlers, data with its schema, a lock with its manifest."""
    ids = _few(ids, here)
    things = [here[each] for each in ids]
    if can is Can.CHECK_API_CONTRACT:
        # What says that it keeps the contract counts before what looks as if it might.
        joined = [here[each] for each in sight.near(ids, "specifies") if each in here]
        ids += [each.id for each in joined if each.leaf in HANDLERS or "endpoints" in each.tags][:3]
        return _both(ids, [here[each] for each in ids], sight, here, can, CONTRACTS, HANDLERS)
    if can is Can.VALIDATE_SCHEMA:
        return _both(ids, things, sight, here, can, SCHEMAS, DATA)
    if can is Can.REVIEW_QUERIES and not any(each.leaf is SemanticClass.TABLE_SCHEMA for each in things):
        ids += _best(can, [each for each in here.values() if each.leaf is SemanticClass.TABLE_SCHEMA])[:1]
    if can is Can.AUDIT_DEPENDENCIES:
        ids += [each for each in sight.near(ids, "locked") if each in here]
    return _few(ids, here)


def _few(ids: Iterable[str], here: dict[str, Thing]) -> list[str]:
    """At most so many single objects; sets are as many objects as they are."""
    kept = list(dict.fromkeys(ids))
    single = [each for each in kept if not here[each].several]
    return [each for each in kept if each not in single[MOST_NAMED:]]


def _both(
    ids: list[str],
    things: Sequence[Thing],
    sight: Sight,
    here: dict[str, Thing],
    can: Can,
    first: frozenset[SemanticClass],
    second: frozenset[SemanticClass],
) -> list[str]:
    """Add the other half where one is missing."""
    for half in (first, second):
        if not any(each.leaf in half for each in things):
            ids = ids + _top(_best(can, [each for each in here.values() if each.leaf in half]), 3, here, sight)
    return _few(ids, here)


def _partnered(
    ids: Sequence[str], others: Sequence[str], by_noun: Sequence[Thing], sight: Sight, here: dict[str, Thing]
) -> list[str]:
    """One is named and two are needed: another that is named, what an edge joins to it, a noun, its class."""
    one = here[ids[0]]
    near = [each for each in sight.near(ids, "similar_to", "conflicts_with", "derived_from") if each in here]
    same = [each.id for each in here.values() if each.leaf is one.leaf and each.id != one.id and each.leaf is not None]
    nouns = [each.id for each in by_noun if each.id not in ids]
    return [*ids, *(list(others) or near or nouns or same)[:1]]


def _pair(can: Can, by_noun: Sequence[Thing], here: dict[str, Thing], sight: Sight) -> list[str]:
    """The pair that the nouns mean, else the best that there is."""
    pairs = [pair for pair in PAIRED[can](sight) if pair[0].id in here and pair[1].id in here]
    meant = {each.id for each in by_noun}
    inside = [pair for pair in pairs if pair[0].id in meant and pair[1].id in meant]
    if inside or (pairs and not meant):
        first = (inside or pairs)[0]
        # Which classes of a set a relation within it joins is not told: what has no counterpart there is left out.
        within = [pair[0] for pair in inside or pairs if pair[0] is pair[1] and _beside(pair[0], first[0])]
        return list(dict.fromkeys(each.id for each in (within if first[0] is first[1] else first)))
    if can is Can.COMPARE_ENVIRONMENTS:  # other settings than those of environments are no pair of them
        by_noun = [each for each in by_noun if each.leaf is SemanticClass.ENVIRONMENT_CONFIG]
    if possible(by_noun) >= 2:
        classes: dict[object, list[Thing]] = {}
        for each in by_noun:
            classes.setdefault(each.leaf, []).append(each)
        same = [each for each in classes.values() if possible(each) >= 2]
        chosen = same[0] if same else list(by_noun)
        if len(chosen) == 1:
            return [each.id for each in by_noun if _beside(each, chosen[0])]
        return [each.id for each in chosen[:2]]
    return list(dict.fromkeys(each.id for each in pairs[0])) if pairs else []


def _beside(thing: Thing, other: Thing) -> bool:
    """Whether two are of one family of one set: one condition means both, so that they are no two sides."""
    return thing.source == other.source and thing.family is other.family
