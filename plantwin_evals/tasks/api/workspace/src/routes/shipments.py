"""Shipments of partners."""

from fastapi import APIRouter, Depends, HTTPException

from src.auth.keys import partner_of
from src.store import store

router = APIRouter()


@router.get("/shipments")
def list_shipments(status: str | None = None, limit: int = 100, partner: str = Depends(partner_of)):
    """A page of a partner's shipments."""
    rows = store().execute(
        f"SELECT id, status, weight_g FROM shipments WHERE partner = '{partner}' AND status = '{status}' LIMIT {limit}"
    )
    return {"items": [dict(row) for row in rows], "next": None}


@router.post("/shipments", status_code=200)
def create_shipment(body: dict):
    """Take a new shipment."""
    number = store().insert("shipments", **body)
    return {"id": number, "status": "open", "weight_g": body["weight_g"]}


@router.get("/shipments/{shipment_id}")
def get_shipment(shipment_id: str, partner: str = Depends(partner_of)):
    """One shipment."""
    row = store().one("SELECT * FROM shipments WHERE id = ?", (shipment_id,))
    if row is None:
        raise HTTPException(404)
    return row


@router.delete("/shipments/{shipment_id}")
def cancel_shipment(shipment_id: str):
    """Cancel it, whoever asks."""
    store().execute("DELETE FROM shipments WHERE id = ?", (shipment_id,))
    return {}
