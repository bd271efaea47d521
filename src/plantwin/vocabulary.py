"""Every closed vocabulary, in one place: the only words that can cross to a planner.

A member is one row: its word, its one-line definition (docs and prompts reuse it), and what it
belongs to. Adding a member is adding a row; the wire schema, the docs and the capacity follow.
"""

# fmt: off
from __future__ import annotations

from enum import StrEnum
from typing import Self, TypeVar

from plantwin.errors import VocabularyError

VERSION = 1
"""Raised whenever a member is removed or changes its meaning; cached projections depend on it."""


W = TypeVar("W", bound=StrEnum)


def member(vocabulary: type[W], text: str) -> W:
    """The member that a text names; a text outside the vocabulary is refused and never quoted."""
    found = vocabulary._value2member_map_.get(text)
    if isinstance(found, vocabulary):
        return found
    raise VocabularyError(f"not a word of {vocabulary.__name__}")


class Term(StrEnum):
    """A word of a closed vocabulary that carries its own definition."""

    definition: str

    def __new__(cls, word: str, definition: str) -> Self:
        member = str.__new__(cls, word)
        member._value_ = word
        member.definition = definition
        return member


class Kind(Term):
    """What sort of thing an object is."""

    CODE_FILE = "code_file", "Source code that a machine runs, compiles or renders."
    LOG_STREAM = "log_stream", "Records that a running system wrote, ordered in time."
    STRUCTURED_RECORD = "structured_record", "Data in rows, fields or nested records."
    CONFIG = "config", "Settings that decide how software is built, deployed or behaves."
    SECRET_CONTAINER = "secret_container", "A holder whose purpose is to keep credentials or keys."
    DOCUMENT = "document", "Text written for people to read."


class Family(Term):
    """The upper level of the class hierarchy: told when the class would say too much."""

    APPLICATION = "application", "Code of a product: services, handlers, business logic."
    INTERFACE = "interface", "What a person sees: components, pages, templates, styles."
    LIBRARY = "library", "Reusable code, algorithms, entry points and tools."
    DATA_PIPELINE = "data_pipeline", "Code and settings that move and transform data."
    DATABASE = "database", "Definitions, changes, queries and copies of a database."
    DATASET = "dataset", "Data at rest: records, tables, snapshots."
    MACHINE_LEARNING = "machine_learning", "Training, evaluation, serving and tracking of models."
    INFRASTRUCTURE = "infrastructure", "Declared servers, networks, storage, clusters and access."
    DELIVERY = "delivery", "Building, testing and releasing: pipelines, images, manifests."
    DEPENDENCIES = "dependencies", "What the project is built from and at which versions."
    CONFIGURATION = "configuration", "Settings of applications, tools and environments."
    CREDENTIALS = "credentials", "Keys, passwords, tokens and certificates."
    TESTING = "testing", "Tests, their helpers and their data."
    CONTRACTS = "contracts", "Interfaces agreed between systems: API and message schemas."
    LOGS = "logs", "What systems wrote while running."
    SECURITY = "security", "Security rules, findings and incident records."
    GUIDES = "guides", "Documents that explain: readme, guides, runbooks, changes."
    AGREEMENTS = "agreements", "Documents that bind: requirements, policies, contracts, licences."


