"""Map what the inputs use and what uses them: layers, circles, what is used most, what nothing uses, packages."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator

from plantwin.private.capabilities.engine.job import Finding, Input, Job, Result
from plantwin.private.capabilities.engine.report import code, failed, ordered, outcome, plain
from plantwin.private.capabilities.engine.results import finding, table
from plantwin.private.capabilities.engine.source import source
from plantwin.private.capabilities.explain_project.overview import fits
from plantwin.private.capabilities.graph import Network, mermaid, starts, tree, unresolved
from plantwin.private.formats.definitions import outline
from plantwin.private.formats.values import words
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Dependencies"
NAMED = 8
"""Files that the first sentence names."""
DEPTH = 4
"""How far out from the inputs is looked."""
MOST = 400
"""Objects of one map."""
FEW = 8
"""Inputs of which each is drawn by itself."""
MOST_OTHERS = 5000
"""Objects around the inputs that later steps get."""
CODE = frozenset(("imports", "tests", "runs", "builds", "renders"))
"""Reasons that order layers of code."""
CIRCLE = frozenset(("imports",))
COUPLED = 20
_ENTRY_CLASSES = words(
    "app_entrypoint cli_tool test_suite test_helper test_fixture database_migration job_script example_script "
    "benchmark_runner package_entrypoint notebook page_template background_job training_script evaluation_script "
    "stylesheet task_runner build_manifest generated_artifact"
)
"""What nothing in a folder has to use."""
_NODE = words(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder test timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
)
_SCRIPTS = words("javascript jsx typescript tsx vue svelte")
_CLASS = re.compile(r"[A-Z]\w*")


def packages(given: Input, own: Container[str]) -> list[str]:
    """Return the packages that an input imports. `own`: names of the folder's own modules."""
    read = source(given)
    if read.binary:
        return []
    found = {_package(read.format, imported.strip()) for imported in outline(read.format, read.text).imports}
    return sorted(package for package in found - {""} if package.split("/")[0].split(".")[0] not in own)


def _module_names(name: str) -> Iterable[str]:
    """Yield names by which modules of the folder are imported: its upper folders and the file itself."""
    *folders, file = name.split("/")
    yield file.partition(".")[0]
    yield from folders[:3]


def _package(format: str, imported: str) -> str:
    if not imported or imported[0] in "./<\"'$~#":
        return ""
    parts = imported.split("/")
    if format == "python":
        top = imported.partition(".")[0]
        return "" if top in sys.stdlib_module_names else top
    if format in _SCRIPTS:
        name = "/".join(parts[:2]) if imported.startswith("@") else parts[0]
        return "" if name in _NODE or imported.startswith(("node:", "@/")) else name
    if format == "go":
        return "/".join(parts[:3]) if "." in parts[0] else ""
    if format in ("java", "kotlin", "scala"):
        dotted = imported.split(".")
        if dotted[0] in ("java", "javax", "kotlin", "scala", "jdk", "sun"):
            return ""
        return ".".join([word for word in dotted if not _CLASS.match(word)][:3])
    if format == "rust":
        top = imported.partition("::")[0]
        return "" if top in ("std", "core", "alloc", "crate", "self", "super") else top
    if format == "csharp":
        return "" if imported.startswith("System") else ".".join(imported.split(".")[:2])
    return parts[0] if format == "ruby" else ""


