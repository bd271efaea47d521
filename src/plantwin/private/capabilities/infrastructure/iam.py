"""Permission policies of AWS IAM, in Terraform, CloudFormation and documents of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.formats.document import LIST, MAP, NULL, TEXT, Document, Node, walk
from plantwin.private.formats.json import scan
from plantwin.vocabulary import Severity

RULES = Rules("iam")
MOST_POLICY = 200_000


def audit_resource(address: str, line: int, node: Node) -> Iterator[Finding]:
    """Return what the policies inside a resource allow."""
    trust = node.at("assume_role_policy")
    holders = [node.at("policy"), trust]
    holders += [inner.at("policy") for key in ("policies", "inline_policy") for inner in node.entries(key)]
    for holder in holders:
        root = policy_document(holder)
        for statement in root.entries("Statement") if root is not None else []:
            yield from _json_statement(address, statement, trust=holder is not None and holder is trust)
    for attached in texts(node.at("policy_arn")) + texts(node.at("managed_policy_arns")):
        if attached.endswith("/AdministratorAccess"):
            yield RULES.found("AWS-IAM-ADMINISTRATOR", line, resource=address)


def audit_policy_data(address: str, node: Node) -> Iterator[Finding]:
    """Return what an `aws_iam_policy_document` of Terraform allows."""
    for inner in node.entries("statement"):
        if inner.value("effect") == "Deny":
            continue
        actions, targets = texts(inner.at("actions")), texts(inner.at("resources"))
        # What names principals is the policy of a resource, such as a key, where `*` is that resource alone.
        targets = [] if "principals" in inner.map else targets
        yield from _allowed(address, actions, targets, inner.line_of("actions"), limited="condition" in inner.map)
        for principal in inner.entries("principals"):
            if "*" in texts(principal.at("identifiers")) and "condition" not in inner.map:
                yield RULES.found("AWS-IAM-PUBLIC-PRINCIPAL", principal.line_of("identifiers"), resource=address)


def audit_document(document: Document) -> Iterator[Finding]:
    """Return what the policy statements anywhere in a JSON or YAML document allow."""
    for root in document.roots:
        for _, _, node in walk(root):
            if node.kind == MAP and "Effect" in node.map and ("Action" in node.map or "Principal" in node.map):
                yield from _json_statement("The policy", node)


def _json_statement(address: str, node: Node, *, trust: bool = False) -> Iterator[Finding]:
    if node.value("Effect") != "Allow":
        return
    actions, targets = texts(node.at("Action")), texts(node.at("Resource"))
    principal = node.at("Principal")
    limited = "Condition" in node.map
    yield from _allowed(address, actions, targets if principal is None else [], node.line_of("Action"), limited=limited)
    if principal is None or limited:
        return
    if "*" in [*texts(principal), *texts(principal.at("AWS"))]:
        severity = Severity.CRITICAL if trust else None
        yield RULES.found("AWS-IAM-PUBLIC-PRINCIPAL", node.line_of("Principal"), severity=severity, resource=address)


def _allowed(address: str, actions: list[str], targets: list[str], line: int, *, limited: bool) -> Iterator[Finding]:
    """Yield what a statement allows; `limited`: whether it has a condition."""
    everywhere = "*" in targets
    if {"*", "*:*"} & set(actions):
        severity = Severity.HIGH if everywhere and not limited else None
        yield RULES.found("AWS-IAM-ALL-ACTIONS", line, severity=severity, resource=address)
    elif everywhere and any(action.endswith(":*") for action in actions):
        yield RULES.found("AWS-IAM-SERVICE-WILDCARD", line, resource=address)
    elif everywhere and not limited and {"iam:PassRole", "sts:AssumeRole"} & set(actions):
        yield RULES.found("AWS-IAM-ANY-ROLE", line, resource=address)


def texts(node: Node | None) -> list[str]:
    """Return the strings of a list, or the one string that stands in its place."""
    if node is None:
        return []
    return [item.text for item in (node.items if node.kind == LIST else [node]) if item.kind == TEXT]


def policy_document(node: Node | None) -> Node | None:
    """Return a permission policy that is written as a map, or as JSON text; lines count in the whole file."""
    if node is None or node.kind == MAP:
        return node
    text = node.text.strip()
    if node.kind in (LIST, NULL) or not text.startswith("{") or len(text) > MOST_POLICY:
        return None
    text = re.sub(r"\$\{[^{}\"]{0,300}\}", "expression", text)
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    root = scan(text)
    stack = [root] if root is not None else []
    while stack:
        part = stack.pop()
        part.line += node.line
        part.lines = {key: line + node.line for key, line in part.lines.items()}
        stack += [*part.map.values(), *part.items]
    return root
