"""What the name of a column or key says about its values."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from plantwin.private.redact.columns import HEADERS


class Heading(NamedTuple):
    """What a column holds by its name."""

    type: str
    group: str
    confidence: str


_TAILED = frozenset(
    [
        "password",
        "us_ssn",
        "national_id",
        "payment_card",
        "iban",
        "phone",
        "email",
        "date_of_birth",
        "medical_record_number",
        "person_name",
    ]
)
"""Types that a name may end in, after words such as `customer` or `billing`."""
_PLAIN = frozenset(("name", "pan", "token", "secret", "pass", "account_number", "account_no"))
"""Words that mean something else after another word: `file_name`, `next_token`."""
_MORE: tuple[tuple[str, str, str, str], ...] = (
    (
        "password",
        "secret",
        "medium",
        r"(?:password|passwd|pwd|pin)_?(?:hash|digest|salt)|(?:access|refresh|auth|api|session)_token|client_secret"
        r"|access_key|secret_key|private_key|credentials?",
    ),
    (
        "national_id",
        "personal",
        "high",
        r"(?:tax|vat|fiscal)_?(?:no|number|code)|codice_fiscale|nif|nie|dni|curp|rfc|nin|sin|nric|hkid|tfn|insee"
        r"|steuer_?(?:id|nummer)|numero_?secu|citizen_?id|identity_?(?:no|number)|id_?card(?:_?(?:no|number))?",
    ),
    (
        "driver_license",
        "personal",
        "high",
        r"driv(?:er|ing)s?_?licen[cs]e(?:_?(?:no|number))?|licen[cs]e_?plate|dl_?number",
    ),
    (
        "health_insurance_number",
        "personal",
        "high",
        r"health_?(?:insurance|card)_?(?:no|number|id)|medicare(?:_?(?:no|number|id))?|medicaid_?id"
        r"|member_?(?:no|number)",
    ),
    ("card_security_code", "personal", "high", r"cvv2?|cvc|card_?security_?code"),
    (
        "bank_account",
        "personal",
        "high",
        r"routing_?(?:no|number)|sort_?code|bic|swift(?:_?code)?|kontonummer|clabe",
    ),
    (
        "person_name",
        "personal",
        "medium",
        r"(?:pre|nick|legal|display|mother|father|spouse)_?name|apellidos?|prenom|nom|cognome|nombre",
    ),
    (
        "postal_address",
        "personal",
        "medium",
        r"(?:residential|mailing|postal|delivery)_?address|adresse|direccion|strasse|street_?(?:name|number|address)",
    ),
    (
        "person_attribute",
        "personal",
        "medium",
        r"disabilit(?:y|ies)|sexual_?orientation|political_?(?:view|party)|trade_?union|caste|biometric",
    ),
    (
        "ipv4",
        "infrastructure",
        "medium",
        r"(?:client|remote|source|src|dest|dst|user|login|last)_?ip(?:_?address)?|ip(?:_?(?:address|addr))?|ipv4"
        r"|x_forwarded_for",
    ),
    ("mac_address", "infrastructure", "medium", r"mac(?:_?addr(?:ess)?)?"),
    ("location", "personal", "medium", r"lat(?:itude)?|lng|lon(?:gitude)?|geo(?:location|_?point)|gps"),
)
_NAMES = [
    (re.compile(words), Heading(type_, group, confidence)) for type_, group, confidence, words in (*HEADERS, *_MORE)
]
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@lru_cache(maxsize=2048)
def heading(name: str) -> Heading | None:
    """What a column of this name holds, if the name says so."""
    plain = re.sub(r"[\W_]{1,64}", "_", _HUMP.sub("_", name[:64])).strip("_").lower()
    if not plain:
        return None
    for pattern, found in _NAMES:
        if pattern.fullmatch(plain):
            return found
    words = plain.split("_")
    for first in range(1, min(len(words), 5)):
        tail = "_".join(words[first:])
        if tail in _PLAIN:
            continue
        for pattern, found in _NAMES:
            if found.type in _TAILED and pattern.fullmatch(tail):
                return found
    return None


def plain_word(name: str) -> bool:
    """Whether a name is one that means something else in most places, such as `name` or `token`."""
    return name.strip().lower() in _PLAIN
