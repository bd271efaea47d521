"""Kubernetes manifests: validity of objects and containers, and references between objects."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules
from plantwin.private.capabilities.infrastructure import quantities
from plantwin.private.capabilities.infrastructure.cron import cron_fault
from plantwin.private.capabilities.infrastructure.kubernetes import WORKLOADS, KubernetesObject
from plantwin.private.capabilities.infrastructure.project import Project
from plantwin.private.formats.document import BOOLEAN, EXPRESSION, LIST, MAP, NULL, NUMBER, TEXT, Document, Node
from plantwin.vocabulary import Severity

RULES = Rules("kubernetes_validity")
_API_VERSIONS = {
    "Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "ReplicaSet": "apps/v1", "Pod": "v1",
    "Service": "v1", "ConfigMap": "v1", "Secret": "v1", "Namespace": "v1", "ServiceAccount": "v1",
    "PersistentVolumeClaim": "v1", "PersistentVolume": "v1", "Job": "batch/v1", "CronJob": "batch/v1",
    "Ingress": "networking.k8s.io/v1", "NetworkPolicy": "networking.k8s.io/v1", "Role": "rbac.authorization.k8s.io/v1",
    "ClusterRole": "rbac.authorization.k8s.io/v1", "RoleBinding": "rbac.authorization.k8s.io/v1",
    "ClusterRoleBinding": "rbac.authorization.k8s.io/v1", "HorizontalPodAutoscaler": "autoscaling/v2",
    "PodDisruptionBudget": "policy/v1", "StorageClass": "storage.k8s.io/v1",
}  # fmt: skip
_ALSO_VALID = (
    ("HorizontalPodAutoscaler", "autoscaling/v1"),
    ("Service", "serving.knative.dev/v1"),
    ("Ingress", "config.openshift.io/v1"),
)
_CORE_GROUPS = ("", "apps", "batch", "autoscaling", "policy")
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
_LABEL = re.compile(r"(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?")
_PORT_NAME = re.compile(r"(?=[a-z0-9-]{1,15}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with the objects of a manifest, seen with the objects of all files."""
    for item in project.kubernetes_objects:
        if item.document is document:
            yield from _validate_object(item, project.kubernetes_objects)


def _required(line: int, item: KubernetesObject, field: str, severity: Severity | None = None) -> Finding:
    return RULES.found("K8S-REQUIRED-FIELD", line, severity=severity, kind=item.kind, name=item.name, field=field)


def _validate_object(item: KubernetesObject, everything: Sequence[KubernetesObject]) -> Iterator[Finding]:
    node, kind, line = item.node, item.kind, item.node.line_of("kind")
    version, metadata = node.value("apiVersion"), node.at("metadata")
    if "apiVersion" not in node.map:
        yield _required(line, item, "apiVersion")
    elif version and "templatedvalue" not in version:
        yield from _validate_version(node, kind, version)
    named = metadata is not None and {"name", "generateName"} & metadata.map.keys()
    if not named and kind not in ("Kustomization", "List"):
        yield _required(line, item, "metadata.name")
    if metadata is not None:
        name = metadata.at("name")
        if (
            name is not None
            and name.kind == TEXT
            and not _NAME.fullmatch(name.text)
            and version == _API_VERSIONS.get(kind)
            and not version.startswith("rbac")
        ):
            yield RULES.found("K8S-NAME", metadata.line_of("name"), kind=kind)
        for key in ("labels", "annotations"):
            yield from _validate_strings(metadata.at(key), key)
    if item.name and not item.document.templated and _declared_before(item, everything):
        yield RULES.found("K8S-DUPLICATE", line, kind=kind, name=item.name)
    if kind in WORKLOADS:
        yield from _validate_workload(item)
    elif kind == "Service":
        yield from _validate_service(item, everything)
    elif kind == "Ingress":
        yield from _validate_ingress(item, everything)
    elif kind == "HorizontalPodAutoscaler":
        least, most = node.at("spec", "minReplicas"), node.at("spec", "maxReplicas")
        if most is None and not item.document.templated:
            yield _required(node.line_of("spec"), item, "spec.maxReplicas")
        elif least is not None and most is not None and (least.number or 0) > (most.number or float("inf")):
            yield RULES.found("K8S-AUTOSCALER-RANGE", least.line, name=item.name)
    elif kind in ("RoleBinding", "ClusterRoleBinding"):
        if "roleRef" not in node.map:
            yield _required(line, item, "roleRef")
        if "subjects" not in node.map:
            yield _required(line, item, "subjects", Severity.LOW)
    elif kind == "ConfigMap":
        yield from _validate_strings(node.at("data"), "data")
    elif kind == "Secret":
        yield from _validate_secret(node.at("data") or Node(MAP, line))


def _declared_before(item: KubernetesObject, everything: Sequence[KubernetesObject]) -> bool:
    namespace = item.node.value("metadata", "namespace")
    return any(
        other.document is item.document
        and (other.kind, other.name) == (item.kind, item.name)
        and other.node.line < item.node.line
        and other.node.value("metadata", "namespace") == namespace
        for other in everything
    )


