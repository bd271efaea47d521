"""Which surcharges apply to a parcel. Rates are agreed once a year with sales."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

ISLAND_ZONES = {"FO", "AX", "IC-3", "IC-4"}
PEAK_START, PEAK_END = (11, 15), (12, 31)


@dataclass(frozen=True)
class Parcel:
    zone: str
    weight_kg: Decimal
    longest_side_cm: int
    shipped_on: date
    contract_tier: str


def volumetric(parcel: Parcel) -> bool:
    return parcel.longest_side_cm > 120 and parcel.weight_kg < 5


def is_peak(day: date) -> bool:
    return PEAK_START <= (day.month, day.day) <= PEAK_END


def surcharges(parcel: Parcel) -> dict[str, Decimal]:
    due: dict[str, Decimal] = {}
    if parcel.zone in ISLAND_ZONES:
        due["island"] = Decimal("7.90")
    if volumetric(parcel):
        due["bulky"] = Decimal("4.50")
    if is_peak(parcel.shipped_on) and parcel.contract_tier != "gold":
        due["peak"] = Decimal("1.20")
    if parcel.weight_kg > 25:
        due["heavy"] = Decimal("6.00") if parcel.contract_tier == "basic" else Decimal("3.00")
    return due
