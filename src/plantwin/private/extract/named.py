"""What the name of settings says, and what their dialects declare without a parser of their own."""

from __future__ import annotations

import re

SETTINGS = frozenset(("yaml", "json", "toml", "ini", "properties", "xml", "javascript", "typescript"))
_ENVIRONMENT = re.compile(
    r"(?:^|[._-])(?:prod|production|staging|stage|stg|dev|development|qa|uat|sandbox|preprod|preview|local|live"
    r"|canary)(?:[._-]|$)"
)
_TOOL = re.compile(
    r"^\.[a-z][a-z-]{1,30}rc(?:\.(?:json5?|ya?ml|toml|[cm]?js|[cm]?ts))?$|^[a-z][\w.-]{1,40}\.config\.[cm]?[jt]s$"
)
_PROVIDERS: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern), feature)
    for pattern, feature in (
        (rb"Microsoft\.Network/|Microsoft\.Cdn/", "infra_network"),
        (rb"Microsoft\.Storage/", "infra_storage"),
        (rb"Microsoft\.(?:Sql|DBfor\w{1,20}|DocumentDB|Cache)/", "infra_database"),
        (rb"Microsoft\.(?:ContainerService|Kubernetes)/", "infra_cluster"),
        (rb"Microsoft\.(?:Authorization|KeyVault|ManagedIdentity)/", "infra_access"),
        (rb"Microsoft\.(?:Insights|OperationalInsights|Monitor)/", "infra_monitoring"),
        (rb"Microsoft\.(?:Compute|Web|App|ContainerInstance|Batch)/", "infra_compute"),
    )
)


def name_settings(path: str, features: dict[str, int]) -> None:
    """Settings whose name says for which environment or for which tool they are."""
    folder, _, base = path.lower().rpartition("/")
    if _TOOL.match(base):
        features.setdefault("tool_section", 1)
        return
    if _ENVIRONMENT.search(base.rpartition(".")[0] or base) or _ENVIRONMENT.fullmatch(folder.rpartition("/")[2]):
        features["env_named"] = 1


def declare(features: dict[str, int], head: bytes) -> None:
    """Bicep: resources by their provider."""
    found = 0
    for pattern, feature in _PROVIDERS:
        count = len(pattern.findall(head))
        if count:
            found += count
            features[feature] = features.get(feature, 0) + count
    if not found:
        features["infra_variable"] = head.count(b"\nparam ") + head.count(b"\noutput ") + 1