def _validate_version(node: Node, kind: str, version: str) -> Iterator[Finding]:
    line, served = node.line_of("apiVersion"), _API_VERSIONS.get(kind, "")
    group, served_group = (text.rpartition("/")[0].partition("/")[0] for text in (version, served))
    if kind == "PodSecurityPolicy" or version.startswith("extensions/v1beta"):
        yield RULES.found("K8S-REMOVED-API", line, version=version, kind=kind, served=served or "its successor")
    elif not served or version == served or (kind, version) in _ALSO_VALID:
        return
    elif group == served_group and re.search(r"v\d+(?:alpha|beta)\d+$", version):
        yield RULES.found("K8S-REMOVED-API", line, version=version, kind=kind, served=served)
    elif kind in WORKLOADS | {"ConfigMap", "Ingress", "Service"} and (
        group in _CORE_GROUPS or group.endswith("k8s.io")
    ):
        yield RULES.found("K8S-API-VERSION", line, version=version, kind=kind, served=served)


def _validate_strings(node: Node | None, where: str) -> Iterator[Finding]:
    """Find values of labels, annotations and data that are not strings."""
    for key, value in node.map.items() if node is not None else ():
        line = node.line_of(key) if node is not None else 0
        if value.kind in (NUMBER, BOOLEAN) or (value.kind == NULL and where != "annotations"):
            yield RULES.found("K8S-STRING", line, key=key[:60], where=where, type=value.kind)
        elif where == "labels" and value.kind == TEXT and not _LABEL.fullmatch(value.text):
            yield RULES.found("K8S-LABEL", line, key=key[:60])


def _validate_secret(data: Node) -> Iterator[Finding]:
    for key, value in data.map.items():
        if value.kind == TEXT and value.text and "$" not in value.text:
            try:
                base64.b64decode("".join(value.text.split()), validate=True)
            except (binascii.Error, ValueError):
                yield RULES.found("K8S-SECRET-BASE64", data.line_of(key), key=key[:60])


def _validate_workload(item: KubernetesObject) -> Iterator[Finding]:
    node, kind, pod, templated = item.node, item.kind, item.pod, item.document.templated
    line, selector = node.line_of("spec"), node.at("spec", "selector")
    containers = pod.entries("containers") if pod is not None else []
    if selector is None and containers and not any("image" in container.map for container in containers):
        return  # Kustomize's patch of an object that another file declares
    if kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"):
        wanted = node.at("spec", "selector", "matchLabels")
        if selector is None:
            yield _required(line, item, "spec.selector")
        elif wanted is not None and not templated:
            for key, value in wanted.map.items():
                if item.labels.get(key) != value.text and value.kind != EXPRESSION:
                    yield RULES.found("K8S-SELECTOR", wanted.line_of(key), kind=kind, name=item.name, label=key)
    replicas = node.at("spec", "replicas")
    if replicas is not None and replicas.scalar and (replicas.number is None or replicas.number < 0 or replicas.quoted):
        yield RULES.found("K8S-REPLICAS", node.map["spec"].line_of("replicas"))
    if kind == "CronJob":
        schedule = node.at("spec", "schedule")
        if schedule is None:
            yield _required(line, item, "spec.schedule")
        elif schedule.scalar and "$" not in schedule.text and (fault := cron_fault(schedule.text)):
            yield RULES.found("K8S-SCHEDULE", schedule.line, name=item.name, fault=fault)
    if pod is None or pod.kind != MAP:
        if not templated and node.at("spec") is not None and node.at("spec", "workloadRef") is None:
            yield _required(line, item, "spec.template.spec")
        return
    if kind in ("Job", "CronJob") and pod.value("restartPolicy") == "Always":
        yield RULES.found("K8S-RESTART-POLICY", pod.line_of("restartPolicy"), kind=kind, name=item.name)
    if not pod.entries("containers") and not templated:
        yield _required(line, item, "containers")
    volumes = {volume.value("name") for volume in pod.entries("volumes")}
    volumes |= {claim.value("metadata", "name") for claim in node.entries("spec", "volumeClaimTemplates")}
    certain = not templated and all(volume.kind == MAP for volume in pod.entries("volumes"))
    names: set[str] = set()
    for container in [*pod.entries("containers"), *pod.entries("initContainers")]:
        if container.kind == MAP:
            yield from _validate_container(container, item, names, volumes if certain else None)


