"""Declared infrastructure: Terraform, and policies written as documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.common.settings import Setting
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_OFF: dict[str, tuple[Severity, OutcomeTag, str]] = {
    "storage_encrypted": (_S.MEDIUM, _T.WEAK_CRYPTO, "stored data is not encrypted"),
    "encrypted": (_S.MEDIUM, _T.WEAK_CRYPTO, "stored data is not encrypted"),
    "encrypt_at_rest": (_S.MEDIUM, _T.WEAK_CRYPTO, "stored data is not encrypted"),
    "at_rest_encryption_enabled": (_S.MEDIUM, _T.WEAK_CRYPTO, "stored data is not encrypted"),
    "transit_encryption_enabled": (_S.MEDIUM, _T.WEAK_CRYPTO, "data travels unencrypted"),
    "https_only": (_S.MEDIUM, _T.WEAK_CRYPTO, "data travels unencrypted"),
    "enable_https_traffic_only": (_S.MEDIUM, _T.WEAK_CRYPTO, "data travels unencrypted"),
    "require_ssl": (_S.MEDIUM, _T.WEAK_CRYPTO, "data travels unencrypted"),
    "ssl_enforcement_enabled": (_S.MEDIUM, _T.WEAK_CRYPTO, "data travels unencrypted"),
    "enable_key_rotation": (_S.LOW, _T.WEAK_CRYPTO, "keys are never replaced"),
    "block_public_acls": (_S.HIGH, _T.EXPOSED_SERVICE, "the bucket may be made public"),
    "block_public_policy": (_S.HIGH, _T.EXPOSED_SERVICE, "the bucket may be made public"),
    "restrict_public_buckets": (_S.HIGH, _T.EXPOSED_SERVICE, "the bucket may be made public"),
    "ignore_public_acls": (_S.HIGH, _T.EXPOSED_SERVICE, "the bucket may be made public"),
    "enable_log_file_validation": (_S.LOW, _T.MISSING_CHECK, "changes of the audit log go unseen"),
    "deletion_protection": (_S.LOW, _T.MISSING_CHECK, "it can be deleted by mistake"),
}
_ON: dict[str, tuple[Severity, OutcomeTag, str]] = {
    "publicly_accessible": (_S.HIGH, _T.EXPOSED_SERVICE, "it is reachable from the internet"),
    "public_network_access_enabled": (_S.MEDIUM, _T.EXPOSED_SERVICE, "it is reachable from the internet"),
    "associate_public_ip_address": (_S.LOW, _T.EXPOSED_SERVICE, "it has an address on the internet"),
    "allow_blob_public_access": (_S.HIGH, _T.EXPOSED_SERVICE, "its contents may be public"),
    "endpoint_public_access": (_S.LOW, _T.EXPOSED_SERVICE, "its control is reachable from the internet"),
    "enable_legacy_abac": (_S.MEDIUM, _T.EXCESSIVE_PERMISSION, "old, wide permissions hold"),
}
_WEB = frozenset(("80", "443", "8080", "8443"))


def issues(found: Sequence[Setting], text: str) -> Iterator[Issue]:
    """What a module of Terraform declares."""
    ports = _ports(found)
    outward = {each.path for each in found if each.key == "type" and each.value == "egress"}
    for each in found:
        key, value = each.key, each.value.strip()
        place = _place(each)
        if key in _OFF and value == "false":
            severity, tag, means = _OFF[key]
            yield Issue(each.line, severity, tag, f"{place}: {means}", "Turn it on.")
        elif key in _ON and value == "true":
            severity, tag, means = _ON[key]
            yield Issue(each.line, severity, tag, f"{place}: {means}", "Turn it off.")
        elif key in (
            "cidr_blocks",
            "ipv6_cidr_blocks",
            "source_ranges",
            "cidr_ipv4",
            "source_address_prefix",
            "source_address_prefixes",
        ) and re.search(r"0\.0\.0\.0/0|::/0|^\*$", value):
            parent = each.path.rpartition(".")[0]
            if "egress" in parent or f"{parent}.type" in outward:
                continue
            opened = ports.get(parent, set())
            severity = _S.LOW if opened and opened <= _WEB else _S.HIGH
            yield Issue(
                each.line,
                severity,
                _T.EXPOSED_SERVICE,
                f"{place}: {'ports ' + ', '.join(sorted(opened)) if opened else 'it'} can be reached from everywhere",
                "Name the networks that need it.",
            )
        elif key == "acl" and value in ("public-read", "public-read-write", "website"):
            yield Issue(each.line, _S.HIGH, _T.EXPOSED_SERVICE, f"{place}: everyone can read it", "Make it private.")
        elif key == "http_tokens" and value == "optional":
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.INSECURE_SETTING,
                f"{place}: credentials of the machine can be read by a simple request",
                "Require tokens.",
            )
        elif (
            key in ("master_password", "password", "administrator_login_password", "admin_password")
            and value
            and not re.match(
                r"(?:var|local|data|random|module|aws_|azurerm_|google_|sensitive|file|jsondecode|null)\b|\$\{", value
            )
        ):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.HARDCODED_SECRET,
                f"{place}: a password is written into the declaration",
                "Take it from a secret store.",
            )
        elif key.strip('"') in ("Action", "actions") and re.fullmatch(r"\[?\s*\"?\*\"?\s*\]?", value):
            yield Issue(
                each.line, _S.HIGH, _T.EXCESSIVE_PERMISSION, f"{place}: every action is allowed", "Name the actions."
            )
        elif key in ("min_tls_version", "minimum_tls_version", "ssl_policy", "minimum_protocol_version") and re.search(
            r"1_0|1\.0|1_1|1\.1|2016-08|SSLv3", value
        ):
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.WEAK_CRYPTO,
                f"{place}: old versions of TLS are accepted",
                "Ask for TLS 1.2 or later.",
            )
    if "aws_s3_bucket_public_access_block" not in text:
        for number, line in enumerate(text.split("\n")[:20_000], start=1):
            match = re.match(r"\s*resource\s+\"aws_s3_bucket\"\s+\"([^\"]{1,80})\"", line[:300])
            if match is not None:
                yield Issue(
                    number,
                    _S.LOW,
                    _T.MISSING_CHECK,
                    f"`aws_s3_bucket.{match[1]}`: nothing here keeps the bucket from being made public",
                    "Add a public access block.",
                )


def _place(each: Setting) -> str:
    parts = each.path.split(".")
    return f"`{'.'.join(parts[1:3])}.{each.key}`" if parts[0] == "resource" and len(parts) > 3 else f"`{each.path}`"


def _ports(found: Sequence[Setting]) -> dict[str, set[str]]:
    opened: dict[str, set[str]] = {}
    for each in found:
        if each.key in ("from_port", "to_port", "port", "ports"):
            opened.setdefault(each.path.rpartition(".")[0], set()).update(re.findall(r"\d+", each.value))
    return opened


def documents(found: Sequence[Setting]) -> Iterator[Issue]:
    """Permission policies in JSON or YAML."""
    allowed = {each.path.rpartition(".")[0] for each in found if each.key == "Effect" and each.value == "Allow"}
    for each in found:
        statement = re.sub(r"\.(?:Action|Principal|Resource)(?:\.\w+)*$", "", each.path)
        if statement not in allowed:
            continue
        if each.key == "Action" and each.value == "*":
            yield Issue(
                each.line, _S.HIGH, _T.EXCESSIVE_PERMISSION, f"`{each.path}` allows every action", "Name the actions."
            )
        elif each.value == "*" and re.search(r"\.Principal(?:\.AWS)?(?:\.\d+)?$", each.path):
            yield Issue(each.line, _S.HIGH, _T.EXPOSED_SERVICE, f"`{each.path}` lets everyone in", "Name who may.")
