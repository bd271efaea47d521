"""From chosen capabilities to steps, in their order, each on its targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from plantwin.cloud.offline.choice import Choice
from plantwin.cloud.offline.hearing import Wanted
from plantwin.cloud.offline.language import Sentence, find
from plantwin.cloud.offline.sight import Input, Sight, possible
from plantwin.cloud.offline.targets import Aim, Targets, targets
from plantwin.types.capability import Capability
from plantwin.types.plan import MAX_INPUTS
from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import ContentTag, Kind, Part, ResultType, WorksOn

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
MEANT_TAGS: Final[dict[Can, tuple[ContentTag, ...]]] = {
    Can.REDACT_DOCUMENT: (ContentTag.PERSONAL_DATA, ContentTag.HEALTH_DATA, ContentTag.PAYMENT_DATA,
    ContentTag.CREDENTIALS),
    Can.ASSESS_EXPOSURE: (ContentTag.CREDENTIALS,),
    Can.TRACE_ERRORS: (ContentTag.STACK_TRACES, ContentTag.ERROR_LINES),
}  # fmt: skip
"""What makes an object worth it: of a set in which only some hold it, those are taken."""
TOUCHED: Final = (
    "audit|review|check|lint|scan|inspect|examine what|whatever|everything|all touch|touched|affect|affected|reach|hit",
)
"""`Audit what this change would touch`: the work is on what is found, not on what is changed."""
FINDS: Final = {Can.TRACE_ERRORS: Part.RELATED, Can.SEARCH_SIMILAR: Part.MATCHED, Can.FIND_CODE: Part.MATCHED}
"""What finds code, and the part of its result that this is: `run the tests for that code`."""
BEARS: Final = {"high": 2, "restricted": 3}
"""Steps on one object whose outcomes its budget usually bears, by sensitivity."""
MOST_AT_ONCE: Final = 8
"""Objects for a catalog that does everything in one call."""
WHOLE: Final = (Can.PROCESS_PROJECT, Can.PROCESS_OBJECT)


class Draft:
    """A plan in the making."""

    def __init__(self, catalog: Mapping[str, Capability], sight: Sight, sentence: Sentence, goal: Aim) -> None:
        self._catalog = catalog
        self._sight = sight
        self._sentence = sentence
        self._goal = goal
        self._steps: list[dict[str, Any]] = []
        self._pair: set[str] = set()
        self._beside: list[str] = []
        """What the goal names to be compared, and all that stands beside it there."""
        self._second: set[str] = set()
        """What the goal compares with something it named before: the second side, of one object or several."""
        self._touched = frozenset(each.clause for each in find(sentence, TOUCHED))
        self.unmet: list[Wanted] = []
        """What was chosen and has no object yet that is known to fit."""
        self.joins = False
        """Whether a step joins the results of others."""

    def feasible(self, can: Can) -> bool:
        """Whether enough objects fit it, or may."""
        if can in WHOLE:
            return False
        things = list(self._sight.things.values())
        if can is Can.REPORT:
            return bool(things)
        # Everything may be in a set of which nothing is known: that alone makes nothing likely.
        things = [each for each in things if not each.dark] or things
        for capability in self._catalog.values():
            if capability.name is can:
                fitting = [each for each in things if each.fits(capability) or each.may_fit(capability)]
                if possible(fitting) >= max(capability.least, 1):
                    return True
        return False

    def steps(self, choice: Choice) -> list[dict[str, Any]]:
        """The steps of what was chosen."""
        for wanted in choice.wanted:
            if wanted.can is Can.COMPARE and Can.COMPARE.value in self._catalog and not self._sought(choice):
                pair = self._targets(wanted, self._catalog[Can.COMPARE.value])
                self._pair = set(pair.ids) if pair.pointed else set()
                stated = self._sentence.ids(wanted.clauses)
                self._beside = [*pair.ids, *stated]
                self._second = set(stated) if self._pair - set(stated) else set()
        for wanted in sorted(choice.wanted, key=self._order):
            for capability in self._catalog.values():
                if capability.name is wanted.can:
                    self._add(wanted, capability)
        if not choice.wanted:
            self._everything()
        return self._steps

    def _order(self, wanted: Wanted) -> tuple[bool, int]:
        """What works on what another step finds comes after it."""
        refers = wanted.can not in FINDS and bool(wanted.clauses & (self._sentence.back | self._touched))
        place = ORDER.index(wanted.can) if wanted.can in ORDER else -1
        return refers and wanted.can not in (Can.FIND_IMPACT, Can.COMPARE, Can.REPORT), place

    def _targets(self, wanted: Wanted, capability: Capability) -> Targets:
        return targets(wanted, capability, self._sentence, self._goal, self._sight)

    def _everything(self) -> None:
        """A catalog that does everything in one call: for all at once, else for one after the other."""
        ids = [each for each in self._goal.named if each in self._sight.things] or list(self._sight.things)
        for capability in self._catalog.values():
            if capability.name is Can.PROCESS_PROJECT:
                self._step(capability, ids[:MOST_AT_ONCE])
                return
        for capability in self._catalog.values():
            if capability.name is Can.PROCESS_OBJECT:
                self._apart(capability, ids[:MOST_AT_ONCE])

    def _add(self, wanted: Wanted, capability: Capability) -> None:
        if wanted.can is Can.REPORT:
            self.joins = True
            if self._steps:
                self._join(capability, [each["id"] for each in self._steps][: capability.most])
            return
        if part := self._found_before(wanted, capability):
            self._join(capability, [*(self._goal.named[:1] if wanted.can is Can.COMPARE else ()), part])
            return
        chosen = self._targets(wanted, capability)
        self.joins |= wanted.can is Can.COMPARE
        if wanted.can is Can.COMPARE and (results := self._results(chosen.ids)):
            self._join(capability, results)
            return
        if possible(map(self._sight.thing, chosen.ids)) < max(capability.least, 1):
            self.unmet.append(wanted)
            return
        if chosen.pointed and wanted.can in COMPARABLE:
            chosen = self._compared(chosen, capability)
        ids = list(chosen.ids) if chosen.pointed else self._spared(chosen.ids, capability.least)
        beside = wanted.can in COMPARABLE and bool(self._pair & set(ids))
        if beside and (sides := self._sides(ids, capability)):
            for side in sides:
                self._step(capability, side)
        elif beside or (not self._sight.over_sets and (wanted.can in APART or capability.most == 1)):
            self._apart(capability, ids, each_set=beside)
        else:
            self._step(capability, ids)

    def _sought(self, choice: Choice) -> bool:
        """`Which were made from {this}, and how do they differ`: what is found is compared with what is named."""
        return len(self._goal.named) == 1 and any(each.can is Can.SEARCH_SIMILAR for each in choice.wanted)

    def _found_before(self, wanted: Wanted, capability: Capability) -> str:
        """The part of an earlier result that a clause means by `that code`; nothing where it names what it means."""
        finders = {self._catalog[each["capability"]].name: each["id"] for each in self._steps}
        if wanted.can is Can.COMPARE and len(self._goal.named) == 1 and Can.SEARCH_SIMILAR in finders:
            return f"{finders[Can.SEARCH_SIMILAR]}.{Part.MATCHED.value}"
        if wanted.clauses & self._touched and Can.FIND_IMPACT in finders and wanted.can in COMPARABLE:
            return f"{finders[Can.FIND_IMPACT]}.{Part.RELATED.value}"
        if not wanted.clauses & self._sentence.back or self._sentence.ids(wanted.clauses):
            return ""
        part = next((f"{finders[can]}.{part.value}" for can, part in FINDS.items() if can in finders), "")
        return part if Kind.CODE_FILE in capability.kinds and wanted.can not in FINDS else ""

    def _apart(self, capability: Capability, ids: Sequence[str], *, each_set: bool = False) -> None:
        """One step for each object, and one for all sets, or for each of them."""
        ids = ids if each_set else self._sight.uncovered(ids)
        sets = [each for each in ids if self._sight.thing(each).several]
        for each in ids:
            if each_set or each not in sets:
                self._step(capability, [each])
        if sets and not each_set:
            self._step(capability, sets)

    def _compared(self, chosen: Targets, capability: Capability) -> Targets:
        """`Review {this} and compare it with {that}` reviews both: their results are what is compared."""
        if not self._pair & set(chosen.ids):
            return chosen
        both = dict.fromkeys([*chosen.ids, *self._beside])
        return Targets(tuple(each for each in both if self._sight.thing(each).fits(capability)), True)

    def _sides(self, ids: Sequence[str], capability: Capability) -> list[list[str]]:
        """The two sides of a comparison of findings, where each is of one class: a module may be several files."""
        sides = [[each for each in ids if (each in self._second) is second] for second in (False, True)]
        classes = [{self._sight.thing(each).leaf for each in side} for side in sides]
        alike = all(
            len(side) <= capability.most and len(leaves) == 1 for side, leaves in zip(sides, classes, strict=True)
        )
        return sides if alike and capability.returns is ResultType.FINDINGS else []

    def _spared(self, ids: Sequence[str], least: int) -> list[str]:
        """Without objects that bear no further outcome, as far as others are left: what is sensitive bears few.

        A set's outcome is borne by all of its members.
        """
        used = Counter(each for step in self._steps for each in step["inputs"] if isinstance(each, str))
        things = [self._sight.thing(each) for each in ids]
        fresh = [
            each.id for each in things if each.several or used[each.id] < BEARS.get(each.sensitivity, MOST_AT_ONCE)
        ]
        return fresh if possible(map(self._sight.thing, fresh)) >= max(least, 1) else list(ids)

    def _results(self, ids: Sequence[str]) -> list[str]:
        """Two steps of one capability on the two things to compare, where there are."""
        if len(ids) < 2:
            return []
        wanted = [self._sight.written([each]) for each in ids[:2]]
        for name in {each["capability"]: None for each in self._steps}:
            mine = [each for each in self._steps if each["capability"] == name]
            found = [
                next((each["id"] for each in mine if all(given in each["inputs"] for given in inputs)), None)
                for inputs in wanted
            ]
            if all(found) and len(set(found)) == 2:
                return [each for each in found if each is not None]
        return []

    def _step(self, capability: Capability, ids: Sequence[str]) -> None:
        inputs = self._sight.written(ids, MEANT_TAGS.get(capability.name, ()), sides=capability.least > 1)
        several = any(self._sight.thing(each).several for each in ids)
        if not several or capability.least > 1:
            self._join(capability, inputs[: min(capability.most, MAX_INPUTS)])
            return
        parts = -(-len(inputs) // MAX_INPUTS) if capability.works_on is WorksOn.EACH else 1
        for start in range(0, parts * MAX_INPUTS, MAX_INPUTS):
            self._join(capability, inputs[start : start + MAX_INPUTS])

    def _join(self, capability: Capability, inputs: Sequence[Input]) -> None:
        """One step, on inputs as a plan writes them."""
        step = {"id": f"s{len(self._steps) + 1}", "capability": capability.word}
        self._steps.append({**step, "inputs": list(inputs), "output": capability.returns.value})