class SemanticClass(StrEnum):
    """What an object is for: the lower level of the hierarchy, each with its family."""

    definition: str
    family: Family

    def __new__(cls, word: str, family: Family, definition: str) -> Self:
        member = str.__new__(cls, word)
        member._value_ = word
        member.definition = definition
        member.family = family
        return member

    # application
    API_HANDLER = "api_handler", Family.APPLICATION, "Receives requests and answers them: routes, controllers, resolvers."
    AUTHENTICATION_MODULE = "authentication_module", Family.APPLICATION, "Decides who a user is: login, sessions, tokens, permissions."
    PAYMENT_MODULE = "payment_module", Family.APPLICATION, "Moves or accounts for money: charges, refunds, invoices."
    PRIVACY_MODULE = "privacy_module", Family.APPLICATION, "Handles personal data: consent, masking, erasure, retention."
    MESSAGING_MODULE = "messaging_module", Family.APPLICATION, "Sends or receives messages: mail, notifications, queues, webhooks."
    DATA_ACCESS = "data_access", Family.APPLICATION, "Maps code to stored data: models, repositories, entities."
    API_CLIENT = "api_client", Family.APPLICATION, "Calls another system's interface."
    BACKGROUND_JOB = "background_job", Family.APPLICATION, "Runs without a request: workers, schedulers, periodic tasks."
    APP_ENTRYPOINT = "app_entrypoint", Family.APPLICATION, "Starts and wires an application."
    BUSINESS_LOGIC = "business_logic", Family.APPLICATION, "Rules of the product that fit no narrower class."
    REPORT_GENERATOR = "report_generator", Family.APPLICATION, "Produces reports, exports or rendered documents."
    METRICS_MODULE = "metrics_module", Family.APPLICATION, "Measures or reports what the software does: metrics, tracing, logging set-up."
    # interface
    UI_COMPONENT = "ui_component", Family.INTERFACE, "A visible part of a user interface."
    AUTHENTICATION_FORM = "authentication_form", Family.INTERFACE, "The page or component where a user signs in or up."
    PAGE_TEMPLATE = "page_template", Family.INTERFACE, "A page or layout that is filled and shown."
    EMAIL_TEMPLATE = "email_template", Family.INTERFACE, "The text or layout of a message that is sent."
    STYLESHEET = "stylesheet", Family.INTERFACE, "Visual style rules."
    CLIENT_STATE = "client_state", Family.INTERFACE, "State, hooks or routing on the client side."
    # library
    UTILITY_LIBRARY = "utility_library", Family.LIBRARY, "Helpers that other code uses."
    BASE_CLASSES = "base_classes", Family.LIBRARY, "Types, interfaces and abstract classes that others build on."
    ALGORITHM_MODULE = "algorithm_module", Family.LIBRARY, "Computes: algorithms, parsers, numeric or data structure code."
    PACKAGE_ENTRYPOINT = "package_entrypoint", Family.LIBRARY, "Names what a package exports."
    EXAMPLE_SCRIPT = "example_script", Family.LIBRARY, "Shows how something is used."
    CLI_TOOL = "cli_tool", Family.LIBRARY, "A program for the command line."
    # data pipeline
    DATA_INGESTION = "data_ingestion", Family.DATA_PIPELINE, "Brings data in from outside."
    DATA_PREPARATION = "data_preparation", Family.DATA_PIPELINE, "Cleans, joins or reshapes data for later use."
    STAGING_TRANSFORM = "staging_transform", Family.DATA_PIPELINE, "First tidy layer over raw source tables."
    INTERMEDIATE_TRANSFORM = "intermediate_transform", Family.DATA_PIPELINE, "Joins and reshapes staged tables."
    MART_TRANSFORM = "mart_transform", Family.DATA_PIPELINE, "Final tables that people or reports read."
    DATA_SOURCE_SPEC = "data_source_spec", Family.DATA_PIPELINE, "Declares sources, models or their columns."
    DATA_QUALITY_CHECK = "data_quality_check", Family.DATA_PIPELINE, "States what data must satisfy, and checks it."
    PIPELINE_DEFINITION = "pipeline_definition", Family.DATA_PIPELINE, "Orders or sets the steps of a data pipeline."
    # database
    TABLE_SCHEMA = "table_schema", Family.DATABASE, "Defines tables, columns and constraints."
    DATABASE_MIGRATION = "database_migration", Family.DATABASE, "Changes a schema or its data, in order."
    SQL_QUERY = "sql_query", Family.DATABASE, "Reads or changes data by query."
    STORED_PROCEDURE = "stored_procedure", Family.DATABASE, "Functions, triggers and views inside the database."
    DATABASE_DUMP = "database_dump", Family.DATABASE, "A copy of a database with its rows."
    # dataset
    PERSON_RECORDS = "person_records", Family.DATASET, "Rows about people: customers, patients, employees, users."
    TRANSACTION_RECORDS = "transaction_records", Family.DATASET, "Rows about money or goods: orders, payments, invoices."
    EVENT_RECORDS = "event_records", Family.DATASET, "Rows about what happened and when."
    MEASUREMENT_RECORDS = "measurement_records", Family.DATASET, "Rows of numbers measured: sensors, features, metrics."
    LOOKUP_TABLE = "lookup_table", Family.DATASET, "Short reference lists: codes, names, mappings."
    DATASET_SNAPSHOT = "dataset_snapshot", Family.DATASET, "Data at rest that fits no narrower class."
    # machine learning
    TRAINING_SCRIPT = "training_script", Family.MACHINE_LEARNING, "Fits a model, or searches for its best settings."
    EVALUATION_SCRIPT = "evaluation_script", Family.MACHINE_LEARNING, "Measures how good a model is."
    PREDICTION_SCRIPT = "prediction_script", Family.MACHINE_LEARNING, "Applies a model to data."
    MODEL_SERVING = "model_serving", Family.MACHINE_LEARNING, "Answers requests with a model."
    MODEL_ARCHITECTURE = "model_architecture", Family.MACHINE_LEARNING, "Defines a model's layers or structure."
    MODEL_BINARY = "model_binary", Family.MACHINE_LEARNING, "A trained model's weights."
    MODEL_CONFIG = "model_config", Family.MACHINE_LEARNING, "Hyperparameters and settings of a training or model."
    MONITORING_JOB = "monitoring_job", Family.MACHINE_LEARNING, "Watches a model or its data for change."
    EXPERIMENT_METRICS = "experiment_metrics", Family.MACHINE_LEARNING, "Numbers that training or evaluation produced."
    NOTEBOOK = "notebook", Family.MACHINE_LEARNING, "An interactive notebook with code, text and outputs."
    # infrastructure
    INFRA_COMPUTE = "infra_compute", Family.INFRASTRUCTURE, "Declares machines, functions or containers to run."
    INFRA_NETWORK = "infra_network", Family.INFRASTRUCTURE, "Declares networks, firewalls, gateways, DNS, proxies."
    INFRA_STORAGE = "infra_storage", Family.INFRASTRUCTURE, "Declares buckets, volumes and file stores."
    INFRA_DATABASE = "infra_database", Family.INFRASTRUCTURE, "Declares database servers."
    INFRA_CLUSTER = "infra_cluster", Family.INFRASTRUCTURE, "Declares a cluster and its nodes."
    INFRA_ACCESS = "infra_access", Family.INFRASTRUCTURE, "Declares identities, roles, keys and permissions."
    INFRA_MONITORING = "infra_monitoring", Family.INFRASTRUCTURE, "Declares alerts, dashboards, audit and log collection."
    INFRA_VARIABLES = "infra_variables", Family.INFRASTRUCTURE, "Inputs and outputs of declared infrastructure."
    INFRA_MODULE = "infra_module", Family.INFRASTRUCTURE, "Declared infrastructure that fits no narrower class, or ties parts together."
    # delivery
    DEPLOY_MANIFEST = "deploy_manifest", Family.DELIVERY, "Says what runs where: services, workloads, charts."
    CONTAINER_BUILD = "container_build", Family.DELIVERY, "How a container image is built."
    CI_PIPELINE = "ci_pipeline", Family.DELIVERY, "Automatic checks and releases on change."
    JOB_SCRIPT = "job_script", Family.DELIVERY, "A script that operates, installs, deploys or maintains."
    TASK_RUNNER = "task_runner", Family.DELIVERY, "Named tasks for developers."
    BUILD_MANIFEST = "build_manifest", Family.DELIVERY, "How the software is compiled or packaged."
    GENERATED_ARTIFACT = "generated_artifact", Family.DELIVERY, "Made by a tool from other files: bundles, stubs, maps."
    # dependencies
    DEPENDENCY_MANIFEST = "dependency_manifest", Family.DEPENDENCIES, "Names the packages that the project needs."
    LOCK_FILE = "lock_file", Family.DEPENDENCIES, "Exact versions, resolved by a tool."
    # configuration
    APP_CONFIG = "app_config", Family.CONFIGURATION, "Settings of an application."
    ENVIRONMENT_CONFIG = "environment_config", Family.CONFIGURATION, "Settings that differ between environments."
    SERVER_CONFIG = "server_config", Family.CONFIGURATION, "Settings of a web, database, proxy or system server."
    TOOLING_CONFIG = "tooling_config", Family.CONFIGURATION, "Settings of a developer's tools."
    REPOSITORY_CONFIG = "repository_config", Family.CONFIGURATION, "Settings of the repository itself: ignores, attributes, owners."
    LOCALIZATION = "localization", Family.CONFIGURATION, "Texts of an interface by language."
    # credentials
    CREDENTIALS_FILE = "credentials_file", Family.CREDENTIALS, "Passwords, tokens or access keys in a file."
    PRIVATE_KEY = "private_key", Family.CREDENTIALS, "A private key or key store."
    CERTIFICATE = "certificate", Family.CREDENTIALS, "A public key or certificate."
    # testing
    TEST_SUITE = "test_suite", Family.TESTING, "Tests."
    TEST_HELPER = "test_helper", Family.TESTING, "Set-up and tools that tests share."
    TEST_FIXTURE = "test_fixture", Family.TESTING, "Data made for tests."
    BENCHMARK_RUNNER = "benchmark_runner", Family.TESTING, "Times or compares implementations or models."
    # contracts
    API_CONTRACT = "api_contract", Family.CONTRACTS, "What an interface accepts and returns: OpenAPI, GraphQL, protobuf."
    DATA_CONTRACT = "data_contract", Family.CONTRACTS, "The shape that records or messages must have: JSON Schema, Avro, XSD."
    # logs
    APPLICATION_LOG = "application_log", Family.LOGS, "What an application wrote."
    ERROR_LOG = "error_log", Family.LOGS, "Mostly errors and stack traces."
    ACCESS_LOG = "access_log", Family.LOGS, "One line per request served."
    SYSTEM_LOG = "system_log", Family.LOGS, "What an operating system or its services wrote."
    AUDIT_LOG = "audit_log", Family.LOGS, "Who did what: sign-ins, changes, permissions."
    NETWORK_LOG = "network_log", Family.LOGS, "Connections, packets, firewall decisions."
    BUILD_LOG = "build_log", Family.LOGS, "What a build, test, deploy or training run wrote."
    # security
    SECURITY_RULE = "security_rule", Family.SECURITY, "Detection, scanning or access rules."
    SECURITY_REPORT = "security_report", Family.SECURITY, "Findings of a scan, audit or test."
    INCIDENT_RECORD = "incident_record", Family.SECURITY, "What is known of an incident: timeline, tickets, indicators."
    POSTMORTEM = "postmortem", Family.SECURITY, "What went wrong, why, and what changes."
    # guides
    README = "readme", Family.GUIDES, "Introduces a project or folder."
    USER_GUIDE = "user_guide", Family.GUIDES, "Explains how to use something."
    DESIGN_DOCUMENT = "design_document", Family.GUIDES, "Explains how something is built and why."
    RUNBOOK = "runbook", Family.GUIDES, "Steps to operate or repair a system."
    CHANGELOG = "changelog", Family.GUIDES, "What changed, by version."
    DATASET_CARD = "dataset_card", Family.GUIDES, "Describes a data set or model: origin, fields, limits."
    MEETING_NOTES = "meeting_notes", Family.GUIDES, "Notes, minutes, correspondence, plans."
    GENERAL_DOCUMENT = "general_document", Family.GUIDES, "Text that fits no narrower class."
    # agreements
    REQUIREMENTS_SPEC = "requirements_spec", Family.AGREEMENTS, "What a system must do."
    STANDARDS_DOCUMENT = "standards_document", Family.AGREEMENTS, "Rules and conventions to follow."
    POLICY_DOCUMENT = "policy_document", Family.AGREEMENTS, "What an organisation permits and demands."
    CONTRACT_DOCUMENT = "contract_document", Family.AGREEMENTS, "Terms between parties."
    LICENSE = "license", Family.AGREEMENTS, "Terms under which something may be used."


