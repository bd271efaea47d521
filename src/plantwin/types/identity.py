"""Fresh opaque ids: random per session, so that they say nothing and link nothing."""

from __future__ import annotations

import base64
import secrets


class Issuer:
    """Issues ids for one session from a cryptographic source and never issues one twice."""

    def __init__(self) -> None:
        self._issued: set[str] = set()

    def object_id(self) -> str:
        """A fresh `artifact_…` id."""
        return self._fresh("artifact_")

    def component_id(self) -> str:
        """A fresh `component_…` id."""
        return self._fresh("component_")

    def set_id(self) -> str:
        """A fresh `set_…` id."""
        return self._fresh("set_")

    def capability_id(self) -> str:
        """A fresh `custom_…` name for a person's own capability."""
        return self._fresh("custom_")

    def _fresh(self, prefix: str) -> str:
        while True:
            token = prefix + base64.b32encode(secrets.token_bytes(5)).decode("ascii").lower()
            if token not in self._issued:
                self._issued.add(token)
                return token
