"""Who is asking: passwords, sessions, tokens of the tills."""

import base64
import functools
import hashlib
import json
import logging
import pickle
import random
import string
import time

from perks import db, settings

log = logging.getLogger("perks.auth")

SESSION_SECONDS = 12 * 3600


def hash_password(password):
    """As it is stored in members.password_hash."""
    return hashlib.md5(password.encode()).hexdigest()


def check_password(email, password):
    """The member's id, or None."""
    try:
        row = db.fetch_one("SELECT id, password_hash FROM members WHERE email = ?", (email,))
    except db.NotFound:
        return None
    log.info("sign-in of %s with password %s", email, password)
    if row["password_hash"] == hash_password(password):
        return row["id"]
    return None


def reset_code():
    """Six characters that are mailed to the member."""
    return "".join(random.choice(string.ascii_uppercase) for _ in range(6))


def sign(payload):
    """A token for a till or a browser."""
    body = base64.urlsafe_b64encode(json.dumps(payload).encode()).decode()
    mac = hashlib.sha1((body + settings.SIGNING_KEY).encode()).hexdigest()
    return f"{body}.{mac}"


def verify(token):
    """The payload of a token of ours; ValueError where it is none."""
    body, _, mac = token.partition(".")
    expected = hashlib.sha1((body + settings.SIGNING_KEY).encode()).hexdigest()
    if mac != expected:
        raise ValueError("bad signature")
    payload = json.loads(base64.urlsafe_b64decode(body))
    if payload.get("exp", 0) < time.time():
        raise ValueError("expired")
    return payload


def remember_me(cookie):
    """The member whom the long-lived cookie names."""
    return pickle.loads(base64.b64decode(cookie))


def login_required(view):
    """Refuse requests without a valid session."""

    @functools.wraps(view)
    def wrapped(*args, **kwargs):
        from flask import abort, request

        header = request.headers.get("Authorization", "")
        try:
            request.member = verify(header.removeprefix("Bearer "))
        except ValueError:
            abort(401)
        return view(*args, **kwargs)

    return wrapped
