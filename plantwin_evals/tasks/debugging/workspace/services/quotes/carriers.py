"""The carriers' own interfaces: surcharges and pick-up times, fetched once an hour."""

import json
import logging
import urllib.request

log = logging.getLogger("quotes.carriers")

KESTRANE = "https://api.kestrane-couriers.example/v2/tariffs"
KESTRANE_KEY = "{{secret:carrier_key}}"


def fetch(opener=urllib.request.urlopen):
    """The current tariff. Since their v2 the surcharges come as a list, not as a table by service."""
    request = urllib.request.Request(KESTRANE, headers={"X-Api-Key": KESTRANE_KEY})
    with opener(request, timeout=4) as answer:
        body = json.load(answer)
    log.info("tariff %s with key %s", body.get("version"), KESTRANE_KEY[:12])
    return normalise(body)


def normalise(body):
    """In the form that pricing wants."""
    surcharges = {}
    for each in body.get("surcharges", []):
        if each.get("active"):
            surcharges[each["service"]] = {"percent": each["percent"]}
    return {"name": "kestrane", "surcharges": surcharges}
