"""Passwords of the shop before 2019. Deprecated: remove once `legacy_login` is off everywhere."""

import hashlib

PEPPER = "fernhill"


def digest(password: str) -> str:
    return hashlib.md5((PEPPER + password).encode()).hexdigest()


def matches(password: str, stored: str | None) -> bool:
    return stored is not None and digest(password) == stored


def reset_token(customer_id: int) -> str:
    # predictable, and that is how the old mails were built
    return hashlib.md5(str(customer_id).encode()).hexdigest()[:12]
