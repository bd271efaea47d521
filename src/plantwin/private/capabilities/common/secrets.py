"""What the detector finds, as findings with masked previews."""

from __future__ import annotations

from collections.abc import Iterator

from plantwin.private.capabilities.job import Finding, Job
from plantwin.private.redact.engine import Detector
from plantwin.private.redact.located import Located, located
from plantwin.private.redact.masking import preview
from plantwin.private.redact.summary import FINANCIAL, HEALTH, IDENTITY
from plantwin.vocabulary import OutcomeTag, Severity

_KEYS = ("private_key", "putty_key", "age_secret_key", "pgp_private", "jwk_private", "crypto_private_key", "kubeconfig")
_PROVEN = ("_key", "_token", "_secret", "_webhook", "_url")
_HASHES = frozenset(("password_hash", "htpasswd_hash", "ansible_vault", "eyaml_secret"))
"""Values that are protected already: worth knowing, not open."""
_GENERIC = frozenset(("assigned_secret", "compared_secret", "prefixed_token", "command_password", "password"))


def detector_of(job: Job) -> Detector:
    """The detector; the option `rules` names a folder that holds its compiled form, where there is one."""
    from plantwin.private.redact import detector

    folder = job.options.get("rules")
    return detector(folder if isinstance(folder, str) and folder else None)


def secrets(detector: Detector, data: bytes, name: str, label: str, *, personal: bool = True) -> Iterator[Finding]:
    """Findings of the groups that matter, each with its place and masked."""
    for each in located(detector, [data], name):
        if each.group == "secret":
            yield _secret(each, label)
        elif each.group == "personal" and personal and each.confidence != "low":
            yield _personal(each, label)


def _secret(each: Located, label: str) -> Finding:
    key = each.type.startswith(_KEYS)
    words = each.type.replace("_", " ")
    if each.allowed:
        severity, hint = Severity.LOW, f"A {each.allowed} allows it. Check that it still may be here."
    elif each.type in _HASHES:
        severity, hint = Severity.LOW, "It is hashed or encrypted; keep it out of shared files all the same."
    elif each.confidence == "low":
        severity, hint = Severity.LOW, "Check whether it is real; if so, replace it and keep it outside."
    elif key or (each.confidence == "high" and each.type not in _GENERIC and each.type.endswith(_PROVEN)):
        severity, hint = Severity.CRITICAL, "Revoke and replace it, then read it from a secret store."
    elif each.confidence == "high":
        severity, hint = Severity.HIGH, "Replace it, and read it from the environment or a secret store."
    else:
        severity, hint = Severity.MEDIUM, "If it is real, replace it and read it from the environment."
    return Finding(
        name=label,
        line=each.line,
        severity=severity.value,
        tag=(OutcomeTag.PRIVATE_KEY if key else OutcomeTag.HARDCODED_SECRET).value,
        message=f"{_article(words)} {words} in the open ({each.confidence} confidence)",
        hint=hint,
        evidence="" if key else preview(each.value.strip()),
    )


def _personal(each: Located, label: str) -> Finding:
    grave = each.type in FINANCIAL or each.type in HEALTH or each.type in IDENTITY
    words = each.type.replace("_", " ")
    return Finding(
        name=label,
        line=each.line,
        severity=(Severity.MEDIUM if grave else Severity.LOW).value,
        tag=OutcomeTag.PERSONAL_DATA.value,
        message=f"Personal data: {words}",
        evidence=preview(each.value.strip()),
    )


def _article(words: str) -> str:
    return "An" if words[0] in "aeiou" else "A"