def run(job: Job) -> Result:
    """Map from the inputs outwards."""
    network = Network(job.surroundings)
    begin = starts(job)
    if not begin:
        return failed(TITLE, "Nothing is known of what lies around these inputs.")
    out = network.reach(begin, lambda node: sorted(network.outgoing(node)), DEPTH)
    back = network.reach(begin, lambda node: sorted(network.incoming(node)), DEPTH)
    region = sorted({*out, *back}, key=lambda node: (min(out.get(node, 99), back.get(node, 99)), network.label(node)))
    starting = set(begin)
    others = [node for node in region if node not in starting]
    whole = len(region) <= MOST
    region = region[:MOST]
    found = ordered([*_circles(network, region), *_coupled(network, begin), *_unused(network, begin)])
    own = {part for neighbour in job.surroundings.objects for part in _module_names(neighbour.name)}
    outside = {given.label: packages(given, own) for given in job.inputs if not given.is_result and not given.part}
    state = [] if whole else [OutcomeTag.TRUNCATED.value]
    unread = unresolved(network, begin)
    layers = network.layers([node for node in region if network.objects[node].kind != "document"], CODE)
    lines = [
        f"{_directly(network, begin)}{plural(len(others), 'other file')} within {DEPTH} steps.", "",
        *(_whole(network, begin, outside) if len(begin) > FEW else ()),
        *_inputs_table(network, begin, outside),
        *(_trees(network, begin) if len(begin) <= FEW else ()), *_drawing(network, begin, region, layers),
    ]  # fmt: skip
    if found:
        lines += ["", "Worth a look:", ""]
        lines += [
            f"- {code(finding.name)} {plain(finding.message, 400)}. {plain(finding.hint)}" for finding in found[:60]
        ]
    if unread:
        lines += ["", f"What these use is not read in their language: {', '.join(map(code, unread[:8]))}."]
    lines += [] if whole else ["", f"There are more; the nearest {MOST} are shown."]
    return Result(
        outcome=outcome(found, total=len(others), state=state, partial=not whole or bool(unread)),
        title=TITLE,
        findings=found,
        facts={
            "tool": "relations of the scan",
            "inputs": [network.label(node) for node in begin],
            "objects": [network.label(node) for node in others[:MOST_OTHERS]],
            "uses": _distances(network, begin, out),
            "used_by": _distances(network, begin, back),
            "layers": [[network.label(node) for node in row] for row in layers],
            "packages": outside,
            "fans": {
                network.label(node): {"in": len(network.incoming(node)), "out": len(network.outgoing(node))}
                for node in region
            },
        },
        text="\n".join(lines) + "\n",
    )


def _distances(network: Network, begin: list[int], found: dict[int, int]) -> list[dict[str, object]]:
    starting = set(begin)
    rows = sorted((distance, network.label(node)) for node, distance in found.items() if node not in starting)
    return [{"name": name, "distance": distance} for distance, name in rows[:MOST]]


def _circles(network: Network, region: list[int]) -> Iterator[Finding]:
    for group in network.cycles(region, CIRCLE):
        way = [network.label(node) for node in network.circle(group, CIRCLE)]
        more = f", {len(group)} objects in all" if len(group) > len(way) else ""
        yield finding(
            way[0], 0, Severity.MEDIUM if len(group) > 2 else Severity.LOW, OutcomeTag.CIRCULAR_DEPENDENCY,
            f"Import each other in a circle: {' → '.join([*way[:8], way[0]])}{more}",
            hint="Move what both need into a third, or turn one of the imports around.",
        )  # fmt: skip


def _coupled(network: Network, begin: list[int]) -> Iterator[Finding]:
    for node in begin:
        name, used, uses = network.label(node), len(network.incoming(node)), len(network.outgoing(node))
        if used >= COUPLED:
            message, hint = f"Is used by {used} others directly", "Change it with care."
            yield finding(name, 0, Severity.LOW, OutcomeTag.HIGH_COUPLING, message, hint=hint)
        if uses >= COUPLED:
            message, hint = f"Uses {uses} others directly", "It may do too much: split it."
            yield finding(name, 0, Severity.LOW, OutcomeTag.HIGH_COUPLING, message, hint=hint)


def _unused(network: Network, begin: list[int]) -> list[Finding]:
    """Return inputs, and code beside them, that nothing uses and that is no way in."""
    starting = set(begin)
    components = {network.objects[node].component for node in begin}
    found: list[Finding] = []
    for node, held in enumerate(network.objects):
        near = node in starting or held.component in components
        if not near or held.kind != "code_file" or held.role not in ("production", "legacy", ""):
            continue
        if held.semantic_class in _ENTRY_CLASSES or held.name.endswith(("__init__.py", "__main__.py", ".d.ts")):
            continue
        users = {arc.reason for arc in network.used[node]} - {"documents"}
        imports = any(arc.reason == "imports" for arc in network.uses[node])
        message = "Only tests use it" if users == {"tests"} else ""
        if not users and (imports or node in starting or held.role == "legacy"):
            message = "Nothing in the folder uses it"
        if message:
            hint = "Remove it, unless something outside the folder starts it."
            found.append(finding(network.label(node), 0, Severity.LOW, OutcomeTag.UNUSED, message, hint=hint))
        if len(found) >= 100:
            break
    return found


