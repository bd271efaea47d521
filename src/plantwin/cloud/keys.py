"""Keys of providers: from the environment or the system's keyring, never from a file of settings, never printed."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from plantwin.errors import InputError

SERVICE = "plantwin"
"""Under which keys are kept in the keyring: `keyring set plantwin NAME`."""
_key = re.compile(r"[!-~]{1,4096}")


class Key:
    """A secret that can be put into a header and nowhere else."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not _key.fullmatch(text):
            raise InputError("a key with spaces or unusual characters: copy it again")
        self._text = text

    def reveal(self) -> str:
        """The secret itself, for the one place that sends it."""
        return self._text

    def __repr__(self) -> str:
        return "<Key>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise InputError("a key cannot be copied or stored")


def found_key(
    names: Sequence[str], entry: str | None = None, environ: Mapping[str, str] | None = None
) -> tuple[Key, str] | None:
    """A key and where it is from: the first of these variables that is set, else the keyring's entry."""
    environ = os.environ if environ is None else environ
    for name in names:
        if text := environ.get(name, "").strip():
            return Key(text), name
    if entry is not None and (text := _kept(entry)):
        return Key(text), f"keyring {SERVICE}/{entry}"
    return None


def _kept(entry: str) -> str:
    """What the keyring holds. Without the `keyring` extra, or with a locked one, nothing."""
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return (keyring.get_password(SERVICE, entry) or "").strip()
    except Exception:  # every backend has errors of its own; none may be quoted
        return ""
