"""Client of the courier's booking interface, with retries and idempotency."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
from tenacity import retry, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from courier.models import Pickup, Slot


class CourierDown(Exception):
    """The courier did not answer, or answered with a server error."""


class CourierClient:
    def __init__(self, base_url: str, api_key: str, timeout: float = 10.0) -> None:
        self._http = httpx.Client(base_url=base_url, headers={"X-Api-Key": api_key}, timeout=timeout)

    @retry(retry=retry_if_exception_type(CourierDown), stop=stop_after_attempt(4), wait=wait_exponential_jitter(0.5, 8))
    def _send(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        try:
            response = self._http.request(method, path, **kwargs)
        except httpx.TransportError as error:
            raise CourierDown from error
        if response.status_code >= 500:
            raise CourierDown
        response.raise_for_status()
        return response

    def slots(self, postcode: str) -> list[Slot]:
        return [Slot(**each) for each in self._send("GET", "/slots", params={"postcode": postcode}).json()]

    def book(self, pickup: Pickup) -> str:
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return self._send("POST", "/pickups", json=pickup.as_json(), headers=headers).json()["id"]
