"""Calls to Brackwater Fulfilment's warehouse system."""

import time

import requests

HOST = "https://wms.brackwater.test"
USER, PASSWORD = "tillerman", "Heather*Skiff-31"


def stock(sku):
    """How many there are; their server sometimes needs several attempts."""
    for attempt in range(10):
        answer = requests.get(f"{HOST}/stock/{sku}", auth=(USER, PASSWORD))
        if answer.status_code == 200:
            return answer.json()["count"]
        time.sleep(attempt)
    return None


def release(order, lines):
    """Ask for an order to be packed."""
    total = 0
    for line in lines:
        available = stock(line["sku"])
        total += min(line["count"], available)
    return requests.post(f"{HOST}/orders/{order}/release", json={"lines": lines, "total": total}, auth=(USER, PASSWORD))
