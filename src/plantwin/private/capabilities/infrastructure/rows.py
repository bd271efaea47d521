"""Attributes of cloud resources that have to be set, or must not be: one row each."""

# ruff: noqa: E501 (one rule, one row)
# fmt: off

from __future__ import annotations

from typing import NamedTuple

from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
ABSENT, OFF, ON, NOT_ON = "absent", "off", "on", "not_on"
"""When a row holds: the attribute is missing; is false; is true; is missing or false."""


class Row(NamedTuple):
    """One rule over one attribute."""

    types: tuple[str, ...]
    path: tuple[str, ...]
    when: str | tuple[str, ...]
    """One of the words above, or the values that are bad."""
    severity: Severity
    tag: OutcomeTag
    rule: str
    message: str
    hint: str


_DATABASES = ("aws_db_instance", "aws_rds_cluster")

ROWS: tuple[Row, ...] = (
    # databases
    Row(_DATABASES, ("storage_encrypted",), NOT_ON, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-AWS 2.3.1", "stored data is not encrypted", "Set storage_encrypted = true."),
    Row((*_DATABASES, "aws_rds_cluster_instance", "aws_redshift_cluster", "aws_dms_replication_instance"), ("publicly_accessible",), ON, _S.HIGH, _T.EXPOSED_SERVICE, "CIS-AWS 2.3.3", "it has a public address", "Set publicly_accessible = false and reach it through the private network."),
    Row(_DATABASES, ("backup_retention_period",), ("0",), _S.MEDIUM, _T.MISSING_SAFEGUARD, "RDS.11 backups", "automatic backups are off", "Keep at least seven days."),
    Row(_DATABASES, ("backup_retention_period",), ("1", "2", "3"), _S.LOW, _T.MISSING_SAFEGUARD, "RDS.11 backups", "backups are kept for less than a week", "Keep at least seven days."),
    Row(("aws_db_instance",), ("backup_retention_period",), ABSENT, _S.MEDIUM, _T.MISSING_SAFEGUARD, "RDS.11 backups", "automatic backups are off by default", "Set backup_retention_period to seven or more."),
    Row(_DATABASES, ("deletion_protection",), NOT_ON, _S.LOW, _T.MISSING_SAFEGUARD, "RDS.7/8 deletion protection", "one wrong command deletes it", "Set deletion_protection = true."),
    Row(_DATABASES, ("skip_final_snapshot",), ON, _S.LOW, _T.MISSING_SAFEGUARD, "RDS final snapshot", "deleting it leaves no copy", "Set skip_final_snapshot = false."),
    Row(("aws_redshift_cluster",), ("encrypted",), NOT_ON, _S.MEDIUM, _T.WEAK_CRYPTO, "Redshift.10", "stored data is not encrypted", "Set encrypted = true."),
    Row(("aws_dynamodb_table",), ("point_in_time_recovery",), ABSENT, _S.LOW, _T.MISSING_SAFEGUARD, "DynamoDB.2", "it cannot be restored to an earlier moment", "Enable point_in_time_recovery."),
    Row(("aws_elasticache_replication_group",), ("at_rest_encryption_enabled",), NOT_ON, _S.MEDIUM, _T.WEAK_CRYPTO, "ElastiCache.4", "stored data is not encrypted", "Enable it."),
    Row(("aws_elasticache_replication_group",), ("transit_encryption_enabled",), NOT_ON, _S.MEDIUM, _T.WEAK_CRYPTO, "ElastiCache.5", "data travels unencrypted", "Enable it."),
    # storage
    Row(("aws_ebs_volume", "aws_efs_file_system"), ("encrypted",), NOT_ON, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-AWS 2.2.1", "stored data is not encrypted", "Set encrypted = true."),
    Row(("aws_instance", "aws_launch_configuration"), ("root_block_device", "encrypted"), OFF, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-AWS 2.2.1", "its disk is not encrypted", "Set encrypted = true."),
    Row(("aws_s3_bucket", "aws_s3_bucket_acl"), ("acl",), ("public-read", "public-read-write", "website", "PublicRead", "PublicReadWrite"), _S.HIGH, _T.EXPOSED_SERVICE, "CIS-AWS 2.1.4", "everyone can read the bucket", "Make it private; serve files through a CDN."),
    *(Row(("aws_s3_bucket_public_access_block", "aws_s3_account_public_access_block"), (key,), NOT_ON, _S.HIGH, _T.EXPOSED_SERVICE, "CIS-AWS 2.1.4", f"{key} is off, so the bucket may be made public", "Set it to true.") for key in ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")),
    # machines
    Row(("aws_instance", "aws_launch_template"), ("metadata_options", "http_tokens"), ("optional",), _S.MEDIUM, _T.INSECURE_SETTING, "CIS-AWS 5.6 IMDSv2", "credentials of the machine can be read by a simple request", "Set http_tokens = required."),
    Row(("aws_instance", "aws_launch_template"), ("metadata_options",), ABSENT, _S.LOW, _T.INSECURE_SETTING, "CIS-AWS 5.6 IMDSv2", "nothing requires tokens for the metadata service", "Add metadata_options with http_tokens = required."),
    Row(("aws_instance",), ("associate_public_ip_address",), ON, _S.LOW, _T.EXPOSED_SERVICE, "EC2.9", "it has an address on the internet", "Put it behind a load balancer."),
    # logs and keys
    Row(("aws_cloudtrail",), ("is_multi_region_trail",), NOT_ON, _S.MEDIUM, _T.MISSING_SAFEGUARD, "CIS-AWS 3.1", "other regions are not recorded", "Set is_multi_region_trail = true."),
    Row(("aws_cloudtrail",), ("enable_log_file_validation",), NOT_ON, _S.LOW, _T.MISSING_CHECK, "CIS-AWS 3.2", "changes of the audit log go unseen", "Set it to true."),
    Row(("aws_cloudtrail",), ("enable_logging",), OFF, _S.HIGH, _T.MISSING_SAFEGUARD, "CIS-AWS 3.1", "the trail records nothing", "Set it to true."),
    Row(("aws_cloudtrail",), ("kms_key_id",), ABSENT, _S.LOW, _T.WEAK_CRYPTO, "CIS-AWS 3.5", "the audit log is not encrypted with a key of its own", "Set kms_key_id."),
    Row(("aws_kms_key",), ("enable_key_rotation",), NOT_ON, _S.LOW, _T.WEAK_CRYPTO, "CIS-AWS 3.6", "the key is never replaced", "Set enable_key_rotation = true."),
    Row(("aws_lb", "aws_alb"), ("access_logs",), ABSENT, _S.LOW, _T.MISSING_SAFEGUARD, "ELB.5", "requests are not recorded", "Add access_logs."),
    Row(("aws_lb_listener", "aws_alb_listener"), ("ssl_policy",), ("ELBSecurityPolicy-2015-05", "ELBSecurityPolicy-2016-08", "ELBSecurityPolicy-TLS-1-0-2015-04", "ELBSecurityPolicy-TLS-1-1-2017-01"), _S.MEDIUM, _T.WEAK_CRYPTO, "ELB.17", "old versions of TLS are accepted", "Use a policy of TLS 1.2 or later."),
    Row(("aws_cloudfront_distribution",), ("default_cache_behavior", "viewer_protocol_policy"), ("allow-all",), _S.MEDIUM, _T.WEAK_CRYPTO, "CloudFront.3", "it answers without encryption", "Use redirect-to-https."),
    Row(("aws_cloudfront_distribution",), ("viewer_certificate", "minimum_protocol_version"), ("SSLv3", "TLSv1", "TLSv1_2016", "TLSv1.1_2016"), _S.MEDIUM, _T.WEAK_CRYPTO, "CloudFront TLS", "old versions of TLS are accepted", "Use TLSv1.2_2021."),
    Row(("aws_cloudfront_distribution",), ("logging_config",), ABSENT, _S.LOW, _T.MISSING_SAFEGUARD, "CloudFront.5", "requests are not recorded", "Add logging_config."),
    # containers
    Row(("aws_ecr_repository",), ("image_tag_mutability",), ("MUTABLE",), _S.LOW, _T.UNPINNED, "ECR.2", "an image can be replaced under its tag", "Set IMMUTABLE."),
    Row(("aws_ecr_repository",), ("image_scanning_configuration", "scan_on_push"), OFF, _S.LOW, _T.MISSING_CHECK, "ECR.1", "images are not scanned", "Set scan_on_push = true."),
    Row(("aws_eks_cluster",), ("enabled_cluster_log_types",), ABSENT, _S.LOW, _T.MISSING_SAFEGUARD, "CIS-EKS 2.1.1", "the control plane records nothing", "Enable api, audit and authenticator."),
    Row(("aws_eks_cluster",), ("encryption_config",), ABSENT, _S.LOW, _T.WEAK_CRYPTO, "CIS-EKS 5.3.1", "secrets of the cluster are not encrypted with a key of their own", "Add encryption_config."),
    # Azure
    Row(("azurerm_storage_account",), ("enable_https_traffic_only",), OFF, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-Azure 3.1", "data travels unencrypted", "Turn it on."),
    Row(("azurerm_storage_account",), ("https_traffic_only_enabled",), OFF, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-Azure 3.1", "data travels unencrypted", "Turn it on."),
    Row(("azurerm_storage_account", "azurerm_mssql_server", "azurerm_redis_cache"), ("min_tls_version",), ("TLS1_0", "TLS1_1", "1.0", "1.1"), _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-Azure 3.15", "old versions of TLS are accepted", "Ask for TLS 1.2."),
    Row(("azurerm_storage_account",), ("allow_blob_public_access",), ON, _S.HIGH, _T.EXPOSED_SERVICE, "CIS-Azure 3.7", "its contents may be public", "Turn it off."),
    Row(("azurerm_storage_account",), ("allow_nested_items_to_be_public",), ON, _S.HIGH, _T.EXPOSED_SERVICE, "CIS-Azure 3.7", "its contents may be public", "Turn it off."),
    Row(("azurerm_storage_container",), ("container_access_type",), ("blob", "container"), _S.HIGH, _T.EXPOSED_SERVICE, "CIS-Azure 3.7", "everyone can read it", "Use private."),
    Row(("azurerm_mssql_server", "azurerm_postgresql_server", "azurerm_mysql_server", "azurerm_cosmosdb_account", "azurerm_key_vault"), ("public_network_access_enabled",), ON, _S.MEDIUM, _T.EXPOSED_SERVICE, "CIS-Azure 4.1.2", "it is reachable from the internet", "Use a private endpoint."),
    Row(("azurerm_postgresql_server", "azurerm_mysql_server"), ("ssl_enforcement_enabled",), OFF, _S.HIGH, _T.WEAK_CRYPTO, "CIS-Azure 4.3.1", "data travels unencrypted", "Turn it on."),
    Row(("azurerm_key_vault",), ("purge_protection_enabled",), NOT_ON, _S.LOW, _T.MISSING_SAFEGUARD, "CIS-Azure 8.5", "keys can be deleted for good", "Turn it on."),
    Row(("azurerm_linux_virtual_machine",), ("disable_password_authentication",), OFF, _S.MEDIUM, _T.WEAK_AUTHENTICATION, "Azure VM passwords", "it can be entered by password", "Use keys."),
    Row(("azurerm_kubernetes_cluster",), ("role_based_access_control_enabled",), OFF, _S.HIGH, _T.EXCESSIVE_PERMISSION, "AKS RBAC", "every account may do everything", "Turn it on."),
    Row(("azurerm_app_service", "azurerm_linux_web_app", "azurerm_function_app"), ("https_only",), OFF, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-Azure 9.2", "data travels unencrypted", "Turn it on."),
    # Google
    Row(("google_storage_bucket",), ("uniform_bucket_level_access",), NOT_ON, _S.LOW, _T.EXCESSIVE_PERMISSION, "CIS-GCP 5.2", "single objects may have rights of their own", "Set it to true."),
    Row(("google_sql_database_instance",), ("settings", "ip_configuration", "require_ssl"), OFF, _S.MEDIUM, _T.WEAK_CRYPTO, "CIS-GCP 6.4", "data travels unencrypted", "Require it."),
    Row(("google_sql_database_instance",), ("settings", "backup_configuration", "enabled"), OFF, _S.MEDIUM, _T.MISSING_SAFEGUARD, "CIS-GCP 6.7", "automatic backups are off", "Turn them on."),
    Row(("google_sql_database_instance",), ("settings", "backup_configuration"), ABSENT, _S.MEDIUM, _T.MISSING_SAFEGUARD, "CIS-GCP 6.7", "automatic backups are not set up", "Add backup_configuration."),
    Row(("google_sql_database_instance",), ("deletion_protection",), OFF, _S.LOW, _T.MISSING_SAFEGUARD, "deletion protection", "one wrong command deletes it", "Turn it on."),
    Row(("google_container_cluster",), ("enable_legacy_abac",), ON, _S.MEDIUM, _T.EXCESSIVE_PERMISSION, "GKE legacy ABAC", "old, wide permissions hold", "Turn it off."),
    Row(("google_compute_instance",), ("metadata", "serial-port-enable"), ON, _S.MEDIUM, _T.EXPOSED_SERVICE, "CIS-GCP 4.5", "its console is reachable", "Turn it off."),
    Row(("google_compute_instance",), ("can_ip_forward",), ON, _S.LOW, _T.INSECURE_SETTING, "CIS-GCP 4.6", "it may forward the traffic of others", "Turn it off."),
)
"""In messages the resource is named first."""
