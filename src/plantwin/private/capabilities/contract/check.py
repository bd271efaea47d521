"""One check of contracts: soundness of each, changes between versions, and whether code keeps them."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from plantwin.private.capabilities.common.report import code as ticked
from plantwin.private.capabilities.common.report import failed
from plantwin.private.capabilities.common.source import READ, Source, source
from plantwin.private.capabilities.contract import changes, graphql, protobuf, protobuf_changes, validity
from plantwin.private.capabilities.contract.keeping import Code, Kept, keeping
from plantwin.private.capabilities.contract.openapi import is_contract, operations
from plantwin.private.capabilities.contract.routes import Route, lines
from plantwin.private.capabilities.contract.routes import python as python_routes
from plantwin.private.capabilities.job import Job, Result
from plantwin.private.capabilities.placed.document import Document, read
from plantwin.private.capabilities.placed.report import Examined, Issue, concluded, table
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
TITLE = "Check of the interface contract"


class Contract(NamedTuple):
    """One contract among the inputs."""

    source: Source
    sort: str
    document: Document | None = None
    schema: graphql.Schema | None = None
    file: protobuf.File | None = None

    def __repr__(self) -> str:
        return "<Contract private>"


def checked(job: Job) -> Result:
    """The result of checking contracts and code."""
    contracts: list[Contract] = []
    codes: list[Code] = []
    others: list[Source] = []
    broken: list[Source] = []
    for given in job.inputs:
        each = source(given)
        found = _contract(each)
        if found is not None:
            contracts.append(found)
            continue
        routes, calls, sound = _routes(each)
        if not sound:
            broken.append(each)
        if routes or calls:
            codes.append(Code(each, routes, calls))
        else:
            others.append(each)
    if not contracts:
        return failed(
            TITLE, "None of the inputs is a contract (OpenAPI, GraphQL, protobuf).", [_T.UNPARSABLE] if broken else []
        )
    return _result(job, contracts, codes, others, broken)


def _contract(each: Source) -> Contract | None:
    if each.binary:
        return None
    if each.format == "graphql" or each.input.name.endswith((".graphql", ".gql", ".graphqls")):
        return Contract(each, "GraphQL", schema=graphql.schema(each.text))
    if each.format == "proto" and each.input.name.endswith(".proto"):
        return Contract(each, "protobuf", file=protobuf.file(each.text))
    if each.format in ("yaml", "json"):
        document = read(each)
        if is_contract(document):
            return Contract(each, "OpenAPI", document=document)
    return None


def _routes(each: Source) -> tuple[list[Route], list[Route], bool]:
    if each.binary:
        return [], [], False
    if each.format == "python":
        return python_routes.routes(each.text)
    return (*lines.routes(each.format, each.text), True)


def _result(
    job: Job, contracts: list[Contract], codes: list[Code], others: list[Source], broken: list[Source]
) -> Result:
    state: list[OutcomeTag] = []
    notes: list[str] = []
    found: dict[str, list[Issue]] = {each.source.label: list(_sound(each)) for each in contracts}
    found |= {each.source.label: [] for each in codes}
    sources = {each.source.label: each.source for each in contracts} | {
        each.source.label: each.source for each in codes
    }
    tables: list[str] = []
    for label, each in sources.items():
        if each.truncated:
            state.append(_T.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {ticked(label)} were examined.")
    for contract in contracts:
        if any(issue.tag is _T.UNPARSABLE for issue in found[contract.source.label]):
            state.append(_T.UNPARSABLE)
    facts: dict[str, object] = {"contracts": {each.source.label: each.sort for each in contracts}}
    pairs = _versions(contracts)
    for old, new in pairs:
        broke = list(_breaking(old, new))
        found[new.source.label] += broke
        fresh = (
            changes.added(old.document, new.document) if old.document is not None and new.document is not None else []
        )
        tables += [
            f"**From {ticked(old.source.label)} to {ticked(new.source.label)}**: {len(broke)} breaking changes, {len(fresh)} operations added.",
            "",
        ]
        facts["added"] = fresh[:200]
        facts["breaking"] = len(broke)
    latest = [each for each in contracts if each.document is not None and not any(old is each for old, _ in pairs)]
    kept: Kept | None = None
    if codes and latest and latest[-1].document is not None:
        around = _around(job)
        kept = keeping(latest[-1].document, codes, not around)
        found[latest[-1].source.label] += kept.contract
        for label, issues in kept.code.items():
            found[label] += issues
        tables += _matrix(latest[-1].document, kept, codes)
        if around:
            notes.append(
                f"{len(around)} other objects may answer routes and were not given: {', '.join(map(ticked, around[:8]))}. What seems missing may be there."
            )
        facts["implemented"] = len({id(operation) for operation, _, _ in kept.matched})
        facts["operations"] = sum(1 for _ in operations(latest[-1].document))
    elif codes:
        notes.append("Routes in code are compared with OpenAPI contracts only.")
    for one in others:
        notes.append(f"{ticked(one.label)} has neither routes nor calls that are known; it was left out.")
    for one in broken:
        state.append(_T.UNPARSABLE)
        notes.append(f"{ticked(one.label)} does not parse.")
    return concluded(
        job,
        TITLE,
        [Examined(sources[label], issues) for label, issues in found.items()],
        tool="plantwin check_api_contract: OpenAPI 2/3, GraphQL SDL, protobuf, routes by framework",
        state=state,
        notes=notes,
        tables=tables,
        facts=facts,
    )


def _sound(each: Contract) -> Iterator[Issue]:
    if each.document is not None:
        for fault in each.document.faults:
            tag = _T.DUPLICATION if fault.repeated else _T.UNPARSABLE
            yield Issue(fault.line, _S.HIGH, tag, f"{each.document.syntax}-syntax", fault.message, fault.hint)
        yield from validity.issues(each.document)
    elif each.schema is not None:
        yield from graphql.issues(each.schema)
    elif each.file is not None:
        yield from protobuf.issues(each.file)


def _versions(contracts: Sequence[Contract]) -> list[tuple[Contract, Contract]]:
    """Contracts of one sort, each with the one after it: the order of their versions, else as given."""
    pairs = []
    for sort in ("OpenAPI", "GraphQL", "protobuf"):
        same = [each for each in contracts if each.sort == sort]
        if sort != "OpenAPI" and len(same) > 1 and not _alike(same):
            continue
        numbered = [(_version(each), each) for each in same]
        if len({number for number, _ in numbered if number}) == len(same):
            same = [each for _, each in sorted(numbered, key=lambda pair: pair[0])]
        pairs += list(pairwise(same))
    return pairs


def _alike(same: Sequence[Contract]) -> bool:
    """Whether two files are versions of one, and not parts of a whole."""
    names = [
        set(each.schema.types if each.schema is not None else each.file.declared if each.file is not None else ())
        for each in same
    ]
    shared = set.intersection(*names)
    return len(shared) * 2 >= min(map(len, names)) and bool(shared)


def _version(each: Contract) -> tuple[int, ...]:
    told = each.document.root.value("info", "version") if each.document is not None else ""
    return tuple(int(part) for part in re.findall(r"\d{1,6}", told)[:4])


def _breaking(old: Contract, new: Contract) -> Iterator[Issue]:
    if old.document is not None and new.document is not None:
        yield from changes.breaking(old.document, new.document)
    elif old.schema is not None and new.schema is not None:
        yield from graphql.breaking(old.schema, new.schema)
    elif old.file is not None and new.file is not None:
        yield from protobuf_changes.breaking(old.file, new.file)


def _around(job: Job) -> list[str]:
    """Other objects that may answer routes."""
    given = {each.name for each in job.inputs}
    return [
        each.name
        for each in job.surroundings.objects
        if each.semantic_class == "api_handler" and each.name not in given
    ]


def _matrix(document: Document, kept: Kept, codes: Sequence[Code]) -> list[str]:
    places: dict[int, list[str]] = {}
    for operation, label, line in kept.matched:
        places.setdefault(id(operation), []).append(f"{label}:{line}")
    known = [operation for operation, _, _ in kept.matched]
    rows = []
    for operation in operations(document):
        twin = next((each for each in known if (each.path, each.method) == (operation.path, operation.method)), None)
        where = places.get(id(twin), []) if twin is not None else []
        rows.append(
            [
                ticked(f"{operation.method.upper()} {operation.path}"),
                ", ".join(dict.fromkeys(map(ticked, where[:3]))) or "—",
                ", ".join(operation.responses) or "—",
            ]
        )
    routes = sum(len(each.routes) for each in codes)
    return [
        f"{len(rows)} operations in the contract, {routes} routes in code.",
        "",
        *table(["operation", "answered by", "statuses"], rows, 100),
    ]
