"""Compose files: security rules (CIS Docker, sections 4 and 5) and validity rules."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.engine.secrets import FOR_TESTS
from plantwin.private.capabilities.infrastructure.dockerfile import audit_image
from plantwin.private.capabilities.infrastructure.keys import close_match, known_keys
from plantwin.private.capabilities.infrastructure.kubernetes import DANGEROUS_CAPABILITIES, SECRET_NAME
from plantwin.private.capabilities.infrastructure.settings import COMMON_PASSWORDS
from plantwin.private.formats.document import BOOLEAN, LIST, MAP, NULL, Document, Node
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

SECURITY = Rules("compose")
VALIDITY = Rules("compose_validity")
TOP_LEVEL = known_keys("compose", "top_level")
SERVICE = known_keys("compose", "service")
_DATA_STORE_PORTS = known_keys("compose", "data_store_ports")
_PUBLISHED = re.compile(r"(?:(?P<host>[\d.]+|\[[^\]]+\]):)?(?P<outer>\d+)(?:-\d+)?:(?P<inner>\d+)")
_DEVELOPMENT = re.compile(
    r"(?:dev|local|test|override|example|ci)[\w-]*\.ya?ml$|(?:^|/)(?:dev|local|tests?|examples?)/", re.IGNORECASE
)
_WORDS = re.compile(r"(?=.{1,40}\Z)(?:[A-Za-z][a-z]{0,11}[_-]?){1,4}\d{0,4}!?")
"""A password that is made of words: a default of development."""
_ADDRESS = re.compile(r"/|https?://[^@\s]*\Z")
_SOCKET = re.compile(r"/(?:var/)?run/(?:docker|containerd/containerd|podman/podman)\.sock")
_EXAMPLES = (".example", ".sample", ".dist", ".template", "-example", "-sample")
_SYSTEM_PATH = re.compile(r"/(?:etc|root|proc|sys|boot|dev|usr|var|lib)?/?")
_RESTART = re.compile(r"no|always|unless-stopped|on-failure(?::\d+)?|\$.*")
_PORT = re.compile(
    r"(?:(?P<host>\d+\.[\d.]+|\[[^\]]+\]):)?(?:(?P<outer>\d*)(?:-(?P<last>\d+))?:)?(?P<inner>\d+)(?:-\d+)?"
    r"(?:/(?:tcp|udp|sctp))?"
)
_VARIABLE = re.compile(r"(?<!\$)\$(?:\{([A-Za-z_]\w{0,80})\}|([A-Za-z_]\w{0,80}))")
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$")
_SOURCES = frozenset(("image", "build", "extends", "provider"))
"""Where a service's image comes from."""
_OVERRIDE = re.compile(
    r"override|\.(?:dev|prod|test|local|ci)[\w-]*\.ya?ml$|compose[.-](?:dev|prod|test|local|staging|ci)"
)
"""Names of files that complete another Compose file: what they leave out may stand there."""


