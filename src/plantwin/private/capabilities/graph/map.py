"""One map: what the inputs use and what uses them, layers, circles, what is used most, what nothing uses."""

from __future__ import annotations

from plantwin.private.capabilities.common.report import code, failed, ordered, outcome, plain
from plantwin.private.capabilities.graph.drawing import mermaid, tree
from plantwin.private.capabilities.graph.network import Network, starts
from plantwin.private.capabilities.graph.outside import packages
from plantwin.private.capabilities.job import Finding, Job, Result
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Dependencies"
DEPTH = 4
"""How far out from the inputs is looked."""
MOST = 400
"""Objects of one map."""
CODE = frozenset(("imports", "tests", "runs", "builds", "renders"))
"""Reasons that make a circle one of code."""
CIRCLE = frozenset(("imports",))
COUPLED = 20
_NOT_UNUSED = frozenset(
    ("app_entrypoint", "cli_tool", "test_suite", "test_helper", "test_fixture", "database_migration", "job_script",
     "example_script", "benchmark_runner", "package_entrypoint", "notebook", "page_template", "background_job",
     "training_script", "evaluation_script", "stylesheet", "task_runner", "build_manifest", "generated_artifact")
)  # fmt: skip


def examine(job: Job) -> Result:
    """The result of mapping from the inputs outwards."""
    network = Network(job.surroundings)
    begin = starts(job)
    if not begin:
        return failed(TITLE, "Nothing is known of what lies around these inputs.")
    out = network.reach(begin, lambda node: sorted(network.outgoing(node)), DEPTH)
    back = network.reach(begin, lambda node: sorted(network.incoming(node)), DEPTH)
    region = sorted({*out, *back}, key=lambda node: (min(out.get(node, 99), back.get(node, 99)), network.label(node)))
    whole = len(region) <= MOST
    region = region[:MOST]
    findings = [*_circles(network, region), *_coupled(network, begin), *_unused(network, begin)]
    names = [each.name for each in job.surroundings.objects]
    outside = {given.label: packages(given, names) for given in job.inputs if not given.is_result and not given.part}
    unique = ordered(findings)
    state = [] if whole else [OutcomeTag.TRUNCATED.value]
    layers = network.layers([node for node in region if network.objects[node].kind != "document"], CODE)
    return Result(
        outcome=outcome(unique, total=len(region) - len(begin), state=state, partial=not whole),
        title=TITLE,
        findings=unique,
        facts={
            "tool": "relations of the scan",
            "objects": [network.label(node) for node in begin],
            "uses": _listed(network, begin, out),
            "used_by": _listed(network, begin, back),
            "layers": [[network.label(node) for node in row] for row in layers],
            "packages": outside,
            "fans": {network.label(node): _fans(network, node) for node in region},
        },
        text="\n".join(_text(network, begin, region, layers, outside, unique, whole)) + "\n",
    )


def _fans(network: Network, node: int) -> dict[str, int]:
    return {"in": len(network.incoming(node)), "out": len(network.outgoing(node))}


def _listed(network: Network, begin: list[int], found: dict[int, int]) -> list[dict[str, object]]:
    rows = sorted((distance, network.label(node)) for node, distance in found.items() if node not in begin)
    return [{"name": name, "distance": distance} for distance, name in rows[:MOST]]


def _circles(network: Network, region: list[int]) -> list[Finding]:
    found = []
    for group in network.cycles(region, CIRCLE):
        way = [network.label(node) for node in network.circle(group, CIRCLE)]
        more = f", {len(group)} objects in all" if len(group) > len(way) else ""
        found.append(
            Finding(
                name=way[0],
                severity=(Severity.MEDIUM if len(group) > 2 else Severity.LOW).value,
                tag=OutcomeTag.CIRCULAR_DEPENDENCY.value,
                message=f"Import each other in a circle: {' → '.join([*way[:8], way[0]])}{more}",
                hint="Move what both need into a third, or turn one of the imports around.",
            )
        )
    return found


