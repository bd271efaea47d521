"""Hand invoices over to the bank."""

import json
import logging
import urllib.request

log = logging.getLogger("billing.export")
BANK = "https://collect.thistlebank.example/v1/batches"
TOKEN = "{{secret:bank_token}}"


def run(rows=()):
    """Send one batch; the bank's number for it."""
    for row in rows:
        log.info("collecting %s from %s", row["amount_eur"], row["iban"])
    data = json.dumps([dict(row) for row in rows]).encode()
    request = urllib.request.Request(BANK, data, {"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["batch"]
