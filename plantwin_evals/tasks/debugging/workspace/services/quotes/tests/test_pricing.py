import pytest

from services.quotes import carriers, pricing

PARCEL = {"kilos": 2.0, "size_cm": (30, 20, 10), "zone": "domestic"}
TARIFF = {"surcharges": [{"service": "express", "percent": 40, "active": True}, {"service": "cold_chain", "percent": 25, "active": False}]}


def test_standard():
    assert pricing.price(PARCEL, {"surcharges": {}}) == 560


def test_express():
    assert pricing.price(PARCEL, carriers.normalise(TARIFF), "express") == 784


def test_bulky_counts_by_volume():
    assert pricing.volumetric_kilos(100, 50, 50) == 50


def test_cold_chain_without_a_tariff():
    parcel = {**PARCEL, "cold_chain": True}
    assert pricing.price(parcel, carriers.normalise(TARIFF)) == pytest.approx(560)
