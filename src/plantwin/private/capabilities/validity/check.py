"""One validation: every object by its syntax, then by what it is for, then its values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.audit.settings import general
from plantwin.private.capabilities.common.report import code, failed
from plantwin.private.capabilities.common.settings import Setting
from plantwin.private.capabilities.common.source import READ, source
from plantwin.private.capabilities.job import Job, Result
from plantwin.private.capabilities.placed.document import Document, read
from plantwin.private.capabilities.placed.node import LIST, MAP, NULL, dotted, walk
from plantwin.private.capabilities.placed.report import Examined, Issue, concluded, table
from plantwin.private.capabilities.validity import (
    compose,
    images,
    kubernetes,
    manifests,
    servers,
    terraform,
    units,
    values,
    workflows,
)
from plantwin.private.capabilities.validity.objects import Thing
from plantwin.private.capabilities.validity.objects import things as things_of
from plantwin.private.capabilities.validity.place import Place
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_LOCKS = re.compile(
    r"(?:^|/)(?:package-lock\.json|pnpm-lock\.yaml|composer\.lock|poetry\.lock|uv\.lock|cargo\.lock|pipfile\.lock|yarn\.lock)$",
    re.IGNORECASE,
)
_TEXTS = re.compile(r"(?:^|/)(?:locales?|i18n|lang|translations?|messages)/", re.IGNORECASE)


def validate(job: Job) -> Result:
    """The result of validating settings."""
    place = Place(job)
    documents = [read(source(given)) for given in job.inputs]
    readable = [each for each in documents if each.syntax]
    if not readable:
        return failed(
            "Validation of settings",
            "None of the inputs is a settings file in a syntax that is known.",
            [_T.UNPARSABLE],
        )
    state: list[OutcomeTag] = []
    notes: list[str] = []
    things = [thing for each in readable if each.syntax in ("yaml", "json") for thing in things_of(each)]
    examined: list[Examined] = []
    rows: list[list[str]] = []
    for each in documents:
        if not each.syntax:
            state.append(_T.UNPARSABLE)
            notes.append(f"{code(each.source.label)} is no settings file in a syntax that is known; it was left out.")
            continue
        if each.source.truncated or not each.whole:
            state.append(_T.TRUNCATED)
            notes.append(f"{code(each.source.label)} is longer than is examined (the first {READ >> 20} MiB at most).")
        if not each.sound:
            state.append(_T.UNPARSABLE)
        if each.templated:
            notes.append(f"{code(each.source.label)} is a template: it was read with its actions left blank.")
        sort = sort_of(each)
        issues = list(_issues(each, sort, documents, things, place))
        keys = sum(node.kind not in (MAP, LIST) for root in each.roots for _, _, node in walk(root))
        rows.append([code(each.source.label), sort, "yes" if each.sound else "no", str(keys), str(len(set(issues)))])
        examined.append(Examined(each.source, issues))
    return concluded(
        job,
        "Validation of settings",
        examined,
        tool="plantwin validate_config: libyaml, json, tomllib, expat, tree-sitter-hcl, and rules by kind of file",
        state=state,
        notes=notes,
        tables=table(["file", "read as", "parses", "values", "findings"], rows),
        facts={"sorts": {each.source.label: sort_of(each) for each in readable}},
    )


def sort_of(document: Document) -> str:
    """What a file is for, as far as its own rules go."""
    name = document.name.rpartition("/")[2].lower()
    root = document.root
    if compose.is_compose(document):
        return "Compose file"
    if workflows.is_gitlab(document):
        return "GitLab pipeline"
    if workflows.is_workflow(document):
        return "GitHub workflow"
    if document.syntax in ("yaml", "json"):
        if {"openapi", "swagger"} & root.map.keys() and "paths" in root.map:
            return "OpenAPI contract"
        if things_of(document):
            return "Kubernetes manifest"
    if name == "package.json":
        return "npm manifest"
    if name == "pyproject.toml":
        return "Python manifest"
    if name in ("chart.yaml", "chart.yml"):
        return "Helm chart"
    if document.syntax == "nginx" and servers.is_nginx(document):
        return "nginx"
    return {
        "systemd": "systemd unit",
        "dockerfile": "Dockerfile",
        "crontab": "crontab",
        "hcl": "HCL",
        "env": "environment file",
    }.get(document.syntax, document.syntax)


def _issues(
    document: Document, sort: str, documents: Sequence[Document], things: Sequence[Thing], place: Place
) -> Iterator[Issue]:
    for fault in document.faults:
        if fault.repeated:
            severity = _S.HIGH if fault.grave or document.syntax in ("yaml", "json", "toml") else _S.MEDIUM
            yield Issue(fault.line, severity, _T.DUPLICATION, "duplicate-key", fault.message, fault.hint)
        else:
            yield Issue(
                fault.line,
                _S.HIGH if fault.grave else _S.MEDIUM,
                _T.UNPARSABLE if fault.grave else _T.INVALID_VALUES,
                f"{document.syntax}-syntax",
                fault.message,
                fault.hint,
            )
    if sort == "Compose file":
        yield from compose.issues(document, place)
    elif sort == "GitHub workflow":
        yield from workflows.workflow(document, place)
    elif sort == "GitLab pipeline":
        yield from workflows.gitlab(document)
    elif sort == "Kubernetes manifest":
        for thing in things:
            if thing.document is document:
                yield from kubernetes.issues(thing, things)
    elif sort == "npm manifest":
        yield from manifests.npm(document, place)
    elif sort == "Python manifest":
        yield from manifests.pyproject(document, place)
    elif sort == "Helm chart":
        yield from manifests.chart(document)
    elif sort == "systemd unit":
        yield from units.unit(document)
    elif sort == "crontab":
        yield from units.crontab(document)
    elif sort == "Dockerfile":
        yield from images.issues(document, place)
    elif sort == "nginx":
        yield from servers.issues(document)
    elif sort == "HCL":
        yield from terraform.issues(document, documents, place)
    elif sort == "OpenAPI contract":
        from plantwin.private.capabilities.contract.validity import issues as contract_issues

        yield from contract_issues(document)
    if (
        sort not in ("OpenAPI contract", "crontab", "Dockerfile", "nginx")
        and not _LOCKS.search(document.name)
        and not _TEXTS.search(document.name)
    ):
        yield from values.issues(document)
        yield from _insecure(document)


def _insecure(document: Document) -> Iterator[Issue]:
    """Keys that weaken protection wherever they stand, by the rules of the security audit."""
    found = [
        Setting(dotted(path), node.text, line)
        for root in document.roots
        for path, line, node in walk(root)
        if path and node.kind not in (MAP, LIST, NULL)
    ]
    example = values.EXAMPLE.search(document.name) is not None
    for issue in general.issues(found[:5000], document.name):
        if example and issue.tag is _T.HARDCODED_SECRET:
            continue
        yield Issue(issue.line, issue.severity, issue.tag, "insecure-setting", issue.message, issue.hint)
