"""Prices by country and weight."""

from fastapi import APIRouter

from src.clients.skarholt import SkarholtClient

router = APIRouter()
SURCHARGE = {"NO": 1.15, "SE": 1.0, "FI": 1.05}


@router.get("/rates")
def list_rates(country: str, weight_g: int = 1000):
    """Our price and that of Skarholt."""
    own = round((3.9 + weight_g / 1000 * 0.8) * SURCHARGE.get(country, 1.4), 2)
    return {"own": own, "skarholt": SkarholtClient().price(country, weight_g)}
