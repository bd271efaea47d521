import pulumi
import pulumi_gcp as gcp

cfg = pulumi.Config()
zone = cfg.get("zone") or "europe-north1-b"

cluster = gcp.container.Cluster(
    "tide",
    location=zone,
    remove_default_node_pool=True,
    initial_node_count=1,
    release_channel={"channel": "REGULAR"},
    workload_identity_config={"workload_pool": f"{gcp.config.project}.svc.id.goog"},
    private_cluster_config={"enable_private_nodes": True, "enable_private_endpoint": False},
)

for name, kind, top in (("std", "e2-standard-4", 6), ("mem", "n2-highmem-4", 2)):
    gcp.container.NodePool(
        f"tide-{name}",
        cluster=cluster.name,
        location=zone,
        autoscaling={"min_node_count": 1, "max_node_count": top},
        node_config={"machine_type": kind, "disk_size_gb": 80, "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"]},
        management={"auto_repair": True, "auto_upgrade": True},
    )

pulumi.export("name", cluster.name)