def _coupled(network: Network, begin: list[int]) -> list[Finding]:
    found = []
    for node in begin:
        fans = _fans(network, node)
        for way, word in (("in", "are used by"), ("out", "use")):
            if fans[way] >= COUPLED:
                found.append(
                    Finding(
                        name=network.label(node),
                        severity=Severity.LOW.value,
                        tag=OutcomeTag.HIGH_COUPLING.value,
                        message=f"{'Is used by' if word != 'use' else 'Uses'} {fans[way]} others directly",
                        hint="Change it with care." if way == "in" else "It may do too much: split it.",
                    )
                )
    return found


def _unused(network: Network, begin: list[int]) -> list[Finding]:
    """Inputs, and code beside them, that nothing uses and that is no way in."""
    components = {network.objects[node].component for node in begin}
    found = []
    for node, each in enumerate(network.objects):
        near = node in begin or each.component in components
        if not near or each.kind != "code_file" or each.role not in ("production", "legacy", ""):
            continue
        if each.semantic_class in _NOT_UNUSED or each.name.endswith(("__init__.py", "__main__.py", ".d.ts")):
            continue
        users = {arc.reason for arc in network.used[node]}
        if users - {"documents"}:
            if users <= {"documents", "tests"}:
                found.append(_idle(network.label(node), "Only tests use it", Severity.LOW))
        elif any(arc.reason == "imports" for arc in network.uses[node]) or node in begin or each.role == "legacy":
            found.append(_idle(network.label(node), "Nothing in the folder uses it", Severity.LOW))
        if len(found) >= 100:
            break
    return found


def _idle(name: str, message: str, severity: Severity) -> Finding:
    return Finding(
        name=name,
        severity=severity.value,
        tag=OutcomeTag.UNUSED.value,
        message=message,
        hint="Remove it, unless something outside the folder starts it.",
    )


def _text(
    network: Network,
    begin: list[int],
    region: list[int],
    layers: list[list[int]],
    outside: dict[str, list[str]],
    findings: list[Finding],
    whole: bool,
) -> list[str]:
    lines = [f"From {len(begin)} outwards: {len(region) - len(begin)} others within {DEPTH} steps."]
    lines += ["", "| Object | Uses | Used by | Packages | Needs |", "|---|---:|---:|---|---|"]
    for node in begin[:40]:
        label = network.label(node)
        fans = _fans(network, node)
        named = ", ".join(map(code, outside.get(label, [])[:8])) or "none"
        needs = plain(", ".join(network.needs[node])) or "nothing"
        lines.append(f"| {code(label)} | {fans['out']} | {fans['in']} | {named} | {needs} |")
    for node in begin[:8]:
        lines += ["", f"**{code(network.label(node))}** uses", "", "```text"]
        lines += tree(node, lambda at: _following(network, at, True), network.label)
        lines += ["```", "", "and is used by", "", "```text"]
        lines += tree(node, lambda at: _following(network, at, False), network.label)
        lines += ["```"]
    arcs = [(node, arc.other, arc.reason) for node in region for arc in network.uses[node]]
    lines += ["", *mermaid(region, arcs, network.label, set(begin))]
    lines += ["", "Layers, what uses nothing first:", ""]
    for number, row in enumerate(layers, start=1):
        shown = ", ".join(code(network.label(node), 80) for node in row[:12])
        lines.append(f"{number}. {shown}{f' and {len(row) - 12} more' if len(row) > 12 else ''}")
    most = sorted(region, key=lambda node: (-len(network.incoming(node)), network.label(node)))[:8]
    lines += ["", "Used most:", ""]
    lines += [
        f"- {code(network.label(node))}: by {len(network.incoming(node))}" for node in most if network.incoming(node)
    ]
    if findings:
        lines += ["", "Worth a look:", ""]
        lines += [f"- {code(each.name)} {plain(each.message, 400)}. {plain(each.hint)}" for each in findings[:60]]
    if not whole:
        lines += ["", f"There are more; the nearest {MOST} are shown."]
    return lines


def _following(network: Network, node: int, outwards: bool) -> list[tuple[int, str]]:
    arcs = network.uses[node] if outwards else network.used[node]
    joined: dict[int, list[str]] = {}
    for arc in arcs:
        joined.setdefault(arc.other, []).append(arc.reason)
    return sorted(
        ((other, ", ".join(dict.fromkeys(reasons))) for other, reasons in joined.items()),
        key=lambda pair: network.label(pair[0]),
    )[:30]
