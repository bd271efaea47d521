"""Manifests of Kubernetes: shape, labels that have to match, references, quantities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.placed.node import EXPRESSION, MAP, NULL, TEXT, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.private.capabilities.validity.containers import container
from plantwin.private.capabilities.validity.objects import WORKLOADS, Thing
from plantwin.private.capabilities.validity.traffic import ingress, scaler, service
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_HOME = {
    "Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "ReplicaSet": "apps/v1", "Pod": "v1",
    "Service": "v1", "ConfigMap": "v1", "Secret": "v1", "Namespace": "v1", "ServiceAccount": "v1",
    "PersistentVolumeClaim": "v1", "PersistentVolume": "v1", "Job": "batch/v1", "CronJob": "batch/v1",
    "Ingress": "networking.k8s.io/v1", "NetworkPolicy": "networking.k8s.io/v1", "Role": "rbac.authorization.k8s.io/v1",
    "ClusterRole": "rbac.authorization.k8s.io/v1", "RoleBinding": "rbac.authorization.k8s.io/v1",
    "ClusterRoleBinding": "rbac.authorization.k8s.io/v1", "HorizontalPodAutoscaler": "autoscaling/v2",
    "PodDisruptionBudget": "policy/v1", "StorageClass": "storage.k8s.io/v1",
}  # fmt: skip
_FINE = {
    "HorizontalPodAutoscaler": {"autoscaling/v1"},
    "Service": {"serving.knative.dev/v1"},
    "Ingress": {"config.openshift.io/v1"},
}
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
_LABEL = re.compile(r"(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?")


def issues(thing: Thing, everything: Sequence[Thing]) -> Iterator[Issue]:
    """What is wrong with one object, seen with all that were given."""
    node, kind = thing.node, thing.kind
    version = node.value("apiVersion")
    line = node.line_of("kind")
    if "apiVersion" not in node.map:
        yield Issue(line, _S.HIGH, _T.MISSING_PART, "k8s/apiVersion", f"{kind} without apiVersion", "Add it.")
    elif version and "templatedvalue" not in version:
        yield from _version(node, kind, version)
    metadata = node.at("metadata")
    if kind not in ("Kustomization", "List") and (
        metadata is None or not ({"name", "generateName"} & metadata.map.keys())
    ):
        yield Issue(line, _S.HIGH, _T.MISSING_PART, "k8s/name", f"{kind} without a name", "Set metadata.name.")
    elif metadata is not None:
        name = metadata.at("name")
        if name is not None and name.kind == TEXT and not _NAME.fullmatch(name.text) and not version.startswith("rbac"):
            yield Issue(
                metadata.line_of("name"),
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/name",
                f"The name of the {kind} is not allowed: small letters, digits, `-` and `.` only",
                "Rename it.",
            )
        for key in ("labels", "annotations"):
            yield from _strings(metadata.at(key), key)
    twins = [
        other
        for other in everything
        if other.node is not node
        and (other.kind, other.name) == (kind, thing.name)
        and other.node.value("metadata", "namespace") == node.value("metadata", "namespace")
    ]
    if (
        thing.name
        and any(other.document is thing.document and other.node.line < node.line for other in twins)
        and not thing.document.templated
    ):
        yield Issue(
            line,
            _S.HIGH,
            _T.DUPLICATION,
            "k8s/duplicate",
            f"{kind} `{thing.name}` is declared twice in this file",
            "Keep one of them.",
        )
    if kind in WORKLOADS:
        yield from _workload(thing)
    elif kind == "Service":
        yield from service(thing, everything)
    elif kind == "Ingress":
        yield from ingress(thing, everything)
    elif kind == "HorizontalPodAutoscaler":
        yield from scaler(thing, everything)
    elif kind in ("RoleBinding", "ClusterRoleBinding"):
        for key in ("roleRef", "subjects"):
            if key not in node.map:
                yield Issue(
                    line,
                    _S.HIGH if key == "roleRef" else _S.LOW,
                    _T.MISSING_PART,
                    "k8s/binding",
                    f"{kind} without {key}",
                    "Add it.",
                )
    elif kind == "ConfigMap":
        yield from _strings(node.at("data"), "data")
    elif kind == "Secret":
        yield from _secret(node)


def _version(node: Node, kind: str, version: str) -> Iterator[Issue]:
    line = node.line_of("apiVersion")
    home = _HOME.get(kind)
    if kind == "PodSecurityPolicy" or version.startswith("extensions/v1beta"):
        yield Issue(
            line,
            _S.HIGH,
            _T.END_OF_LIFE,
            "k8s/removed-api",
            f"{version} {kind} is no longer served",
            f"Use {home or 'its successor'}.",
        )
    elif home and version != home and version not in _FINE.get(kind, set()):
        group = home.partition("/")[0] if "/" in home else ""
        mine = version.partition("/")[0] if "/" in version else ""
        if group == mine and re.search(r"v\d+(?:alpha|beta)\d+$", version):
            yield Issue(
                line,
                _S.HIGH,
                _T.END_OF_LIFE,
                "k8s/removed-api",
                f"{version} of {kind} is no longer served",
                f"Use {home}.",
            )
        elif kind in WORKLOADS | {"ConfigMap", "Ingress", "Service"} and (
            not mine or mine.endswith("k8s.io") or mine in ("apps", "batch", "autoscaling", "policy")
        ):
            yield Issue(
                line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/apiVersion",
                f"{kind} does not belong to {version}",
                f"Use {home}.",
            )


def _strings(node: Node | None, where: str) -> Iterator[Issue]:
    """Labels, annotations and data hold text only."""
    if node is None or node.kind != MAP:
        return
    for key, value in node.map.items():
        if value.kind in ("number", "boolean", NULL) and not (where == "annotations" and value.kind == NULL):
            yield Issue(
                node.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/text",
                f"`{key[:60]}` under {where} must be text; this is a {value.kind}",
                "Quote it.",
            )
        elif where == "labels" and value.kind == TEXT and not _LABEL.fullmatch(value.text):
            yield Issue(
                node.line_of(key),
                _S.HIGH,
                _T.INVALID_VALUES,
                "k8s/label",
                f"The value of label `{key[:60]}` is not allowed",
                "At most 63 letters, digits, `-`, `_`, `.`.",
            )


def _secret(node: Node) -> Iterator[Issue]:
    import base64
    import binascii

    data = node.at("data")
    for key, value in data.map.items() if data is not None else ():
        if value.kind == TEXT and value.text and "$" not in value.text:
            try:
                base64.b64decode("".join(value.text.split()), validate=True)
            except (binascii.Error, ValueError):
                yield Issue(
                    data.line_of(key) if data else 1,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "k8s/secret-data",
                    f"`{key[:60]}` under data is not base64",
                    "Encode it, or use stringData.",
                )


def _workload(thing: Thing) -> Iterator[Issue]:
    node, kind, pod = thing.node, thing.kind, thing.pod
    line = node.line_of("spec")
    selector = node.at("spec", "selector")
    if kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"):
        wanted = node.at("spec", "selector", "matchLabels")
        if selector is None:
            yield Issue(
                line,
                _S.HIGH,
                _T.MISSING_PART,
                "k8s/selector",
                f"{kind} `{thing.name}` has no selector",
                "Add spec.selector.matchLabels.",
            )
        elif wanted is not None and wanted.kind == MAP and not thing.document.templated:
            labels = thing.labels
            for key, value in wanted.map.items():
                if labels.get(key) != value.text and value.kind != EXPRESSION:
                    has = "has another value" if key in labels else "is missing"
                    yield Issue(
                        wanted.line_of(key),
                        _S.HIGH,
                        _T.BROKEN_REFERENCE,
                        "k8s/selector-mismatch",
                        f"{kind} `{thing.name}` selects label `{key}`, which {has} in its template",
                        "Make selector and template labels equal.",
                    )
    replicas = node.at("spec", "replicas")
    if replicas is not None and replicas.scalar and (replicas.number is None or replicas.number < 0 or replicas.quoted):
        yield Issue(
            node.map["spec"].line_of("replicas"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "k8s/replicas",
            "replicas is not a number of zero or more",
            "Write a plain number.",
        )
    if kind == "CronJob":
        schedule = node.at("spec", "schedule")
        if schedule is None:
            yield Issue(
                line, _S.HIGH, _T.MISSING_PART, "k8s/schedule", f"CronJob `{thing.name}` has no schedule", "Add it."
            )
        elif schedule.scalar and "$" not in schedule.text and (fault := moments.cron_fault(schedule.text)):
            yield Issue(
                schedule.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "cron",
                f"The schedule of `{thing.name}` is none: {fault}",
                "Correct it.",
            )
    if pod is None or pod.kind != MAP:
        if not thing.document.templated and node.at("spec") is not None and node.at("spec", "workloadRef") is None:
            yield Issue(
                line,
                _S.HIGH,
                _T.MISSING_PART,
                "k8s/template",
                f"{kind} `{thing.name}` does not say what its pods are",
                "Add spec.template.spec.",
            )
        return
    if kind in ("Job", "CronJob") and pod.value("restartPolicy") == "Always":
        yield Issue(
            pod.line_of("restartPolicy"),
            _S.HIGH,
            _T.INVALID_VALUES,
            "k8s/restartPolicy",
            f"{kind} `{thing.name}` may not restart always",
            "Use OnFailure or Never.",
        )
    containers = [*pod.entries("containers"), *pod.entries("initContainers")]
    if not pod.entries("containers") and not thing.document.templated:
        yield Issue(
            line, _S.HIGH, _T.MISSING_PART, "k8s/containers", f"{kind} `{thing.name}` has no containers", "Add one."
        )
    volumes = {each.value("name") for each in pod.entries("volumes")} | {
        each.value("metadata", "name") for each in node.entries("spec", "volumeClaimTemplates")
    }
    known = all(each.kind == MAP for each in pod.entries("volumes")) and not thing.document.templated
    names: set[str] = set()
    for each in containers:
        if each.kind == MAP:
            yield from container(each, names, volumes if known else None)
