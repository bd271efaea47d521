"""One audit: every file by the security rules of its technology, seen with the others, and secrets in the open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.secrets import detector_of, secrets
from plantwin.private.capabilities.engine.source import READ, source
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.capabilities.infrastructure.technologies import technology
from plantwin.private.detect.engine import Detector
from plantwin.private.formats.document import Document, read
from plantwin.vocabulary import OutcomeTag, Severity

TITLE = "Audit of infrastructure"
TOOL = "plantwin audit_infrastructure: tree-sitter-hcl, libyaml, and rules after the CIS benchmarks"


def audit(job: Job) -> Result:
    """Return the result of auditing declared infrastructure."""
    project = Project([read(source(given)) for given in job.inputs], job)
    technologies = [technology(document) for document in project.documents]
    if not any(known.audit for known in technologies):
        reason = "None of the inputs declares infrastructure in a form that is known."
        return failed(TITLE, reason, [OutcomeTag.UNPARSABLE])
    state: list[OutcomeTag] = []
    notes: list[str] = []
    examined: list[Examined] = []
    rows: list[list[str]] = []
    for document, known in zip(project.documents, technologies, strict=True):
        label = code(document.source.label)
        if known.audit is None:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{label} declares nothing in a form that is known; it was left out.")
            continue
        if document.source.truncated or not document.whole:
            state.append(OutcomeTag.TRUNCATED)
            notes.append(f"{label} is longer than is examined (the first {READ >> 20} MiB at most).")
        if not document.sound:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{label} does not parse whole (line {document.faults[0].line}); the rest was audited.")
        found = list(known.audit(document, project))
        found += _undeclared_secrets(document, detector_of(job), found)
        kinds = ", ".join(f"{code(kind)} {times}" for kind, times in _kinds(project, [document]).most_common(6))
        rows.append([label, known.name, kinds or "—", str(len(set(found)))])
        examined.append(Examined(document.source, found))
    return concluded(
        job,
        TITLE,
        examined,
        tool=TOOL,
        state=state,
        notes=notes,
        tables=table(["file", "technology", "resources", "findings"], rows),
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
