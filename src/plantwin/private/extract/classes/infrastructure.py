"""Rows for the infrastructure family: declared servers, networks, storage, clusters, access."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

_PARTS = (
    "infra_compute",
    "infra_network",
    "infra_storage",
    "infra_database",
    "infra_cluster",
    "infra_access",
    "infra_monitoring",
)
KINDS = dict.fromkeys((*_PARTS, "infra_variables", "infra_module"), "config code_file")

_NOT_SERVERS = "notformat=nginx,apache,systemd"
_MOST = "part=infra_resource:0.6"

ROWS = (
    *(Row(part, "feature", part, 6.5, f"{_MOST} no=workload,playbook {_NOT_SERVERS}") for part in _PARTS),
    *(Row(part, "feature", part, 2.5, f"no=workload,playbook {_NOT_SERVERS}") for part in _PARTS),
    *(Row(part, "feature", part, 4.5, f"{_MOST} has=workload") for part in _PARTS),
    Row("infra_monitoring", "feature", "infra_monitoring", 13.0, "format=nginx,apache no=server_directive"),
    Row("infra_variables", "feature", "infra_variable", 7.0, "no=infra_resource"),
    Row("infra_variables", "feature", "infra_variable", 1.0, "has=infra_resource"),
    Row("infra_variables", "file",
        "variables.tf outputs.tf terraform.tfvars locals.tf versions.tf providers.tf backend.tf",
        5.0),
    Row("infra_variables", "file", "*.tfvars *.auto.tfvars *.tfvars.json *.auto.tfvars.json *.bicepparam"
        " *.parameters.json", 6.0),
    Row("infra_network", "format", "netrules", 5.0),
    Row("infra_variables", "stem", "variables outputs vars versions providers", 2.5, "format=hcl"),
    Row("infra_module", "format", "hcl", 2.5),
    Row("infra_module", "feature", "infra_mixed", 6.0),
    Row("infra_module", "feature", "module_call", 5.5),
    Row("infra_module", "import", "aws_cdk pulumi constructs troposphere cdktf", 2.5),
    Row("infra_module", "path", "infra infrastructure terraform stack cloudformation pulumi module iac",
        1.2, "kind=config"),
    Row("infra_network", "name", "upstream gateway ingress listener subnet cidr egress dns proxy balancer",
        1.2, "kind=config no=workload,server_directive"),
    Row("infra_compute", "path", "compute ec2 lambda instance function vm server ecs", 1.5, "has=infra_compute"),
    Row("infra_network", "path", "network vpc dns firewall ingress gateway subnet proxy", 1.5, "has=infra_network"),
    Row("infra_storage", "path", "storage bucket s3 volume", 1.5, "has=infra_storage"),
    Row("infra_database", "path", "database rds db sql", 1.5, "has=infra_database"),
    Row("infra_cluster", "path", "cluster eks gke aks kubernetes", 1.5, "has=infra_cluster"),
    Row("infra_access", "path", "iam rbac access role policy identity kms", 1.5, "has=infra_access"),
    Row("infra_monitoring", "path", "monitoring alert dashboard grafana prometheus alarm", 1.8, "kind=config"),
)
