"""What can be said of an object's content and of its relations to others."""

# fmt: off
from __future__ import annotations

from enum import StrEnum
from typing import Self

from plantwin.vocabulary.terms import Term


class EdgeType(Term):
    """How one object relates to another."""

    DEPENDS_ON = "depends_on", "Needs the other to work or to be understood."
    DERIVED_FROM = "derived_from", "Was made from the other."
    SIMILAR_TO = "similar_to", "Says nearly the same as the other."
    BLOCKS = "blocks", "Must be done or resolved before the other."
    REQUIRES_CAPABILITY = "requires_capability", "Can only be used with a local tool."
    CONFLICTS_WITH = "conflicts_with", "Cannot both be right."


class EdgeReason(StrEnum):
    """Why an edge exists; each reason belongs to one edge type."""

    definition: str
    edge: EdgeType

    def __new__(cls, word: str, edge: EdgeType, definition: str) -> Self:
        member = str.__new__(cls, word)
        member._value_ = word
        member.definition = definition
        member.edge = edge
        return member

    IMPORTS = "imports", EdgeType.DEPENDS_ON, "Code that imports or includes it."
    TESTS = "tests", EdgeType.DEPENDS_ON, "A test that exercises it."
    DOCUMENTS = "documents", EdgeType.DEPENDS_ON, "A document that describes it."
    CONFIGURES = "configures", EdgeType.DEPENDS_ON, "Settings that it is given, or that it gives."
    BUILDS = "builds", EdgeType.DEPENDS_ON, "A build or image made with it."
    RUNS = "runs", EdgeType.DEPENDS_ON, "Starts or calls it."
    READS = "reads", EdgeType.DEPENDS_ON, "Consumes its data."
    WRITES = "writes", EdgeType.DEPENDS_ON, "Produces or changes its data."
    SPECIFIES = "specifies", EdgeType.DEPENDS_ON, "Implements or refers to its contract."
    RENDERS = "renders", EdgeType.DEPENDS_ON, "Shows or styles it."
    LOCKED = "locked", EdgeType.DERIVED_FROM, "A lock file of a manifest."
    GENERATED = "generated", EdgeType.DERIVED_FROM, "Generated from a source."
    COMPILED = "compiled", EdgeType.DERIVED_FROM, "Compiled or filled from a template."
    EXPORTED = "exported", EdgeType.DERIVED_FROM, "Exported from a notebook, table or report."
    INSTANCE = "instance", EdgeType.DERIVED_FROM, "A filled-in copy of an example or template."
    COPY = "copy", EdgeType.SIMILAR_TO, "The same content."
    DIVERGED = "diverged", EdgeType.SIMILAR_TO, "Once the same, since changed."
    SUPERSEDES = "supersedes", EdgeType.SIMILAR_TO, "A newer version of it."
    OVERLAPS = "overlaps", EdgeType.SIMILAR_TO, "Covers the same period of time."
    PRECEDES = "precedes", EdgeType.SIMILAR_TO, "The part of the same series before it."
    SIBLING = "sibling", EdgeType.SIMILAR_TO, "Its counterpart: the same for another environment, language, database or provider."
    ORDER = "order", EdgeType.BLOCKS, "Comes before it in a fixed order."
    STAGE = "stage", EdgeType.BLOCKS, "An earlier stage of the same pipeline."
    UNRESOLVED = "unresolved", EdgeType.BLOCKS, "Holds a conflict or blocker that stops it."
    RUNTIME = "runtime", EdgeType.REQUIRES_CAPABILITY, "Needs a language runtime or compiler."
    CONTAINER = "container", EdgeType.REQUIRES_CAPABILITY, "Needs a container engine."
    CLUSTER = "cluster", EdgeType.REQUIRES_CAPABILITY, "Needs access to a cluster or cloud."
    DATABASE_ENGINE = "database_engine", EdgeType.REQUIRES_CAPABILITY, "Needs a database engine."
    BUILD_TOOL = "build_tool", EdgeType.REQUIRES_CAPABILITY, "Needs a build tool or package manager."
    TEST_RUNNER = "test_runner", EdgeType.REQUIRES_CAPABILITY, "Needs a test runner."
    MODEL_RUNTIME = "model_runtime", EdgeType.REQUIRES_CAPABILITY, "Needs a machine learning runtime."
    NOTEBOOK_RUNTIME = "notebook_runtime", EdgeType.REQUIRES_CAPABILITY, "Needs a notebook kernel."
    VALUE = "value", EdgeType.CONFLICTS_WITH, "The same key has different values."
    VERSION = "version", EdgeType.CONFLICTS_WITH, "Incompatible versions of the same thing."


