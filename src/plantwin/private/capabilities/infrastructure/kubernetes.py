"""Kubernetes manifests: the objects that they declare, and security rules over them (CIS Kubernetes, section 5).

`kubernetes_validity` checks whether the objects are valid and fit together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.dockerfile import audit_image
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.facts import private
from plantwin.private.formats.document import MAP, Document, Node
from plantwin.private.formats.yaml import FILLED
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

RULES = Rules("kubernetes")
WORKLOADS = known_keys("kubernetes", "workloads")
SERVERS = frozenset(("Deployment", "StatefulSet", "DaemonSet"))
DANGEROUS_CAPABILITIES = known_keys("kubernetes", "dangerous_capabilities")
SECRET_NAME = re.compile(
    r"(?:^|_)(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY|CREDENTIALS?)"
    r"(?:$|_(?!FILE|PATH|NAME|URL|HOST|TTL|EXPIR|LENGTH|ID$|ALGORITHM))",
    re.IGNORECASE,
)
_SYSTEM_PATH = re.compile(
    r"/(?:etc|root|proc|sys|boot|var|var/run|var/lib/kubelet|var/lib/docker|run|home|dev|usr)?/?$"
    r"|.*(?:docker|containerd|crio)\.sock$|/etc/.*|/var/lib/(?:kubelet|docker).*"
)
_TOOLS = re.compile(r"(?:kustomize|argoproj|skaffold|kind\.x|kubeadm|audit|client|config\.)")
"""API groups of tools, whose own settings are no objects of a cluster."""


@private
class KubernetesObject(NamedTuple):
    """One declared object, and the file that declares it."""

    document: Document
    node: Node
    kind: str
    name: str

    @property
    def _template(self) -> Node | None:
        if self.kind == "Pod":
            return self.node
        path = ("spec", "jobTemplate", "spec", "template") if self.kind == "CronJob" else ("spec", "template")
        return self.node.at(*path)

    @property
    def pod(self) -> Node | None:
        """The pod specification."""
        template = self._template
        return template.at("spec") if template is not None else None

    @property
    def labels(self) -> dict[str, str]:
        """The labels of its pods."""
        template = self._template
        found = template.at("metadata", "labels") if template is not None else None
        return {key: node.text for key, node in found.map.items()} if found is not None else {}


def objects(document: Document) -> list[KubernetesObject]:
    """Return the objects that a document declares."""
    found = []
    for root in document.roots if document.syntax in ("yaml", "json") else []:
        for node in root.entries("items") if root.value("kind") == "List" else [root]:
            version = node.value("apiVersion") if node.kind == MAP else ""
            # Other programs write `kind` and `apiVersion` too; of Kubernetes are the core's and those of a group.
            known = "/" in version or version in ("", "v1", FILLED)
            if node.kind == MAP and known and "kind" in node.map and node.map.keys() & {"apiVersion", "metadata"}:
                found.append(KubernetesObject(document, node, node.value("kind"), node.value("metadata", "name")))
    if any(_TOOLS.match(declared.node.value("apiVersion")) for declared in found):
        return [declared for declared in found if declared.kind not in ("Kustomization", "Config", "Cluster")]
    return found


def is_kubernetes(document: Document) -> bool:
    """Return whether a document declares objects of Kubernetes."""
    return bool(objects(document))


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of a manifest, seen with the objects of all files."""
    declared = project.kubernetes_objects
    for item in declared:
        if item.document is document:
            yield from _audit_object(item)
    first = next((item for item in declared if item.kind in SERVERS), None)
    policies = any(item.kind in ("NetworkPolicy", "CiliumNetworkPolicy") for item in declared)
    if first is not None and first.document is document and not policies:
        yield RULES.found("K8S-NETWORK-POLICY", first.node.line_of("kind"))


def _audit_object(item: KubernetesObject) -> Iterator[Finding]:
    node, kind, name = item.node, item.kind, item.name
    if kind in WORKLOADS:
        yield from _pod(item)
    elif kind in ("Role", "ClusterRole"):
        yield from _role(item)
    elif kind in ("RoleBinding", "ClusterRoleBinding"):
        if node.value("roleRef", "name") == "cluster-admin":
            yield RULES.found("K8S-CLUSTER-ADMIN", line_at(node, "roleRef", "name"), kind=kind, name=name)
        for subject in node.entries("subjects"):
            group = subject.value("name")
            if group in ("system:anonymous", "system:unauthenticated", "system:authenticated"):
                yield RULES.found("K8S-ANONYMOUS-SUBJECT", subject.line, kind=kind, name=name, group=group)
    elif kind == "Service" and node.value("spec", "type") in ("LoadBalancer", "NodePort"):
        if not node.entries("spec", "loadBalancerSourceRanges") and not _is_internal(node):
            type_ = node.value("spec", "type")
            yield RULES.found("K8S-SERVICE-EXPOSED", line_at(node, "spec", "type"), name=name, type=type_)
    elif kind == "Ingress" and "spec" in node.map and "tls" not in node.map["spec"].map:
        yield RULES.found("K8S-INGRESS-TLS", node.line_of("spec"), name=name)
    elif kind == "Secret" and _has_values(node):
        yield RULES.found("K8S-SECRET-IN-FILE", node.line_of("data" if "data" in node.map else "stringData"), name=name)


def line_at(node: Node, *path: str) -> int:
    """Return the line of the key at a path."""
    holder = node.at(*path[:-1])
    return holder.line_of(path[-1]) if holder is not None else node.line