class Sensitivity(Term):
    """How much harm its disclosure would do."""

    LOW = "low", "Nothing sensitive was found."
    RESTRICTED = "restricted", "Holds personal, internal or weakly secret content."
    HIGH = "high", "Holds credentials, special personal data or money data."


class SensitivityCause(Term):
    """Why an object is sensitive."""

    CREDENTIAL = "credential", "Keys, passwords or tokens."
    PERSONAL = "personal", "Data about identifiable people."
    HEALTH = "health", "Data about health."
    FINANCIAL = "financial", "Cards, accounts or other payment data."
    INFRASTRUCTURE = "infrastructure", "Internal hosts, addresses, accounts."
    INSECURE_SETTING = "insecure_setting", "A setting that weakens protection."
    UNREADABLE = "unreadable", "Could not be read, so the worst is assumed."


class Freshness(Term):
    """When it last changed."""

    TODAY = "today", "Changed within a day."
    RECENT = "recent", "Changed within thirty days."
    STALE = "stale", "Not changed for over thirty days."


class SizeBucket(Term):
    """How much there is of it."""

    SMALL = "small", "Under 10 kB."
    MEDIUM = "medium", "10 kB to 1 MB."
    LARGE = "large", "Over 1 MB."


class Count(Term):
    """How many."""

    ONE = "one", "Exactly one."
    FEW = "few", "Two to nine."
    MANY = "many", "Ten or more."


