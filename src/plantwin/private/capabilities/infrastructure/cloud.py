"""Cloud resources: open networks, public storage, missing encryption, missing safeguards.

Rules over one attribute are rows of `rules/cloud.toml` with options: `attributes` (`type.path.to.key`), and `when` or
`values`, which say what is bad there. Terraform and CloudFormation share them: resources of CloudFormation get the type
and attribute names that Terraform uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rule, Rules, made
from plantwin.private.capabilities.infrastructure import iam
from plantwin.private.capabilities.infrastructure.iam import texts
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.facts import Private
from plantwin.private.formats.document import EXPRESSION, LIST, MAP, NULL, TEXT, Document, Node
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("cloud")
DEPTH = 30
_WORLD = frozenset(("0.0.0.0/0", "::/0", "*", "Internet", "Any", "any"))
_SOURCES = (
    "cidr_blocks", "ipv6_cidr_blocks", "cidr_ipv4", "cidr_ipv6", "source_ranges", "source_address_prefix",
    "source_address_prefixes",
)  # fmt: skip
_WEB = frozenset((80, 443, 8080, 8443))
_SENSITIVE_PORTS = {
    22: "SSH", 23: "Telnet", 445: "SMB", 1433: "SQL Server", 1521: "Oracle", 2375: "Docker", 2379: "etcd",
    3306: "MySQL", 3389: "RDP", 5432: "PostgreSQL", 5601: "Kibana", 5672: "RabbitMQ", 5984: "CouchDB", 6379: "Redis",
    6443: "Kubernetes API", 9042: "Cassandra", 9092: "Kafka", 9200: "Elasticsearch", 10250: "kubelet",
    11211: "memcached", 27017: "MongoDB",
}  # fmt: skip
_REFERENCE = re.compile(
    r"(?:var|local|data|random|module|aws|azurerm|google|sensitive|file|jsondecode|null|each|path)[_.\w]*|\$\{"
)
_PASSWORD = re.compile(
    r"(?:^|_)(?:master_password|password|admin_password|administrator_login_password|secret_string|auth_token)$"
)
_FILLED_IN = re.compile(
    r"(?is)\W*|https?://[^@\s]*|.*\b(?:replaced?|changed?|change_?me|dummy|place_?holder|todo|tbd|example|initial|unset)\b.*"
)
"""Values that stand where another is filled in later."""
_ELSEWHERE = known_keys("cloud", "types")
"""Types that checks here name besides the rows."""
_MAINTAINED_FROM = {"postgres": 13, "aurora-postgresql": 13, "mysql": 8, "aurora-mysql": 8, "mariadb": 10}


@dataclass(slots=True, repr=False)
class Resource(Private):
    """One declared resource; modules, providers and data sources count as well."""

    type: str
    name: str
    line: int
    node: Node
    document: Document
    data: bool = False
    """Whether it is only looked up."""

    @property
    def address(self) -> str:
        """How a message names it."""
        return f"`{self.type}.{self.name}`"


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of a document's resources, seen with the resources of all files."""
    for resource in project.resources:
        if resource.document is document:
            yield from _audit_resource(resource, project.resources)


