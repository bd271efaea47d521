"""Compose files: what each service has to say, and whether what it refers to is there."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import LIST, MAP, NULL, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.private.capabilities.validity.place import Place
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
TOP = words("version name services networks volumes configs secrets include models")
SERVICE = words(
    "annotations attach build blkio_config cap_add cap_drop cgroup cgroup_parent command configs container_name cpu_count "
    "cpu_percent cpu_period cpu_quota cpu_rt_period cpu_rt_runtime cpu_shares cpus cpuset credential_spec depends_on deploy "
    "develop device_cgroup_rules devices dns dns_opt dns_search domainname driver_opts entrypoint env_file environment expose "
    "extends external_links extra_hosts gpus group_add healthcheck hostname image init ipc isolation labels label_file links "
    "logging mac_address mem_limit mem_reservation mem_swappiness memswap_limit models network_mode networks oom_kill_disable "
    "oom_score_adj pid pids_limit platform ports post_start pre_stop privileged profiles provider pull_policy pull_refresh_after "
    "read_only restart runtime scale secrets security_opt shm_size stdin_open stop_grace_period stop_signal storage_opt sysctls "
    "tmpfs tty ulimits use_api_socket user userns_mode uts volumes volumes_from volume_driver working_dir"
)
_RESTART = re.compile(r"no|always|unless-stopped|on-failure(?::\d+)?|\$.*")
_PORT = re.compile(
    r"(?:(?P<host>\d+\.[\d.]+|\[[^\]]+\]):)?(?:(?P<outer>\d*)(?:-(?P<last>\d+))?:)?(?P<inner>\d+)(?:-\d+)?(?:/(?:tcp|udp|sctp))?"
)
_VARIABLE = re.compile(r"(?<!\$)\$(?:\{([A-Za-z_]\w{0,80})\}|([A-Za-z_]\w{0,80}))")


def is_compose(document: Document) -> bool:
    """Whether it is one."""
    services = document.root.at("services")
    if document.syntax != "yaml" or services is None or services.kind != MAP:
        return False
    named = re.search(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$", document.name) is not None
    return named or any(each.map.keys() & {"image", "build", "ports", "depends_on"} for each in services.map.values())


def issues(document: Document, place: Place) -> Iterator[Issue]:
    """What is wrong with a Compose file."""
    root = document.root
    for key in root.map:
        if key not in TOP and not key.startswith("x-"):
            yield _unknown(root.line_of(key), key, TOP, "top level")
    if "version" in root.map:
        yield Issue(
            root.line_of("version"),
            _S.LOW,
            _T.INVALID_VALUES,
            "compose/version",
            "`version` is no longer read",
            "Remove it.",
        )
    services = root.map["services"].map
    outer: dict[str, str] = {}
    names: dict[str, str] = {}
    for name, service in services.items():
        line = root.map["services"].line_of(name)
        if service.kind != MAP:
            yield Issue(
                line,
                _S.HIGH,
                _T.MISSING_PART,
                "compose/service",
                f"Service `{name}` says nothing",
                "Give it an image or a build.",
            )
            continue
        yield from _service(name, service, line, root, place, document.name)
        yield from _ports(name, service, outer)
        container = service.value("container_name")
        if container and names.setdefault(container, name) != name:
            yield Issue(
                service.line_of("container_name"),
                _S.HIGH,
                _T.DUPLICATION,
                "compose/container-name",
                f"`{name}` and `{names[container]}` have one container name",
                "Give each its own.",
            )
    yield from _circles(services)
    yield from _variables(document, place)


def _unknown(line: int, key: str, known: frozenset[str], where: str) -> Issue:
    near = difflib.get_close_matches(key, known, 1, 0.75)
    hint = f"Did you mean `{near[0]}`?" if near else "Remove it, or begin it with `x-`."
    return Issue(
        line,
        _S.HIGH if near else _S.MEDIUM,
        _T.INVALID_VALUES,
        "compose/unknown-key",
        f"`{key[:60]}` is no key of {where}",
        hint,
    )


def _service(name: str, service: Node, line: int, root: Node, place: Place, path: str) -> Iterator[Issue]:
    for key in service.map:
        if key not in SERVICE and not key.startswith("x-"):
            yield _unknown(service.line_of(key), key, SERVICE, f"service `{name}`")
    override = (
        re.search(
            r"override|\.(?:dev|prod|test|local|ci)[\w-]*\.ya?ml$|compose[.-](?:dev|prod|test|local|staging|ci)", path
        )
        is not None
    )
    if (
        not {"image", "build", "extends", "provider"} & service.map.keys()
        and not override
        and "include" not in root.map
    ):
        yield Issue(
            line,
            _S.HIGH,
            _T.MISSING_PART,
            "compose/image",
            f"Service `{name}` has neither an image nor a build",
            "Add one.",
        )
    restart = service.at("restart")
    if restart is not None and (
        (restart.kind == "boolean" and restart.text.lower() != "no") or not _RESTART.fullmatch(restart.text or "no")
    ):
        yield Issue(
            service.line_of("restart"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "compose/restart",
            f"`{name}` has a restart policy that does not exist",
            "Use no, always, on-failure or unless-stopped.",
        )
    elif restart is not None and restart.kind == "boolean":
        yield Issue(
            service.line_of("restart"),
            _S.MEDIUM,
            _T.INVALID_VALUES,
            "compose/restart",
            f"`restart: no` of `{name}` is read as false",
            'Write "no" in quotes.',
        )
    services = root.map["services"].map
    for other, at in [
        *_names(service, "depends_on"),
        *((text.partition(":")[0], at) for text, at in _names(service, "links")),
    ]:
        if other not in services and "$" not in other and "include" not in root.map and not override:
            yield Issue(
                at,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "compose/depends-on",
                f"`{name}` depends on `{other}`, which is no service here",
                "Correct the name.",
            )
    yield from _declared(name, service, root, override)
    yield from _health(name, service)
    for item, at in _names(service, "env_file"):
        if place.missing(path, item):
            yield Issue(
                at,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "compose/env-file",
                f"`{name}` reads an environment file that is not there: `{item}`",
                "Add it, or set required: false.",
            )
    build = service.at("build")
    if build is not None:
        context = build.text if build.kind != MAP else build.value("context") or "."
        if place.missing(path, context, folder=True):
            yield Issue(
                service.line_of("build"),
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "compose/build",
                f"`{name}` is built from a folder that is not there",
                "Correct the path.",
            )
        elif build.kind == MAP or "://" not in context:
            file = build.value("dockerfile") if build.kind == MAP else ""
            if "dockerfile_inline" not in build.map and file and place.missing(path, posixpath.join(context, file)):
                yield Issue(
                    build.line_of("dockerfile"),
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "compose/build",
                    f"`{name}` is built by a Dockerfile that is not there",
                    "Correct the path.",
                )
    for key in ("mem_limit", "mem_reservation", "memswap_limit", "shm_size"):
        node = service.at(key)
        if node is not None and node.scalar and "$" not in node.text and moments.size(node.text.lstrip("-")) is None:
            yield Issue(
                service.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "compose/size",
                f"`{key}` of `{name}` is no size",
                "Write 512m or 1g.",
            )
    if service.value("network_mode") == "host" and "ports" in service.map:
        yield Issue(
            service.line_of("ports"),
            _S.MEDIUM,
            _T.INVALID_VALUES,
            "compose/host-ports",
            f"`{name}` uses the host's network, so its ports are not mapped",
            "Remove one of the two.",
        )
    for node in service.entries("environment"):
        for key, value in node.map.items():
            if value.kind in (MAP, LIST):
                yield Issue(
                    node.line_of(key),
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "compose/environment",
                    f"`{key}` of `{name}` is not a single value",
                    "Write it as one.",
                )


def _names(service: Node, key: str) -> list[tuple[str, int]]:
    node = service.at(key)
    if node is None:
        return []
    if node.kind == MAP:
        return [(name, node.line_of(name)) for name in node.map]
    found = []
    for each in node.items if node.kind == LIST else [node]:
        required = each.at("required")
        if not (required is not None and required.false):
            found.append((each.value("path") if each.kind == MAP else each.text, each.line))
    return [(text, at) for text, at in found if text]


def _declared(name: str, service: Node, root: Node, override: bool) -> Iterator[Issue]:
    if override or "include" in root.map:
        return
    for key in ("networks", "volumes", "secrets", "configs"):
        declared = root.at(key)
        known = declared.map.keys() if declared is not None else set()
        node = service.at(key)
        if node is None:
            continue
        used = [(each, node.line_of(each)) for each in node.map] if node.kind == MAP else []
        for item in node.items:
            text = item.value("source") if item.kind == MAP else item.text
            if key == "volumes":
                kind = item.value("type")
                text = text if kind in ("", "volume") else ""
                source, colon, _ = text.partition(":")
                text = source if (colon or kind) and re.fullmatch(r"[A-Za-z0-9][\w.-]*", source) else ""
            used.append((text, item.line))
        for text, at in used:
            if text and text not in known and "$" not in text and not (key == "networks" and text == "default"):
                yield Issue(
                    at,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    f"compose/{key}",
                    f"`{name}` uses `{text}`, which is not declared under {key}",
                    f"Declare it under {key}.",
                )


def _health(name: str, service: Node) -> Iterator[Issue]:
    check = service.at("healthcheck")
    if check is None or check.kind != MAP:
        return
    test = check.at("test")
    if test is not None and test.kind == LIST and test.items and test.items[0].text not in ("CMD", "CMD-SHELL", "NONE"):
        yield Issue(
            test.line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "compose/healthcheck",
            f"The health check of `{name}` must begin with CMD or CMD-SHELL",
            "Put it first.",
        )
    for key in ("interval", "timeout", "start_period", "start_interval"):
        node = check.at(key)
        if node is not None and "$" not in node.text and (node.kind == "number" or moments.seconds(node.text) is None):
            yield Issue(
                check.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "compose/duration",
                f"`{key}` of the health check of `{name}` needs a unit",
                "Write 30s.",
            )


def _ports(name: str, service: Node, outer: dict[str, str]) -> Iterator[Issue]:
    for item in service.entries("ports"):
        if item.kind == MAP:
            text = (
                f"{item.value('published')}:{item.value('target')}" if item.value("published") else item.value("target")
            )
        else:
            text = item.text
        if not text or "$" in text or item.kind == NULL:
            continue
        match = _PORT.fullmatch(text.strip())
        if match is None:
            yield Issue(
                item.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "compose/ports",
                f"A port of `{name}` is not written as one",
                'Write "8080:80".',
            )
            continue
        if any(int(match[key] or 0) > 65535 for key in ("outer", "last", "inner")):
            yield Issue(
                item.line, _S.HIGH, _T.INVALID_VALUES, "port-range", f"A port of `{name}` is above 65535", "Correct it."
            )
        elif match["outer"] and not match["last"]:
            taken = f"{match['host'] or ''}:{match['outer']}/{text.partition('/')[2] or 'tcp'}"
            if outer.setdefault(taken, name) != name:
                yield Issue(
                    item.line,
                    _S.HIGH,
                    _T.DUPLICATION,
                    "compose/port-taken",
                    f"`{name}` and `{outer[taken]}` both publish port {match['outer']}",
                    "Give one of them another port.",
                )


def _circles(services: dict[str, Node]) -> Iterator[Issue]:
    graph = {name: [other for other, _ in _names(service, "depends_on")] for name, service in services.items()}
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        here: str | None = start
        while here is not None and here not in done and here not in path:
            path.append(here)
            here = next((other for other in graph.get(here, []) if other in graph), None)
        if here is not None and here in path:
            circle = path[path.index(here) :]
            yield Issue(
                services[here].line_of("depends_on"),
                _S.HIGH,
                _T.CIRCULAR_DEPENDENCY,
                "compose/circle",
                f"Services wait for each other: {' → '.join([*circle, here])[:200]}",
                "Break the circle.",
            )
        done.update(path)


def _variables(document: Document, place: Place) -> Iterator[Issue]:
    files = place.beside(document.name, (".env",))
    known = frozenset().union(*(place.keys.get(name, frozenset()) for name in files)) if files else frozenset()
    if not files or not known:
        return
    seen: set[str] = set()
    for number, line in enumerate(document.source.text.split("\n")[:20_000], start=1):
        if line.lstrip().startswith("#"):
            continue
        for a, b in _VARIABLE.findall(line[:2000]):
            name = a or b
            if name not in known and name not in seen and len(known) < 64:
                seen.add(name)
                yield Issue(
                    number,
                    _S.MEDIUM,
                    _T.BROKEN_REFERENCE,
                    "compose/variable",
                    f"`{name}` is set nowhere in `.env` and has no default",
                    f"Set it, or write ${{{name}:-default}}.",
                )
