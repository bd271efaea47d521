"""How strongly what was shown calls for a capability, and which objects belong side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from plantwin.cloud.offline.sight import Sight, Thing, counted, possible, weighed
from plantwin.cloud.offline.tables import MATERIAL
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, Kind, SemanticClass

RELEVANT: Final = 0.45
MADE_FOR: Final = 0.9
"""Part of the best suitability from which on a capability is made for a family."""
CLOSE: Final = 0.7
"""An object counts towards a share from this suitability on, or from this part of the best."""
SETTINGS: Final = (Family.CONFIGURATION, Family.DELIVERY, Family.CREDENTIALS, Family.INFRASTRUCTURE)
EVERYWHERE: Final = (SemanticClass.LOCALIZATION, SemanticClass.REPOSITORY_CONFIG, SemanticClass.TOOLING_CONFIG)
"""Settings that are the same in every environment."""
MANY: Final = 0.25
"""Share of settings among all objects from which on they are what the folder is about."""


def suitability(can: Can, thing: Thing) -> float:
    """How well one object suits a capability, from 0 to 1; nothing where it does not suit it at all."""
    material = MATERIAL.get(can)
    if material is None:
        return 0.0
    suits = material.suits
    base = next((suits[key] for key in (thing.leaf, thing.family, thing.kind) if key is not None and key in suits), 0.0)
    if base <= 0.0:
        return 0.0
    marks = {*thing.tags, *(f"-{each}" for each in thing.lacks), f"={thing.role}", f"!{thing.sensitivity}"}
    notable = sum(value * thing.bears(mark) for mark, value in material.notable.items() if mark in marks)
    return max(0.0, min(1.0, base + notable))


def may_suit(can: Can, thing: Thing) -> bool:
    """Whether a capability can be put to an object at all: it suits it, or whatever it is put to."""
    material = MATERIAL.get(can)
    return material is None or not material.suits or suitability(can, thing) > 0.0


def made_for(can: Can, family: Family) -> bool:
    """Whether a capability works on objects of this family before others."""
    suits = MATERIAL[can].suits if can in MATERIAL else {}
    best = max((suits[each] for each in (family, *SemanticClass) if each in suits and _in(each, family)), default=0.0)
    return best >= MADE_FOR * max(suits.values(), default=1.0)


def _in(word: Family | SemanticClass, family: Family) -> bool:
    return word is family or (isinstance(word, SemanticClass) and word.family is family)


def strength(can: Can, sight: Sight) -> float:
    """How strongly what was shown calls for a capability, from 0 to 1."""
    values = [(suitability(can, each), each.weight) for each in sight.things.values()]
    best = max((value for value, _ in values), default=0.0)
    material = MATERIAL.get(can)
    if material is not None and material.share and values:
        relevant = sum(weight for value, weight in values if value >= min(RELEVANT, CLOSE * best))
        about = relevant / sum(weight for _, weight in values)
        best *= material.least + (1 - material.least) * min(1.0, about / material.share)
    special = _SPECIAL.get(can)
    return special(sight, best) if special else best


def _of(sight: Sight, *families: Family) -> list[Thing]:
    return [each for each in sight.things.values() if each.family in families]


def _is(thing: Thing, *classes: SemanticClass) -> bool:
    return thing.leaf in classes


def joined_snapshots(sight: Sight) -> list[tuple[Thing, Thing]]:
    """Pairs of data sets that an edge says are alike."""
    data = (Family.DATASET,)
    return [
        pair
        for pair in sight.pairs("similar_to", "conflicts_with")
        if pair[0].family in data and pair[1].family in data
    ]


def snapshots(sight: Sight) -> list[tuple[Thing, Thing]]:
    """Pairs of data sets that are the same thing at two times."""
    joined = joined_snapshots(sight)
    if joined:
        return joined
    found: dict[tuple[object, str], list[Thing]] = {}
    for each in _of(sight, Family.DATASET):
        if each.leaf is not None and each.leaf is not SemanticClass.LOOKUP_TABLE and each.component:
            found.setdefault((each.leaf, each.component), []).append(each)
    return [(each[0], each[-1]) for each in found.values() if counted(each) == 2]


def _setting(thing: Thing) -> bool:
    """Whether it may be the settings of an environment; texts in several languages and settings of tools are not."""
    return thing.family in SETTINGS and thing.role != "template" and thing.leaf not in EVERYWHERE


def environments(sight: Sight) -> list[tuple[Thing, Thing]]:
    """Pairs of settings that are the same for two environments."""
    joined = [
        pair
        for pair in sight.pairs("sibling", "value", "diverged")
        if all(map(_setting, pair)) and pair[0].leaf is pair[1].leaf
    ]
    if joined:
        return sorted(set(joined), key=lambda pair: -sum(suitability(Can.COMPARE_ENVIRONMENTS, each) for each in pair))
    told = [
        each
        for each in sight.things.values()
        if _is(each, SemanticClass.ENVIRONMENT_CONFIG) and each.role != "template"
    ]
    return [(told[0], told[0] if told[0].count >= 2 else told[1])] if counted(told) >= 2 else []


def alike(sight: Sight) -> list[tuple[Thing, Thing]]:
    """Pairs that are versions of one another or disagree, what is best set side by side first."""
    order = (
        "supersedes",
        "diverged",
        "value",
        "version",
        "precedes",
        "sibling",
        "similar_to",
        "conflicts_with",
    )
    found: dict[tuple[Thing, Thing], None] = {}
    for reason in order:
        joined = [pair for pair in sight.pairs(reason) if Family.LOGS not in (pair[0].family, pair[1].family)]
        # What supersedes another is mostly of its class; relations come in any order.
        found |= dict.fromkeys(sorted(joined, key=lambda pair: (pair[0].leaf is not pair[1].leaf, *_orders(pair))))
    return list(found)


def _orders(pair: tuple[Thing, Thing]) -> tuple[tuple[object, ...], ...]:
    return pair[0].order, pair[1].order


def _settings(sight: Sight, best: float) -> float:
    """A pair of settings says more where much is settings."""
    if not environments(sight):
        return 0.0
    share = weighed(_of(sight, *SETTINGS)) / max(1.0, sight.weight)
    return 0.6 + 0.3 * min(1.0, share / MANY)


def _compare(sight: Sight, best: float) -> float:
    documents = (Family.AGREEMENTS, Family.GUIDES)
    pairs = alike(sight)
    if any(pair[0].family in documents and pair[1].family in documents for pair in pairs):
        return 0.85
    return 0.6 if pairs else 0.0


def _metrics(sight: Sight, best: float) -> float:
    runs = [each for each in sight.things.values() if _is(each, SemanticClass.EXPERIMENT_METRICS)]
    return best if possible(runs) >= 2 else 0.6 * best


def _correlate(sight: Sight, best: float) -> float:
    logs = _of(sight, Family.LOGS) or [each for each in sight.things.values() if each.kind is Kind.LOG_STREAM]
    if counted(logs) < 2:
        return 0.0
    joined = any(True for _ in sight.pairs("overlaps"))
    deployed = any(_is(each, SemanticClass.BUILD_LOG) for each in logs) and len({each.leaf for each in logs}) > 1
    return best if joined or deployed else 0.75 * best


def _timeline(sight: Sight, best: float) -> float:
    told = [each for each in sight.things.values() if suitability(Can.BUILD_TIMELINE, each) >= 0.5]
    incident = any(_is(each, SemanticClass.INCIDENT_RECORD, SemanticClass.POSTMORTEM) for each in told)
    if counted(told) < 2:
        return 0.3 * best
    return best if incident or counted(told) >= 4 else 0.85 * best


def _schema(sight: Sight, best: float) -> float:
    schema = any(
        _is(each, SemanticClass.DATA_CONTRACT, SemanticClass.DATA_SOURCE_SPEC, SemanticClass.TABLE_SCHEMA)
        for each in sight.things.values()
    )
    return best if schema and _of(sight, Family.DATASET) else 0.3 * best


def _contract(sight: Sight, best: float) -> float:
    contracts = [each for each in sight.things.values() if _is(each, SemanticClass.API_CONTRACT)]
    handlers = any(_is(each, SemanticClass.API_HANDLER, SemanticClass.API_CLIENT) for each in sight.things.values())
    if not contracts:
        return 0.0
    return min(1.0, best + 0.1) if handlers or counted(contracts) > 1 else 0.8 * best


def _trace(sight: Sight, best: float) -> float:
    code = any(each.kind is Kind.CODE_FILE for each in sight.things.values())
    return best if code else 0.7 * best


def _structure(sight: Sight, best: float) -> float:
    code = [each for each in sight.things.values() if each.kind is Kind.CODE_FILE and each.role != "test"]
    return best if counted(code) >= 4 else 0.4 * best


_SPECIAL: Final[dict[Can, Callable[[Sight, float], float]]] = {
    Can.COMPARE: _compare,
    Can.COMPARE_ENVIRONMENTS: _settings,
    Can.DETECT_DRIFT: lambda sight, best: 0.9 if joined_snapshots(sight) else 0.5 if snapshots(sight) else 0.0,
    Can.COMPARE_METRICS: _metrics,
    Can.CORRELATE_EVENTS: _correlate,
    Can.BUILD_TIMELINE: _timeline,
    Can.VALIDATE_SCHEMA: _schema,
    Can.CHECK_API_CONTRACT: _contract,
    Can.TRACE_ERRORS: _trace,
    Can.MAP_DEPENDENCIES: _structure,
    Can.SECRET_SCAN: lambda sight, best: max(best, 0.5),
}
