"""Which sort of infrastructure a declared resource type is: by the words of its name, first match wins."""

from __future__ import annotations

_WORDS: dict[str, str] = {
    "infra_monitoring": """
        cloudwatch cloudtrail monitor monitoring alarm alert dashboard guardduty securityhub inspector config
        budgets log logging logs flow_log datadog pagerduty grafana sentry metric diagnostic insights detector
        trail xray""",
    "infra_access": """
        iam kms role policy secretsmanager secret ssm acm cognito user group service_account identity key vault
        active_directory azuread permission organizations sso access oidc assignment certificate""",
    "infra_database": """
        db rds dynamodb sql database mysql postgresql mariadb redis elasticache cosmosdb bigtable spanner docdb
        neptune redshift bigquery mssql memorydb opensearch elasticsearch firestore mongodbatlas snowflake dax""",
    "infra_cluster": "eks gke aks kubernetes_cluster container_cluster container_node helm cluster node emr msk",
    "infra_network": """
        vpc subnet security_group route route53 route_table internet_gateway nat eip lb alb elb dns firewall
        network cloudfront cdn gateway api_gateway apigatewayv2 listener peering vpn waf wafv2 transit frontdoor
        address forwarding proxy global_address virtual target default_security_group networkfirewall
        service_discovery""",
    "infra_storage": "s3 storage bucket efs ebs disk volume filestore ecr backup fsx artifact snapshot glacier blob",
    "infra_compute": """
        instance lambda function functions vm ec2 ecs autoscaling launch app cloud_run fargate batch container
        compute machine linux windows droplet cloudfunctions sfn codebuild elastic apprunner lightsail scale""",
    "workload": "deployment service pod stateful cron_job namespace manifest release",
    "queue_call": "sqs sns kinesis eventbridge pubsub servicebus mq",
}
_FEATURES = {word: feature for feature, words in _WORDS.items() for word in words.split()}


def resource_feature(resource: str) -> str:
    """The feature of a resource type such as `aws_db_instance`; empty when no word tells."""
    words = resource.lower().split("_")
    words = words[1:] or words
    for at, word in enumerate(words):
        pair = "_".join(words[at : at + 2])
        feature = _FEATURES.get(pair) or _FEATURES.get(word)
        if feature:
            return feature
    return ""