def _whole(network: Network, begin: list[int], outside: dict[str, list[str]]) -> Iterator[str]:
    """Say of many files what holds of all of them: which parts use which, circles, packages used most."""
    held = [network.objects[node] for node in begin]
    joined = fits(network, held)
    if joined:
        rows = [[code(fit.user), code(fit.used), str(fit.number)] for fit in joined]
        yield from ("Parts that use others:", "", *table(("Part", "Uses", "References"), rows))
    circles = network.cycles(begin, CIRCLE)
    yield f"Circular imports: {len(circles)}." if circles else "No circular imports."
    used = Counter(name for names in outside.values() for name in names)
    if used:
        yield f"Packages used most: {', '.join(f'{code(name)} ({number})' for name, number in used.most_common(12))}."
    yield ""


def _inputs_table(network: Network, begin: list[int], outside: dict[str, list[str]]) -> list[str]:
    rows = []
    for node in sorted(begin, key=lambda node: -len(network.incoming(node)) - len(network.outgoing(node))):
        label = network.label(node)
        named = ", ".join(map(code, outside.get(label, [])[:8])) or "none"
        needs = plain(", ".join(network.needs[node])) or "nothing"
        rows.append((code(label), str(len(network.outgoing(node))), str(len(network.incoming(node))), named, needs))
    return table(("Object", "Uses", "Used by", "Packages", "Needs"), rows, 40)


def _directly(network: Network, begin: list[int]) -> str:
    """Say what uses a single file, and what it uses, before all that follows from it."""
    if len(begin) > 1:
        return f"From {plural(len(begin), 'file')} outwards: "
    users, used = (
        [network.label(node) for node in sorted(of(begin[0]))] for of in (network.incoming, network.outgoing)
    )
    parts = [
        f"{who} {', '.join(map(code, names[:NAMED]))}{f' and {len(names) - NAMED} more' if len(names) > NAMED else ''}"
        for who, names in (("is used by", users), ("uses", used))
        if names
    ]
    return f"{code(network.label(begin[0]))} {' and '.join(parts) or 'uses no other file, and none uses it'}. In all "


def _trees(network: Network, begin: list[int]) -> Iterator[str]:
    for node in begin:
        yield from ("", f"**{code(network.label(node))}** uses", "", "```text")
        yield from tree(node, lambda at: _following(network, at, True), network.label)
        yield from ("```", "", "and is used by", "", "```text")
        yield from tree(node, lambda at: _following(network, at, False), network.label)
        yield "```"


def _following(network: Network, node: int, outwards: bool) -> list[tuple[int, str]]:
    joined: dict[int, dict[str, None]] = {}
    for arc in network.uses[node] if outwards else network.used[node]:
        joined.setdefault(arc.other, {})[arc.reason] = None
    following = [(other, ", ".join(reasons)) for other, reasons in joined.items()]
    return sorted(following, key=lambda pair: network.label(pair[0]))[:30]


def _drawing(network: Network, begin: list[int], region: list[int], layers: list[list[int]]) -> list[str]:
    arcs = [(node, arc.other, arc.reason) for node in region for arc in network.uses[node]]
    lines = ["", *mermaid(region, arcs, network.label, set(begin)), "", "Layers, what uses nothing first:", ""]
    for number, row in enumerate(layers, start=1):
        shown = ", ".join(code(network.label(node), 80) for node in row[:12])
        lines.append(f"{number}. {shown}{f' and {len(row) - 12} more' if len(row) > 12 else ''}")
    users = {node: len(network.incoming(node)) for node in region}
    most = sorted(region, key=lambda node: (-users[node], network.label(node)))[:8]
    lines += ["", "Used most:", ""]
    return [*lines, *(f"- {code(network.label(node))}: by {users[node]}" for node in most if users[node])]
