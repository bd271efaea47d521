"""Which words name which sort of object: for choosing inputs, and for what `check` means of them."""

from __future__ import annotations

from typing import Final

from plantwin.vocabulary import CapabilityName as Can
from plantwin.vocabulary import Family, SemanticClass

NOUNS: Final[dict[str, str]] = {
    # what is written
    "log|logs": "logs", "access_log|nginx|traffic|request_log": "access_log", "error_log": "error_log",
    "application_log|app_log|service_log|worker_log": "application_log", "system_log|kernel|journal": "system_log",
    "audit_log|audit_trail|authentication_log|auth_log|sign": "audit_log",
    "network_log|vpn|firewall_log|packet": "network_log",
    "deploy_log|build_log|rollout|deploy|release|training_run|training_log|ci_log": "build_log",
    "gateway log": "access_log application_log", "evidence": "logs",
    "stack_trace|traceback|crash|exception": "error_log application_log",
    # code
    "auth|authentication|login|sign|session|authorization|token": "authentication_module",
    "payment|billing|refund|checkout|invoice module|service|code|logic": "payment_module",
    "handler|endpoint|controller|route|resolver|api": "api_handler", "client|sdk": "api_client",
    "webhook|mail|notification|queue": "messaging_module background_job",
    "worker|job|scheduler": "background_job job_script", "repository code|class|layer": "data_access",
    "data access": "data_access", "privacy|consent|erasure": "privacy_module",
    "code|module|source|function|class|package|program": "application library", "service|backend": "application",
    "library|helper|utility": "library",
    "entry point|main": "app_entrypoint", "cli|command_line": "cli_tool",
    # interface
    "page|template|html": "page_template ui_component authentication_form",
    "component|modal|widget|button": "ui_component", "form|signup": "authentication_form ui_component",
    "style|css|stylesheet|theme": "stylesheet", "frontend|ui|interface|screen": "interface",
    "email|newsletter template": "email_template", "translation|locale": "localization",
    "client state|code": "client_state api_client",
    # data
    "personal_data|sensitive_data|private_data|data_loss|in_order|order_of|of_order|source_of|main_point": "",
    "sign_in": "audit_log authentication_module",
    "customer|person|people|user|member|patient|employee|contact|client_list": "person_records",
    "order|payment|invoice|transaction|purchase|booking|payout": "transaction_records",
    "event": "event_records",
    "measurement|sensor|feature|training_set|training_data|training": "measurement_records dataset_snapshot",
    "data|dataset|csv|row|record|export|spreadsheet|table|column": "dataset",
    "snapshot|dump|backup": "database_dump dataset", "lookup|reference table|list|data": "lookup_table",
    "fixture|sample": "test_fixture",
    # pipeline and database
    "pipeline|etl|dag|nightly": "pipeline_definition data_ingestion",
    "transform|model|mart|staging model|dbt": "staging_transform intermediate_transform mart_transform",
    "ingest|ingestion": "data_ingestion",
    "migration|schema_change": "database_migration",
    "query|sql|statement": "sql_query stored_procedure staging_transform intermediate_transform mart_transform",
    "procedure|trigger|routine|view": "stored_procedure",
    "schema|table_definition|ddl": "table_schema data_contract data_source_spec", "database": "database",
    "expectation|quality_check|quality_rule": "data_quality_check",
    # machine learning
    "metric|accuracy|score|experiment|run|result|candidate|baseline": "experiment_metrics",
    "hyperparameter|parameter": "model_config", "model": "machine_learning",
    "model_card|dataset_card|data_dictionary|dictionary": "dataset_card",
    "training script|code": "training_script", "notebook": "notebook", "serving|inference": "model_serving",
    "evaluation": "evaluation_script experiment_metrics",
    # infrastructure and delivery
    "terraform|infrastructure|cloud|cloudformation": "infrastructure",
    "network|firewall|vpc|port|ingress|gateway": "infra_network", "role|iam|permission|privilege": "infra_access",
    "bucket|storage|volume": "infra_storage",
    "cluster|kubernetes|helm|manifest|workload|compose|chart|deployment": "deploy_manifest infra_cluster",
    "bastion|machine|vm|instance|host": "infra_compute", "alert|monitoring|dashboard": "infra_monitoring",
    "dockerfile|image|container": "container_build", "ci|workflow|pipeline|build": "ci_pipeline",
    "script|shell": "job_script", "makefile|task": "task_runner",
    "dependency|package|requirement_file|npm|pip|maven|cargo": "dependencies", "lock_file|lockfile": "lock_file",
    "package": "dependencies",
    # settings and credentials
    "config|configuration|setting|toml": "configuration model_config",
    "yaml": "configuration deploy_manifest ci_pipeline infra_network infra_monitoring",
    "environment|staging|production|prod|sandbox|env": "environment_config",
    "server|nginx|postgres|proxy config|configuration|setting": "server_config",
    "secret|credential|key|password|certificate|token|vault": "credentials",
    # tests and contracts
    "test|suite|spec": "test_suite", "benchmark": "benchmark_runner experiment_metrics",
    "openapi|swagger|graphql|protobuf|proto|api_contract|api_spec|interface_contract": "api_contract",
    "contract": "api_contract contract_document",
    "json_schema|avro|event_schema|message_schema|payload": "data_contract",
    # documents
    "requirement|specification": "requirements_spec", "policy|policies": "policy_document",
    "agreement|nda|term|deal|lease": "contract_document", "license": "license dependency_manifest",
    "standard|convention|guideline": "standards_document",
    "runbook|playbook|procedure": "runbook", "postmortem|retrospective": "postmortem",
    "incident|case|ioc|indicator": "incident_record", "pentest|scan_report|scan_result": "security_report",
    "rule|detection|signature": "security_rule",
    "minutes|meeting|note|memo|board": "meeting_notes",
    "letter|correspondence|complaint": "general_document meeting_notes",
    "document|doc|text|paper": "guides agreements",
    "documentation|guide|manual|handbook|tutorial": "user_guide readme", "readme": "readme",
    "changelog|news": "changelog", "design|architecture|adr|decision": "design_document",
}  # fmt: skip
"""Words, and the classes and families that they name. One word may name several."""

