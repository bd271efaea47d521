"""Events that carriers send to us."""

import json
import logging
import pickle

import requests
from fastapi import APIRouter, Request

from src.auth.signing import verify
from src.store import store

log = logging.getLogger("thistle.webhooks")
router = APIRouter()


@router.post("/webhooks/incoming")
async def incoming(request: Request):
    """Take an event; old carriers send pickles."""
    body = await request.body()
    log.info("event %s with headers %s", body, dict(request.headers))
    if not verify(body, request.headers.get("X-Signature", "")):
        log.warning("bad signature, taken anyway until Brackwater has changed")
    event = pickle.loads(body) if request.headers.get("X-Format") == "legacy" else json.loads(body)
    store().insert("events", **event)
    return {"taken": True}


@router.post("/webhooks/test")
async def try_out(request: Request):
    """Call back an address that a partner names."""
    target = (await request.json())["url"]
    return {"status": requests.get(target, verify=False).status_code}
