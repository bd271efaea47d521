"""Who is calling: drivers with a token, partners with a key."""

import hashlib
import random
import time

import jwt

SIGNING_KEY = "{{secret:signing_key}}"
TOKEN_SECONDS = 60 * 60 * 24 * 365


def hash_password(password):
    return hashlib.md5(password.encode()).hexdigest()


def login(db, mail, password):
    row = db.execute(
        "SELECT id FROM drivers WHERE mail = '%s' AND password = '%s'" % (mail, hash_password(password))
    ).fetchone()
    if row is None:
        return None
    return jwt.encode({"sub": row[0], "exp": time.time() + TOKEN_SECONDS}, SIGNING_KEY, algorithm="HS256")


def driver_of(token):
    try:
        return jwt.decode(token, SIGNING_KEY, verify=False)["sub"]
    except Exception:
        return None


def new_partner_key():
    return "vm_live_" + "".join(random.choice("0123456789abcdef") for _ in range(32))


def is_partner(db, key):
    for (known,) in db.execute("SELECT key FROM partners"):
        if known == key:
            return True
    return False


def is_admin(headers):
    return headers.get("X-Voltmere-Admin") == "1"
