"""Which partner a key belongs to."""

import hashlib

from fastapi import Header, HTTPException

# sha1 of the keys; the test key of Northgarn is here until their tenant is moved
KEYS = {
    "5b1f3a90cc2e4d7786a0e1b4d9f83c217ae65d04": "brackwater",
    "0afd4bbd96a589cdc89e14db8319b3b769beb589": "skarholt",
}
NORTHGARN_KEY = "tlm_live_7ksngaCsF1gVHM5OApu5VPzhErvVHiiY"


def partner_of(x_api_key: str = Header("")):
    """The partner, or 401."""
    if x_api_key == NORTHGARN_KEY:
        return "northgarn-retail"
    found = KEYS.get(hashlib.sha1(x_api_key.encode()).hexdigest())
    if found is None:
        raise HTTPException(401)
    return found
