"""Check contracts: validity, changes between versions, and whether code keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from plantwin.private.capabilities.check_api_contract import (
    graphql,
    openapi,
    openapi_changes,
    protobuf,
    routes,
    routes_go,
    routes_python,
)
from plantwin.private.capabilities.check_api_contract.implementation import Code, Comparison, compare
from plantwin.private.capabilities.check_api_contract.openapi import Operation, is_openapi, operations
from plantwin.private.capabilities.engine.job import Finding, Job, Result
from plantwin.private.capabilities.engine.report import code as ticked
from plantwin.private.capabilities.engine.report import failed
from plantwin.private.capabilities.engine.results import Examined, concluded, table
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.source import READ, Source, source
from plantwin.private.capabilities.run_tests.selection import is_test
from plantwin.private.facts import Private
from plantwin.private.formats.document import Document
from plantwin.private.formats.document import read as read_document
from plantwin.vocabulary import OutcomeTag

TITLE = "Check of the interface contract"
RULES = Rules("openapi")
Parsed = Document | graphql.Schema | protobuf.File


@dataclass(slots=True, repr=False, eq=False)
class Contract(Private):
    """One contract among the inputs."""

    source: Source
    parsed: Parsed
    findings: list[Finding] = field(default_factory=list)

    @property
    def language(self) -> str:
        """What it is written in."""
        match self.parsed:
            case Document():
                return "OpenAPI"
            case graphql.Schema():
                return "GraphQL"
            case _:
                return "protobuf"

    @property
    def names(self) -> set[str]:
        """The names that it declares."""
        match self.parsed:
            case graphql.Schema():
                return self.parsed.types
            case protobuf.File():
                return set(self.parsed.declarations)
        return {operation.title for operation in self.operations}

    @property
    def operations(self) -> list[Operation]:
        """The operations that it promises, where it is an OpenAPI document."""
        return list(operations(self.parsed)) if isinstance(self.parsed, Document) else []

    @property
    def version(self) -> tuple[int, ...]:
        """Its version, where it states one."""
        stated = self.parsed.root.value("info", "version") if isinstance(self.parsed, Document) else ""
        return tuple(int(part) for part in re.findall(r"\d{1,6}", stated)[:4])


@dataclass(slots=True, repr=False)
class Inputs(Private):
    """The inputs by what they are."""

    contracts: list[Contract] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    others: list[Source] = field(default_factory=list)
    unparsable: list[Source] = field(default_factory=list)


def run(job: Job) -> Result:
    """Return the result of checking contracts and code."""
    inputs = _inputs(job)
    if not inputs.contracts:
        return failed(TITLE, "None of the inputs is a contract (OpenAPI, GraphQL, protobuf).", [OutcomeTag.UNPARSABLE])
    tables: list[str] = []
    facts: dict[str, object] = {
        "contracts": {contract.source.label: contract.language for contract in inputs.contracts}
    }
    notes, state = _reading_notes(inputs)
    pairs = _versions(inputs.contracts)
    for old, new in pairs:
        broken = list(_breaking_changes(old.parsed, new.parsed))
        new.findings += broken
        added: list[str] = []
        if isinstance(old.parsed, Document) and isinstance(new.parsed, Document):
            added = openapi_changes.added_operations(old.parsed, new.parsed)
        facts |= {"added": added[:200], "breaking": len(broken)}
        names = f"From {ticked(old.source.label)} to {ticked(new.source.label)}"
        tables += [f"**{names}**: {len(broken)} breaking changes, {len(added)} operations added.", ""]
    alone = [
        contract.source.label
        for contract in inputs.contracts
        if contract.language == "protobuf" and not any(contract in pair for pair in pairs)
    ]
    if alone:
        named = ", ".join(map(ticked, alone[:8]))
        notes.append(f"Not checked, for want of another version to compare with: {named}. protoc says what is valid.")
    replaced = [old for old, _ in pairs]
    current = [contract for contract in inputs.contracts if contract not in replaced]
    latest = [contract for contract in current if isinstance(contract.parsed, Document)]
    findings: dict[str, list[Finding]] = {}
    compared = not inputs.code
    if inputs.code and latest and isinstance(latest[-1].parsed, Document):
        document = latest[-1].parsed
        others = _other_handlers(job)
        elsewhere = [promised for other in latest[:-1] for promised in other.operations]
        comparison = compare(document, inputs.code, complete=not others, elsewhere=elsewhere)
        latest[-1].findings += comparison.contract
        notes += comparison.notes
        compared = not comparison.notes and len(latest) == 1
        if len(latest) > 1:
            named = ", ".join(ticked(other.source.label) for other in latest[:-1][:8])
            notes.append(f"Code was compared with {ticked(latest[-1].source.label)} alone, not with {named}.")
        findings = comparison.code
        tables += _implementation_table(document, comparison, inputs.code)
        facts |= {"implemented": len(comparison.places), "operations": sum(1 for _ in operations(document))}
        if others:
            named = ", ".join(map(ticked, others[:8]))
            notes.append(f"{len(others)} other objects may answer routes and were not given: {named}.")
    elif inputs.code:
        notes.append("Routes in code are compared with OpenAPI contracts only.")
    examined = [Examined(contract.source, contract.findings) for contract in inputs.contracts]
    examined += [Examined(code.source, findings.get(code.source.label, [])) for code in inputs.code]
    return concluded(
        job,
        TITLE,
        examined,
        tool="plantwin check_api_contract: OpenAPI 2/3, graphql-core, protobuf, routes by framework",
        state=state,
        partial=bool(inputs.others or alone) or not compared,
        notes=notes,
        tables=tables,
        facts=facts,
    )


def _inputs(job: Job) -> Inputs:
    inputs = Inputs()
    for given in job.inputs:
        file = source(given)
        contract = _contract(file)
        if contract is not None:
            inputs.contracts.append(contract)
            continue
        found, calls, parsed = _routes(file)
        if not parsed:
            inputs.unparsable.append(file)
        if found or calls:
            inputs.code.append(Code(file, found, calls))
        else:
            inputs.others.append(file)
    return inputs


def _contract(file: Source) -> Contract | None:
    """Read and validate a contract; None where it is none."""
    if file.binary:
        return None
    if file.format == "graphql" or file.input.name.endswith((".graphql", ".gql", ".graphqls")):
        schema = graphql.read(file.text)
        return Contract(file, schema, list(schema.findings))
    if file.format == "proto" and file.input.name.endswith(".proto"):
        proto = protobuf.read(file.text)
        return Contract(file, proto)
    if file.format in ("yaml", "json"):
        document = read_document(file)
        if is_openapi(document):
            return Contract(file, document, [*_syntax(document), *openapi.findings(document)])
    return None


def _syntax(document: Document) -> Iterator[Finding]:
    for fault in document.faults:
        rule = "OPENAPI-DUPLICATE-KEY" if fault.repeated else "OPENAPI-SYNTAX"
        yield RULES.found(rule, fault.line, problem=fault.message, fix=fault.hint)


def _routes(file: Source) -> tuple[list[routes.Route], list[routes.Route], bool]:
    if file.binary:
        return [], [], False
    if is_test(file.input.name):
        return [], [], True  # What a test serves is not the interface.
    if file.format == "python":
        return routes_python.read(file.text)
    if file.format == "go":
        return routes_go.read(file.text), [], True
    return (*routes.read(file.format, file.text, file.name), True)


def _reading_notes(inputs: Inputs) -> tuple[list[str], list[OutcomeTag]]:
    """Return notes about what was not read, and the tags that say so."""
    notes: list[str] = []
    state: list[OutcomeTag] = []
    for examined in [contract.source for contract in inputs.contracts] + [code.source for code in inputs.code]:
        if examined.truncated:
            state.append(OutcomeTag.TRUNCATED)
            notes.append(f"Only the first {READ >> 20} MiB of {ticked(examined.label)} were examined.")
    if any(finding.tag == OutcomeTag.UNPARSABLE for contract in inputs.contracts for finding in contract.findings):
        state.append(OutcomeTag.UNPARSABLE)
    for other in inputs.others:
        notes.append(f"{ticked(other.label)} has neither routes nor calls that are known; it was left out.")
    for broken in inputs.unparsable:
        state.append(OutcomeTag.UNPARSABLE)
        notes.append(f"{ticked(broken.label)} does not parse.")
    return notes, state


def _versions(contracts: Sequence[Contract]) -> list[tuple[Contract, Contract]]:
    """Pair contracts of one language with their next versions: by their numbers, else as given."""
    pairs: list[tuple[Contract, Contract]] = []
    for language in ("OpenAPI", "GraphQL", "protobuf"):
        same = [contract for contract in contracts if contract.language == language]
        if len(same) > 1 and not _share_names(same) and not _renumbered(same):
            continue
        if len({contract.version for contract in same if contract.version}) == len(same):
            same.sort(key=lambda contract: contract.version)
        pairs += pairwise(same)
    return pairs


def _share_names(contracts: Sequence[Contract]) -> bool:
    """Tell whether files are versions of one, and not parts of a whole."""
    names = [contract.names for contract in contracts]
    shared = set.intersection(*names)
    return bool(shared) and len(shared) * 2 >= max(map(len, names))


def _renumbered(contracts: Sequence[Contract]) -> bool:
    """Tell whether OpenAPI contracts state one title and each a version of its own."""
    documents = [contract.parsed for contract in contracts if isinstance(contract.parsed, Document)]
    titles = {document.root.value("info", "title") for document in documents}
    return len(titles) == 1 and len({contract.version for contract in contracts}) == len(contracts)


def _breaking_changes(old: Parsed, new: Parsed) -> Iterator[Finding]:
    match old, new:
        case Document(), Document():
            yield from openapi_changes.breaking_changes(old, new)
        case graphql.Schema(), graphql.Schema():
            yield from graphql.breaking_changes(old, new)
        case protobuf.File(), protobuf.File():
            yield from protobuf.breaking_changes(old, new)


def _other_handlers(job: Job) -> list[str]:
    """Return the names of other objects that may answer routes."""
    given = {file.name for file in job.inputs}
    handlers = [near.name for near in job.surroundings.objects if near.semantic_class == "api_handler"]
    return [name for name in handlers if name not in given]


def _implementation_table(document: Document, comparison: Comparison, sources: Sequence[Code]) -> list[str]:
    rows = []
    for operation in operations(document):
        places = comparison.places.get((operation.path, operation.method), [])
        answered = ", ".join(dict.fromkeys(map(ticked, places[:3]))) or "—"
        title = ticked(f"{operation.method.upper()} {operation.path}")
        rows.append([title, answered, ", ".join(operation.responses) or "—"])
    count = sum(len(code.routes) for code in sources)
    summary = f"{len(rows)} operations in the contract, {count} routes in code."
    return [summary, "", *table(["operation", "answered by", "statuses"], rows, 100)]
