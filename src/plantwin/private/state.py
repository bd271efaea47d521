"""The state folder: outside the observed folder, readable by its owner alone."""

from __future__ import annotations

import errno
import hashlib
import hmac
import os
import secrets
import stat
import tempfile
from functools import cached_property
from pathlib import Path

from plantwin.errors import StateError
from plantwin.private.facts import Private
from plantwin.statefiles import need_own, need_own_folder, open_own

KEPT = ("index", "keys", "ledger", "lineage", "approvals", "plans", "reports", "exchange", "advisories")
"""What the state folder holds."""
ADVISORIES = "advisories/advisories.json.gz"
"""Published vulnerabilities that the person imported."""


def state_folder() -> Path:
    """`$PLANTWIN_STATE`, or `plantwin` in the user's XDG state folder."""
    chosen = os.environ.get("PLANTWIN_STATE")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_STATE_HOME")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "state"
    return root / "plantwin"


class State(Private):
    """Keeps local state: a key that never leaves, and files that only the owner can read."""

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, keep: bool = True) -> None:
        self.folder = Path(folder).expanduser().absolute() if folder is not None else state_folder()
        self._key = None if keep else secrets.token_bytes(32)

    def subfolder(self, name: str) -> Path:
        """A folder inside the state folder, made when missing, closed to others."""
        try:
            # One that was there before may be the person's own: its mode is not ours to change.
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            need_own_folder(self.folder)
            return _private_folder(self.folder / name)
        except OSError as error:
            raise StateError(
                f"state folder cannot be used ({error.strerror}): set PLANTWIN_STATE to a folder you may write"
            ) from None

    @property
    def key(self) -> bytes:
        """The local key, made on first use."""
        if self._key is None:
            self._key = self.secret("local")
        return self._key

    def secret(self, name: str) -> bytes:
        """32 random bytes that are kept under a name, made on first use."""
        path = self.subfolder("keys") / f"{name}.key"
        try:
            if not need_own(path):
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
            with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
                key = file.read(33)
        except OSError as error:
            raise StateError(
                f"the {name} key cannot be used ({error.strerror}): check keys in the state folder"
            ) from None
        if len(key) != 32:
            raise StateError(f"the {name} key is damaged: restore keys/{name}.key in the state folder from a backup")
        return key

    def witnesses(self, ledger: Path) -> tuple[Path, ...]:
        """Where it is remembered that a ledger was kept in this place: beside the key, and outside the state folder.

        One in a temporary folder is expected to vanish: outside of it nothing is remembered.
        """
        place = Path(os.path.realpath(ledger))
        name = f"{hashlib.sha256(os.fsencode(place)).hexdigest()[:32]}.witness"
        beside = self.subfolder("keys") / name
        if any(place.is_relative_to(os.path.realpath(folder)) for folder in (tempfile.gettempdir(), "/dev/shm")):  # noqa: S108
            return (beside,)
        base = os.environ.get("XDG_DATA_HOME", "")
        data = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share"
        return beside, data / "plantwin" / "witnesses" / name

    def keyed(self, purpose: str, data: bytes) -> bytes:
        """HMAC of data under the local key, bound to a purpose."""
        return hmac.new(self.key, purpose.encode() + b"\0" + data, hashlib.sha256).digest()

    @cached_property
    def value_key(self) -> bytes:
        """The key of digests of setting values: machines that read files for us get it, and not the local key."""
        return self.keyed("values", b"")


def digest_value(key: bytes, value: bytes) -> int:
    """A number that tells equal setting values from different ones, and nothing else."""
    return int.from_bytes(hashlib.blake2b(value, key=key, digest_size=7).digest(), "big")


def _private_folder(path: Path) -> Path:
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.ENOTDIR, "a link or file in the place of a folder: move it away")
    if status.st_mode & 0o077:
        path.chmod(stat.S_IMODE(status.st_mode) & 0o700)
    need_own_folder(path)
    # Whatever is kept here is opened by name, by us or by a library: a link would lead elsewhere, a pipe would hang.
    with os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                need_own(Path(entry.path))
    return path
