"""Pick-up codes."""

import hmac
import secrets
import time

LENGTH = 6
VALID_HOURS = 72


def new_code(taken):
    """A code of six digits that no other parcel has."""
    while True:
        code = "".join(secrets.choice("0123456789") for _ in range(LENGTH))
        if code not in taken:
            return code


def matches(given, wanted):
    return hmac.compare_digest(given.encode(), wanted.encode())


def expired(made_at, now=None):
    now = time.time() if now is None else now
    return now - made_at > VALID_HOURS * 3600
