"""Kubernetes manifests: the objects that they declare, security rules (CIS Kubernetes, section 5) and validity rules.

Validity is about what the API server accepts and a cluster then does not do: selectors and ports that lead nowhere,
amounts in the wrong unit. What `kubectl apply` refuses by itself is left to it, but for the most frequent mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure.dockerfile import audit_image
from plantwin.private.capabilities.infrastructure.keys import known_keys
from plantwin.private.facts import private
from plantwin.private.formats.document import BOOLEAN, EXPRESSION, LIST, MAP, NULL, NUMBER, TEXT, Document, Node
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
        for node in root.entries("items") if root.value("kind").endswith("List") and "items" in root.map else [root]:
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
    # Of a file that was not read to its end nobody knows what is missing.
    if (
        first is not None
        and first.document is document
        and not policies
        and not any(item.document.cut for item in declared)
    ):
        yield RULES.found("K8S-NETWORK-POLICY", 0)


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
    return any(value and not re.search(r"templatedvalue|\$|(?i:change|replace|<)", value) for value in values)


def _role(item: KubernetesObject) -> Iterator[Finding]:
    for rule in item.node.entries("rules"):
        verbs = {verb.text for verb in rule.entries("verbs")}
        targets = {target.text for target in rule.entries("resources")}
        readable = "secrets" in targets and {"get", "list", "watch"} & verbs and "resourceNames" not in rule.map
        if "*" in verbs | targets:
            groups = rule.entries("apiGroups") or [rule]
            operated = all("." in group.text and ".k8s." not in group.text for group in groups)
            severity, id_ = Severity.HIGH if "*" in verbs & targets and not operated else None, "K8S-RBAC-WILDCARD"
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
        if (found := pod.at(key)) is not None and found.true:
            severity = Severity.MEDIUM if key == "hostNetwork" else None
            line = pod.line_of(key)
            yield RULES.found("K8S-HOST-NAMESPACE", line, severity=severity, kind=item.kind, name=item.name, key=key)
    for volume in pod.entries("volumes"):
        path = volume.value("hostPath", "path")
        if path:
            severity = Severity.HIGH if _SYSTEM_PATH.fullmatch(path) else None
            place = line_at(volume, "hostPath", "path")
            yield RULES.found("K8S-HOST-PATH", place, severity=severity, kind=item.kind, name=item.name)
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
        severity = Severity.MEDIUM if item.kind == "DaemonSet" else None  # that is made to manage its node
        yield RULES.found("K8S-PRIVILEGED", context.line_of("privileged"), severity=severity, container=name)
    elif escalation is not None and escalation.true:
        yield RULES.found("K8S-PRIVILEGE-ESCALATION", context.line_of("allowPrivilegeEscalation"), container=name)
    for capability in context.entries("capabilities", "add"):
        if (added := capability.text.upper().removeprefix("CAP_")) in DANGEROUS_CAPABILITIES:
            own = Severity.MEDIUM if added == "NET_ADMIN" else None
            yield RULES.found("K8S-CAPABILITY", capability.line, severity=own, container=name, capability=added)
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


VALIDITY = Rules("kubernetes_validity")
_API_VERSIONS = {
    "Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "ReplicaSet": "apps/v1",
    "CronJob": "batch/v1", "Job": "batch/v1", "Ingress": "networking.k8s.io/v1",
    "NetworkPolicy": "networking.k8s.io/v1", "Role": "rbac.authorization.k8s.io/v1",
    "ClusterRole": "rbac.authorization.k8s.io/v1", "RoleBinding": "rbac.authorization.k8s.io/v1",
    "ClusterRoleBinding": "rbac.authorization.k8s.io/v1", "HorizontalPodAutoscaler": "autoscaling/v2",
    "PodDisruptionBudget": "policy/v1", "StorageClass": "storage.k8s.io/v1",
}  # fmt: skip
"""Versions that are served in place of removed ones (kubernetes.io, "Deprecated API Migration Guide")."""
_QUANTITY = re.compile(r"(\d{1,18}(?:\.\d{0,9})?)(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE]\d{1,2})?")
_FACTORS = {
    None: 1.0, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
    "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60,
}  # fmt: skip


def quantity(text: str) -> float | None:
    """Return a quantity (`500m`, `128Mi`) as a number; None where it is none."""
    match = _QUANTITY.fullmatch(text.strip()[:40])
    if match is None:
        return None
    unit = match[2]
    if unit is not None and unit[0] in "eE" and unit not in ("E", "Ei"):
        return float(match[1]) * 10.0 ** int(unit[1:])
    return float(match[1]) * _FACTORS[unit]


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with the objects of a manifest, seen with the objects of all files."""
    for item in project.kubernetes_objects:
        if item.document is document:
            yield from _validate_object(item, project.kubernetes_objects)