def is_compose(document: Document) -> bool:
    """Return whether a document is a Compose file."""
    services = document.root.at("services")
    if document.syntax != "yaml" or services is None or services.kind != MAP:
        return False
    named = _COMPOSE.search(document.name) is not None
    return named or any(node.map.keys() & {"image", "build", "ports", "depends_on"} for node in services.map.values())


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of a Compose file."""
    services = document.root.map["services"]
    development = _DEVELOPMENT.search(document.name) is not None
    for name, service in services.map.items():
        if service.kind != MAP:
            continue
        image = service.at("image")
        if image is not None and "build" not in service.map:
            yield from audit_image(service.line_of("image"), image.text, f"`{name}`")
        yield from _audit_isolation(name, service)
        for port in service.entries("ports"):
            match = _PUBLISHED.match(_port_text(port))
            local = match is not None and match["host"] in ("127.0.0.1", "[::1]")
            if match is not None and match["inner"] in _DATA_STORE_PORTS and not local:
                severity = Severity.LOW if development else None
                yield SECURITY.found("COMPOSE-DATA-STORE-PORT", port.line, severity=severity, service=name)
        yield from _audit_environment(name, service, development)
        if development:
            continue
        limits = service.at("deploy", "resources", "limits")
        if limits is None and not {"mem_limit", "cpus", "pids_limit"} & service.map.keys():
            yield SECURITY.found("COMPOSE-LIMITS", services.line_of(name), service=name)
        if "healthcheck" not in service.map and "ports" in service.map:
            yield SECURITY.found("COMPOSE-HEALTHCHECK", services.line_of(name), service=name)


def _port_text(port: Node) -> str:
    """Return a published port in the short syntax."""
    if port.kind != MAP:
        return port.text
    host, published = port.value("host_ip"), port.value("published")
    return f"{host + ':' if host else ''}{published + ':' if published else ''}{port.value('target')}"


def _audit_isolation(name: str, service: Node) -> Iterator[Finding]:
    """Find what opens the host to a container."""
    privileged = service.at("privileged")
    if privileged is not None and privileged.true:
        severity = Severity.HIGH if "ports" in service.map else None  # others reach what can take the host over
        yield SECURITY.found("COMPOSE-PRIVILEGED", service.line_of("privileged"), severity=severity, service=name)
    for key in ("network_mode", "pid", "ipc", "uts", "userns_mode"):
        if service.value(key) == "host":
            yield SECURITY.found("COMPOSE-HOST-NAMESPACE", service.line_of(key), service=name, key=key)
    for capability in service.entries("cap_add"):
        if capability.text.upper().removeprefix("CAP_") in DANGEROUS_CAPABILITIES:
            yield SECURITY.found("COMPOSE-CAPABILITY", capability.line, service=name, capability=capability.text)
    for option in service.entries("security_opt"):
        if "unconfined" in option.text or option.text.replace("=", ":") == "no-new-privileges:false":
            yield SECURITY.found("COMPOSE-SECURITY-OPT", option.line, service=name, option=option.text)
    if service.value("user").partition(":")[0] in ("root", "0"):
        yield SECURITY.found("COMPOSE-ROOT", service.line_of("user"), service=name)
    for volume in service.entries("volumes"):
        source = volume.value("source") if volume.kind == MAP else volume.text.partition(":")[0]
        if _SOCKET.fullmatch(source):
            yield SECURITY.found("COMPOSE-DOCKER-SOCKET", volume.line, service=name)
        elif _SYSTEM_PATH.fullmatch(source):
            yield SECURITY.found("COMPOSE-HOST-PATH", volume.line, service=name, path=source)


def _audit_environment(name: str, service: Node, development: bool) -> Iterator[Finding]:
    for holder in service.entries("environment"):
        if holder.kind == MAP:
            variables = [(key, node.text, holder.line_of(key)) for key, node in holder.map.items()]
        else:
            key, _, value = holder.text.partition("=")
            variables = [(key, value, holder.line)]
        for key, value, line in variables:
            empty_allowed = key.upper() in ("MYSQL_ALLOW_EMPTY_PASSWORD", "ALLOW_EMPTY_PASSWORD")
            literal = value and "$" not in value and not _ADDRESS.match(value)
            if (empty_allowed and value.lower() in ("yes", "true", "1")) or (
                key == "POSTGRES_HOST_AUTH_METHOD" and value == "trust"
            ):
                yield SECURITY.found("COMPOSE-EMPTY-PASSWORD", line, service=name, variable=key)
            elif literal and SECRET_NAME.search(key) and value.lower() not in ("true", "false", "yes", "no"):
                severity = Severity.MEDIUM if development or FOR_TESTS.search(value) or _guessable(value) else None
                yield SECURITY.found("COMPOSE-SECRET-IN-ENV", line, severity=severity, service=name, variable=key)


def _guessable(value: str) -> bool:
    """Return whether a value is one that everybody can guess, such as a word or the name of the product."""
    return value.lower() in COMMON_PASSWORDS or _WORDS.fullmatch(value) is not None


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a Compose file, seen with the folder around it."""
    root, services = document.root, document.root.map["services"]
    yield from _unknown_keys(root, TOP_LEVEL, "the top level")
    if "version" in root.map:
        yield VALIDITY.found("COMPOSE-VERSION", root.line_of("version"))
    published: dict[tuple[str, ...], str] = {}
    for name, service in services.map.items():
        if service.kind != MAP:
            yield VALIDITY.found("COMPOSE-NO-IMAGE", services.line_of(name), service=name)
            continue
        yield from _validate_service(name, service, services.line_of(name), document, project)
        yield from _validate_paths(name, service, document, project)
        yield from _validate_ports(name, service, published)
    yield from _unset_variables(document, project)


def _unknown_keys(node: Node, known: frozenset[str], where: str) -> Iterator[Finding]:
    for key in node.map:
        if key in known or key.startswith("x-"):
            continue
        near = close_match(key, known, 0.75)
        suggestion = f"Did you mean `{near}`?" if near else "Remove it, or begin it with `x-`."
        severity = None if near else Severity.LOW
        values = {"key": key[:60], "where": where, "suggestion": suggestion}
        yield VALIDITY.found("COMPOSE-UNKNOWN-KEY", node.line_of(key), severity=severity, **values)


def _validate_service(name: str, service: Node, line: int, document: Document, project: Project) -> Iterator[Finding]:
    root = document.root
    yield from _unknown_keys(service, SERVICE, f"service `{name}`")
    runs = any(_SOURCES & other.map.keys() for other in root.map["services"].map.values())
    others = [path for path in project.folder.names if path != document.name and _COMPOSE.search(path)]
    merged = not runs and others  # a file none of whose services can run alone completes another
    complete = not _OVERRIDE.search(document.name) and "include" not in root.map and not merged
    if complete and not _SOURCES & service.map.keys():
        yield VALIDITY.found("COMPOSE-NO-IMAGE", line, service=name)
    restart = service.at("restart")
    if restart is not None and (restart.kind == BOOLEAN or not _RESTART.fullmatch(restart.text or "no")):
        yield VALIDITY.found("COMPOSE-RESTART", service.line_of("restart"), service=name)
    if complete:
        needed = _names(service, "depends_on")
        needed += [(text.partition(":")[0], at) for text, at in _names(service, "links")]
        for other, at in needed:
            if other not in root.map["services"].map and "$" not in other:
                yield VALIDITY.found("COMPOSE-DEPENDS-ON", at, service=name, other=other)
        yield from _undeclared(name, service, root)


