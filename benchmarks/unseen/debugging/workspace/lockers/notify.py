"""Sends text messages."""

import json
import logging
import time
import urllib.request

log = logging.getLogger("notify")


def send(settings, phone, text):
    """Send a text, and try again if the service is busy."""
    body = json.dumps({"to": phone, "text": text}).encode()
    for attempt in range(settings["sms"]["retries"] + 1):
        request = urllib.request.Request(
            settings["sms"]["address"],
            data=body,
            headers={"Authorization": "Bearer " + settings["sms"]["token"]},
        )
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                log.info("sent to=%s status=%s attempt=%d", phone, answer.status, attempt)
                return True
        except OSError as error:
            log.warning("not sent to=%s error=%s attempt=%d", phone, error, attempt)
            time.sleep(2**attempt)
    log.error("gave up to=%s", phone)
    return False


def send_code(settings, phone, station, code):
    return send(settings, phone, f"Your parcel is at {station}. Code: {code}")


def send_sorry(settings, phone, station):
    return send(settings, phone, f"The locker at {station} does not work at the moment. We are on it.")
