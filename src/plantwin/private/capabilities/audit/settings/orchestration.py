"""Containers as they are run: Compose and Kubernetes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.audit.issue import Issue
from plantwin.private.capabilities.common.settings import Setting
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_STORES = frozenset(
    ("5432", "3306", "6379", "27017", "9200", "11211", "1433", "5984", "2375", "9042", "5672", "15672", "2379")
)
_PORT = re.compile(r"(?:(?P<host>[\d.]+|\[[^\]]+\]):)?(?:(?P<outer>\d+)(?:-\d+)?:)(?P<inner>\d+)")
_POWERS = frozenset(("ALL", "SYS_ADMIN", "NET_ADMIN", "SYS_PTRACE", "SYS_MODULE", "CAP_SYS_ADMIN", "DAC_READ_SEARCH"))


def issues(found: Sequence[Setting]) -> Iterator[Issue]:
    """What a description of containers says."""
    tops = {each.path.split(".")[0] for each in found}
    if "services" in tops and any(
        re.match(r"services\.[^.]+\.(?:image|build|ports|command)", each.path) for each in found
    ):
        yield from _compose(found)
    elif any(each.key == "apiVersion" for each in found) and any(each.key == "kind" for each in found):
        yield from _kubernetes(found)


def _compose(found: Sequence[Setting]) -> Iterator[Issue]:
    for each in found:
        parts = each.path.split(".")
        if parts[0] != "services" or len(parts) < 3:
            continue
        service, key, value = parts[1], parts[2], each.value
        yes = value.lower() in ("true", "yes")
        if key == "privileged" and yes:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                f"`{service}` runs with every right of the host",
                "Remove privileged.",
            )
        elif key in ("network_mode", "pid", "ipc", "userns_mode") and value == "host":
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                f"`{service}` shares the host's {key.partition('_')[0]}",
                "Give it its own.",
            )
        elif key == "cap_add" and value.upper() in _POWERS:
            yield Issue(
                each.line,
                _S.HIGH if "ALL" in value.upper() or "SYS" in value.upper() else _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                f"`{service}` gets the right {value}",
                "Remove it.",
            )
        elif key == "security_opt" and "unconfined" in value:
            yield Issue(
                each.line, _S.MEDIUM, _T.EXCESSIVE_PERMISSION, f"`{service}` runs without its confinement", "Remove it."
            )
        elif key == "volumes" and re.match(r"/var/run/docker\.sock\b|/run/docker\.sock\b", value):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                f"`{service}` can control every container of the host",
                "Do not mount the socket.",
            )
        elif key == "volumes" and re.match(r"/(?:etc|root|proc|sys|boot)?:", value):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                f"`{service}` sees files of the host's system",
                "Mount only what it needs.",
            )
        elif key == "ports":
            match = _PORT.match(value)
            if match is not None and match["inner"] in _STORES and match["host"] not in ("127.0.0.1", "[::1]"):
                yield Issue(
                    each.line,
                    _S.MEDIUM,
                    _T.EXPOSED_SERVICE,
                    f"`{service}` offers a data store on every interface",
                    "Bind it to 127.0.0.1, or leave the port out.",
                )
        elif (
            key == "environment"
            and each.value.upper() in ("MYSQL_ALLOW_EMPTY_PASSWORD=YES", "POSTGRES_HOST_AUTH_METHOD=TRUST")
        ) or (each.key == "POSTGRES_HOST_AUTH_METHOD" and value == "trust"):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.WEAK_AUTHENTICATION,
                f"`{service}` lets anyone in without a password",
                "Set a password.",
            )


def _kubernetes(found: Sequence[Setting]) -> Iterator[Issue]:
    kinds = {each.value for each in found if each.key == "kind"}
    for each in found:
        key, value = each.key, each.value
        yes = value.lower() in ("true", "yes")
        if key == "privileged" and yes:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "A container runs with every right of the node",
                "Remove privileged.",
            )
        elif key == "allowPrivilegeEscalation" and yes:
            yield Issue(
                each.line, _S.MEDIUM, _T.EXCESSIVE_PERMISSION, "A container may gain further rights", "Set it to false."
            )
        elif key in ("hostNetwork", "hostPID", "hostIPC") and yes:
            yield Issue(
                each.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                f"A pod shares the node's {key[4:].lower()}",
                "Remove it.",
            )
        elif (key == "runAsUser" and value == "0") or (key == "runAsNonRoot" and value.lower() == "false"):
            yield Issue(
                each.line, _S.MEDIUM, _T.EXCESSIVE_PERMISSION, "A container runs as root", "Run it as another user."
            )
        elif ".capabilities.add." in f".{each.path}." and value.upper() in _POWERS:
            yield Issue(
                each.line, _S.HIGH, _T.EXCESSIVE_PERMISSION, f"A container gets the right {value}", "Remove it."
            )
        elif each.path.endswith("hostPath.path") and (
            value in ("/", "/etc", "/root", "/var/run/docker.sock", "/proc")
            or "docker.sock" in value
            or "containerd.sock" in value
        ):
            yield Issue(
                each.line, _S.HIGH, _T.EXCESSIVE_PERMISSION, "A pod sees files of the node's system", "Use a volume."
            )
        elif (
            re.search(r"(?:^|\.)rules\.\d+\.(?:verbs|resources|apiGroups)\.\d+$", each.path)
            and value == "*"
            and not each.path.rpartition(".")[0].endswith("apiGroups")
        ):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "A role may do everything, or with everything",
                "Name verbs and resources.",
            )
        elif each.path.endswith("roleRef.name") and value == "cluster-admin":
            yield Issue(
                each.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "An account becomes administrator of the cluster",
                "Bind a smaller role.",
            )
        elif key == "type" and value in ("LoadBalancer", "NodePort") and "Service" in kinds:
            yield Issue(
                each.line,
                _S.LOW,
                _T.EXPOSED_SERVICE,
                f"A service is reachable from outside ({value})",
                "Use ClusterIP behind an ingress where that suffices.",
            )
    yield from _unlimited(found, kinds)


def _unlimited(found: Sequence[Setting], kinds: set[str]) -> Iterator[Issue]:
    """Workloads that say nothing of the rights of their containers."""
    if not kinds & {"Deployment", "Pod", "StatefulSet", "DaemonSet", "Job", "CronJob"}:
        return
    if not any("securityContext" in each.path for each in found):
        first = next((each for each in found if re.search(r"containers\.0\.(?:image|name)$", each.path)), None)
        if first is not None:
            yield Issue(
                first.line,
                _S.LOW,
                _T.EXCESSIVE_PERMISSION,
                "Containers run with default rights, as root unless their image says otherwise",
                "Set runAsNonRoot and allowPrivilegeEscalation: false.",
            )
