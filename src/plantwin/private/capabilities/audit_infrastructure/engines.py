"""Which engine examines which technology, and what is covered by nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.checkov import FRAMEWORKS
from plantwin.private.capabilities.adapters.examine import Found, examine
from plantwin.private.capabilities.adapters.installed import lacking
from plantwin.private.capabilities.adapters.process import Copy
from plantwin.private.capabilities.engine.job import Job
from plantwin.private.capabilities.engine.report import code
from plantwin.private.capabilities.infrastructure import cloudformation
from plantwin.private.capabilities.infrastructure.cloud import known_types
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.facts import private
from plantwin.private.formats.document import Document

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
    for document, technology in documents:
        name = ENGINES.get(technology)
        if name == "checkov" and document.templated:
            charts += 1
        elif name is not None:
            folder = FRAMEWORKS.get(technology, "")
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
            asked.found[label] = [each for each in found if not each[0].rule.startswith("SC")]
            asked.tools[label] = here[name].title
        covers |= examination.covers
        if examination.note:
            asked.notes.append(f"{examination.note}.")
    examined_all = len(asked.tools) == sum(map(len, copies.values()))
    return asked._replace(partial=not examined_all or charts > 0, covers=covers)


def uncovered(project: Project, covers: frozenset[str]) -> str:
    """Return which declared types of resources no rule knows, ours or an engine's; empty where all are known."""
    known = known_types() | {cloudformation.known_as(kind) for kind in covers}
    unknown = sorted({resource.type for resource in project.resources if not resource.data} - known)
    if not unknown:
        return ""
    more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
    return f"No rules for {len(unknown)} resource types: {', '.join(map(code, unknown[:NAMED]))}{more}."
