"""Workloads and rights in Kubernetes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.infrastructure.pictures import image_issue
from plantwin.private.capabilities.placed.node import MAP, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity.objects import WORKLOADS, Thing
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_POWERS = frozenset(
    ("ALL", "SYS_ADMIN", "NET_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH", "SYS_RAWIO", "BPF")
)
_PATHS = re.compile(
    r"/(?:etc|root|proc|sys|boot|var|var/run|var/lib/kubelet|var/lib/docker|run|home|dev|usr)?/?$|.*(?:docker|containerd|crio)\.sock$|/etc/.*|/var/lib/(?:kubelet|docker).*"
)
SECRET = re.compile(
    r"(?:^|_)(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIALS?)(?:$|_(?!FILE|PATH|NAME|URL|HOST|TTL|EXPIR|LENGTH|ID$|ALGORITHM))",
    re.IGNORECASE,
)


def issues(thing: Thing, everything: Sequence[Thing]) -> Iterator[Issue]:
    """What one object risks."""
    node, kind = thing.node, thing.kind
    if kind in WORKLOADS:
        yield from _pod(thing)
    elif kind in ("Role", "ClusterRole"):
        yield from _role(thing)
    elif kind in ("RoleBinding", "ClusterRoleBinding"):
        if node.value("roleRef", "name") == "cluster-admin":
            yield Issue(
                _line(node, "roleRef", "name"),
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.1.1",
                f"{kind} `{thing.name}`: an account becomes administrator of the cluster",
                "Bind a smaller role.",
            )
        for each in node.entries("subjects"):
            if each.value("name") in ("system:anonymous", "system:unauthenticated", "system:authenticated"):
                yield Issue(
                    each.line,
                    _S.HIGH,
                    _T.EXPOSED_SERVICE,
                    "CIS-K8s 5.1",
                    f"{kind} `{thing.name}`: rights are given to a group that anyone is in",
                    "Name an account.",
                )
    elif kind == "Service" and node.value("spec", "type") in ("LoadBalancer", "NodePort"):
        if not node.entries("spec", "loadBalancerSourceRanges") and not _internal(node):
            yield Issue(
                _line(node, "spec", "type"),
                _S.LOW,
                _T.EXPOSED_SERVICE,
                "exposed service",
                f"Service `{thing.name}` is reachable from outside ({node.value('spec', 'type')})",
                "Use ClusterIP behind an ingress, or limit the sources.",
            )
    elif kind == "Ingress" and "spec" in node.map and "tls" not in node.map["spec"].map:
        yield Issue(
            node.line_of("spec"),
            _S.MEDIUM,
            _T.WEAK_CRYPTO,
            "ingress TLS",
            f"Ingress `{thing.name}` has no TLS",
            "Add spec.tls with a certificate.",
        )
    elif kind == "Secret" and (node.entries("data") or node.entries("stringData")) and _filled(node):
        yield Issue(
            node.line_of("data") if "data" in node.map else node.line_of("stringData"),
            _S.MEDIUM,
            _T.HARDCODED_SECRET,
            "CIS-K8s 5.4.2",
            f"Secret `{thing.name}` is written out in a file (base64 hides nothing)",
            "Use sealed or external secrets.",
        )


def whole(things: Sequence[Thing]) -> Iterator[tuple[Thing, Issue]]:
    """What is missing from the whole."""
    if any(each.kind in ("NetworkPolicy", "CiliumNetworkPolicy") for each in things):
        return
    first = next((each for each in things if each.kind in ("Deployment", "StatefulSet", "DaemonSet")), None)
    if first is not None:
        yield (
            first,
            Issue(
                first.node.line_of("kind"),
                _S.LOW,
                _T.MISSING_SAFEGUARD,
                "CIS-K8s 5.3.2",
                "No network policy is among these files: every pod may reach every other",
                "Add a NetworkPolicy that denies by default.",
            ),
        )


def _line(node: Node, *path: str) -> int:
    holder = node.at(*path[:-1])
    return holder.line_of(path[-1]) if holder is not None else node.line


def _internal(node: Node) -> bool:
    notes = node.at("metadata", "annotations")
    return notes is not None and any("internal" in key or value.text == "internal" for key, value in notes.map.items())


def _filled(node: Node) -> bool:
    return any(
        value.text
        and "templatedvalue" not in value.text
        and "$" not in value.text
        and not re.search(r"(?i)change|replace|<", value.text)
        for key in ("data", "stringData")
        for holder in node.entries(key)
        for value in holder.map.values()
    )


def _role(thing: Thing) -> Iterator[Issue]:
    for rule in thing.node.entries("rules"):
        verbs = {each.text for each in rule.entries("verbs")}
        targets = {each.text for each in rule.entries("resources")}
        place = f"{thing.kind} `{thing.name}`"
        if "*" in verbs and "*" in targets:
            yield Issue(
                rule.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.1.3",
                f"{place} may do everything with everything",
                "Name verbs and resources.",
            )
        elif "*" in verbs or "*" in targets:
            yield Issue(
                rule.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.1.3",
                f"{place} has a wildcard among its {'verbs' if '*' in verbs else 'resources'}",
                "Name them.",
            )
        elif (
            "secrets" in targets
            and {"get", "list", "watch"} & verbs
            and thing.kind == "ClusterRole"
            and "resourceNames" not in rule.map
        ):
            yield Issue(
                rule.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.1.2",
                f"{place} may read every secret of the cluster",
                "Limit it to named secrets in one namespace.",
            )
        elif {"pods/exec", "pods/attach"} & targets and "create" in verbs:
            yield Issue(
                rule.line,
                _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.1",
                f"{place} may run commands in any pod",
                "Remove it where not needed.",
            )
        elif {"escalate", "bind", "impersonate"} & verbs:
            yield Issue(
                rule.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.1.8",
                f"{place} may take on more rights than it has",
                "Remove it.",
            )


def _pod(thing: Thing) -> Iterator[Issue]:
    pod = thing.pod
    if pod is None or pod.kind != MAP:
        return
    place = f"{thing.kind} `{thing.name}`"
    for key, number in (("hostNetwork", "5.2.5"), ("hostPID", "5.2.3"), ("hostIPC", "5.2.4")):
        found = pod.at(key)
        if found is not None and found.true:
            yield Issue(
                pod.line_of(key),
                _S.HIGH if key != "hostNetwork" else _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                f"CIS-K8s {number}",
                f"{place} shares the node's {key[4:]}",
                "Remove it.",
            )
    for volume in pod.entries("volumes"):
        path = volume.value("hostPath", "path")
        if path:
            grave = _PATHS.fullmatch(path) is not None
            yield Issue(
                _line(volume, "hostPath", "path"),
                _S.HIGH if grave else _S.MEDIUM,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.2.12",
                f"{place} mounts a folder of the node{' that rules its system' if grave else ''}",
                "Use a volume.",
            )
    rights = pod.at("securityContext") or Node(MAP, pod.line)
    for each in [*pod.entries("containers"), *pod.entries("initContainers")]:
        if each.kind == MAP:
            yield from _container(each, rights, thing, init=each in pod.entries("initContainers"))


def _container(each: Node, outer: Node, thing: Thing, init: bool) -> Iterator[Issue]:
    name = f"`{thing.name}/{each.value('name')}`"
    own = each.at("securityContext") or Node(MAP, each.line)
    privileged, gain = own.at("privileged"), own.at("allowPrivilegeEscalation")
    if privileged is not None and privileged.true:
        yield Issue(
            own.line_of("privileged"),
            _S.CRITICAL,
            _T.EXCESSIVE_PERMISSION,
            "CIS-K8s 5.2.2",
            f"{name} runs with every right of the node",
            "Remove privileged.",
        )
    elif gain is not None and gain.true:
        yield Issue(
            own.line_of("allowPrivilegeEscalation"),
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "CIS-K8s 5.2.6",
            f"{name} may gain further rights",
            "Set it to false.",
        )
    for right in own.entries("capabilities", "add"):
        if right.text.upper().removeprefix("CAP_") in _POWERS:
            yield Issue(
                right.line,
                _S.HIGH,
                _T.EXCESSIVE_PERMISSION,
                "CIS-K8s 5.2.9",
                f"{name} gets the right {right.text}",
                "Remove it.",
            )
    user = own.at("runAsUser") or outer.at("runAsUser")
    other = own.at("runAsNonRoot") or outer.at("runAsNonRoot")
    if user is not None and user.text == "0":
        yield Issue(
            user.line,
            _S.MEDIUM,
            _T.EXCESSIVE_PERMISSION,
            "CIS-K8s 5.2.7",
            f"{name} runs as root",
            "Run it as another user.",
        )
    elif (other is None or other.false) and user is None and not (outer.kind != MAP or own.kind != MAP):
        yield Issue(
            other.line if other is not None else each.line,
            _S.MEDIUM if other is not None else _S.LOW,
            _T.EXCESSIVE_PERMISSION,
            "CIS-K8s 5.2.7",
            f"{name} may run as root: nothing forbids it",
            "Set runAsNonRoot: true and allowPrivilegeEscalation: false.",
        )
    image = each.at("image")
    if image is not None and image.scalar:
        found = image_issue(each.line_of("image"), image.text, name)
        if found is not None:
            yield found
    for variable in each.entries("env"):
        value = variable.at("value")
        if (
            value is not None
            and value.scalar
            and value.text
            and SECRET.search(variable.value("name"))
            and "$" not in value.text
            and not value.true
            and not value.false
        ):
            yield Issue(
                variable.line_of("value"),
                _S.HIGH,
                _T.HARDCODED_SECRET,
                "CIS-K8s 5.4.1",
                f"{name} has `{variable.value('name')}` written out",
                "Use valueFrom.secretKeyRef.",
            )
    limits = each.at("resources")
    if not init and (limits is None or (limits.kind == MAP and not limits.map.get("limits"))):
        yield Issue(
            each.line_of("resources") if limits is not None else each.line,
            _S.LOW,
            _T.MISSING_SAFEGUARD,
            "resource limits",
            f"{name} may use all memory and CPU of its node",
            "Set resources.limits.",
        )
    if (
        not init
        and thing.kind in ("Deployment", "StatefulSet", "DaemonSet")
        and not {"livenessProbe", "readinessProbe", "startupProbe"} & each.map.keys()
        and not thing.document.templated
    ):
        yield Issue(
            each.line,
            _S.LOW,
            _T.MISSING_SAFEGUARD,
            "probes",
            f"{name} has no probe: traffic goes to it when it hangs",
            "Add a readinessProbe and a livenessProbe.",
        )
    for port in each.entries("ports"):
        if "hostPort" in port.map:
            yield Issue(
                port.line_of("hostPort"),
                _S.MEDIUM,
                _T.EXPOSED_SERVICE,
                "CIS-K8s 5.2.13",
                f"{name} takes a port of its node",
                "Use a Service.",
            )
