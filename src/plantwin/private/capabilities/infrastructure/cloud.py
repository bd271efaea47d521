"""Resources of clouds: networks open to all, policies that allow everything, storage without protection."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.infrastructure.policies import policies, statements, texts
from plantwin.private.capabilities.infrastructure.resource import Resource
from plantwin.private.capabilities.infrastructure.rows import ABSENT, NOT_ON, OFF, ON, ROWS, Row
from plantwin.private.capabilities.placed.node import EXPRESSION, LIST, MAP, NULL, TEXT, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_WORLD = frozenset(("0.0.0.0/0", "::/0", "*", "Internet", "Any", "any"))
_WEB = frozenset((80, 443, 8080, 8443))
_GRAVE = {
    22: "SSH", 3389: "RDP", 5432: "PostgreSQL", 3306: "MySQL", 1433: "SQL Server", 27017: "MongoDB", 6379: "Redis",
    9200: "Elasticsearch", 11211: "memcached", 2375: "Docker", 5984: "CouchDB", 9042: "Cassandra", 23: "Telnet", 445: "SMB",
    1521: "Oracle", 2379: "etcd", 10250: "kubelet", 6443: "Kubernetes API", 5601: "Kibana", 9092: "Kafka", 5672: "RabbitMQ",
}  # fmt: skip
_REFERENCE = re.compile(
    r"(?:var|local|data|random|module|aws|azurerm|google|sensitive|file|jsondecode|null|each|path)[_.\w]*|\$\{"
)
_PASSWORD = re.compile(
    r"(?:^|_)(?:master_password|password|admin_password|administrator_login_password|secret_string|auth_token)$"
)
_OLD = {"postgres": 13, "aurora-postgresql": 13, "mysql": 8, "aurora-mysql": 8, "mariadb": 10}


def issues(resource: Resource, everything: Sequence[Resource]) -> Iterator[Issue]:
    """What one resource risks, seen with all the others."""
    if resource.data:
        if resource.type == "aws_iam_policy_document":
            yield from statements(resource)
        return
    for row in ROWS:
        if resource.type in row.types:
            yield from _row(row, resource)
    yield from _networks(resource)
    yield from policies(resource)
    yield from _passwords(resource)
    if resource.type == "aws_s3_bucket":
        yield from _bucket(resource, everything)
    elif resource.type == "aws_vpc" and not any(each.type == "aws_flow_log" for each in everything):
        yield Issue(
            resource.line,
            _S.LOW,
            _T.MISSING_SAFEGUARD,
            "CIS-AWS 3.7",
            f"{resource.place}: no flow log records its traffic",
            "Add aws_flow_log.",
        )
    elif resource.type in ("aws_lb_listener", "aws_alb_listener"):
        yield from _listener(resource)
    elif resource.type in ("aws_db_instance", "aws_rds_cluster"):
        yield from _engine(resource)
    elif resource.type == "aws_eks_cluster":
        yield from _cluster(resource)
    elif resource.type == "module":
        yield from _module(resource)
    elif resource.type.startswith("google_") and "_iam_" in resource.type:
        yield from _google_access(resource)


def _below(node: Node, path: tuple[str, ...]) -> Node | None:
    here: Node | None = node
    for step in path:
        if here is not None and here.kind == LIST:
            here = here.items[0] if here.items else None
        here = here.map.get(step) if here is not None else None
    return here


def _row(row: Row, resource: Resource) -> Iterator[Issue]:
    found = _below(resource.node, row.path)
    holder = _below(resource.node, row.path[:-1]) if len(row.path) > 1 else resource.node
    if found is not None and found.kind == EXPRESSION:
        return
    missing = found is None or found.kind == NULL
    if row.when == ABSENT:
        bad = missing
    elif row.when == NOT_ON:
        bad = missing or (found is not None and found.false)
    elif missing or found is None:
        bad = False
    elif row.when == OFF:
        bad = found.false
    elif row.when == ON:
        bad = found.true
    else:
        bad = found.text in row.when
    if bad:
        line = found.line if found is not None else resource.line
        if found is not None and holder is not None and holder.kind == MAP:
            line = holder.line_of(row.path[-1])
        yield Issue(line, row.severity, row.tag, row.rule, f"{resource.place}: {row.message}", row.hint)


def _networks(resource: Resource) -> Iterator[Issue]:
    """Doors that are open to the whole world."""
    kind, node = resource.type, resource.node
    rules: list[Node] = []
    if kind in ("aws_security_group", "aws_default_security_group"):
        rules = node.entries("ingress")
    elif (
        (kind == "aws_security_group_rule" and node.value("type") == "ingress")
        or kind == "aws_vpc_security_group_ingress_rule"
        or (
            kind == "google_compute_firewall" and node.value("direction").upper() != "EGRESS" and "deny" not in node.map
        )
    ):
        rules = [node]
    elif kind in ("azurerm_network_security_rule", "azurerm_network_security_group"):
        every = [node] if kind.endswith("rule") else node.entries("security_rule")
        rules = [each for each in every if each.value("direction") != "Outbound" and each.value("access") != "Deny"]
    for rule in rules:
        for key in (
            "cidr_blocks",
            "ipv6_cidr_blocks",
            "cidr_ipv4",
            "cidr_ipv6",
            "source_ranges",
            "source_address_prefix",
            "source_address_prefixes",
        ):
            if _WORLD & set(texts(rule.at(key))):
                yield _open(resource, rule, rule.line_of(key))
                break
    for networks in (
        _below(node, ("settings", "ip_configuration", "authorized_networks")),
        _below(node, ("public_access_cidrs",)),
    ):
        for each in networks.items if networks is not None else []:
            if (each.value("value") or each.text) in _WORLD:
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.EXPOSED_SERVICE,
                    "open-network",
                    f"{resource.place}: the whole internet may connect",
                    "Name the networks that need it.",
                )


def _open(resource: Resource, rule: Node, line: int) -> Issue:
    ports = _ports(rule)
    grave = [f"{name} ({port})" for port, name in _GRAVE.items() if any(low <= port <= high for low, high in ports)]
    every = not ports or any(high - low > 1000 for low, high in ports)
    protocol = rule.value("protocol") or rule.value("ip_protocol")
    if protocol in ("icmp", "icmpv6", "58"):
        return Issue(
            line,
            _S.LOW,
            _T.EXPOSED_SERVICE,
            "open-icmp",
            f"{resource.place}: everyone may ping it",
            "Name the networks.",
        )
    if not every and all(low == high and low in _WEB for low, high in ports):
        return Issue(
            line,
            _S.LOW,
            _T.EXPOSED_SERVICE,
            "open-web",
            f"{resource.place}: the web port is open to everyone, as a public site needs",
            "Check that it is meant to be public.",
        )
    if every:
        return Issue(
            line,
            _S.CRITICAL,
            _T.EXPOSED_SERVICE,
            "CIS-AWS 5.2",
            f"{resource.place}: every port can be reached from the whole internet",
            "Open single ports for named networks.",
        )
    what = ", ".join(grave[:4]) or ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in ports[:4])
    return Issue(
        line,
        _S.HIGH,
        _T.EXPOSED_SERVICE,
        "CIS-AWS 5.2",
        f"{resource.place}: {what} can be reached from the whole internet",
        "Name the networks that need it.",
    )


def _ports(rule: Node) -> list[tuple[int, int]]:
    low, high = rule.at("from_port"), rule.at("to_port")
    if low is not None and low.number is not None:
        top = high.number if high is not None and high.number is not None else low.number
        if (
            rule.value("protocol") in ("-1", "all")
            or rule.value("ip_protocol") == "-1"
            or (low.number == 0 and top in (0, 65535))
        ):
            return []
        return [(int(low.number), int(top))]
    found: list[tuple[int, int]] = []
    named = texts(rule.at("destination_port_range")) + texts(rule.at("destination_port_ranges"))
    named += [text for allow in rule.entries("allow") for text in texts(allow.at("ports"))]
    if any("icmp" in allow.value("protocol") for allow in rule.entries("allow")) and not named:
        return [(0, 0)]
    for text in named:
        match = re.fullmatch(r"(\d{1,5})(?:-(\d{1,5}))?", text)
        if match is not None:
            found.append((int(match[1]), int(match[2] or match[1])))
    return found


def _passwords(resource: Resource) -> Iterator[Issue]:
    for key, node in resource.node.map.items():
        if (
            _PASSWORD.search(key)
            and node.kind == TEXT
            and node.text
            and not _REFERENCE.match(node.text)
            and "{{resolve:" not in node.text
        ):
            yield Issue(
                resource.node.line_of(key),
                _S.HIGH,
                _T.HARDCODED_SECRET,
                "secret in code",
                f"{resource.place}: `{key}` is written into the declaration",
                "Take it from a secret store.",
            )


def _bucket(resource: Resource, everything: Sequence[Resource]) -> Iterator[Issue]:
    named = f"aws_s3_bucket.{resource.name}."

    def has(kind: str) -> bool:
        same = [each for each in everything if each.type == kind]
        return any(
            named in each.node.value("bucket") or each.node.value("bucket") == resource.node.value("bucket") != ""
            for each in same
        ) or any("for_each" in each.node.map or "count" in each.node.map for each in same)

    blocked = has("aws_s3_bucket_public_access_block") or any(
        each.type == "aws_s3_account_public_access_block" for each in everything
    )
    if not blocked and "public_access_block" not in resource.node.map:
        yield Issue(
            resource.line,
            _S.MEDIUM,
            _T.MISSING_SAFEGUARD,
            "CIS-AWS 2.1.4",
            f"{resource.place}: nothing here keeps the bucket from being made public",
            "Add a public access block.",
        )
    if (
        not has("aws_s3_bucket_versioning")
        and not {"versioning", "versioning_configuration"} & resource.node.map.keys()
    ):
        yield Issue(
            resource.line,
            _S.LOW,
            _T.MISSING_SAFEGUARD,
            "S3.14 versioning",
            f"{resource.place}: what is overwritten or deleted is gone",
            "Enable versioning.",
        )
    if not has("aws_s3_bucket_logging") and not {"logging", "logging_configuration"} & resource.node.map.keys():
        yield Issue(
            resource.line,
            _S.LOW,
            _T.MISSING_SAFEGUARD,
            "S3.9 logging",
            f"{resource.place}: access is not recorded",
            "Enable access logs.",
        )


def _listener(resource: Resource) -> Iterator[Issue]:
    actions = [
        each.value("type") for key in ("default_action", "default_actions") for each in resource.node.entries(key)
    ]
    if resource.node.value("protocol") == "HTTP" and "redirect" not in actions:
        yield Issue(
            resource.node.line_of("protocol"),
            _S.MEDIUM,
            _T.WEAK_CRYPTO,
            "ELB.1",
            f"{resource.place}: requests travel unencrypted",
            "Redirect to HTTPS.",
        )


def _engine(resource: Resource) -> Iterator[Issue]:
    engine, version = resource.node.value("engine"), resource.node.value("engine_version")
    match = re.match(r"\d+", version)
    if match is not None and int(match[0]) < _OLD.get(engine, 0):
        yield Issue(
            resource.node.line_of("engine_version"),
            _S.MEDIUM,
            _T.END_OF_LIFE,
            "end of life",
            f"{resource.place}: {engine} {version[:12]} is no longer maintained",
            "Upgrade it.",
        )


def _cluster(resource: Resource) -> Iterator[Issue]:
    access = _below(resource.node, ("vpc_config", "endpoint_public_access"))
    networks = _below(resource.node, ("vpc_config", "public_access_cidrs"))
    if (access is None or access.true) and (networks is None or _WORLD & set(texts(networks))):
        yield Issue(
            access.line if access is not None else resource.line,
            _S.MEDIUM,
            _T.EXPOSED_SERVICE,
            "CIS-EKS 5.4.2",
            f"{resource.place}: its control is reachable from the whole internet",
            "Restrict public_access_cidrs, or close it.",
        )


def _module(resource: Resource) -> Iterator[Issue]:
    origin = resource.node.value("source")
    if re.match(r"(?:git::|github\.com/|git@|https://)", origin) and "ref=" not in origin:
        yield Issue(
            resource.node.line_of("source"),
            _S.LOW,
            _T.UNPINNED,
            "module version",
            f"Module `{resource.name}` follows a branch",
            "Add ?ref= with a tag or commit.",
        )
    elif re.fullmatch(r"[\w-]+/[\w-]+/[\w-]+", origin) and "version" not in resource.node.map:
        yield Issue(
            resource.node.line_of("source"),
            _S.LOW,
            _T.UNPINNED,
            "module version",
            f"Module `{resource.name}` has no version",
            "Add version.",
        )


def _google_access(resource: Resource) -> Iterator[Issue]:
    role = resource.node.value("role")
    members = texts(resource.node.at("members")) + texts(resource.node.at("member"))
    if {"allUsers", "allAuthenticatedUsers"} & set(members):
        yield Issue(
            resource.line,
            _S.HIGH,
            _T.EXPOSED_SERVICE,
            "CIS-GCP 5.1",
            f"{resource.place}: everyone in the world is let in",
            "Name who may.",
        )
    if role in ("roles/owner", "roles/editor"):
        yield Issue(
            resource.node.line_of("role"),
            _S.HIGH,
            _T.EXCESSIVE_PERMISSION,
            "CIS-GCP 1.5",
            f"{resource.place}: a basic role with nearly every right is granted",
            "Grant a narrower role.",
        )
