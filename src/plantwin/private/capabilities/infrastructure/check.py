"""One audit of declared infrastructure: every object by what it declares, seen with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plantwin.private.capabilities.audit.settings.general import server
from plantwin.private.capabilities.common.report import code, failed
from plantwin.private.capabilities.common.secrets import detector_of, secrets
from plantwin.private.capabilities.common.source import READ, source
from plantwin.private.capabilities.infrastructure import clusters, hosts
from plantwin.private.capabilities.infrastructure.cloud import issues as cloud_issues
from plantwin.private.capabilities.infrastructure.pictures import dockerfile
from plantwin.private.capabilities.infrastructure.playbooks import ansible, is_ansible
from plantwin.private.capabilities.infrastructure.resource import Resource, is_formation, of_blocks, of_formation
from plantwin.private.capabilities.job import Job, Result
from plantwin.private.capabilities.placed.document import Document, read
from plantwin.private.capabilities.placed.hcl_tree import blocks
from plantwin.private.capabilities.placed.report import Examined, Issue, concluded, table
from plantwin.private.capabilities.validity.compose import is_compose
from plantwin.private.capabilities.validity.objects import Thing, things
from plantwin.private.capabilities.validity.servers import is_nginx
from plantwin.vocabulary import OutcomeTag, Severity

_T = OutcomeTag
_LEVELS = {each.value: each for each in Severity}
TITLE = "Audit of infrastructure"


def audit(job: Job) -> Result:
    """The result of auditing declared infrastructure."""
    documents = [read(source(given)) for given in job.inputs]
    resources = {id(each): list(_resources(each)) for each in documents}
    every = [resource for found in resources.values() for resource in found]
    objects = [thing for each in documents if each.syntax in ("yaml", "json") for thing in things(each)]
    sorts = {id(each): _sort(each, bool(resources[id(each)]), objects) for each in documents}
    if not any(sorts.values()):
        return failed(TITLE, "None of the inputs declares infrastructure in a form that is known.", [_T.UNPARSABLE])
    detector = detector_of(job)
    state: list[OutcomeTag] = []
    notes: list[str] = []
    examined: list[Examined] = []
    rows: list[list[str]] = []
    for each in documents:
        sort = sorts[id(each)]
        if not sort:
            state.append(_T.UNPARSABLE)
            notes.append(f"{code(each.source.label)} declares nothing in a form that is known; it was left out.")
            continue
        if each.source.truncated or not each.whole:
            state.append(_T.TRUNCATED)
            notes.append(f"{code(each.source.label)} is longer than is examined (the first {READ >> 20} MiB at most).")
        if not each.sound:
            state.append(_T.UNPARSABLE)
            notes.append(
                f"{code(each.source.label)} does not parse whole (line {each.faults[0].line}); the rest was audited."
            )
        found = list(_issues(each, sort, resources[id(each)], every, objects))
        found += _secrets(each, detector, {issue.line for issue in found if issue.tag is _T.HARDCODED_SECRET})
        kinds = Counter(one.type for one in resources[id(each)]) or Counter(
            one.kind for one in objects if one.document is each
        )
        told = ", ".join(f"{code(kind)} {times}" for kind, times in kinds.most_common(6))
        rows.append([code(each.source.label), sort, told or "—", str(len(set(found)))])
        examined.append(Examined(each.source, found))
    return concluded(
        job,
        TITLE,
        examined,
        tool="plantwin audit_infrastructure: tree-sitter-hcl, libyaml, and rules after the CIS benchmarks",
        state=state,
        notes=notes,
        tables=table(["file", "declares", "resources", "findings"], rows),
        facts={
            "resources": dict(Counter(one.type for one in every)),
            "objects": dict(Counter(one.kind for one in objects)),
        },
    )


def _resources(document: Document) -> Iterator[Resource]:
    if document.syntax == "hcl":
        yield from of_blocks(blocks(Document(document.source, "hcl")), document)
    elif document.syntax in ("yaml", "json") and is_formation(document):
        yield from of_formation(document)


def _sort(document: Document, declared: bool, objects: list[Thing]) -> str:
    if document.syntax == "hcl":
        return "Terraform"
    if declared:
        return "CloudFormation"
    if document.syntax == "dockerfile":
        return "image"
    if document.syntax == "nginx":
        return "nginx" if is_nginx(document) else "server"
    if is_compose(document):
        return "Compose"
    if any(thing.document is document for thing in objects):
        return "Kubernetes"
    return "Ansible" if is_ansible(document) else ""


def _issues(
    document: Document, sort: str, own: list[Resource], every: list[Resource], objects: list[Thing]
) -> Iterator[Issue]:
    text = document.source.text
    if sort in ("Terraform", "CloudFormation"):
        for resource in own:
            yield from cloud_issues(resource, every)
    elif sort == "Kubernetes":
        for thing in objects:
            if thing.document is document:
                yield from clusters.issues(thing, objects)
        for thing, issue in clusters.whole(objects):
            if thing.document is document:
                yield issue
    elif sort == "Compose":
        yield from hosts.compose(document)
    elif sort == "image":
        yield from dockerfile(text)
    elif sort == "Ansible":
        yield from ansible(document)
    elif sort == "nginx":
        yield from hosts.nginx(text)
    else:
        for found in server(text):
            yield Issue(found.line, found.severity, found.tag, "server setting", found.message, found.hint)


def _secrets(document: Document, detector: object, known: set[int]) -> Iterator[Issue]:
    """Secrets in the open that no rule has named yet."""
    from plantwin.private.redact.engine import Detector

    if not isinstance(detector, Detector):
        return
    for each in secrets(detector, document.source.data, document.name, document.source.label, personal=False):
        if each.line not in known and each.severity != Severity.LOW.value:
            tag = _T.PRIVATE_KEY if each.tag == _T.PRIVATE_KEY.value else _T.HARDCODED_SECRET
            yield Issue(each.line, _LEVELS[each.severity], tag, "secret detector", each.message, each.hint)
