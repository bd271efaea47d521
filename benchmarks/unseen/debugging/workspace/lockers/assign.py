"""Picks a door for a parcel."""

from dataclasses import dataclass

# inner volume in litres
VOLUME = {"S": 12, "M": 30, "L": 72}
ORDER = ["S", "M", "L", "XL"]


@dataclass
class Door:
    number: int
    size: str
    free: bool = True


class NoDoor(Exception):
    pass


def fits(parcel_litres, door):
    """Whether a parcel goes behind a door."""
    return parcel_litres <= VOLUME[door.size]


def pick(doors, parcel_litres):
    """The smallest free door in which the parcel fits."""
    best = None
    for door in sorted(doors, key=lambda d: ORDER.index(d.size)):
        if not door.free:
            continue
        if fits(parcel_litres, door):
            best = door
    if best is None:
        raise NoDoor(parcel_litres)
    best.free = False
    return best


def free_share(doors):
    """How much of the locker's room is free, from 0 to 1."""
    whole = sum(VOLUME[door.size] for door in doors)
    free = sum(VOLUME[door.size] for door in doors if door.free)
    return free / whole


def release(doors, number):
    for door in doors:
        if door.number == number:
            door.free = True
            return door
    raise KeyError(number)
