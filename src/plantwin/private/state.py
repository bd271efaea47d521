"""The state folder: outside the observed folder, readable by its owner alone."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from plantwin.errors import StateError

KEPT = ("index", "keys", "ledger", "lineage", "approvals", "plans", "reports", "exchange")
"""What the state folder holds."""


def state_folder() -> Path:
    """`$PLANTWIN_STATE`, or `plantwin` in the user's XDG state folder."""
    chosen = os.environ.get("PLANTWIN_STATE")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_STATE_HOME")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "state"
    return root / "plantwin"


class State:
    """Keeps local state: a key that never leaves, and files that only the owner can read."""

    def __init__(self, folder: Path | None = None, *, keep: bool = True) -> None:
        self.folder = folder.absolute() if folder is not None else state_folder()
        self._key = None if keep else secrets.token_bytes(32)

    def __repr__(self) -> str:
        return "<State private>"

    def subfolder(self, name: str) -> Path:
        """A folder inside the state folder, made when missing, closed to others."""
        try:
            # One that was there before may be the person's own: its mode is not ours to change.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _private_folder(self.folder / name)
        except OSError as error:
            raise StateError(
                f"state folder cannot be used ({error.strerror}): set PLANTWIN_STATE to a folder you may write"
            ) from None

    @property
    def key(self) -> bytes:
        """The local key, made on first use."""
        if self._key is None:
            self._key = self._load_key()
        return self._key

    def _load_key(self) -> bytes:
        path = self.subfolder("keys") / "local.key"
        try:
            if not path.exists():
                draft = path.with_name(f".{secrets.token_hex(8)}")
                descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(secrets.token_bytes(32))
                    file.flush()
                    os.fsync(file.fileno())
                # link() loses cleanly when another process was first; both then read the same key.
                try:
                    os.link(draft, path)
                except FileExistsError:
                    pass
                finally:
                    draft.unlink()
            key = path.read_bytes()
        except OSError as error:
            raise StateError(f"the local key cannot be used ({error.strerror})") from None
        if len(key) != 32:
            raise StateError("the local key is damaged: restore keys/local.key in the state folder from a backup")
        return key

    def keyed(self, purpose: str, data: bytes) -> bytes:
        """HMAC of data under the local key, bound to a purpose."""
        return hmac.new(self.key, purpose.encode() + b"\0" + data, hashlib.sha256).digest()

    def digest_value(self, value: bytes) -> int:
        """A number that tells equal setting values from different ones, and nothing else."""
        return int.from_bytes(hashlib.blake2b(value, key=self.key, digest_size=7).digest(), "big")


def _private_folder(path: Path) -> Path:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        path.chmod(mode & 0o700)
    return path
