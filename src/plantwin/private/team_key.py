"""The keys of a team: handed over as one file that a passphrase opens, and put into a state folder.

`local` names accounts: it is the same for all members and is never changed, or every account would begin anew.
`ledger` signs the ledger's lines: it is changed when somebody leaves.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from plantwin.errors import InputError, StateError
from plantwin.private.state import State
from plantwin.statefiles import need_own

_MAGIC = b"plantwin team key 1\n"
_SALT, _NONCE = 16, 12
_COST = {"n": 1 << 16, "r": 8, "p": 1}
LEAST = 12
"""Characters of a passphrase: whoever gets the file can try as many as they like."""


def sealed(state: State, passphrase: str, ledger: bytes) -> bytes:
    """The keys, encrypted under a passphrase."""
    if len(passphrase) < LEAST:
        raise InputError(f"the passphrase is shorter than {LEAST} characters")
    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    body: bytes = _cipher(passphrase, salt).encrypt(nonce, state.key + ledger, _MAGIC)
    return _MAGIC + salt + nonce + body


def opened(data: bytes, passphrase: str) -> tuple[bytes, bytes]:
    """The keys `local` and `ledger` of such a file."""
    from cryptography.exceptions import InvalidTag

    head, body = data[: len(_MAGIC)], data[len(_MAGIC) :]
    try:
        if head != _MAGIC:
            raise InputError("not a file of a team's keys: `plantwin ledger share` writes one")
        salt, nonce = body[:_SALT], body[_SALT : _SALT + _NONCE]
        keys: bytes = _cipher(passphrase, salt).decrypt(nonce, body[_SALT + _NONCE :], _MAGIC)
    except (InvalidTag, ValueError):
        raise InputError("the passphrase is wrong, or the file was changed") from None
    return keys[:32], keys[32:]


def join(state: State, local: bytes, ledger: bytes) -> None:
    """Put a team's keys into a state folder; one that has accounts of its own keeps them."""
    folder = state.subfolder("keys")
    place = folder / "local.key"
    if not need_own(place):
        _write(place, local)
    if state.secret("local") != local:
        raise StateError(
            "this state folder has a key of its own, which names all of its accounts: join with an empty one "
            "(--state DIR, or PLANTWIN_STATE)"
        )
    use_ledger_key(state, ledger)


def use_ledger_key(state: State, ledger: bytes) -> None:
    """Use this key for the ledger from now on; the one before is kept beside it."""
    place = state.subfolder("keys") / "ledger.key"
    if need_own(place) and (before := state.secret("ledger")) != ledger:
        _write(place.with_name(f"ledger-before-{secrets.token_hex(4)}.key"), before)
    _write(place, ledger)


def _write(path: Path, key: bytes) -> None:
    draft = path.with_name(f".{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _cipher(passphrase: str, salt: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ImportError:
        raise InputError("a team's keys need the package cryptography: pip install 'plantwin[postgres]'") from None
    return ChaCha20Poly1305(Scrypt(salt=salt, length=32, **_COST).derive(passphrase.encode()))