class Amount(Term):
    """How much of an object a content tag covers."""

    FEW = "few", "A small part, or fewer than ten places."
    MANY = "many", "A large part, or ten places and more."


class Confidence(Term):
    """How sure the local side is of the class."""

    LOW = "low", "Little or conflicting evidence."
    MEDIUM = "medium", "One good kind of evidence."
    HIGH = "high", "Several kinds of evidence agree, or structure is decisive."


class Readiness(Term):
    """Whether it can be worked with now."""

    READY = "ready", "Complete and readable."
    BLOCKED = "blocked", "Something is missing or unresolved."
    UNKNOWN = "unknown", "Cannot be told."


class ReadinessCause(Term):
    """Why it is not ready."""

    MISSING_SECRET = "missing_secret", "Needs a credential that is empty or absent."
    MISSING_DATA = "missing_data", "Refers to data or files that are not there."
    MERGE_CONFLICT = "merge_conflict", "Holds unresolved merge markers."
    PARSE_ERROR = "parse_error", "Does not parse as its own format."
    EMPTY = "empty", "Holds nothing."
    UNREADABLE = "unreadable", "Cannot be opened or decoded."
    NEEDS_SERVICE = "needs_service", "Works only with a service that is not here."


class Role(Term):
    """What part it plays in its project."""

    PRODUCTION = "production", "Used by the running product."
    TEST = "test", "Used to test."
    EXAMPLE = "example", "Shows how something is done."
    GENERATED = "generated", "Made by a tool."
    VENDORED = "vendored", "Copied from elsewhere."
    LEGACY = "legacy", "Old, kept beside its successor."
    TEMPLATE = "template", "To be filled in before use."


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
    SIBLING = "sibling", EdgeType.SIMILAR_TO, "The same structure for another environment, language or period."
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
    BEHAVIOUR = "behaviour", EdgeType.CONFLICTS_WITH, "They say or do opposite things."
    COVERAGE = "coverage", EdgeType.CONFLICTS_WITH, "One covers what the other leaves out."


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
    MISSING_LOGGING = "missing_logging", "Logging is off where one expects it."
    MISSING_BACKUP = "missing_backup", "Backups are off where one expects them."
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
    HARDCODED_CODES = "hardcoded_codes", "Codes and lists written into logic."
    MONETARY_VALUES = "monetary_values", "Amounts of money."
    THRESHOLDS = "thresholds", "Limits that decide."
    MISSING_INPUTS = "missing_inputs", "Refers to inputs that are not there."
    # code
    ENDPOINTS = "endpoints", "Routes or operations of an interface."
    ERROR_CODES = "error_codes", "Codes that name failures."
    ERROR_HANDLING = "error_handling", "Catches or reports failures."
    TESTS = "tests", "Tests."
    EXTERNAL_CALLS = "external_calls", "Calls to other systems."
    DATABASE_CALLS = "database_calls", "Queries to a database."
    HARDCODED_HOSTS = "hardcoded_hosts", "Host names or addresses in code."
    HARDCODED_PATHS = "hardcoded_paths", "Absolute paths in code."
    DEBUG_OUTPUT = "debug_output", "Output left from debugging."
    TODO_MARKERS = "todo_markers", "Notes of work not done."
    DEAD_CODE = "dead_code", "Code that never runs."
    DUPLICATE_CODE = "duplicate_code", "Code repeated elsewhere."
    DEPRECATION_NOTICES = "deprecation_notices", "Says that something is going away."
    CONCURRENCY = "concurrency", "Threads, locks, tasks, queues."
    # build and ML
    VERSION_PINS = "version_pins", "Exact versions."
    UNPINNED_VERSIONS = "unpinned_versions", "Open versions."
    LEGACY_VERSIONS = "legacy_versions", "Versions past their end of life."
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
    PROHIBITIONS = "prohibitions", "What nobody may do."
    PERMISSIONS = "permissions", "What someone may do."
    DEADLINES = "deadlines", "When something must be done."
    INSTRUCTIONS = "instructions", "Steps to follow."
    CONSTRAINTS = "constraints", "Limits and requirements."
    DECISIONS = "decisions", "What was decided and why."
    TABLES = "tables", "Tables."
    DATES = "dates", "Dates."
    CODE_SAMPLES = "code_samples", "Fragments of code."
    LICENSE_TERMS = "license_terms", "Terms of use."
    OUTDATED_CONTENT = "outdated_content", "Refers to what no longer exists."


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


