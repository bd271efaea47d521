"""Signatures of webhooks: v1 is md5 over the body, v2 is HMAC with SHA-256."""

import hashlib
import hmac
import os

SHARED = os.environ.get("WEBHOOK_SECRET", "thistle-dev-secret").encode()


def legacy_signature(body, secret):
    """What v1 sent."""
    return hashlib.md5(secret + body).hexdigest()


def signed(body, secret):
    """Headers for a delivery."""
    digest = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return {"X-Signature": "v2=" + digest}


def verify(body, signature, secret=SHARED):
    """Whether a signature fits, in either form."""
    version, _, value = signature.partition("=")
    if version == "v2":
        return value == hmac.new(secret, body, hashlib.sha256).hexdigest()
    return signature == legacy_signature(body, secret)
