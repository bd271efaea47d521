"""What a parcel costs: by weight, zone and service, with the carrier's surcharges."""

ZONES = {"domestic": 1.0, "neighbour": 1.4, "europe": 1.9, "world": 3.2}
BASE_CENTS = 390
PER_KILO_CENTS = 85


def volumetric_kilos(length_cm, width_cm, height_cm):
    """Bulky parcels count by volume: a cubic metre as 200 kg."""
    return length_cm * width_cm * height_cm / 5000


def surcharge_of(carrier, service):
    """The carrier's surcharge in per cent for a service."""
    table = carrier["surcharges"]
    return table[service]["percent"]


def price(parcel, carrier, service="standard"):
    """The price in cents."""
    kilos = max(parcel["kilos"], volumetric_kilos(*parcel["size_cm"]))
    cents = (BASE_CENTS + PER_KILO_CENTS * kilos) * ZONES[parcel["zone"]]
    if service != "standard":
        cents *= 1 + surcharge_of(carrier, service) / 100
    if parcel.get("cold_chain"):
        cents *= 1 + surcharge_of(carrier, "cold_chain") / 100
    return round(cents)
