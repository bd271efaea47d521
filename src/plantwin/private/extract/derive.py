"""Features that no single parser sees: sums over others, and a few shapes of the raw bytes."""

from __future__ import annotations

import re

from plantwin.private.facts import Outline

_INFRA = (
    "infra_compute",
    "infra_network",
    "infra_storage",
    "infra_database",
    "infra_cluster",
    "infra_access",
    "infra_monitoring",
)
_BEGIN = re.compile(rb"-----BEGIN ([A-Z0-9 ]{0,40})-----|^PuTTY-User-Key-File|---- BEGIN SSH2 ([A-Z ]{0,40})KEY", re.M)
_PUBLIC = re.compile(rb"^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S{1,40}|sk-ssh-\S{1,40}) AAAA", re.M)
_LETTER = re.compile(rb"^(?:From|To|Cc|Subject|Date|Sent):[ \t]\S", re.M)
_LABEL = re.compile(rb"^\s{0,3}(?:\*\*|__)?([A-Z][A-Za-z]{2,20}(?: [A-Za-z&/-]{1,20}){0,4})(?:\*\*|__)?:", re.M)
_LABELLED = frozenset(("text", "markdown", "rst", "asciidoc"))
_MINIFIED = frozenset(("javascript", "css", "typescript"))
_FIXTURES = re.compile(r"(?:^|/)(?:fixtures?|testdata|test[_-]data|__fixtures__|__mocks__|mocks|__snapshots__)/", re.I)
_LOOK = 16 << 10
_LABELS = 24
_IMPORTED = 3
"""A test framework's import, its names and its decorators count as so many at most."""
_MOMENT = re.compile(
    rb"^[|*\-+ \t]{0,8}(?:\*\*)?(?:\d{2,4}-\d\d(?:-\d\d)?[ T]|[A-Z][a-z]{2} \d{1,2},? )?[~]?\d{1,2}:\d\d\b", re.M
)
"""A line that opens with a time of day."""


def derive(path: str, outline: Outline, head: bytes) -> None:
    """Add the derived features to an outline, in place."""
    features = outline.features
    form = outline.format
    if _FIXTURES.search(path):
        features["made_for_tests"] = 1
    if "infra_compute" in features or "infra_network" in features or form in ("hcl", "yaml", "json"):
        _infrastructure(features)
    if 0 < features.get("test_function", 0) <= _IMPORTED and "assertion" not in features and not _tests(outline):
        # A test framework is imported and nothing is tested: a helper.
        features["test_import"] = features.pop("test_function")
    if form == "hcl":
        modules = sum(1 for reference in outline.references if reference.how == "terraform")
        if modules:
            features["module_call"] = modules
    if form == "pem":
        _keys(features, head[:_LOOK])
    elif form in _LABELLED:
        _documents(outline, head[:_LOOK])
    elif form in _MINIFIED and len(head) > 2000 and head.count(b"\n", 0, _LOOK) * 400 < min(len(head), _LOOK):
        features["minified"] = 1


def _tests(outline: Outline) -> bool:
    return any(name[:4].lower() == "test" or name.startswith(("it_", "should")) for name in outline.names)


def _infrastructure(features: dict[str, int]) -> None:
    counts = [features[part] for part in _INFRA if part in features]
    if not counts:
        return
    if "task" in features and "infra_compute" in features:
        features["playbook"] = features["task"]
    total = sum(counts)
    features["infra_resource"] = total
    if len(counts) >= 3 and max(counts) * 10 < total * 6:
        features["infra_mixed"] = len(counts)


def _keys(features: dict[str, int], head: bytes) -> None:
    for match in _BEGIN.finditer(head):
        label = match[1] or match[2] or b""
        if b"PRIVATE" in label or match[0].startswith(b"PuTTY"):
            features["private_key"] = features.get("private_key", 0) + 1
        elif b"CERTIFICATE" in label or b"CRL" in label or b"PKCS7" in label:
            features["certificate"] = features.get("certificate", 0) + 1
        else:
            features["public_key"] = features.get("public_key", 0) + 1
    if _PUBLIC.search(head):
        features["public_key"] = features.get("public_key", 0) + 1


def _documents(outline: Outline, head: bytes) -> None:
    """Letters have address lines; notes and records have labelled lines, which read like headings."""
    if len({match[0][:3] for match in _LETTER.finditer(head[:1500])}) >= 2:
        outline.features["correspondence"] = 1
    features = outline.features
    features["prose_unit"] = 1 + sum(features.get(unit, 0) for unit in ("paragraph", "list_item", "numbered_step"))
    moments = len(_MOMENT.findall(head))
    if moments >= 3 and "log_line" not in features:
        features["timeline"] = max(moments, features.get("timeline", 0))
    headings = outline.headings
    for label in list(dict.fromkeys(_LABEL.findall(head)))[:_LABELS]:
        if len(headings) < 60:
            headings.append(label.decode("ascii", "replace"))
