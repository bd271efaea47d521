"""One validation: every file by its syntax, by the validity rules of its technology, then its values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code, failed
from plantwin.private.capabilities.engine.results import Examined, capped, concluded, table
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.infrastructure import settings, validity
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.capabilities.infrastructure.technologies import Technology, technology
from plantwin.private.formats.document import LIST, MAP, Document, read, walk
from plantwin.vocabulary import OutcomeTag

TITLE = "Validation of settings"
TOOL = "plantwin validate_config: libyaml, json, tomllib, expat, tree-sitter-hcl, and rules by technology"
_LOCK_FILE = re.compile(
    r"(?:^|/)(?:package-lock\.json|pnpm-lock\.yaml|(?:composer|poetry|uv|cargo|pipfile|yarn)\.lock)$", re.IGNORECASE
)
_TRANSLATIONS = re.compile(r"(?:^|/)(?:locales?|i18n|lang|translations?|messages)/", re.IGNORECASE)


def run(job: Job) -> Result:
    """Return the result of validating settings."""
    documents = [_document(source(given)) for given in job.inputs]
    project = Project(
        [document for document in documents if document.syntax and (document.roots or not document.cut)], job
    )
    if not any(document.syntax for document in documents):
        reason = "None of the inputs is a settings file in a syntax that is known."
        return failed(TITLE, reason, [OutcomeTag.UNPARSABLE])
    state: list[OutcomeTag] = []
    notes: list[str] = []
    examined: list[Examined] = []
    rows: list[list[str]] = []
    technologies: dict[str, str] = {}
    for document in documents:
        label = code(document.source.label)
        if not document.syntax:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{label} is no settings file in a syntax that is known; it was left out.")
            continue
        if document.cut:
            state.append(OutcomeTag.TRUNCATED)
            part = "its complete documents were validated" if document.roots else "it was not validated"
            notes.append(f"{label} is longer than is read ({READ >> 20} MiB): {part}.")
            if not document.roots:
                continue
        if not document.sound:
            state.append(OutcomeTag.UNPARSABLE)
        if document.templated:
            notes.append(f"{label} is a template: it was read with its actions left blank.")
        known = technology(document)
        technologies[document.source.label] = known.name
        if known.validate is None and not known.plain_values:
            state.append(OutcomeTag.UNPARSABLE)
            notes.append(f"{label} is of a technology ({known.name}) for which there are no validity rules yet.")
        findings = list(_findings(document, known, project))
        if document.templated:
            # Branches stand side by side, and values are left blank: nothing is certain.
            findings = [capped(finding) for finding in findings]
        count = sum(node.kind not in (MAP, LIST) for root in document.roots for _, _, node in walk(root))
        rows.append([label, known.name, "yes" if document.sound else "no", str(count), str(len(set(findings)))])
        examined.append(Examined(document.source, findings))
    return concluded(
        job,
        TITLE,
        examined,
        tool=TOOL,
        state=state,
        notes=notes,
        tables=table(["file", "technology", "parses", "values", "findings"], rows),
        facts={"technologies": technologies},
    )


def _document(given: Source) -> Document:
    """Read one input. What only looks like a syntax by its content, and does not parse, has another."""
    document = read(given)
    if not document.sound and given.guessed:
        return Document(given, "")
    return document


def _findings(document: Document, known: Technology, project: Project) -> Iterator[Finding]:
    yield from validity.validate_syntax(document)
    if known.validate is not None:
        yield from known.validate(document, project)
    if known.plain_values and not _LOCK_FILE.search(document.name) and not _TRANSLATIONS.search(document.name):
        yield from validity.validate_values(document)
        example = validity.EXAMPLE_FILE.search(document.name) is not None
        for finding in settings.audit(document):
            # An example shows a password that nobody uses.
            if not example or finding.tag != OutcomeTag.HARDCODED_SECRET.value:
                yield finding
