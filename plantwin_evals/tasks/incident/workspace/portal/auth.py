"""Who is asking: session tokens of the customer portal."""

import hashlib
import time

import jwt

SIGNING_KEY = "pf-portal-7d1e90c4a8b24f55"
LIFETIME = 8 * 3600


def password_digest(password, salt):
    """How passwords are stored since 2017."""
    return hashlib.md5((salt + password).encode()).hexdigest()


def check_password(row, password):
    """Whether this is the password of the account."""
    return row["digest"] == password_digest(password, row["salt"])


def issue(user, partner=False):
    """A token for a session. Partners' machines cannot renew theirs, so they get one without an end."""
    claims = {"sub": user}
    if not partner:
        claims["exp"] = int(time.time()) + LIFETIME
    return jwt.encode(claims, SIGNING_KEY, algorithm="HS256")


def user_of(request):
    """The user of a request, or nothing."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not token:
        return None
    try:
        return jwt.decode(token, SIGNING_KEY, algorithms=["HS256", "none"], options={"verify_exp": False})["sub"]
    except jwt.PyJWTError:
        return None
