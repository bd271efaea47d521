"""Hosts: Compose and nginx."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.audit.settings.general import server as server_lines
from plantwin.private.capabilities.infrastructure.clusters import SECRET
from plantwin.private.capabilities.infrastructure.pictures import image_issue
from plantwin.private.capabilities.placed.directives import Directive, directives
from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import MAP, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_STORES = words("5432 3306 6379 27017 9200 11211 1433 5984 2375 9042 5672 15672 2379")
_PORT = re.compile(r"(?:(?P<host>[\d.]+|\[[^\]]+\]):)?(?P<outer>\d+)(?:-\d+)?:(?P<inner>\d+)")
_POWERS = words("ALL SYS_ADMIN NET_ADMIN SYS_PTRACE SYS_MODULE DAC_READ_SEARCH SYS_RAWIO")
_HOLDERS = re.compile(
    r"(?:(?:mongo|redis|postgres|mysql|mariadb|elasticsearch|rabbitmq|influxdb|cassandra)[\w-]*)(?::|$)"
)
_DEVELOPMENT = re.compile(
    r"(?:dev|local|test|override|example|ci)[\w-]*\.ya?ml$|(?:^|/)(?:dev|local|tests?|examples?)/", re.IGNORECASE
)


def compose(document: Document) -> Iterator[Issue]:
    """What services of a Compose file risk."""
    services = document.root.at("services")
    calm = _DEVELOPMENT.search(document.name) is not None
    for name, service in services.map.items() if services is not None else ():
        if service.kind != MAP or services is None:
            continue
        place = f"`{name}`"
        image = service.at("image")
        if image is not None and "build" not in service.map:
            found = image_issue(service.line_of("image"), image.text, place)
            if found is not None:
                yield found
        yield from _rights(place, service)
        yield from _volumes(place, service)
        for each in service.entries("ports"):
            text = (
                each.text
                if each.kind != MAP
                else f"{each.value('host_ip') + ':' if each.value('host_ip') else ''}{each.value('published')}:{each.value('target')}"
            )
            match = _PORT.match(text)
            if match is not None and match["inner"] in _STORES and match["host"] not in ("127.0.0.1", "[::1]"):
                yield Issue(
                    each.line,
                    _S.LOW if calm else _S.MEDIUM,
                    _T.EXPOSED_SERVICE,
                    "CIS-Docker 5.13",
                    f"{place} offers a data store on every interface",
                    "Bind it to 127.0.0.1, or leave the port out.",
                )
        yield from _environment(place, service, calm)
        limited = {"mem_limit", "cpus", "pids_limit"} & service.map.keys() or service.at(
            "deploy", "resources", "limits"
        ) is not None
        if not limited and not calm:
            yield Issue(
                services.line_of(name),
                _S.LOW,
                _T.MISSING_SAFEGUARD,
                "CIS-Docker 5.10",
                f"{place} may use all memory of the host",
                "Set deploy.resources.limits or mem_limit.",
            )
        if "healthcheck" not in service.map and not calm and "ports" in service.map:
            yield Issue(
                services.line_of(name),
                _S.LOW,
                _T.MISSING_SAFEGUARD,
                "CIS-Docker 4.6",
                f"{place} has no health check",
                "Add healthcheck, unless its image has one.",
            )


_SHARED = (("network_mode", "5.9"), ("pid", "5.15"), ("ipc", "5.16"), ("uts", "5.20"), ("userns_mode", "5.30"))
"""What a container can share with its host, with the rule against it."""


def _rights(place: str, service: Node) -> Iterator[Issue]:
    privileged = service.at("privileged")
    if privileged is not None and privileged.true:
        yield Issue(
            service.line_of("privileged"),
            _S.CRITICAL,
            _T.EXCESSIVE_PERMISSION,
            "CIS-Docker 5.4",
            f"{place} runs with every right of the host",
            "Remove privileged.",
        )
    for key, number in _SHARED:
        if service.value(key) == "host":
            yield Issue(
                service.line_of(key),
                _S.HIGH if key in ("pid", "ipc") else _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                f"CIS-Docker {number}",
                f"{place} shares the host's {key.partition('_')[0]}",
                "Give it its own.",
            )
    for each in service.entries("cap_add"):
        if each.text.upper().removeprefix("CAP_") in _POWERS:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-Docker 5.3",
                f"{place} gets the right {each.text}",
                "Remove it.",
            )
    for each in service.entries("security_opt"):
        if "unconfined" in each.text or each.text.replace("=", ":") == "no-new-privileges:false":
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "CIS-Docker 5.21",
                f"{place} runs without its confinement",
                "Remove it.",
            )
    if service.value("user").partition(":")[0] in ("root", "0"):
        yield Issue(
            service.line_of("user"),
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "CIS-Docker 4.1",
            f"{place} runs as root",
            "Use another account.",
        )


def _volumes(place: str, service: Node) -> Iterator[Issue]:
    for each in service.entries("volumes"):
        source = each.value("source") if each.kind == MAP else each.text.partition(":")[0]
        if re.fullmatch(r"/(?:var/)?run/(?:docker|containerd/containerd|podman/podman)\.sock", source):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-Docker 5.31",
                f"{place} can control every container of the host",
                "Do not mount the socket.",
            )
        elif re.fullmatch(r"/(?:etc|root|proc|sys|boot|dev|usr|var|lib)?/?", source):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-Docker 5.5",
                f"{place} sees files of the host's system",
                "Mount only what it needs.",
            )


def _environment(place: str, service: Node, calm: bool) -> Iterator[Issue]:
    for holder in service.entries("environment"):
        pairs = [(key, node.text, holder.line_of(key)) for key, node in holder.map.items()]
        if holder.kind != MAP:
            key, found, value = holder.text.partition("=")
            pairs = [(key, value, holder.line)] if found else []
        for key, value, line in pairs:
            if (
                key.upper() in ("MYSQL_ALLOW_EMPTY_PASSWORD", "ALLOW_EMPTY_PASSWORD")
                and value.lower() in ("yes", "true", "1")
            ) or (key == "POSTGRES_HOST_AUTH_METHOD" and value == "trust"):
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.WEAK_AUTHENTICATION,
                    "empty password",
                    f"{place} lets anyone in without a password",
                    "Set a password.",
                )
            elif (
                SECRET.search(key)
                and value
                and "$" not in value
                and not value.startswith("/")
                and value.lower() not in ("true", "false", "yes", "no")
            ):
                yield Issue(
                    line,
                    _S.MEDIUM if calm else _S.HIGH,
                    _T.HARDCODED_SECRET,
                    "CIS-Docker secrets",
                    f"{place} has `{key}` written out",
                    "Use secrets or an environment file that is not shared.",
                )


def nginx(text: str) -> Iterator[Issue]:
    """What a web server risks."""
    for issue in server_lines(text):
        yield Issue(issue.line, issue.severity, issue.tag, "server setting", issue.message, issue.hint)
    root, _ = directives(text)
    for each in root.within():
        if each.name == "server_tokens" and each.words[:1] == ["on"]:
            yield Issue(
                each.line,
                _S.LOW,
                _T.INSECURE_SETTING,
                "CIS-nginx 2.5.1",
                "The server tells its version",
                "Turn server_tokens off.",
            )
        elif each.name == "location" and each.words:
            alias = each.all("alias")
            path = each.words[-1]
            if (
                alias
                and alias[0].words
                and alias[0].words[0].endswith("/")
                and not path.endswith("/")
                and each.words[0] not in ("~", "~*", "=")
            ):
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.PATH_TRAVERSAL,
                    "nginx alias",
                    "The location does not end with `/` but its alias does: files beside the folder can be read",
                    "Add the slash to the location.",
                )
        elif (
            each.name == "proxy_pass"
            and each.words
            and re.match(r"https?://\$(?:arg_|http_|uri|request_uri|host\b)", each.words[0])
        ):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.INJECTION,
                "nginx proxy",
                "The caller chooses where requests are sent",
                "Name the server.",
            )
        elif each.name == "server" and each.block and (each.parent is None or each.parent.name in ("", "http")):
            yield from _web(each)


def _web(each: Directive) -> Iterator[Issue]:
    listens = each.all("listen")
    secure = any("ssl" in one.words or one.words[:1] == ["443"] for one in listens) or bool(each.all("ssl_certificate"))
    if secure:
        headers = [
            *each.inherited("add_header"),
            *(inner for below in each.all("location") for inner in below.all("add_header")),
        ]
        if not any("strict-transport-security" in " ".join(one.words).lower() for one in headers) and not each.all(
            "include"
        ):
            yield Issue(
                each.line,
                _S.LOW,
                _T.MISSING_SAFEGUARD,
                "CIS-nginx 4.1.8",
                "Browsers are not told to stay with HTTPS",
                "Add Strict-Transport-Security.",
            )
    elif listens and not any(
        one.name in ("return", "rewrite") and "https" in " ".join(one.words) for one in each.within()
    ):
        local = all(re.match(r"(?:127\.|\[::1\]|unix:|localhost)", one.words[0]) for one in listens if one.words)
        if not local and any(one.words[:1] and re.search(r"(?:^|:)80$", one.words[0]) for one in listens):
            yield Issue(
                listens[0].line,
                _S.LOW,
                _T.WEAK_CRYPTO,
                "CIS-nginx 4.1.1",
                "The site is served without encryption",
                "Redirect to HTTPS, unless something in front encrypts.",
            )
