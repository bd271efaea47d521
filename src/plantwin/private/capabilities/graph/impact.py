"""What a change of the inputs touches, how far away, why, and what to do about it."""

from __future__ import annotations

from collections import Counter, deque
from typing import NamedTuple

from plantwin.private.capabilities.common.report import code, failed, ordered, outcome, plain
from plantwin.private.capabilities.graph.drawing import mermaid
from plantwin.private.capabilities.graph.network import Network, starts
from plantwin.private.capabilities.job import Finding, Job, Neighbour, Result
from plantwin.private.extract.formats.words import words
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
GRAVE = frozenset(("authentication_module", "payment_module", "privacy_module", "database_migration", "infra_access"))
_WHY = {
    "imports": "imports {0}",
    "tests": "tests {0}",
    "documents": "describes {0}",
    "configures": "takes settings from {0}",
    "builds": "is built with {0}",
    "runs": "runs {0}",
    "reads": "reads {0}",
    "writes": "is written by {0}",
    "specifies": "implements {0}",
    "renders": "shows {0}",
    "locked": "locks {0}",
    "generated": "is generated from {0}",
    "compiled": "is compiled from {0}",
    "exported": "is exported from {0}",
    "instance": "is filled in from {0}",
}


class Touched(NamedTuple):
    """One object that a change reaches."""

    position: int
    distance: int
    reason: str
    through: int

    def __repr__(self) -> str:
        return "<Touched private>"


def touched(network: Network, begin: list[int], farthest: int = FARTHEST) -> list[Touched]:
    """Everything that a change reaches, the nearest first.

    It goes from what is used to what uses it, and with data from who writes to who reads. Documents end the way.
    """
    found: dict[int, Touched] = {node: Touched(node, 0, "", -1) for node in begin}
    queue = deque(begin)
    while queue:
        at = queue.popleft()
        here = found[at]
        if here.distance >= farthest or here.reason in ("documents", "tests"):
            continue
        ways = [(arc.other, arc.reason) for arc in network.used[at] if not _mere_writer(here, arc.reason)]
        if here.reason != "writes":
            ways += [(arc.other, "writes") for arc in network.uses[at] if arc.reason == "writes"]
        # A strong reason first: who both documents and imports is reached by the import.
        for other, reason in sorted(ways, key=lambda way: (way[1] == "documents", way[0])):
            if other not in found:
                found[other] = Touched(other, here.distance + 1, reason, at)
                queue.append(other)
    return sorted(
        (each for each in found.values() if each.distance),
        key=lambda each: (each.distance, network.label(each.position)),
    )


def _mere_writer(here: Touched, reason: str) -> bool:
    """Who else writes the same data is not touched; who reads it is."""
    return reason == "writes" or (here.reason == "writes" and reason not in ("reads", "specifies", "documents"))


def examine(job: Job) -> Result:
    """The result of looking for the impact of a change of the inputs."""
    network = Network(job.surroundings)
    begin = starts(job)
    if not begin:
        return failed(TITLE, "Nothing is known of what lies around these inputs.")
    found = touched(network, begin)
    whole = len(found) <= MOST
    found = found[:MOST]
    tests = sorted({network.objects[each.position].name for each in found if _is_test(network.objects[each.position])})
    level, reasons = _risk(network, begin, found, tests)
    findings = ordered([*_interfaces(network, found, level), *_untested(network, begin, found)])
    tags = [OutcomeTag.TRUNCATED.value] if not whole else []
    tags += [OutcomeTag.WIDE_IMPACT.value] if len(_reached(network, found)) >= WIDE else []
    told = outcome(findings, total=len(found), state=tags, partial=not whole)
    told["severity"] = level.value
    return Result(
        outcome=told,
        title=TITLE,
        findings=findings,
        facts={
            "tool": "relations of the scan",
            "objects": [network.label(node) for node in begin],
            "risk": level.value,
            "tests": tests,
            "touched": [
                {
                    "name": network.label(each.position),
                    "distance": each.distance,
                    "reason": each.reason,
                    "through": network.label(each.through),
                }
                for each in found
            ],
        },
        text="\n".join(_text(network, begin, found, tests, level, reasons, whole)) + "\n",
    )


def _is_test(each: Neighbour) -> bool:
    return each.semantic_class == "test_suite" or (each.role == "test" and each.kind == "code_file")


def _reached(network: Network, found: list[Touched]) -> list[Touched]:
    """What really has to work differently: neither tests nor documents."""
    return [each for each in found if each.reason != "documents" and not _is_test(network.objects[each.position])]


