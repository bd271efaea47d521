"""Find secrets and personal data with the detector, and mask secrets in whatever a result quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding, Job
from plantwin.private.capabilities.engine.source import Source, decoded, in_earnest, production
from plantwin.private.detect.engine import Detector
from plantwin.private.detect.locations import Located, located
from plantwin.private.detect.summary import FINANCIAL, HEALTH, HIDDEN, IDENTITY, preview
from plantwin.vocabulary import OutcomeTag, Severity

if TYPE_CHECKING:
    from plantwin.private.formats.settings import Setting

SECRET = re.compile(
    r"passw|passwd|pwd|secret|token|api_?-?key|private_?-?key|credential|access_?-?key|signing|salt|pepper|cert|auth(?:orization)?$|dsn$|"
    r"connection_?string|webhook",
    re.IGNORECASE,
)
"""Names of settings whose values are secret."""
_USERINFO = re.compile(r"://[^/\s:@]{1,100}:[^/\s@]{1,200}@")
_HARMLESS = re.compile(r"(?:true|false|yes|no|on|off|null|none|\d{1,6}(?:\.\d+)?|\$\{?\w+\}?)?", re.IGNORECASE)
_KEYS = ("private_key", "putty_key", "age_secret_key", "pgp_private", "jwk_private", "crypto_private_key", "kubeconfig")
FOR_TESTS = re.compile(r"(?i)(?:^|[_-])(?:tests?|dev|local|example|change_?me|demo)(?:$|[_-])")
"""Values that say themselves that they are not for use."""
_REHEARSED = re.compile(
    rb"(?m)^\[?(?:dev(?:elopment)?|tests?|testing|local)"
    rb"(?::[ \t]{0,8}(?:&\w{1,40}[ \t]{0,8})?\r?\n(?:[ \t#][^\n]*\n?|\r?\n)*"
    rb"|\][ \t]{0,8}\r?\n(?:[^\[\n][^\n]*\n?|\n)*)"
)
"""A section of settings for development or tests."""
_TESTS = re.compile(rb"(?m)^[ \t]*#\[cfg\(test\)\]")
"""Where the tests of a Rust module begin, which stand at its end."""
_DEFAULT = re.compile(
    r"(?i)(?:my_?|your_?|test_?|some_?)?"
    r"(?:pass(?:word|wd)?|secret|postgres|mysql|root|admin|test|guest|example|changeme)"
    r"(?:[_-]?(?:\d{1,4}|password|secret|here))?!?"
)
"""Passwords that everybody tries first: examples and defaults of development machines."""
NAMES = {
    "basic_auth_url": "Credentials in a URL (basic auth)", "assigned_secret": "Secret", "compared_secret": "Secret",
    "prefixed_token": "Token", "command_password": "Password on a command line",
}  # fmt: skip
"""What types of secrets are called; the others by their own words."""
_INITIALS = frozenset(
    ("aws", "gcp", "api", "url", "jwt", "jwk", "ssh", "pgp", "npm", "id", "smtp", "dsn", "sas", "iam")
)
"""Words that are written in capitals."""
_STATED = re.compile(r"(.{2,80}?) in plain text")
_VENDORS = ("_key", "_token", "_secret", "_webhook")
"""Ends of types whose values may have the form of a vendor."""
_OPEN = frozenset(("django_key", "google_api_key", "laravel_key"))
"""Keys that every installation makes for itself, or that pages and apps are given: their form proves nothing."""
_PROTECTED = frozenset(("password_hash", "htpasswd_hash", "directory_hash", "ansible_vault", "eyaml_secret"))
"""Values that are hashed or encrypted already."""
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}")
_PASSWORD = re.compile(rb"(?i)passw")
_TEST_NAME = re.compile(rb"(?i)\b(?:test|dummy|fake|mock|example)_\w")
"""Names that say that their values are not for use."""
_BUNDLED = re.compile(rb"\b(?:REACT_APP|NEXT_PUBLIC|NUXT_PUBLIC|VUE_APP|EXPO_PUBLIC|GATSBY|VITE)_")
"""Variables that the tools for web pages write into what browsers are given."""
_PUBLISHED = ("phc_", "pk_live_", "pk_test_")
"""Beginnings of keys that browsers are given: PostHog's project key, Stripe's publishable ones."""
_APPS = re.compile(r"(?:^|/)(?:google-services\.json|GoogleService-Info\.plist|\.gitleaks\.toml)$")
"""Files that are built into apps, and lists of what scanners may pass over."""
_REPORTS = re.compile(r"https://[0-9a-f]{32}@")
"""An address that errors are sent to, without a secret part."""
_GENERIC = frozenset(("assigned_secret", "compared_secret", "prefixed_token", "command_password", "password"))


def detector_of(job: Job) -> Detector:
    """Return the detector; the option `rules` names a folder that holds its compiled form, where there is one."""
    from plantwin.private.detect import detector

    folder = job.options.get("rules")
    return detector(folder if isinstance(folder, str) and folder else None)


def secrets(detector: Detector, data: bytes, name: str, label: str, *, personal: bool = True) -> Iterator[Finding]:
    """Find secrets, and personal data if asked for, with masked previews."""
    return secret_findings(detector, located(detector, [data], name), data, label, personal=personal)


def secret_findings(
    detector: Detector, detected: Iterable[Located], data: bytes, label: str, *, personal: bool = True
) -> Iterator[Finding]:
    """Turn what the detector located in the data into findings."""
    rehearsed = _rehearsed(data)
    path = label.partition("#")[0]
    real, live = in_earnest(path), production(path, data)
    for hit in detected:
        if hit.group == "secret":
            before = data[max(0, hit.byte_start - 80) : hit.byte_start].rpartition(b"\n")[2]
            aside = hit.line in rehearsed or not real or _TEST_NAME.search(before) is not None
            yield _secret(hit, label, before, aside, _proven(detector, hit), live)
        elif hit.group == "personal" and personal and hit.confidence != "low":
            yield _personal(hit, label)


def _rehearsed(data: bytes) -> frozenset[int]:
    """Return the lines of sections that settings have for development and tests, and of tests beside code."""
    lines: list[int] = []
    for section in _REHEARSED.finditer(data):
        first = data.count(b"\n", 0, section.start()) + 1
        lines += range(first, first + section[0].count(b"\n") + 1)
    tests = _TESTS.search(data)
    if tests is not None:
        lines += range(data.count(b"\n", 0, tests.start()) + 1, data.count(b"\n") + 2)
    return frozenset(lines)


def _proven(detector: Detector, hit: Located) -> bool:
    """Return whether the value alone, without the name beside it, is known as a key or token of its vendor."""
    if hit.type in _GENERIC or not hit.type.endswith(_VENDORS) or hit.type in _OPEN:
        return False
    return any(found.type == hit.type for found in detector.scan(hit.value.strip().encode("utf-8", "replace")))


def _secret(hit: Located, label: str, before: bytes, rehearsed: bool, proven: bool, live: bool) -> Finding:
    key = hit.type.startswith(_KEYS)
    if hit.allowed:
        severity, hint = Severity.LOW, f"A {hit.allowed} allows it. Check that it still may be here."
    elif hit.type in _PROTECTED:
        severity, hint = Severity.LOW, "It is hashed or encrypted; keep it out of shared files all the same."
    elif _published(hit, label, before):
        severity, hint = Severity.LOW, "Its maker means it to be seen in pages and apps; check what it permits."
    elif _DIGEST.fullmatch(hit.value.strip()) and _PASSWORD.search(before):
        severity, hint = (
            Severity.MEDIUM,
            "It reads as a hash of a password: see that it is salted, and no default.",
        )
    elif hit.confidence == "low":
        severity, hint = Severity.LOW, "Check whether it is real; if so, replace it and keep it outside."
    elif hit.type in _GENERIC and hit.confidence != "high" and _DEFAULT.fullmatch(hit.value.strip(" \"'")):
        severity, hint = Severity.LOW, "A well-known default: make sure that nothing that can be reached uses it."
    elif hit.type.endswith("_url") and FOR_TESTS.search(hit.value.strip()):
        severity, hint = Severity.MEDIUM, "It reads as one for tests: make sure that it is used nowhere else."
    elif rehearsed:
        severity, hint = Severity.MEDIUM, "It lies among tests, examples or files for development: use it nowhere else."
    elif hit.confidence == "high" and (key or proven or (live and hit.type.endswith("_url"))):
        severity, hint = Severity.CRITICAL, "Revoke and replace it, then read it from a secret store."
    elif hit.confidence == "high" and live:
        severity, hint = Severity.HIGH, "Replace it, and read it from the environment or a secret store."
    else:
        severity, hint = Severity.MEDIUM, "If it is real, replace it and read it from the environment."
    return Finding(
        name=label,
        line=hit.line,
        severity=severity.value,
        tag=(OutcomeTag.PRIVATE_KEY if key else OutcomeTag.HARDCODED_SECRET).value,
        message=f"{name_of(hit.type)} in plain text ({hit.confidence} confidence)",
        hint=hint,
        evidence="" if key else preview(hit.value.strip()),
    )


def _published(hit: Located, label: str, before: bytes) -> bool:
    """Return whether whoever uses a page or an app is given the value with it."""
    value = hit.value.strip()
    return (
        value.startswith(_PUBLISHED)
        or (hit.type in _GENERIC and _BUNDLED.search(before) is not None)
        or (hit.type == "google_api_key" and _APPS.search(label) is not None)
        or (hit.type == "sentry_dsn" and _REPORTS.match(value) is not None)
    )


def name_of(type: str) -> str:
    """Return what a type of secret is called."""
    name = " ".join(word.upper() if word in _INITIALS else word for word in type.split("_"))
    return NAMES.get(type) or f"{name[:1].upper()}{name[1:]}"


def type_of(message: str) -> str:
    """Return the type that the message of a finding states; of those that are called alike, the first."""
    stated = _STATED.match(message)
    known = {name: type for type, name in reversed(NAMES.items())}
    return known.get(stated[1]) or stated[1].lower().replace(" ", "_") if stated is not None else "secret"


def _personal(hit: Located, label: str) -> Finding:
    grave = hit.type in FINANCIAL or hit.type in HEALTH or hit.type in IDENTITY
    return Finding(
        name=label,
        line=hit.line,
        severity=(Severity.MEDIUM if grave else Severity.LOW).value,
        tag=OutcomeTag.PERSONAL_DATA.value,
        message=f"Personal data: {hit.type.replace('_', ' ')}",
        evidence=preview(hit.value.strip()),
    )


def secret_lines(detector: Detector, data: bytes, name: str) -> frozenset[int]:
    """Return the lines on which a secret stands."""
    return lines_of(located(detector, [data], name))


def lines_of(detected: Iterable[Located]) -> frozenset[int]:
    """Return the lines of the secrets among what the detector located."""
    return frozenset(
        line
        for hit in detected
        if hit.group == "secret"
        for line in range(hit.line, hit.line + hit.value.count("\n") + 1)
    )


def shown(setting: Setting, secret: frozenset[int]) -> str:
    """Return a setting's value, or a mask where it is or may be a secret."""
    value = setting.value
    if _HARMLESS.fullmatch(value):
        return value or "(empty)"
    if setting.line in secret or SECRET.search(setting.path) or _USERINFO.search(value):
        return HIDDEN
    return value


def masked_text(detector: Detector, source: Source) -> str:
    """Return the text of an object with every secret masked, line for line."""
    if source.binary or source.data.startswith((b"\xff\xfe", b"\xfe\xff")) or not source.text:
        return source.text
    parts: list[bytes] = []
    end = 0
    for hit in located(detector, [source.data], source.input.name, cells=True):
        if hit.group != "secret" or hit.confidence == "low" or hit.name or hit.byte_start < end:
            continue
        lines = hit.value.count("\n")
        mask = HIDDEN + "\n" * lines if lines else preview(hit.value)
        parts += (source.data[end : hit.byte_start], mask.encode("utf-8", "replace"))
        end = hit.byte_end
    return decoded(b"".join((*parts, source.data[end:]))) if parts else source.text