def _required(line: int, item: KubernetesObject, field: str) -> Finding:
    return VALIDITY.found("K8S-REQUIRED-FIELD", line, kind=item.kind, name=item.name, field=field)


def _validate_object(item: KubernetesObject, everything: Sequence[KubernetesObject]) -> Iterator[Finding]:
    node, kind, line = item.node, item.kind, item.node.line_of("kind")
    version, metadata = node.value("apiVersion"), node.at("metadata")
    if "apiVersion" not in node.map:
        yield _required(line, item, "apiVersion")
    served = _API_VERSIONS.get(kind, "its successor")
    beta = version.rpartition("/")[0] == served.rpartition("/")[0] and re.search(r"v\d+(?:alpha|beta)\d+$", version)
    if kind == "PodSecurityPolicy" or version.startswith("extensions/v1beta") or beta:
        line = node.line_of("apiVersion")
        yield VALIDITY.found("K8S-REMOVED-API", line, version=version, kind=kind, served=served)
    named = metadata is not None and {"name", "generateName"} & metadata.map.keys()
    if not named and kind not in ("Kustomization", "List"):
        yield _required(node.line_of("kind"), item, "metadata.name")
    for key in ("labels", "annotations") if metadata is not None else ():
        yield from _validate_strings(metadata.at(key) if metadata is not None else None, key)
    if kind in WORKLOADS:
        yield from _validate_workload(item)
    elif kind == "Service":
        yield from _validate_service(item, everything)
    elif kind == "ConfigMap":
        yield from _validate_strings(node.at("data"), "data")


def _validate_strings(node: Node | None, where: str) -> Iterator[Finding]:
    """Find values of labels, annotations and data that are not strings."""
    for key, value in node.map.items() if node is not None else ():
        line = node.line_of(key) if node is not None else 0
        if value.kind in (NUMBER, BOOLEAN) or (value.kind == NULL and where != "annotations"):
            yield VALIDITY.found("K8S-STRING", line, key=key[:60], where=where, type=value.kind)


def _validate_workload(item: KubernetesObject) -> Iterator[Finding]:
    node, kind, pod, templated = item.node, item.kind, item.pod, item.document.templated
    line, selector = node.line_of("spec"), node.at("spec", "selector")
    containers = [container for container in pod.entries("containers") if container.kind == MAP] if pod else []
    if selector is None and containers and not any("image" in container.map for container in containers):
        return  # Kustomize's patch of an object that another file declares
    if kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"):
        wanted = node.at("spec", "selector", "matchLabels")
        if selector is None:
            yield _required(line, item, "spec.selector")
        elif wanted is not None and not templated:
            for key, value in wanted.map.items():
                if item.labels.get(key) != value.text and value.kind != EXPRESSION:
                    yield VALIDITY.found("K8S-SELECTOR", wanted.line_of(key), kind=kind, name=item.name, label=key)
    for container in containers:
        name = container.value("name")
        if "image" not in container.map:
            yield _required(container.line, item, "containers[].image")
        for variable in container.entries("env"):
            given = variable.at("value")
            if given is not None and given.kind in (NUMBER, BOOLEAN, MAP, LIST):
                line, key = variable.line_of("value"), variable.value("name")
                yield VALIDITY.found("K8S-STRING", line, key=key, where="env", type=given.kind)
        yield from _validate_resources(container, name)


