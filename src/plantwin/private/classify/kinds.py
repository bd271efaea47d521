"""Kind of an object: its format decides, unless its structure says that it holds something else."""

# fmt: off
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from plantwin.private.classify.rules import split_words
from plantwin.private.facts import Outline

_FORMATS: dict[str, str] = {
    "code_file": "python javascript jsx typescript tsx vue svelte go java ruby rust c cpp csharp php kotlin scala sql"
    " shell html css generic notebook proto graphql jinja template",
    "config": "hcl toml yaml json ini properties env xml dockerfile makefile requirements gomod gemfile gradle"
    " gitignore nginx apache crontab lock security_rules cmake editorconfig jenkinsfile procfile systemd gettext"
    " netrules recipe",
    "structured_record": "interchange csv tsv jsonl columnar sqlite sqlite_table model",
    "log_stream": "log",
    "secret_container": "pem keystore der credentials",
    "document": "markdown rst asciidoc text office pdf diff patch latex bibtex license",
}
FORMAT_KINDS: dict[str, str] = {form: kind for kind, forms in _FORMATS.items() for form in forms.split()}

_MAYBE_LOG = frozenset(("text", "jsonl", "json", "csv", "tsv", "properties", "ini"))
_TREES = frozenset(("json", "yaml", "xml", "toml"))
_SETTINGS = frozenset(("env", "json", "yaml", "ini", "properties", "toml", "xml", "text", "hcl", "csv", "tsv"))
_ROWS = ("row", "finding_record", "metric_field")
_SET_UP = (
    "dependency",
    "locked",
    "workload",
    "compose_service",
    "ci_job",
    "tool_section",
    "translation",
    "hyperparameter",
    "api_path",
    "security_rule",
    "pipeline_step",
    "server_directive",
    "data_check",
    "dbt_source",
    "env_section",
    "infra_monitoring",
)
_HOLDER = re.compile(
    r"(?:^|[/._\-])(?:credentials?|secrets?|passwords?|passwd|tokens?|kubeconfig|netrc|pgpass|htpasswd|pypirc|npmrc"
    r"|service[_-]?account|client[_-]secrets?|api[_-]?keys?|vault|keys?)(?:[/._\-]|$)"
)
_TEMPLATE = re.compile(r"[._\-](?:example|sample|template|dist|default|tmpl|tpl|defaults|j2)(?:[._\-]|$)")
_SECRET_KEY = re.compile(
    r"pass(?:word|wd|phrase)?(?:$|[_\-.])|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key|client-key-data"
    r"|credential|auth(?:$|_)|dsn$|signing(?:$|[_\-.]?key)|passcode",
    re.I,
)
_REAL = 8
_FEW = 40
_LISTED = frozenset(("ini", "properties", "env", "toml"))
_LOGIN_KEYS = frozenset(
    (
        "user", "username", "login", "host", "hostname", "endpoint", "url", "uri", "port", "key_id", "region",
        "account", "role", "database", "dbname", "db", "email", "address", "pin", "name", "server", "id", "tenant",
        "client_id", "domain", "service", "machine",
    )
)
_UNREAL = re.compile(
    r"[<>${}]|change.?me|your[_-]|xxx|placeholder|replace|todo|example\.|^(?:true|false|null|none)$|\*{3}", re.I
)
_SETTING_FAMILIES = frozenset(("infrastructure", "dependencies", "configuration"))
_SETTING_CLASSES = frozenset(("build_manifest", "ci_pipeline", "task_runner", "deploy_manifest", "container_build"))
_DATA_CLASSES = frozenset(("test_fixture", "experiment_metrics", "security_report", "incident_record", "database_dump"))
_KEY_FILES = frozenset(("private_key", "private_key_id", "client_email"))
_WHO = frozenset(("user", "actor", "principal", "username", "account", "upn", "identity", "admin"))
_WHERE = frozenset(("ip", "address", "host", "country", "location", "source", "device"))
_RESULT = frozenset(("result", "outcome", "action", "event", "operation", "mfa", "success", "reason", "activity"))
_ACCESS = frozenset(("ip", "device", "browser", "agent", "login", "signin", "mfa", "country"))
_APPLICATION = frozenset(("client_id", "client_secret"))
_CLIENT_SETTINGS = 14
_CLIENT = frozenset(("clusters", "contexts", "users"))