class ContentTag(Term):
    """What is inside an object."""

    # privacy and security
    PERSONAL_DATA = "personal_data", "Data about identifiable people."
    HEALTH_DATA = "health_data", "Diagnoses, treatments, medical numbers."
    PAYMENT_DATA = "payment_data", "Cards, bank accounts, payment records."
    CREDENTIALS = "credentials", "Keys, passwords or tokens in the open."
    SECRET_REFS = "secret_refs", "References to secrets kept elsewhere."
    SENSITIVE_LOGGING = "sensitive_logging", "Writes sensitive values to a log."
    NETWORK_IDENTIFIERS = "network_identifiers", "Hosts, addresses, ports."
    SYNTHETIC_DATA = "synthetic_data", "Data made up for tests or examples."
    OPEN_PERMISSIONS = "open_permissions", "Grants more access than needed."
    PUBLIC_EXPOSURE = "public_exposure", "Reachable from outside."
    WEAK_ENCRYPTION = "weak_encryption", "Weak, missing or outdated cryptography."
    INSECURE_CALLS = "insecure_calls", "Calls that are dangerous with untrusted input."
    RETENTION_SETTINGS = "retention_settings", "How long data is kept."
    DESTRUCTIVE_FLAGS = "destructive_flags", "Drops, deletes or overwrites."
    AUDIT_FINDINGS = "audit_findings", "Findings of a scan or audit."
    # logs
    TIMESTAMPS = "timestamps", "Times of events."
    ERROR_LINES = "error_lines", "Errors and failures."
    WARNING_LINES = "warning_lines", "Warnings."
    AUTH_FAILURES = "auth_failures", "Failed sign-ins or denied access."
    STACK_TRACES = "stack_traces", "Stack traces of failures."
    RESTARTS = "restarts", "Starts, stops, crashes, deployments."
    LATENCY_VALUES = "latency_values", "Durations and slow operations."
    LABELS = "labels", "Labels or categories by record."
    # data
    SCHEMA_DEFINITION = "schema_definition", "Names and types of fields."
    FOREIGN_KEYS = "foreign_keys", "References between tables."
    INDEXES = "indexes", "Indexes of tables."
    NULL_VALUES = "null_values", "Missing values."
    DUPLICATES = "duplicates", "Repeated rows."
    DATE_LOGIC = "date_logic", "Computes with dates."
    MONETARY_VALUES = "monetary_values", "Amounts of money."
    THRESHOLDS = "thresholds", "Limits that decide."
    # code
    ENDPOINTS = "endpoints", "Routes or operations of an interface."
    ERROR_HANDLING = "error_handling", "Catches or reports failures."
    TESTS = "tests", "Tests."
    EXTERNAL_CALLS = "external_calls", "Calls to other systems."
    DATABASE_CALLS = "database_calls", "Queries to a database."
    HARDCODED_HOSTS = "hardcoded_hosts", "Host names or addresses in code."
    HARDCODED_PATHS = "hardcoded_paths", "Absolute paths in code."
    DEBUG_OUTPUT = "debug_output", "Output left from debugging."
    TODO_MARKERS = "todo_markers", "Notes of work not done."
    DEAD_CODE = "dead_code", "Code that never runs."
    DEPRECATION_NOTICES = "deprecation_notices", "Says that something is going away."
    CONCURRENCY = "concurrency", "Threads, locks, tasks, queues."
    # build and ML
    VERSION_PINS = "version_pins", "Exact versions."
    UNPINNED_VERSIONS = "unpinned_versions", "Open versions."
    IMAGE_REFS = "image_refs", "Container images."
    ENV_VARIANTS = "env_variants", "Settings for several environments."
    FEATURE_FLAGS = "feature_flags", "Switches of features."
    PLACEHOLDER_VALUES = "placeholder_values", "Values still to be filled in."
    RESOURCE_REQUESTS = "resource_requests", "CPU, memory, replicas, sizes."
    SCHEDULES = "schedules", "When things run."
    HYPERPARAMETERS = "hyperparameters", "Settings of a model's training."
    METRICS = "metrics", "Measured results."
    SAVED_OUTPUTS = "saved_outputs", "Outputs kept with code."
    # web and documents
    FORMS = "forms", "Input forms."
    UNLABELLED_INPUTS = "unlabelled_inputs", "Inputs without a label."
    IMAGES_WITHOUT_TEXT = "images_without_text", "Images without a text alternative."
    MISSING_LANGUAGE = "missing_language", "A page that does not state its language."
    OBLIGATIONS = "obligations", "What someone must do."
    DEADLINES = "deadlines", "When something must be done."
    INSTRUCTIONS = "instructions", "Steps to follow."
    CONSTRAINTS = "constraints", "Limits and requirements."
    DECISIONS = "decisions", "What was decided and why."
    TABLES = "tables", "Tables."
    DATES = "dates", "Dates."
    CODE_SAMPLES = "code_samples", "Fragments of code."
    LICENSE_TERMS = "license_terms", "Terms of use."


