"""What can be said of an object: kind, class, sensitivity, size, age, readiness, role."""

# fmt: off
from __future__ import annotations

from enum import StrEnum
from typing import Self

from plantwin.vocabulary.terms import Term


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
    UNREADABLE = "unreadable", "Could not be read, so the worst is assumed."


class Freshness(Term):
    """When it last changed."""

    TODAY = "today", "Changed within a day."
    RECENT = "recent", "Changed within thirty days."
    STALE = "stale", "Not changed for over thirty days."


class Age(Term):
    """Where it stands in time: in its series (migrations, versions, periods), else among the files of the folder.

    From the history, else from names and contents; the times of files count only where they differ. Never a date.
    """

    NEWEST = "newest", "The last of its series, or among the last tenth to change."
    RECENT = "recent", "In the newer half."
    OLDER = "older", "In the older half."
    OLDEST = "oldest", "The first of its series, or among the tenth that has not changed for longest."


class DeploymentEnvironment(Term):
    """Which environment it is for, where files differ in that."""

    PRODUCTION = "production", "Production."
    STAGING = "staging", "Staging, acceptance, pre-production."
    TEST = "test", "Tests, quality assurance, continuous integration."
    DEVELOPMENT = "development", "Development, sandboxes, demonstrations."
    LOCAL = "local", "A developer's own machine."
    SHARED = "shared", "What all environments share: a base or common part beside others."


class Provider(Term):
    """Whose service it is written for."""

    AWS = "aws", "Amazon Web Services."
    AZURE = "azure", "Microsoft Azure."
    GCP = "gcp", "Google Cloud."
    KUBERNETES = "kubernetes", "Kubernetes, of any host."
    CLOUDFLARE = "cloudflare", "Cloudflare."
    DIGITALOCEAN = "digitalocean", "DigitalOcean."
    GITHUB = "github", "GitHub."
    GITLAB = "gitlab", "GitLab."
    OTHER_CLOUD = "other_cloud", "Another host or cloud."


class Ecosystem(Term):
    """Which language and package registry it is of."""

    PYTHON = "python", "Python."
    NODE = "node", "JavaScript and TypeScript."
    GO = "go", "Go."
    JAVA = "java", "Java, Kotlin, Scala."
    DOTNET = "dotnet", "C# and other languages of .NET."
    RUBY = "ruby", "Ruby."
    PHP = "php", "PHP."
    RUST = "rust", "Rust."
    NATIVE = "native", "C and C++."
    SHELL = "shell", "Shell scripts."


class Dialect(Term):
    """Of which database its statements or settings are."""

    POSTGRES = "postgres", "PostgreSQL."
    MYSQL = "mysql", "MySQL and MariaDB."
    SQLITE = "sqlite", "SQLite."
    SQLSERVER = "sqlserver", "Microsoft SQL Server."
    ORACLE = "oracle", "Oracle Database."
    BIGQUERY = "bigquery", "BigQuery."
    SNOWFLAKE = "snowflake", "Snowflake."
    REDSHIFT = "redshift", "Amazon Redshift."
    MONGODB = "mongodb", "MongoDB."
    REDIS = "redis", "Redis."


class SizeBucket(Term):
    """How much there is of it."""

    SMALL = "small", "Under 10 kB."
    MEDIUM = "medium", "10 kB to 1 MB."
    LARGE = "large", "Over 1 MB."


class SetSize(StrEnum):
    """How many members a set has."""

    definition: str
    least: int
    """The fewest that it stands for."""

    def __new__(cls, word: str, least: int, definition: str) -> Self:
        member = str.__new__(cls, word)
        member._value_ = word
        member.definition = definition
        member.least = least
        return member

    ONE = "one", 1, "Exactly one."
    FEW = "few", 2, "Two to four."
    SEVERAL = "several", 5, "Five to nine."
    DOZENS = "dozens", 10, "Ten to 99."
    HUNDREDS = "hundreds", 100, "100 to 999."
    THOUSANDS = "thousands", 1000, "A thousand or more."


class Share(Term):
    """How many members of a set something holds for; where it holds for none, nothing is said."""

    SOME = "some", "At least one, and at most half."
    MOST = "most", "More than half."
    ALL = "all", "Every one."


class Dimension(Term):
    """Along what a set can be split."""

    FAMILY = "family", "By the family of its members."
    SEMANTIC_CLASS = "semantic_class", "By the class of its members."
    ENVIRONMENT = "environment", "By the environment that they are for."
    PROVIDER = "provider", "By the provider that they are for."
    ECOSYSTEM = "ecosystem", "By the ecosystem that they are of."
    ROLE = "role", "By the part that they play."
    COMPONENT = "component", "By the component that they belong to."


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
    MERGE_CONFLICT = "merge_conflict", "Holds unresolved merge markers."
    PARSE_ERROR = "parse_error", "Does not parse as its own format."
    EMPTY = "empty", "Holds nothing."
    UNREADABLE = "unreadable", "Cannot be opened or decoded."


class Role(Term):
    """What part it plays in its project."""

    PRODUCTION = "production", "Used by the running product."
    TEST = "test", "Used to test."
    EXAMPLE = "example", "Shows how something is done."
    GENERATED = "generated", "Made by a tool."
    VENDORED = "vendored", "Copied from elsewhere."
    LEGACY = "legacy", "Old, kept beside its successor."
    TEMPLATE = "template", "To be filled in before use."