def _risk(network: Network, begin: list[int], found: list[Touched], tests: list[str]) -> tuple[Severity, list[str]]:
    reasons = []
    points = 0
    reached = _reached(network, found)
    for most, more in ((30, 3), (WIDE, 2), (3, 1)):
        if len(reached) >= most:
            points += more
            reasons.append(f"{len(reached)} others work with it")
            break
    interfaces = [each for each in found if network.objects[each.position].semantic_class in INTERFACES]
    own = [node for node in begin if network.objects[node].semantic_class in INTERFACES]
    if interfaces or own:
        points += 1
        reasons.append("it reaches what is called from outside")
    classes = {network.objects[node].semantic_class for node in (*begin, *(each.position for each in reached))}
    if classes & GRAVE:
        points += 1
        reasons.append(f"it concerns {', '.join(sorted(classes & GRAVE)).replace('_', ' ')}")
    code_ = [
        node for node in begin if network.objects[node].kind == "code_file" and not _is_test(network.objects[node])
    ]
    if code_ and not tests:
        points += 1
        reasons.append("no test covers it")
    if any(each.reason == "writes" for each in found):
        points += 1
        reasons.append("others read data that it writes")
    level = (Severity.NONE, Severity.LOW, Severity.MEDIUM, Severity.MEDIUM, Severity.HIGH)[min(points, 4)]
    if level is Severity.NONE and found:
        level = Severity.LOW
    return level, reasons


def _interfaces(network: Network, found: list[Touched], level: Severity) -> list[Finding]:
    rows = []
    for each in found:
        held = network.objects[each.position]
        if held.semantic_class in INTERFACES and each.reason != "documents":
            way = _way(network, each, found)
            rows.append(
                Finding(
                    name=network.label(each.position),
                    severity=(Severity.MEDIUM if level in (Severity.MEDIUM, Severity.HIGH) else Severity.LOW).value,
                    tag=OutcomeTag.PUBLIC_INTERFACE.value,
                    message=f"Called from outside, and touched at distance {each.distance}: {_spoken(held)}",
                    hint="Check that it still answers as before.",
                    evidence=way,
                )
            )
    return rows[:100]


def _spoken(held: Neighbour) -> str:
    return held.semantic_class.replace("_", " ")


def _way(network: Network, each: Touched, found: list[Touched]) -> str:
    by_position = {one.position: one for one in found}
    names = [network.label(each.position)]
    at = each
    while at.through in by_position and len(names) < FARTHEST:
        at = by_position[at.through]
        names.append(network.label(at.position))
    names.append(network.label(at.through))
    return " → ".join(reversed(names))[:400]


def _untested(network: Network, begin: list[int], found: list[Touched]) -> list[Finding]:
    rows = []
    reached = list(begin) + [each.position for each in found if each.reason == "imports"]
    for node in reached:
        held = network.objects[node]
        if held.kind != "code_file" or _is_test(held) or held.role != "production":
            continue
        if not any(arc.reason == "tests" for arc in network.used[node]) and held.semantic_class not in (
            "database_migration",
        ):
            rows.append(
                Finding(
                    name=network.label(node),
                    severity=(Severity.MEDIUM if node in begin else Severity.LOW).value,
                    tag=OutcomeTag.UNTESTED.value,
                    message="Is changed, and no test exercises it"
                    if node in begin
                    else "Is touched, and no test exercises it directly",
                    hint="Write a test before the change.",
                )
            )
    return rows[:100]


def _text(
    network: Network,
    begin: list[int],
    found: list[Touched],
    tests: list[str],
    level: Severity,
    reasons: list[str],
    whole: bool,
) -> list[str]:
    changed = ", ".join(code(network.label(node)) for node in begin[:12])
    lines = [f"A change of {changed} touches {len(found)} others. Risk: **{level.value}**."]
    lines += [f"- {plain(reason[0].upper() + reason[1:])}." for reason in reasons]
    if found:
        counts = Counter(each.distance for each in found)
        most = max(counts.values())
        lines += ["", "By distance:", "", "```text"]
        lines += [
            f"{distance} {'█' * -(-counts[distance] * 40 // most)} {counts[distance]}" for distance in sorted(counts)
        ]
        lines += ["```", "", "| Distance | Object | Because it |", "|---:|---|---|"]
        for each in found[:80]:
            why = _WHY.get(each.reason, "uses {0}").format(network.label(each.through))
            lines.append(f"| {each.distance} | {code(network.label(each.position))} | {plain(why, 200)} |")
        if len(found) > 80:
            lines.append(f"| | and {len(found) - 80} more | |")
    lines += ["", "Tests to run:" if tests else "No test is known to cover this."]
    lines += ["", *(f"- {code(each)}" for each in tests[:60])]
    papers = [network.label(each.position) for each in found if each.reason == "documents"]
    if papers:
        lines += ["", "Documents to look at:", "", *(f"- {code(each)}" for each in papers[:30])]
    nodes = [*begin, *(each.position for each in found)]
    arcs = [(each.through, each.position, each.reason) for each in found]
    lines += ["", *mermaid(nodes, arcs, network.label, set(begin))]
    if not whole:
        lines += ["", f"There are more; the nearest {MOST} are listed."]
    return lines
