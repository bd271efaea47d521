"""GraphQL schemas, by graphql-core: whether they are valid, and what a new version breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.facts import Private

if TYPE_CHECKING:
    from graphql import DocumentNode, GraphQLError, GraphQLSchema, Node

RULES = Rules("graphql")
MOST_TOKENS = 100_000
_COORDINATE = re.compile(r"\b([A-Za-z_]\w*)(?:\.(\w+))?")


@dataclass(slots=True, repr=False)
class Schema(Private):
    """A schema that was read; without `built` where that was not possible."""

    types: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    built: GraphQLSchema | None = None


def read(text: str) -> Schema:
    """Read and validate a schema. Directives are not checked: servers and gateways bring their own."""
    from graphql import GraphQLError, parse
    from graphql.utilities import build_ast_schema

    schema = Schema()
    try:
        document = parse(text, max_tokens=MOST_TOKENS)
        schema.types = _declared(document)
        if not schema.types:
            return schema
        schema.findings = list(_definition_findings(document))
        if not schema.findings:
            schema.built = build_ast_schema(document, assume_valid_sdl=True)
            schema.findings = list(_schema_findings(schema.built))
    except GraphQLError as error:
        schema.findings.append(_found("GRAPHQL-SYNTAX", error))
    except (TypeError, ValueError, RecursionError):
        schema.findings.append(RULES.found("GRAPHQL-SYNTAX", 1, problem="The schema cannot be built"))
    return schema


def _declared(document: DocumentNode) -> set[str]:
    """Return the names of types that a document declares or extends; none where it holds queries."""
    from graphql import TypeDefinitionNode, TypeExtensionNode

    types = (TypeDefinitionNode, TypeExtensionNode)
    return {definition.name.value for definition in document.definitions if isinstance(definition, types)}


def _definition_findings(document: DocumentNode) -> Iterator[Finding]:
    """Yield names that are declared twice, or not at all."""
    from graphql import validation
    from graphql.validation.validate import validate_sdl

    unique = (
        validation.UniqueTypeNamesRule,
        validation.UniqueEnumValueNamesRule,
        validation.UniqueFieldDefinitionNamesRule,
        validation.UniqueArgumentDefinitionNamesRule,
        validation.UniqueOperationTypesRule,
    )
    for error in validate_sdl(document, rules=unique):
        yield _found("GRAPHQL-DUPLICATE", error)
    for error in validate_sdl(document, rules=(validation.KnownTypeNamesRule,)):
        yield _found("GRAPHQL-UNKNOWN-TYPE", error)


def _schema_findings(schema: GraphQLSchema) -> Iterator[Finding]:
    from graphql import validate_schema

    for error in validate_schema(schema):
        if "root type must be provided" in error.message:
            yield RULES.found("GRAPHQL-QUERY", 1)
        elif "does not provide it" in error.message:
            yield _found("GRAPHQL-INTERFACE", error)
        elif "must define one or more" in error.message:
            yield _found("GRAPHQL-EMPTY", error)
        elif "must be Input Type" in error.message or "must be Output Type" in error.message:
            yield _found("GRAPHQL-INPUT-OUTPUT", error)
        else:
            yield _found("GRAPHQL-INVALID", error)


def _found(rule: str, error: GraphQLError) -> Finding:
    """Make a finding of an error, at the last of the places that it names: the one that breaks the rule."""
    line = _line_of(error.nodes[-1]) if error.nodes else error.locations[-1].line if error.locations else 1
    return RULES.found(rule, line, problem=error.message.removeprefix("Syntax Error: ").rstrip(".")[:300])


def breaking_changes(old: Schema, new: Schema) -> Iterator[Finding]:
    """Yield what breaks those who query, at its line in the new version."""
    from graphql import find_breaking_changes

    if old.built is None or new.built is None:
        return
    for change in find_breaking_changes(old.built, new.built):
        rule = f"GRAPHQL-{change.type.name.replace('_', '-')}"
        if rule in RULES.by_id and not change.description.startswith("Standard scalar"):
            yield RULES.found(rule, _line(new.built, change.description), change=change.description.rstrip("."))


def _line(schema: GraphQLSchema, description: str) -> int:
    """Return the line of the field or type that the description of a change names first."""
    for name, field_name in _COORDINATE.findall(description):
        declared = schema.type_map.get(name)
        if declared is None:
            continue
        fields = getattr(declared, "fields", {})
        for found in (fields.get(field_name), declared):
            if found is not None and found.ast_node is not None:
                return _line_of(found.ast_node)
    return 1


def _line_of(node: Node) -> int:
    """Return the line of a node's name, since its description stands before it."""
    named = getattr(node, "name", None) or node
    return named.loc.start_token.line if named.loc is not None else 1
