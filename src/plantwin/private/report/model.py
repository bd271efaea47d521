"""What a session found and examined, over all its steps: duplicates folded, worst first, by rule and by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import UNSET

from plantwin.private.facts import private
from plantwin.private.report.wording import words
from plantwin.text import plural
from plantwin.types.verdict import Allowed, Denied
from plantwin.vocabulary import CapabilityName, Severity, StepStatus

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Coverage, Finding, LeftOut
    from plantwin.run import Run, Turn
    from plantwin.types.plan import Step
    from plantwin.types.verdict import Verdict

ORDER = tuple(each.value for each in Severity)
"""Severities from none to the worst."""
FEW = 3
"""Objects that are named; of more their number is told."""
WORST_FIRST = tuple(reversed(ORDER))


class Taken(NamedTuple):
    """One step with what became of it."""

    turn: int
    position: int
    step: Step
    verdict: Verdict | None
    seconds: float
    result: Any

    @property
    def findings(self) -> list[Finding]:
        """What it found, worst first."""
        found = self.result.findings if self.result is not None else []
        return sorted(found, key=lambda finding: (-rank(finding.severity), finding.name, finding.line))

    @property
    def worst(self) -> int:
        """How bad the worst of it is."""
        found = self.result.findings if self.result is not None else []
        return max((rank(finding.severity) for finding in found), default=0)

    @property
    def coverage(self) -> Coverage | None:
        """How much of a set it examined; none for a step on single objects."""
        found: Coverage | None = self.result.coverage if self.result is not None else None
        return found

    @property
    def failed(self) -> bool:
        """Whether it was let through and gave no result, or one that says that it failed."""
        if not isinstance(self.verdict, Allowed):
            return False
        return self.verdict.failure is not None or self.verdict.outcome.status is StepStatus.FAILED

    @property
    def done(self) -> bool:
        """Whether it was carried out."""
        return isinstance(self.verdict, Allowed) and not self.failed

    @property
    def rates(self) -> bool:
        """Whether it is of a sort that finds things of some severity, as an audit does and a summary does not."""
        found = self.result is not None and bool(self.result.findings)
        return found or (isinstance(self.verdict, Allowed) and self.verdict.outcome.severity is not UNSET)

    @property
    def partial(self) -> bool:
        """Whether it says that it did only a part."""
        return isinstance(self.verdict, Allowed) and self.verdict.outcome.status is StepStatus.PARTIAL


def rank(severity: str) -> int:
    """How bad a severity word is."""
    return ORDER.index(severity) if severity in ORDER else 0


def taken(run: Run) -> list[Taken]:
    """Every step of every plan, in the order of the plans."""
    return [_taken(run, number, turn, place) for number, turn in enumerate(run.turns, 1) for place in _places(turn)]


def unheard(run: Run) -> str:
    """Say of which steps an audience heard no finding, and what would change that; nothing where there are none."""
    silent = [
        step.step.capability
        for step in taken(run)
        if isinstance(step.verdict, Allowed)
        and step.findings
        and step.verdict.outcome.severity is step.verdict.outcome.count is UNSET
    ]
    if not silent or not run.rationed:
        return ""
    return (
        f"Of what {', '.join(dict.fromkeys(silent))} found {run.audience} heard nothing: too few files are alike, or a "
        f'budget is used up. With `{run.audience} = "weighted"` under [budget.audiences] it hears more of single files.'
    )


def _places(turn: Turn) -> range:
    return range(len(turn.plan.steps))


def _taken(run: Run, number: int, turn: Turn, place: int) -> Taken:
    step = turn.plan.steps[place]
    verdict = turn.verdict(place)
    # A refused step has no result of its own, whatever an earlier plan's step of that name left.
    result = run.results.get((number, step.id)) if isinstance(verdict, Allowed) else None
    return Taken(number, place, step, verdict, turn.seconds.get(place, 0.0), result)


@private
class Reported(NamedTuple):
    """One finding, with every capability that made it."""

    finding: Finding
    by: tuple[str, ...]
    """Capabilities as plans call them, in the order of the steps."""

    @property
    def place(self) -> str:
        """Name and line."""
        return f"{self.finding.name}:{self.finding.line}" if self.finding.line else self.finding.name

    @property
    def sort(self) -> str:
        """What findings of one sort share: the rule, or without one capability and tag."""
        return self.finding.rule or f"{self.by[0]}/{self.finding.tag}"


class _Fold:
    """Findings at one place; the same from another capability joins what is there."""

    def __init__(self) -> None:
        self._at: dict[tuple[str, int], list[Reported]] = {}

    def add(self, finding: Finding, capability: str) -> None:
        known = self._at.setdefault((finding.name, finding.line), [])
        for number, other in enumerate(known):
            if _same(other, finding, capability):
                known[number] = _joined(other, finding, capability)
                return
        known.append(Reported(finding, (capability,)))

    def __iter__(self) -> Iterator[Reported]:
        return (one for known in self._at.values() for one in known)


def _same(other: Reported, finding: Finding, capability: str) -> bool:
    """Whether two findings at one place are one: the same words, or one rule at one line in two capabilities."""
    known = other.finding
    if (known.tag, known.message) == (finding.tag, finding.message):
        return True
    # One capability may find a rule twice at a line, and any capability twice in a file as a whole.
    return bool(finding.rule) and known.rule == finding.rule and finding.line > 0 and capability not in other.by


def _joined(other: Reported, finding: Finding, capability: str) -> Reported:
    worse = finding if rank(finding.severity) > rank(other.finding.severity) else other.finding
    # A report repeats what others found; it is no second opinion.
    if capability in other.by or capability == CapabilityName.REPORT:
        return Reported(worse, other.by)
    return Reported(worse, (*other.by, capability))


def folded(steps: Iterable[Taken]) -> list[Reported]:
    """Findings of all steps, each once, worst first."""
    fold = _Fold()
    done = [step for step in steps if step.result is not None]
    for step in sorted(done, key=lambda one: one.step.capability == CapabilityName.REPORT):
        for finding in step.result.findings:
            fold.add(finding, step.step.capability)
    return sorted(fold, key=_order)


def _order(reported: Reported) -> tuple[int, str, int, str, str]:
    finding = reported.finding
    return -rank(finding.severity), finding.name, finding.line, finding.rule, finding.message


REASONS: Final = 3
"""Reasons that a sentence names."""


class Covered(NamedTuple):
    """Steps that examined equally much of sets that are equally large."""

    steps: tuple[Taken, ...]
    given: int
    examined: int
    reused: int
    left_out: tuple[tuple[str, int], ...]
    """Reason and number, the most frequent first."""

    def sentence(self) -> str:
        """`47 of 50 files; 3 not: 2 unreadable, 1 too large`."""
        if not self.given:
            return "no files: what the step was given is empty"
        text = f"{self.examined:,} of {plural(self.given, 'file')}"
        missing = self.given - self.examined
        if missing > 0:
            told = [f"{number:,} {reason}" for reason, number in self.left_out[:REASONS]]
            rest = sum(number for _, number in self.left_out[REASONS:])
            reasons = ", ".join([*told, f"{rest:,} for other reasons"] if rest else told)
            text += f"; {missing:,} not" + (f": {reasons}" if reasons else "")
        return text


@dataclass(frozen=True, repr=False)
class Overview:
    """A session as its report tells it."""

    steps: list[Taken]
    findings: list[Reported]

    @classmethod
    def of(cls, run: Run) -> Overview:
        """Put together what all steps of a session found, without those that another one answers for."""
        steps = [step for step in taken(run) if not run.turns[step.turn - 1].superseded(step.position)]
        return cls(steps, folded(steps))

    @cached_property
    def severities(self) -> Counter[str]:
        """How many findings there are of each severity; one outside of the vocabulary counts as none."""
        return Counter(ORDER[rank(one.finding.severity)] for one in self.findings)

    @cached_property
    def by_sort(self) -> dict[str, list[Reported]]:
        """Findings by rule, the worst and most frequent rule first."""
        return _grouped(self.findings, lambda one: one.sort)

    @cached_property
    def by_file(self) -> dict[str, list[Reported]]:
        """Findings by file, the worst file first."""
        return _grouped(self.findings, lambda one: one.finding.name)

    @property
    def failed(self) -> list[Taken]:
        """Steps that were let through and failed."""
        return [step for step in self.steps if step.failed]

    @property
    def refused(self) -> list[Taken]:
        """Steps that were not let through."""
        return [step for step in self.steps if isinstance(step.verdict, Denied)]

    @property
    def missed(self) -> list[Taken]:
        """Steps that were not reached."""
        return [step for step in self.steps if step.verdict is None]

    @property
    def complete(self) -> bool:
        """Whether every step was carried out, and on everything that it was given."""
        undone = not all(step.done for step in self.steps) or any(step.partial for step in self.steps)
        return not undone and all(covered.examined >= max(covered.given, 1) for covered in self.coverage)

    @cached_property
    def coverage(self) -> list[Covered]:
        """How much the steps over sets examined; steps with the same figures are told together."""
        grouped: dict[tuple[int, int, int, tuple[tuple[str, int], ...]], list[Taken]] = {}
        for step in self.steps:
            if (covered := step.coverage) is not None:
                reasons = tuple((part.reason, part.count) for part in sorted(covered.left_out, key=_most_first))
                key = (covered.given, covered.examined, covered.reused, reasons)
                grouped.setdefault(key, []).append(step)
        return [Covered(tuple(steps), *key) for key, steps in grouped.items()]

    @property
    def singles(self) -> list[str]:
        """Ids of objects that were examined one by one, by the steps that gave a result."""
        from plantwin.types.twin import object_id_like

        done = [step for step in self.steps if step.done and step.result is not None and step.coverage is None]
        return list(dict.fromkeys(str(name) for step in done for name in step.step.inputs if object_id_like(name)))

    def headline(self) -> str:
        """`467 findings in 31 files: 12 critical, 80 high, 375 medium.`"""
        counts = self.severities
        if self.findings:
            listed = ", ".join(f"{counts[word]:,} {word}" for word in WORST_FIRST if counts[word])
            files = plural(len(self.by_file), "file")
            return f"{plural(len(self.findings), 'finding')} in {files}: {listed}."
        if not self.steps:
            return "No step was planned."
        if not any(step.done for step in self.steps):
            return "Nothing was examined."
        if self.coverage and not self.singles and not any(covered.examined for covered in self.coverage):
            return "Nothing was examined."
        if not any(step.rates for step in self.steps):
            done = sum(step.done for step in self.steps)
            return f"{plural(done, 'step')} carried out."
        return "No findings." if self.complete else "No findings in what was examined."

    def undone(self) -> str:
        """`Not done: 1 of 5 steps failed, 1 was refused.`; empty where all were carried out."""
        parts = [
            (len(self.failed), "failed", "failed"),
            (len(self.refused), "was refused", "were refused"),
            (len(self.missed), "was not reached", "were not reached"),
        ]
        told = [f"{number:,} {one if number == 1 else more}" for number, one, more in parts if number]
        return f"Not done: of {plural(len(self.steps), 'step')} {', '.join(told)}." if told else ""

    def examined(self, names: Mapping[str, tuple[str, str]]) -> list[str]:
        """How much was examined, a sentence for each different figure."""
        several = len(self.coverage) > 1
        said = []
        for covered in self.coverage:
            steps = ", ".join(dict.fromkeys(words(step.step.capability) for step in covered.steps))
            said.append(covered.sentence() + (f" ({steps})" if several else ""))
        if self.singles:
            some = [names[id_] for id_ in self.singles if id_ in names] if len(self.singles) <= FEW else []
            told = ", ".join(f"{path}#{part}" if part else path for path, part in some)
            said.append(told or plural(len(self.singles), "file"))
        if partial := ", ".join(dict.fromkeys(words(step.step.capability) for step in self.steps if step.partial)):
            said.append(f"in part by {partial}: why is in the report, under its steps")
        return said


def _most_first(part: LeftOut) -> tuple[int, str]:
    return -part.count, part.reason


def _grouped(findings: Iterable[Reported], key: Callable[[Reported], str]) -> dict[str, list[Reported]]:
    groups: dict[str, list[Reported]] = {}
    for one in findings:
        groups.setdefault(key(one), []).append(one)
    return dict(sorted(groups.items(), key=lambda item: (-rank(item[1][0].finding.severity), -len(item[1]), item[0])))
