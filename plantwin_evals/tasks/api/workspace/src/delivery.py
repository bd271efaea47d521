"""Deliveries of events to partners, with retries."""

import json
import logging
import random
import time

import requests
import yaml

from src.auth.signing import signed

log = logging.getLogger("thistle.delivery")
ATTEMPTS = 3


def settings(path="config/production.yaml"):
    """Settings of this environment."""
    with open(path) as file:
        return yaml.safe_load(file)


def secret_of(partner):
    """The secret that a partner and we share."""
    return settings()["webhooks"]["secrets"][partner]


def pause(attempt, base=0.5, most=30.0):
    """Seconds before the next attempt: doubled each time, with some chance."""
    return min(most, base * 2**attempt) * (0.5 + random.random() / 2)


def deliver(partner, url, event):
    """Send one event; whether the partner took it."""
    body = json.dumps(event).encode()
    for attempt in range(ATTEMPTS):
        headers = signed(body, secret_of(partner))
        try:
            answer = requests.post(url, data=body, headers=headers, timeout=300)
        except requests.RequestException:
            log.exception("delivery of %s failed", event["event_id"])
            continue
        if answer.status_code < 300:
            return True
        log.error("delivery of %s to %s failed: %s (attempt %d)", event["event_id"], url, answer.status_code, attempt)
        time.sleep(pause(attempt))
    return False
