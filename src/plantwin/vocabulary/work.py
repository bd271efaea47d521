"""What can be asked for, and what can be answered."""

# fmt: off
from __future__ import annotations

from plantwin.vocabulary.terms import Term


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
    SPLIT = "split", "Tells a set as smaller sets, cut along one dimension, at their price."
    REPORT = "report", "Joins earlier results into one report for the person."
    # the folder as a whole
    EXPLAIN_PROJECT = "explain_project", "Says what a folder is, its parts, how to run and test it."
    MEASURE_SIZE = "measure_size", "Counts files, lines and bytes; names the largest."
    CHANGES_SINCE = "changes_since", "Lists what changed lately, by part."
    FIND_DUPLICATES = "find_duplicates", "Finds files and functions that are there more than once."
    LIST_TODOS = "list_todos", "Lists notes of what is left to do."
    LIST_LICENSES = "list_licenses", "Lists licences of the project and its parts."
    LIST_EXPOSED_PORTS = "list_exposed_ports", "Lists network ports that are opened."
    FIND_PERSONAL_DATA = "find_personal_data", "Finds where data about people is kept."
    LIST_INVENTORY = "list_inventory", "Lists declared endpoints, packages, stores, tables."
    LIST_ENVIRONMENT_VARIABLES = "list_environment_variables", "Lists environment variables that the code reads."
    # coding
    FIND_CODE = "find_code", "Finds where something is done."
    FIND_TESTS = "find_tests", "Finds the tests of it, and what has none."
    FIND_DEAD_CODE = "find_dead_code", "Finds code that nothing uses."
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
    QUERY_DATA = "query_data", "Computes figures over tables and logs."
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


class Examined(Term):
    """How much of what a step was given it could examine: so that nothing found and nothing looked at differ."""

    ALL = "all", "Every one."
    MOST = "most", "More than half."
    SOME = "some", "At least one, and at most half."
    NONE = "none", "Not one."


class Affected(Term):
    """How many of what a step examined it found something in."""

    NONE = "none", "Not one."
    ONE = "one", "Exactly one."
    FEW = "few", "At most half."
    MOST = "most", "More than half."
    ALL = "all", "Every one."


class Part(Term):
    """A part of a step's result that a later step can take: it is found locally and never listed."""

    AFFECTED = "affected", "Those in which something was found."
    CLEAN = "clean", "Those that were examined and in which nothing was found."
    WORST = "worst", "Those with the most severe findings."
    UNEXAMINED = "unexamined", "Those that could not be examined."
    MATCHED = "matched", "Those that were found."
    RELATED = "related", "Those that it touches or depends on."
    NEWER = "newer", "Of each pair the newer one."
    OLDER = "older", "Of each pair the older one."


class WorksOn(Term):
    """What a capability does with a set."""

    EACH = "each", "It works on every member by itself."
    PAIRS = "pairs", "It works on pairs of members that belong together."
    WHOLE = "whole", "It works on all members at once."


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
    UNKNOWN_STEP = "unknown_step", "An input is neither an object, nor a set, nor a step."
    CYCLE = "cycle", "Steps wait for each other."
    UNKNOWN_CAPABILITY = "unknown_capability", "A step asks for something that is not in the catalog."
    UNKNOWN_INPUT = "unknown_input", "An input has an id that this session did not show."
    WRONG_NUMBER = "wrong_number", "A step has too few or too many inputs, or the same one twice."
    WRONG_INPUT = "wrong_input", "A capability does not take what an input was told to be."
    WRONG_RESULT = "wrong_result", "A capability does not take the result of that step."
    UNKNOWN_PART = "unknown_part", "The result of that step has no such part."


class Left(Term):
    """How much of what may be told of a set or an object is left to tell. Of what has nothing left nothing is said."""

    MOST = "most", "More than half."
    SOME = "some", "More than an eighth."
    LITTLE = "little", "Less."


class Risk(Term):
    """How much a capability can do or show."""

    LOW = "low", "Reads and counts."
    MEDIUM = "medium", "Reads content whose outcome is telling, or writes a new local file."
    HIGH = "high", "Runs code of the environment, or changes something."
