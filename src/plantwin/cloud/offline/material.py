"""What each capability works on best: classes, families and kinds, and what in them makes it more telling.

The table serves twice: it says which objects suit a capability, and how strongly the twin as a whole calls for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from plantwin.cloud.offline.sight import Thing
from plantwin.vocabulary import CapabilityName as Can


@dataclass(frozen=True)
class Material:
    """What a capability works on best."""

    suits: dict[str, float]
    """Classes, families and kinds, by how well they suit it; the narrowest counts."""
    notable: dict[str, float] = field(default_factory=dict)
    """Content tags, absences (`-tests`), roles (`=legacy`) and levels (`!high`) that add to it."""
    share: float = 0.0
    """The share of all objects at which this is what the whole is about."""
    least: float = 0.0
    """How much of the strength is left when the share is nearly nothing."""


_RISKY = {"insecure_calls": 0.3, "weak_encryption": 0.3, "credentials": 0.25, "sensitive_logging": 0.2, "!high": 0.1}
_PRIVATE = {
    "personal_data": 0.3,
    "health_data": 0.4,
    "payment_data": 0.35,
    "!restricted": 0.1,
    "!high": 0.15,
    "synthetic_data": -0.4,
}

MATERIAL: Final[dict[Can, Material]] = {
    Can.SUMMARIZE: Material(
        {"readme": 0.8, "design_document": 0.7, "meeting_notes": 0.6, "general_document": 0.55, "runbook": 0.55,
         "user_guide": 0.6, "dataset_card": 0.65, "requirements_spec": 0.7, "policy_document": 0.55,
         "contract_document": 0.6, "postmortem": 0.7,
         "incident_record": 0.65, "security_report": 0.7, "changelog": 0.45, "app_entrypoint": 0.5,
         "standards_document": 0.4, "license": 0.2, "guides": 0.5, "agreements": 0.5, "document": 0.4},
        {"todo_markers": 0.05}, 0.15, 0.7,
    ),
    Can.COMPARE: Material({}),
    Can.EXTRACT_CONSTRAINTS: Material(
        {"contract_document": 0.75, "requirements_spec": 0.75, "policy_document": 0.7, "standards_document": 0.5,
         "license": 0.4, "agreements": 0.6, "runbook": 0.2, "user_guide": 0.15},
        {"obligations": 0.15, "deadlines": 0.15, "constraints": 0.1, "prohibitions": 0.1}, 0.2, 0.45,
    ),
    Can.CLASSIFY: Material({"logs": 0.4, "dataset": 0.3, "document": 0.3}),
    Can.SEARCH_SIMILAR: Material({"application": 0.4, "library": 0.4, "interface": 0.4, "configuration": 0.3,
        "document": 0.3}),
    Can.SECRET_SCAN: Material(
        {"credentials": 0.7, "configuration": 0.4, "logs": 0.3, "dataset": 0.3, "application": 0.25, "delivery": 0.3,
         "database_dump": 0.4, "notebook": 0.35, "document": 0.2, "config": 0.3, "secret_container": 0.7,
         "code_file": 0.2},
        {"credentials": 0.45, "personal_data": 0.15, "health_data": 0.2, "payment_data": 0.2, "!high": 0.1,
         "synthetic_data": -0.3, "secret_refs": 0.05, "placeholder_values": -0.1, "=template": -0.2},
    ),
    Can.REDACT_DOCUMENT: Material(
        {"document": 0.2, "dataset": 0.25, "logs": 0.2, "database_dump": 0.3, "notebook": 0.2, "test_fixture": 0.1,
         "code_file": 0.05, "config": 0.05},
        {**_PRIVATE, "credentials": 0.15},
    ),
    Can.REPORT: Material({}),
    Can.SECURITY_AUDIT: Material(
        {"authentication_module": 0.7, "payment_module": 0.6, "api_handler": 0.6, "data_access": 0.5,
         "api_client": 0.45, "messaging_module": 0.4, "privacy_module": 0.5, "application": 0.4, "job_script": 0.3,
         "app_config": 0.35, "server_config": 0.35,
         "interface": 0.25, "library": 0.25, "credentials": 0.3, "code_file": 0.2, "config": 0.2,
         "model_serving": 0.4, "cli_tool": 0.3},
        {**_RISKY, "endpoints": 0.05, "open_permissions": 0.2, "public_exposure": 0.15, "=test": -0.2,
         "=example": -0.2}, 0.2, 0.5,
    ),
    Can.LINT: Material(
        {"business_logic": 0.6, "application": 0.55, "library": 0.55, "interface": 0.5, "client_state": 0.6,
         "data_pipeline": 0.3, "machine_learning": 0.3, "job_script": 0.35, "testing": 0.2, "code_file": 0.3,
         "stylesheet": 0.3},
        {"dead_code": 0.3, "debug_output": 0.3, "duplicate_code": 0.2, "todo_markers": 0.15,
         "deprecation_notices": 0.1, "-error_handling": 0.1, "=legacy": 0.1, "=vendored": -0.4,
         "=generated": -0.4}, 0.35, 0.3,
    ),
    Can.MEASURE_COMPLEXITY: Material(
        {"business_logic": 0.65, "algorithm_module": 0.6, "application": 0.55, "library": 0.5, "interface": 0.3,
         "data_pipeline": 0.25, "machine_learning": 0.25, "code_file": 0.25},
        {"duplicate_code": 0.15, "deprecation_notices": 0.1, "-tests": 0.05, "=vendored": -0.4, "=test": -0.2,
         "=generated": -0.4}, 0.4, 0.2,
    ),
    Can.MAP_DEPENDENCIES: Material(
        {"app_entrypoint": 0.75, "package_entrypoint": 0.6, "pipeline_definition": 0.6, "application": 0.5,
         "library": 0.4, "infra_module": 0.5, "data_pipeline": 0.45, "interface": 0.4, "machine_learning": 0.4},
    ),
    Can.FIND_IMPACT: Material({"api_contract": 0.6, "database_migration": 0.5, "table_schema": 0.5,
        "application": 0.4, "library": 0.4, "data_pipeline": 0.4, "interface": 0.35}, {"deprecation_notices": 0.2,
        "=legacy": 0.2}),
    Can.RUN_TESTS: Material({"test_suite": 0.8}, {}, 0.06, 0.75),
    Can.ANALYZE_LOGS: Material(
        {"application_log": 0.65, "error_log": 0.7, "access_log": 0.6, "audit_log": 0.65, "network_log": 0.55,
         "system_log": 0.55, "build_log": 0.55, "logs": 0.6, "log_stream": 0.55},
        {"error_lines": 0.25, "auth_failures": 0.25, "stack_traces": 0.1, "warning_lines": 0.1,
         "latency_values": 0.05, "restarts": 0.05}, 0.2, 0.7,
    ),
    Can.TRACE_ERRORS: Material(
        {"error_log": 0.5, "application_log": 0.35, "build_log": 0.25, "system_log": 0.15}, {"stack_traces": 0.45,
         "error_lines": 0.2}, 0.05, 0.8,
    ),
    Can.CORRELATE_EVENTS: Material(
        {"build_log": 0.6, "application_log": 0.6, "error_log": 0.6, "access_log": 0.55, "audit_log": 0.6,
         "network_log": 0.55, "system_log": 0.45, "logs": 0.5, "log_stream": 0.5},
        {"error_lines": 0.2, "restarts": 0.15, "auth_failures": 0.2, "stack_traces": 0.1},
    ),
    Can.BUILD_TIMELINE: Material(
        {"incident_record": 0.65, "postmortem": 0.55, "audit_log": 0.65, "application_log": 0.6, "build_log": 0.55,
         "error_log": 0.6, "access_log": 0.55, "network_log": 0.6, "system_log": 0.5, "logs": 0.5,
         "log_stream": 0.5},
        {"error_lines": 0.15, "auth_failures": 0.2, "restarts": 0.1, "timestamps": 0.05}, 0.25, 0.7,
    ),
    Can.ASSESS_EXPOSURE: Material({"credentials_file": 0.75, "private_key": 0.75, "certificate": 0.2,
        "credentials": 0.6, "secret_container": 0.6, "code_file": 0.15, "config": 0.2}, {"credentials": 0.4,
        "!high": 0.1, "payment_data": 0.05, "=template": -0.3}),
    Can.VALIDATE_CONFIG: Material(
        {"deploy_manifest": 0.7, "environment_config": 0.6, "app_config": 0.6, "server_config": 0.6,
         "ci_pipeline": 0.5, "container_build": 0.4, "configuration": 0.4, "delivery": 0.4,
         "infra_monitoring": 0.4, "infrastructure": 0.35, "model_config": 0.4, "pipeline_definition": 0.45,
         "tooling_config": 0.25, "localization": 0.15, "repository_config": 0.1, "dependency_manifest": 0.15,
         "generated_artifact": 0.05, "job_script": 0.15, "task_runner": 0.2},
        {"-health_check": 0.15, "-resource_limits": 0.15, "placeholder_values": 0.1, "unpinned_versions": 0.05,
         "public_exposure": 0.1, "open_permissions": 0.1, "credentials": 0.1, "=template": -0.2}, 0.25, 0.35,
    ),
    Can.COMPARE_ENVIRONMENTS: Material({"environment_config": 0.8, "app_config": 0.5, "deploy_manifest": 0.35,
        "server_config": 0.35, "infra_variables": 0.3, "configuration": 0.3}, {"env_variants": 0.1, "=template": -0.3}),
    Can.AUDIT_INFRASTRUCTURE: Material(
        {"infra_network": 0.7, "infra_access": 0.7, "infra_storage": 0.65, "infra_database": 0.65,
         "infra_compute": 0.6, "infra_cluster": 0.65, "infra_module": 0.6, "infrastructure": 0.55,
         "infra_variables": 0.3, "infra_monitoring": 0.35, "deploy_manifest": 0.5, "container_build": 0.4,
         "server_config": 0.4},
        {"public_exposure": 0.25, "open_permissions": 0.25, "missing_backup": 0.25, "weak_encryption": 0.2,
         "missing_logging": 0.2, "destructive_flags": 0.1, "credentials": 0.15}, 0.25, 0.4,
    ),
    Can.PROFILE_DATA: Material({"person_records": 0.6, "transaction_records": 0.65, "event_records": 0.6,
        "measurement_records": 0.65, "dataset_snapshot": 0.6, "dataset": 0.55, "lookup_table": 0.25,
        "database_dump": 0.35}, {}, 0.15, 0.4),
    Can.CHECK_DATA_QUALITY: Material(
        {"person_records": 0.65, "transaction_records": 0.7, "event_records": 0.65, "measurement_records": 0.65,
         "dataset_snapshot": 0.6, "dataset": 0.6, "lookup_table": 0.3, "database_dump": 0.35, "test_fixture": 0.15},
        {"null_values": 0.15, "duplicates": 0.25, "missing_inputs": 0.1, "=test": -0.3}, 0.15, 0.3,
    ),
    Can.VALIDATE_SCHEMA: Material(
        {"data_contract": 0.7, "data_source_spec": 0.6, "table_schema": 0.6, "transaction_records": 0.6,
         "person_records": 0.55, "event_records": 0.6, "measurement_records": 0.5, "dataset": 0.5,
         "data_quality_check": 0.4, "test_fixture": 0.4, "lookup_table": 0.3}, {}, 0.15, 0.5,
    ),
    Can.DETECT_DRIFT: Material({"measurement_records": 0.6, "person_records": 0.55, "transaction_records": 0.55,
        "event_records": 0.55, "dataset_snapshot": 0.6, "dataset": 0.5}),
    Can.COMPARE_METRICS: Material({"experiment_metrics": 0.9, "benchmark_runner": 0.2, "measurement_records": 0.2},
        {"metrics": 0.05}),
    Can.REVIEW_QUERIES: Material(
        {"sql_query": 0.75, "stored_procedure": 0.65, "mart_transform": 0.6, "intermediate_transform": 0.5,
         "staging_transform": 0.5, "data_access": 0.5, "table_schema": 0.4, "database": 0.3},
        {"database_calls": 0.1, "destructive_flags": 0.15, "insecure_calls": 0.2}, 0.15, 0.4,
    ),
    Can.REVIEW_MIGRATIONS: Material({"database_migration": 0.8, "table_schema": 0.35}, {"destructive_flags": 0.15,
        "-rollback": 0.1}, 0.08, 0.7),
    Can.CHECK_API_CONTRACT: Material({"api_contract": 0.85, "api_handler": 0.6, "app_entrypoint": 0.4,
        "api_client": 0.35,
        "model_serving": 0.3, "messaging_module": 0.2}, {"endpoints": 0.05, "deprecation_notices": 0.05,
        "=test": -0.2}, 0.12, 0.6),
    Can.CHECK_ACCESSIBILITY: Material(
        {"ui_component": 0.7, "page_template": 0.75, "authentication_form": 0.7, "email_template": 0.4,
         "stylesheet": 0.35, "interface": 0.6, "client_state": 0.0, "example_script": 0.0},
        {"images_without_text": 0.25, "unlabelled_inputs": 0.25, "missing_language": 0.2, "forms": 0.1,
         "=legacy": -0.2, "=generated": -0.4}, 0.2, 0.35,
    ),
    Can.AUDIT_DEPENDENCIES: Material(
        {"dependency_manifest": 0.7, "lock_file": 0.65, "build_manifest": 0.5, "container_build": 0.3,
         "dependencies": 0.6, "ci_pipeline": 0.2},
        {"unpinned_versions": 0.15, "legacy_versions": 0.25, "-lock_file": 0.1, "-version_pins": 0.05}, 0.1, 0.6,
    ),
}  # fmt: skip
"""What each capability works on."""


def suitability(can: Can, thing: Thing) -> float:
    """How well one object suits a capability, from 0 to 1; nothing where it does not suit it at all."""
    material = MATERIAL.get(can)
    if material is None:
        return 0.0
    suits = material.suits
    base = next((suits[key] for key in (thing.leaf, thing.family, thing.kind) if key is not None and key in suits), 0.0)
    if base <= 0.0:
        return 0.0
    marks = {*thing.tags, *(f"-{each}" for each in thing.lacks), f"={thing.role}", f"!{thing.sensitivity}"}
    return max(0.0, min(1.0, base + sum(value for mark, value in material.notable.items() if mark in marks)))
