"""Permission policies: who may do what."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.infrastructure.resource import Resource, policy_of
from plantwin.private.capabilities.placed.node import LIST, TEXT, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity


def texts(node: Node | None) -> list[str]:
    """The texts of a list, or the one text that stands in its place."""
    if node is None:
        return []
    return [each.text for each in (node.items if node.kind == LIST else [node]) if each.kind == TEXT]


def policies(resource: Resource) -> Iterator[Issue]:
    """What policies of a resource allow."""
    holders = [resource.node.at("policy"), resource.node.at("assume_role_policy")]
    holders += [each.at("policy") for key in ("policies", "inline_policy") for each in resource.node.entries(key)]
    for holder in holders:
        root = policy_of(holder)
        for statement in root.entries("Statement") if root is not None else []:
            if statement.value("Effect") == "Allow":
                yield from _allowed(resource, statement, assume=holder is holders[1])
    for attached in texts(resource.node.at("policy_arn")) + texts(resource.node.at("managed_policy_arns")):
        if attached.endswith("/AdministratorAccess"):
            yield Issue(
                resource.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-AWS 1.16",
                f"{resource.place}: full administrator rights are attached",
                "Attach what is needed.",
            )


def _allowed(resource: Resource, statement: Node, assume: bool) -> Iterator[Issue]:
    actions, targets = texts(statement.at("Action")), texts(statement.at("Resource"))
    line = statement.line_of("Action")
    if any(action in ("*", "*:*") for action in actions):
        everywhere = "*" in targets
        yield Issue(
            line,
            _S.CRITICAL if everywhere else _S.HIGH,
            _T.EXCESSIVE_PERMISSION,
            "CIS-AWS 1.16",
            f"{resource.place}: every action is allowed{' on everything' if everywhere else ''}",
            "Name actions and resources.",
        )
    elif "*" in targets and any(
        re.fullmatch(r"(?:iam|sts|kms|s3|ec2|secretsmanager|lambda|rds|dynamodb):\*", action) for action in actions
    ):
        yield Issue(
            line,
            _S.HIGH
            if any(action.startswith(("iam:", "sts:", "kms:", "s3:", "secretsmanager:")) for action in actions)
            else _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "least privilege",
            f"{resource.place}: every action of a service is allowed on everything",
            "Name actions and resources.",
        )
    elif "*" in targets and {"iam:PassRole", "sts:AssumeRole"} & set(actions):
        yield Issue(
            line,
            _S.HIGH,
            _T.EXCESSIVE_PERMISSION,
            "privilege escalation",
            f"{resource.place}: any role may be taken on",
            "Name the roles.",
        )
    principal = statement.at("Principal")
    if (
        principal is not None
        and "*" in [*texts(principal), *texts(principal.at("AWS"))]
        and "Condition" not in statement.map
    ):
        severity = _S.CRITICAL if assume else _S.HIGH
        yield Issue(
            statement.line_of("Principal"),
            severity,
            _T.EXPOSED_SERVICE,
            "public principal",
            f"{resource.place}: everyone in the world is let in",
            "Name who may, or add a condition.",
        )


def statements(resource: Resource) -> Iterator[Issue]:
    """What a policy document of Terraform allows."""
    for statement in resource.node.entries("statement"):
        if statement.value("effect") == "Deny":
            continue
        actions, targets = texts(statement.at("actions")), texts(statement.at("resources"))
        if "*" in actions:
            severity = _S.CRITICAL if "*" in targets else _S.HIGH
            yield Issue(
                statement.line_of("actions"),
                severity,
                _T.EXCESSIVE_PERMISSION,
                "CIS-AWS 1.16",
                f"{resource.place}: every action is allowed",
                "Name the actions.",
            )
        elif "*" in targets and any(action.endswith(":*") for action in actions):
            yield Issue(
                statement.line_of("actions"),
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "least privilege",
                f"{resource.place}: every action of a service is allowed on everything",
                "Name actions and resources.",
            )
        for who in statement.entries("principals"):
            if "*" in texts(who.at("identifiers")) and "condition" not in statement.map:
                yield Issue(
                    who.line_of("identifiers"),
                    _S.HIGH,
                    _T.EXPOSED_SERVICE,
                    "public principal",
                    f"{resource.place}: everyone in the world is let in",
                    "Name who may.",
                )
