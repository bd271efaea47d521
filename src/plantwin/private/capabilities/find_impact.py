"""Find what a change of the inputs touches, how far away, why, and what to do about it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Finding, Job, Neighbour, Result
from plantwin.private.capabilities.engine.report import code, failed, ordered, outcome, plain
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.graph import PACKAGE, Network, mermaid, starts, unresolved
from plantwin.private.facts import Private, private
from plantwin.private.formats.values import words
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Impact"
FARTHEST = 8
MOST = 400
WIDE = 10
"""Objects that make an impact a wide one."""
INTERFACES = words(
    "api_handler api_contract data_contract app_entrypoint cli_tool page_template package_entrypoint "
    "authentication_form ui_component model_serving"
)
"""What others call or see from outside."""
GRAVE = words("authentication_module payment_module privacy_module database_migration infra_access")
LEVELS = (Severity.NONE, Severity.LOW, Severity.MEDIUM, Severity.MEDIUM, Severity.HIGH)
"""Risk by points."""
_WHY = {
    "imports": "imports", "tests": "tests", "documents": "describes", "configures": "takes settings from",
    "builds": "is built with", "runs": "runs", "reads": "reads", "writes": "is written by", "specifies": "implements",
    "renders": "shows", "locked": "locks", "generated": "is generated from", "compiled": "is compiled from",
    "package": "is of the same package as", "exported": "is exported from", "instance": "is filled in from",
}  # fmt: skip


@private
class Touched(NamedTuple):
    """One object that a change reaches."""

    position: int
    distance: int
    reason: str
    through: int


def touched(network: Network, begin: list[int], farthest: int = FARTHEST) -> list[Touched]:
    """Return everything that a change reaches, the nearest first.

    It goes from what is used to what uses it, and with data from who writes to who reads. Documents end the way.
    """
    found: dict[int, Touched] = {node: Touched(node, 0, "", -1) for node in begin}
    queue = deque(begin)
    while queue:
        at = queue.popleft()
        here = found[at]
        if here.distance >= farthest or here.reason in ("documents", "tests", PACKAGE):
            continue
        ways = [(arc.other, arc.reason) for arc in network.used[at] if not _only_writes(here, arc.reason)]
        if here.reason != "writes":
            ways += [(arc.other, "writes") for arc in network.uses[at] if arc.reason == "writes"]
        # A strong reason first: who both documents and imports is reached by the import.
        for other, reason in sorted(ways, key=lambda way: (way[1] == "documents", way[0])):
            if other not in found:
                found[other] = Touched(other, here.distance + 1, reason, at)
                queue.append(other)
    reached = [affected for affected in found.values() if affected.distance]
    return sorted(reached, key=lambda affected: (affected.distance, network.label(affected.position)))


def _only_writes(here: Touched, reason: str) -> bool:
    """Return whether it only writes the same data: then it is not touched; who reads it is."""
    return reason == "writes" or (here.reason == "writes" and reason not in ("reads", "specifies", "documents"))


class Impact(Private):
    """What a change reaches, and what that means."""

    def __init__(self, network: Network, begin: list[int]) -> None:
        self.network = network
        self.begin = begin
        every = touched(network, begin)
        self.found = every[:MOST]
        self.whole = len(every) <= MOST
        objects = network.objects
        self.tests = sorted(
            {objects[affected.position].name for affected in self.found if _is_test(objects[affected.position])}
        )
        self.working = [
            affected
            for affected in self.found
            if affected.reason != "documents" and not _is_test(objects[affected.position])
        ]
        """What really has to work differently: neither tests nor documents."""
        self.reasons = list(self._reasons())
        points = sum(points for points, _ in self.reasons)
        self.risk = LEVELS[min(points, 4)] if points else Severity.LOW if self.found else Severity.NONE

    def _reasons(self) -> Iterator[tuple[int, str]]:
        """Yield points of risk, with why."""
        objects = self.network.objects
        count = len(self.working)
        points = next((points for most, points in ((30, 3), (WIDE, 2), (3, 1)) if count >= most), 0)
        if points:
            yield points, f"{count} others work with it"
        reached = {
            objects[node].semantic_class for node in (*self.begin, *(affected.position for affected in self.found))
        }
        if reached & INTERFACES:
            yield 1, "it reaches what is called from outside"
        changed = {
            objects[node].semantic_class for node in (*self.begin, *(affected.position for affected in self.working))
        }
        if changed & GRAVE:
            yield 1, f"it concerns {', '.join(sorted(changed & GRAVE)).replace('_', ' ')}"
        code_files = (objects[node] for node in self.begin if objects[node].kind == "code_file")
        if not self.tests and not all(map(_is_test, code_files)):
            yield 1, "no test covers it"
        if any(affected.reason == "writes" for affected in self.found):
            yield 1, "others read data that it writes"

    def interfaces(self) -> Iterator[Finding]:
        """Yield what is called from outside and touched."""
        severity = Severity.MEDIUM if self.risk in (Severity.MEDIUM, Severity.HIGH) else Severity.LOW
        for affected in self.found:
            class_ = self.network.objects[affected.position].semantic_class
            if class_ in INTERFACES and affected.reason != "documents":
                yield finding(
                    self.network.label(affected.position), 0, severity, OutcomeTag.PUBLIC_INTERFACE,
                    f"Called from outside, and touched at distance {affected.distance}: {class_.replace('_', ' ')}",
                    hint="Check that it still answers as before.", evidence=self._way(affected),
                )  # fmt: skip

    def _way(self, affected: Touched) -> str:
        by_position = {other.position: other for other in self.found}
        names = [self.network.label(affected.position)]
        while affected.through in by_position and len(names) < FARTHEST:
            affected = by_position[affected.through]
            names.append(self.network.label(affected.position))
        names.append(self.network.label(affected.through))
        return " → ".join(reversed(names))[:400]

    def untested(self) -> Iterator[Finding]:
        """Yield code that is changed or touched and that no test exercises."""
        for node in [*self.begin, *(affected.position for affected in self.found if affected.reason == "imports")]:
            held = self.network.objects[node]
            production = held.kind == "code_file" and held.role == "production" and not _is_test(held)
            tested = any(arc.reason == "tests" for arc in self.network.used[node])
            if production and not tested and held.semantic_class != "database_migration":
                first = node in self.begin
                message = "Is changed, and no test exercises it"
                yield finding(
                    self.network.label(node), 0, Severity.MEDIUM if first else Severity.LOW, OutcomeTag.UNTESTED,
                    message if first else "Is touched, and no test exercises it directly",
                    hint="Write a test before the change.",
                )  # fmt: skip


def _is_test(neighbour: Neighbour) -> bool:
    return neighbour.semantic_class == "test_suite" or (neighbour.role == "test" and neighbour.kind == "code_file")


def run(job: Job) -> Result:
    """Find the impact of a change of the inputs."""
    network = Network(job.surroundings)
    begin = starts(job)
    if not begin:
        return failed(TITLE, "Nothing is known of what lies around these inputs.")
    impact = Impact(network, begin)
    found = ordered([*islice(impact.interfaces(), 100), *islice(impact.untested(), 100)])
    state = [] if impact.whole else [OutcomeTag.TRUNCATED.value]
    state += [OutcomeTag.WIDE_IMPACT.value] if len(impact.working) >= WIDE else []
    unread = unresolved(network, begin)
    told = outcome(found, total=len(impact.found), state=state, partial=not impact.whole or bool(unread))
    return Result(
        outcome={**told, "severity": impact.risk.value},
        title=TITLE,
        findings=found,
        facts={
            "tool": "relations of the scan",
            "inputs": [network.label(node) for node in begin],
            "objects": [network.label(affected.position) for affected in impact.found],
            "risk": impact.risk.value,
            "tests": impact.tests,
            "touched": [
                {
                    "name": network.label(affected.position), "distance": affected.distance, "reason": affected.reason,
                    "through": network.label(affected.through),
                }
                for affected in impact.found
            ],
        },
        text="\n".join([*_text(impact), *_unread(unread)]) + "\n",
    )  # fmt: skip


def _unread(names: list[str]) -> list[str]:
    shown = ", ".join(map(code, names[:8]))
    return (
        ["", f"What uses these is not read in their language, so that more may be touched: {shown}."] if names else []
    )


def _text(impact: Impact) -> list[str]:
    network, found = impact.network, impact.found
    changed = ", ".join(code(network.label(node)) for node in impact.begin[:12])
    lines = [f"A change of {changed} touches {len(found)} others. Risk: **{impact.risk.value}**."]
    lines += [f"- {plain(reason[0].upper() + reason[1:])}." for _, reason in impact.reasons]
    if found:
        counts = Counter(affected.distance for affected in found)
        most = max(counts.values())
        bars = [f"{distance} {'█' * -(-count * 40 // most)} {count}" for distance, count in sorted(counts.items())]
        rows = [
            (
                str(affected.distance), code(network.label(affected.position)),
                plain(f"{_WHY.get(affected.reason, 'uses')} {network.label(affected.through)}", 200),
            )
            for affected in found
        ]  # fmt: skip
        lines += ["", "By distance:", "", "```text", *bars, "```", ""]
        lines += table(("Distance", "Object", "Because it"), rows, 80)
    lines += ["", "Tests to run:" if impact.tests else "No test is known to cover this."]
    lines += ["", *(f"- {code(name)}" for name in impact.tests[:60])]
    papers = [network.label(affected.position) for affected in found if affected.reason == "documents"]
    if papers:
        lines += ["", "Documents to look at:", "", *(f"- {code(name)}" for name in papers[:30])]
    nodes = [*impact.begin, *(affected.position for affected in found)]
    arcs = [(affected.through, affected.position, affected.reason) for affected in found]
    lines += ["", *mermaid(nodes, arcs, network.label, set(impact.begin))]
    return lines if impact.whole else [*lines, "", f"There are more; the nearest {MOST} are listed."]