MEANT: Final[dict[SemanticClass | Family, Can]] = {
    Family.LOGS: Can.ANALYZE_LOGS, Family.APPLICATION: Can.SECURITY_AUDIT, Family.LIBRARY: Can.LINT,
    Family.INTERFACE: Can.CHECK_ACCESSIBILITY,
    Family.DATASET: Can.CHECK_DATA_QUALITY, Family.INFRASTRUCTURE: Can.AUDIT_INFRASTRUCTURE,
    Family.DELIVERY: Can.VALIDATE_CONFIG, Family.CONFIGURATION: Can.VALIDATE_CONFIG,
    Family.DEPENDENCIES: Can.AUDIT_DEPENDENCIES, Family.CREDENTIALS: Can.SECRET_SCAN,
    Family.DATABASE: Can.REVIEW_QUERIES, Family.DATA_PIPELINE: Can.REVIEW_QUERIES,
    Family.AGREEMENTS: Can.EXTRACT_CONSTRAINTS, Family.GUIDES: Can.SUMMARIZE,
    Family.CONTRACTS: Can.CHECK_API_CONTRACT, Family.SECURITY: Can.SUMMARIZE, Family.TESTING: Can.RUN_TESTS,
    Family.MACHINE_LEARNING: Can.LINT,
    SemanticClass.DATABASE_MIGRATION: Can.REVIEW_MIGRATIONS, SemanticClass.TABLE_SCHEMA: Can.VALIDATE_SCHEMA,
    SemanticClass.DATA_CONTRACT: Can.VALIDATE_SCHEMA, SemanticClass.DATA_SOURCE_SPEC: Can.VALIDATE_SCHEMA,
    SemanticClass.PIPELINE_DEFINITION: Can.VALIDATE_CONFIG, SemanticClass.MODEL_CONFIG: Can.VALIDATE_CONFIG,
    SemanticClass.EXPERIMENT_METRICS: Can.COMPARE_METRICS, SemanticClass.DATA_INGESTION: Can.LINT,
    SemanticClass.DATA_PREPARATION: Can.LINT, SemanticClass.DATABASE_DUMP: Can.CHECK_DATA_QUALITY,
    SemanticClass.API_CLIENT: Can.SECURITY_AUDIT, SemanticClass.LOCALIZATION: Can.LINT,
    SemanticClass.TEST_FIXTURE: Can.VALIDATE_SCHEMA,
    SemanticClass.CLIENT_STATE: Can.LINT, SemanticClass.BUSINESS_LOGIC: Can.LINT,
}  # fmt: skip
"""What it means to check or review an object of a class or family, when nothing else is said."""

NARROWER: Final[dict[Can, dict[SemanticClass | Family, Can]]] = {
    Can.SECURITY_AUDIT: {
        Family.LOGS: Can.ANALYZE_LOGS,
        Family.INFRASTRUCTURE: Can.AUDIT_INFRASTRUCTURE,
        Family.DEPENDENCIES: Can.AUDIT_DEPENDENCIES,
    },
    Can.ASSESS_EXPOSURE: {Family.INFRASTRUCTURE: Can.AUDIT_INFRASTRUCTURE},
    Can.COMPARE: {
        SemanticClass.EXPERIMENT_METRICS: Can.COMPARE_METRICS,
        SemanticClass.ENVIRONMENT_CONFIG: Can.COMPARE_ENVIRONMENTS,
    },
}
"""What a capability becomes when all that it is put to is of one class or family."""

CHECKS: Final = "check|review|verify|validate|audit|inspect|examine|assess|vet|go_through|look_through|sift"
"""Verbs that say to look, and not what for."""
GLANCES: Final = f"{CHECKS}|look|see|go|scan|test|evaluate|study|read|investigate"
"""The same, and weaker ones: these count where nothing else in the goal says what to do."""