class Affordance(Term):
    """What an object can be used for: the capabilities that accept it."""

    SUMMARIZE = "summarize", "Can be summarised."
    COMPARE = "compare", "Can be compared with one of its kind."
    EXTRACT_CONSTRAINTS = "extract_constraints", "States limits or requirements to extract."
    SEARCH_SIMILAR = "search_similar", "Others like it can be looked for."
    SECRET_SCAN = "secret_scan", "Can be scanned for secrets."
    REDACT_DOCUMENT = "redact_document", "Can be redacted for sharing."
    SECURITY_AUDIT = "security_audit", "Can be audited for weaknesses."
    LINT = "lint", "Can be checked for defects of style and use."
    MEASURE_COMPLEXITY = "measure_complexity", "Its complexity can be measured."
    MAP_DEPENDENCIES = "map_dependencies", "Its dependencies can be mapped."
    RUN_TESTS = "run_tests", "Its tests can be run."
    ANALYZE_LOGS = "analyze_logs", "Its events can be analysed."
    CORRELATE_EVENTS = "correlate_events", "Its events can be set beside others in time."
    VALIDATE_CONFIG = "validate_config", "Its settings can be validated."
    COMPARE_ENVIRONMENTS = "compare_environments", "Its settings can be compared between environments."
    AUDIT_INFRASTRUCTURE = "audit_infrastructure", "Its declared infrastructure can be audited."
    PROFILE_DATA = "profile_data", "Its columns can be profiled."
    CHECK_DATA_QUALITY = "check_data_quality", "Its rows can be checked."
    VALIDATE_SCHEMA = "validate_schema", "Bears a schema to validate against."
    DETECT_DRIFT = "detect_drift", "Can be compared with a later snapshot."
    COMPARE_METRICS = "compare_metrics", "Its measured results can be compared."
    REVIEW_QUERIES = "review_queries", "Its queries can be reviewed."
    REVIEW_MIGRATIONS = "review_migrations", "Its schema changes can be reviewed."
    CHECK_API_CONTRACT = "check_api_contract", "Can be checked against an interface contract."
    CHECK_ACCESSIBILITY = "check_accessibility", "Its pages can be checked for accessibility."
    AUDIT_DEPENDENCIES = "audit_dependencies", "Its dependencies can be audited."


class Absence(Term):
    """What one would expect beside an object, and is not there."""

    TESTS = "tests", "Nothing tests it."
    DOCUMENTATION = "documentation", "Nothing documents it."
    LOCK_FILE = "lock_file", "A manifest without a lock file."
    SCHEMA = "schema", "Data without a schema."
    LICENSE = "license", "A project without a licence."
    ERROR_HANDLING = "error_handling", "Calls out and handles no failure."
    VERSION_PINS = "version_pins", "Dependencies without versions."
    HEALTH_CHECK = "health_check", "A deployed service without a health check."
    RESOURCE_LIMITS = "resource_limits", "A deployed workload without limits."
    CHANGE_HISTORY = "change_history", "Not under version control."
    ROLLBACK = "rollback", "A schema change that cannot be undone."
    CONSUMERS = "consumers", "Nothing uses it."
    TEST_RUNNER = "test_runner", "Tests that no program of this machine can run."
    READABLE_CONTENT = "readable_content", "Could not be read as what it is: what it holds is unknown."