def _is_internal(node: Node) -> bool:
    """Return whether annotations make a load balancer internal."""
    found = node.at("metadata", "annotations")
    return found is not None and any("internal" in key or value.text == "internal" for key, value in found.map.items())


def _has_values(node: Node) -> bool:
    values = [value.text for key in ("data", "stringData") for part in node.entries(key) for value in part.map.values()]
    filled_in_later = re.compile(r"templatedvalue|\$|(?i:change|replace|<)")
    return any(value and not filled_in_later.search(value) for value in values)


def _role(item: KubernetesObject) -> Iterator[Finding]:
    for rule in item.node.entries("rules"):
        verbs = {verb.text for verb in rule.entries("verbs")}
        targets = {target.text for target in rule.entries("resources")}
        readable = "secrets" in targets and {"get", "list", "watch"} & verbs and "resourceNames" not in rule.map
        if "*" in verbs | targets:
            severity = Severity.HIGH if "*" in verbs & targets else None
            id_ = "K8S-RBAC-WILDCARD"
        elif readable and item.kind == "ClusterRole":
            severity, id_ = None, "K8S-RBAC-SECRETS"
        elif {"pods/exec", "pods/attach"} & targets and "create" in verbs:
            severity, id_ = None, "K8S-RBAC-EXEC"
        elif {"escalate", "bind", "impersonate"} & verbs:
            severity, id_ = None, "K8S-RBAC-ESCALATE"
        else:
            continue
        yield RULES.found(id_, rule.line, severity=severity, kind=item.kind, name=item.name)


def _pod(item: KubernetesObject) -> Iterator[Finding]:
    pod = item.pod
    if pod is None or pod.kind != MAP:
        return
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        found = pod.at(key)
        if found is not None and found.true:
            severity = Severity.MEDIUM if key == "hostNetwork" else None
            line = pod.line_of(key)
            yield RULES.found("K8S-HOST-NAMESPACE", line, severity=severity, kind=item.kind, name=item.name, key=key)
    for volume in pod.entries("volumes"):
        path = volume.value("hostPath", "path")
        if path:
            severity = Severity.HIGH if _SYSTEM_PATH.fullmatch(path) else None
            line = line_at(volume, "hostPath", "path")
            yield RULES.found("K8S-HOST-PATH", line, severity=severity, kind=item.kind, name=item.name)
    context = pod.at("securityContext") or Node(MAP, pod.line)
    for container in pod.entries("containers"):
        if container.kind == MAP:
            yield from _container(container, context, item)
            yield from _safeguards(container, item)
    for container in pod.entries("initContainers"):
        if container.kind == MAP:
            yield from _container(container, context, item)


def _container(container: Node, pod_context: Node, item: KubernetesObject) -> Iterator[Finding]:
    name = f"{item.name}/{container.value('name')}"
    context = container.at("securityContext") or Node(MAP, container.line)
    privileged, escalation = context.at("privileged"), context.at("allowPrivilegeEscalation")
    if privileged is not None and privileged.true:
        yield RULES.found("K8S-PRIVILEGED", context.line_of("privileged"), container=name)
    elif escalation is not None and escalation.true:
        line = context.line_of("allowPrivilegeEscalation")
        yield RULES.found("K8S-PRIVILEGE-ESCALATION", line, container=name)
    for capability in context.entries("capabilities", "add"):
        if capability.text.upper().removeprefix("CAP_") in DANGEROUS_CAPABILITIES:
            yield RULES.found("K8S-CAPABILITY", capability.line, container=name, capability=capability.text)
    user = context.at("runAsUser") or pod_context.at("runAsUser")
    non_root = context.at("runAsNonRoot") or pod_context.at("runAsNonRoot")
    if user is not None and user.text == "0":
        yield RULES.found("K8S-ROOT", user.line, container=name)
    elif user is None and (non_root is None or non_root.false) and context.kind == pod_context.kind == MAP:
        line = non_root.line if non_root is not None else container.line
        severity = Severity.MEDIUM if non_root is not None else None
        yield RULES.found("K8S-ROOT-ALLOWED", line, severity=severity, container=name)
    image = container.at("image")
    if image is not None and image.scalar:
        yield from audit_image(container.line_of("image"), image.text, f"`{name}`")
    for variable in container.entries("env"):
        value, key = variable.at("value"), variable.value("name")
        literal = value is not None and value.scalar and not value.true and not value.false and "$" not in value.text
        if value is not None and literal and value.text and SECRET_NAME.search(key):
            yield RULES.found("K8S-SECRET-IN-ENV", variable.line_of("value"), container=name, variable=key)
    for port in container.entries("ports"):
        if "hostPort" in port.map:
            yield RULES.found("K8S-HOST-PORT", port.line_of("hostPort"), container=name)


def _safeguards(container: Node, item: KubernetesObject) -> Iterator[Finding]:
    name = f"{item.name}/{container.value('name')}"
    resources = container.at("resources")
    if resources is None or (resources.kind == MAP and not resources.map.get("limits")):
        yield RULES.found("K8S-LIMITS", container.line_of("resources"), container=name)
    probes = {"livenessProbe", "readinessProbe", "startupProbe"} & container.map.keys()
    if not probes and item.kind in SERVERS and not item.document.templated:
        yield RULES.found("K8S-PROBES", container.line, container=name)