def _audit_resource(resource: Resource, everything: Sequence[Resource]) -> Iterator[Finding]:
    if resource.data:
        if resource.type == "aws_iam_policy_document":
            yield from iam.audit_policy_data(resource.address, resource.node)
        return
    for path, rule in _attribute_rules().get(resource.type, ()):
        yield from _attribute(rule, path, resource)
    yield from _open_networks(resource)
    yield from iam.audit_resource(resource.address, resource.line, resource.node)
    yield from _passwords(resource)
    if resource.type == "aws_s3_bucket":
        yield from _bucket(resource, everything)
    elif resource.type == "aws_vpc" and not any(other.type == "aws_flow_log" for other in everything):
        yield _found("AWS-VPC-FLOW-LOG", resource)
    elif resource.type in ("aws_lb_listener", "aws_alb_listener"):
        keys = ("default_action", "default_actions")
        actions = [action.value("type") for key in keys for action in resource.node.entries(key)]
        if resource.node.value("protocol") == "HTTP" and "redirect" not in actions:
            yield _found("AWS-ELB-HTTP", resource, "protocol")
    elif resource.type in ("aws_db_instance", "aws_rds_cluster"):
        engine, version = resource.node.value("engine"), resource.node.value("engine_version")
        major = re.match(r"\d+", version)
        if major is not None and int(major[0]) < _MAINTAINED_FROM.get(engine, 0):
            yield _found("AWS-RDS-END-OF-LIFE", resource, "engine_version", engine=engine, version=version[:12])
    elif resource.type == "aws_eks_cluster":
        access = _below(resource.node, ("vpc_config", "endpoint_public_access"))
        networks = _below(resource.node, ("vpc_config", "public_access_cidrs"))
        if (access is None or access.true) and (networks is None or _WORLD & set(texts(networks))):
            line = access.line if access is not None else resource.line
            yield RULES.found("AWS-EKS-PUBLIC-ENDPOINT", line, resource=resource.address)
    elif resource.type == "module":
        origin = resource.node.value("source")
        by_git = re.match(r"(?:git::|github\.com/|git@|https://)", origin) and "ref=" not in origin
        by_registry = re.fullmatch(r"[\w-]+/[\w-]+/[\w-]+", origin) and "version" not in resource.node.map
        if by_git or by_registry:
            yield _found("TF-MODULE-UNPINNED", resource, "source", name=resource.name)
    elif resource.type.startswith("google_") and "_iam_" in resource.type:
        members = texts(resource.node.at("members")) + texts(resource.node.at("member"))
        if {"allUsers", "allAuthenticatedUsers"} & set(members):
            yield _found("GCP-IAM-PUBLIC", resource)
        if resource.node.value("role") in ("roles/owner", "roles/editor"):
            yield _found("GCP-IAM-BASIC-ROLE", resource, "role")


def _found(rule: str, resource: Resource, key: str = "", **values: object) -> Finding:
    line = resource.node.line_of(key) if key else resource.line
    return RULES.found(rule, line, severity=None, resource=resource.address, **values)


@cache
def _attribute_rules() -> dict[str, list[tuple[tuple[str, ...], Rule]]]:
    """Return the rows over single attributes by the type of resource that they concern."""
    by_type: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
    for rule in RULES:
        attributes = rule.options.get("attributes")
        for attribute in attributes if isinstance(attributes, list) else []:
            kind, *path = attribute.split(".")
            by_type.setdefault(kind, []).append((tuple(path), rule))
    return by_type


def known_types() -> frozenset[str]:
    """Return the types of resources that rules here name."""
    return _ELSEWHERE | _attribute_rules().keys()


def _attribute(rule: Rule, path: tuple[str, ...], resource: Resource) -> Iterator[Finding]:
    holder, found = _below(resource.node, path[:-1]), _below(resource.node, path)
    if found is not None and found.kind == EXPRESSION:
        return  # Only a later tool knows the value.
    when, values = rule.options.get("when"), rule.options.get("values", [])
    if found is None or found.kind == NULL:
        bad = when in ("absent", "not on")
    else:
        bad = (found.false and when in ("off", "not on")) or (found.true and when == "on")
        bad = bad or (isinstance(values, list) and found.text in values)
    if bad:
        line = resource.line if found is None else found.line
        if found is not None and holder is not None and holder.kind == MAP:
            line = holder.line_of(path[-1])
        yield made(rule, line, resource=resource.address, key=path[-1])


def _below(node: Node, path: tuple[str, ...]) -> Node | None:
    """Return what stands at a path; a list of blocks counts as its first block."""
    here: Node | None = node
    for step in path:
        if here is not None and here.kind == LIST:
            here = here.items[0] if here.items else None
        here = here.map.get(step) if here is not None else None
    return here


