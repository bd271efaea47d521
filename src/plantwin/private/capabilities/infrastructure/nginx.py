"""nginx: security rules (CIS NGINX) and validity rules. Apache, sshd and sudoers have those of `rules/server.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules, made
from plantwin.private.capabilities.infrastructure.keys import close_match, known_keys
from plantwin.private.formats.document import Document
from plantwin.private.formats.nginx import Directive, directives

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

SECURITY = Rules("nginx")
SERVER = Rules("server")
VALIDITY = Rules("nginx_validity")
DIRECTIVES = known_keys("nginx", "directives")
_TABLES = ("map", "types", "geo", "split_clients", "match", "charset_map")
"""Blocks whose lines are values, not directives."""
_URL = re.compile(r"(?:https?|grpcs?)://(?P<host>[^/:\s;]+|\[[^\]]+\])(?::(?P<port>\d+))?(?:/.*)?")
_LOCAL = re.compile(r"127\.|\[::1\]|unix:|localhost")


def is_nginx(document: Document) -> bool:
    """Return whether a document is of nginx, among the many formats with lines of directives."""
    text = document.source.text[:200_000]
    return (
        document.syntax == "nginx"
        and re.search(r"(?m)^[ \t]*+(?:server|http|events|upstream\s++[^\s{]++|location[ \t]++[^{\n]++)\s*+\{", text)
        is not None
        and re.search(r";[ \t\r]*+(?:#.*)?$", text, re.MULTILINE) is not None
        and "acl " not in text[:2000]
    )


def is_server(document: Document) -> bool:
    """Return whether a document has directives of some server, a line each."""
    return document.source.format in ("nginx", "apache")


def audit_server(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of single lines, for servers of any kind: Apache, sshd, sudoers."""
    patterns = [(re.compile(rule.pattern), rule) for rule in SERVER]
    for number, line in enumerate(document.source.text.split("\n")[:20_000], start=1):
        if not line.lstrip().startswith("#"):
            yield from (made(rule, number) for pattern, rule in patterns if pattern.search(line[:600]))


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of an nginx configuration."""
    yield from audit_server(document, project)
    root, _ = directives(document.source.text)
    for directive in root.within():
        name, arguments = directive.name, directive.words
        if name == "server_tokens" and arguments[:1] == ["on"]:
            yield SECURITY.found("NGINX-SERVER-TOKENS", directive.line)
        elif name == "location" and arguments and arguments[0] not in ("~", "~*", "="):
            alias = [inner.words[0] for inner in directive.all("alias")[:1] if inner.words]
            if alias and alias[0].endswith("/") and not arguments[-1].endswith("/"):
                yield SECURITY.found("NGINX-ALIAS-TRAVERSAL", directive.line)
        elif name == "proxy_pass" and arguments:
            if re.match(r"https?://\$(?:arg_|http_|uri|request_uri|host\b)", arguments[0]):
                yield SECURITY.found("NGINX-PROXY-SSRF", directive.line)
        elif name == "server" and directive.block and _parent(directive) in ("", "http"):
            yield from _audit_site(directive)


def _parent(directive: Directive) -> str:
    return directive.parent.name if directive.parent is not None else ""


def _audit_site(site: Directive) -> Iterator[Finding]:
    listens = [listen for listen in site.all("listen") if listen.words]
    if site.all("ssl_certificate") or any("ssl" in listen.words or listen.words[0] == "443" for listen in listens):
        headers = site.inherited("add_header")
        headers += [header for location in site.all("location") for header in location.all("add_header")]
        strict = any("strict-transport-security" in " ".join(header.words).lower() for header in headers)
        if not strict and not site.all("include"):
            yield SECURITY.found("NGINX-HSTS", site.line)
        return
    redirects = any(inner.name in ("return", "rewrite") and "https" in " ".join(inner.words) for inner in site.within())
    public = not all(_LOCAL.match(listen.words[0]) for listen in listens)
    if public and not redirects and any(re.search(r"(?:^|:)80$", listen.words[0]) for listen in listens):
        yield SECURITY.found("NGINX-HTTP", listens[0].line)


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with an nginx configuration."""
    root, faults = directives(document.source.text)
    for fault in () if document.templated else faults:
        yield VALIDITY.found("NGINX-SYNTAX", fault.line, fault=fault.message, suggestion=fault.hint)
    every = list(root.within())
    upstreams = {directive.words[0] for directive in every if directive.name == "upstream" and directive.words}
    if any(directive.name == "include" for directive in every):
        upstreams = set()  # Others may stand in the files that are included.
    for directive in every:
        parent = _parent(directive)
        if parent not in _TABLES and directive.name not in DIRECTIVES:
            near = close_match(directive.name, DIRECTIVES, 0.88)
            if "_" in near and near not in (directive.name + "s", directive.name[:-1]):
                yield VALIDITY.found("NGINX-DIRECTIVE", directive.line, name=directive.name[:60], near=near)
        if directive.name == "proxy_pass" and directive.words:
            yield from _validate_proxy(directive, upstreams)


def _validate_proxy(directive: Directive, upstreams: set[str]) -> Iterator[Finding]:
    target = directive.words[0]
    if "$" in target or "unix:" in target:
        return
    match = _URL.fullmatch(target)
    if match is None or "." in match["host"] or match["port"]:
        return
    if match["host"] not in upstreams | {"localhost"}:
        near = close_match(match["host"], upstreams, 0.6)
        if near:
            yield VALIDITY.found("NGINX-UPSTREAM", directive.line, name=match["host"][:60], near=near)