class CapabilityName(Term):
    """What can be done locally: the words a plan is made of."""

    # any object
    SUMMARIZE = "summarize", "Says what is in it, in short."
    COMPARE = "compare", "Sets two objects or two results side by side."
    EXTRACT_CONSTRAINTS = "extract_constraints", "Lists limits, obligations and requirements that it states."
    CLASSIFY = "classify", "Sorts its parts into kinds."
    SEARCH_SIMILAR = "search_similar", "Looks for others like it."
    SECRET_SCAN = "secret_scan", "Finds keys, passwords and tokens in it."
    REDACT_DOCUMENT = "redact_document", "Makes a copy in which sensitive values are replaced."
    DESCRIBE = "describe", "Tells more vocabulary fields of an object, at their price."
    EXPAND = "expand", "Shows further objects of a group, at the price of their kind and family."
    REPORT = "report", "Joins earlier results into one report for the person."
    # coding
    SECURITY_AUDIT = "security_audit", "Looks for weaknesses in code or settings."
    LINT = "lint", "Checks for defects of style and use."
    MEASURE_COMPLEXITY = "measure_complexity", "Measures how complex the code is."
    MAP_DEPENDENCIES = "map_dependencies", "Maps what it uses and what uses it."
    FIND_IMPACT = "find_impact", "Finds what a change of it would touch."
    RUN_TESTS = "run_tests", "Runs its tests."
    # debugging and incidents
    ANALYZE_LOGS = "analyze_logs", "Finds patterns and anomalies in logs."
    TRACE_ERRORS = "trace_errors", "Follows errors to the code that raised them."
    CORRELATE_EVENTS = "correlate_events", "Sets events of several sources beside each other in time."
    BUILD_TIMELINE = "build_timeline", "Orders what happened in time."
    ASSESS_EXPOSURE = "assess_exposure", "Lists what is exposed when a secret or a file leaks."
    # DevOps
    VALIDATE_CONFIG = "validate_config", "Checks settings for errors and risks."
    COMPARE_ENVIRONMENTS = "compare_environments", "Finds what differs between environments."
    AUDIT_INFRASTRUCTURE = "audit_infrastructure", "Checks declared infrastructure for risks."
    # data and ML
    PROFILE_DATA = "profile_data", "Describes columns: types, ranges, missing values."
    CHECK_DATA_QUALITY = "check_data_quality", "Looks for broken, missing and repeated rows."
    VALIDATE_SCHEMA = "validate_schema", "Checks data against a schema."
    DETECT_DRIFT = "detect_drift", "Compares two snapshots of data."
    COMPARE_METRICS = "compare_metrics", "Compares measured results."
    # database
    REVIEW_QUERIES = "review_queries", "Reviews queries for risk and cost."
    REVIEW_MIGRATIONS = "review_migrations", "Reviews schema changes for risk."
    # API and frontend
    CHECK_API_CONTRACT = "check_api_contract", "Checks an implementation against its contract."
    CHECK_ACCESSIBILITY = "check_accessibility", "Checks pages for accessibility."
    AUDIT_DEPENDENCIES = "audit_dependencies", "Checks what the project is built from."
    # the coarse catalog
    PROCESS_PROJECT = "process_project", "Does everything that can be done with these objects, in one call."
    PROCESS_OBJECT = "process_object", "Does everything that can be done with one object, in one call."
    # the fine catalog: probes of content, for experiments alone
    UNSAFE_CONTAINS = "unsafe_contains", "Tells whether the first holds the text of the second."
    UNSAFE_COMPARE_LINES = "unsafe_compare_lines", "Tells which of two first lines sorts before the other."
    UNSAFE_LINE_BUCKET = "unsafe_line_bucket", "Tells a few bits of what the first line says."