def _ingress_rules(resource: Resource) -> list[Node]:
    """Return the parts of a firewall resource that let traffic in."""
    kind, node = resource.type, resource.node
    if kind in ("aws_security_group", "aws_default_security_group"):
        return node.entries("ingress")
    if kind == "aws_security_group_rule":
        return [node] if node.value("type") == "ingress" else []
    if kind == "google_compute_firewall":
        return [node] if node.value("direction").upper() != "EGRESS" and "deny" not in node.map else []
    if kind in ("azurerm_network_security_rule", "azurerm_network_security_group"):
        rules = [node] if kind.endswith("rule") else node.entries("security_rule")
        return [rule for rule in rules if rule.value("direction") != "Outbound" and rule.value("access") != "Deny"]
    return [node] if kind == "aws_vpc_security_group_ingress_rule" else []


def _open_networks(resource: Resource) -> Iterator[Finding]:
    """Find what the whole internet can connect to."""
    for rule in _ingress_rules(resource):
        key = next((key for key in _SOURCES if _WORLD & set(texts(rule.at(key)))), "")
        if key:
            yield _open_ports(resource, rule, rule.line_of(key))
    for path in (("settings", "ip_configuration", "authorized_networks"), ("public_access_cidrs",)):
        networks = _below(resource.node, path)
        for network in networks.items if networks is not None else []:
            if (network.value("value") or network.text) in _WORLD:
                severity = Severity.HIGH if path[0] == "settings" else None  # a database
                yield RULES.found("CLOUD-OPEN-NETWORK", network.line, severity=severity, resource=resource.address)


def _open_ports(resource: Resource, rule: Node, line: int) -> Finding:
    ports = _ports(rule)
    every = not ports or any(high - low > 1000 for low, high in ports)
    if (rule.value("protocol") or rule.value("ip_protocol")) in ("icmp", "icmpv6", "58"):
        return RULES.found("CLOUD-OPEN-ICMP", line, resource=resource.address)
    if not every and all(low == high and low in _WEB for low, high in ports):
        return RULES.found("CLOUD-OPEN-WEB", line, resource=resource.address)
    if every:
        return RULES.found("CLOUD-OPEN-ALL-PORTS", line, resource=resource.address)
    named = [
        f"{name} ({port})" for port, name in _SENSITIVE_PORTS.items() if any(low <= port <= high for low, high in ports)
    ]
    numbers = [str(low) if low == high else f"{low}-{high}" for low, high in ports]
    return RULES.found(
        "CLOUD-OPEN-PORT", line, severity=Severity.HIGH if named else None, resource=resource.address,
        ports=", ".join((named or numbers)[:4]),
    )  # fmt: skip


