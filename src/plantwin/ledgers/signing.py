"""The ed25519 keys of statements: a secret one that stays here, and a public one to hand over."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from plantwin.errors import InputError

_MISSING = "statements need the package cryptography: pip install 'plantwin[statement]'"
_NO_KEY = "not an ed25519 public key (PEM) and no fingerprint (sha256: and 64 hex digits)"


class Signer:
    """Signs with a secret of 32 bytes."""

    def __init__(self, secret: bytes) -> None:
        ed25519, serialization = _library()
        self._key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
        raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
        self.public: bytes = self._key.public_key().public_bytes(*raw)

    def __repr__(self) -> str:
        return "<Signer private>"

    def sign(self, data: bytes) -> bytes:
        """Return the signature of 64 bytes."""
        signature: bytes = self._key.sign(data)
        return signature

    def pem(self) -> str:
        """The public key in the form that openssl and others read."""
        _, serialization = _library()
        form = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        text: bytes = self._key.public_key().public_bytes(*form)
        return text.decode("ascii")


def signed(public: bytes, signature: bytes, data: bytes) -> bool:
    """Whether the holder of this key signed these bytes."""
    from cryptography.exceptions import InvalidSignature

    ed25519, _ = _library()
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: bytes) -> str:
    """A short form of a public key, to be read out or noted."""
    return f"sha256:{hashlib.sha256(public).hexdigest()}"


def named_key(text: str) -> str:
    """The fingerprint of a key that is given as a file or as its fingerprint."""
    if text.startswith("sha256:") and len(text) == 71 and set(text[7:]) <= set("0123456789abcdef"):
        return text
    ed25519, serialization = _library()
    try:
        key = serialization.load_pem_public_key(Path(text).read_bytes()[:10_000])
    except OSError as error:
        raise InputError(f"the key cannot be read ({error.strerror}): {_NO_KEY}") from None
    except ValueError:
        raise InputError(f"the key is {_NO_KEY}") from None
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise InputError(f"the key is {_NO_KEY}")
    return fingerprint(key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw))


def _library() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise InputError(_MISSING) from None
    return ed25519, serialization
