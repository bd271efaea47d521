"""One audit: every file by the security rules of its technology, seen with the others, and secrets in the open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.examine import Found, examine, folded
from plantwin.private.capabilities.adapters.installed import lacking
from plantwin.private.capabilities.adapters.process import Copy
from plantwin.private.capabilities.adapters.programs import FRAMEWORKS
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.secrets import detector_of, secrets
from plantwin.private.capabilities.engine.source import READ, source
from plantwin.private.capabilities.infrastructure.cloud import known_as, known_types
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.capabilities.infrastructure.technologies import technology
from plantwin.private.detect.engine import Detector
from plantwin.private.facts import private
from plantwin.private.formats.document import Document, read
from plantwin.private.formats.yaml import MAX_DOCUMENTS
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Audit of infrastructure"


def run(job: Job) -> Result:
    """Return the result of auditing declared infrastructure."""
    documents = [read(source(given)) for given in job.inputs]
    # Nothing is concluded from half a document; of a stream the complete documents are left.
    whole = [document for document in documents if document.roots or not document.cut]
    project = Project(whole, job)
    technologies = {id(document): technology(document) for document in whole}
    if not any(known.audit for known in technologies.values()) and len(whole) == len(documents):
        reason = "None of the inputs declares infrastructure in a form that is known."
        return failed(TITLE, reason, [OutcomeTag.UNPARSABLE])
    asked = ask(
        job, [(document, technologies[id(document)].name) for document in whole if not document.cut and document.sound]
    )
    state: list[OutcomeTag] = []
    notes = list(asked.notes)
    examined: list[Examined] = []
    rows: list[list[str]] = []
    tools: dict[str, str] = {}
    for document in documents:
        label = code(document.source.label)
        known = technologies.get(id(document))
        if document.cut:
            state.append(OutcomeTag.TRUNCATED)
            part = "its complete documents were audited" if known else "it was not audited"
            notes.append(f"{label} is longer than is read ({READ >> 20} MiB, {MAX_DOCUMENTS:,} documents): {part}.")
        if known is None:
            continue
        if known.audit is None:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{label} declares nothing in a form that is known; it was left out.")
            continue
        if not document.sound:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{label} does not parse whole (line {document.faults[0].line}); the rest was audited.")
        found = folded(known.audit(document, project), asked.found.get(document.source.label, ()))
        found += _undeclared_secrets(document, detector_of(job), found)
        kinds = ", ".join(f"{code(kind)} {times}" for kind, times in _kinds(project, [document]).most_common(6))
        by = (
            f"our own rules, {asked.tools[document.source.label]}"
            if document.source.label in asked.tools
            else "our own rules"
        )
        tools[document.source.label] = by
        rows.append([label, known.name, kinds or "—", by, str(len(set(found)))])
        examined.append(Examined(document.source, found))
    unknown = uncovered(project, asked.covers)
    return concluded(
        job,
        TITLE,
        examined,
        tool=tools,
        state=state,
        partial=asked.partial or bool(unknown),
        notes=[*notes, unknown] if unknown else notes,
        tables=table(["file", "technology", "resources", "examined by", "findings"], rows),
        facts={"resources": dict(_kinds(project, project.documents))},
    )


def _kinds(project: Project, documents: Sequence[Document]) -> Counter[str]:
    """Count the resources and objects of some documents by type."""
    chosen = {id(document) for document in documents}
    kinds = Counter(resource.type for resource in project.resources if id(resource.document) in chosen)
    kinds.update(item.kind for item in project.kubernetes_objects if id(item.document) in chosen)
    return kinds


def _undeclared_secrets(document: Document, detector: Detector, found: Sequence[Finding]) -> Iterator[Finding]:
    """Return secrets that no rule has named yet."""
    known = {finding.line for finding in found if finding.tag == OutcomeTag.HARDCODED_SECRET.value}
    for secret in secrets(detector, document.source.data, document.name, document.source.label, personal=False):
        if secret.line not in known and secret.severity != Severity.LOW.value:
            yield msgspec.structs.replace(secret, evidence="")  # The line itself may hold more of it.


ENGINES: Mapping[str, str] = {
    **dict.fromkeys(FRAMEWORKS, "checkov"),
    "Dockerfile": "hadolint",
    "GitHub Actions": "zizmor",
}
"""By our own names of the technologies."""
NAMED = 12
"""Types that a note names."""


@private
class Asked(NamedTuple):
    """What the engines found, by label, and what is to be said about their work."""

    found: dict[str, list[Found]]
    tools: dict[str, str]
    """The engine of each input that one examined."""
    notes: list[str]
    partial: bool
    covers: frozenset[str] = frozenset()


def ask(job: Job, documents: Sequence[tuple[Document, str]]) -> Asked:
    """Ask the engine of each technology once about all of its files."""
    here = installed.of(job)
    copies: dict[str, list[Copy]] = {}
    asked = Asked({}, {}, [], False)
    charts = 0
    for document, kind in documents:
        name = ENGINES.get(kind)
        if name == "checkov" and document.templated:
            charts += 1
        elif name is not None:
            folder = FRAMEWORKS.get(kind, "")
            copies.setdefault(name, []).append(Copy(document.source, document.source.text, folder=folder))
    if charts:
        asked.notes.append(f"{charts} templates were examined by our own rules alone: an engine needs them filled in.")
    absent = [name for name in copies if name not in here]
    if absent:
        asked.notes.append(f"Examined by our own rules alone; {lacking(absent)}.")
    covers: frozenset[str] = frozenset()
    for name in copies.keys() & here.keys():
        examination = examine(here[name], copies[name])
        for label, found in examination.found.items():
            # What a linter of shell says of commands is no risk of infrastructure.
            asked.found[label] = [(finding, part) for finding, part in found if not finding.rule.startswith("SC")]
            asked.tools[label] = here[name].title
        covers |= examination.covers
        if examination.note:
            asked.notes.append(f"{examination.note}.")
    examined_all = len(asked.tools) == sum(map(len, copies.values()))
    return asked._replace(partial=not examined_all or charts > 0, covers=covers)


def uncovered(project: Project, covers: frozenset[str]) -> str:
    """Return which declared types of resources no rule knows, ours or an engine's; empty where all are known."""
    known = known_types() | {known_as(kind) for kind in covers}
    declared = {resource.type for resource in project.resources if not resource.data} - known
    for item in project.kubernetes_objects:
        group, slash, _ = item.node.value("apiVersion").partition("/")
        # A resource of an extension, but for one that starts pods, which has a template for them.
        if slash and "." in group and not group.endswith(".k8s.io") and item.node.at("spec", "template") is None:
            declared.add(f"{item.kind}.{group}")
    unknown = sorted(declared)
    if not unknown:
        return ""
    more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
    return f"No rules for {len(unknown)} resource types: {', '.join(map(code, unknown[:NAMED]))}{more}."
