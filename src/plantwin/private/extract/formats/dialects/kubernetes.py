"""Kubernetes manifests, Kustomize, Helm values inside them, and kubeconfig."""

from __future__ import annotations

from plantwin.private.extract.formats.dialects.images import image
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees

_KINDS: dict[str, str] = {
    kind: feature
    for feature, kinds in {
        "workload": "Deployment StatefulSet DaemonSet ReplicaSet Pod Job CronJob ReplicationController Rollout "
        "HelmRelease Application ApplicationSet Kustomization Workflow CronWorkflow WorkflowTemplate Service "
        "HorizontalPodAutoscaler PodDisruptionBudget InferenceService Function DeploymentConfig ScaledObject",
        "infra_network": "Ingress NetworkPolicy Gateway HTTPRoute VirtualService DestinationRule IngressRoute "
        "ServiceEntry IngressClass Certificate Issuer ClusterIssuer EndpointSlice GRPCRoute Middleware",
        "infra_access": "Role RoleBinding ClusterRole ClusterRoleBinding ServiceAccount PodSecurityPolicy "
        "AuthorizationPolicy PeerAuthentication SealedSecret ExternalSecret SecretStore ClusterSecretStore",
        "infra_storage": "PersistentVolume PersistentVolumeClaim StorageClass VolumeSnapshot Bucket",
        "infra_cluster": "Namespace Node ResourceQuota LimitRange PriorityClass Cluster ClusterConfig "
        "MachineDeployment "
        "NodePool CustomResourceDefinition MachineConfig",
        "infra_monitoring": "ServiceMonitor PodMonitor PrometheusRule Prometheus Alertmanager GrafanaDashboard "
        "ClusterOutput Flow",
        "infra_database": "Postgresql PostgresCluster MySQLCluster Redis Kafka KafkaTopic Elasticsearch "
        "MongoDBCommunity",
        "security_rule": "ClusterPolicy Policy ConstraintTemplate Constraint ValidatingWebhookConfiguration "
        "ValidatingAdmissionPolicy",
        "ci_job": "Pipeline PipelineRun Task TaskRun EventListener",
    }.items()
    for kind in kinds.split()
}
_REFERENCES = {
    "configMapRef": ("ConfigMap", "configures"),
    "configMapKeyRef": ("ConfigMap", "configures"),
    "configMap": ("ConfigMap", "configures"),
    "secretRef": ("Secret", "configures"),
    "secretKeyRef": ("Secret", "configures"),
    "persistentVolumeClaim": ("PersistentVolumeClaim", "writes"),
    "scaleTargetRef": ("Deployment", "configures"),
    "roleRef": ("Role", "configures"),
    "service": ("Service", "runs"),
}
_MAX_NODES = 3000


def manifest(draft: Draft, tree: Tree) -> bool:
    """A resource, or a list of them."""
    kind = text_of(tree["kind"])
    if not kind[:1].isupper() or len(kind) > 60:
        return False
    if kind == "Config" and "users" in tree:
        return kubeconfig(draft, tree)
    if kind.endswith("List") and type(tree.get("items")) is list:
        for item in trees(tree["items"])[:100]:
            if "kind" in item:
                manifest(draft, item)
        return True
    metadata = tree.get("metadata")
    name = text_of(metadata.get("name")) if is_tree(metadata) else ""
    if name and "{" not in name:
        draft.provide("k8s", f"{kind}/{name}")
        draft.name(name)
    draft.name(kind)
    spec = tree.get("spec")
    draft.add(
        "public_exposure", kind == "Service" and is_tree(spec) and spec.get("type") in ("LoadBalancer", "NodePort")
    )
    draft.add(_KINDS.get(kind, "key" if kind in ("ConfigMap", "Secret") else "workload"))
    if kind == "Kustomization":
        _kustomization(draft, tree)
    if kind == "CronJob":
        draft.add("schedule", is_tree(spec) and "schedule" in spec)
    _walk(draft, tree)
    return True


def _kustomization(draft: Draft, tree: Tree) -> None:
    for group in ("resources", "bases", "components", "patchesStrategicMerge", "crds", "configurations"):
        for target in strings(tree.get(group)):
            draft.refer_path(target, "configures")
    for patch in trees(tree.get("patches")):
        draft.refer_path(patch.get("path"), "configures")
    for generator in trees(tree.get("configMapGenerator")) + trees(tree.get("secretGenerator")):
        for target in strings(generator.get("files")) + strings(generator.get("envs")):
            draft.refer_path(target.rpartition("=")[2], "configures")


def _walk(draft: Draft, root: object) -> None:
    """Images, probes, limits and references to other resources, wherever they sit."""
    stack: list[object] = [root]
    left = _MAX_NODES
    while stack and left:
        left -= 1
        node = stack.pop()
        if type(node) is list:
            stack.extend(reversed(node[:200]))
        elif is_tree(node):
            _node(draft, node)
            stack.extend(value for value in reversed(list(node.values())[:200]) if type(value) in (dict, list))


def _node(draft: Draft, node: Tree) -> None:
    if "image" in node and "name" in node:
        image(draft, node["image"])
    limits = node.get("resources")
    if is_tree(limits) and ("limits" in limits or "requests" in limits):
        draft.add("resource_limit")
    for key, (kind, reason) in _REFERENCES.items():
        target = node.get(key)
        if is_tree(target):
            named = text_of(target.get("name") or target.get("claimName"))
            if named and "{" not in named:
                draft.refer("k8s", f"{text_of(target.get('kind')) or kind}/{named}", reason)
    secret = node.get("secretName")
    if type(secret) is str and "{" not in secret:
        draft.refer("k8s", f"Secret/{secret}", "configures")
    service = node.get("serviceName")
    if type(service) is str and "{" not in service:
        draft.refer("k8s", f"Service/{service}", "runs")


def kubeconfig(draft: Draft, tree: Tree) -> bool:
    """Clusters, users and contexts of a client."""
    if not {"clusters", "contexts"} <= tree.keys():
        return False
    draft.add("infra_access", len(trees(tree["users"])))
    draft.add("infra_cluster", len(trees(tree["clusters"])))
    for context in trees(tree["contexts"])[:50]:
        draft.name(text_of(context.get("name")))
    return True