class ResultType(Term):
    """What a step yields: the types by which steps fit together."""

    FINDINGS = "findings", "Problems with their places."
    COMPARISON = "comparison", "What is equal and what differs."
    SUMMARY = "summary", "What is in it, in short."
    CONSTRAINTS = "constraints", "Stated limits and obligations."
    CLASSES = "classes", "Parts sorted into kinds."
    MATCHES = "matches", "Objects found."
    DOCUMENT = "document", "A new local document."
    FIELDS = "fields", "Vocabulary fields of an object."
    MEASURES = "measures", "Numbers measured."
    DEPENDENCIES = "dependencies", "What uses what."
    EVENTS = "events", "What happened and when."
    PROFILE = "profile", "A description of data."
    TEST_RESULTS = "test_results", "Which tests passed."


class StepStatus(Term):
    """What became of a step, as the planner hears it."""

    DONE = "done", "It ran to its end."
    PARTIAL = "partial", "It ran; a part could not be examined."
    FAILED = "failed", "It did not run to its end."
    REJECTED = "rejected", "It was refused. No reason is told."
    ESCALATED = "escalated", "A person would have to decide. No reason is told."


class Severity(Term):
    """The worst that a step found."""

    NONE = "none", "Nothing."
    LOW = "low", "Worth knowing."
    MEDIUM = "medium", "Should be dealt with."
    HIGH = "high", "Must be dealt with soon."
    CRITICAL = "critical", "Must be dealt with now."


class Findings(Term):
    """How many a step found."""

    NONE = "none", "None."
    ONE = "one", "Exactly one."
    FEW = "few", "Two to nine."
    MANY = "many", "Ten or more."


