"""Detection rules with their own syntax: YARA, Snort and Suricata, OPA's Rego, ModSecurity, iptables."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_RULE = re.compile(
    r"^(?:(?:private |global ){0,2}rule[ \t]{1,8}(?P<yara>\w{1,120})"
    r"|(?:alert|drop|pass|reject|log|rejectsrc)[ \t]{1,8}(?:tcp|udp|icmp|ip|http|tls|dns|ssh|smb"
    r"|ftp)[ \t]{1,8}\S{1,200}[ \t]"
    r"|package[ \t]{1,8}(?P<rego>[\w.]{1,120})|(?:default[ \t]{1,8})?(?P<head>(?:deny|allow|violation"
    r"|warn)\w{0,40})(?:[\[ {:=]|$)"
    r"|Sec(?:Rule|Action)[ \t]|-A[ \t]{1,8}(?P<chain>\w{1,60})[ \t])",
    re.MULTILINE,
)
_NAME = re.compile(r"\bsid:\s{0,8}(\d{1,12})")


def read_rules(sample: Sample, draft: Draft) -> None:
    """Rules by their heads."""
    text = head_text(sample)
    for match in _RULE.finditer(text):
        draft.add("security_rule", not match["rego"])
        draft.name(match["yara"] or match["rego"] or match["head"] or match["chain"])
        draft.add("infra_network", match["chain"] is not None)
    for match in _NAME.finditer(text):
        draft.name(match[1])
    draft.add("todo", text.count("# TODO") + text.count("// TODO"))
    draft.outline.parsed = "security_rule" in draft.features or bool(draft.outline.names)