def _validate_paths(name: str, service: Node, document: Document, project: Project) -> Iterator[Finding]:
    """Find files that a service names and the folder does not have."""
    missing, holder = project.folder.missing, document.name
    for file, line in _names(service, "env_file"):
        if missing(holder, file):
            # `.env` and its like hold secrets, and are kept out of version control, as what has an example beside it.
            examples = project.folder.siblings(holder, [posixpath.normpath(file) + ending for ending in _EXAMPLES])
            severity = Severity.LOW if examples or file.rpartition("/")[2].startswith(".env") else None
            yield VALIDITY.found("COMPOSE-ENV-FILE", line, severity=severity, service=name, path=file)
    build = service.at("build")
    if build is None:
        return
    context = build.text if build.kind != MAP else build.value("context") or "."
    file = build.value("dockerfile")
    if missing(holder, context, folder=True):
        yield VALIDITY.found("COMPOSE-BUILD", service.line_of("build"), service=name, path=context)
    elif file and "dockerfile_inline" not in build.map and missing(holder, posixpath.join(context, file)):
        yield VALIDITY.found("COMPOSE-BUILD", build.line_of("dockerfile"), service=name, path=file)


def _names(service: Node, key: str) -> list[tuple[str, int]]:
    """Return the names that a key lists, in either syntax, without those that are optional."""
    node = service.at(key)
    if node is None:
        return []
    if node.kind == MAP:
        return [(name, node.line_of(name)) for name in node.map]
    found = []
    for item in node.items if node.kind == LIST else [node]:
        required = item.at("required")
        if required is None or not required.false:
            found.append((item.value("path") if item.kind == MAP else item.text, item.line))
    return [(text, line) for text, line in found if text]


def _undeclared(name: str, service: Node, root: Node) -> Iterator[Finding]:
    for key in ("networks", "volumes", "secrets", "configs"):
        declared, node = root.at(key), service.at(key)
        if node is None:
            continue
        known = {"default"} if key == "networks" else set()
        known |= declared.map.keys() if declared is not None else set()
        used = [(text, node.line_of(text)) for text in node.map] if node.kind == MAP else []
        for item in node.items:
            text = item.value("source") if item.kind == MAP else item.text
            used.append((_volume_name(item, text) if key == "volumes" else text, item.line))
        for text, line in used:
            if text and text not in known and "$" not in text:
                yield VALIDITY.found("COMPOSE-UNDECLARED", line, service=name, name=text, section=key)


def _volume_name(item: Node, text: str) -> str:
    """Return the named volume that an entry mounts; nothing where it mounts a path."""
    type_ = item.value("type")
    source, colon, _ = text.partition(":")
    named = (colon or type_) and type_ in ("", "volume") and re.fullmatch(r"[A-Za-z0-9][\w.-]*", source)
    return source if named else ""


def _taken(taken: dict[tuple[str, ...], str], what: str, name: str, service: Node) -> str:
    """Return the service that has something already and runs beside this one: others are of another profile."""
    profiles = tuple(sorted(item.text for item in service.entries("profiles")))
    for (known, *others), other in taken.items():
        if known == what and other != name and (not profiles or not others or set(profiles) & set(others)):
            return other
    taken[what, *profiles] = name
    return ""


def _validate_ports(name: str, service: Node, published: dict[tuple[str, ...], str]) -> Iterator[Finding]:
    for item in service.entries("ports"):
        text = _port_text(item) if item.kind != NULL else ""
        if not text or "$" in text:
            continue
        match = _PORT.fullmatch(text.strip())
        if match is not None and match["outer"] and not match["last"]:
            address = f"{match['host'] or ''}:{match['outer']}/{text.partition('/')[2] or 'tcp'}"
            other = _taken(published, address, name, service)
            if other:
                yield VALIDITY.found("COMPOSE-PORT-TAKEN", item.line, service=name, other=other, port=match["outer"])


def _unset_variables(document: Document, project: Project) -> Iterator[Finding]:
    files = project.folder.siblings(document.name, (".env",))
    known = {key for name in files for key in project.folder.keys.get(name, ())}
    if not known or len(known) >= 64:
        return  # The scan keeps 64 keys of a file; with more, one may be set without being known here.
    seen: set[str] = set()
    for number, line in enumerate(document.source.text.split("\n")[:20_000], start=1):
        if line.lstrip().startswith("#"):
            continue
        for braced, bare in _VARIABLE.findall(line[:2000]):
            name = braced or bare
            if name not in known and name not in seen:
                seen.add(name)
                yield VALIDITY.found("COMPOSE-VARIABLE", number, variable=name)
