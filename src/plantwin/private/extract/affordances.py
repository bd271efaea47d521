"""What an object can be used for: by class, by kind and by what it contains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from plantwin.vocabulary import MAX_TAGS, SemanticClass

_BY_CLASS: dict[str, str] = {
    "authentication_module": "security_audit lint map_dependencies measure_complexity",
    "payment_module": "security_audit lint map_dependencies measure_complexity",
    "privacy_module": "security_audit lint map_dependencies",
    "api_handler": "check_api_contract security_audit lint map_dependencies",
    "api_client": "check_api_contract security_audit lint map_dependencies",
    "data_access": "review_queries validate_schema security_audit map_dependencies",
    "algorithm_module": "measure_complexity lint map_dependencies",
    "ui_component": "check_accessibility lint map_dependencies",
    "authentication_form": "check_accessibility security_audit lint",
    "page_template": "check_accessibility lint compare",
    "email_template": "check_accessibility compare redact_document",
    "stylesheet": "check_accessibility lint compare",
    "sql_query": "review_queries lint map_dependencies",
    "stored_procedure": "review_queries security_audit lint",
    "staging_transform": "review_queries map_dependencies check_data_quality",
    "intermediate_transform": "review_queries map_dependencies check_data_quality",
    "mart_transform": "review_queries map_dependencies check_data_quality",
    "data_quality_check": "check_data_quality extract_constraints map_dependencies",
    "data_source_spec": "validate_schema extract_constraints check_data_quality",
    "pipeline_definition": "map_dependencies validate_config lint",
    "table_schema": "validate_schema review_migrations extract_constraints compare",
    "database_migration": "review_migrations validate_schema lint compare",
    "database_dump": "profile_data redact_document secret_scan check_data_quality",
    "person_records": "profile_data check_data_quality redact_document detect_drift",
    "transaction_records": "profile_data check_data_quality detect_drift redact_document",
    "event_records": "profile_data correlate_events check_data_quality detect_drift",
    "measurement_records": "profile_data detect_drift check_data_quality compare_metrics",
    "experiment_metrics": "compare_metrics profile_data compare",
    "model_config": "validate_config compare compare_metrics",
    "monitoring_job": "detect_drift lint map_dependencies",
    "infra_variables": "compare_environments validate_config audit_infrastructure",
    "deploy_manifest": "audit_infrastructure validate_config compare_environments secret_scan",
    "container_build": "audit_infrastructure audit_dependencies lint validate_config",
    "ci_pipeline": "validate_config security_audit secret_scan lint",
    "job_script": "security_audit lint map_dependencies secret_scan",
    "dependency_manifest": "audit_dependencies validate_config compare",
    "lock_file": "audit_dependencies compare",
    "build_manifest": "audit_dependencies validate_config lint",
    "environment_config": "compare_environments validate_config secret_scan compare",
    "app_config": "validate_config compare_environments secret_scan compare",
    "server_config": "validate_config audit_infrastructure security_audit compare_environments",
    "credentials_file": "secret_scan redact_document",
    "private_key": "secret_scan",
    "certificate": "secret_scan validate_config",
    "test_suite": "run_tests lint map_dependencies measure_complexity",
    "test_helper": "lint map_dependencies",
    "test_fixture": "profile_data compare secret_scan",
    "api_contract": "check_api_contract validate_schema extract_constraints compare",
    "data_contract": "validate_schema extract_constraints compare",
    "security_rule": "validate_config compare extract_constraints",
    "security_report": "summarize compare extract_constraints",
    "incident_record": "correlate_events summarize redact_document",
    "postmortem": "summarize correlate_events extract_constraints redact_document",
    "requirements_spec": "extract_constraints summarize compare redact_document",
    "standards_document": "extract_constraints summarize compare",
    "policy_document": "extract_constraints summarize compare redact_document",
    "contract_document": "extract_constraints summarize compare redact_document",
    "license": "extract_constraints summarize compare",
    "runbook": "summarize extract_constraints compare",
    "model_binary": "compare",
}

_BY_FAMILY: dict[str, str] = {
    "infrastructure": "audit_infrastructure validate_config compare_environments secret_scan",
    "machine_learning": "lint map_dependencies measure_complexity",
    "logs": "analyze_logs correlate_events secret_scan redact_document",
}

_BY_KIND: dict[str, str] = {
    "code_file": "lint map_dependencies security_audit measure_complexity search_similar secret_scan",
    "log_stream": "analyze_logs correlate_events summarize secret_scan redact_document search_similar",
    "structured_record": "profile_data check_data_quality compare search_similar",
    "config": "validate_config compare search_similar secret_scan",
    "secret_container": "secret_scan redact_document compare",
    "document": "summarize compare search_similar redact_document secret_scan",
}

_BY_TAG: tuple[tuple[str, str], ...] = (
    ("credentials", "secret_scan"),
    ("insecure_calls", "security_audit"),
    ("weak_encryption", "security_audit"),
    ("personal_data", "redact_document"),
    ("constraints", "extract_constraints"),
    ("obligations", "extract_constraints"),
    ("env_variants", "compare_environments"),
    ("endpoints", "check_api_contract"),
    ("tests", "run_tests"),
    ("forms", "check_accessibility"),
    ("database_calls", "review_queries"),
    ("schema_definition", "validate_schema"),
    ("unpinned_versions", "audit_dependencies"),
)
_LEADING = 3
"""How many of a class's own affordances come before those that its tags suggest."""
_FAMILY_OF: Mapping[str, str] = {member.value: member.family.value for member in SemanticClass}
_UNPARSED = frozenset(("model_binary", "private_key"))


def affordances(kind: str, semantic_class: str, tags: Iterable[str]) -> tuple[str, ...]:
    """The most useful first, at most six."""
    own = (_BY_CLASS.get(semantic_class) or _BY_FAMILY.get(_FAMILY_OF.get(semantic_class, ""), "")).split()
    found = dict.fromkeys(own[:_LEADING])
    present = set(tags)
    if semantic_class not in _UNPARSED:
        found.update(dict.fromkeys(affordance for tag, affordance in _BY_TAG if tag in present))
        found.update(dict.fromkeys(own[_LEADING:]))
        found.update(dict.fromkeys(_BY_KIND.get(kind, "").split()))
    return tuple(found)[:MAX_TAGS]
