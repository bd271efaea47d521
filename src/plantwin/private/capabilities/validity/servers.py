"""nginx: braces and semicolons, listeners, upstreams, addresses."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.directives import Directive, directives
from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_COMMON = words(
    "server server_name listen location root alias index try_files return rewrite if set proxy_pass proxy_set_header proxy_http_version "
    "proxy_read_timeout proxy_connect_timeout proxy_send_timeout proxy_buffering proxy_redirect proxy_cache upstream add_header expires "
    "access_log error_log log_format include ssl_certificate ssl_certificate_key ssl_protocols ssl_ciphers ssl_prefer_server_ciphers "
    "ssl_session_cache ssl_session_timeout gzip gzip_types client_max_body_size keepalive_timeout sendfile tcp_nopush tcp_nodelay "
    "worker_processes worker_connections events http stream user pid error_page fastcgi_pass fastcgi_param fastcgi_index uwsgi_pass "
    "limit_req limit_req_zone limit_conn limit_conn_zone auth_basic auth_basic_user_file allow deny map geo resolver types default_type "
    "server_tokens autoindex internal proxy_cache_path proxy_hide_header proxy_ssl_verify worker_rlimit_nofile"
)
_URL = re.compile(r"(?:https?|grpcs?)://(?P<host>[^/:\s;]+|\[[^\]]+\])(?::(?P<port>\d+))?(?:/.*)?")


def is_nginx(document: Document) -> bool:
    """Whether it is of nginx, among the many formats with lines of directives."""
    text = document.source.text[:200_000]
    return (
        document.syntax == "nginx"
        and re.search(r"(?m)^\s*(?:server|http|events|upstream\s+\S+|location\s+[^{\n]+)\s*\{", text) is not None
        and re.search(r";\s*(?:#.*)?$", text, re.MULTILINE) is not None
        and "acl " not in text[:2000]
    )


def issues(document: Document) -> Iterator[Issue]:
    """What is wrong with it."""
    root, faults = directives(document.source.text)
    for fault in faults:
        yield Issue(fault.line, _S.HIGH, _T.UNPARSABLE, "nginx/syntax", fault.message, fault.hint)
    every = list(root.within())
    upstreams = {each.words[0] for each in every if each.name == "upstream" and each.words}
    included = any(each.name == "include" for each in every)
    names: dict[tuple[str, str], int] = {}
    for each in every:
        parent = each.parent.name if each.parent is not None else ""
        if parent not in ("map", "types", "geo", "split_clients", "match", "charset_map") and each.name not in _COMMON:
            near = difflib.get_close_matches(each.name, _COMMON, 1, 0.88)
            if near and near[0] not in (each.name + "s", each.name[:-1]) and "_" in near[0]:
                yield Issue(
                    each.line,
                    _S.MEDIUM,
                    _T.INVALID_VALUES,
                    "nginx/directive",
                    f"`{each.name[:60]}` is close to `{near[0]}`",
                    f"Did you mean `{near[0]}`?",
                )
        if each.name == "listen":
            yield from _listen(each)
        elif each.name == "proxy_pass" and each.words:
            yield from _proxied(each, upstreams, included)
        elif (each.name == "server" and parent == "http") or (each.name == "server" and parent == ""):
            yield from _server(each, names)
        elif each.name == "upstream" and not each.below:
            yield Issue(
                each.line, _S.HIGH, _T.MISSING_PART, "nginx/upstream", "An upstream without servers", "Add one."
            )


def _listen(each: Directive) -> Iterator[Issue]:
    port = re.search(r"(?:^|:)(\d+)$", each.words[0]) if each.words else None
    if port is not None and not 0 < int(port[1]) <= 65535:
        yield Issue(
            each.line, _S.HIGH, _T.INVALID_VALUES, "port-range", "listen names a port that cannot be", "Correct it."
        )
    if (
        "ssl" in each.words
        and each.parent is not None
        and not each.parent.inherited("ssl_certificate")
        and not each.parent.all("include")
    ):
        yield Issue(
            each.line,
            _S.HIGH,
            _T.MISSING_PART,
            "nginx/certificate",
            "A server listens with TLS and has no certificate",
            "Set ssl_certificate and ssl_certificate_key.",
        )


def _proxied(each: Directive, upstreams: set[str], included: bool) -> Iterator[Issue]:
    target = each.words[0]
    if "$" in target or "unix:" in target:
        return
    match = _URL.fullmatch(target)
    if match is None:
        yield Issue(
            each.line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "nginx/proxy-pass",
            "proxy_pass is no address",
            "Begin it with http:// or https://.",
        )
    elif match["port"] and int(match["port"]) > 65535:
        yield Issue(
            each.line, _S.HIGH, _T.INVALID_VALUES, "port-range", "proxy_pass names a port that cannot be", "Correct it."
        )
    elif (
        upstreams
        and not included
        and "." not in match["host"]
        and not match["port"]
        and match["host"] not in upstreams | {"localhost"}
    ):
        near = difflib.get_close_matches(match["host"], upstreams, 1, 0.6)
        if near:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "nginx/upstream",
                f"No upstream is named `{match['host'][:60]}`",
                f"Did you mean `{near[0]}`?",
            )


def _server(each: Directive, names: dict[tuple[str, str], int]) -> Iterator[Issue]:
    ports = [one.words[0] for one in each.all("listen") if one.words] or ["80"]
    for one in each.all("server_name"):
        for name in one.words:
            for port in ports:
                first = names.setdefault((name, port), one.line)
                if first != one.line and name != "_":
                    yield Issue(
                        one.line,
                        _S.MEDIUM,
                        _T.DUPLICATION,
                        "nginx/server-name",
                        f"`{name[:60]}` on the same port is served above (line {first}); this one is ignored",
                        "Remove one.",
                    )
    seen: dict[str, int] = {}
    for one in each.all("location"):
        key = " ".join(one.words)
        first = seen.setdefault(key, one.line)
        if first != one.line:
            yield Issue(
                one.line,
                _S.HIGH,
                _T.DUPLICATION,
                "nginx/location",
                f"The same location stands above (line {first})",
                "Join them.",
            )