def _validate_resources(container: Node, name: str) -> Iterator[Finding]:
    amounts: dict[tuple[str, str], float] = {}
    for side in ("requests", "limits"):
        holder = container.at("resources", side) or Node(MAP, container.line)
        for what, node in holder.map.items():
            if not node.scalar or "$" in node.text:
                continue
            amount, suggestion = quantity(node.text), ""
            if amount is None:
                suggestion = "Write 500m for CPU, 512Mi for memory."
            elif what == "memory" and amount < 1 << 20:
                suggestion = "That is less than one megabyte; did you mean Mi? `m` is a thousandth of a byte."
            elif what == "cpu" and amount > 512:
                suggestion = "That many cores; did you mean `m`, thousandths of a core?"
            if suggestion:
                line, text = holder.line_of(what), node.text[:20]
                yield VALIDITY.found("K8S-QUANTITY", line, container=name, what=what, value=text, suggestion=suggestion)
            if amount is not None:
                amounts[side, what] = amount
    for what in ("cpu", "memory"):
        if amounts.get(("requests", what), 0) > amounts.get(("limits", what), float("inf")):
            yield VALIDITY.found("K8S-REQUESTS", container.line_of("resources"), container=name, what=what)


def _validate_service(item: KubernetesObject, everything: Sequence[KubernetesObject]) -> Iterator[Finding]:
    """Find a selector that no pod has, and ports that the pods do not open."""
    node, spec = item.node, item.node.at("spec")
    selector = spec.at("selector") if spec is not None else None
    if spec is None or selector is None or selector.kind != MAP or item.document.templated:
        return
    if node.value("apiVersion") != "v1" or spec.value("type") == "ExternalName":
        return
    wanted = {key: value.text for key, value in selector.map.items()}
    known = [other for other in everything if not other.document.templated]
    workloads = [other for other in known if other.kind in WORKLOADS and other.labels]
    selected = [other for other in workloads if wanted.items() <= other.labels.items()]
    near = [
        other
        for other in workloads
        if other.document is item.document
        or other.name == item.name
        or set(wanted.values()) & set(other.labels.values())
    ]
    custom = [other.node for other in everything if "." in other.node.value("apiVersion")]
    # An operator hands the labels of its custom resource on to the pods that it makes.
    operated = any(all(node.value("metadata", "labels", key) == wanted[key] for key in wanted) for node in custom)
    if not selected and near and not operated:
        yield VALIDITY.found("K8S-SERVICE-SELECTOR", spec.line_of("selector"), name=item.name, near=near[0].name)
    for workload in selected[:5]:
        yield from _validate_target_ports(item, spec, workload)


def _validate_target_ports(item: KubernetesObject, spec: Node, workload: KubernetesObject) -> Iterator[Finding]:
    containers = workload.pod.entries("containers") if workload.pod is not None else []
    ports = [port for container in containers for port in container.entries("ports")]
    names, numbers = {port.value("name") for port in ports}, {port.value("containerPort") for port in ports}
    for port in spec.entries("ports") if ports else []:
        target = port.at("targetPort") or port.at("port")
        if target is None or not target.scalar:
            continue
        named = target.kind == TEXT and not target.text.isdigit()
        unknown = target.text not in names if named else target.number is not None and target.text not in numbers
        if unknown:
            severity = None if named else Severity.MEDIUM
            values = {"name": item.name, "port": target.text, "workload": workload.name}
            yield VALIDITY.found("K8S-TARGET-PORT", target.line, severity=severity, **values)