def _ports(rule: Node) -> list[tuple[int, int]]:
    """Return the ranges of ports that a rule opens; none means all."""
    low, high = rule.at("from_port"), rule.at("to_port")
    if low is not None and low.number is not None:
        top = high.number if high is not None and high.number is not None else low.number
        any_protocol = rule.value("protocol") in ("-1", "all") or rule.value("ip_protocol") == "-1"
        if any_protocol or (low.number == 0 and top in (0, 65535)):
            return []
        return [(int(low.number), int(top))]
    named = texts(rule.at("destination_port_range")) + texts(rule.at("destination_port_ranges"))
    named += [text for allow in rule.entries("allow") for text in texts(allow.at("ports"))]
    if not named and any("icmp" in allow.value("protocol") for allow in rule.entries("allow")):
        return [(0, 0)]
    ranges = [re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", text) for text in named]
    return [(int(match[1]), int(match[2] or match[1])) for match in ranges if match is not None]


def _passwords(resource: Resource) -> Iterator[Finding]:
    for key, node in resource.node.map.items():
        literal = node.kind == TEXT and node.text and "{{resolve:" not in node.text
        if literal and _PASSWORD.search(key) and not (_REFERENCE.match(node.text) or _FILLED_IN.fullmatch(node.text)):
            yield RULES.found(
                "CLOUD-HARDCODED-PASSWORD", resource.node.line_of(key), resource=resource.address, key=key
            )


def _bucket(resource: Resource, everything: Sequence[Resource]) -> Iterator[Finding]:
    """Find protections of a bucket that neither it nor a resource beside it declares."""
    address, name = f"aws_s3_bucket.{resource.name}.", resource.node.value("bucket")

    def protected(kind: str, *keys: str) -> bool:
        if resource.node.map.keys() & set(keys):
            return True
        companions = [other.node for other in everything if other.type == kind]
        return any(
            address in node.value("bucket")
            or node.value("bucket") == name != ""
            or node.map.keys() & {"for_each", "count"}
            for node in companions
        )

    account_wide = any(other.type == "aws_s3_account_public_access_block" for other in everything)
    if not account_wide and not protected("aws_s3_bucket_public_access_block", "public_access_block"):
        yield _found("AWS-S3-PUBLIC-ACCESS-BLOCK", resource)
    if not protected("aws_s3_bucket_versioning", "versioning", "versioning_configuration"):
        yield _found("AWS-S3-VERSIONING", resource)
    if not protected("aws_s3_bucket_logging", "logging", "logging_configuration"):
        yield _found("AWS-S3-LOGGING", resource)


_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_RENAMED = {
    "cidr_ip": "cidr_ipv4",
    "master_user_password": "master_password",
    "security_group_ingress": "ingress",
    "access_control": "acl",
    "public_access_block_configuration": "public_access_block",
}


@cache
def _types() -> dict[str, str]:
    """Return the Terraform name of each type that the rules know."""
    return msgspec.json.decode(Path(__file__).with_name("cloudformation_types.json").read_bytes(), type=dict[str, str])


def known_as(kind: str) -> str:
    """Return the name under which the rules know a type."""
    return _types().get(kind, kind)


def is_cloudformation(document: Document) -> bool:
    """Return whether a document is a CloudFormation template."""
    declared = document.root.at("Resources") if document.syntax in ("yaml", "json") else None
    return declared is not None and any(
        node.value("Type").startswith(("AWS::", "Custom::")) for node in declared.map.values()
    )


def template_resources(document: Document) -> Iterator[Resource]:
    """Return the resources that a template declares."""
    declared = document.root.map["Resources"]
    for name, node in declared.map.items():
        kind = node.value("Type")
        properties = node.at("Properties")
        made = _snake_case(properties) if properties is not None else Node(MAP, node.line)
        yield Resource(_types().get(kind, kind), name, declared.line_of(name), made, document)


def _snake_case(node: Node, depth: int = 0) -> Node:
    """Return properties with the names that Terraform gives them; intrinsic functions become expressions."""
    if depth > DEPTH or node.kind not in (MAP, LIST):
        return node
    if node.kind == LIST:
        return Node(LIST, node.line, items=[_snake_case(item, depth + 1) for item in node.items])
    if node.tag or any(key == "Ref" or key.startswith("Fn::") for key in node.map):
        return Node(EXPRESSION, node.line, "expression")
    made = Node(MAP, node.line)
    for key, value in node.map.items():
        if key in ("PolicyDocument", "AssumeRolePolicyDocument"):
            made.map["policy" if key == "PolicyDocument" else "assume_role_policy"] = value
            made.lines["policy"] = node.line_of(key)
            continue
        name = _CAMEL.sub("_", key.replace("DB", "Db").replace("KMS", "Kms").replace("AZ", "Az")).lower()
        name = _RENAMED.get(name, name)
        made.map[name] = _snake_case(value, depth + 1)
        made.lines[name] = node.line_of(key)
    return made
