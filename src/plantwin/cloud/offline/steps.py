"""From chosen capabilities to steps: which objects each is put to, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.hearing import Wanted, named, thing_named
from plantwin.cloud.offline.language import Sentence
from plantwin.cloud.offline.sight import Sight, Thing
from plantwin.cloud.offline.strength import alike, environments, snapshots, suitability
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, Kind, SemanticClass

MOST: Final = 4
"""Objects that one capability is put to when the goal names none of them."""
MOST_NAMED: Final = 8
CLOSE: Final = 0.75
"""Share of the best suitability from which on an object is taken too."""
LOOSE: Final = 0.6
"""The same for what sets sources beside each other."""
NARROW: Final = 0.5
"""The same for the objects of a folder that is named as a whole."""
BACK: Final = frozenset(["it", "them", "that"])
"""`Compare it with …`: words that stand for what was named before."""
GATHERS: Final = (Can.CORRELATE_EVENTS, Can.BUILD_TIMELINE)
"""What sets sources beside each other: more of them help."""
SOUGHT: Final = {Can.SECRET_SCAN: ("credentials",), Can.RUN_TESTS: ("test_suite",)}
"""Nouns that say what is looked for, and not where."""
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
FOCUS: Final[dict[Can, tuple[SemanticClass | Family | Kind, ...]]] = {
    Can.RUN_TESTS: (SemanticClass.TEST_SUITE, Family.APPLICATION, Family.LIBRARY, Family.INTERFACE,
    Family.MACHINE_LEARNING, Family.DATA_PIPELINE),
    Can.ANALYZE_LOGS: (Kind.LOG_STREAM,),
    Can.TRACE_ERRORS: (Kind.LOG_STREAM, SemanticClass.INCIDENT_RECORD, SemanticClass.POSTMORTEM),
    Can.CORRELATE_EVENTS: (Kind.LOG_STREAM,),
    Can.BUILD_TIMELINE: (Kind.LOG_STREAM, Family.SECURITY, Kind.DOCUMENT),
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
class Targets:
    """Inputs of one capability, the most fitting first, and whether the goal itself points at them."""

    ids: tuple[str, ...]
    pointed: bool


def targets(wanted: Wanted, capability: Capability, sentence: Sentence, listed: Sequence[str], sight: Sight) -> Targets:
    """The objects for a capability. `listed`: ids that the goal names, wherever they stand in it."""
    fitting = [each for each in sight.things.values() if each.fits(capability) and each.id not in sentence.negated]
    here = {each.id: each for each in fitting if _focused(wanted.can, each)} or {each.id: each for each in fitting}
    nouns = [each for each in named(sentence, wanted.clauses) if each not in SOUGHT.get(wanted.can, ())]
    by_noun = [each for each in here.values() if any(thing_named(each, text) for text in nouns)]
    pointed = [each for each in sentence.ids(wanted.clauses) if each in here]
    others = [each for each in listed if each in here and each not in pointed]
    if pointed and others and wanted.can is Can.COMPARE and sentence.says(wanted.clauses, BACK):
        return Targets((others[0], _narrowed(wanted.can, pointed, here)[0]), True)
    if pointed:
        if len(pointed) < capability.least:
            return Targets(tuple(_partnered(pointed, others, by_noun, sight, here)), True)
        chosen = [*_narrowed(wanted.can, pointed, here), *_besides(wanted.can, pointed, nouns, here)]
        return Targets(tuple(_completed(wanted.can, chosen, sight, here)), True)
    meant = [each for each in others if any(thing_named(here[each], text) for text in nouns)]
    if meant or wanted.can in GATHERS:  # the nouns speak of what was named before, or of what belongs beside it
        others = list(dict.fromkeys([*_best(wanted.can, by_noun), *others])) if not meant else meant + others
        by_noun = [] if others else by_noun
        others = others if wanted.can in GATHERS or len(meant) < capability.least else meant
    if wanted.can in PAIRED and (by_noun or not others):
        return Targets(tuple(_pair(wanted.can, by_noun, here, sight)), False)
    if by_noun and len(by_noun) >= capability.least:
        return Targets(tuple(_completed(wanted.can, _best(wanted.can, by_noun, lenient=True), sight, here)), True)
    if others and len(others) < capability.least:
        return Targets(tuple(_partnered(others, (), by_noun, sight, here)), True)
    if others:
        return Targets(tuple(_completed(wanted.can, _narrowed(wanted.can, others, here), sight, here)), True)
    return Targets(tuple(_completed(wanted.can, _best(wanted.can, here.values()), sight, here)), False)


def _narrowed(can: Can, ids: Sequence[str], here: dict[str, Thing]) -> list[str]:
    """Of a whole folder that is named, what suits the capability; of a few objects, all."""
    ranked = sorted(ids, key=lambda each: (here[each].order[0], -suitability(can, here[each]), here[each].order))
    if len(ranked) <= MOST:
        return ranked
    top = max(suitability(can, here[each]) for each in ranked)
    return [each for each in ranked if suitability(can, here[each]) >= NARROW * top]


def _besides(can: Can, ids: Sequence[str], nouns: Sequence[str], here: dict[str, Thing]) -> list[str]:
    """`The logs and {this}`: what nouns name beside the objects that are named one by one."""
    more: list[str] = []
    for text in nouns:
        if text and not any(thing_named(here[each], text) for each in ids):
            fitting = [each for each in here.values() if thing_named(each, text) and each.id not in more]
            more += [each for each in _best(can, fitting) if suitability(can, here[each]) > 0][:3]
    return more


def _focused(can: Can, thing: Thing) -> bool:
    focus = FOCUS.get(can)
    return focus is None or thing.leaf in focus or thing.family in focus or thing.kind in focus


def _best(can: Can, things: Iterable[Thing], *, lenient: bool = False) -> list[str]:
    """Those that suit it nearly as well as the best."""
    ranked = sorted(things, key=lambda each: (-suitability(can, each), each.order))
    if not ranked:
        return []
    top = suitability(can, ranked[0])
    floor = 0.0 if lenient else (CLOSE if can not in GATHERS else LOOSE) * top
    return [each.id for each in ranked if suitability(can, each) >= floor][: WIDE.get(can, MOST)]


def _completed(can: Can, ids: Sequence[str], sight: Sight, here: dict[str, Thing]) -> list[str]:
    """What only makes sense together: a contract with its handlers, data with its schema, a lock with its manifest."""
    ids = list(ids)[:MOST_NAMED]
    things = [here[each] for each in ids]
    if can is Can.CHECK_API_CONTRACT:
        # What says that it keeps the contract counts before what looks as if it might.
        joined = [here[each] for each in sight.near(ids, "specifies") if each in here]
        ids += [each.id for each in joined if each.leaf in HANDLERS or "endpoints" in each.tags][:3]
        return _both(ids, [here[each] for each in ids], here, can, CONTRACTS, HANDLERS)
    if can is Can.VALIDATE_SCHEMA:
        return _both(ids, things, here, can, SCHEMAS, DATA)
    if can is Can.REVIEW_QUERIES and not any(each.leaf is SemanticClass.TABLE_SCHEMA for each in things):
        ids += _best(can, [each for each in here.values() if each.leaf is SemanticClass.TABLE_SCHEMA])[:1]
    if can is Can.AUDIT_DEPENDENCIES:
        ids += [each for each in sight.near(ids, "locked") if each in here]
    return ids[:MOST_NAMED]


def _both(
    ids: list[str],
    things: Sequence[Thing],
    here: dict[str, Thing],
    can: Can,
    first: frozenset[SemanticClass],
    second: frozenset[SemanticClass],
) -> list[str]:
    """Add the other half where one is missing."""
    for half in (first, second):
        if not any(each.leaf in half for each in things):
            ids = ids + _best(can, [each for each in here.values() if each.leaf in half])[:3]
    return ids[:MOST_NAMED]


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
        return [each.id for each in (inside or pairs)[0]]
    if len(meant) >= 2:
        classes: dict[object, list[Thing]] = {}
        for each in by_noun:
            classes.setdefault(each.leaf, []).append(each)
        same = [each for each in classes.values() if len(each) >= 2]
        chosen = same[0] if same else list(by_noun)
        return [each.id for each in chosen[:2]]
    return [each.id for each in pairs[0]] if pairs else []


ORDER: Final[tuple[Can, ...]] = (
    Can.PROFILE_DATA, Can.CLASSIFY, Can.SECRET_SCAN, Can.SECURITY_AUDIT, Can.LINT, Can.MEASURE_COMPLEXITY,
    Can.AUDIT_DEPENDENCIES,
    Can.VALIDATE_CONFIG, Can.AUDIT_INFRASTRUCTURE, Can.CHECK_DATA_QUALITY, Can.VALIDATE_SCHEMA, Can.REVIEW_QUERIES,
    Can.REVIEW_MIGRATIONS,
    Can.CHECK_API_CONTRACT, Can.CHECK_ACCESSIBILITY, Can.ANALYZE_LOGS, Can.TRACE_ERRORS, Can.MAP_DEPENDENCIES,
    Can.FIND_IMPACT, Can.RUN_TESTS,
    Can.EXTRACT_CONSTRAINTS, Can.SEARCH_SIMILAR, Can.COMPARE_ENVIRONMENTS, Can.DETECT_DRIFT, Can.COMPARE_METRICS,
    Can.CORRELATE_EVENTS, Can.BUILD_TIMELINE,
    Can.ASSESS_EXPOSURE, Can.COMPARE, Can.SUMMARIZE, Can.REDACT_DOCUMENT, Can.REPORT,
)  # fmt: skip
"""What looks comes before what compares, and what compares before what tells."""
APART: Final = frozenset(
    [
        Can.SECRET_SCAN, Can.SECURITY_AUDIT, Can.LINT, Can.MEASURE_COMPLEXITY, Can.PROFILE_DATA, Can.CLASSIFY,
        Can.SUMMARIZE, Can.SEARCH_SIMILAR,
        Can.ASSESS_EXPOSURE, Can.MAP_DEPENDENCIES, Can.EXTRACT_CONSTRAINTS, Can.PROCESS_OBJECT,
    ]
)  # fmt: skip
"""One step for each object: a refusal of one then costs only that one, and two results can be compared."""


COMPARABLE: Final = (Can.SECURITY_AUDIT, Can.LINT, Can.MEASURE_COMPLEXITY, Can.EXTRACT_CONSTRAINTS, Can.PROFILE_DATA)
"""What looks at one object, so that two of its results can be set side by side."""
BEARS: Final = {"high": 2, "restricted": 3}
"""Steps on one object whose outcomes its budget usually bears, by sensitivity."""
MOST_AT_ONCE: Final = 8
"""Objects for a catalog that does everything in one call."""
WHOLE: Final = (Can.PROCESS_PROJECT, Can.PROCESS_OBJECT)


class Draft:
    """A plan in the making."""

    def __init__(
        self, catalog: Mapping[str, Capability], sight: Sight, sentence: Sentence, listed: Sequence[str]
    ) -> None:
        self._catalog = catalog
        self._sight = sight
        self._sentence = sentence
        self._listed = listed
        self._steps: list[dict[str, Any]] = []
        self._pair: set[str] = set()
        self._beside: list[str] = []
        """What the goal names to be compared, and all that stands beside it there."""
        self.unmet: list[Wanted] = []
        """What was chosen and has no object yet that is known to fit."""
        self.joins = False
        """Whether a step joins the results of others."""

    def feasible(self, can: Can) -> bool:
        """Whether enough objects fit it, or may."""
        if can in WHOLE:
            return False
        if can is Can.REPORT:
            return bool(self._sight.things)
        for each in self._catalog.values():
            if each.name is can:
                fitting = sum(thing.fits(each) or thing.may_fit(each) for thing in self._sight.things.values())
                if fitting >= each.least or any(group.may_hold(each) for group in self._sight.groups.values()):
                    return True
        return False

    def steps(self, choice: Choice) -> list[dict[str, Any]]:
        """The steps of what was chosen."""
        for wanted in choice.wanted:
            if wanted.can is Can.COMPARE and Can.COMPARE.value in self._catalog:
                pair = targets(wanted, self._catalog[Can.COMPARE.value], self._sentence, self._listed, self._sight)
                self._pair = set(pair.ids) if pair.pointed else set()
                self._beside = [*pair.ids, *self._sentence.ids(wanted.clauses)]
        for wanted in sorted(choice.wanted, key=lambda each: ORDER.index(each.can) if each.can in ORDER else -1):
            for capability in self._catalog.values():
                if capability.name is wanted.can:
                    self._add(wanted, capability)
        if not choice.wanted:
            self._everything()
        return self._steps

    def _everything(self) -> None:
        """A catalog that does everything in one call: for all at once, else for one after the other."""
        ids = [each for each in self._listed if each in self._sight.things] or list(self._sight.things)
        for capability in self._catalog.values():
            if capability.name is Can.PROCESS_PROJECT:
                self._step(capability, ids[:MOST_AT_ONCE])
                return
        for capability in self._catalog.values():
            if capability.name is Can.PROCESS_OBJECT:
                for each in ids[:MOST_AT_ONCE]:
                    self._step(capability, [each])

    def _add(self, wanted: Wanted, capability: Capability) -> None:
        if wanted.can is Can.REPORT:
            self.joins = True
            if self._steps:
                self._step(capability, [each["id"] for each in self._steps][: capability.most])
            return
        chosen: Targets = targets(wanted, capability, self._sentence, self._listed, self._sight)
        self.joins |= wanted.can is Can.COMPARE
        if wanted.can is Can.COMPARE and (results := self._results(chosen.ids)):
            self._step(capability, results)
            return
        if len(chosen.ids) < capability.least or not chosen.ids:
            self.unmet.append(wanted)
            return
        if chosen.pointed and wanted.can in COMPARABLE:
            chosen = self._compared(chosen, capability)
        ids = list(chosen.ids) if chosen.pointed else self._spared(chosen.ids, capability.least)
        if wanted.can in APART or capability.most == 1:
            for each in ids:
                self._step(capability, [each])
        else:
            self._step(capability, ids[: capability.most])

    def _compared(self, chosen: Targets, capability: Capability) -> Targets:
        """`Review {this} and compare it with {that}` reviews both: their results are what is compared."""
        if not self._pair & set(chosen.ids):
            return chosen
        both = dict.fromkeys([*chosen.ids, *self._beside])
        return Targets(tuple(each for each in both if self._sight.things[each].fits(capability)), True)

    def _spared(self, ids: Sequence[str], least: int) -> list[str]:
        """Without objects that bear no further outcome, as far as others are left: what is sensitive bears few."""
        used = Counter(each for step in self._steps for each in step["inputs"])
        fresh = [each for each in ids if used[each] < BEARS.get(self._sight.things[each].sensitivity, MOST_AT_ONCE)]
        return fresh if len(fresh) >= max(least, 1) else list(ids)

    def _results(self, ids: Sequence[str]) -> list[str]:
        """Two steps of one capability on the two objects to compare, where there are."""
        if len(ids) < 2:
            return []
        for name in {each["capability"]: None for each in self._steps}:
            mine = {
                each["inputs"][0]: each["id"]
                for each in self._steps
                if each["capability"] == name and len(each["inputs"]) == 1
            }
            if set(ids[:2]) <= mine.keys():
                return [mine[each] for each in ids[:2]]
        return []

    def _step(self, capability: Capability, inputs: list[str]) -> None:
        number = len(self._steps) + 1
        self._steps.append(
            {"id": f"s{number}", "capability": capability.word, "inputs": inputs, "output": capability.returns.value}
        )
