"""Content tags by the features and findings that show them, the most telling first."""

from __future__ import annotations

from typing import NamedTuple


class TagRow(NamedTuple):
    """A tag with the features that count towards it."""

    tag: str
    weight: float
    """How telling it is: six of an object's tags may cross, by weight."""
    features: str
    kinds: str = ""
    """Empty for every kind."""


FEATURE_TAGS: tuple[TagRow, ...] = (
    TagRow("health_data", 9.6, "health_field"),
    TagRow("audit_findings", 9.0, "finding_record"),
    TagRow("sensitive_logging", 8.8, "sensitive_log"),
    TagRow("insecure_calls", 8.6, "insecure_call"),
    TagRow("weak_encryption", 8.5, "weak_crypto"),
    TagRow("open_permissions", 8.5, "open_permission"),
    TagRow("public_exposure", 8.4, "public_exposure"),
    TagRow("auth_failures", 8.3, "log_auth_failure"),
    TagRow("stack_traces", 8.2, "stack_trace", "log_stream document"),
    TagRow("error_lines", 8.1, "log_error"),
    TagRow("destructive_flags", 8.0, "destructive"),
    TagRow("missing_logging", 7.9, "logging_disabled"),
    TagRow("missing_backup", 7.9, "backup_disabled"),
    TagRow("payment_data", 7.8, "card_field"),
    TagRow("monetary_values", 7.0, "money_field payment_call"),
    TagRow("endpoints", 7.6, "route api_path"),
    TagRow("tests", 7.5, "test_function"),
    TagRow("secret_refs", 7.4, "secret_ref"),
    TagRow("constraints", 7.3, "requirement"),
    TagRow("obligations", 7.2, "obligation"),
    TagRow("license_terms", 7.2, "license_text"),
    TagRow("deadlines", 7.0, "deadline"),
    TagRow("decisions", 6.9, "decision"),
    TagRow("schema_definition", 6.8, "create_table orm_model schema_def"),
    TagRow("foreign_keys", 6.6, "foreign_key"),
    TagRow("external_calls", 6.5, "http_call payment_call mail_call queue_call"),
    TagRow("database_calls", 6.4, "db_call"),
    TagRow("restarts", 6.3, "log_restart"),
    TagRow("latency_values", 6.2, "log_latency"),
    TagRow("warning_lines", 6.1, "log_warning"),
    TagRow("hyperparameters", 6.0, "hyperparameter tune_call"),
    TagRow("metrics", 5.9, "metric_field evaluate_call metric_call"),
    TagRow("forms", 5.9, "form"),
    TagRow("unlabelled_inputs", 5.8, "input_unlabelled"),
    TagRow("images_without_text", 5.7, "image_without_text"),
    TagRow("missing_language", 5.6, "no_language"),
    TagRow("unpinned_versions", 5.6, "unpinned"),
    TagRow("version_pins", 5.4, "pinned locked"),
    TagRow("image_refs", 5.3, "image_ref"),
    TagRow("env_variants", 5.3, "env_section"),
    TagRow("placeholder_values", 5.3, "placeholder"),
    TagRow("retention_settings", 5.2, "retention"),
    TagRow("feature_flags", 5.2, "feature_flag"),
    TagRow("schedules", 5.1, "schedule scheduled"),
    TagRow("resource_requests", 5.0, "resource_limit"),
    TagRow("thresholds", 4.9, "threshold"),
    TagRow("instructions", 4.9, "numbered_step command", "document"),
    TagRow("saved_outputs", 4.8, "saved_output"),
    TagRow("duplicates", 4.7, "duplicate_row"),
    TagRow("null_values", 4.6, "null_value"),
    TagRow("labels", 4.5, "code_field", "structured_record"),
    TagRow("indexes", 4.4, "index"),
    TagRow("deprecation_notices", 4.4, "deprecated"),
    TagRow("date_logic", 4.3, "date_logic"),
    TagRow("concurrency", 4.2, "concurrency"),
    TagRow("dead_code", 4.1, "dead_code"),
    TagRow("hardcoded_hosts", 4.0, "host_literal", "code_file"),
    TagRow("network_identifiers", 3.9, "host_literal", "config document log_stream structured_record"),
    TagRow("hardcoded_paths", 3.8, "path_literal", "code_file config"),
    TagRow("todo_markers", 3.7, "todo"),
    TagRow("error_handling", 3.6, "error_handler"),
    TagRow("debug_output", 3.0, "print_call", "code_file"),
    TagRow("timestamps", 3.5, "log_line time_field"),
    TagRow("tables", 3.3, "table", "document"),
    TagRow("dates", 3.2, "date timeline", "document"),
    TagRow("code_samples", 3.1, "code_block"),
)

FINDING_TAGS: tuple[tuple[str, str, float], ...] = (
    # A part of the finding's type, the tag, its weight.
    ("card", "payment_data", 9.5),
    ("iban", "payment_data", 9.5),
    ("bank", "payment_data", 9.5),
    ("account_number", "payment_data", 9.3),
    ("medical", "health_data", 9.6),
    ("health", "health_data", 9.6),
    ("diagnosis", "health_data", 9.6),
)
"""Looked for in the types of findings, beside their groups."""

GROUP_TAGS: dict[str, tuple[str, float]] = {
    "secret": ("credentials", 10.0),
    "personal": ("personal_data", 9.4),
    "infrastructure": ("network_identifiers", 3.9),
}
"""What a group of findings shows."""