class OutcomeTag(Term):
    """What sort of thing a step found."""

    # security
    HARDCODED_SECRET = "hardcoded_secret", "A secret written into content."
    PRIVATE_KEY = "private_key", "A private key in the open."
    PERSONAL_DATA = "personal_data", "Data about identifiable people."
    INJECTION = "injection", "Input reaches a query, command or page unchecked."
    WEAK_CRYPTO = "weak_crypto", "Weak, missing or outdated cryptography."
    WEAK_AUTHENTICATION = "weak_authentication", "Sign-in or permission checks that can be passed."
    UNSAFE_DESERIALIZATION = "unsafe_deserialization", "Loads objects from untrusted input."
    UNSAFE_EXECUTION = "unsafe_execution", "Runs code or commands made from input."
    PATH_TRAVERSAL = "path_traversal", "File names made from input."
    DISABLED_VERIFICATION = "disabled_verification", "Certificate or signature checks are off."
    INSECURE_SETTING = "insecure_setting", "A setting that weakens protection."
    EXPOSED_SERVICE = "exposed_service", "Reachable by more than it needs to be."
    EXCESSIVE_PERMISSION = "excessive_permission", "More rights than needed."
    SENSITIVE_LOGGING = "sensitive_logging", "Sensitive values reach a log."
    MISSING_CHECK = "missing_check", "An expected check is absent."
    # comparison
    IDENTICAL = "identical", "Nothing differs."
    SIMILAR = "similar", "Little differs."
    DIFFERENT = "different", "Much differs."
    FIRST_WORSE = "first_worse", "The first has more or worse findings."
    SECOND_WORSE = "second_worse", "The second has more or worse findings."
    SHARED_FINDINGS = "shared_findings", "Both have findings of the same sort."
    VALUE_DIFFERS = "value_differs", "The same key has different values."
    KEY_MISSING = "key_missing", "A key is in one and not in the other."
    # content
    OBLIGATIONS = "obligations", "What someone must do."
    PROHIBITIONS = "prohibitions", "What nobody may do."
    PERMISSIONS = "permissions", "What someone may do."
    DEADLINES = "deadlines", "When something must be done."
    OPEN_POINTS = "open_points", "What is said to be undone or undecided."
    NUMBERS = "numbers", "Amounts, limits, measures."
    # code and its relations
    LIKELY_DEFECT = "likely_defect", "Code that probably does not do what is meant."
    SWALLOWED_ERROR = "swallowed_error", "A failure that is caught and forgotten."
    UNUSED = "unused", "Nothing uses it, or it never runs."
    DEBUG_LEFTOVER = "debug_leftover", "Left from debugging."
    STYLE = "style", "Against common style."
    HIGH_COMPLEXITY = "high_complexity", "Hard to follow: many branches, deep nesting."
    OVERSIZED = "oversized", "Much longer than is usual."
    DUPLICATION = "duplication", "The same more than once."
    CIRCULAR_DEPENDENCY = "circular_dependency", "Parts that depend on each other in a circle."
    HIGH_COUPLING = "high_coupling", "Very many depend on it, or it on very many."
    WIDE_IMPACT = "wide_impact", "A change touches many others."
    PUBLIC_INTERFACE = "public_interface", "Reaches what others call from outside."
    UNTESTED = "untested", "No test covers it."
    # tests
    TESTS_PASS = "tests_pass", "Every test that ran passed."
    TESTS_FAIL = "tests_fail", "A test failed."
    NO_TESTS = "no_tests", "There is no test to run."
    TOOL_MISSING = "tool_missing", "Needs a tool or package that is not here."
    # dependencies
    UNPINNED = "unpinned", "A version is left open."
    UNTRUSTED_SOURCE = "untrusted_source", "Comes from outside the usual registry."
    MISSING_INTEGRITY = "missing_integrity", "Nothing proves that it is what was meant."
    OUT_OF_STEP = "out_of_step", "Two files that belong together disagree."
    VERSION_CONFLICT = "version_conflict", "The same in versions that do not fit."
    END_OF_LIFE = "end_of_life", "No longer maintained."
    KNOWN_VULNERABILITY = "known_vulnerability", "A version with a published weakness."
    LOOKALIKE_NAME = "lookalike_name", "A name that is close to a well-known one."
    # data and measures
    MISSING_VALUES = "missing_values", "Values are absent where they are expected."
    MIXED_TYPES = "mixed_types", "Values of different types in one place."
    INVALID_VALUES = "invalid_values", "Values that cannot be right."
    OUTLIERS = "outliers", "Values far from all others."
    INCONSISTENT_VALUES = "inconsistent_values", "The same thing written in several ways."
    CONSTANT = "constant", "Always the same value."
    BROKEN_REFERENCE = "broken_reference", "Refers to something that is not there."
    SCHEMA_MISMATCH = "schema_mismatch", "Does not have the declared shape."
    SCHEMA_CHANGED = "schema_changed", "Fields or their types are not what they were."
    DISTRIBUTION_SHIFT = "distribution_shift", "Values are spread differently than before."
    IMPROVED = "improved", "A measured result is better."
    REGRESSED = "regressed", "A measured result is worse."
    INCONCLUSIVE = "inconclusive", "The difference is within what repetition shows."
    # database
    SLOW_QUERY = "slow_query", "Reads far more than it needs, or one by one."
    MISSING_INDEX = "missing_index", "No index serves a condition."
    UNBOUNDED_CHANGE = "unbounded_change", "Changes or deletes without a condition."
    DATA_LOSS = "data_loss", "Stored data is lost."
    LOCKING = "locking", "Blocks others while it runs."
    IRREVERSIBLE = "irreversible", "There is no way back."
    WRONG_ORDER = "wrong_order", "Steps are missing, repeated or out of order."
    # running systems
    ERRORS = "errors", "Errors or failures were recorded."
    BURST = "burst", "Far more than usual in a short time."
    NEW_PATTERN = "new_pattern", "Something that was not there before."
    SILENCE = "silence", "Nothing where there is usually something."
    SLOW = "slow", "Takes much longer than usual."
    RESTARTS = "restarts", "Starts, stops or crashes."
    AUTH_FAILURES = "auth_failures", "Failed sign-ins or refused access."
    ATTACK_SIGNS = "attack_signs", "Looks like an attempt to break in."
    TIMEOUT = "timeout", "Something did not answer in time."
    CONNECTION_FAILURE = "connection_failure", "Something could not be reached."
    RESOURCE_EXHAUSTION = "resource_exhaustion", "Memory, disk, connections or workers ran out."
    SUSPECT_FOUND = "suspect_found", "The place that a failure came from is known."
    RECENT_CHANGE = "recent_change", "Changed shortly before."
    SHARED_IDENTIFIERS = "shared_identifiers", "The same identifiers occur in several."
    REUSED_SECRET = "reused_secret", "The same secret is held in several places."
    WIDE_ACCESS = "wide_access", "Opens more than one system."
    # settings, contracts and pages
    MISSING_PART = "missing_part", "Something that has to be there is absent or not filled in."
    MISSING_SAFEGUARD = "missing_safeguard", "No backup, limit, probe or log where one is expected."
    CROSS_ENVIRONMENT = "cross_environment", "One environment uses what belongs to another."
    BREAKING_CHANGE = "breaking_change", "Those who rely on the earlier version fail."
    UNDOCUMENTED = "undocumented", "It is there, and the contract does not say so."
    UNIMPLEMENTED = "unimplemented", "The contract promises it, and it is not there."
    MISSING_TEXT = "missing_text", "An image or control without a text that can be read out."
    LOW_CONTRAST = "low_contrast", "Text that is hard to tell from what is behind it."
    KEYBOARD_ACCESS = "keyboard_access", "Cannot be reached or used without a mouse."
    PAGE_STRUCTURE = "page_structure", "Headings, language or regions that mislead."
    # state of the work
    UNPARSABLE = "unparsable", "A part does not parse as its format."
    TRUNCATED = "truncated", "More was there than is examined."


