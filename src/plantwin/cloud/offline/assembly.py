"""From chosen capabilities to steps: each put to its objects, in an order in which results feed what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.hearing import Wanted
from plantwin.cloud.offline.inputs import Targets, targets
from plantwin.cloud.offline.language import Sentence
from plantwin.cloud.offline.sight import Sight
from plantwin.types.capability import Capability
from plantwin.vocabulary import CapabilityName as Can

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
MOST: Final = 8
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
                self._step(capability, ids[:MOST])
                return
        for capability in self._catalog.values():
            if capability.name is Can.PROCESS_OBJECT:
                for each in ids[:MOST]:
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
        fresh = [each for each in ids if used[each] < BEARS.get(self._sight.things[each].sensitivity, MOST)]
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