def _validate_container(
    container: Node, item: KubernetesObject, names: set[str], volumes: set[str] | None
) -> Iterator[Finding]:
    name = container.value("name")
    for key in ("name", "image"):
        if key not in container.map:
            yield _required(container.line, item, f"containers[].{key}")
    if name and name in names and "templatedvalue" not in name:
        yield RULES.found("K8S-CONTAINER-NAME", container.line_of("name"), container=name)
    names.add(name)
    for port in container.entries("ports"):
        number, label = port.at("containerPort"), port.value("name")
        if number is not None and number.number is not None and not 0 < number.number <= 65535:
            yield RULES.found("K8S-PORT-RANGE", port.line_of("containerPort"), container=name)
        if label and not _PORT_NAME.fullmatch(label) and "templated" not in label:
            yield RULES.found("K8S-PORT-NAME", port.line_of("name"), container=name)
    for variable in container.entries("env"):
        value, key = variable.at("value"), variable.value("name")
        if variable.kind == MAP and "name" not in variable.map:
            yield _required(variable.line, item, "env[].name")
        if value is not None and value.kind in (NUMBER, BOOLEAN, MAP, LIST):
            yield RULES.found("K8S-STRING", variable.line_of("value"), key=key, where="env", type=value.kind)
        if value is not None and "valueFrom" in variable.map and not item.document.templated:
            yield RULES.found("K8S-ENV-VALUE", variable.line, variable=key)
    for mount in container.entries("volumeMounts"):
        volume = mount.value("name")
        if volumes is not None and volume and volume not in volumes:
            yield RULES.found("K8S-VOLUME", mount.line, container=name, volume=volume)
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        keys = container.map[probe].map.keys() if probe in container.map else set()
        if keys and not {"httpGet", "exec", "tcpSocket", "grpc"} & keys:
            yield RULES.found("K8S-PROBE", container.line_of(probe), container=name, probe=probe)
    yield from _validate_resources(container, name)


def _validate_resources(container: Node, name: str) -> Iterator[Finding]:
    amounts: dict[tuple[str, str], float] = {}
    for side in ("requests", "limits"):
        holder = container.at("resources", side) or Node(MAP, container.line)
        for what, node in holder.map.items():
            if not node.scalar or "$" in node.text:
                continue
            amount, suggestion = quantities.quantity(node.text), ""
            if amount is None:
                suggestion = "Write 500m for CPU, 512Mi for memory."
            elif what == "memory" and amount < 1 << 20:
                suggestion = "That is less than one megabyte; did you mean Mi? `m` is a thousandth of a byte."
            elif what == "cpu" and amount > 512:
                suggestion = "That many cores; did you mean `m`, thousandths of a core?"
            if suggestion:
                line, text = holder.line_of(what), node.text[:20]
                yield RULES.found("K8S-QUANTITY", line, container=name, what=what, value=text, suggestion=suggestion)
            if amount is not None:
                amounts[side, what] = amount
    for what in ("cpu", "memory"):
        if amounts.get(("requests", what), 0) > amounts.get(("limits", what), float("inf")):
            yield RULES.found("K8S-REQUESTS", container.line_of("resources"), container=name, what=what)


def _validate_service(item: KubernetesObject, everything: Sequence[KubernetesObject]) -> Iterator[Finding]:
    node, spec = item.node, item.node.at("spec")
    if node.value("apiVersion") != "v1" or spec is None or spec.value("type") == "ExternalName":
        return
    if "ports" not in spec.map and spec.value("clusterIP") != "None":
        yield _required(node.line_of("spec"), item, "spec.ports")
    for port in spec.entries("ports"):
        number = port.at("nodePort")
        if number is not None and number.number is not None and not 30000 <= number.number <= 32767:
            yield RULES.found("K8S-NODE-PORT", port.line_of("nodePort"), name=item.name)
    selector = spec.at("selector")
    if selector is None or selector.kind != MAP or item.document.templated:
        return
    wanted = {key: value.text for key, value in selector.map.items()}
    workloads = [
        other for other in everything if other.kind in WORKLOADS and not other.document.templated and other.labels
    ]
    selected = [other for other in workloads if wanted.items() <= other.labels.items()]
    near = [
        other
        for other in workloads
        if other.document is item.document
        or other.name == item.name
        or set(wanted.values()) & set(other.labels.values())
    ]
    if not selected and near:
        yield RULES.found("K8S-SERVICE-SELECTOR", spec.line_of("selector"), name=item.name, near=near[0].name)
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
            yield RULES.found("K8S-TARGET-PORT", target.line, severity=severity, **values)


def _validate_ingress(item: KubernetesObject, everything: Sequence[KubernetesObject]) -> Iterator[Finding]:
    services = {other.name: other for other in everything if other.kind == "Service"}
    paths = [path for rule in item.node.entries("spec", "rules") for path in rule.entries("http", "paths")]
    for path in paths:
        if "pathType" not in path.map and item.node.value("apiVersion") == "networking.k8s.io/v1":
            yield _required(path.line, item, "pathType")
        name = path.value("backend", "service", "name")
        number = path.at("backend", "service", "port", "number")
        if name in services and number is not None:
            ports = {port.value("port") for port in services[name].node.entries("spec", "ports")}
            if ports and number.text not in ports and not item.document.templated:
                port = number.text[:8]
                yield RULES.found("K8S-INGRESS-PORT", number.line, name=item.name, port=port, service=name)