class RepairCode(Term):
    """Why an answer was not taken as a plan: told once, so that it can be corrected."""

    NOT_TEXT = "not_text", "It is not UTF-8 text."
    TOO_LONG = "too_long", "It is longer than an answer may be."
    TOO_DEEP = "too_deep", "It is nested too deeply."
    NOT_JSON = "not_json", "What looks like JSON in it is not."
    NO_PLAN = "no_plan", "There is no JSON object with `steps` in it."
    TWO_PLANS = "two_plans", "There is more than one plan in it."
    TOO_MANY_STEPS = "too_many_steps", "The plan has more steps than allowed."
    BAD_STEP = "bad_step", "A step has a field that is unknown, missing or of the wrong form."
    REPEATED_ID = "repeated_id", "Two steps have the same id."
    UNKNOWN_STEP = "unknown_step", "An input is neither an object nor a step of the plan."
    CYCLE = "cycle", "Steps wait for each other."


class Risk(Term):
    """How much a capability can do or show."""

    LOW = "low", "Reads and counts."
    MEDIUM = "medium", "Reads content whose outcome is telling, or writes a new local file."
    HIGH = "high", "Runs code of the environment, or changes something."


MAX_TAGS = 6
"""Most members of one set-valued field that cross for one object."""

MAX_EDGES = 6
"""Most edges that cross for one object."""

MAX_CAUSES = 3
"""Most causes of sensitivity that cross for one object."""

MAX_OUTCOME_TAGS = 4
"""Most tags of one outcome that cross."""