def kind_of(path: str, outline: Outline, findings: Sequence[tuple[str, str, str, int]]) -> str:
    """One of the six kinds."""
    form, features = outline.format, outline.features
    kind = FORMAT_KINDS.get(form, "document")
    if form in _SETTINGS and holds_credentials(path, outline, findings):
        return "secret_container"
    if form in _MAYBE_LOG and (_logged(outline) or _trail(outline)):
        return "log_stream"
    if form in _TREES:
        if form == "json" and features.keys() & {"private_key", "public_key"}:
            return "secret_container"
        if form == "xml" and "log_build" in features:
            return "log_stream"
        return "code_file" if form == "json" and "test_function" in features else _tree_kind(form, features)
    if form == "html" and "prose_page" in features:
        return "document"
    if form == "sql" and features.get("insert_rows", 0) >= 5 and "create_table" in features:
        return "structured_record"
    if form == "pem" and "certificate" in features and "private_key" not in features:
        return "secret_container"
    return kind


def kind_by_purpose(kind: str, semantic_class: str, family: str) -> str:
    """Kind follows purpose, not syntax: what sets, declares or builds is config in any language."""
    if kind == "code_file" and (family in _SETTING_FAMILIES or semantic_class in _SETTING_CLASSES):
        return "config"
    if kind in ("code_file", "config", "document") and semantic_class == "test_fixture":
        return "structured_record"
    if kind in ("code_file", "config") and semantic_class in _DATA_CLASSES:
        return "structured_record"
    if kind == "structured_record" and (family == "contracts" or semantic_class == "localization"):
        return "config"
    return kind


def _logged(outline: Outline) -> bool:
    """Whether at least half of the lines are log records."""
    records = outline.features.get("log_line", 0)
    rows = outline.features.get("row", 0)
    if outline.format == "json":
        # Its records were counted as records, over however many lines each is spread.
        return records >= 1 and records * 2 >= rows
    return records >= 2 and records * 2 >= max(rows, min(outline.lines, 400))


def _trail(outline: Outline) -> bool:
    """Rows that say when, who, from where and with what result: an exported trail of sign-ins or changes."""
    if "time_field" not in outline.features or outline.format == "text":
        return False
    words = set(split_words(outline.names))
    if not (words & _WHO and words & _WHERE):
        return False
    return bool(words & _RESULT or ("status" in words and words & _ACCESS))


def _tree_kind(form: str, features: Mapping[str, int]) -> str:
    """JSON, YAML, XML or TOML: data when it has rows, findings or measurements and nothing that sets up software."""
    if form == "toml" or (any(feature in features for feature in _SET_UP) and "finding_record" not in features):
        return "config"
    return "structured_record" if any(feature in features for feature in _ROWS) else "config"


def holds_credentials(path: str, outline: Outline, findings: Sequence[tuple[str, str, str, int]]) -> bool:
    """Whether keeping credentials is the purpose: by its name or by the share of secrets among its settings."""
    secrets = sum(count for _, group, level, count in findings if group == "secret" and level != "low")
    form = outline.format
    lower = path.lower()
    base = lower.rpartition("/")[2]
    if _TEMPLATE.search(base):
        return False
    if form == "env":
        return bool(secrets or _real_values(outline))
    if form in ("text", "csv", "tsv") and 0 < outline.lines <= outline.features.get("login_line", 0) * 4:
        return True
    if form in _LISTED and _logins(lower, outline):
        return True
    if not secrets:
        return False
    if form in ("text", "csv"):
        return bool(_HOLDER.search(base)) and outline.lines <= 40 * secrets
    keys = outline.names
    if _APPLICATION.issubset(keys) and len(outline.settings) <= _CLIENT_SETTINGS:
        return True
    if _CLIENT.issubset(keys) or _KEY_FILES.issubset(keys) or "kubeconfig" in base or base in (".npmrc", ".pypirc"):
        return True
    if any(provision.name.startswith("Secret/") for provision in outline.provides):
        return True
    settings = len(outline.settings) or len(keys)
    named = sum(1 for key, _ in outline.settings if _SECRET_KEY.search(key.rpartition(".")[2]))
    if _HOLDER.search(base) and form != "hcl":
        return max(secrets, named) * 5 >= settings
    return settings <= 24 and (secrets * 2 >= settings or (named >= 2 and named * 2 >= settings))


def _logins(path: str, outline: Outline) -> bool:
    """Nothing but names, places and passwords, the latter in the open."""
    settings = outline.settings
    if not 0 < len(settings) <= _FEW:
        return False
    keys = [key.lower().rpartition(".")[2] for key, _ in settings]
    secret = sum(1 for key in keys if _SECRET_KEY.search(key))
    if not all(_SECRET_KEY.search(key) or key in _LOGIN_KEYS for key in keys):
        return False
    least = 5 if _HOLDER.search("/".join(path.split("/")[-2:])) or "/.aws/" in f"/{path}" else 3
    return secret * least >= len(keys) and _real_values(outline) * 2 >= secret


def _real_values(outline: Outline) -> int:
    """Settings named like secrets that hold something other than a placeholder or a reference."""
    return sum(
        1
        for key, value in outline.settings
        if len(value) >= _REAL and _SECRET_KEY.search(key) and not _UNREAL.search(value)
    )
