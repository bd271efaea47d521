"""Networks in their own syntax: zones of names, tables of hosts, firewalls."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_RULE = re.compile(
    r"\s{0,40}(?:-[AIP] [A-Z]|:[A-Z]+ (?:ACCEPT|DROP)|\*(?:filter|nat|mangle|raw)|(?:table|chain) \w|(?:pass|block"
    r"|match) "
    r"(?:in|out|drop|quick|log|all|on)\b|(?:tcp|udp|ip6?|iif|oif|ct|meta) \S.{0,200}(?:accept|drop|reject)"
    r"|access-list \S|permit \S|deny \S|ip (?:route|address) |interface \S|ufw (?:allow|deny|limit)|firewall-cmd )"
)
_RECORD = re.compile(r"\S{0,255}\s+(?:\d{1,9}\s+)?(?:IN\s+)?(?:SOA|NS|A|AAAA|MX|CNAME|TXT|PTR|SRV|CAA)\s+\S")
_HOST = re.compile(r"\s{0,8}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F]{0,4}:[0-9a-fA-F:]{2,40})\s+[\w.-]{1,253}")
_MAX = 5000


def read_rules(sample: Sample, draft: Draft) -> None:
    """Rules, names and hosts by line."""
    others = 0
    for line in head_text(sample).split("\n")[:_MAX]:
        body = line.strip()
        if not body or body[0] in "#;!":
            draft.add("todo", "TODO" in body or "FIXME" in body)
            continue
        if _RULE.match(line) or _RECORD.match(line) or _HOST.match(line):
            draft.add("infra_network")
            draft.add("public_exposure", "0.0.0.0/0" in body or body.endswith("from any"))
            draft.add("host_literal", _HOST.match(line) is not None)
        else:
            others += 1
        draft.add("key")
    draft.outline.parsed = others <= 2 * draft.features.get("infra_network", 0)
