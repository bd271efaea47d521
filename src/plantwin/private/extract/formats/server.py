"""Servers' own syntax: nginx-like braces, Apache-like tags, HAProxy-like sections, plain directives."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.judgement import judge
from plantwin.private.extract.formats.text import head_text
from plantwin.private.extract.formats.words import words
from plantwin.private.facts import Sample

_DIRECTIVE = re.compile(r"[ \t]{0,80}([A-Za-z_@$][\w.$@-]{0,80})[ \t]*(=?)[ \t]*(.{0,2000})")
_TAG = re.compile(r"[ \t]{0,80}</?([A-Za-z]\w{0,60})[ \t]*([^>]{0,400})>")
_WEAK = re.compile(r"\b(?:SSLv[23]|TLSv1(?:\.[01])?(?![.\d])|RC4|MD5|DES-CBC|NULL)\b")
_MAX = 5000

_OFF = words(
    "ssl_verify_client access_log ssl SSLEngine auth_basic ssl_verify logging proxy_ssl_verify ModSecurity "
    "SecRuleEngine modsecurity appendonly protected-mode fsync log_connections"
)
_NETWORK = words(
    "upstream proxy_pass server location ProxyPass frontend backend bind balance zone listen ProxyPassReverse "
    "reverse_proxy forwarders http_port VirtualHost"
)

_STAGES = words("input filter output")


def read_server(sample: Sample, draft: Draft) -> None:
    """Directives with their arguments; blocks name themselves."""
    broken = 0
    block: list[str] = []
    opened: list[str] = []
    """Blocks and tags of the outermost level."""
    for line in head_text(sample).split("\n")[:_MAX]:
        body = line.strip()
        if not body or body[0] in "#;!":
            draft.add("todo", "TODO" in body or "FIXME" in body)
            continue
        tag = _TAG.match(line)
        if tag:
            draft.add("server_directive")
            draft.name(tag[1])
            opened.append(tag[1])
            continue
        if body[0] == "}":
            if block:
                block.pop()
            continue
        match = _DIRECTIVE.match(line)
        if match is None:
            broken += 1
            continue
        name, rest = match[1], match[3].split(" #", 1)[0].strip()
        opens = rest.endswith("{") or body.endswith("{")
        _directive(draft, name, rest.rstrip("{;").strip(), block)
        if opens and not block:
            opened.append(name)
        if opens and len(block) < 50:
            block.append(name)
    if _shipping(opened):
        draft.add("infra_monitoring", draft.features.pop("server_directive", 1))
    draft.outline.parsed = broken <= max(
        draft.features.get(kind, 0) for kind in ("server_directive", "infra_monitoring")
    )


def _shipping(opened: list[str]) -> bool:
    """Records are taken in, changed and handed on: the blocks of a log shipper, in either of its syntaxes."""
    if {"input", "output"} <= set(opened):
        return _STAGES.issuperset(opened)
    return {"source", "match"} <= set(opened)


def _directive(draft: Draft, name: str, value: str, block: list[str]) -> None:
    draft.add("server_directive")
    draft.name(name)
    draft.setting(".".join([*block[-3:], name]), value)
    judge(draft, name, value.strip("\"'"))
    if name in _NETWORK:
        draft.add("infra_network")
    if name in _OFF and value in ("off", "no", "Off", "DetectionOnly"):
        draft.add("disabled_protection")
    elif name in ("include", "Include", "IncludeOptional", "source"):
        draft.refer_path(value, "configures")
    elif name in ("listen", "Listen", "bind", "listen_addresses"):
        draft.add("public_exposure", value.startswith(("80", "443", "0.0.0.0", "*", "'*'", "[::]")))  # noqa: S104
    elif name in ("server_name", "ServerName", "ServerAlias", "proxy_pass", "ProxyPass"):
        draft.add("host_literal", value not in ("_", "localhost", ""))
    elif "rotocol" in name or "cipher" in name.lower():
        draft.add("weak_crypto", _WEAK.search(value) is not None)
    elif name.startswith(("limit_", "client_max", "keepalive", "worker_", "max_", "MaxRequest", "Timeout", "timeout")):
        draft.add("threshold")
    elif name in ("Require", "require", "allow", "Allow", "host"):
        draft.add("open_permission", value in ("all granted", "all", "from all") or value.endswith(" trust"))
    elif name in ("rotate", "maxage", "daily", "weekly", "monthly", "expires", "log_rotation_age"):
        draft.add("retention")
