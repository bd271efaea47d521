"""Thin wrapper around the ticket system that the duty officers use."""

from __future__ import annotations

import os

import requests


class Desk:
    def __init__(self, base: str | None = None) -> None:
        self.base = base or os.environ["DESK_URL"]
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {os.environ['DESK_TOKEN']}"

    def _call(self, method: str, path: str, **body: object) -> dict:
        answer = self.session.request(method, f"{self.base}/rest/v3/{path}", json=body or None, timeout=15)
        answer.raise_for_status()
        return answer.json() if answer.content else {}

    def create(self, title: str, severity: str) -> str:
        return self._call("POST", "tickets", title=title, severity=severity)["key"]

    def comment(self, key: str, text: str) -> None:
        self._call("POST", f"tickets/{key}/comments", body=text)

    def close(self, key: str) -> None:
        self._call("PATCH", f"tickets/{key}", state="closed")
